/* SPDX-License-Identifier: Apache-2.0 */
/* Casts of ARRAY, MAP, MULTISET and ROW, element by element. The rows asked for are gathered
 * densely first, so that the children can be cast as whole vectors; a child that fails fails its
 * row. */
#include "vec/cast_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])

typedef struct nested {
    const wri_cast *c;
    wr_vec in;         /* the rows asked for, dense */
    uint64_t *failed;  /* dense rows that failed */
    wr_row_errs child; /* of the child being cast, by child row */
} nested;

static bool
reset_errs(nested *n, uint32_t rows)
{
    n->child = (wr_row_errs){.bits = wr_arena_zalloc(n->c->arena, 8 * WR_BIT_WORDS(rows) + 8)};
    return n->child.bits != NULL;
}

/* Cast one child wholly into a fresh vector. */
static wr_status
cast_child(nested *n, const wr_vec *in, uint32_t rows, const wr_type *to, wr_vec *out)
{
    const wri_cast *c = n->c;
    if (!wr_vec_init_flat(out, to, rows, c->arena) || !reset_errs(n, rows))
        return wri_cast_nomem(c);
    return wr_cast_vec(c->ctx, c->env, in, to, NULL, rows, false, out, c->arena, &n->child);
}

/* Mark the dense row, unless it is NULL anyway or has failed already. */
static wr_status
fail_row(nested *n, uint32_t dense)
{
    if (wr_vec_is_null(&n->in, dense) || wr_bit_get(n->failed, dense)) return WR_OK;
    wr_bit_set(n->failed, dense);
    return wri_cast_fail(n->c, wri_cast_row(n->c, dense), false, n->child.first_message);
}

static wr_status
fail_lists(nested *n)
{
    if (!n->child.any) return WR_OK;
    for (uint32_t i = 0; i < n->c->n; i++) {
        const wr_list l = AT(&n->in, wr_list, i);
        for (uint32_t k = 0; k < l.len; k++)
            if (wr_bit_get(n->child.bits, l.off + k)) {
                WR_TRY(fail_row(n, i));
                break;
            }
    }
    return WR_OK;
}

/* Keys that became equal: the last one stays, at the place of the first; a MULTISET adds up. */
static uint32_t
merge_keys(wr_vec *keys, wr_vec *values, wr_list l, bool counts, wr_arena *a, bool *ok)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < l.len && *ok; k++) {
        uint32_t at = 0;
        while (at < kept && !wr_vec_entry_eq(keys, l.off + at, keys, l.off + k)) at++;
        if (at == kept) {
            if (kept < k)
                *ok = wr_vec_copy_entry(keys, l.off + kept, keys, l.off + k, a) &&
                      wr_vec_copy_entry(values, l.off + kept, values, l.off + k, a);
            kept++;
        } else if (counts) {
            ((int32_t *)values->data)[l.off + at] += ((int32_t *)values->data)[l.off + k];
        } else {
            *ok = wr_vec_copy_entry(values, l.off + at, values, l.off + k, a);
        }
    }
    return kept;
}

static wr_status
put_lists(nested *n)
{
    const wri_cast *c = n->c;
    const bool map = c->out->phys == WR_PHYS_MAP;
    wr_list *out = c->out->data;
    bool ok = true;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        wr_list l = AT(&n->in, wr_list, i);
        if (map && l.len > 1)
            l.len = merge_keys(&c->out->child[0], &c->out->child[1], l, c->to->id == WR_T_MULTISET,
                               c->arena, &ok);
        out[row] = l;
    }
    ok = ok && (!map || wr_map_sort(c->out, c->sel, c->n, c->arena));
    return ok ? WR_OK : wri_cast_nomem(c);
}

static wr_status
cast_lists(nested *n)
{
    const wri_cast *c = n->c;
    for (uint32_t k = 0; k < n->in.child_count; k++) {
        const wr_vec *kid = &n->in.child[k];
        if (k == 1 && c->to->id == WR_T_MULTISET) { /* multiplicities */
            c->out->child[1] = *kid;
            continue;
        }
        WR_TRY(cast_child(n, kid, kid->len, c->to->fields[k].type, &c->out->child[k]));
        WR_TRY(fail_lists(n));
    }
    return put_lists(n);
}

/* Fields of the row: dense results are put at their rows. */
static wr_status
cast_fields(nested *n)
{
    const wri_cast *c = n->c;
    for (uint32_t k = 0; k < n->in.child_count; k++) {
        wr_vec field;
        WR_TRY(cast_child(n, &n->in.child[k], c->n, c->to->fields[k].type, &field));
        for (uint32_t i = 0; n->child.any && i < c->n; i++)
            if (wr_bit_get(n->child.bits, i)) WR_TRY(fail_row(n, i));
        if (!c->sel) {
            c->out->child[k] = field;
            continue;
        }
        for (uint32_t i = 0; i < c->n; i++)
            if (!wr_vec_copy_entry(&c->out->child[k], c->sel[i], &field, i, c->arena))
                return wri_cast_nomem(c);
    }
    return WR_OK;
}

wr_status
wri_cast_nested(const wri_cast *c)
{
    nested n = {.c = c};
    const uint32_t *rows = c->sel;
    if (!rows) {
        uint32_t *all = wr_arena_alloc(c->arena, sizeof *all * (c->n ? c->n : 1));
        if (!all) return wri_cast_nomem(c);
        for (uint32_t i = 0; i < c->n; i++) all[i] = i;
        rows = all;
    }
    n.failed = wr_arena_zalloc(c->arena, 8 * WR_BIT_WORDS(c->n) + 8);
    if (!n.failed || !wr_vec_gather(&n.in, c->in, rows, c->n, c->arena)) return wri_cast_nomem(c);
    for (uint32_t i = 0; i < c->n; i++)
        if (wr_vec_is_null(&n.in, i)) WR_TRY(wri_cast_null(c, rows[i]));
    return c->to->phys == WR_PHYS_ROW ? cast_fields(&n) : cast_lists(&n);
}
