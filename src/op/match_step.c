/* SPDX-License-Identifier: Apache-2.0 */
/* One row through the automaton of its partition: every partial match is asked where it may go, in
 * the order of the queue; complete matches come out as soon as no partial match began earlier, and
 * the skip strategy then drops what they make void. */
#include "op/match_int.h"

typedef struct step {
    wr_ctx *ctx;
    wri_match_op *m;
    wri_match_key *key;
    uint32_t event;
    int64_t time;     /* that it is for the partition */
    uint8_t **tested; /* per element: by position in the queue; NULL: not asked yet */
    uint32_t at;      /* the partial match being looked at */
    wri_match_queue next, complete;
} step;

/* ---- conditions ------------------------------------------------------------------------------ */
/* For all partial matches that may ask, at once. */
static wr_status
test_all(step *s, uint32_t elem)
{
    const wri_match_queue *q = &s->key->partial;
    wr_arena *a = s->m->event_arena;
    uint32_t *nodes = wr_arena_alloc(a, sizeof *nodes * (q->count + 1));
    uint32_t *of = wr_arena_alloc(a, sizeof *of * (q->count + 1)), n = 0;
    uint8_t *out = wr_arena_alloc(a, q->count + 1);
    s->tested[elem] = wr_arena_zalloc(a, q->count + 1);
    if (!nodes || !of || !out || !s->tested[elem]) return WRI_NOMEM(s->ctx);
    for (uint32_t i = s->at; i < q->count; i++) {
        if (!(s->m->nfa.states[q->items[i].state].asks >> elem & 1)) continue;
        nodes[n] = q->items[i].node;
        of[n++] = i;
    }
    WR_TRY(wri_match_test_paths(s->ctx, s->m, elem, s->event, nodes, n, out));
    for (uint32_t i = 0; i < n; i++) s->tested[elem][of[i]] = out[i];
    return WR_OK;
}

static wr_status
holds(step *s, uint32_t elem, bool *out)
{
    const wri_match_op *m = s->m;
    uint8_t value;
    if (!m->conds[elem].program) {
        *out = true;
        return WR_OK;
    }
    if (m->run.holds[elem]) {
        value = m->run.holds[elem][s->event];
    } else {
        if (!s->tested[elem]) WR_TRY(test_all(s, elem));
        value = s->tested[elem][s->at];
    }
    if (value == WRI_COND_ERROR)
        return wri_match_raise(s->ctx, s->m, elem, s->event, s->key->partial.items[s->at].node);
    *out = value == WRI_COND_TRUE;
    return WR_OK;
}

/* None of the set holds. */
static wr_status
none_holds(step *s, uint64_t set, bool *out)
{
    *out = true;
    for (; set && *out; set &= set - 1) {
        WR_TRY(holds(s, (uint32_t)__builtin_ctzll(set), out));
        *out = !*out;
    }
    return WR_OK;
}

/* ---- where a partial match may go ------------------------------------------------------------ */
static wr_status
add_node(step *s, uint32_t elem, uint32_t prev, uint32_t *out)
{
    wri_match_run *run = &s->m->run;
    if (run->node_count == run->node_cap) {
        if (run->node_cap > UINT32_MAX / 4)
            return wr_raise(s->ctx, WR_LIMIT, "too many partial matches of MATCH_RECOGNIZE");
        const uint32_t cap = WR_MAX(run->node_cap * 2, 64u);
        wri_match_node *more = wr_arena_alloc(run->arena, sizeof *more * cap);
        WR_TRY_ALLOC(s->ctx, more);
        if (run->node_count) memcpy(more, run->nodes, sizeof *more * run->node_count);
        run->nodes = more;
        run->node_cap = cap;
    }
    *out = run->node_count;
    run->nodes[run->node_count++] = (wri_match_node){run->loaded + s->event, prev, elem};
    return WR_OK;
}

static wr_status
add_next(step *s, const wri_match_partial *p)
{
    const bool ok = p->state == 0 ? wri_match_add(s->m->event_arena, &s->complete, p)
                                  : wri_match_add(s->m->run.arena, &s->next, p);
    return ok ? WR_OK : WRI_NOMEM(s->ctx);
}

/* Is the end reached from `state` without another row? */
static wr_status
reaches_end(step *s, uint32_t state, bool *out)
{
    const wri_match_state *states = s->m->nfa.states;
    *out = false;
    while (states[state].proceed != WRI_MATCH_NONE) {
        bool may = false;
        WR_TRY(none_holds(s, states[state].proceed_not, &may));
        if (!may) return WR_OK;
        state = states[state].proceed;
        if (state == 0) {
            *out = true;
            return WR_OK;
        }
    }
    return WR_OK;
}

static wr_status
take(step *s, const wri_match_partial *from, uint32_t state)
{
    const wri_match_run *run = &s->m->run;
    const wri_match_state *at = &s->m->nfa.states[state];
    const uint32_t row = run->loaded + s->event;
    wri_match_partial p = *from;
    bool end = false;
    WR_TRY(add_node(s, at->elem, from->node, &p.node));
    if (from->node == WRI_MATCH_NONE) {
        p.start_time = run->row_time[row];
        p.start_id = run->row_id[row];
    }
    p.state = at->take;
    WR_TRY(add_next(s, &p));
    WR_TRY(reaches_end(s, at->take, &end));
    p.state = 0;
    return end ? add_next(s, &p) : WR_OK;
}

/* All edges are found before any is gone along. */
static wr_status
follow(step *s, const wri_match_partial *p)
{
    const wri_match_state *states = s->m->nfa.states;
    wr_arena *a = s->m->event_arena;
    uint32_t edges = 0, cap = 8, *edge = wr_arena_alloc(a, sizeof *edge * cap);
    WR_TRY_ALLOC(s->ctx, edge);
    for (uint32_t at = p->state; at != WRI_MATCH_NONE;) {
        bool may = false;
        if (states[at].take != WRI_MATCH_NONE) {
            WR_TRY(holds(s, states[at].elem, &may));
            if (may) WR_TRY(none_holds(s, states[at].take_not, &may));
        }
        if (may && edges == cap) {
            uint32_t *more = wr_arena_alloc(a, sizeof *more * cap * 2);
            WR_TRY_ALLOC(s->ctx, more);
            memcpy(more, edge, sizeof *more * cap);
            edge = more;
            cap *= 2;
        }
        if (may) edge[edges++] = at;
        if (states[at].proceed == WRI_MATCH_NONE) break;
        WR_TRY(none_holds(s, states[at].proceed_not, &may));
        at = may ? states[at].proceed : WRI_MATCH_NONE;
    }
    for (uint32_t i = 0; i < edges; i++) WR_TRY(take(s, p, edge[i]));
    return p->node == WRI_MATCH_NONE ? add_next(s, p) : WR_OK;
}

/* ---- complete matches ------------------------------------------------------------------------ */
typedef struct place { /* of a row in its partition */
    int64_t time;
    uint32_t id;
} place;

static int
compare(place a, place b)
{
    if (a.time != b.time) return a.time < b.time ? -1 : 1;
    return (a.id > b.id) - (a.id < b.id);
}

static place
place_of(const wri_match_run *run, uint32_t node)
{
    const uint32_t row = run->nodes[node].row;
    return (place){run->row_time[row], run->row_id[row]};
}

static void
put_match(const wri_match_op *m, uint32_t node, wr_text *t)
{
    const wri_match_run *run = &m->run;
    const uint32_t elem = run->nodes[node].elem, prev = run->nodes[node].prev;
    const place at = place_of(run, node);
    const bool first = prev == WRI_MATCH_NONE, same = !first && run->nodes[prev].elem == elem;
    if (!same)
        wr_text_printf(t, "%s%.*s=[", first ? "" : "], ", WR_STR_ARG(m->spec->elems[elem].name));
    wr_text_printf(t, "%sEventId{id=%u, timestamp=%lld}", same ? ", " : "", at.id,
                   (long long)at.time);
}

static wr_status
refuse_skip(step *s, uint32_t node)
{
    const wri_match_run *run = &s->m->run;
    uint32_t n = 0;
    wr_text t;
    wr_text_init(&t, s->m->event_arena);
    for (uint32_t at = node; at != WRI_MATCH_NONE; at = run->nodes[at].prev) n++;
    uint32_t *path = wr_arena_alloc(s->m->event_arena, sizeof *path * (n + 1));
    WR_TRY_ALLOC(s->ctx, path);
    for (uint32_t at = node, i = n; at != WRI_MATCH_NONE; at = run->nodes[at].prev) path[--i] = at;
    for (uint32_t i = 0; i < n && t.len < 2000; i++) put_match(s->m, path[i], &t);
    const wr_str text = wr_text_str(&t);
    return wr_raise(s->ctx, WR_DATA,
                    "Could not skip to %.*s. No such element in the found match "
                    "{%.*s]}",
                    WR_STR_ARG(s->m->spec->skip_name), WR_STR_ARG(text));
}

/* Up to which first row others are void; *with: those that begin there as well. */
static wr_status
find_skip(step *s, const wri_match_partial *match, place *to, bool *with)
{
    const wr_match_spec *spec = s->m->spec;
    const wri_match_run *run = &s->m->run;
    const place start = {match->start_time, match->start_id};
    *with = spec->skip < WR_MATCH_SKIP_FIRST;
    *to = spec->skip == WR_MATCH_SKIP_NEXT_ROW ? start : place_of(run, match->node);
    if (*with) return WR_OK;
    bool found = false;
    for (uint32_t at = match->node; at != WRI_MATCH_NONE; at = run->nodes[at].prev) {
        if (run->nodes[at].elem != (uint32_t)spec->skip_elem) continue;
        if (found && spec->skip == WR_MATCH_SKIP_LAST) break;
        *to = place_of(run, at);
        found = true;
    }
    if (!found) return refuse_skip(s, match->node);
    if (compare(*to, start) == 0)
        return wr_raise(s->ctx, WR_DATA, "Could not skip to first element of a match.");
    return WR_OK;
}

static wr_status
prune(step *s, wri_match_queue *q, place to, bool with)
{
    bool *drop = wr_arena_alloc(s->m->event_arena, q->count + 1);
    WR_TRY_ALLOC(s->ctx, drop);
    for (uint32_t i = 0; i < q->count; i++) {
        const wri_match_partial *p = &q->items[i];
        const int c = compare((place){p->start_time, p->start_id}, to);
        drop[i] = p->node != WRI_MATCH_NONE && (with ? c <= 0 : c < 0);
    }
    wri_match_remove(q, drop);
    return WR_OK;
}

/* Complete matches that no partial one in `partial` began before. */
static wr_status
let_out(step *s, wri_match_queue *partial)
{
    wri_match_queue *done = &s->key->done;
    while (done->count &&
           (partial->count == 0 || wri_match_compare(&done->items[0], &partial->items[0]) <= 0)) {
        wri_match_partial match;
        place to;
        bool with;
        wri_match_poll(done, &match);
        s->key->changed = true;
        WR_TRY(find_skip(s, &match, &to, &with));
        WR_TRY(prune(s, partial, to, with));
        WR_TRY(prune(s, done, to, with));
        const wri_match_result r = {match.node, s->time};
        if (!wr_list_push(s->m->run.arena, &s->m->run.results, r)) return WRI_NOMEM(s->ctx);
    }
    return WR_OK;
}

static void
replace(step *s)
{
    wri_match_key *k = s->key;
    k->spare = k->partial;
    k->partial = s->next;
}

static wri_match_queue
begin_next(wri_match_key *k)
{
    wri_match_queue q = k->spare;
    q.count = 0;
    k->spare = (wri_match_queue){0};
    return q;
}

/* ---- entry ----------------------------------------------------------------------------------- */
wr_status
wri_match_event(wr_ctx *ctx, wri_match_op *m, uint32_t event)
{
    wri_match_key *k = &m->run.keys[m->run.event_key[event]];
    step s = {.ctx = ctx,
              .m = m,
              .key = k,
              .event = event,
              .time = m->run.event_time[event],
              .next = begin_next(k)};
    wr_arena_reset(m->event_arena);
    s.tested = wr_arena_zalloc(m->event_arena, sizeof *s.tested * (m->spec->elem_count + 1));
    WR_TRY_ALLOC(ctx, s.tested);
    for (; s.at < k->partial.count; s.at++) {
        const wri_match_partial p = k->partial.items[s.at];
        WR_TRY(follow(&s, &p));
    }
    for (uint32_t i = 0; i < s.complete.count; i++)
        if (!wri_match_add(m->run.arena, &k->done, &s.complete.items[i])) return WRI_NOMEM(ctx);
    k->changed |= k->partial.count != 1 || s.next.count != 1 || s.complete.count;
    WR_TRY(let_out(&s, &s.next));
    replace(&s);
    return WR_OK;
}

static bool
is_over(const wri_match_op *m, const wri_match_partial *p, int64_t time)
{
    if (p->node == WRI_MATCH_NONE) return false;
    return (int64_t)((uint64_t)time - (uint64_t)p->start_time) >= m->spec->within_ms;
}

wr_status
wri_match_advance(wr_ctx *ctx, wri_match_op *m, wri_match_key *k, int64_t time)
{
    step s = {.ctx = ctx, .m = m, .key = k, .time = time};
    bool any = false;
    if (m->spec->within_ms <= 0) return WR_OK;
    for (uint32_t i = 0; i < k->partial.count; i++) any |= is_over(m, &k->partial.items[i], time);
    if (!any) return WR_OK;
    s.next = begin_next(k);
    for (uint32_t i = 0; i < k->partial.count; i++)
        if (!is_over(m, &k->partial.items[i], time) &&
            !wri_match_add(m->run.arena, &s.next, &k->partial.items[i]))
            return WRI_NOMEM(ctx);
    k->changed = true;
    wr_arena_reset(m->event_arena);
    WR_TRY(let_out(&s, &s.next));
    replace(&s);
    return WR_OK;
}
