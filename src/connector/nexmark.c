/* SPDX-License-Identifier: Apache-2.0 */
/* 'nexmark': the event stream of the Nexmark benchmark, with the options and schema of the public
 * connector: event_type INT, person ROW<...>, auction ROW<...>, bid ROW<...>, two of the three
 * NULL.
 *
 * rng 'java' makes the public generator's stream: each split has its own range of ids and all start
 * at the same time. rng 'counter' (the default) makes each event from its number alone, so the
 * stream is the same for any parallelism; its splits take blocks of events in turn. Beside the
 * public options: seed, seed.channels, seed.extra, base-time, rng. */
#include "connector/nexmark_int.h"
#include "os/os.h"

#define BLOCK_EPOCHS 20 /* counter: events of so many epochs go to one split */

static const wr_option_def nexmark_options[] = {
    {"rate.shape", WR_OPT_ENUM, "SQUARE", "SQUARE|SINE", 0, "Has no effect."},
    {"rate.period", WR_OPT_DURATION, "600 s", NULL, 0, "Has no effect."},
    {"rate.limited", WR_OPT_BOOL, "false", NULL, 0, "Has no effect."},
    {"first-event.rate", WR_OPT_INT, "10000", NULL, 0, "Events per second of event time."},
    {"next-event.rate", WR_OPT_INT, "10000", NULL, 0, "Has no effect."},
    {"person.avg-size", WR_OPT_MEMORY, "200b", NULL, 0, "Size that 'extra' pads a person to."},
    {"auction.avg-size", WR_OPT_MEMORY, "500b", NULL, 0, "Size that 'extra' pads an auction to."},
    {"bid.avg-size", WR_OPT_MEMORY, "100b", NULL, 0, "Size that 'extra' pads a bid to."},
    {"person.proportion", WR_OPT_INT, "1", NULL, 0, "Persons among person + auction + bid."},
    {"auction.proportion", WR_OPT_INT, "3", NULL, 0, "Auctions among them."},
    {"bid.proportion", WR_OPT_INT, "46", NULL, 0, "Bids among them."},
    {"bid.hot-ratio.auctions", WR_OPT_INT, "2", NULL, 0,
     "Bids go to the hot auction with probability 1 - 1/r."},
    {"bid.hot-ratio.bidders", WR_OPT_INT, "4", NULL, 0,
     "Bids come from the hot bidder with probability 1 - 1/r."},
    {"auction.hot-ratio.sellers", WR_OPT_INT, "4", NULL, 0,
     "Auctions are the hot seller's with probability 1 - 1/r."},
    {"events.num", WR_OPT_LONG, "0", NULL, 0, "How many events; 0: no end."},
    {"keep-alive", WR_OPT_BOOL, "false", NULL, 0, "Go on without events after the last."},
    {"stop-at", WR_OPT_LONG, "-1", NULL, 0, "Stop after so many events."},
    {"max-emit-speed", WR_OPT_BOOL, "true", NULL, 0,
     "False: an event comes no earlier than its time after the start."},
    {"rng", WR_OPT_ENUM, "counter", "counter|java", 0,
     "'counter': events by their number; 'java': the public generator's stream."},
    {"seed", WR_OPT_LONG, "1", NULL, 0, "Seed of the events."},
    {"seed.channels", WR_OPT_LONG, "2", NULL, 0, "Seed of channels and urls."},
    {"seed.extra", WR_OPT_LONG, "3", NULL, 0, "Seed of the filler text."},
    {"base-time", WR_OPT_LONG, NULL, NULL, 0,
     "Time of the first event in ms since 1970; default: now."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_status
positive(wr_ctx *ctx, const wr_options *o, const char *key, int32_t *out)
{
    int64_t v;
    WR_TRY(wri_option_int(ctx, o, nexmark_options, key, &v));
    if (v < 1 || v > 1000000)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(o, key)->span,
                           "option '%s' must be between 1 and 1000000, but was %lld", key,
                           (long long)v);
    *out = (int32_t)v;
    return WR_OK;
}

static wr_status
read_counts(wr_ctx *ctx, const wr_options *o, wri_nx_config *c)
{
    WR_TRY(positive(ctx, o, "person.proportion", &c->person));
    WR_TRY(positive(ctx, o, "auction.proportion", &c->auction));
    WR_TRY(positive(ctx, o, "bid.proportion", &c->bid));
    c->total = c->person + c->auction + c->bid;
    WR_TRY(positive(ctx, o, "bid.hot-ratio.auctions", &c->hot_auctions));
    WR_TRY(positive(ctx, o, "bid.hot-ratio.bidders", &c->hot_bidders));
    WR_TRY(positive(ctx, o, "auction.hot-ratio.sellers", &c->hot_sellers));
    WR_TRY(positive(ctx, o, "person.avg-size", &c->person_size));
    WR_TRY(positive(ctx, o, "auction.avg-size", &c->auction_size));
    return positive(ctx, o, "bid.avg-size", &c->bid_size);
}

static wr_status
read_config(wr_ctx *ctx, const wr_options *o, wri_nx_config *c)
{
    int64_t rate;
    bool fast;
    wr_option_value v;
    memset(c, 0, sizeof *c);
    WR_TRY(read_counts(ctx, o, c));
    WR_TRY(wri_option_int(ctx, o, nexmark_options, "first-event.rate", &rate));
    if (rate < 1)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(o, "first-event.rate")->span,
                           "option 'first-event.rate' must be positive");
    c->rate = (double)rate;
    WR_TRY(wri_option_int(ctx, o, nexmark_options, "events.num", &c->events));
    WR_TRY(wri_option_int(ctx, o, nexmark_options, "stop-at", &c->stop_at));
    WR_TRY(wri_option_int(ctx, o, nexmark_options, "seed", &c->seed));
    WR_TRY(wri_option_int(ctx, o, nexmark_options, "seed.channels", &c->seed_channels));
    WR_TRY(wri_option_int(ctx, o, nexmark_options, "seed.extra", &c->seed_extra));
    WR_TRY(wri_option_bool(ctx, o, nexmark_options, "keep-alive", &c->keep_alive));
    WR_TRY(wri_option_bool(ctx, o, nexmark_options, "max-emit-speed", &fast));
    WR_TRY(wr_options_get(ctx, o, nexmark_options, "rng", &v));
    c->counter = v.i == 0;
    c->paced = !fast;
    c->bounded = c->events > 0 && !c->keep_alive;
    int32_t big = WR_MAX(WR_MAX(c->person_size, c->auction_size), c->bid_size);
    if (c->events <= 0) c->events = INT64_MAX / ((int64_t)c->total * big);
    WR_TRY(wr_options_get(ctx, o, nexmark_options, "base-time", &v));
    c->base_time_ms = v.set ? v.i : wr_os_wall_ms();
    return WR_OK;
}

/* ---- planning -------------------------------------------------------------------------------- */

static bool
row_is(const wr_type *t, const char *shape) /* l BIGINT, s STRING, t TIMESTAMP(<=3) */
{
    if (t->phys != WR_PHYS_ROW || t->field_count != strlen(shape)) return false;
    for (uint32_t i = 0; i < t->field_count; i++) {
        const wr_type *f = t->fields[i].type;
        bool ok = shape[i] == 'l'   ? f->id == WR_T_BIGINT
                  : shape[i] == 's' ? f->id == WR_T_VARCHAR
                                    : f->phys == WR_PHYS_I64 &&
                                          (f->id == WR_T_TIMESTAMP || f->id == WR_T_TIMESTAMP_LTZ);
        if (!ok) return false;
    }
    return true;
}

static wr_status
check_schema(wr_ctx *ctx, const wr_table_desc *table)
{
    static const char person[] = "lsssssts", auction[] = "lssllttlls", bid[] = "lllssts";
    const wr_type *types[4];
    uint32_t n = 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].kind != WR_COL_PHYSICAL) continue;
        if (n < 4) types[n] = table->columns[i].type;
        n++;
    }
    bool ok = n == 4 && types[0]->id == WR_T_INT && row_is(types[1], person) &&
              row_is(types[2], auction) && row_is(types[3], bid);
    if (ok) return WR_OK;
    return wr_raise(
        ctx, WR_SEMANTIC,
        "a nexmark table has the columns event_type INT, person ROW<id BIGINT, name STRING, "
        "emailAddress STRING, creditCard STRING, city STRING, state STRING, dateTime TIMESTAMP(3), "
        "extra STRING>, auction ROW<id BIGINT, itemName STRING, description STRING, initialBid "
        "BIGINT, reserve BIGINT, dateTime TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, "
        "category BIGINT, extra STRING>, bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, "
        "channel STRING, url STRING, dateTime TIMESTAMP(3), extra STRING>");
}

static wr_status
nexmark_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                 const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    (void)arena;
    wri_nx_config c;
    WR_TRY(read_config(ctx, options, &c));
    WR_TRY(check_schema(ctx, table));
    out->bounded = c.bounded;
    out->changelog = WR_CL_INSERT_ONLY;
    out->can_skip = out->can_limit = true;
    out->row_count = c.bounded ? c.events : -1;
    out->keeps_order = out->replayable = true;
    return WR_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct nx_share { /* a split and what is its own */
    wri_nx_split split;
    int64_t base_time_ms;
    int64_t before, started_ms; /* paced: events done when this reader started on it, and when */
} nx_share;

typedef struct nexmark_reader { /* wr_reader */
    const wr_source_spec *spec;
    const wr_source_env *env;
    wri_nx_config config;
    wri_nx_tables *tables;
    WR_LIST(nx_share) shares;
    int64_t rows_left; /* limit; -1 = none */
    bool no_more;
} nexmark_reader;

static wr_status
nexmark_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    nexmark_reader *r = WR_NEW(env->arena, nexmark_reader);
    WR_TRY_ALLOC(ctx, r);
    r->spec = spec;
    r->env = env;
    r->rows_left = spec->limit;
    WR_TRY(read_config(ctx, &spec->options, &r->config));
    r->tables = wri_nx_tables_create(&r->config);
    WR_TRY_ALLOC(ctx, r->tables);
    *out = (wr_reader *)r;
    return WR_OK;
}

/* Events of split i when blocks are dealt out in turn. */
static int64_t
counter_share(int64_t events, int64_t block, uint32_t index, uint32_t count)
{
    int64_t whole = events / block, rest = events % block;
    int64_t blocks = whole / count + (whole % count > (int64_t)index ? 1 : 0);
    return blocks * block + (whole % count == (int64_t)index ? rest : 0);
}

static wri_nx_split
split_of(const wri_nx_config *c, uint32_t index, uint32_t count)
{
    const int64_t each = c->events / count;
    wri_nx_split s = {.index = index, .count = count};
    if (c->counter) {
        s.first_id = 1;
        s.events = counter_share(c->events, (int64_t)c->total * BLOCK_EPOCHS, index, count);
        s.delay_us = 1e6 / c->rate;
    } else {
        s.first_id = 1 + (int64_t)index * each;
        s.events = index == count - 1 ? c->events - each * (count - 1) : each;
        s.delay_us = 1e6 / c->rate * count;
        s.rng = (uint64_t)(c->seed + index);
    }
    if (c->stop_at >= 0) s.events = WR_MIN(s.events, c->stop_at / count);
    return s;
}

static wr_status
nexmark_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    nexmark_reader *r = (nexmark_reader *)reader;
    uint32_t index, count, got;
    int64_t n[3] = {0}; /* events done, the state of the random numbers, time of the first event */
    if (!wri_split_of(split, &index, &count))
        return wr_raise(ctx, WR_CORRUPT, "malformed split '%.*s'", WR_STR_ARG(split));
    WR_TRY(wri_position_get(ctx, split, position, n, 3, &got));
    nx_share s = {split_of(&r->config, index, count), r->config.base_time_ms, 0, 0};
    if (got == 3) {
        s.split.done = s.before = WR_MAX(n[0], 0);
        s.split.rng = (uint64_t)n[1];
        s.base_time_ms = n[2];
    }
    if (!wr_list_push(r->env->arena, &r->shares, s))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
nexmark_no_more(wr_ctx *ctx, wr_reader *reader)
{
    (void)ctx;
    ((nexmark_reader *)reader)->no_more = true;
    return WR_OK;
}

static wr_status
open_columns(wr_ctx *ctx, nexmark_reader *r, wr_batch *fill, uint32_t rows, wri_nx_out *out)
{
    if (!wri_nx_open_columns(&r->config, r->spec, fill, rows, out))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_ref_acquire(&r->tables->refs);
    wr_arena_defer(fill->arena, wri_nx_tables_release, r->tables);
    return WR_OK;
}

/* Paced: how many of the next `n` events are due. */
static uint32_t
due(const nexmark_reader *r, nx_share *share, uint32_t n, int64_t now, int64_t *wake_ms)
{
    if (share->started_ms == 0) share->started_ms = now;
    const wri_nx_split *s = &share->split;
    double per_ms = 1000.0 / s->delay_us;
    if (r->config.counter) per_ms /= s->count;
    const int64_t done = s->done - share->before;
    int64_t may = (int64_t)((double)(now - share->started_ms) * per_ms) - done;
    if (may > 0) return (uint32_t)WR_MIN((int64_t)n, may);
    *wake_ms = now + 1 + (int64_t)(1.0 / per_ms);
    return 0;
}

/* The split that is least far, so that several in one reader keep step in event time. */
static nx_share *
choose(nexmark_reader *r)
{
    nx_share *best = NULL;
    for (uint32_t i = 0; i < r->shares.count; i++) {
        nx_share *s = &r->shares.items[i];
        if (s->split.done >= s->split.events) continue;
        if (!best || s->split.done < best->split.done) best = s;
    }
    return best;
}

static wr_status
make_events(wr_ctx *ctx, nexmark_reader *r, nx_share *share, wr_batch *fill, uint32_t n)
{
    wri_nx_out columns;
    WR_TRY(open_columns(ctx, r, fill, n, &columns));
    r->config.base_time_ms = share->base_time_ms;
    bool ok = r->config.counter
                  ? wri_nx_counter(&r->config, r->tables, &share->split, &columns, 0, n)
                  : wri_nx_java(&r->config, r->tables, &share->split, &columns, 0, n);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wri_nx_close_columns(&columns);
    fill->row_count = n;
    if (r->rows_left >= 0) r->rows_left -= n;
    return WR_OK;
}

static wr_status
nexmark_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    nexmark_reader *r = (nexmark_reader *)reader;
    nx_share *s = choose(r);
    int64_t left = s ? s->split.events - s->split.done : 0;
    const int64_t now = wr_os_now_ns() / 1000000;
    *out = (wr_poll){.kind = WR_POLL_END, .fd = -1};
    if (r->rows_left >= 0) left = WR_MIN(left, r->rows_left);
    if (left <= 0) {
        const bool waits = r->shares.count ? r->config.keep_alive : !r->no_more;
        if (waits && r->rows_left != 0) {
            out->kind = WR_POLL_PENDING;
            out->wake_at_ms = now + 1000;
        }
        return WR_OK;
    }
    uint32_t n = (uint32_t)WR_MIN((int64_t)max_rows, left);
    if (r->config.paced) n = due(r, s, n, now, &out->wake_at_ms);
    out->kind = n ? WR_POLL_READY : WR_POLL_PENDING;
    out->split = (uint32_t)(s - r->shares.items);
    return n ? make_events(ctx, r, s, fill, n) : WR_OK;
}

static wr_status
nexmark_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const nexmark_reader *r = (const nexmark_reader *)reader;
    for (uint32_t i = 0; i < r->shares.count; i++) {
        const nx_share *s = &r->shares.items[i];
        const int64_t n[] = {s->split.done, (int64_t)s->split.rng, s->base_time_ms};
        if (s->split.done >= s->split.events && !r->config.keep_alive) continue;
        WR_TRY(wri_share_put(ctx, out, s->split.index, s->split.count, n, 3));
    }
    return WR_OK;
}

static void
nexmark_close(wr_reader *reader)
{
    nexmark_reader *r = (nexmark_reader *)reader;
    if (r) wri_nx_tables_release(r->tables);
}

/* ---- events by number ------------------------------------------------------------------------ */

static wri_nx_bid_fn
best_fn(void)
{
#if defined(__x86_64__)
    if (wr_os_isa_level() == WR_OS_ISA_V4) return wri_nx_bid_columns_v4;
    if (wr_os_isa_level() == WR_OS_ISA_V3) return wri_nx_bid_columns_v3;
#endif
    return wri_nx_bid_columns_v1;
}

/* Global number (from 0) of the split's event `done`, and how many follow it in its block. */
static int64_t
number_of(const wri_nx_config *c, const wri_nx_split *s, int64_t *in_block)
{
    int64_t block = (int64_t)c->total * BLOCK_EPOCHS;
    int64_t k = s->done / block, o = s->done % block;
    *in_block = block - o;
    return (k * s->count + s->index) * block + o;
}

/* A person or auction: its own little stream of draws, from its id. */
static bool
rare_event(const wri_nx_config *c, const wri_nx_tables *t, const wri_nx_split *s, int64_t n,
           int64_t id, bool person, wri_nx_out *out, uint32_t row)
{
    uint64_t rng = wr_hash_u64((uint64_t)id + ((uint64_t)c->seed << 32));
    int64_t ts = c->base_time_ms + (int64_t)((double)n * s->delay_us) / 1000;
    wri_nx_ids ids = wri_nx_ids_of(c, id / c->total, id % c->total);
    if (person)
        return !out->person.v || wri_nx_person(c, t, &rng, ids, ts, &out->person, row, out->arena);
    int64_t later = n + 100ll * c->total / c->auction;
    int64_t horizon = c->base_time_ms + (int64_t)((double)later * s->delay_us) / 1000 - ts;
    return !out->auction.v ||
           wri_nx_auction(c, t, &rng, ids, ts, horizon, &out->auction, row, out->arena);
}

bool
wri_nx_counter(const wri_nx_config *c, const wri_nx_tables *t, wri_nx_split *s, wri_nx_out *out,
               uint32_t row, uint32_t count)
{
    wri_nx_bid_fn bids = best_fn();
    const int32_t first_bid = c->person + c->auction;
    while (count > 0) {
        int64_t in_block, n = 1 + number_of(c, s, &in_block), id = s->first_id + n;
        uint32_t run = (uint32_t)WR_MIN(in_block, (int64_t)count);
        wri_nx_bids b = {.first_id = id, .n0 = n, .row = row, .count = run};
        if (out->bid) bids(c, t, s->delay_us, &b, out->bid); /* under other events: garbage */
        for (uint32_t i = 0; i < run;) {
            int32_t rem = (int32_t)((id + i) % c->total), type = 2;
            uint32_t same = 1;
            if (rem >= first_bid) {
                same = WR_MIN((uint32_t)(c->total - rem), run - i);
                if (out->bid) wri_nx_mark(out->bid, row + i, same);
            } else {
                type = rem < c->person ? 0 : 1;
                if (!rare_event(c, t, s, n + i, id + i, type == 0, out, row + i)) return false;
            }
            for (uint32_t k = 0; out->type && k < same; k++) out->type[row + i + k] = type;
            i += same;
        }
        row += run;
        count -= run;
        s->done += run;
    }
    return true;
}

const wr_source_ops wri_nexmark_source = {
    .abi = WR_ABI,
    .name = "nexmark",
    .options = nexmark_options,
    .describe = nexmark_describe,
    .discover = wri_discover_shares,
    .open = nexmark_open,
    .add_split = nexmark_add_split,
    .no_more_splits = nexmark_no_more,
    .poll = nexmark_poll,
    .snapshot = nexmark_snapshot,
    .committed = wri_committed_nothing,
    .close = nexmark_close,
};
