/* SPDX-License-Identifier: Apache-2.0 */
/* The automaton of a pattern, and the queue of its partial matches.
 *
 * It is built from the end. A variable is a state that takes a row; a loop is a state that takes
 * rows into itself and may proceed; what is optional may proceed as well. Nothing is tried again: a
 * greedy loop forbids the states behind it every row that it would take itself. So A B* C, where a
 * row may be both B and C, has no match that ends with it: that is how Flink's automaton works, and
 * results are compared with it. */
#include "op/match_int.h"

/* ---- building -------------------------------------------------------------------------------- */
typedef struct builder {
    wri_match_nfa *nfa;
    uint32_t elem;
} builder;

static uint32_t
add_state(builder *b, uint32_t take, uint32_t proceed)
{
    wri_match_state *s = &b->nfa->states[b->nfa->count];
    *s = (wri_match_state){.elem = b->elem, .take = take, .proceed = proceed};
    return b->nfa->count++;
}

static void
yield_to(builder *b, uint32_t state)
{
    const uint64_t elem = (uint64_t)1 << b->elem;
    b->nfa->states[state].take_not |= elem;
    b->nfa->states[state].proceed_not |= elem;
}

/* The states of one element in front of `sink`; the first of them. */
static uint32_t
add_elem(builder *b, const wr_match_elem *e, uint32_t sink)
{
    const bool loops = e->quantified && e->max == -1;
    const bool optional = e->quantified && e->min == 0;
    const bool choice = e->min == 0 && e->max == 1;
    const bool greedy = e->quantified && !e->reluctant && !choice && e->min != e->max;
    const uint32_t none = WRI_MATCH_NONE, least = e->quantified ? (uint32_t)WR_MAX(e->min, 1) : 1;
    uint32_t last = sink;
    if (greedy) yield_to(b, sink);
    if (loops) {
        last = add_state(b, none, sink);
        b->nfa->states[last].take = last;
    } else if (e->quantified && !choice) {
        for (int64_t i = least; i < e->max; i++) last = add_state(b, last, sink);
    }
    for (uint32_t i = 1; i < least; i++) last = add_state(b, last, none);
    return add_state(b, last, optional ? sink : none);
}

/* Conditions that may be asked: along the states that are entered without a row. */
static void
find_asks(wri_match_nfa *nfa, const wr_match_spec *spec)
{
    (void)spec;
    for (uint32_t i = 0; i < nfa->count; i++) {
        wri_match_state *s = &nfa->states[i];
        if (s->take != WRI_MATCH_NONE) s->asks |= (uint64_t)1 << s->elem;
        s->asks |= s->take_not | s->proceed_not;
        /* what is proceeded to lies behind and is done; what is taken is looked through for an end
         */
        if (s->proceed != WRI_MATCH_NONE) s->asks |= nfa->states[s->proceed].asks;
    }
    for (uint32_t i = 0; i < nfa->count; i++) {
        wri_match_state *s = &nfa->states[i];
        for (uint32_t at = i; at != WRI_MATCH_NONE; at = nfa->states[at].proceed)
            if (nfa->states[at].take != WRI_MATCH_NONE)
                for (uint32_t t = nfa->states[at].take; t != WRI_MATCH_NONE;
                     t = nfa->states[t].proceed)
                    s->asks |= nfa->states[t].proceed_not;
    }
}

wr_status
wri_match_nfa_make(wr_ctx *ctx, wr_arena *a, const wr_match_spec *spec, wri_match_nfa *out)
{
    uint64_t states = 1;
    for (uint32_t i = 0; i < spec->elem_count; i++)
        states += (uint64_t)WR_MAX(WR_MAX(spec->elems[i].min, spec->elems[i].max), 1) + 1;
    WR_ASSERT(states <= WR_MATCH_STATES_MAX + 2u * WR_MATCH_VARS_MAX);
    out->states = WR_NEW_N(a, wri_match_state, states);
    WR_TRY_ALLOC(ctx, out->states);
    builder b = {.nfa = out};
    uint32_t sink = add_state(&b, WRI_MATCH_NONE, WRI_MATCH_NONE);
    for (uint32_t i = spec->elem_count; i-- > 0;) {
        b.elem = i;
        sink = add_elem(&b, &spec->elems[i], sink);
    }
    WR_ASSERT(out->count <= states);
    out->start = sink;
    find_asks(out, spec);
    return WR_OK;
}

/* ---- the queue ------------------------------------------------------------------------------- */
/* What has not begun comes last. */
int
wri_match_compare(const wri_match_partial *a, const wri_match_partial *b)
{
    const bool x = a->node == WRI_MATCH_NONE, y = b->node == WRI_MATCH_NONE;
    if (x || y) return x - y;
    if (a->start_time != b->start_time) return a->start_time < b->start_time ? -1 : 1;
    return (a->start_id > b->start_id) - (a->start_id < b->start_id);
}

static void
rise(wri_match_queue *q, uint32_t at, const wri_match_partial *p)
{
    while (at > 0) {
        const uint32_t parent = (at - 1) / 2;
        if (wri_match_compare(p, &q->items[parent]) >= 0) break;
        q->items[at] = q->items[parent];
        at = parent;
    }
    q->items[at] = *p;
}

static void
sink_down(wri_match_queue *q, uint32_t at, const wri_match_partial *item)
{
    const wri_match_partial p = *item;
    while (at < q->count / 2) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < q->count && wri_match_compare(&q->items[child], &q->items[child + 1]) > 0)
            child++;
        if (wri_match_compare(&p, &q->items[child]) <= 0) break;
        q->items[at] = q->items[child];
        at = child;
    }
    q->items[at] = p;
}

bool
wri_match_add(wr_arena *a, wri_match_queue *q, const wri_match_partial *p)
{
    if (q->count == q->cap) {
        if (q->cap > UINT32_MAX / 4) return false;
        const uint32_t cap = q->cap ? q->cap * 2 : 4;
        wri_match_partial *more = wr_arena_alloc(a, sizeof *more * cap);
        if (!more) return false;
        if (q->count) memcpy(more, q->items, sizeof *more * q->count);
        q->items = more;
        q->cap = cap;
    }
    rise(q, q->count++, p);
    return true;
}

void
wri_match_poll(wri_match_queue *q, wri_match_partial *out)
{
    WR_ASSERT(q->count > 0);
    *out = q->items[0];
    q->count--;
    if (q->count) sink_down(q, 0, &q->items[q->count]);
}

void
wri_match_remove(wri_match_queue *q, const bool *drop)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->count; i++)
        if (!drop[i]) q->items[kept++] = q->items[i];
    if (kept == q->count) return;
    q->count = kept;
    for (uint32_t i = kept / 2; i-- > 0;) sink_down(q, i, &q->items[i]);
}
