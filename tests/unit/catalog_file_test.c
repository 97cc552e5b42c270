/* SPDX-License-Identifier: Apache-2.0 */
/* The catalog in files: descriptions survive the round trip, another instance sees changes, damage
 * is told and stays where it is, a failing call leaves the old object or the new one. */
#include "check.h"

#include "catalog/catalog.h"
#include "catalog/file_int.h"
#include "os/os.h"

static wr_arena *arena;

#define CHECK_SAME(a, b) CHECK(wr_str_eq((a), (b)))

static const char *
fresh_folder(void)
{
    static char path[WR_OS_PATH_MAX];
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (wr_os_temp_name(&ctx, NULL, "weir-catalog-", path, sizeof path) != WR_OK) return NULL;
    return path;
}

static void
remove_folder(const char *path)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK(wr_os_remove_tree(&ctx, path) == WR_OK);
}

static wr_catalog *
open_at(const char *path)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_option o = {.key = WR_STR("path"), .value = wr_str_c(path)};
    wr_options options = {.items = &o, .count = 1};
    wr_catalog *c = NULL;
    if (wri_file_ops.open(&ctx, WR_STR("cat"), &options, &c) != WR_OK)
        fprintf(stderr, "%s\n", ctx.err.message);
    return c;
}

static const wr_type *
deep_type(void)
{
    wr_field in[] = {{WR_STR("a\"b"), wr_type_of(WR_T_INT, false), WR_STR("co\\mment\n")},
                     {WR_STR(""), wr_type_string(true), WR_STR("")}};
    const wr_type *row = wr_type_row(arena, in, 2, true);
    const wr_type *map =
        wr_type_map(arena, wr_type_string(false), wr_type_decimal(arena, 38, 7, true), true);
    wr_field out[] = {
        {WR_STR("r"), row, WR_STR("")},
        {WR_STR("m"), wr_type_array(arena, map, false), WR_STR("")},
        {WR_STR("i"), wr_type_interval(arena, WR_UNIT_DAY, WR_UNIT_SECOND, 3, 2, true), WR_STR("")},
        {WR_STR("y"), wr_type_interval(arena, WR_UNIT_YEAR, WR_UNIT_MONTH, 4, 0, false),
         WR_STR("")},
        {WR_STR("t"), wr_type_time(arena, WR_T_TIMESTAMP_LTZ, 9, false), WR_STR("")},
        {WR_STR("c"), wr_type_char(arena, WR_T_CHAR, 3, false), WR_STR("")},
        {WR_STR("s"), wr_type_structured(arena, WR_STR("com.x.Y"), in, 2, true), WR_STR("")}};
    return wr_type_row(arena, out, WR_COUNT(out), false);
}

static wr_table_desc
sample(wr_str name)
{
    static wr_column columns[4];
    static wr_str key[] = {{"a", 1}}, parts[] = {{"b", 1}}, added[] = {{"b=1", 3}, {"b=x/y", 5}};
    static wr_option options[] = {{.key = {"connector", 9}, .value = {"x\ty'\"\\", 6}},
                                  {.key = {"", 0}, .value = {"", 0}}};
    columns[0] = (wr_column){.name = WR_STR("a"),
                             .type = wr_type_of(WR_T_INT, false),
                             .kind = WR_COL_PHYSICAL,
                             .metadata_key = WR_STR(""),
                             .expr = WR_STR(""),
                             .comment = WR_STR("")};
    columns[1] = columns[0];
    columns[1].name = WR_STR("b");
    columns[1].type = deep_type();
    columns[1].comment = (wr_str){NULL, 0};
    columns[2] = (wr_column){.name = WR_STR("ts"),
                             .type = wr_type_time(arena, WR_T_TIMESTAMP, 3, true),
                             .kind = WR_COL_METADATA,
                             .is_virtual = true,
                             .metadata_key = WR_STR("timestamp"),
                             .expr = WR_STR("")};
    columns[3] =
        (wr_column){.name = WR_STR("p"),
                    .type = wr_type_attr(arena, wr_type_time(arena, WR_T_TIMESTAMP_LTZ, 3, false),
                                         WR_ATTR_PROCTIME),
                    .kind = WR_COL_COMPUTED,
                    .metadata_key = WR_STR(""),
                    .expr = WR_STR("PROCTIME()")};
    return (wr_table_desc){.id = {WR_STR("cat"), WR_STR("default"), name},
                           .kind = WR_TABLE_BASE,
                           .columns = columns,
                           .column_count = 4,
                           .watermark_column = WR_STR("ts"),
                           .watermark_expr = WR_STR("`ts` - INTERVAL '5' SECOND"),
                           .primary_key = key,
                           .primary_key_count = 1,
                           .primary_key_name = WR_STR("PK_a"),
                           .partition_keys = parts,
                           .partition_key_count = 1,
                           .partitions = added,
                           .partition_count = 2,
                           .distribution_kind = WR_STR("HASH"),
                           .distribution_columns = key,
                           .distribution_column_count = 1,
                           .bucket_count = 4,
                           .options = {options, 2},
                           .has_comment = true,
                           .comment = WR_STR("line\nline\x01"),
                           .view_original = WR_STR(""),
                           .view_expanded = WR_STR("")};
}

/* The same text describes the same table. */
static wr_str
text_of(const wr_table_desc *t)
{
    wr_text text;
    wr_text_init(&text, arena);
    wri_file_encode(WRI_FILE_TABLE, t, &text);
    return wr_text_str(&text);
}

static const wr_table_desc *
get(wr_catalog *c, const char *db, const char *name)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    const wr_table_desc *t = NULL;
    if (wri_file_ops.get_table(&ctx, c, wr_str_c(db), wr_str_c(name), &t) != WR_OK)
        fprintf(stderr, "%s\n", ctx.err.message);
    return t;
}

TEST(types_survive_the_round_trip)
{
    wr_text text;
    wr_text_init(&text, arena);
    const wr_type *t = deep_type();
    bool no_memory = false;
    wr_type_encode(t, &text);
    const wr_type *back = wr_type_decode(arena, wr_text_str(&text), &no_memory);
    CHECK_FATAL(back != NULL);
    CHECK(wr_type_eq(t, back));
    CHECK_SAME(wr_type_str(back, WR_TYPE_SUMMARY, arena), wr_type_str(t, WR_TYPE_SUMMARY, arena));
    CHECK(wr_str_eq_c(back->fields[0].type->fields[0].comment, "co\\mment\n"));
    CHECK(wr_str_eq_c(back->fields[6].type->class_name, "com.x.Y"));
}

TEST(malformed_types_are_refused)
{
    static const char *const bad[] = {"",           "INT?",           "NOTYPE",
                                      "DECIMAL(1",  "ARRAY",          "ARRAY<INT",
                                      "ROW<INT>",   "MAP<INT>",       "INT!!",
                                      "DECIMAL(,)", "TIMESTAMP(3)@X", "VARCHAR",
                                      "INT<INT>",   "ROW<\"a INT>",   "INTERVAL_DT(0,0,0,0)"};
    bool no_memory = false;
    for (uint32_t i = 0; i < WR_COUNT(bad); i++)
        CHECK_MSG(!wr_type_decode(arena, wr_str_c(bad[i]), &no_memory), "%s", bad[i]);
    CHECK(!no_memory);
}

TEST(tables_outlive_the_catalog)
{
    const char *path = fresh_folder();
    wr_catalog *c = open_at(path);
    CHECK_FATAL(c != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_desc t = sample(WR_STR("t"));
    CHECK(wri_file_ops.create_table(&ctx, c, &t) == WR_OK);
    wri_file_ops.close(c);
    c = open_at(path);
    const wr_table_desc *back = get(c, "default", "t");
    CHECK_FATAL(back != NULL);
    CHECK_SAME(text_of(back), text_of(&t));
    CHECK(back->columns[0].comment.ptr != NULL && back->columns[1].comment.ptr == NULL);
    CHECK(back->columns[3].type->attr == WR_ATTR_PROCTIME);
    CHECK(wr_str_eq_c(back->id.catalog, "cat") && wr_str_eq_c(back->id.database, "default"));
    wri_file_ops.close(c);
    remove_folder(path);
}

TEST(any_name_is_a_name)
{
    const char *path = fresh_folder();
    wr_catalog *c = open_at(path);
    CHECK_FATAL(c != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    char longest[901];
    memset(longest, 'n', 900);
    longest[900] = '\0';
    const char *names[] = {"a b", "../x", ".", "x.table", "T", "t", "n\xc3\xa4me", "%41", longest};
    for (uint32_t i = 0; i < WR_COUNT(names); i++) {
        wr_table_desc t = sample(wr_str_c(names[i]));
        CHECK(wri_file_ops.create_table(&ctx, c, &t) == WR_OK);
    }
    wr_str *list = NULL;
    uint32_t n = 0;
    CHECK(wri_file_ops.list_tables(&ctx, c, WR_STR("default"), arena, &list, &n) == WR_OK);
    CHECK_EQ_UINT(n, WR_COUNT(names));
    for (uint32_t i = 0; i < WR_COUNT(names); i++) {
        bool listed = false;
        for (uint32_t k = 0; k < n; k++) listed = listed || wr_str_eq_c(list[k], names[i]);
        CHECK_MSG(listed, "%s", names[i]);
        CHECK_MSG(get(c, "default", names[i]) != NULL, "%s", names[i]);
    }
    wri_file_ops.close(c);
    remove_folder(path);
}

TEST(instances_see_each_other)
{
    const char *path = fresh_folder();
    wr_catalog *one = open_at(path), *two = open_at(path);
    CHECK_FATAL(one && two);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_desc t = sample(WR_STR("t"));
    CHECK(!get(two, "default", "t"));
    CHECK(wri_file_ops.create_table(&ctx, one, &t) == WR_OK);
    const wr_table_desc *seen = get(two, "default", "t");
    CHECK_FATAL(seen != NULL);
    CHECK(wri_file_ops.create_table(&ctx, two, &t) == WR_EXISTS);
    CHECK_EQ_STR(ctx.err.message, "Table (or view) default.t already exists in Catalog cat.");
    wr_ctx_reset(&ctx);
    t.comment = WR_STR("changed");
    CHECK(wri_file_ops.replace_table(&ctx, two, &t) == WR_OK);
    CHECK(wr_str_eq_c(get(one, "default", "t")->comment, "changed"));
    CHECK(wr_str_eq_c(seen->comment, "line\nline\x01")); /* until trim */
    CHECK(wri_file_ops.rename_table(&ctx, one, WR_STR("default"), WR_STR("t"), WR_STR("u")) ==
          WR_OK);
    CHECK(!get(two, "default", "t") && get(two, "default", "u"));
    wr_database_desc db = {.name = WR_STR("d"), .comment = WR_STR("c")};
    CHECK(wri_file_ops.create_database(&ctx, one, &db) == WR_OK);
    const wr_database_desc *d = NULL;
    CHECK(wri_file_ops.get_database(&ctx, two, WR_STR("d"), &d) == WR_OK && d);
    t.id.database = WR_STR("d");
    CHECK(wri_file_ops.create_table(&ctx, two, &t) == WR_OK);
    CHECK(wri_file_ops.drop_database(&ctx, one, WR_STR("d")) == WR_OK);
    CHECK(wri_file_ops.get_database(&ctx, two, WR_STR("d"), &d) == WR_OK && !d);
    CHECK(!get(two, "d", "t"));
    wri_file_ops.trim(one);
    wri_file_ops.close(one);
    wri_file_ops.close(two);
    remove_folder(path);
}

/* Every byte of the file is protected: one that changes is damage, and says which file. */
TEST(damage_is_told)
{
    wr_table_desc t = sample(WR_STR("t"));
    wr_str text = text_of(&t);
    char *copy = wr_arena_dup(arena, text.ptr, text.len);
    for (size_t i = 0; i < text.len; i++) {
        wr_arena_mark mark = wr_arena_get_mark(arena);
        wr_ctx ctx;
        void *desc = NULL;
        wr_ctx_init(&ctx);
        copy[i] ^= 0x04;
        wr_status status = wri_file_decode(&ctx, WRI_FILE_TABLE, (wr_str){copy, text.len},
                                           "x/t.table", arena, &desc);
        copy[i] ^= 0x04;
        CHECK_MSG(status == WR_CORRUPT && strstr(ctx.err.message, "x/t.table"), "byte %zu: %s", i,
                  ctx.err.message);
        wr_arena_pop(arena, mark);
    }
    for (size_t n = 0; n < text.len; n++) { /* cut off */
        wr_arena_mark mark = wr_arena_get_mark(arena);
        wr_ctx ctx;
        void *desc = NULL;
        wr_ctx_init(&ctx);
        CHECK(wri_file_decode(&ctx, WRI_FILE_TABLE, (wr_str){copy, n}, "x", arena, &desc) ==
              WR_CORRUPT);
        wr_arena_pop(arena, mark);
    }
}

TEST(a_later_version_is_refused)
{
    wr_ctx ctx;
    void *desc = NULL;
    wr_ctx_init(&ctx);
    CHECK(wri_file_decode(&ctx, WRI_FILE_TABLE, WR_STR("weir-catalog 2 table\n"), "f", arena,
                          &desc) == WR_CORRUPT);
    CHECK_EQ_STR(ctx.err.message, "the catalog file 'f' was written by another version of weir");
}

static void
overwrite(const char *path, wr_str content)
{
    wr_ctx ctx;
    wr_os_file f;
    wr_ctx_init(&ctx);
    CHECK_FATAL(wr_os_file_open(&ctx, path, WR_OS_WRITE, &f) == WR_OK);
    CHECK(wr_os_file_write(&ctx, &f, content.ptr, content.len) == WR_OK);
    wr_os_file_close(&f);
}

TEST(one_damaged_table_harms_no_other)
{
    const char *path = fresh_folder();
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_catalogs *cats = NULL;
    CHECK_FATAL(wr_catalog_register());
    CHECK_FATAL(wr_catalogs_create(&ctx, wr_str_c(path), &cats) == WR_OK);
    wr_table_desc bad = sample(WR_STR("bad")), good = sample(WR_STR("good"));
    bad.id.catalog = good.id.catalog = WR_STR("default_catalog");
    bad.id.database = good.id.database = WR_STR("default_database");
    CHECK(wr_catalogs_create_table(&ctx, cats, &bad, false) == WR_OK);
    CHECK(wr_catalogs_create_table(&ctx, cats, &good, false) == WR_OK);
    wr_str file = wr_arena_printf(arena, "%s/catalog/default_database.db/bad.table", path);
    overwrite(file.ptr, WR_STR("weir-catalog 1 table\nname \"bad\"\n"));
    const wr_table_desc *t = NULL;
    CHECK(wr_catalogs_find_table(&ctx, cats, &bad.id, &t) == WR_CORRUPT);
    CHECK(strstr(ctx.err.message, "bad.table") != NULL);
    wr_ctx_reset(&ctx);
    CHECK(wr_catalogs_find_table(&ctx, cats, &good.id, &t) == WR_OK && t);
    wr_str *names = NULL;
    uint32_t n = 0;
    CHECK(wr_catalogs_list_tables(&ctx, cats, good.id.catalog, good.id.database, WR_LIST_VIEWS,
                                  arena, &names, &n) == WR_OK);
    CHECK(wr_catalogs_drop_table(&ctx, cats, &bad.id, WR_TABLE_BASE, false, false) == WR_OK);
    CHECK(wr_catalogs_find_table(&ctx, cats, &bad.id, &t) == WR_OK && !t);
    wr_catalogs_destroy(cats);
    remove_folder(path);
}

/* The n-th call of the system fails, for every n: afterwards the table is the old or the new one.
 */
TEST(failing_io_leaves_old_or_new)
{
    const char *path = fresh_folder();
    wr_catalog *c = open_at(path);
    CHECK_FATAL(c != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_desc was = sample(WR_STR("t")), now = sample(WR_STR("t"));
    now.comment = WR_STR("now");
    wr_str old_text = text_of(&was), new_text = text_of(&now);
    CHECK(wri_file_ops.create_table(&ctx, c, &was) == WR_OK);
    for (int64_t n = 1; n < 40; n++) {
        wr_ctx failing;
        wr_ctx_init(&failing);
        wr_os_fail_after(n, n % 2 ? WR_OS_FAULT_ERROR : WR_OS_FAULT_TORN);
        wr_status status = wri_file_ops.replace_table(&failing, c, &now);
        bool hit = wr_os_fail_hit();
        wr_os_fail_after(0, WR_OS_FAULT_ERROR);
        const wr_table_desc *t = get(c, "default", "t");
        CHECK_FATAL(t != NULL);
        wr_str text = text_of(t);
        CHECK(wr_str_eq(text, old_text) || wr_str_eq(text, new_text));
        CHECK(status == WR_OK ? wr_str_eq(text, new_text) : hit);
        if (!hit) break;
        CHECK(wri_file_ops.replace_table(&ctx, c, &was) == WR_OK);
    }
    wri_file_ops.close(c);
    remove_folder(path);
}

TEST(failing_memory_leaves_old_or_new)
{
    const char *path = fresh_folder();
    wr_catalog *c = open_at(path);
    CHECK_FATAL(c != NULL);
    wr_table_desc was = sample(WR_STR("t")), now = sample(WR_STR("t"));
    now.comment = WR_STR("now");
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK(wri_file_ops.create_table(&ctx, c, &was) == WR_OK);
    for (int64_t n = 1; n < 200; n++) {
        wr_ctx failing;
        const wr_table_desc *t = NULL;
        wr_ctx_init(&failing);
        wr_mem_fail_after(n);
        wr_status status = wri_file_ops.replace_table(&failing, c, &now);
        if (status == WR_OK)
            status = wri_file_ops.get_table(&failing, c, WR_STR("default"), WR_STR("t"), &t);
        bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK(status == WR_OK || status == WR_NOMEM);
        CHECK(get(c, "default", "t") != NULL);
        if (!hit) break;
    }
    wri_file_ops.close(c);
    remove_folder(path);
}

int
main(int argc, char **argv)
{
    arena = wr_arena_create(NULL, 0);
    int rc = check_run(argc, argv);
    wr_arena_destroy(arena);
    return rc;
}
