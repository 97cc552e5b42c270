/* SPDX-License-Identifier: Apache-2.0 */
/* 'datagen': rows made up, as Flink's connector makes them. Which option keys exist depends on the
 * columns' types ('fields.a.min', 'fields.r.x.length', 'fields.m.key.length'), so the keys are
 * checked here, while the tree of generators is built.
 *
 * Rows are dealt out to splits "index/count", one per subtask at the start: number-of-rows and
 * rows-per-second are divided, sequences are interleaved. A sequence ends the source when its last
 * value has come. After a restore the splits stay what they were, however many readers there are.
 */
#include "connector/datagen_int.h"
#include "os/os.h"
#include "types/datetime.h"

static const wr_option_def datagen_options[] = {
    {"rows-per-second", WR_OPT_LONG, "10000", NULL, 0, "Rows per second of all subtasks."},
    {"number-of-rows", WR_OPT_LONG, NULL, NULL, 0, "How many rows; without, no end."},
    {"scan.parallelism", WR_OPT_INT, NULL, NULL, 0, "Parallelism of the source."},
    {"fields.#.kind", WR_OPT_STRING, "random", NULL, 0, "'random' or 'sequence'."},
    {"fields.#.min", WR_OPT_STRING, NULL, NULL, 0, "Least value of random numbers."},
    {"fields.#.max", WR_OPT_STRING, NULL, NULL, 0, "Greatest value of random numbers."},
    {"fields.#.max-past", WR_OPT_DURATION, NULL, NULL, 0,
     "How far before now a random timestamp may lie."},
    {"fields.#.length", WR_OPT_INT, "100", NULL, 0,
     "Length of random texts and bytes, or number of elements (3)."},
    {"fields.#.var-len", WR_OPT_BOOL, "false", NULL, 0, "Lengths vary up to 'length'."},
    {"fields.#.start", WR_OPT_STRING, NULL, NULL, 0, "First value of a sequence."},
    {"fields.#.end", WR_OPT_STRING, NULL, NULL, 0, "Last value of a sequence."},
    {"fields.#.null-rate", WR_OPT_FLOAT, "0.0", NULL, 0, "Share of values that are NULL."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

typedef WR_LIST(wr_str) key_list;

typedef struct building { /* generators being made */
    wr_ctx *ctx;
    const wr_options *options;
    wr_arena *arena;
    key_list keys; /* option keys that mean something here */
} building;

/* The option 'fields.<path>.<what>'; NULL when not written. Remembers the key. */
static wr_status
option_of(building *b, wr_str path, const char *what, const wr_option **out)
{
    wr_str key = wr_arena_printf(b->arena, "fields.%.*s.%s", WR_STR_ARG(path), what);
    WR_TRY_ALLOC(b->ctx, key.ptr);
    if (!wr_list_push(b->arena, &b->keys, key)) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    *out = wr_options_find(b->options, key.ptr);
    return WR_OK;
}

static wr_status
value_of(building *b, wr_str path, const char *what, wr_option_type type, wr_option_value *out)
{
    const wr_option *o;
    memset(out, 0, sizeof *out);
    WR_TRY(option_of(b, path, what, &o));
    if (!o) return WR_OK;
    char *key = wr_arena_dup(b->arena, o->key.ptr, o->key.len);
    WR_TRY_ALLOC(b->ctx, key);
    wr_option_def def = {key, type, NULL, NULL, 0, NULL};
    return wr_option_parse(b->ctx, &def, o->value, o->span, out);
}

static wr_status
make_sequence(building *b, wri_gen *g, wr_str path)
{
    static const char *const what[] = {"start", "end"};
    for (int i = 0; i < 2; i++) {
        wr_option_value v;
        WR_TRY(value_of(b, path, what[i], WR_OPT_LONG, &v));
        if (!v.set)
            return wr_raise(b->ctx, WR_OPTION,
                            "Could not find required property 'fields.%.*s.%s' for sequence "
                            "generator.",
                            WR_STR_ARG(path), what[i]);
        *(i ? &g->max : &g->min) = v.i;
    }
    g->sequence = true;
    /* Flink counts |end - start + 1| values up from the start, also when the end lies before it. */
    if (g->max < g->min) {
        uint64_t count = (uint64_t)g->min - (uint64_t)g->max - 1;
        if (__builtin_add_overflow(g->min, (int64_t)count - 1, &g->max)) g->max = INT64_MAX;
    }
    return WR_OK;
}

static wr_status
check_bounds(building *b, double min, double max, const wr_option_value *lo,
             const wr_option_value *hi)
{
    if (min <= max) return WR_OK;
    wr_str l = lo->set ? lo->text : WR_STR("default"), h = hi->set ? hi->text : WR_STR("default");
    return wr_raise(b->ctx, WR_OPTION,
                    "lower bound (%.*s) must be strictly less than upper bound (%.*s)",
                    WR_STR_ARG(l), WR_STR_ARG(h));
}

static wr_status
make_integer(building *b, wri_gen *g, wr_str path, int64_t least, int64_t most)
{
    wr_option_value lo, hi;
    WR_TRY(value_of(b, path, "min", WR_OPT_LONG, &lo));
    WR_TRY(value_of(b, path, "max", WR_OPT_LONG, &hi));
    g->min = lo.set ? WR_MAX(lo.i, least) : least;
    g->max = hi.set ? WR_MIN(hi.i, most) : most;
    return g->min <= g->max ? WR_OK : check_bounds(b, 1, 0, &lo, &hi);
}

static wr_status
make_real(building *b, wri_gen *g, wr_str path, double least, double most)
{
    wr_option_value lo, hi;
    WR_TRY(value_of(b, path, "min", WR_OPT_DOUBLE, &lo));
    WR_TRY(value_of(b, path, "max", WR_OPT_DOUBLE, &hi));
    g->fmin = lo.set ? lo.f : least;
    g->fmax = hi.set ? hi.f : most;
    return check_bounds(b, g->fmin, g->fmax, &lo, &hi);
}

static wr_status
make_string(building *b, wri_gen *g, wr_str path)
{
    const wr_type *t = g->type;
    wr_option_value len, var;
    bool fixed = t->id == WR_T_CHAR || t->id == WR_T_BINARY;
    WR_TRY(value_of(b, path, "length", WR_OPT_INT, &len));
    g->length = len.set ? len.i : WR_MIN(t->length, 100);
    if (fixed) {
        g->length = t->length;
        if (len.set)
            return wr_raise(b->ctx, WR_OPTION,
                            "Custom length for fixed-length type (CHAR/BINARY) field '%.*s' is not "
                            "supported.",
                            WR_STR_ARG(path));
        return WR_OK;
    }
    WR_TRY(value_of(b, path, "var-len", WR_OPT_BOOL, &var));
    g->var_len = var.i != 0;
    if (g->length > t->length)
        return wr_raise(b->ctx, WR_OPTION,
                        "Custom length '%lld' for variable-length type (VARCHAR/STRING/VARBINARY/"
                        "BYTES) field '%.*s' should be shorter than '%d' defined in the schema.",
                        (long long)g->length, WR_STR_ARG(path), t->length);
    if (g->length <= 0) return wr_raise(b->ctx, WR_OPTION, "length (%lld)", (long long)g->length);
    return WR_OK;
}

static wr_status make_generator(building *b, wri_gen *g, const wr_type *t, wr_str path, bool top);

static wr_status
make_kid(building *b, wri_gen *kid, const wr_type *t, wr_str path, wr_str name)
{
    wr_str p = wr_arena_printf(b->arena, "%.*s.%.*s", WR_STR_ARG(path), WR_STR_ARG(name));
    WR_TRY_ALLOC(b->ctx, p.ptr);
    return make_generator(b, kid, t, p, false);
}

static wr_status
make_nested(building *b, wri_gen *g, wr_str path)
{
    const wr_type *t = g->type;
    bool row = t->id == WR_T_ROW || t->id == WR_T_STRUCTURED;
    wr_option_value len;
    g->kid_count = row ? t->field_count : t->id == WR_T_ARRAY ? 1 : 2;
    g->kids = WR_NEW_N(b->arena, wri_gen, g->kid_count ? g->kid_count : 1);
    WR_TRY_ALLOC(b->ctx, g->kids);
    if (row) {
        for (uint32_t i = 0; i < t->field_count; i++)
            WR_TRY(make_kid(b, &g->kids[i], t->fields[i].type, path, t->fields[i].name));
        return WR_OK;
    }
    WR_TRY(value_of(b, path, "length", WR_OPT_INT, &len));
    g->length = len.set ? len.i : 3;
    if (g->length < 0 || g->length > 1000000)
        return wr_raise(b->ctx, WR_OPTION, "length (%lld)", (long long)g->length);
    if (t->id == WR_T_MAP) {
        WR_TRY(make_kid(b, &g->kids[0], t->fields[0].type, path, WR_STR("key")));
        return make_kid(b, &g->kids[1], t->fields[1].type, path, WR_STR("value"));
    }
    if (t->id == WR_T_MULTISET)
        g->kids[1] = (wri_gen){.type = wr_type_of(WR_T_INT, false), .min = 1, .max = 10};
    return make_kid(b, &g->kids[0], t->fields[0].type, path, WR_STR("element"));
}

static wr_status
raise_type(building *b, const wr_type *t)
{
    wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, b->arena);
    return wr_raise(b->ctx, WR_UNSUPPORTED, "Unsupported type: %.*s", WR_STR_ARG(s));
}

static wr_status
make_random(building *b, wri_gen *g, wr_str path)
{
    wr_option_value v;
    switch ((wr_type_id)g->type->id) {
    case WR_T_BOOLEAN:
    case WR_T_DATE:
    case WR_T_TIME:
        return WR_OK;
    case WR_T_TINYINT:
        return make_integer(b, g, path, INT8_MIN, INT8_MAX);
    case WR_T_SMALLINT:
        return make_integer(b, g, path, INT16_MIN, INT16_MAX);
    case WR_T_INT:
        return make_integer(b, g, path, INT32_MIN, INT32_MAX);
    case WR_T_BIGINT:
    case WR_T_INTERVAL_DT:
        return make_integer(b, g, path, INT64_MIN, INT64_MAX);
    case WR_T_INTERVAL_YM:
        return make_integer(b, g, path, 0, 120000);
    case WR_T_FLOAT:
        return make_real(b, g, path, 0x1p-149, 0x1.fffffep127);
    case WR_T_DOUBLE:
    case WR_T_DECIMAL:
        return make_real(b, g, path, 0x1p-1074, 0x1.fffffffffffffp1023);
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
        return make_string(b, g, path);
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        WR_TRY(value_of(b, path, "max-past", WR_OPT_DURATION, &v));
        g->max_past_ms = v.i;
        return WR_OK;
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        return make_nested(b, g, path);
    case WR_T_NULL:
    case WR_T_RAW:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        break;
    }
    return raise_type(b, g->type);
}

static bool
may_be_sequence(const wr_type *t)
{
    return (t->id >= WR_T_TINYINT && t->id <= WR_T_VARCHAR) || t->id == WR_T_DECIMAL;
}

static wr_status
make_generator(building *b, wri_gen *g, const wr_type *t, wr_str path, bool top)
{
    const wr_option *kind = NULL;
    wr_option_value v;
    g->type = t;
    if (top) WR_TRY(option_of(b, path, "kind", &kind));
    bool sequence = kind && wr_str_eq_c(kind->value, "sequence");
    if (kind && !sequence && !wr_str_eq_c(kind->value, "random"))
        return wr_raise_at(b->ctx, WR_OPTION, kind->span, "Unsupported generator kind: %.*s",
                           WR_STR_ARG(kind->value));
    if (sequence) {
        if (may_be_sequence(t)) return make_sequence(b, g, path);
        return raise_type(b, t);
    }
    WR_TRY(make_random(b, g, path));
    WR_TRY(value_of(b, path, "null-rate", WR_OPT_FLOAT, &v));
    g->null_rate = v.f;
    return WR_OK;
}

/* Keys that no column knows. */
static wr_status
check_keys(building *b)
{
    static const char *const common[] = {"connector", "rows-per-second", "number-of-rows",
                                         "scan.parallelism"};
    key_list bad = {0};
    wr_span span = WR_NO_SPAN;
    bool ok = true;
    for (uint32_t i = 0; i < WR_COUNT(common) && ok; i++)
        ok = wr_list_push(b->arena, &b->keys, wr_str_c(common[i]));
    for (uint32_t i = 0; i < b->options->count && ok; i++) {
        const wr_option *o = &b->options->items[i];
        bool known = wr_option_def_find(wr_table_options, o->key) != NULL;
        for (uint32_t k = 0; k < b->keys.count && !known; k++)
            known = wr_str_eq(b->keys.items[k], o->key);
        if (known) continue;
        if (bad.count == 0) span = o->span;
        ok = wr_list_push(b->arena, &bad, o->key);
    }
    if (!ok) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    if (bad.count == 0) return WR_OK;
    return wr_options_unsupported(b->ctx, "datagen", bad.items, bad.count, b->keys.items,
                                  b->keys.count, span);
}

static wr_status
make_generators(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options, wr_arena *a,
                wri_gen **out, uint32_t *count)
{
    building b = {.ctx = ctx, .options = options, .arena = a};
    wri_gen *gens = WR_NEW_N(a, wri_gen, table->column_count ? table->column_count : 1);
    WR_TRY_ALLOC(ctx, gens);
    *count = 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        const wr_column *c = &table->columns[i];
        if (c->kind != WR_COL_PHYSICAL) continue;
        WR_TRY(make_generator(&b, &gens[*count], c->type, c->name, true));
        ++*count;
    }
    *out = gens;
    return check_keys(&b);
}

static wr_status
datagen_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                 const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    wri_gen *gens;
    uint32_t count;
    wr_option_value rows;
    WR_TRY(make_generators(ctx, table, options, arena, &gens, &count));
    WR_TRY(wr_options_get(ctx, options, datagen_options, "number-of-rows", &rows));
    WR_TRY(wri_option_parallelism(ctx, table, options, datagen_options, "scan.parallelism",
                                  &out->parallelism));
    out->bounded = rows.set;
    out->changelog = WR_CL_INSERT_ONLY;
    out->can_skip = out->can_limit = true;
    out->row_count = rows.set ? rows.i : -1;
    out->replayable = true;
    return WR_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct gen_split { /* the rows index, index + count, ... of the stream */
    uint32_t index, count;
    int64_t rows, done;       /* rows INT64_MAX: no end */
    int64_t base, started_ms; /* rows that were done when this reader started on it, and when */
    double rate;              /* rows per ms */
    uint64_t rng;
} gen_split;

typedef struct datagen_reader { /* wr_reader */
    const wr_source_spec *spec;
    const wr_source_env *env;
    wri_gen *gens;
    uint32_t gen_count;
    int64_t rows, rate; /* of all splits: INT64_MAX no end; per second */
    int64_t rows_left;  /* limit; -1 = none */
    WR_LIST(gen_split) splits;
    uint32_t next; /* the split whose turn it is */
    bool no_more;
} datagen_reader;

/* Share of split i when n things are dealt out in turn. */
static int64_t
share(int64_t n, uint32_t index, uint32_t count)
{
    return n / count + (n % count > (int64_t)index ? 1 : 0);
}

static wr_status
datagen_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    datagen_reader *r = WR_NEW(env->arena, datagen_reader);
    WR_TRY_ALLOC(ctx, r);
    wr_option_value rows, rate;
    r->spec = spec;
    r->env = env;
    r->rows_left = spec->limit;
    WR_TRY(make_generators(ctx, spec->table, &spec->options, env->arena, &r->gens, &r->gen_count));
    WR_TRY(wr_options_get(ctx, &spec->options, datagen_options, "number-of-rows", &rows));
    WR_TRY(wr_options_get(ctx, &spec->options, datagen_options, "rows-per-second", &rate));
    if (rate.i < 1)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(&spec->options, "rows-per-second")->span,
                           "option 'rows-per-second' must be positive, but was %lld",
                           (long long)rate.i);
    r->rate = rate.i;
    r->rows = rows.set ? WR_MAX(rows.i, 0) : INT64_MAX;
    for (uint32_t i = 0; i < r->gen_count; i++) {
        const wri_gen *g = &r->gens[i];
        if (!g->sequence) continue;
        uint64_t last = (uint64_t)g->max - (uint64_t)g->min;
        int64_t n = g->max < g->min ? 0 : (int64_t)WR_MIN(last, (uint64_t)INT64_MAX - 2) + 1;
        r->rows = WR_MIN(r->rows, n);
    }
    *out = (wr_reader *)r;
    return WR_OK;
}

static wr_status
datagen_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    datagen_reader *r = (datagen_reader *)reader;
    gen_split s = {0};
    int64_t n[2] = {0, 0}; /* rows done; the state of the random numbers */
    uint32_t got;
    if (!wri_split_of(split, &s.index, &s.count))
        return wr_raise(ctx, WR_CORRUPT, "malformed split '%.*s'", WR_STR_ARG(split));
    WR_TRY(wri_position_get(ctx, split, position, n, 2, &got));
    s.rows = r->rows == INT64_MAX ? INT64_MAX : share(r->rows, s.index, s.count);
    s.rate = (double)r->rate / 1000.0 / s.count;
    s.done = s.base = WR_MAX(n[0], 0);
    s.rng = got == 2 ? (uint64_t)n[1] : wr_hash_u64(wr_os_seed() + s.index);
    if (!wr_list_push(r->env->arena, &r->splits, s))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
datagen_no_more(wr_ctx *ctx, wr_reader *reader)
{
    (void)ctx;
    ((datagen_reader *)reader)->no_more = true;
    return WR_OK;
}

/* How many rows may come now, by the rate; a tenth of a second ahead at the start. */
static int64_t
allowed(const gen_split *s, int64_t now_ms)
{
    double due = s->rate * (double)(now_ms - s->started_ms) + WR_MAX(s->rate * 100, 1);
    return due >= 9e18 ? INT64_MAX : (int64_t)due - (s->done - s->base);
}

/* Rows of a split that may come now. */
static int64_t
rows_due(gen_split *s, int64_t now_ms)
{
    if (s->started_ms == 0) s->started_ms = now_ms;
    return WR_MIN(s->rows - s->done, allowed(s, now_ms));
}

static bool
is_over(const datagen_reader *r)
{
    for (uint32_t i = 0; i < r->splits.count; i++)
        if (r->splits.items[i].done < r->splits.items[i].rows) return r->rows_left == 0;
    return r->splits.count > 0 || r->no_more;
}

/* The next split in turn that may give rows; NULL: none now. */
static gen_split *
choose(datagen_reader *r, int64_t now_ms, int64_t *rows)
{
    for (uint32_t i = 0; i < r->splits.count; i++) {
        gen_split *s = &r->splits.items[(r->next + i) % r->splits.count];
        *rows = rows_due(s, now_ms);
        if (*rows <= 0) continue;
        r->next = (r->next + i + 1) % r->splits.count;
        return s;
    }
    return NULL;
}

static wr_status
generate(wr_ctx *ctx, datagen_reader *r, gen_split *s, wr_batch *fill, uint32_t n)
{
    wri_gen_run run = {.rng = s->rng,
                       .row = s->done,
                       .subtask = s->index,
                       .parallelism = s->count,
                       .arena = fill->arena,
                       .now_ms = wr_os_wall_ms()};
    run.local_ms = wr_tz_to_local(r->env->eval ? r->env->eval->tz : NULL, run.now_ms);
    if (!wr_batch_init_flat(fill, &r->spec->columns, n))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t c = 0; c < r->spec->columns.count; c++)
        if (!wri_gen_fill(&r->gens[r->spec->physical[c]], &run, &fill->cols[c], n))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    fill->row_count = n;
    s->rng = run.rng;
    s->done += n;
    return WR_OK;
}

static wr_status
datagen_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    datagen_reader *r = (datagen_reader *)reader;
    const int64_t now = wr_os_now_ns() / 1000000;
    int64_t n = 0;
    *out = (wr_poll){.kind = WR_POLL_END, .fd = -1};
    if (is_over(r)) return WR_OK;
    gen_split *s = choose(r, now, &n);
    if (!s) {
        const double rate = r->splits.count ? r->splits.items[0].rate : 0;
        out->kind = WR_POLL_PENDING;
        out->wake_at_ms = now + (rate > 0 ? (int64_t)WR_MIN(1.0 / rate, 1000.0) : 1000) + 1;
        return WR_OK;
    }
    n = WR_MIN(n, (int64_t)max_rows);
    if (r->rows_left > 0) n = WR_MIN(n, r->rows_left);
    WR_TRY(generate(ctx, r, s, fill, (uint32_t)n));
    if (r->rows_left > 0) r->rows_left -= n;
    out->split = (uint32_t)(s - r->splits.items);
    out->kind = is_over(r) ? WR_POLL_END : WR_POLL_READY;
    return WR_OK;
}

static wr_status
datagen_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const datagen_reader *r = (const datagen_reader *)reader;
    for (uint32_t i = 0; i < r->splits.count; i++) {
        const gen_split *s = &r->splits.items[i];
        const int64_t n[] = {s->done, (int64_t)s->rng};
        if (s->done >= s->rows) continue;
        WR_TRY(wri_share_put(ctx, out, s->index, s->count, n, 2));
    }
    return WR_OK;
}

static void
datagen_close(wr_reader *r)
{
    (void)r;
}

const wr_source_ops wri_datagen_source = {
    .abi = WR_ABI,
    .name = "datagen",
    .options = datagen_options,
    .describe = datagen_describe,
    .discover = wri_discover_shares,
    .open = datagen_open,
    .add_split = datagen_add_split,
    .no_more_splits = datagen_no_more,
    .poll = datagen_poll,
    .snapshot = datagen_snapshot,
    .committed = wri_committed_nothing,
    .close = datagen_close,
};
