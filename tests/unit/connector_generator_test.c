/* SPDX-License-Identifier: Apache-2.0 */
/* datagen: every type, bounds, sequences, rates, options by column type with Flink's texts;
 * nexmark: the java stream byte for byte against the public generator's events (tests/data/formats/
 * nexmark-java.jsonl), the counter stream's distribution, ids and independence of parallelism.
 * links: format fs */
#include "os/os.h"
#include "unit/table_rig.h"

/* ---- datagen --------------------------------------------------------------------------------- */

#define EVERY                                                                                      \
    "a DECIMAL(5,2),b DATE, c TIME, d TIMESTAMP(3), e ARRAY<INT>, f MAP<STRING,INT>, "             \
    "g MULTISET<STRING>, h ROW<x INT,y STRING>, i BYTES, j BINARY(4), k VARBINARY(4), l TINYINT, " \
    "m DOUBLE, n FLOAT, o BOOLEAN, p CHAR(3), q VARCHAR(7), t TIMESTAMP_LTZ(3), u TIMESTAMP(9), "  \
    "v STRING, w SMALLINT, x BIGINT, y INT, z DECIMAL(38,10)"

TEST(every_type_has_values)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, EVERY));
    RIG_OPTIONS(&r, "connector", "datagen", "number-of-rows", "50", "rows-per-second", "1000000");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 50);
    CHECK(r.source.bounded && r.source.row_count == 50);
    for (uint32_t i = 0; i < r.line_count; i++) {
        char *zero = wr_arena_dup(r.arena, r.lines[i].ptr, r.lines[i].len);
        CHECK(strstr(zero, "null") == NULL);
    }
    CHECK(!wr_str_eq(r.lines[0], r.lines[1]));
    r.max_rows = 7;
    r.parallelism = 3;
    CHECK_OK(&r.ctx, rig_read(&r, "v x"));
    CHECK_EQ_UINT(r.line_count, 50);
    rig_deinit(&r);
}

static long
number_at(wr_str line, int column)
{
    const char *p = line.ptr + 3;
    for (int i = 0; i < column; i++) p = strstr(p, ", ") + 2;
    return strtol(p, NULL, 10);
}

TEST(bounds_and_nulls)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT, b BIGINT, c DOUBLE, d DECIMAL(5,2), e STRING, f INT, g INT"));
    RIG_OPTIONS(&r, "connector", "datagen", "number-of-rows", "3000", "rows-per-second", "99999999",
                "fields.a.min", "-2", "fields.a.max", "2", "fields.b.min", "5", "fields.b.max", "5",
                "fields.c.min", "0.5", "fields.c.max", "0.75", "fields.d.min", "1.5",
                "fields.d.max", "2.5", "fields.e.length", "9", "fields.f.null-rate", "1",
                "fields.g.null-rate", "0.5");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 3000);
    int seen[5] = {0}, nulls = 0;
    for (uint32_t i = 0; i < r.line_count; i++) {
        double c, d;
        char e[32], f[8], g[16];
        long a, b;
        char *zero = wr_arena_dup(r.arena, r.lines[i].ptr, r.lines[i].len);
        int n = sscanf(zero, "+I[%ld, %ld, %lf, %lf, %[0-9a-f], %[a-z], %[-a-z0-9]]", &a, &b, &c,
                       &d, e, f, g);
        CHECK_FATAL(n == 7);
        CHECK_FATAL(a >= -2 && a <= 2);
        seen[a + 2]++;
        CHECK(b == 5 && c >= 0.5 && c <= 0.75 && d >= 1.5 && d <= 2.5 && strlen(e) == 9);
        CHECK_EQ_STR(f, "null");
        nulls += strcmp(g, "null") == 0;
    }
    for (int i = 0; i < 5; i++) CHECK(seen[i] > 450 && seen[i] < 750); /* 600 +- 6 sigma */
    CHECK(nulls > 1330 && nulls < 1670);
    rig_deinit(&r);
}

TEST(nested_values)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a ROW<x INT, y STRING>, b ARRAY<INT>, c MAP<STRING,INT>, "
                          "d MULTISET<INT>"));
    RIG_OPTIONS(&r, "connector", "datagen", "number-of-rows", "20", "rows-per-second", "99999",
                "fields.a.x.min", "3", "fields.a.x.max", "3", "fields.b.element.min", "1",
                "fields.b.element.max", "1", "fields.b.length", "2", "fields.c.key.length", "1",
                "fields.c.value.max", "0", "fields.c.value.min", "0", "fields.d.element.min", "1",
                "fields.d.element.max", "1", "fields.a.y.null-rate", "1");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 20);
    for (uint32_t i = 0; i < r.line_count; i++)
        CHECK(strncmp(r.lines[i].ptr, "+I[+I[3, null], [1, 1], {", 25) == 0);
    rig_deinit(&r);
}

TEST(sequences)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a STRING, b INT, c BIGINT, d DOUBLE, e DECIMAL(5,1)"));
    RIG_OPTIONS(&r, "connector", "datagen", "fields.a.kind", "sequence", "fields.a.start", "1",
                "fields.a.end", "3", "fields.b.kind", "sequence", "fields.b.start", "9",
                "fields.b.end", "50", "fields.c.kind", "sequence", "fields.c.start", "-1",
                "fields.c.end", "5", "fields.d.kind", "sequence", "fields.d.start", "0",
                "fields.d.end", "9", "fields.e.kind", "sequence", "fields.e.start", "7",
                "fields.e.end", "90");
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_STR(rig_rows(&r), "+I[1, 9, -1, 0.0, 7.0]\n+I[2, 10, 0, 1.0, 8.0]\n"
                               "+I[3, 11, 1, 2.0, 9.0]");
    CHECK(!r.source.bounded); /* as Flink: only number-of-rows makes it bounded for the planner */
    CHECK(rig_columns(&r, "a BIGINT"));
    RIG_OPTIONS(&r, "connector", "datagen", "fields.a.kind", "sequence", "fields.a.start", "1",
                "fields.a.end", "1000", "rows-per-second", "1000000");
    r.parallelism = 3;
    r.max_rows = 10;
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, 1000);
    long sum = 0;
    for (uint32_t i = 0; i < r.line_count; i++) sum += number_at(r.lines[i], 0);
    CHECK_EQ_INT(sum, 500500);
    rig_deinit(&r);
}

TEST(rates)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "datagen", "number-of-rows", "300", "rows-per-second", "1000");
    int64_t t0 = wr_os_now_ns();
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    int64_t ms = (wr_os_now_ns() - t0) / 1000000;
    CHECK(ms >= 150); /* a tenth of a second comes at once */
    CHECK_EQ_UINT(r.line_count, 300);
    rig_deinit(&r);
}

static const char *
refused(const char *columns, const char *const *kv)
{
    static rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, columns));
    rig_options(&r, kv);
    wr_status status = rig_read_some(&r, NULL, 2);
    rig_deinit(&r);
    return status == WR_OK ? "ok" : r.ctx.err.message;
}
#define REFUSED(columns, ...)                                                                      \
    refused(columns, (const char *const[]){"connector", "datagen", __VA_ARGS__, NULL})

TEST(texts_as_flink)
{
    CHECK_EQ_STR(REFUSED("a INT", "foo", "1"),
                 "Unsupported options found for 'datagen'.\n\nUnsupported options:\n\nfoo\n\n"
                 "Supported options:\n\nconnector\nfields.a.kind\nfields.a.max\nfields.a.min\n"
                 "fields.a.null-rate\nnumber-of-rows\nrows-per-second\nscan.parallelism");
    CHECK_EQ_STR(REFUSED("a STRING", "fields.a.min", "5"),
                 "Unsupported options found for 'datagen'.\n\nUnsupported options:\n\nfields.a.min"
                 "\n\nSupported options:\n\nconnector\nfields.a.kind\nfields.a.length\n"
                 "fields.a.null-rate\nfields.a.var-len\nnumber-of-rows\nrows-per-second\n"
                 "scan.parallelism");
    CHECK_EQ_STR(REFUSED("a INT", "fields.a.kind", "foo"), "Unsupported generator kind: foo");
    CHECK_EQ_STR(REFUSED("a INT", "fields.a.kind", "sequence"),
                 "Could not find required property 'fields.a.start' for sequence generator.");
    CHECK_EQ_STR(
        REFUSED("a INT", "fields.a.kind", "sequence", "fields.a.start", "5", "fields.a.end", "x"),
        "Could not parse value 'x' for key 'fields.a.end'.");
    CHECK_EQ_STR(REFUSED("a INT", "fields.a.min", "5", "fields.a.max", "1"),
                 "lower bound (5) must be strictly less than upper bound (1)");
    CHECK_EQ_STR(REFUSED("a VARCHAR(10)", "fields.a.length", "50"),
                 "Custom length '50' for variable-length type (VARCHAR/STRING/VARBINARY/BYTES) "
                 "field 'a' should be shorter than '10' defined in the schema.");
    CHECK_EQ_STR(REFUSED("a CHAR(5)", "fields.a.length", "3"),
                 "Custom length for fixed-length type (CHAR/BINARY) field 'a' is not supported.");
    CHECK_EQ_STR(REFUSED("a VARIANT", "number-of-rows", "2"), "Unsupported type: VARIANT");
    CHECK_EQ_STR(REFUSED("a STRING", "fields.a.length", "0"), "length (0)");
}

/* ---- nexmark --------------------------------------------------------------------------------- */

static const char EVENTS[] =
    "event_type INT, person ROW<id BIGINT,name STRING,emailAddress STRING,creditCard STRING,"
    "city STRING,state STRING,dateTime TIMESTAMP(3),extra STRING>, auction ROW<id BIGINT,"
    "itemName STRING,description STRING,initialBid BIGINT,reserve BIGINT,dateTime TIMESTAMP(3),"
    "expires TIMESTAMP(3),seller BIGINT,category BIGINT,extra STRING>, bid ROW<auction BIGINT,"
    "bidder BIGINT,price BIGINT,channel STRING,url STRING,dateTime TIMESTAMP(3),extra STRING>";

/* Events as JSON, one a line, through batches of `max_rows`. */
static wr_text
nexmark_json(rig *r, const char *const *kv, uint32_t max_rows, uint32_t parallelism)
{
    wr_text t;
    wr_text_init(&t, r->arena);
    CHECK(rig_columns(r, EVENTS));
    rig_options(r, kv);
    const wr_source_ops *ops;
    wr_str *splits;
    uint32_t count;
    int64_t recheck;
    wr_options none = {0};
    wr_encoder *e;
    CHECK_OK(&r->ctx, wr_source_find_checked(&r->ctx, &r->table, &r->table.options, &ops));
    wr_source_spec spec = rig_spec(r, NULL);
    CHECK_OK(&r->ctx,
             ops->discover(&r->ctx, &spec, parallelism, r->arena, &splits, &count, &recheck));
    CHECK_OK(&r->ctx,
             wr_format_json.encoder_open(&r->ctx, &none, &spec.columns, &r->eval, r->arena, &e));
    for (uint32_t s = 0; s < count; s++) {
        wr_source_env env = {
            .arena = r->arena, .eval = &r->eval, .subtask = s, .parallelism = parallelism};
        wr_reader *reader;
        CHECK_OK(&r->ctx, ops->open(&r->ctx, &spec, &env, &reader));
        CHECK_OK(&r->ctx, ops->add_split(&r->ctx, reader, splits[s], WR_STR("")));
        for (bool end = false; !end;) {
            wr_batch *b = wr_batch_acquire(r->pool, spec.columns.count);
            wr_poll p;
            CHECK_OK(&r->ctx, ops->poll(&r->ctx, reader, b, max_rows, &p));
            CHECK_OK(&r->ctx, wr_format_json.encode(&r->ctx, e, b, &t));
            end = p.kind == WR_POLL_END;
            wr_batch_release(b);
        }
        ops->close(reader);
    }
    wr_format_json.encoder_close(e);
    return t;
}

static uint64_t
fnv(const char *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)p[i]) * 0x100000001b3ull;
    return h;
}

/* The first 150 events as the public generator's classes write them with pinned seeds, and a hash
 * of the first 50,000 of the same file. */
TEST(nexmark_java_stream_is_the_public_one)
{
    rig r;
    rig_init(&r);
    FILE *f = fopen("tests/data/formats/nexmark-java.jsonl", "rb");
    CHECK_FATAL(f != NULL);
    char *want = wr_arena_alloc(r.arena, 1 << 20);
    size_t len = fread(want, 1, 1 << 20, f);
    (void)fclose(f);
    const char *const kv[] = {
        "connector",  "nexmark", "events.num", "50000",         "first-event.rate",
        "100000",     "seed",    "7",          "seed.channels", "11",
        "seed.extra", "13",      "base-time",  "1767225600000", "rng",
        "java",       NULL};
    wr_text got = nexmark_json(&r, kv, 2048, 1);
    CHECK_FATAL(got.len > len);
    CHECK(memcmp(got.ptr, want, len) == 0);
    CHECK_EQ_UINT(fnv(got.ptr, got.len), 0x74edd41bb0156144ull);
    wr_text again = nexmark_json(&r, kv, 7, 1);
    CHECK(again.len == got.len && memcmp(again.ptr, got.ptr, got.len) == 0);
    rig_deinit(&r);
}

#define COUNTER(...)                                                                               \
    (const char *const[])                                                                          \
    {                                                                                              \
        "connector", "nexmark", "base-time", "1767225600000", __VA_ARGS__, NULL                    \
    }

static int
compare_lines(const void *a, const void *b)
{
    return wr_str_cmp(*(const wr_str *)a, *(const wr_str *)b);
}

/* Hash of the lines in sorted order. */
static uint64_t
sorted_hash(rig *r, const wr_text *t)
{
    uint32_t n = 0;
    wr_str *lines = WR_NEW_N(r->arena, wr_str, 100000);
    for (const char *p = t->ptr, *end = p + t->len; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        lines[n++] = (wr_str){p, (size_t)(nl - p)};
        p = nl + 1;
    }
    qsort(lines, n, sizeof *lines, compare_lines);
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++) h = h * 31 + fnv(lines[i].ptr, lines[i].len);
    return h;
}

TEST(nexmark_counter_stream_is_the_same_for_any_cut)
{
    rig r;
    rig_init(&r);
    wr_text one = nexmark_json(&r, COUNTER("events.num", "5300"), 2048, 1);
    wr_text small = nexmark_json(&r, COUNTER("events.num", "5300"), 3, 1);
    CHECK(one.len == small.len && memcmp(one.ptr, small.ptr, one.len) == 0);
    uint64_t h = sorted_hash(&r, &one);
    for (uint32_t p = 2; p <= 5; p++) {
        wr_text many = nexmark_json(&r, COUNTER("events.num", "5300"), 100, p);
        CHECK_EQ_UINT(sorted_hash(&r, &many), h);
    }
    wr_text other = nexmark_json(&r, COUNTER("events.num", "5300", "seed", "2"), 2048, 1);
    CHECK(sorted_hash(&r, &other) != h);
    rig_deinit(&r);
}

/* Facts about the stream: kinds 1 : 3 : 46, first id 2, ids of the public numbering, hot keys half
 * and three quarters, prices log-uniform, times by the rate. */
TEST(nexmark_counter_distribution)
{
    enum { N = 50000 };
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, EVENTS));
    rig_options(&r, COUNTER("events.num", "50000", "first-event.rate", "1000"));
    CHECK_OK(&r.ctx, rig_read(&r, NULL));
    CHECK_EQ_UINT(r.line_count, N);
    int kinds[3] = {0}, hot_auction = 0, hot_bidder = 0, cheap = 0, dear = 0, hot_channel = 0;
    for (int i = 0; i < N; i++) {
        const char *p = r.lines[i].ptr;
        int64_t id = i + 2, epoch = id / 50, o = id % 50;
        int kind = p[3] - '0';
        CHECK_FATAL(kind == (o < 1 ? 0 : o < 4 ? 1 : 2));
        kinds[kind]++;
        int64_t last_auction = o < 1 ? epoch * 3 - 1 : o >= 4 ? epoch * 3 + 2 : epoch * 3 + o - 1;
        if (kind == 1)
            CHECK_EQ_INT(strtol(p + strlen("+I[1, null, +I["), NULL, 10), last_auction + 1000);
        if (kind != 2) continue;
        char *end;
        long auction = strtol(p + strlen("+I[2, null, null, +I["), &end, 10);
        long bidder = strtol(end + 2, &end, 10), price = strtol(end + 2, &end, 10);
        hot_auction += auction == last_auction / 100 * 100 + 1000;
        hot_bidder += bidder == epoch / 100 * 100 + 2001;
        CHECK(auction >= 1000 && auction <= last_auction + 1000 + 10);
        CHECK(bidder >= 2000 && bidder <= epoch + 2000 + 10);
        CHECK(price >= 100 && price <= 100000000);
        cheap += price < 10000;
        dear += price >= 1000000;
        hot_channel += strncmp(end + 2, "channel-", 8) != 0;
    }
    CHECK(kinds[0] == 1000 && kinds[1] == 3000 && kinds[2] == 46000);
    CHECK(hot_auction > 22500 && hot_auction < 24500);
    CHECK(hot_bidder > 33900 && hot_bidder < 36000);
    CHECK(cheap > 14700 && cheap < 16000 && dear > 14700 && dear < 16000);
    CHECK(hot_channel > 22300 && hot_channel < 23700);
    /* the last event: 50,000 at 1,000 a second */
    char *last = wr_arena_dup(r.arena, r.lines[N - 1].ptr, r.lines[N - 1].len);
    CHECK(strstr(last, "2026-01-01T00:00:50") != NULL);
    rig_deinit(&r);
}

TEST(nexmark_projection_limit_and_schema)
{
    rig r;
    rig_init(&r);
    CHECK(rig_columns(&r, EVENTS));
    rig_options(&r, COUNTER("events.num", "100"));
    CHECK_OK(&r.ctx, rig_read(&r, "event_type"));
    CHECK_EQ_UINT(r.line_count, 100);
    CHECK_EQ_WRSTR(r.lines[0], "+I[1]");
    CHECK_EQ_WRSTR(r.lines[48], "+I[0]");
    r.limit = 5;
    CHECK_OK(&r.ctx, rig_read(&r, "event_type"));
    CHECK_EQ_UINT(r.line_count, 5);
    r.limit = 0;
    rig_options(&r, COUNTER("events.num", "100", "rng", "java", "stop-at", "10"));
    CHECK_OK(&r.ctx, rig_read(&r, "event_type"));
    CHECK_EQ_UINT(r.line_count, 10);
    rig_options(&r, COUNTER("rng", "dice"));
    CHECK(rig_read(&r, NULL) == WR_OPTION);
    CHECK_EQ_STR(r.ctx.err.message, "Could not parse value 'dice' for key 'rng'.");
    wr_ctx_reset(&r.ctx);
    CHECK(rig_columns(&r, "a INT"));
    rig_options(&r, COUNTER("events.num", "100"));
    CHECK(rig_read(&r, NULL) == WR_SEMANTIC);
    rig_deinit(&r);
}

CHECK_MAIN()
