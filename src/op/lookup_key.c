/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups by key. The keys of a batch that are not known are asked of the connector, each once, in
 * one question, or where the connector takes several at a time in several; the batch goes on when
 * all are answered, so rows come out in order and nothing is open at a barrier. A key without rows
 * may be asked again after a while (retry).
 *
 * Rows lie in a store, those of a key side by side. With lookup.cache = PARTIAL keys stay from
 * batch to batch until they expire or there are too many, those not used for longest first; without
 * they go with the next batch. What was found is no state: a restored job asks anew. */
#include "op/lookup_int.h"

#include "os/os.h"

#define DEAD_ROWS 4096u /* so many rows of keys that have gone are kept at least */
#define NONE      UINT32_MAX

static bool
never_quiet(void *arg)
{
    (void)arg;
    return false;
}

static void
no_wake(void *arg)
{
    (void)arg;
}

wr_status
wri_asker_open(wr_ctx *ctx, wri_asker *a, wr_op *op, const wr_lookup_spec *spec, wr_program *cond,
               wr_program *map)
{
    const wr_pnode *node = op->node, *right = spec->right;
    const wr_op_env *env = op->env;
    a->op = op;
    a->spec = spec;
    a->scan = right->kind == WR_P_CALC ? right->inputs[0] : right;
    a->cond = cond;
    a->map = map;
    a->env = (wr_source_env){.arena = env->arena,
                             .budget = env->budget,
                             .eval = env->eval,
                             .config = env->config,
                             .subtask = env->subtask,
                             .parallelism = env->parallelism,
                             .job = env->job,
                             .quiet = never_quiet,
                             .wake = no_wake};
    if (spec->async && spec->capacity == 0)
        return wr_raise(ctx, WR_OPTION,
                        "The number of concurrent async operation should be greater than 0.");
    a->keys = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, a->keys);
    wri_store_init(&a->store, op, &right->schema);
    WR_TRY(wri_keyspec_init(ctx, op, node->inputs[0], node->u.join.left_keys,
                            node->u.join.key_count, &a->key));
    return a->scan->u.scan.source->lookup_open(ctx, &a->scan->u.scan.spec, spec->ask_cols,
                                               spec->ask_count, &a->env, &a->lookup);
}

void
wri_asker_close(wri_asker *a)
{
    if (!a->op) return;
    wr_memtrack *m = a->op->env->budget;
    if (a->lookup) a->scan->u.scan.source->lookup_close(a->lookup);
    a->lookup = NULL;
    wr_mem_free(m, a->found, a->cap * sizeof *a->found);
    wr_mem_free(m, a->heads, a->heads ? (a->mask + 1) * sizeof *a->heads : 0);
    a->found = NULL;
    a->heads = NULL;
    wri_store_deinit(&a->store);
    wr_arena_destroy(a->keys);
    a->keys = NULL;
}

/* ---- keys that are known --------------------------------------------------------------------- */

static void
unlink_use(wri_asker *a, uint32_t at)
{
    wri_found *f = &a->found[at];
    if (f->newer)
        a->found[f->newer - 1].older = f->older;
    else
        a->newest = f->older;
    if (f->older)
        a->found[f->older - 1].newer = f->newer;
    else
        a->oldest = f->newer;
    f->newer = f->older = 0;
}

static void
link_use(wri_asker *a, uint32_t at)
{
    wri_found *f = &a->found[at];
    f->newer = 0;
    f->older = a->newest;
    if (a->newest) a->found[a->newest - 1].newer = at + 1;
    a->newest = at + 1;
    if (!a->oldest) a->oldest = at + 1;
}

static void
forget(wri_asker *a, uint32_t at)
{
    wri_found *f = &a->found[at];
    uint32_t *link = &a->heads[(uint32_t)f->hash & a->mask];
    while (*link != at + 1) link = &a->found[*link - 1].next;
    *link = f->next;
    unlink_use(a, at);
    a->dead_rows += f->count;
    f->next = a->free;
    a->free = at + 1;
    a->live--;
}

static void
forget_all(wri_asker *a)
{
    wri_store_clear(&a->store);
    if (a->heads) memset(a->heads, 0, (a->mask + 1) * sizeof *a->heads);
    a->count = a->free = a->live = a->newest = a->oldest = a->dead_rows = 0;
    wr_arena_reset(a->keys);
    a->key_bytes = 0;
}

static bool
has_expired(const wri_asker *a, const wri_found *f, int64_t now)
{
    const wr_lookup_spec *s = a->spec;
    if (s->expire_write_ms > 0 && now - f->written_ms >= s->expire_write_ms) return true;
    if (s->expire_access_ms > 0 && now - f->used_ms >= s->expire_access_ms) return true;
    return !s->cache_missing && !f->hit;
}

static wr_status
grow(wr_ctx *ctx, wri_asker *a)
{
    wr_memtrack *m = a->op->env->budget;
    const uint32_t cap = a->cap ? a->cap * 2 : 256;
    if (cap > 1u << 30) return wr_raise(ctx, WR_LIMIT, "more than a billion keys are kept");
    wri_found *more =
        wr_mem_realloc(m, a->found, a->cap * sizeof *more, (size_t)cap * sizeof *more);
    WR_TRY_ALLOC(ctx, more);
    a->found = more;
    a->cap = cap;
    uint32_t *heads = wr_mem_zalloc(m, (size_t)cap * 2 * sizeof *heads);
    WR_TRY_ALLOC(ctx, heads);
    wr_mem_free(m, a->heads, a->heads ? (a->mask + 1) * sizeof *heads : 0);
    a->heads = heads;
    a->mask = cap * 2 - 1;
    for (uint32_t at = a->newest; at; at = a->found[at - 1].older) { /* all that live */
        uint32_t *head = &heads[(uint32_t)a->found[at - 1].hash & a->mask];
        a->found[at - 1].next = *head;
        *head = at;
    }
    return WR_OK;
}

static uint32_t
find(const wri_asker *a, uint64_t hash, const uint8_t *key, uint32_t len)
{
    for (uint32_t at = a->heads ? a->heads[(uint32_t)hash & a->mask] : 0; at;
         at = a->found[at - 1].next) {
        const wri_found *f = &a->found[at - 1];
        if (f->hash == hash && f->key_len == len && (len == 0 || memcmp(f->key, key, len) == 0))
            return at - 1;
    }
    return NONE;
}

static wr_status
add(wr_ctx *ctx, wri_asker *a, uint64_t hash, const uint8_t *key, uint32_t len, uint32_t *out)
{
    if (!a->free && a->count == a->cap) WR_TRY(grow(ctx, a));
    uint8_t *copy = wr_arena_alloc(a->keys, len + 1);
    WR_TRY_ALLOC(ctx, copy);
    if (len) memcpy(copy, key, len);
    a->key_bytes += len;
    uint32_t at = a->count;
    if (a->free) {
        at = a->free - 1;
        a->free = a->found[at].next;
    } else {
        a->count++;
    }
    uint32_t *head = &a->heads[(uint32_t)hash & a->mask];
    a->found[at] = (wri_found){.hash = hash, .key = copy, .key_len = len, .next = *head};
    *head = at + 1;
    a->live++;
    link_use(a, at);
    *out = at;
    return WR_OK;
}

/* ---- making room ----------------------------------------------------------------------------- */

/* The rows of the keys that live into a new store, their keys into a new arena. */
static wr_status
move_live(wr_ctx *ctx, wri_asker *a, wri_store *to, wr_arena *keys)
{
    for (uint32_t at = a->oldest; at; at = a->found[at - 1].newer) {
        wri_found *f = &a->found[at - 1];
        uint8_t *key = wr_arena_alloc(keys, f->key_len + 1);
        WR_TRY_ALLOC(ctx, key);
        if (f->key_len) memcpy(key, f->key, f->key_len);
        f->key = key;
        const uint32_t first = to->rows;
        for (uint32_t done = 0; done < f->count;) {
            const uint32_t n = WR_MIN(f->count - done, WR_BATCH_ROWS);
            wr_batch *b = wr_batch_acquire(a->op->env->pool, a->store.schema->count);
            WR_TRY_ALLOC(ctx, b);
            uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * n);
            wr_status status = rows ? WR_OK : WRI_NOMEM(ctx);
            for (uint32_t i = 0; rows && i < n; i++) rows[i] = f->first + done + i;
            if (status == WR_OK)
                status = wri_store_gather(ctx, &a->store, rows, n, b->cols, b->arena);
            b->row_count = n;
            if (status == WR_OK) status = wri_store_append(ctx, to, b);
            wr_batch_release(b);
            WR_TRY(status);
            done += n;
        }
        f->first = first;
    }
    return WR_OK;
}

static wr_status
pack(wr_ctx *ctx, wri_asker *a)
{
    wri_store to;
    wr_arena *keys = wr_arena_create(a->op->env->budget, 0);
    WR_TRY_ALLOC(ctx, keys);
    wri_store_init(&to, a->op, a->store.schema);
    const wr_status status = move_live(ctx, a, &to, keys);
    if (status != WR_OK) { /* the job ends with this */
        wri_store_deinit(&to);
        wr_arena_destroy(keys);
        return status;
    }
    wri_store_deinit(&a->store);
    wr_arena_destroy(a->keys);
    a->store = to;
    a->keys = keys;
    a->dead_rows = 0;
    a->key_bytes = 0;
    return WR_OK;
}

/* Before a batch: what it may not find any more goes. */
static wr_status
make_room(wr_ctx *ctx, wri_asker *a)
{
    if (!a->spec->cached) {
        forget_all(a);
        return WR_OK;
    }
    while (a->spec->cache_rows > 0 && (int64_t)a->live > a->spec->cache_rows)
        forget(a, a->oldest - 1);
    const bool rows = a->dead_rows > DEAD_ROWS && a->dead_rows > a->store.rows / 2;
    const bool keys = a->key_bytes > 1u << 20 && a->key_bytes > (size_t)a->live * 64;
    return rows || keys ? pack(ctx, a) : WR_OK;
}

/* ---- a batch --------------------------------------------------------------------------------- */

static wr_status
want(wr_ctx *ctx, wri_asker *a, uint32_t at, uint32_t row, int64_t now)
{
    (void)ctx;
    wri_found *f = &a->found[at];
    if (f->wanted == a->serial) return WR_OK;
    f->wanted = a->serial;
    f->row = row;
    unlink_use(a, at);
    link_use(a, at);
    if (f->done && has_expired(a, f, now)) {
        a->dead_rows += f->count;
        f->count = 0;
        f->done = false;
    }
    f->used_ms = now;
    if (f->done) return WR_OK;
    f->tries = 0;
    f->ask_ms = 0;
    f->hit = false;
    a->todo[a->todo_count++] = at;
    return WR_OK;
}

wr_status
wri_asker_begin(wr_ctx *ctx, wri_asker *a, wr_batch *in, const bool *no_key, wr_arena *scratch)
{
    const uint32_t n = wr_batch_live(in);
    const int64_t now = *a->op->env->now_ms;
    wr_keys keys;
    WR_TRY(make_room(ctx, a));
    a->in = in;
    a->scratch = scratch;
    a->serial++;
    a->of_row = wr_arena_alloc(scratch, sizeof *a->of_row * (n + 1));
    a->todo = wr_arena_alloc(scratch, sizeof *a->todo * (n + 1));
    WR_TRY_ALLOC(ctx, a->of_row);
    WR_TRY_ALLOC(ctx, a->todo);
    a->todo_count = a->open_count = a->open_cap = 0;
    a->open = NULL;
    WR_TRY(wri_keys_make(ctx, &a->key, in, scratch, &keys));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t len = 0;
        const uint8_t *key = a->key.count ? wri_key_at(&keys, i, &len) : (const uint8_t *)"";
        const uint64_t hash = a->key.count ? keys.hash[i] : 0;
        a->of_row[i] = NONE;
        if (no_key[i]) continue;
        uint32_t at = find(a, hash, key, len);
        if (at == NONE) WR_TRY(add(ctx, a, hash, key, len, &at));
        a->of_row[i] = at;
        WR_TRY(want(ctx, a, at, wr_batch_row(in, i), now));
    }
    return WR_OK;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* The keys of a question as the connector wants them: columns of left rows, and constants. */
static wr_status
key_batch(wr_ctx *ctx, wri_asker *a, const wri_question *q, wr_batch **out)
{
    wr_batch *b = wr_batch_acquire(a->op->env->pool, a->spec->ask_count);
    WR_TRY_ALLOC(ctx, b);
    uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * (q->count + 1));
    bool ok = rows != NULL;
    for (uint32_t i = 0; ok && i < q->count; i++) rows[i] = a->found[q->found[i]].row;
    for (uint32_t k = 0; ok && k < a->spec->ask_count; k++) {
        const uint32_t pair = a->spec->ask_pair[k];
        ok = pair == WR_ASK_CONSTANT
                 ? wr_vec_init_const(&b->cols[k], &a->spec->ask_value[k], b->arena)
                 : wr_vec_gather(&b->cols[k], &a->in->cols[a->key.cols[pair]], rows, q->count,
                                 b->arena);
    }
    b->row_count = q->count;
    if (ok && wr_batch_keep(b, a->in)) {
        *out = b;
        return WR_OK;
    }
    wr_batch_release(b);
    return WRI_NOMEM(ctx);
}

static wr_status
ask(wr_ctx *ctx, wri_asker *a, uint32_t *found, uint32_t count, int64_t now)
{
    if (a->open_count == a->open_cap) {
        const uint32_t cap = a->open_cap ? a->open_cap * 2 : 8;
        wri_question *more = wr_arena_alloc(a->scratch, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (a->open_count) memcpy(more, a->open, sizeof *more * a->open_count);
        a->open = more;
        a->open_cap = cap;
    }
    const wri_question q = {.ticket = ++a->ticket,
                            .found = found,
                            .count = count,
                            .deadline_ms = a->spec->async ? now + a->spec->timeout_ms : INT64_MAX};
    wr_batch *keys = NULL;
    WR_TRY(key_batch(ctx, a, &q, &keys));
    WR_TRY(a->scan->u.scan.source->lookup_ask(ctx, a->lookup, keys, q.ticket));
    a->open[a->open_count++] = q;
    return WR_OK;
}

/* Those whose time has come, in as many questions as may be open. *next_ms: when others are due. */
static wr_status
ask_due(wr_ctx *ctx, wri_asker *a, int64_t now, int64_t *next_ms)
{
    const uint32_t limit = a->spec->async ? WR_MAX(a->spec->capacity, 1u) : 1;
    uint32_t due = 0, left = 0;
    if (a->open_count >= limit || a->todo_count == 0) return WR_OK;
    uint32_t *list = wr_arena_alloc(a->scratch, sizeof *list * a->todo_count);
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t i = 0; i < a->todo_count; i++) {
        const wri_found *f = &a->found[a->todo[i]];
        if (f->ask_ms <= now) {
            list[due++] = a->todo[i];
            continue;
        }
        *next_ms = WR_MIN(*next_ms, f->ask_ms);
        a->todo[left++] = a->todo[i];
    }
    a->todo_count = left;
    const uint32_t questions = limit - a->open_count, size = (due + questions - 1) / questions;
    for (uint32_t i = 0; i < due; i += size)
        WR_TRY(ask(ctx, a, list + i, WR_MIN(size, due - i), now));
    return WR_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Live rows of `b` belong to the keys owner[row] of the question; they go into the store. */
static wr_status
keep_rows(wr_ctx *ctx, wri_asker *a, const wri_question *q, const wr_batch *b,
          const uint32_t *owner)
{
    uint32_t at = a->store.rows;
    WR_FOR_ROWS (b, row) {
        wri_found *f = &a->found[q->found[owner[row]]];
        if (f->count++ == 0) f->first = at;
        at++;
    }
    return wri_store_append(ctx, &a->store, b);
}

static wr_status
keep_calculated(wr_ctx *ctx, wri_asker *a, const wri_question *q, wr_batch *in,
                const uint32_t *owner)
{
    wr_batch *b = wr_batch_acquire(a->op->env->pool, a->store.schema->count);
    WR_TRY_ALLOC(ctx, b);
    uint32_t n = in->row_count;
    wr_status status = WR_OK;
    b->row_count = n;
    if (a->cond) {
        uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1));
        status =
            sel ? wr_program_filter(ctx, a->cond, in, NULL, n, b->arena, sel, &n) : WRI_NOMEM(ctx);
        b->sel = sel;
        b->sel_count = n;
    }
    if (status == WR_OK && n)
        status = wr_program_run(ctx, a->map, in, b->sel, n, b->arena, b->cols);
    if (status == WR_OK && n) status = keep_rows(ctx, a, q, b, owner);
    wr_batch_release(b);
    return status;
}

static wr_status
take_rows(wr_ctx *ctx, wri_asker *a, const wri_question *q, wr_batch *b, const uint32_t *owner)
{
    for (uint32_t i = 0; i < b->row_count; i++) {
        if (owner[i] >= q->count || b->sel)
            return wr_raise(ctx, WR_INTERNAL, "an answer has rows of no key");
        a->found[q->found[owner[i]]].hit = true;
    }
    if (b->row_count == 0) return WR_OK;
    return a->map ? keep_calculated(ctx, a, q, b, owner) : keep_rows(ctx, a, q, b, owner);
}

static void
close_question(wri_asker *a, wri_question *q)
{
    const int64_t now = wr_os_now_ns() / 1000000;
    for (uint32_t i = 0; i < q->count; i++) {
        wri_found *f = &a->found[q->found[i]];
        if (!f->hit && f->tries < a->spec->retries) {
            f->tries++;
            f->ask_ms = now + a->spec->retry_ms;
            a->todo[a->todo_count++] = q->found[i];
            continue;
        }
        f->done = true;
        f->written_ms = *a->op->env->now_ms;
    }
    *q = a->open[--a->open_count];
}

static wri_question *
question_of(wri_asker *a, uint64_t ticket)
{
    for (uint32_t i = 0; i < a->open_count; i++)
        if (a->open[i].ticket == ticket) return &a->open[i];
    return NULL;
}

static wr_status
take_answer(wr_ctx *ctx, wri_asker *a, wr_answer *out)
{
    wr_batch *b = wr_batch_acquire(a->op->env->pool, a->scan->schema.count);
    WR_TRY_ALLOC(ctx, b);
    uint32_t *owner = wr_arena_alloc(b->arena, sizeof *owner * WR_BATCH_ROWS);
    wr_status status = owner ? WR_OK : WRI_NOMEM(ctx);
    if (status == WR_OK)
        status =
            a->scan->u.scan.source->lookup_answer(ctx, a->lookup, b, owner, WR_BATCH_ROWS, out);
    wri_question *q = status == WR_OK && out->have ? question_of(a, out->ticket) : NULL;
    if (status == WR_OK && out->have && !q)
        status = wr_raise(ctx, WR_INTERNAL, "an answer belongs to no question");
    if (q) status = take_rows(ctx, a, q, b, owner);
    wr_batch_release(b);
    if (status == WR_OK && q && out->complete) close_question(a, q);
    return status;
}

static wr_status
check_time(wr_ctx *ctx, const wri_asker *a, int64_t now, int64_t *next_ms)
{
    for (uint32_t i = 0; i < a->open_count; i++) {
        *next_ms = WR_MIN(*next_ms, a->open[i].deadline_ms);
        if (a->open[i].deadline_ms <= now)
            return wr_raise(ctx, WR_IO,
                            "Async function call has timed out: table '%.*s' has not answered "
                            "within %lld ms",
                            WR_STR_ARG(a->scan->u.scan.spec.table->id.name),
                            (long long)a->spec->timeout_ms);
    }
    return WR_OK;
}

wr_status
wri_asker_step(wr_ctx *ctx, wri_asker *a, bool *done, int64_t *again_ms)
{
    *again_ms = INT64_MAX;
    for (;;) {
        const int64_t now = wr_os_now_ns() / 1000000;
        wr_answer answer = {0};
        WR_TRY(ask_due(ctx, a, now, again_ms));
        *done = a->open_count == 0 && a->todo_count == 0;
        if (*done) break;
        if (a->open_count == 0) return WR_OK; /* all wait to be asked again */
        WR_TRY(take_answer(ctx, a, &answer));
        if (answer.have) continue;
        WR_TRY(check_time(ctx, a, now, again_ms));
        *again_ms = WR_MIN(*again_ms, WR_MAX(answer.wake_at_ms, now + 1));
        return WR_OK;
    }
    a->in = NULL;
    wr_batch_release(a->store.holder);
    a->store.holder = NULL;
    return wri_store_freeze(ctx, &a->store);
}
