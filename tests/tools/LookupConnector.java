// SPDX-License-Identifier: Apache-2.0
// The connector 'lookup' for Flink, the same as weir's (src/connector/lookup.c): a table that is only asked by key, for goldens of lookup joins.
//
//   CREATE TABLE dim (id INT, name STRING) WITH ('connector' = 'lookup', 'rows' = '
//     ["+I", 1, "one"]
//     {"after": 2}
//     ["+I", 2, "two"]');
//
// What comes behind {"after": n} is found from the n-th question for its key on. 'lookup.async' = 'true' answers asynchronously, after 'delay'.
// The options lookup.cache, lookup.partial-cache.* are Flink's. To use it with a Flink: compile it against its jars and put classes and
// META-INF/services/org.apache.flink.table.factories.Factory (LookupConnector$Factory) into a jar beside them.
import java.util.*;
import java.util.concurrent.*;

import org.apache.flink.configuration.*;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.JsonToRowDataConverters;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.*;
import org.apache.flink.table.connector.source.*;
import org.apache.flink.table.connector.source.lookup.*;
import org.apache.flink.table.connector.source.lookup.cache.*;
import org.apache.flink.table.data.*;
import org.apache.flink.table.factories.*;
import org.apache.flink.table.functions.*;
import org.apache.flink.table.types.logical.*;

public class LookupConnector {
    static final ConfigOption<String> ROWS = ConfigOptions.key("rows").stringType().noDefaultValue();
    static final ConfigOption<Boolean> ASYNC = ConfigOptions.key("lookup.async").booleanType().defaultValue(false);
    static final ConfigOption<java.time.Duration> DELAY = ConfigOptions.key("delay").durationType().defaultValue(java.time.Duration.ZERO);

    public static class Table implements java.io.Serializable {
        final List<String> lines; final RowType type; final int[] keys;
        transient List<GenericRowData> rows; transient List<Integer> after; transient Map<List<Object>, Integer> asked;
        Table(List<String> lines, RowType type, int[] keys) { this.lines = lines; this.type = type; this.keys = keys; }

        void open() throws Exception {
            ObjectMapper json = new ObjectMapper();
            JsonToRowDataConverters of = new JsonToRowDataConverters(false, false, TimestampFormat.SQL);
            rows = new ArrayList<>();
            after = new ArrayList<>();
            asked = new HashMap<>();
            int from = 1;
            for (String line : lines) {
                JsonNode n = json.readTree(line);
                if (!n.isArray()) { from = n.get("after").asInt(); continue; }
                GenericRowData row = new GenericRowData(type.getFieldCount());
                for (int i = 0; i < type.getFieldCount(); i++) row.setField(i, of.createConverter(type.getTypeAt(i)).convert(n.get(i + 1)));
                rows.add(row);
                after.add(from);
            }
        }

        synchronized Collection<RowData> ask(RowData key) {
            List<Object> want = new ArrayList<>();
            for (int i = 0; i < keys.length; i++)
                want.add(RowData.createFieldGetter(type.getTypeAt(keys[i]), i).getFieldOrNull(key));
            int times = asked.merge(want, 1, Integer::sum);
            List<RowData> found = new ArrayList<>();
            for (int r = 0; r < rows.size(); r++) {
                boolean same = after.get(r) <= times;
                for (int i = 0; same && i < keys.length; i++) same = Objects.equals(rows.get(r).getField(keys[i]), want.get(i)) && want.get(i) != null;
                if (same) found.add(rows.get(r));
            }
            return found;
        }
    }

    public static class Sync extends LookupFunction {
        final Table table; final long delay;
        Sync(Table t, long delay) { table = t; this.delay = delay; }
        public void open(FunctionContext c) throws Exception { table.open(); }
        public Collection<RowData> lookup(RowData key) {
            try { if (delay > 0) Thread.sleep(delay); } catch (InterruptedException e) { throw new RuntimeException(e); }
            return table.ask(key);
        }
    }

    public static class Async extends AsyncLookupFunction {
        final Table table; final long delay;
        transient ScheduledExecutorService pool;
        Async(Table t, long delay) { table = t; this.delay = delay; }
        public void open(FunctionContext c) throws Exception { table.open(); pool = Executors.newScheduledThreadPool(1); }
        public CompletableFuture<Collection<RowData>> asyncLookup(RowData key) {
            RowData copy = GenericRowData.of();
            GenericRowData own = new GenericRowData(table.keys.length);
            for (int i = 0; i < table.keys.length; i++) own.setField(i, RowData.createFieldGetter(table.type.getTypeAt(table.keys[i]), i).getFieldOrNull(key));
            CompletableFuture<Collection<RowData>> f = new CompletableFuture<>();
            pool.schedule(() -> f.complete(table.ask(own)), delay, TimeUnit.MILLISECONDS);
            return f;
        }
        public void close() { if (pool != null) pool.shutdownNow(); }
    }

    public static class Source implements LookupTableSource {
        final ReadableConfig options; final List<String> lines; final RowType type;
        Source(ReadableConfig o, List<String> l, RowType t) { options = o; lines = l; type = t; }
        public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext c) {
            int[] keys = Arrays.stream(c.getKeys()).mapToInt(k -> k[0]).toArray();
            Table t = new Table(lines, type, keys);
            long delay = options.get(DELAY).toMillis();
            boolean cached = options.get(LookupOptions.CACHE_TYPE) == LookupOptions.LookupCacheType.PARTIAL;
            LookupCache cache = cached ? DefaultLookupCache.fromConfig(options) : null;
            if (options.get(ASYNC)) return cached ? PartialCachingAsyncLookupProvider.of(new Async(t, delay), cache) : AsyncLookupFunctionProvider.of(new Async(t, delay));
            return cached ? PartialCachingLookupProvider.of(new Sync(t, delay), cache) : LookupFunctionProvider.of(new Sync(t, delay));
        }
        public DynamicTableSource copy() { return new Source(options, lines, type); }
        public String asSummaryString() { return "lookup"; }
    }

    public static class Factory implements DynamicTableSourceFactory {
        public String factoryIdentifier() { return "lookup"; }
        public Set<ConfigOption<?>> requiredOptions() { return Set.of(ROWS); }
        public Set<ConfigOption<?>> optionalOptions() {
            return Set.of(ASYNC, DELAY, LookupOptions.CACHE_TYPE, LookupOptions.PARTIAL_CACHE_MAX_ROWS, LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS,
                    LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE, LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY, LookupOptions.MAX_RETRIES);
        }
        public DynamicTableSource createDynamicTableSource(Context c) {
            FactoryUtil.TableFactoryHelper h = FactoryUtil.createTableFactoryHelper(this, c);
            h.validate();
            List<String> lines = new ArrayList<>();
            for (String l : h.getOptions().get(ROWS).split("\n")) if (!l.isBlank()) lines.add(l.trim());
            return new Source(h.getOptions(), lines, (RowType) c.getPhysicalRowDataType().getLogicalType());
        }
    }
}
