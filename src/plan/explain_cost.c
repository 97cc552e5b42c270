/* SPDX-License-Identifier: Apache-2.0 */
/* Estimated costs as EXPLAIN ESTIMATED_COST shows them: rows, and what is computed, read and sent
 * on the way to a node, by Flink's weights. A source of unknown size counts as 1E8 rows. */
#include <math.h>

#include "plan/explain_int.h"
#include "types/number.h"

#define SEND_CPU          160.0 /* serialising a row */
#define HASH_CPU          8.0
#define SINGLE_CPU        1.0
#define COMPARE_CPU       40.0
#define JOIN_STEP_COST    200.0
#define EQUAL_JOIN_PASSES 0.15 /* of the rows of both sides */

typedef struct cost {
    double count; /* rows that come out */
    double rows, cpu, io, network, memory;
} cost;

static uint32_t
computations(const wr_pnode *n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->schema.count; i++) {
        const wr_expr *e = n->u.calc.exprs[i];
        while (e->kind == WR_EX_CAST) e = e->args[0];
        count += e->kind != WR_EX_COLUMN && e->kind != WR_EX_LITERAL;
    }
    return count;
}

static cost cost_of(const wr_pnode *n);

static cost
sum_of_inputs(const wr_pnode *n)
{
    cost sum = {0};
    for (uint32_t i = 0; i < n->input_count; i++) {
        const cost c = cost_of(wri_shown_node(n->inputs[i]));
        sum.count += c.count;
        sum.rows += c.rows;
        sum.cpu += c.cpu;
        sum.io += c.io;
        sum.network += c.network;
        sum.memory += c.memory;
    }
    return sum;
}

static void
add_exchange(const wr_pnode *n, cost *c)
{
    bool single = n->u.exchange.dist == WR_DIST_SINGLE;
    c->rows += c->count;
    c->cpu += c->count * (SEND_CPU + (single ? SINGLE_CPU : HASH_CPU));
    c->network += c->count * wri_row_width(&n->schema);
}

static void
add_limit(const wr_pnode *n, cost *c)
{
    bool sorts = n->kind == WR_P_SORT_LIMIT;
    int64_t fetch = sorts ? n->u.sort.fetch : n->u.limit.fetch;
    double in = c->count, out = fetch >= 0 ? (double)fetch : in;
    c->count = out < in ? out : in;
    c->rows += c->count;
    c->cpu += sorts ? in * COMPARE_CPU * log(out > 1 ? out : 2) : out * COMPARE_CPU;
}

static void
add_join(const wr_pnode *n, cost *c)
{
    double l = cost_of(wri_shown_node(n->inputs[0])).count;
    double r = cost_of(wri_shown_node(n->inputs[1])).count;
    c->count =
        n->u.join.key_count ? (l + r) * EQUAL_JOIN_PASSES : l * r * wri_passes(n->u.join.cond);
    if (n->u.join.type == WR_JOIN_SEMI || n->u.join.type == WR_JOIN_ANTI) c->count = l / 2;
    if (n->u.join.type == WR_JOIN_LEFT && c->count < l) c->count = l;
    if (n->u.join.type == WR_JOIN_RIGHT && c->count < r) c->count = r;
    if (n->u.join.type == WR_JOIN_FULL && c->count < l + r) c->count = l + r;
    c->rows += JOIN_STEP_COST;
    c->cpu += JOIN_STEP_COST;
}

static cost
cost_of(const wr_pnode *n)
{
    cost c = sum_of_inputs(n);
    double in = c.count;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        c.count = n->row_count >= 0 && n->bounded && n->u.scan.info.can_limit ? (double)n->row_count
                                                                              : WRI_UNKNOWN_ROWS;
        c.rows = c.cpu = c.count;
        c.io = c.count * wri_row_width(&n->schema);
        break;
    case WR_P_VALUES:
        c.count = c.rows = n->u.values.row_count;
        c.cpu = 1;
        break;
    case WR_P_CALC:
        c.count = in * wri_passes(n->u.calc.cond);
        c.rows += c.count;
        c.cpu += in * computations(n);
        break;
    case WR_P_EXCHANGE:
        add_exchange(n, &c);
        break;
    case WR_P_LIMIT:
    case WR_P_SORT_LIMIT:
        add_limit(n, &c);
        break;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        c.count = n->u.agg.key_count ? in : 1;
        c.rows += c.count;
        c.cpu += n->kind == WR_P_GROUP_AGG ? in : in * n->u.agg.agg_count;
        break;
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_INTERVAL_JOIN:
        add_join(n, &c);
        break;
    case WR_P_SORT:
        c.rows += in;
        c.cpu += in * COMPARE_CPU * log(in > 2 ? in : 2);
        break;
    case WR_P_EXPAND:
        c.count = in * n->u.expand.set_count;
        c.rows += c.count;
        c.cpu += c.count;
        break;
    case WR_P_UNION:
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_CORRELATE:
    case WR_P_OVER_AGG:
    case WR_P_RANK:
    case WR_P_DEDUPLICATE:
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_AGG:
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_TEMPORAL_JOIN:
    case WR_P_MULTI_JOIN:
    case WR_P_LOOKUP_JOIN:
    case WR_P_MATCH:
    case WR_P_CHANGELOG:
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SINK_MATERIALIZE:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        c.rows += in;
        c.cpu += in;
        break;
    }
    return c;
}

static void
put_number(wr_text *out, const char *before, double v, const char *after)
{
    char text[WR_F64_TEXT_MAX];
    uint32_t len = wr_f64_print(v, text);
    wr_text_printf(out, "%s%.*s%s", before, (int)len, text, after);
}

void
wri_put_cost(const wr_pnode *n, wr_text *out)
{
    const cost c = cost_of(n);
    put_number(out, ": rowcount = ", c.count, ", cumulative cost = {");
    put_number(out, "", c.rows, " rows, ");
    put_number(out, "", c.cpu, " cpu, ");
    put_number(out, "", c.io, " io, ");
    put_number(out, "", c.network, " network, ");
    put_number(out, "", c.memory, " memory}");
}
