/* SPDX-License-Identifier: Apache-2.0 */
/* Change messages in files: debezium-json, canal-json, maxwell-json, ogg-json. What is read whole
 * is compared with Flink in tests/corpus/cdc; here the same through batches of a few rows, metadata
 * columns, what is written (texts of Flink 2.3.0), and faults. links: format fs */
#include "unit/table_rig.h"

#define COLUMNS                                                                                    \
    "id INT, name STRING, price DECIMAL(5,2), tags ARRAY<STRING>, place ROW<x INT, y STRING>, "    \
    "props MAP<STRING, INT>"

static const struct {
    const char *format, *file;
} files[] = {{"debezium-json", "debezium"}, {"canal-json", "canal"},    {"maxwell-json", "maxwell"},
             {"ogg-json", "ogg"},           {"debezium-json", "mixed"}, {"canal-json", "mixed"},
             {"maxwell-json", "mixed"},     {"ogg-json", "mixed"}};

static void
from_file(rig *r, const char *format, const char *file)
{
    wr_str path = wr_arena_printf(r->arena, "tests/data/cdc/%s.json%c", file, 0);
    wr_str lenient = wr_arena_printf(r->arena, "%s.ignore-parse-errors%c", format, 0);
    RIG_OPTIONS(r, "connector", "filesystem", "path", path.ptr, "format", format, lenient.ptr,
                "true");
}

TEST(batches_of_few_rows_give_the_same)
{
    rig r;
    rig_init(&r);
    for (uint32_t f = 0; f < WR_COUNT(files); f++) {
        CHECK(rig_columns(&r, COLUMNS));
        from_file(&r, files[f].format, files[f].file);
        r.max_rows = 0;
        CHECK_OK(&r.ctx, rig_read(&r, NULL));
        const char *want = rig_rows(&r);
        CHECK(r.line_count > 0);
        for (r.max_rows = 1; r.max_rows < 6; r.max_rows++) {
            CHECK_OK(&r.ctx, rig_read(&r, NULL));
            CHECK_EQ_STR(rig_rows(&r), want);
        }
    }
    rig_deinit(&r);
}

static const char *
read_columns(rig *r, const char *columns, const char *project)
{
    CHECK(rig_columns(r, columns));
    CHECK_OK(&r->ctx, rig_read(r, project));
    return rig_rows(r);
}

/* Maps are printed in the order of Java's HashMap. */
TEST(debezium_tells_of_its_source)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    static const char text[] =
        "{\"before\":{\"id\":1},\"after\":{\"id\":2},\"source\":{\"version\":\"1.1\",\"db\":"
        "\"inventory\",\"schema\":\"s\",\"table\":\"products\",\"ts_ms\":1589362330000,\"n\":5,"
        "\"gtid\":null},\"op\":\"u\",\"ts_ms\":1589362330904}\n"
        "{\"op\":\"c\",\"after\":{\"id\":3},\"source\":null}\n"
        "{\"op\":\"c\",\"after\":{\"id\":4},\"schema\":{\"a\": 1.50}}\n";
    const char *path = rig_file(&r, dir, "d.json", text, sizeof text - 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", path, "format", "debezium-json");
    CHECK_EQ_STR(
        read_columns(&r,
                     "id INT, t TIMESTAMP_LTZ(3) METADATA FROM 'ingestion-timestamp', s "
                     "TIMESTAMP_LTZ(3) METADATA FROM 'source.timestamp', d STRING METADATA FROM "
                     "'source.database', c STRING METADATA FROM 'source.schema', n STRING "
                     "METADATA FROM 'source.table'",
                     NULL),
        "-U[1, 2020-05-13T09:32:10.904Z, 2020-05-13T09:32:10Z, inventory, s, products]\n"
        "+U[2, 2020-05-13T09:32:10.904Z, 2020-05-13T09:32:10Z, inventory, s, products]\n"
        "+I[3, null, null, null, null, null]\n+I[4, null, null, null, null, null]");
    CHECK_EQ_STR(read_columns(&r,
                              "id INT, p MAP<STRING, STRING> METADATA FROM 'source.properties', s "
                              "STRING METADATA FROM 'schema', f STRING METADATA FROM 'file.name'",
                              NULL),
                 "-U[1, {schema=s, gtid=null, version=1.1, db=inventory, table=products, "
                 "ts_ms=1589362330000, n=5}, null, d.json]\n"
                 "+U[2, {schema=s, gtid=null, version=1.1, db=inventory, table=products, "
                 "ts_ms=1589362330000, n=5}, null, d.json]\n"
                 "+I[3, null, null, d.json]\n+I[4, null, {\"a\":1.5}, d.json]");
    r.max_rows = 1;
    CHECK_EQ_STR(read_columns(&r, "id INT, n STRING METADATA FROM 'source.table'", "n"),
                 "-U[products]\n+U[products]\n+I[null]\n+I[null]");
    rig_remove(dir);
    rig_deinit(&r);
}

TEST(the_others_tell_of_their_tables)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    static const char canal[] =
        "{\"data\":[{\"id\":\"1\"},{\"id\":\"2\"}],\"database\":\"d\",\"es\":1589373515000,"
        "\"pkNames\":[\"id\",null],\"sqlType\":{\"id\":4,\"name\":12},\"table\":\"t\",\"ts\":"
        "1589373515477,\"type\":\"INSERT\"}\n";
    const char *path = rig_file(&r, dir, "c.json", canal, sizeof canal - 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", path, "format", "canal-json");
    CHECK_EQ_STR(
        read_columns(&r,
                     "id INT, d STRING METADATA FROM 'database', t STRING METADATA FROM 'table', s "
                     "MAP<STRING, INT> METADATA FROM 'sql-type', p ARRAY<STRING> METADATA FROM "
                     "'pk-names', i TIMESTAMP_LTZ(3) METADATA FROM 'ingestion-timestamp', e "
                     "TIMESTAMP_LTZ(3) METADATA FROM 'event-timestamp'",
                     NULL),
        "+I[1, d, t, {name=12, id=4}, [id, null], 2020-05-13T12:38:35.477Z, 2020-05-13T12:38:35Z]\n"
        "+I[2, d, t, {name=12, id=4}, [id, null], 2020-05-13T12:38:35.477Z, 2020-05-13T12:38:35Z]");
    static const char maxwell[] =
        "{\"database\":\"d\",\"table\":\"t\",\"type\":\"insert\",\"ts\":1596684883000,"
        "\"primary_key_columns\":[\"id\"],\"data\":{\"id\":1}}\n";
    path = rig_file(&r, dir, "m.json", maxwell, sizeof maxwell - 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", path, "format", "maxwell-json");
    CHECK_EQ_STR(read_columns(&r,
                              "id INT, d STRING METADATA FROM 'database', t STRING METADATA FROM "
                              "'table', p ARRAY<STRING> METADATA FROM 'primary-key-columns', i "
                              "TIMESTAMP_LTZ(3) METADATA FROM 'ingestion-timestamp'",
                              NULL),
                 "+I[1, d, t, [id], 2020-08-06T03:34:43Z]");
    static const char ogg[] =
        "{\"table\":\"S.T\",\"op_type\":\"D\",\"op_ts\":\"2020-05-13 15:40:06.123456Z\","
        "\"current_ts\":\"2020-05-13 15:40:07Z\",\"primary_keys\":[\"a\",\"b\"],\"before\":"
        "{\"id\":1}}\n";
    path = rig_file(&r, dir, "o.json", ogg, sizeof ogg - 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", path, "format", "ogg-json");
    CHECK_EQ_STR(read_columns(&r,
                              "id INT, t STRING METADATA FROM 'table', p ARRAY<STRING> METADATA "
                              "FROM 'primary-keys', i TIMESTAMP_LTZ(6) METADATA FROM "
                              "'ingestion-timestamp', e TIMESTAMP_LTZ(6) METADATA FROM "
                              "'event-timestamp'",
                              NULL),
                 "-D[1, S.T, [a, b], 2020-05-13T15:40:07Z, 2020-05-13T15:40:06.123456Z]");
    rig_remove(dir);
    rig_deinit(&r);
}

/* Rows of a message that breaks behind them leave nothing in those of the next one. */
TEST(a_broken_message_leaves_nothing)
{
    rig r;
    rig_init(&r);
    const char *dir = rig_temp_dir(&r);
    static const char text[] =
        "{\"data\":[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}],\"table\":t,\"type\":"
        "\"INSERT\"}\n"
        "{\"data\":[{\"id\":3},{\"name\":\"d\"}],\"type\":\"INSERT\"}\n";
    const char *path = rig_file(&r, dir, "c.json", text, sizeof text - 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", path, "format", "canal-json",
                "canal-json.ignore-parse-errors", "true");
    CHECK_EQ_STR(read_columns(&r, "id INT, name STRING", NULL), "+I[3, null]\n+I[null, d]");
    rig_remove(dir);
    rig_deinit(&r);
}

/* ---- writing --------------------------------------------------------------------------------- */

static const char *
written(rig *r, const wr_format_ops *f, const char *const *kv)
{
    static const char *const rows[] = {"[1, \"a\", 1.50]", "[1, \"a\", 1.50]", "[1, null, null]",
                                       "[2, \"q\\\"\", 0]"};
    wr_encoder *e = NULL;
    wr_text t;
    wr_text_init(&t, r->arena);
    CHECK(rig_columns(r, "id INT, name STRING, price DECIMAL(10,2)"));
    rig_options(r, kv);
    wr_field fields[3];
    for (uint32_t i = 0; i < 3; i++)
        fields[i] = (wr_field){r->table.columns[i].name, r->table.columns[i].type, WR_STR("")};
    const wr_schema schema = {fields, 3};
    CHECK_OK(&r->ctx, f->encoder_open(&r->ctx, &r->table.options, &schema, &r->eval, r->arena, &e));
    wr_batch *b = rig_batch(r, rows, 4);
    uint8_t *kind = wr_batch_kinds(b, 4);
    kind[1] = WR_UPDATE_BEFORE;
    kind[2] = WR_UPDATE_AFTER;
    kind[3] = WR_DELETE;
    CHECK_OK(&r->ctx, f->encode(&r->ctx, e, b, &t));
    f->encoder_close(e);
    wr_batch_release(b);
    wr_text_putc(&t, '\0');
    return t.ptr;
}

TEST(rows_are_written_as_flink_writes_them)
{
    static const char *const none[] = {NULL};
    static const char *const lean[] = {"encode.ignore-null-fields", "true",
                                       "encode.decimal-as-plain-number", "true", NULL};
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(
        written(&r, &wr_format_debezium, none),
        "{\"before\":null,\"after\":{\"id\":1,\"name\":\"a\",\"price\":1.5},\"op\":\"c\"}\n"
        "{\"before\":{\"id\":1,\"name\":\"a\",\"price\":1.5},\"after\":null,\"op\":\"d\"}\n"
        "{\"before\":null,\"after\":{\"id\":1,\"name\":null,\"price\":null},\"op\":\"c\"}\n"
        "{\"before\":{\"id\":2,\"name\":\"q\\\"\",\"price\":0},\"after\":null,\"op\":\"d\"}"
        "\n");
    CHECK_EQ_STR(written(&r, &wr_format_debezium, lean),
                 "{\"after\":{\"id\":1,\"name\":\"a\",\"price\":1.50},\"op\":\"c\"}\n"
                 "{\"before\":{\"id\":1,\"name\":\"a\",\"price\":1.50},\"op\":\"d\"}\n"
                 "{\"after\":{\"id\":1},\"op\":\"c\"}\n"
                 "{\"before\":{\"id\":2,\"name\":\"q\\\"\",\"price\":0.00},\"op\":\"d\"}\n");
    CHECK_EQ_STR(written(&r, &wr_format_canal, none),
                 "{\"data\":[{\"id\":1,\"name\":\"a\",\"price\":1.5}],\"type\":\"INSERT\"}\n"
                 "{\"data\":[{\"id\":1,\"name\":\"a\",\"price\":1.5}],\"type\":\"DELETE\"}\n"
                 "{\"data\":[{\"id\":1,\"name\":null,\"price\":null}],\"type\":\"INSERT\"}\n"
                 "{\"data\":[{\"id\":2,\"name\":\"q\\\"\",\"price\":0}],\"type\":\"DELETE\"}\n");
    CHECK_EQ_STR(written(&r, &wr_format_maxwell, none),
                 "{\"data\":{\"id\":1,\"name\":\"a\",\"price\":1.5},\"type\":\"insert\"}\n"
                 "{\"data\":{\"id\":1,\"name\":\"a\",\"price\":1.5},\"type\":\"delete\"}\n"
                 "{\"data\":{\"id\":1,\"name\":null,\"price\":null},\"type\":\"insert\"}\n"
                 "{\"data\":{\"id\":2,\"name\":\"q\\\"\",\"price\":0},\"type\":\"delete\"}\n");
    CHECK_EQ_STR(
        written(&r, &wr_format_ogg, none),
        "{\"before\":null,\"after\":{\"id\":1,\"name\":\"a\",\"price\":1.5},\"op_type\":\"I\"}\n"
        "{\"before\":{\"id\":1,\"name\":\"a\",\"price\":1.5},\"after\":null,\"op_type\":\"D\"}\n"
        "{\"before\":null,\"after\":{\"id\":1,\"name\":null,\"price\":null},\"op_type\":\"I\"}\n"
        "{\"before\":{\"id\":2,\"name\":\"q\\\"\",\"price\":0},\"after\":null,\"op_type\":\"D\"}"
        "\n");
    rig_deinit(&r);
}

/* ---- faults ---------------------------------------------------------------------------------- */

TEST(running_out_of_memory_is_an_error)
{
    for (int64_t n = 1; n < 40; n++) {
        rig r;
        rig_init(&r);
        CHECK(rig_columns(&r, COLUMNS));
        RIG_OPTIONS(&r, "connector", "filesystem", "path", "tests/data/cdc/canal.json", "format",
                    "canal-json", "canal-json.database.include", "inventory|sales");
        r.fail_after = n;
        wr_status status = rig_read(&r, NULL);
        wr_mem_fail_after(0);
        CHECK(status == WR_OK || status == WR_NOMEM);
        rig_deinit(&r);
    }
}

CHECK_MAIN()
