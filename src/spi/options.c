/* SPDX-License-Identifier: Apache-2.0 */
/* Reading options: finding keys, matching definitions, parsing values as Flink's configuration
 * does (ConfigurationUtils, TimeUtils, MemorySize), secrets, the session's configuration.
 *
 * Error texts are Flink's, the outer sentence first and its cause after it. Nothing here allocates:
 * parsed texts are borrowed from the option. */
#include "spi/options.h"

#include <stdio.h>
#include <stdlib.h>

static wr_str
trim(wr_str s)
{
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

const wr_option *
wr_options_find(const wr_options *o, const char *key)
{
    for (uint32_t i = 0; o && i < o->count; i++)
        if (wr_str_eq_c(o->items[i].key, key)) return &o->items[i];
    return NULL;
}

/* Matches `key` against a pattern in which '#' stands for one or more characters up to the rest of
 * the pattern: 'fields.#.kind' takes 'fields.a.kind' and 'fields.a.b.kind'. */
static bool
key_matches(const char *pattern, wr_str key)
{
    size_t i = 0; /* as far as they agree: most are told apart by their first letters */
    while (i < key.len && pattern[i] && pattern[i] != '#' && pattern[i] == key.ptr[i]) i++;
    if (pattern[i] != '#') return i == key.len && !pattern[i];
    size_t tail = strlen(pattern + i + 1);
    return key.len > i + tail && memcmp(key.ptr + key.len - tail, pattern + i + 1, tail) == 0;
}

const wr_option_def *
wr_option_def_find(const wr_option_def *defs, wr_str key)
{
    const wr_option_def *loose = NULL;
    for (const wr_option_def *d = defs; d && d->key; d++) {
        if (!key_matches(d->key, key)) continue;
        if (!strchr(d->key, '#')) return d;
        if (!loose) loose = d;
    }
    return loose;
}

static bool
contains_nocase(wr_str s, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= s.len; i++)
        if (wr_str_eq_nocase((wr_str){s.ptr + i, n}, (wr_str){part, n})) return true;
    return false;
}

bool
wr_option_is_secret(wr_str key)
{
    static const char *const words[] = {"password",    "secret",      "fs.azure.account.key",
                                        "apikey",      "api-key",     "auth-params",
                                        "service-key", "token",       "basic-auth",
                                        "jaas.config", "http-headers"};
    for (uint32_t i = 0; i < WR_COUNT(words); i++)
        if (contains_nocase(key, words[i])) return true;
    return false;
}

/* ---- numbers with units ---------------------------------------------------------------------- */

/* Leading decimal digits of `s`; the rest, trimmed, goes to *unit. False without digits. */
static bool
split_number(wr_str s, wr_str *digits, wr_str *unit)
{
    size_t n = 0;
    while (n < s.len && s.ptr[n] >= '0' && s.ptr[n] <= '9') n++;
    *digits = (wr_str){s.ptr, n};
    *unit = trim((wr_str){s.ptr + n, s.len - n});
    return n > 0;
}

static bool
digits_value(wr_str digits, int64_t *out)
{
    int64_t v = 0;
    for (size_t i = 0; i < digits.len; i++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, digits.ptr[i] - '0', &v))
            return false;
    *out = v;
    return true;
}

typedef struct unit {
    const char *names; /* '|' separated */
    int64_t factor;    /* of the target unit; negative: divide by it */
} unit;

static const unit *
find_unit(const unit *units, uint32_t count, wr_str name)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *p = units[i].names;
        while (*p) {
            const char *end = strchr(p, '|');
            size_t n = end ? (size_t)(end - p) : strlen(p);
            if (wr_str_eq_nocase(name, (wr_str){p, n})) return &units[i];
            p += n + (end ? 1 : 0);
        }
    }
    return NULL;
}

static bool
scale_value(int64_t v, int64_t factor, int64_t *out)
{
    if (factor < 0) {
        *out = v / -factor;
        return true;
    }
    return !__builtin_mul_overflow(v, factor, out);
}

/* The cause of a failure, without position: options and statements put their own words before. */
static const char *
duration_of(wr_str text, int64_t *ms, char *why, size_t cap)
{
    static const unit units[] = {{"ms|milli|millis|millisecond|milliseconds|", 1},
                                 {"d|day|days", 86400000},
                                 {"h|hour|hours", 3600000},
                                 {"min|m|minute|minutes", 60000},
                                 {"s|sec|secs|second|seconds", 1000},
                                 {"\xc2\xb5s|micro|micros|microsecond|microseconds", -1000},
                                 {"ns|nano|nanos|nanosecond|nanoseconds", -1000000}};
    wr_str digits, name;
    text = trim(text);
    if (text.len == 0) return "argument is an empty- or whitespace-only string";
    if (!split_number(text, &digits, &name)) return "text does not start with a number";
    const unit *u = name.len == 0 ? &units[0] : find_unit(units, WR_COUNT(units), name);
    if (!u) {
        (void)snprintf(
            why, cap,
            "Time interval unit label '%.*s' does not match any of the recognized units: "
            "DAYS: (d | day | days), HOURS: (h | hour | hours), MINUTES: (min | m | minute | "
            "minutes), SECONDS: (s | sec | secs | second | seconds), MILLISECONDS: (ms | milli | "
            "millis | millisecond | milliseconds), MICROSECONDS: (\xc2\xb5s | micro | micros | "
            "microsecond | microseconds), NANOSECONDS: (ns | nano | nanos | nanosecond | "
            "nanoseconds)",
            WR_STR_ARG(name));
        return why;
    }
    int64_t v;
    if (!digits_value(digits, &v) || !scale_value(v, u->factor, ms)) {
        (void)snprintf(why, cap,
                       "The value '%.*s' cannot be represented as java.time.Duration (numeric "
                       "overflow).",
                       WR_STR_ARG(digits));
        return why;
    }
    return NULL;
}

static const char *
memory_of(wr_str text, int64_t *bytes, char *why, size_t cap)
{
    static const unit units[] = {{"b|bytes|", 1},
                                 {"k|kb|kibibytes", 1ll << 10},
                                 {"m|mb|mebibytes", 1ll << 20},
                                 {"g|gb|gibibytes", 1ll << 30},
                                 {"t|tb|tebibytes", 1ll << 40}};
    wr_str digits, name;
    text = trim(text);
    if (text.len == 0) return "argument is an empty- or whitespace-only string";
    if (!split_number(text, &digits, &name)) return "text does not start with a number";
    const unit *u = name.len == 0 ? &units[0] : find_unit(units, WR_COUNT(units), name);
    if (!u) {
        (void)snprintf(why, cap,
                       "Memory size unit '%.*s' does not match any of the recognized units: (b | "
                       "bytes) / (k | kb | kibibytes) / (m | mb | mebibytes) / (g | gb | "
                       "gibibytes) / (t | tb | tebibytes)",
                       WR_STR_ARG(name));
        return why;
    }
    int64_t v;
    if (!digits_value(digits, &v) || !scale_value(v, u->factor, bytes)) {
        (void)snprintf(why, cap,
                       "The value '%.*s' cannot be re represented as 64bit number (numeric "
                       "overflow).",
                       WR_STR_ARG(digits));
        return why;
    }
    return NULL;
}

wr_status
wr_duration_parse(wr_ctx *ctx, wr_str text, int64_t *ms)
{
    char why[512];
    const char *cause = duration_of(text, ms, why, sizeof why);
    return cause ? wr_raise(ctx, WR_OPTION, "%s", cause) : WR_OK;
}

wr_status
wr_memory_parse(wr_ctx *ctx, wr_str text, int64_t *bytes)
{
    char why[512];
    const char *cause = memory_of(text, bytes, why, sizeof why);
    return cause ? wr_raise(ctx, WR_OPTION, "%s", cause) : WR_OK;
}

/* ---- values by type -------------------------------------------------------------------------- */

static const char *
integer_of(wr_str text, bool wide, int64_t *out, char *why, size_t cap)
{
    wr_str s = text;
    bool neg = s.len && s.ptr[0] == '-';
    if (s.len && (s.ptr[0] == '-' || s.ptr[0] == '+')) s.ptr++, s.len--;
    int64_t v = 0;
    bool ok = s.len > 0;
    for (size_t i = 0; ok && i < s.len; i++)
        ok = s.ptr[i] >= '0' && s.ptr[i] <= '9' && !__builtin_mul_overflow(v, 10, &v) &&
             !(neg ? __builtin_sub_overflow(v, s.ptr[i] - '0', &v)
                   : __builtin_add_overflow(v, s.ptr[i] - '0', &v));
    if (ok && (wide || (v >= INT32_MIN && v <= INT32_MAX))) {
        *out = v;
        return NULL;
    }
    (void)snprintf(why, cap, "For input string: \"%.*s\"", WR_STR_ARG(text));
    return why;
}

static const char *
real_of(wr_str text, double *out, char *why, size_t cap)
{
    char buf[64], *end = buf;
    wr_str s = trim(text);
    if (s.len > 0 && s.len < sizeof buf) {
        memcpy(buf, s.ptr, s.len);
        buf[s.len] = '\0';
        *out = strtod(buf, &end);
        if (end == buf + s.len) return NULL;
    }
    (void)snprintf(why, cap, "For input string: \"%.*s\"", WR_STR_ARG(text));
    return why;
}

static const char *
bool_of(wr_str text, int64_t *out, char *why, size_t cap)
{
    if (wr_str_eq_nocase(text, WR_STR("true")) || wr_str_eq_nocase(text, WR_STR("false"))) {
        *out = text.len == 4;
        return NULL;
    }
    (void)snprintf(
        why, cap,
        "Unrecognized option for boolean: %.*s. Expected either true or false(case insensitive)",
        WR_STR_ARG(text));
    return why;
}

/* Enum constants may be written with '-' for '_' and in any case, as Flink's ConfigurationUtils. */
static bool
enum_eq(wr_str a, const char *b, size_t n)
{
    if (a.len != n) return false;
    for (size_t i = 0; i < n; i++) {
        char x = a.ptr[i], y = b[i];
        x = (char)(x >= 'A' && x <= 'Z' ? x + 32 : x == '_' ? '-' : x);
        y = (char)(y >= 'A' && y <= 'Z' ? y + 32 : y == '_' ? '-' : y);
        if (x != y) return false;
    }
    return true;
}

static const char *
enum_of(const char *values, wr_str text, int64_t *out, char *why, size_t cap)
{
    int64_t index = 0;
    for (const char *p = values;; index++) {
        const char *end = strchr(p, '|');
        size_t n = end ? (size_t)(end - p) : strlen(p);
        if (enum_eq(text, p, n)) {
            *out = index;
            return NULL;
        }
        if (!end) break;
        p = end + 1;
    }
    int n = snprintf(why, cap, "Expected one of: [");
    for (const char *p = values; *p && n > 0 && (size_t)n + 3 < cap; p++) {
        if (*p == '|') why[n++] = ',';
        why[n++] = *p == '|' ? ' ' : *p;
    }
    if (n > 0 && (size_t)n + 2 < cap) memcpy(why + n, "]", 2);
    return why;
}

wr_status
wr_option_parse(wr_ctx *ctx, const wr_option_def *def, wr_str text, wr_span span,
                wr_option_value *out)
{
    char why[512];
    const char *cause = NULL;
    memset(out, 0, sizeof *out);
    out->set = true;
    out->text = text;
    switch (def->type) {
    case WR_OPT_STRING:
    case WR_OPT_LIST:
    case WR_OPT_MAP:
        break;
    case WR_OPT_BOOL:
        cause = bool_of(text, &out->i, why, sizeof why);
        break;
    case WR_OPT_INT:
    case WR_OPT_LONG:
        cause = integer_of(text, def->type == WR_OPT_LONG, &out->i, why, sizeof why);
        break;
    case WR_OPT_FLOAT:
    case WR_OPT_DOUBLE:
        cause = real_of(text, &out->f, why, sizeof why);
        break;
    case WR_OPT_DURATION:
        cause = duration_of(text, &out->i, why, sizeof why);
        break;
    case WR_OPT_MEMORY:
        cause = memory_of(text, &out->i, why, sizeof why);
        break;
    case WR_OPT_ENUM:
        cause = enum_of(def->values, text, &out->i, why, sizeof why);
        break;
    }
    if (!cause) return WR_OK;
    out->set = false;
    bool hide = (def->flags & WR_OPTF_SECRET) != 0;
    if (!hide) wr_hint(ctx, "%s", cause);
    return wr_raise_at(ctx, WR_OPTION, span, "Could not parse value '%.*s' for key '%s'.",
                       hide ? 6 : (int)text.len, hide ? "******" : text.ptr, def->key);
}

/* The value of `item` (NULL: not set), else the default. */
static wr_status
value_of(wr_ctx *ctx, const wr_option_def *def, const wr_option *item, const char *key,
         wr_option_value *out)
{
    memset(out, 0, sizeof *out);
    if (item) {
        wr_option_def named = *def;
        named.key = key; /* not the pattern */
        return wr_option_parse(ctx, &named, item->value, item->span, out);
    }
    if (!def->def) return WR_OK;
    return wr_option_parse(ctx, def, wr_str_c(def->def), WR_NO_SPAN, out);
}

wr_status
wr_options_get(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs, const char *key,
               wr_option_value *out)
{
    const wr_option_def *def = wr_option_def_find(defs, wr_str_c(key));
    if (def) return value_of(ctx, def, wr_options_find(o, key), key, out);
    memset(out, 0, sizeof *out);
    return wr_raise(ctx, WR_INTERNAL, "option '%s' is not declared", key);
}

/* ---- the session's configuration ------------------------------------------------------------- */

/* SET checks values, so a value that does not parse is a default of the wrong type: a bug. */
static wr_option_value
config_value(const wr_config *c, const char *key)
{
    wr_option_value v = {0};
    const wr_option_def *def = c ? wr_option_def_find(c->defs, wr_str_c(key)) : NULL;
    const wr_option *o = c ? wr_options_find(c->set, key) : NULL;
    if (!def) {
        if (o) v = (wr_option_value){.set = true, .text = o->value};
        return v;
    }
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (value_of(&ctx, def, o, key, &v) == WR_OK || value_of(&ctx, def, NULL, key, &v) == WR_OK)
        return v;
    return (wr_option_value){0};
}

bool
wr_config_bool(const wr_config *c, const char *key)
{
    return config_value(c, key).i != 0;
}

int64_t
wr_config_int(const wr_config *c, const char *key)
{
    return config_value(c, key).i;
}

double
wr_config_double(const wr_config *c, const char *key)
{
    return config_value(c, key).f;
}

wr_str
wr_config_str(const wr_config *c, const char *key)
{
    wr_option_value v = config_value(c, key);
    return v.set ? v.text : (wr_str){NULL, 0};
}
