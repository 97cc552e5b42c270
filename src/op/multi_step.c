/* SPDX-License-Identifier: Apache-2.0 */
/* The multi-way join: one level further. Tuples of the level before meet the records of this input
 * that have their key, or, at the level of the input batch, their input row; the condition is
 * tested on all candidates at once.
 *
 * A left join's level keeps what meets nothing. At the input batch's own level that turns around: a
 * row that comes as the first match of a tuple takes its padding away before (-D), one that goes as
 * the last brings it back after (+I). */
#include "op/multi_join_int.h"

#define WANTED (2u * WR_BATCH_ROWS) /* candidates */

typedef struct group { /* the records of one key */
    uint32_t slot, first, end;
    uint64_t rows; /* repeated ones too */
} group;

typedef struct step {
    wr_ctx *ctx;
    wri_multi_op *m;
    wri_multi_level *l;
    const wri_multi_level *before; /* NULL: rows of the stretch */
    uint32_t d, from, to;          /* tuples of `before`, or rows, that go on */
    /* records */
    WR_LIST(wri_join_pair) pairs;
    WR_LIST(group) groups;
    uint32_t *cells, mask;  /* slot -> group + 1 */
    uint32_t *group_of;     /* per from..to; WRI_NO_ROW: meets nothing */
    uint32_t *key, *prefix; /* per from..to, when company is counted by prefix: where */
    wr_batch *found;
    /* candidates */
    uint32_t *parent, *at, n;
    bool *passes;
    /* tuples being made */
    uint32_t *src, *own, made;
    uint8_t *kind;
} step;

static uint32_t
row_of(const step *s, uint32_t t)
{
    return s->before ? s->before->row[t] : t;
}

static wr_kind
kind_of(const step *s, uint32_t t)
{
    return s->before ? (wr_kind)s->before->kind[t]
                     : wr_batch_kind(s->m->in, wr_batch_row(s->m->in, t));
}

/* May an input row make anything? Not where an inner join's input has no row of its key. */
static bool
may_begin(const wri_multi_op *m, uint32_t row)
{
    if (m->dead[row] && m->from > 0) return false;
    for (uint32_t e = 0; e < m->count; e++)
        if (e != m->from && !m->levels[e].left &&
            (m->dead[row] || wri_multi_rows_of(m, m->slots[row], e)->size == 0))
            return false;
    return true;
}

/* May tuple t meet anything at this level? */
static bool
may_meet(const step *s, uint32_t t)
{
    if (s->d == 0) return may_begin(s->m, t);
    if (s->m->dead[row_of(s, t)]) return false;
    for (uint32_t i = 0; i < s->l->spec->need_count; i++)
        if (s->before->of[s->l->spec->needs[i]][t] == WRI_NO_ROW) return false;
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */
static wr_status
add_records(step *s, group *g, uint32_t row)
{
    const wri_join_side *side = &s->l->side;
    const wr_state_ops *ops = side->rows->ops;
    wr_state_iter it;
    g->first = g->end = s->pairs.count;
    if (wri_multi_rows_of(s->m, g->slot, s->d)->size == 0) return WR_OK;
    for (bool ok = ops->map_first(side->rows, g->slot, &it); ok; ok = ops->map_next(&it)) {
        wri_join_record *rec = (wri_join_record *)(void *)it.rec;
        if (rec->copies == 0) continue; /* new with this batch */
        wri_join_pair p = {.row = row,
                           .rec = rec,
                           .copies = rec->copies,
                           .order = rec->order,
                           .seq = rec->matches};
        p.bytes = side->has_unique ? ops->blob_get(side->rows, &rec->row) : it.key;
        p.len = side->has_unique ? rec->row.len : it.key_len;
        g->rows += rec->copies;
        if (!wr_list_push(s->l->arena, &s->pairs, p)) return WRI_NOMEM(s->ctx);
    }
    g->end = s->pairs.count;
    return WR_OK;
}

/* The group of an input row's key. */
static wr_status
find_group(step *s, uint32_t row, uint32_t *out)
{
    const uint32_t slot = s->m->slots[row];
    uint32_t cell = (uint32_t)(slot * 0x9e3779b1u) & s->mask;
    for (; s->cells[cell]; cell = (cell + 1) & s->mask)
        if (s->groups.items[s->cells[cell] - 1].slot == slot) {
            *out = s->cells[cell] - 1;
            return WR_OK;
        }
    group g = {.slot = slot};
    WR_TRY(add_records(s, &g, row));
    *out = s->groups.count;
    if (!wr_list_push(s->l->arena, &s->groups, g)) return WRI_NOMEM(s->ctx);
    s->cells[cell] = s->groups.count;
    return WR_OK;
}

/* Where the company of tuple t, a prefix, is counted; *fresh: it has not been yet. Tuples come in
 * order, so those of a row number its prefixes. */
static wr_status
find_company(step *s, uint32_t t, bool *fresh)
{
    wri_multi_op *m = s->m;
    const uint32_t row = row_of(s, t), slot = m->slots[row];
    uint32_t cell = (uint32_t)(slot * 0x9e3779b1u) & m->cells_mask;
    while (m->cells[cell] && m->company_of.items[m->cells[cell] - 1].slot != slot)
        cell = (cell + 1) & m->cells_mask;
    if (!m->cells[cell]) {
        const wri_multi_company none = {.slot = slot};
        if (!wr_list_push(m->stretch, &m->company_of, none)) return WRI_NOMEM(s->ctx);
        m->cells[cell] = m->company_of.count;
    }
    wri_multi_company *c = &m->company_of.items[m->cells[cell] - 1];
    if (row != m->at_row) m->prefix = 0;
    m->at_row = row;
    *fresh = m->prefix == c->count;
    if (c->count == c->cap) {
        const uint32_t cap = c->cap ? c->cap * 4 : 4;
        uint32_t *more = wr_arena_alloc(m->stretch, sizeof *more * cap);
        WR_TRY_ALLOC(s->ctx, more);
        if (c->count) memcpy(more, c->rows, sizeof *more * c->count);
        c->rows = more;
        c->cap = cap;
    }
    if (*fresh) c->rows[c->count++] = 0;
    s->key[t - s->from] = m->cells[cell] - 1;
    s->prefix[t - s->from] = m->prefix++;
    return WR_OK;
}

/* The records that tuples from s->from on meet, until there are enough candidates: sets s->to. */
static wr_status
find_records(step *s, uint32_t end)
{
    end = WR_MIN(end, s->from + WANTED);
    uint32_t cap = 16, last = WRI_NO_ROW, g = 0;
    while (cap < 2 * (end - s->from)) cap *= 2;
    s->mask = cap - 1;
    s->cells = wr_arena_zalloc(s->l->arena, sizeof *s->cells * cap);
    s->group_of = wr_arena_alloc(s->l->arena, sizeof *s->group_of * (end - s->from + 1));
    if (!s->cells || !s->group_of) return WRI_NOMEM(s->ctx);
    uint64_t candidates = 0;
    for (s->to = s->from; s->to < end && candidates < WANTED; s->to++) {
        s->group_of[s->to - s->from] = WRI_NO_ROW;
        bool wanted = may_meet(s, s->to), fresh = true;
        if (s->key) WR_TRY(find_company(s, s->to, &fresh));
        if (!wanted || !fresh) continue;
        const uint32_t row = row_of(s, s->to);
        if (row != last) WR_TRY(find_group(s, row, &g));
        last = row;
        s->group_of[s->to - s->from] = g;
        candidates += s->groups.items[g].rows;
    }
    if (candidates > UINT32_MAX / 16)
        return wr_raise(s->ctx, WR_LIMIT, "a row of the join has more than %u matches at once",
                        UINT32_MAX / 16);
    s->n = (uint32_t)candidates;
    return WR_OK;
}

static wr_status
decode_records(step *s)
{
    const wri_join_side *side = &s->l->side;
    const wri_join_lists lists = {
        .op = &s->m->op,
        .side = side,
        .pairs = s->pairs.items,
        .count = s->pairs.count,
        .keeps = s->l->spec->ttl_ms <= 0,
        .slots = s->m->slots,
        .keys = s->m->keys,
        .table_at =
            sizeof(wri_multi_key) + sizeof(wri_multi_rows) * s->d + offsetof(wri_multi_rows, table),
        .arena = s->l->arena,
    };
    if (side->ordered) WR_TRY(wri_join_order(s->ctx, &lists));
    wr_batch *b = s->found = wr_batch_acquire(s->m->op.env->pool, side->schema->count);
    WR_TRY_ALLOC(s->ctx, b);
    if (!wr_batch_init_flat(b, side->schema, s->pairs.count)) return WRI_NOMEM(s->ctx);
    for (uint32_t i = 0; i < s->pairs.count; i++)
        WR_TRY(wr_row_decode(s->ctx, s->pairs.items[i].bytes, s->pairs.items[i].len, b->cols,
                             side->schema->count, i, true, b->arena));
    b->row_count = s->pairs.count;
    return WR_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */
static wr_status
make_candidates(step *s, uint32_t n)
{
    s->parent = wr_arena_alloc(s->l->arena, sizeof *s->parent * (n + 1));
    s->at = wr_arena_alloc(s->l->arena, sizeof *s->at * (n + 1));
    s->passes = wr_arena_alloc(s->l->arena, sizeof *s->passes * (n + 1));
    if (!s->parent || !s->at || !s->passes) return WRI_NOMEM(s->ctx);
    for (uint32_t i = 0; i < n; i++) s->passes[i] = true;
    return WR_OK;
}

static wr_status
pair_up(step *s)
{
    WR_TRY(make_candidates(s, s->n));
    uint32_t k = 0;
    for (uint32_t t = s->from; t < s->to; t++) {
        const uint32_t at = s->group_of[t - s->from];
        if (at == WRI_NO_ROW) continue;
        for (uint32_t p = s->groups.items[at].first; p < s->groups.items[at].end; p++)
            for (uint32_t c = 0; c < s->pairs.items[p].copies; c++) {
                s->parent[k] = t;
                s->at[k++] = p;
            }
    }
    WR_ASSERT(k == s->n);
    return WR_OK;
}

static wr_status
test_some(step *s, const wr_batch *own, uint32_t from, uint32_t n, wr_batch *b)
{
    uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * (n + 1)), count;
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1));
    if (!rows || !sel) return WRI_NOMEM(s->ctx);
    for (uint32_t k = 0; k < s->l->cond_count; k++) {
        const uint32_t col = s->l->cond_cols[k];
        uint32_t e = s->d;
        while (s->m->levels[e].spec->first > col) e--;
        for (uint32_t i = 0; i < n; i++)
            rows[i] = e == s->d ? s->at[from + i] : s->before->of[e][s->parent[from + i]];
        const wr_vec *v =
            &(e == s->d ? own : wri_multi_batch(s->m, e))->cols[col - s->m->levels[e].spec->first];
        const wr_type *type = s->m->op.node->schema.fields[col].type;
        if (!wr_vec_init_flat(&b->cols[col], type, n, b->arena) ||
            !wri_vec_gather_or_null(&b->cols[col], v, rows, n, b->arena))
            return WRI_NOMEM(s->ctx);
    }
    b->row_count = n;
    WR_TRY(wr_program_filter(s->ctx, s->l->cond, b, NULL, n, b->arena, sel, &count));
    for (uint32_t i = 0; i < n; i++) s->passes[from + i] = false;
    for (uint32_t i = 0; i < count; i++) s->passes[from + sel[i]] = true;
    return WR_OK;
}

/* The condition on all candidates, whose rows of this input are in `own`. */
static wr_status
test(step *s, const wr_batch *own)
{
    const uint32_t width = s->l->spec->first + s->l->side.schema->count;
    for (uint32_t at = 0; s->l->cond && at < s->n; at += WR_BATCH_ROWS) {
        wr_batch *b = wr_batch_acquire(s->m->op.env->pool, width);
        WR_TRY_ALLOC(s->ctx, b);
        const wr_status status = test_some(s, own, at, WR_MIN(s->n - at, WR_BATCH_ROWS), b);
        wr_batch_release(b);
        WR_TRY(status);
    }
    return WR_OK;
}

/* ---- tuples ---------------------------------------------------------------------------------- */
static wr_status
begin_tuples(step *s, uint64_t most)
{
    s->made = 0;
    if (most > UINT32_MAX / 16) return WRI_NOMEM(s->ctx);
    s->src = wr_arena_alloc(s->l->arena, sizeof *s->src * (size_t)(most + 1));
    s->own = wr_arena_alloc(s->l->arena, sizeof *s->own * (size_t)(most + 1));
    s->kind = wr_arena_alloc(s->l->arena, (size_t)(most + 1));
    return s->src && s->own && s->kind ? WR_OK : WRI_NOMEM(s->ctx);
}

static void
add_tuple(step *s, uint32_t t, uint32_t own, wr_kind kind)
{
    s->src[s->made] = t;
    s->own[s->made] = own;
    s->kind[s->made++] = (uint8_t)kind;
}

static wr_status
end_tuples(step *s)
{
    wri_multi_level *l = s->l;
    l->count = s->made;
    l->at = 0;
    l->kind = s->kind;
    l->row = wr_arena_alloc(l->arena, sizeof *l->row * (s->made + 1));
    l->of = wr_arena_alloc(l->arena, sizeof *l->of * (s->d + 1));
    if (!l->row || !l->of) return WRI_NOMEM(s->ctx);
    for (uint32_t i = 0; i < s->made; i++) l->row[i] = row_of(s, s->src[i]);
    for (uint32_t e = 0; e < s->d; e++) {
        l->of[e] = wr_arena_alloc(l->arena, sizeof *l->of[e] * (s->made + 1));
        if (!l->of[e]) return WRI_NOMEM(s->ctx);
        for (uint32_t i = 0; i < s->made; i++) l->of[e][i] = s->before->of[e][s->src[i]];
    }
    l->of[s->d] = s->own;
    return WR_OK;
}

/* ---- a level of another input ---------------------------------------------------------------- */
static wr_status
meet_records(step *s, uint32_t end)
{
    WR_TRY(find_records(s, end));
    WR_TRY(decode_records(s));
    WR_TRY(pair_up(s));
    WR_TRY(test(s, s->found));
    WR_TRY(begin_tuples(s, (uint64_t)s->n + (s->to - s->from)));
    uint32_t k = 0;
    for (uint32_t t = s->from; t < s->to; t++) {
        const uint32_t before = s->made;
        for (; k < s->n && s->parent[k] == t; k++)
            if (s->passes[k]) add_tuple(s, t, s->at[k], kind_of(s, t));
        if (s->made == before && s->l->left) add_tuple(s, t, WRI_NO_ROW, kind_of(s, t));
    }
    s->l->found = s->found;
    s->found = NULL;
    return end_tuples(s);
}

/* ---- the input batch's own level ------------------------------------------------------------- */
static uint32_t *
company_of(step *s, uint32_t t)
{
    if (!s->key) return &s->m->company[row_of(s, t)];
    return &s->m->company_of.items[s->key[t - s->from]].rows[s->prefix[t - s->from]];
}

/* How many rows of the same input each tuple meets already: of those that this stretch has not
 * asked about yet, the state is asked. */
static wr_status
count_company(step *s, uint32_t end)
{
    s->to = end = WR_MIN(end, s->from + WANTED);
    if (!s->m->by_stretch) return WR_OK;
    s->key = wr_arena_alloc(s->l->arena, sizeof *s->key * (end - s->from + 1));
    s->prefix = wr_arena_alloc(s->l->arena, sizeof *s->prefix * (end - s->from + 1));
    if (!s->key || !s->prefix) return WRI_NOMEM(s->ctx);
    WR_TRY(find_records(s, end));
    WR_TRY(decode_records(s));
    WR_TRY(pair_up(s));
    WR_TRY(test(s, s->found));
    for (uint32_t k = 0; k < s->n; k++) *company_of(s, s->parent[k]) += s->passes[k];
    return WR_OK;
}

/* Row and tuple match: what comes out, and what the next row of the key finds. */
static void
meet_row(step *s, uint32_t t, uint32_t at)
{
    const wr_kind kind = kind_of(s, t);
    const bool adds = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
    if (!s->l->left) {
        add_tuple(s, t, at, kind);
        return;
    }
    uint32_t *company = company_of(s, t);
    if (adds && *company == 0) add_tuple(s, t, WRI_NO_ROW, WR_DELETE);
    add_tuple(s, t, at, kind);
    if (!adds && *company == 1) add_tuple(s, t, WRI_NO_ROW, WR_INSERT);
    if (!s->key) return;
    const int8_t effect = s->m->effect[row_of(s, t)];
    if (effect > 0) ++*company;
    if (effect < 0 && *company > 0) --*company;
}

static wr_status
meet_input(step *s, uint32_t end)
{
    if (s->l->left)
        WR_TRY(count_company(s, end));
    else
        s->to = WR_MIN(end, s->from + WANTED);
    WR_TRY(make_candidates(s, s->to - s->from));
    s->n = 0;
    for (uint32_t t = s->from; t < s->to; t++) {
        if (!may_meet(s, t)) continue;
        s->parent[s->n] = t;
        s->at[s->n++] = wr_batch_row(s->m->in, row_of(s, t));
    }
    WR_TRY(test(s, s->m->in));
    WR_TRY(begin_tuples(s, 2 * (uint64_t)s->n));
    for (uint32_t k = 0; k < s->n; k++)
        if (s->passes[k]) meet_row(s, s->parent[k], s->at[k]);
    return end_tuples(s);
}

wr_status
wri_multi_step(wr_ctx *ctx, wri_multi_op *m, uint32_t d)
{
    step s = {.ctx = ctx, .m = m, .l = &m->levels[d], .d = d};
    s.before = d ? &m->levels[d - 1] : NULL;
    s.from = d ? s.before->at : m->next;
    const uint32_t end = d ? s.before->count : m->end;
    wr_batch_release(s.l->found);
    s.l->found = NULL;
    wr_arena_reset(s.l->arena);
    const wr_status status = d == m->from ? meet_input(&s, end) : meet_records(&s, end);
    wr_batch_release(s.found);
    WR_TRY(status);
    if (d)
        m->levels[d - 1].at = s.to;
    else
        m->next = s.to;
    return WR_OK;
}
