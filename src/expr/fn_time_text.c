/* SPDX-License-Identifier: Apache-2.0 */
/* Times to text and back: DATE_FORMAT, TO_DATE, TO_TIMESTAMP, TO_TIMESTAMP_LTZ, FROM_UNIXTIME,
 * UNIX_TIMESTAMP, CONVERT_TZ. A constant pattern is compiled once; a pattern that varies is
 * compiled when it changes, in an arena of its own. Task arena; one thread. */
#include "expr/time_int.h"
#include "os/os.h"
#include "types/decimal.h"
#include <math.h>

#define DEFAULT_PATTERN WR_STR("yyyy-MM-dd HH:mm:ss")

typedef struct pattern_state {
    const wri_pattern *pattern, *standard; /* standard: yyyy-MM-dd HH:mm:ss */
    bool constant;
    char why[WR_WHY_MAX]; /* pattern is NULL: why */
    wr_arena *scratch;    /* of a varying pattern */
    wr_str text;          /* what `pattern` was made from */
    wr_tz_cache zones;
    const wr_tz *zone; /* of a constant zone argument */
    bool zone_constant;
} pattern_state;

static void
destroy_scratch(void *arg)
{
    wr_arena_destroy(arg);
}

/* Functions of java.time: patterns of the MODERN dialect. */
static wri_dialect
dialect_of(const wr_expr *call)
{
    const char *name = call->fn->name;
    if (strcmp(name, "DATE_FORMAT") == 0)
        return wr_type_is_string(call->args[0]->type) ? WRI_PATTERN_SIMPLE : WRI_PATTERN_MODERN;
    return strncmp(name, "TO_TIMESTAMP", 12) == 0 ? WRI_PATTERN_MODERN : WRI_PATTERN_SIMPLE;
}

wr_status
wri_p_pattern(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
              void **state_out)
{
    (void)env;
    pattern_state *s = WR_NEW(arena, pattern_state);
    WR_TRY_ALLOC(ctx, s);
    *state_out = s;
    s->zones.arena = arena;
    char why[WR_WHY_MAX];
    const wri_dialect d = dialect_of(call);
    WR_TRY(wri_pattern_compile(ctx, arena, DEFAULT_PATTERN, d, &s->standard, why));
    wr_str text = DEFAULT_PATTERN, zone;
    if (call->arg_count < 2 || wri_const_str(call, 1, &text)) {
        s->constant = true;
        WR_TRY(wri_pattern_compile(ctx, arena, text, d, &s->pattern, s->why));
    } else {
        s->scratch = wr_arena_create(NULL, 4096);
        WR_TRY_ALLOC(ctx, s->scratch);
        wr_arena_defer(arena, destroy_scratch, s->scratch);
    }
    if (call->arg_count == 3 && wri_const_str(call, 2, &zone)) {
        s->zone_constant = true;
        WR_TRY(wr_tz_cache_find(ctx, &s->zones, zone, &s->zone));
    }
    return WR_OK;
}

/* The pattern for a row; NULL: malformed (s->why). */
static wr_status
pattern_for(wr_fn_call *call, pattern_state *s, const wr_view *w, uint32_t row,
            const wri_pattern **out)
{
    *out = s->pattern;
    if (s->constant) return WR_OK;
    const wr_str text = wr_view_str(w, row);
    if (!s->text.ptr || !wr_str_eq(s->text, text)) {
        wr_arena_reset(s->scratch);
        s->text = wr_arena_str(s->scratch, text);
        WR_TRY_ALLOC(call->ctx, s->text.ptr);
        WR_TRY(wri_pattern_compile(call->ctx, s->scratch, text, dialect_of(call->expr), &s->pattern,
                                   s->why));
    }
    *out = s->pattern;
    return WR_OK;
}

static wr_view
pattern_view(const wr_fn_call *call)
{
    return call->arg_count > 1 ? wri_view(call, 1) : (wr_view){0};
}

static const wr_tz *
session_tz(const wr_fn_call *call)
{
    return call->env ? call->env->tz : NULL;
}

static void
bad_pattern(wr_fn_call *call, const pattern_state *s, uint32_t row)
{
    wr_row_err(call->errs, row, WR_DATA, "%s", s->why);
    wri_null(call, row);
}

static wr_status
print_row(wr_fn_call *call, const wri_pattern *p, wr_ts local, const wr_tz *tz, uint32_t row)
{
    char text[WRI_PATTERN_TEXT_MAX], why[WR_WHY_MAX];
    uint32_t n;
    if (wri_pattern_print(p, local, tz, text, &n, why)) return wri_put_str(call, row, text, n);
    wr_row_err(call->errs, row, WR_DATA, "%s", why);
    wri_null(call, row);
    return WR_OK;
}

/* ---- DATE_FORMAT ----------------------------------------------------------------------------- */
wr_status
wri_r_date_format(wr_ctx *ctx, wr_fn_bind *b)
{
    if (b->arg_types[0]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_TIMESTAMP));
    if (b->arg_types[1]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 1, WR_T_VARCHAR));
    const wr_type *t = b->arg_types[0];
    const bool stamp = t->id == WR_T_TIMESTAMP || t->id == WR_T_TIMESTAMP_LTZ;
    if ((!stamp && !wr_type_is_string(t)) || !wr_type_is_string(b->arg_types[1]))
        return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_string(true), true);
}

wr_status
wri_k_date_format(wr_fn_call *call)
{
    pattern_state *s = call->state;
    const wr_view v = wri_view(call, 0), f = pattern_view(call);
    const wr_type *t = call->expr->args[0]->type;
    const bool text = wr_type_is_string(t);
    const int64_t step = s->constant && s->pattern ? wri_pattern_step_ms(s->pattern) : 0;
    int64_t from = INT64_MAX; /* the texts of [from, from + step) are that of row `like` */
    uint32_t like = 0;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wri_pattern *p;
        wr_ts local;
        WR_TRY(pattern_for(call, s, &f, row, &p));
        if (!p) {
            bad_pattern(call, s, row);
            continue;
        }
        if (!text) {
            local = wri_local_of(call->env, &v, t, call->args[0]->phys, row);
        } else if (!wri_pattern_parse(s->standard, wr_view_str(&v, row), NULL, &local)) {
            wri_null(call, row);
            continue;
        }
        if (local.ms >= from && local.ms - from < step) {
            WRI_OUT(call, wr_strv)[row] = WRI_OUT(call, wr_strv)[like];
            continue;
        }
        WR_TRY(print_row(call, p, local, NULL, row));
        if (step) {
            from = wr_floor_div(local.ms, step) * step;
            like = row;
        }
    }
    return WR_OK;
}

/* ---- TO_DATE --------------------------------------------------------------------------------- */
wr_status
wri_k_to_date(wr_fn_call *call)
{
    pattern_state *s = call->state;
    const wr_view v = wri_view(call, 0), f = pattern_view(call);
    int32_t *out = call->out->data;
    char why[WR_WHY_MAX];
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_str text = wr_view_str(&v, row);
        if (call->arg_count == 1) {
            if (!wr_date_parse(text, &out[row], why)) wri_null(call, row);
            continue;
        }
        const wri_pattern *p;
        wr_ts local;
        WR_TRY(pattern_for(call, s, &f, row, &p));
        if (!p)
            bad_pattern(call, s, row);
        else if (wri_pattern_parse(p, text, NULL, &local))
            out[row] = (int32_t)wr_floor_div(local.ms, WR_MS_DAY);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

/* ---- TO_TIMESTAMP ---------------------------------------------------------------------------- */
wr_status
wri_r_to_timestamp(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < b->arg_count; i++) {
        if (b->arg_types[i]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, i, WR_T_VARCHAR));
        if (!wr_type_is_string(b->arg_types[i])) return wri_refuse(ctx, b, NULL);
    }
    return wri_result_null(ctx, b, wr_type_time(b->arena, WR_T_TIMESTAMP, 3, true), true);
}

static bool
read_digits(wr_str s, size_t *at, uint32_t min, uint32_t max, int64_t *out)
{
    uint32_t n = 0;
    int64_t v = 0;
    while (n < max && *at < s.len && s.ptr[*at] >= '0' && s.ptr[*at] <= '9') {
        v = v * 10 + (s.ptr[(*at)++] - '0');
        n++;
    }
    *out = v;
    return n >= min;
}

static bool
expect(wr_str s, size_t *at, char c)
{
    return *at < s.len && s.ptr[*at] == c && (++*at, true);
}

/* What the pattern does not match may still be a JDBC timestamp or date: yyyy-[m]m-[d]d, then
 * [h]h:[m]m:[s]s[.fraction]. */
static bool
jdbc_timestamp(wr_str s, wr_ts *out)
{
    int64_t y, m, d, h = 0, mi = 0, sec = 0, nano = 0;
    size_t at = 0;
    if (!read_digits(s, &at, 4, 4, &y) || !expect(s, &at, '-') || !read_digits(s, &at, 1, 2, &m) ||
        !expect(s, &at, '-') || !read_digits(s, &at, 1, 2, &d))
        return false;
    if (!wr_date_valid(y, (int)m, (int)d)) return false;
    if (at < s.len) {
        if (!expect(s, &at, ' ') || !read_digits(s, &at, 1, 2, &h) || !expect(s, &at, ':') ||
            !read_digits(s, &at, 1, 2, &mi) || !expect(s, &at, ':') ||
            !read_digits(s, &at, 1, 2, &sec) || h > 23 || mi > 59 || sec > 59)
            return false;
        if (at < s.len) {
            if (!expect(s, &at, '.')) return false;
            const size_t from = at;
            (void)read_digits(s, &at, 0, 9, &nano);
            for (size_t n = at - from; n < 9; n++) nano *= 10;
        }
        if (at != s.len) return false;
    }
    const int64_t ms = h * WR_MS_HOUR + mi * WR_MS_MINUTE + sec * WR_MS_SECOND + nano / 1000000;
    *out = wr_ts_of(wr_days_of(y, (int)m, (int)d) * WR_MS_DAY + ms, (int32_t)(nano % 1000000));
    return true;
}

static bool
read_timestamp(const wri_pattern *p, wr_str text, wr_ts *out)
{
    return p && (wri_pattern_parse(p, text, NULL, out) || jdbc_timestamp(text, out));
}

wr_status
wri_k_to_timestamp(wr_fn_call *call)
{
    pattern_state *s = call->state;
    const wr_view v = wri_view(call, 0), f = pattern_view(call);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wri_pattern *p;
        wr_ts t;
        WR_TRY(pattern_for(call, s, &f, row, &p));
        if (read_timestamp(p, wr_view_str(&v, row), &t))
            WRI_OUT(call, int64_t)[row] = t.ms;
        else
            wri_null(call, row);
    }
    return WR_OK;
}

/* ---- TO_TIMESTAMP_LTZ ------------------------------------------------------------------------ */
static wr_status
resolve_ltz_number(wr_ctx *ctx, wr_fn_bind *b)
{
    int64_t p = 3;
    if (b->arg_count > 2) return wri_invalid_call(ctx, b, NULL);
    if (b->arg_count == 2) {
        const wr_type *t = b->arg_types[1];
        if (t->id != WR_T_NULL && !wr_type_is_integer(t)) return wri_invalid_call(ctx, b, NULL);
        if (wri_lit_int(b->args[1], &p) && (p < 0 || p > 9)) {
            const wr_str why = wr_arena_printf(
                b->arena, "Precision for TO_TIMESTAMP_LTZ must be between 0 and 9 but was %lld.",
                (long long)p);
            return wri_invalid_call(ctx, b, why.ptr ? why.ptr : "");
        }
        WR_TRY(wri_cast_arg_id(ctx, b, 1, WR_T_INT));
    }
    if (wr_type_is_integer(b->arg_types[0]))
        WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_BIGINT));
    else if (b->arg_types[0]->id == WR_T_FLOAT)
        WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_DOUBLE));
    b->kernel = wri_k_ltz_number;
    const int precision = p > 3 ? (int)p : 3;
    return wri_result_null(ctx, b, wr_type_time(b->arena, WR_T_TIMESTAMP_LTZ, precision, true),
                           true);
}

/* A constant pattern or zone that is none is refused when the call is typed. */
static wr_status
check_ltz_constants(wr_ctx *ctx, wr_fn_bind *b)
{
    wr_str s;
    char why[WR_WHY_MAX];
    if (b->arg_count > 1 && wri_lit_str(b->args[1], &s)) {
        const wri_pattern *p;
        WR_TRY(wri_pattern_compile(ctx, b->arena, s, WRI_PATTERN_MODERN, &p, why));
        if (!p) return wri_invalid_call(ctx, b, why);
    }
    if (b->arg_count > 2 && wri_lit_str(b->args[2], &s)) {
        const wr_tz *tz;
        WR_TRY(wr_tz_find(ctx, b->arena, s, &tz));
        if (!tz) return wri_invalid_call(ctx, b, "unknown time zone");
    }
    return WR_OK;
}

wr_status
wri_r_to_timestamp_ltz(wr_ctx *ctx, wr_fn_bind *b)
{
    if (wr_type_is_numeric(b->arg_types[0])) return resolve_ltz_number(ctx, b);
    for (uint32_t i = 0; i < b->arg_count; i++) {
        if (b->arg_types[i]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, i, WR_T_VARCHAR));
        if (!wr_type_is_string(b->arg_types[i])) return wri_invalid_call(ctx, b, NULL);
    }
    WR_TRY(check_ltz_constants(ctx, b));
    return wri_result_null(ctx, b, wr_type_time(b->arena, WR_T_TIMESTAMP_LTZ, 3, true), true);
}

/* n units of 10^-p seconds; false outside the years 1 to 9999. */
static bool
epoch_to_ts(int64_t n, int64_t p, wr_ts *out)
{
    const int64_t min = -62135596800000ll, max = 253402300799999ll;
    if (p <= 3) {
        int64_t unit = 1;
        for (int64_t i = p; i < 3; i++) unit *= 10;
        if (__builtin_mul_overflow(n, unit, &out->ms)) return false;
        out->nano = 0;
        return out->ms >= min && out->ms <= max;
    }
    int64_t unit = 1;
    for (int64_t i = 3; i < WR_MIN(p, (int64_t)18); i++) unit *= 10;
    out->ms = wr_floor_div(n, unit);
    int64_t rest = wr_floor_mod(n, unit);
    for (int64_t i = p; i < 9; i++) rest *= 10;
    for (int64_t i = 9; i < WR_MIN(p, (int64_t)18); i++) rest /= 10;
    out->nano = (int32_t)rest;
    return true;
}

/* A DOUBLE has its digits behind the point: down to milliseconds, or to the precision when that is
 * finer; further ones are cut downwards. */
static bool
double_to_ts(double d, int64_t p, wr_ts *out)
{
    for (int64_t i = p; i < 3; i++) d *= 10;
    d = floor(d);
    const int64_t n = d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : d == d ? (int64_t)d : 0;
    return epoch_to_ts(n, WR_MAX(p, (int64_t)3), out);
}

/* Of exact numbers fractions are cut. */
static int64_t
whole_number(const wr_view *w, const wr_type *t, uint8_t phys, uint32_t row)
{
    if (t->id == WR_T_DECIMAL) return wr_dec_to_i64(wri_dec(w, phys, row), t->scale);
    return wri_int(w, phys, row);
}

wr_status
wri_k_ltz_number(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0), p = pattern_view(call);
    const wr_type *t = call->expr->args[0]->type;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int64_t precision = call->arg_count > 1 ? WR_VIEW(&p, int32_t, row) : 3;
        wr_ts out = {0, 0, 0};
        const bool ok =
            precision >= 0 &&
            (t->id == WR_T_DOUBLE
                 ? double_to_ts(WR_VIEW(&v, double, row), precision, &out)
                 : epoch_to_ts(whole_number(&v, t, call->args[0]->phys, row), precision, &out));
        if (ok)
            wri_put_ts(call, row, out);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

static void
unreadable(wr_fn_call *call, wr_str text, uint32_t row)
{
    char why[WR_WHY_MAX];
    int32_t days;
    const bool date = text.len > 10 && wr_date_parse((wr_str){text.ptr, 10}, &days, why);
    wr_row_err(call->errs, row, WR_DATA,
               date ? "Text '%.*s' could not be parsed, unparsed text found at index 10"
                    : "Text '%.*s' could not be parsed at index 0",
               WR_STR_ARG(text));
    wri_null(call, row);
}

wr_status
wri_k_ltz_text(wr_fn_call *call)
{
    pattern_state *s = call->state;
    const wr_view v = wri_view(call, 0), f = pattern_view(call);
    wr_view z = {0};
    if (call->arg_count > 2) z = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_str text = wr_view_str(&v, row);
        const wri_pattern *p;
        const wr_tz *tz = s->zone;
        wr_ts t;
        WR_TRY(pattern_for(call, s, &f, row, &p));
        if (call->arg_count > 2 && !s->zone_constant)
            WR_TRY(wr_tz_cache_find(call->ctx, &s->zones, wr_view_str(&z, row), &tz));
        const bool zone_ok = call->arg_count < 3 || tz;
        if (zone_ok && read_timestamp(p, text, &t))
            WRI_OUT(call, int64_t)[row] = wr_tz_to_utc(tz, t.ms);
        else if (call->arg_count == 1)
            unreadable(call, text, row);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

/* ---- FROM_UNIXTIME, UNIX_TIMESTAMP ----------------------------------------------------------- */
wr_status
wri_k_from_unixtime(wr_fn_call *call)
{
    pattern_state *s = call->state;
    const wr_view v = wri_view(call, 0), f = pattern_view(call);
    const wr_tz *tz = session_tz(call);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wri_pattern *p;
        WR_TRY(pattern_for(call, s, &f, row, &p));
        if (!p) {
            bad_pattern(call, s, row);
            continue;
        }
        const int64_t ms = (int64_t)((uint64_t)WR_VIEW(&v, int64_t, row) * 1000u);
        WR_TRY(print_row(call, p, wr_ts_of(wr_tz_to_local(tz, ms), 0), tz, row));
    }
    return WR_OK;
}

wr_status
wri_r_unix_timestamp(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < b->arg_count; i++) {
        if (b->arg_types[i]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, i, WR_T_VARCHAR));
        if (!wr_type_is_string(b->arg_types[i])) return wri_refuse(ctx, b, NULL);
    }
    return wri_result_id(ctx, b, WR_T_BIGINT);
}

wr_status
wri_k_unix_timestamp(wr_fn_call *call)
{
    pattern_state *s = call->state;
    int64_t *out = call->out->data;
    if (call->arg_count == 0) {
        const bool fixed = call->env && call->env->batch;
        const int64_t now = (fixed ? call->env->query_time_ms : wr_os_processing_ms()) / 1000;
        WR_FOR_CALL(call, row)
        out[row] = now;
        return WR_OK;
    }
    const wr_view v = wri_view(call, 0), f = pattern_view(call);
    const wr_tz *tz = session_tz(call);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wri_pattern *p;
        wr_ts local;
        WR_TRY(pattern_for(call, s, &f, row, &p));
        if (!p)
            bad_pattern(call, s, row);
        else if (wri_pattern_parse(p, wr_view_str(&v, row), tz, &local))
            out[row] = wr_tz_to_utc_later(tz, local.ms) / 1000;
        else
            out[row] = INT64_MIN;
    }
    return WR_OK;
}

/* ---- CONVERT_TZ ------------------------------------------------------------------------------ */
wr_status
wri_p_zones(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
            void **state_out)
{
    (void)call;
    (void)env;
    pattern_state *s = WR_NEW(arena, pattern_state);
    WR_TRY_ALLOC(ctx, s);
    *state_out = s;
    s->zones.arena = arena;
    return wri_pattern_compile(ctx, arena, DEFAULT_PATTERN, WRI_PATTERN_SIMPLE, &s->pattern,
                               s->why);
}

/* Names that Java's TimeZone does not know, a bare offset among them, mean GMT. */
static wr_status
java_zone(wr_fn_call *call, pattern_state *s, wr_str name, const wr_tz **out)
{
    static const struct {
        const char *brief, *region;
    } old[] = {
        {"PST", "America/Los_Angeles"}, {"CST", "America/Chicago"},  {"AST", "America/Anchorage"},
        {"IST", "Asia/Kolkata"},        {"JST", "Asia/Tokyo"},       {"CTT", "Asia/Shanghai"},
        {"ECT", "Europe/Paris"},        {"ART", "Africa/Cairo"},     {"AET", "Australia/Sydney"},
        {"BST", "Asia/Dhaka"},          {"NST", "Pacific/Auckland"}, {"VST", "Asia/Ho_Chi_Minh"}};
    *out = NULL;
    if (name.len == 0 || name.ptr[0] == '+' || name.ptr[0] == '-') return WR_OK;
    for (uint32_t i = 0; i < WR_COUNT(old); i++)
        if (wr_str_eq_c(name, old[i].brief)) name = wr_str_c(old[i].region);
    return wr_tz_cache_find(call->ctx, &s->zones, name, out);
}

wr_status
wri_k_convert_tz(wr_fn_call *call)
{
    pattern_state *s = call->state;
    const wr_view v = wri_view(call, 0), from = wri_view(call, 1), to = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_tz *a, *b;
        wr_ts local;
        WR_TRY(java_zone(call, s, wr_view_str(&from, row), &a));
        WR_TRY(java_zone(call, s, wr_view_str(&to, row), &b));
        if (!wri_pattern_parse(s->pattern, wr_view_str(&v, row), a, &local)) {
            wri_null(call, row);
            continue;
        }
        const int64_t utc = wr_tz_to_utc_later(a, local.ms);
        WR_TRY(print_row(call, s->pattern, wr_ts_of(wr_tz_to_local(b, utc), 0), b, row));
    }
    return WR_OK;
}
