/* SPDX-License-Identifier: Apache-2.0 */
/* What a source is told about the fields of its ROW columns that are read. */
#include "unit/plan_fixture.h"

/* Fields of `r` that the scan of the query has to read: "b", "a b", "all"; columns without r: "no
 * r". */
static const char *
read_fields(session *s, const char *sql)
{
    wr_rel *rel = session_plan(s, sql);
    wr_plan *plan = NULL;
    if (!rel || wr_plan_make(&s->ctx, &s->env, &rel, 1, &plan) != WR_OK) return s->ctx.err.message;
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind != WR_P_SCAN) continue;
        const wr_source_spec *spec = &n->u.scan.spec;
        for (uint32_t c = 0; c < spec->columns.count; c++) {
            const wr_type *t = spec->columns.fields[c].type;
            if (t->phys != WR_PHYS_ROW) continue;
            if (!spec->fields || !spec->fields[c]) return "all";
            wr_text out;
            wr_text_init(&out, s->arena);
            for (uint32_t f = 0; f < t->field_count; f++)
                if (wr_bit_get(spec->fields[c], f))
                    wr_text_printf(&out, "%s%.*s", out.len ? " " : "",
                                   WR_STR_ARG(t->fields[f].name));
            wr_text_putc(&out, '\0');
            return out.ptr;
        }
        return "no r";
    }
    return "no scan";
}

TEST(fields_that_are_read)
{
    session s;
    session_open(&s);
    session_ddl(&s,
                "CREATE TABLE t (id INT, r ROW<a INT, b INT, c ROW<x INT, y INT>>, ts AS "
                "TO_TIMESTAMP_LTZ(r.a, 3), WATERMARK FOR ts AS ts) WITH ('connector' = 'fake')");
    session_ddl(&s, "CREATE TABLE u (id INT, r ROW<a INT, b INT, c ROW<x INT, y INT>>) WITH "
                    "('connector' = 'fake', 'pushdown' = 'true')");
    static const struct {
        const char *sql, *fields;
    } cases[] = {
        {"SELECT r.b FROM u", "b"},
        {"SELECT id FROM u WHERE r.b > 1 AND r.a < 3", "a b"},
        {"SELECT u.r.c.x FROM u", "c"},
        {"SELECT r FROM u", "all"},
        {"SELECT r.b, r FROM u", "all"},
        {"SELECT id FROM u WHERE r IS NOT NULL", "all"},
        {"SELECT q.b FROM (SELECT id, r AS q FROM u WHERE id > 0) WHERE q.a = 1", "a b"},
        {"SELECT id FROM u", "no r"},
        {"SELECT COUNT(r.b), SUM(r.a) FROM u", "a b"},
        {"SELECT COUNT(*) FROM (SELECT DISTINCT r FROM u)", "all"},
        {"SELECT x.r.b FROM u x JOIN u y ON x.id = y.id", "all"}, /* the row goes through a join */
        {"SELECT r.b FROM t", "a b"},                             /* a: the watermark's */
    };
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        const char *got = read_fields(&s, cases[i].sql);
        CHECK_MSG(strcmp(got, cases[i].fields) == 0, "%s: %s, expected %s", cases[i].sql, got,
                  cases[i].fields);
    }
    session_close(&s);
}

CHECK_MAIN()
