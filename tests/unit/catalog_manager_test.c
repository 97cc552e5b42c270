/* SPDX-License-Identifier: Apache-2.0 */
/* The session's catalogs: names, temporary before permanent objects, Flink's texts, what lives how
 * long, failing memory. */
#include "check.h"

#include "catalog/catalog.h"

static wr_arena *arena;

static wr_catalogs *
fresh(void)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_catalogs *cats = NULL;
    if (!wr_catalog_register() || wr_catalogs_create(&ctx, WR_STR(""), &cats) != WR_OK) return NULL;
    return cats;
}

static wr_table_id
id_of(wr_catalogs *cats, const char *name)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_str part = wr_str_c(name);
    wr_table_id id = {0};
    CHECK(wr_catalogs_qualify(&ctx, cats, &part, 1, WR_NO_SPAN, &id) == WR_OK);
    return id;
}

static wr_table_desc
table(wr_catalogs *cats, const char *name, bool temporary, wr_table_kind kind)
{
    static wr_column column;
    column = (wr_column){.name = WR_STR("a"), .type = wr_type_of(WR_T_INT, true)};
    return (wr_table_desc){.id = id_of(cats, name),
                           .kind = (uint8_t)kind,
                           .temporary = temporary,
                           .columns = &column,
                           .column_count = 1,
                           .bucket_count = -1,
                           .comment = temporary ? WR_STR("temporary") : WR_STR("permanent")};
}

static const wr_table_desc *
find(wr_catalogs *cats, const char *name)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_id id = id_of(cats, name);
    const wr_table_desc *t = NULL;
    CHECK(wr_catalogs_find_table(&ctx, cats, &id, &t) == WR_OK);
    return t;
}

#define CHECK_ERR(ctx, call, want_status, want_text)                                               \
    do {                                                                                           \
        wr_ctx_reset(&(ctx));                                                                      \
        CHECK_EQ_INT((call), (want_status));                                                       \
        CHECK_EQ_STR((ctx).err.message, (want_text));                                              \
        wr_ctx_reset(&(ctx));                                                                      \
    } while (0)

TEST(names_have_one_to_three_parts)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_str parts[] = {WR_STR("x"), WR_STR("y"), WR_STR("z"), WR_STR("w")};
    wr_table_id id;
    CHECK_OK(&ctx, wr_catalogs_qualify(&ctx, cats, parts, 1, WR_NO_SPAN, &id));
    CHECK_EQ_WRSTR(id.catalog, "default_catalog");
    CHECK_EQ_WRSTR(id.database, "default_database");
    CHECK_EQ_WRSTR(id.name, "x");
    CHECK_OK(&ctx, wr_catalogs_qualify(&ctx, cats, parts, 2, WR_NO_SPAN, &id));
    CHECK_EQ_WRSTR(id.database, "x");
    CHECK_OK(&ctx, wr_catalogs_qualify(&ctx, cats, parts, 3, WR_NO_SPAN, &id));
    CHECK_EQ_WRSTR(id.catalog, "x");
    CHECK_ERR(ctx, wr_catalogs_qualify(&ctx, cats, parts, 4, WR_NO_SPAN, &id), WR_NAME,
              "Object identifier must consist of 1 to 3 parts.");
    wr_catalogs_destroy(cats);
}

TEST(a_temporary_table_hides_a_permanent_one)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_desc p = table(cats, "t", false, WR_TABLE_BASE);
    wr_table_desc t = table(cats, "t", true, WR_TABLE_BASE);
    CHECK_OK(&ctx, wr_catalogs_create_table(&ctx, cats, &p, false));
    CHECK_ERR(ctx, wr_catalogs_create_table(&ctx, cats, &p, false), WR_EXISTS,
              "Table (or view) default_database.t already exists in Catalog default_catalog.");
    CHECK_OK(&ctx, wr_catalogs_create_table(&ctx, cats, &p, true));
    CHECK_OK(&ctx, wr_catalogs_create_table(&ctx, cats, &t, false));
    CHECK_ERR(ctx, wr_catalogs_create_table(&ctx, cats, &t, false), WR_EXISTS,
              "Temporary table '`default_catalog`.`default_database`.`t`' already exists");
    CHECK(find(cats, "t") && find(cats, "t")->temporary);
    CHECK_ERR(ctx, wr_catalogs_drop_table(&ctx, cats, &p.id, WR_TABLE_BASE, false, true),
              WR_SEMANTIC,
              "Temporary table with identifier '`default_catalog`.`default_database`.`t`' exists. "
              "Drop it first before removing the permanent table.");
    CHECK_ERR(ctx, wr_catalogs_drop_table(&ctx, cats, &t.id, WR_TABLE_VIEW, true, false), WR_NAME,
              "Temporary table or view with identifier 'default_catalog.default_database.t' does "
              "not exist.");
    CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &t.id, WR_TABLE_BASE, true, false));
    CHECK(find(cats, "t") && !find(cats, "t")->temporary);
    CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &p.id, WR_TABLE_BASE, false, false));
    CHECK(!find(cats, "t"));
    CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &p.id, WR_TABLE_BASE, false, true));
    wr_catalogs_destroy(cats);
}

TEST(near_names_are_candidates)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_desc t = table(cats, "orders", false, WR_TABLE_BASE);
    CHECK_OK(&ctx, wr_catalogs_create_table(&ctx, cats, &t, false));
    wr_table_id id = id_of(cats, "order");
    CHECK(wr_catalogs_drop_table(&ctx, cats, &id, WR_TABLE_BASE, false, false) == WR_NAME);
    CHECK_EQ_STR(ctx.err.candidates, "orders");
    wr_ctx_reset(&ctx);
    CHECK(wr_catalogs_use_catalog(&ctx, cats, WR_STR("default_catalo")) == WR_NAME);
    CHECK_EQ_STR(ctx.err.candidates, "default_catalog");
    wr_catalogs_destroy(cats);
}

TEST(descriptions_live_until_trim)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_table_desc t = table(cats, "t", false, WR_TABLE_BASE);
    CHECK_OK(&ctx, wr_catalogs_create_table(&ctx, cats, &t, false));
    const wr_table_desc *old = find(cats, "t");
    t.comment = WR_STR("new");
    CHECK_OK(&ctx, wr_catalogs_replace_table(&ctx, cats, &t));
    CHECK_EQ_WRSTR(old->comment, "permanent");
    const wr_table_desc *now = find(cats, "t");
    CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &t.id, WR_TABLE_BASE, false, false));
    CHECK_EQ_WRSTR(now->comment, "new");
    wr_catalogs_trim(cats);
    CHECK(!find(cats, "t"));
    wr_catalogs_destroy(cats);
}

TEST(a_full_database_is_not_dropped)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_str cat = WR_STR("default_catalog"), d = WR_STR("d");
    wr_database_desc db = {.name = d};
    CHECK_OK(&ctx, wr_catalogs_create_database(&ctx, cats, cat, &db, false));
    CHECK_ERR(ctx, wr_catalogs_create_database(&ctx, cats, cat, &db, false), WR_EXISTS,
              "Database d already exists in Catalog default_catalog.");
    wr_table_desc t = table(cats, "t", false, WR_TABLE_BASE);
    t.id.database = d;
    CHECK_OK(&ctx, wr_catalogs_create_table(&ctx, cats, &t, false));
    CHECK_ERR(ctx, wr_catalogs_drop_database(&ctx, cats, cat, d, false, false), WR_SEMANTIC,
              "Database d in catalog default_catalog is not empty.");
    CHECK_OK(&ctx, wr_catalogs_use_database(&ctx, cats, WR_STR(""), d));
    CHECK_EQ_WRSTR(wr_catalogs_current_database(cats), "d");
    CHECK_ERR(ctx, wr_catalogs_drop_database(&ctx, cats, cat, d, false, true), WR_SEMANTIC,
              "Cannot drop a database which is currently in use.");
    CHECK_OK(&ctx, wr_catalogs_use_catalog(&ctx, cats, cat));
    CHECK_OK(&ctx, wr_catalogs_drop_database(&ctx, cats, cat, d, false, true));
    CHECK_ERR(ctx, wr_catalogs_drop_database(&ctx, cats, cat, d, false, true), WR_NAME,
              "Database d does not exist in Catalog default_catalog.");
    wr_catalogs_destroy(cats);
}

TEST(catalogs_come_and_go)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_option items[] = {{.key = WR_STR("type"), .value = WR_STR("generic_in_memory")},
                         {.key = WR_STR("foo"), .value = WR_STR("bar")}};
    wr_options bad = {items, 2}, good = {items, 1};
    wr_str c = WR_STR("c"), none = {NULL, 0};
    CHECK_ERR(
        ctx, wr_catalogs_create_catalog(&ctx, cats, c, &bad, none, false), WR_OPTION,
        "Unsupported options found for 'generic_in_memory'.\n\nUnsupported options:\n\nfoo\n\n"
        "Supported options:\n\ndefault-database\nproperty-version");
    CHECK_OK(&ctx, wr_catalogs_create_catalog(&ctx, cats, c, &good, WR_STR("hello"), false));
    CHECK_ERR(ctx, wr_catalogs_create_catalog(&ctx, cats, c, &good, none, false), WR_EXISTS,
              "Catalog c already exists.");
    wr_catalog_info info;
    CHECK_OK(&ctx, wr_catalogs_get_info(&ctx, cats, c, &info));
    CHECK_EQ_WRSTR(info.comment, "hello");
    CHECK_ERR(ctx, wr_catalogs_get_info(&ctx, cats, WR_STR("default_catalog"), &info), WR_NAME,
              "Cannot obtain metadata information from Catalog default_catalog.");
    CHECK_OK(&ctx, wr_catalogs_use_catalog(&ctx, cats, c));
    CHECK_EQ_WRSTR(wr_catalogs_current_database(cats), "default");
    CHECK_ERR(ctx, wr_catalogs_drop_catalog(&ctx, cats, c, false), WR_SEMANTIC,
              "Cannot drop a catalog which is currently in use.");
    CHECK_OK(&ctx, wr_catalogs_use_catalog(&ctx, cats, WR_STR("default_catalog")));
    CHECK_OK(&ctx, wr_catalogs_drop_catalog(&ctx, cats, c, false));
    CHECK_ERR(ctx, wr_catalogs_drop_catalog(&ctx, cats, c, false), WR_NAME,
              "Catalog c does not exist.");
    wr_catalogs_destroy(cats);
}

TEST(functions_are_found_in_order)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_function_id id = {WR_STR("default_catalog"), WR_STR("default_database"), WR_STR("MyFn")};
    wr_function_desc p = {.name = id.name, .class_name = WR_STR("p"), .language = WR_STR("JAVA")};
    wr_function_desc t = p, s = p;
    t.temporary = s.temporary = s.system = true;
    t.class_name = WR_STR("t");
    s.class_name = WR_STR("s");
    const wr_function_desc *f = NULL;
    wr_function_id other = id;
    other.name = WR_STR("MYFN");
    CHECK_OK(&ctx, wr_catalogs_create_function(&ctx, cats, &id, &p, false));
    CHECK_OK(&ctx, wr_catalogs_find_function(&ctx, cats, &other, &f));
    CHECK(f && wr_str_eq_c(f->class_name, "p"));
    CHECK_OK(&ctx, wr_catalogs_create_function(&ctx, cats, &id, &t, false));
    CHECK_OK(&ctx, wr_catalogs_find_function(&ctx, cats, &other, &f));
    CHECK(f && wr_str_eq_c(f->class_name, "t"));
    CHECK_OK(&ctx, wr_catalogs_create_function(&ctx, cats, &id, &s, false));
    CHECK_OK(&ctx, wr_catalogs_find_function(&ctx, cats, &other, &f));
    CHECK(f && wr_str_eq_c(f->class_name, "s"));
    wr_str *names = NULL;
    uint32_t n = 0;
    CHECK_OK(&ctx,
             wr_catalogs_list_functions(&ctx, cats, id.catalog, id.database, arena, &names, &n));
    CHECK_EQ_UINT(n, 2); /* the system function beside the others, as Flink lists it */
    CHECK_OK(&ctx, wr_catalogs_drop_function(&ctx, cats, &id, true, true, false));
    CHECK_OK(&ctx, wr_catalogs_drop_function(&ctx, cats, &id, true, false, false));
    CHECK_OK(&ctx, wr_catalogs_drop_function(&ctx, cats, &id, false, false, false));
    CHECK_OK(&ctx, wr_catalogs_find_function(&ctx, cats, &id, &f));
    CHECK(!f);
    wr_catalogs_destroy(cats);
}

TEST(like_matches_as_sql_does)
{
    static const struct {
        const char *pattern, *name;
        bool ignore_case, want;
    } cases[] = {{"", "", false, true},
                 {"", "a", false, false},
                 {"%", "", false, true},
                 {"%", "abc", false, true},
                 {"a%", "abc", false, true},
                 {"%c", "abc", false, true},
                 {"%b%", "abc", false, true},
                 {"a_c", "abc", false, true},
                 {"a_c", "ac", false, false},
                 {"A%", "abc", false, false},
                 {"A%", "abc", true, true},
                 {"a\\_c", "abc", false, false},
                 {"a\\_c", "a_c", false, true},
                 {"100\\%", "100%", false, true},
                 {"%a%b%a", "xaybza", false, true},
                 {"%a%b%a", "xayza", false, false},
                 {"_", "\xc3\xa4", false, true},
                 {"__", "\xc3\xa4", false, false},
                 {"%_", "", false, false},
                 {"a%%b", "ab", false, true}};
    for (uint32_t i = 0; i < WR_COUNT(cases); i++)
        CHECK_MSG(wr_like_match(wr_str_c(cases[i].pattern), wr_str_c(cases[i].name),
                                cases[i].ignore_case) == cases[i].want,
                  "'%s' like '%s'", cases[i].name, cases[i].pattern);
}

/* Whatever allocation fails, the catalogs stay whole. */
TEST(failing_memory_is_clean)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_table_desc t = table(cats, "t", false, WR_TABLE_BASE);
    wr_table_desc tmp = table(cats, "u", true, WR_TABLE_BASE);
    for (int64_t n = 1; n < 400; n++) {
        wr_ctx ctx;
        wr_ctx_init(&ctx);
        wr_database_desc db = {.name = WR_STR("d")};
        wr_str cat = WR_STR("default_catalog");
        wr_mem_fail_after(n);
        wr_status status = wr_catalogs_create_table(&ctx, cats, &t, false);
        if (status == WR_OK) status = wr_catalogs_create_table(&ctx, cats, &tmp, false);
        if (status == WR_OK) status = wr_catalogs_replace_table(&ctx, cats, &t);
        if (status == WR_OK) status = wr_catalogs_rename_table(&ctx, cats, &t.id, WR_STR("v"));
        if (status == WR_OK) status = wr_catalogs_create_database(&ctx, cats, cat, &db, false);
        if (status == WR_OK) status = wr_catalogs_use_database(&ctx, cats, cat, db.name);
        if (status == WR_OK) status = wr_catalogs_use_catalog(&ctx, cats, cat);
        bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK_MSG(status == (hit ? WR_NOMEM : WR_OK), "n %d status %d %s", (int)n, (int)status,
                  ctx.err.message);
        wr_ctx_reset(&ctx);
        CHECK_OK(&ctx, wr_catalogs_use_catalog(&ctx, cats, cat));
        wr_table_id v = id_of(cats, "v");
        CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &t.id, WR_TABLE_BASE, false, true));
        CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &v, WR_TABLE_BASE, false, true));
        CHECK_OK(&ctx, wr_catalogs_drop_table(&ctx, cats, &tmp.id, WR_TABLE_BASE, true, true));
        CHECK_OK(&ctx, wr_catalogs_drop_database(&ctx, cats, cat, db.name, true, true));
        if (!hit) break;
    }
    wr_catalogs_destroy(cats);
}

int
main(int argc, char **argv)
{
    arena = wr_arena_create(NULL, 0);
    int rc = check_run(argc, argv);
    wr_arena_destroy(arena);
    return rc;
}
