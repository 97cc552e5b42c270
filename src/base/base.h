/* SPDX-License-Identifier: Apache-2.0 */
/* The ground floor: integers, attributes, strings, statuses and the one error record, asserts, bits
 * and hashes.
 *
 * Everything above includes this header. It allocates nothing and makes no system call.
 *
 * Errors: every fallible function returns a wr_status and takes a wr_ctx first. The story of the
 * first failure is written once, by wr_raise(), into ctx->err; callers may add a frame or a hint on
 * the way out. Bad *rows* are not errors of this kind: kernels set bits (see vec/vec.h,
 * wr_row_errs) and the caller's policy decides.
 */
#ifndef WR_BASE_BASE_H
#define WR_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/limits.h"

/* ---- attributes ------------------------------------------------------------------------------ */
#define WR_MUST_USE      __attribute__((warn_unused_result))
#define WR_PRINTF(f, a)  __attribute__((format(printf, f, a)))
#define WR_NORETURN      __attribute__((noreturn))
#define WR_UNUSED        __attribute__((unused))
#define WR_ALIGNED(n)    __attribute__((aligned(n)))
#define WR_ALWAYS_INLINE static inline __attribute__((always_inline))
#define WR_LIKELY(x)     __builtin_expect(!!(x), 1)
#define WR_UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define WR_COUNT(a)      ((uint32_t)(sizeof(a) / sizeof((a)[0])))
#define WR_MIN(a, b)     ((a) < (b) ? (a) : (b))
#define WR_MAX(a, b)     ((a) > (b) ? (a) : (b))

__extension__ typedef __int128 wr_i128;
__extension__ typedef unsigned __int128 wr_u128;

/* ---- strings: pointer and length, not terminated, never owned by the struct itself ----------- */
typedef struct wr_str {
    const char *ptr;
    size_t len;
} wr_str;

#define WR_STR(lit)   ((wr_str){"" lit, sizeof(lit) - 1})
#define WR_STR_ARG(s) (int)(s).len, (s).ptr /* for "%.*s" */

WR_ALWAYS_INLINE wr_str
wr_str_c(const char *c)
{
    return (wr_str){c, c ? strlen(c) : 0};
}
WR_ALWAYS_INLINE bool
wr_str_eq(wr_str a, wr_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}
bool wr_str_eq_nocase(wr_str a, wr_str b); /* ASCII case only */
bool wr_str_eq_c(wr_str a, const char *c);
bool wr_str_starts(wr_str s, wr_str prefix);
int wr_str_cmp(wr_str a, wr_str b); /* bytewise, shorter first: <0, 0, >0 */
/* Levenshtein distance with transpositions, at most `max` (returns max + 1 above it). For "did you
 * mean". */
uint32_t wr_str_distance(wr_str a, wr_str b, uint32_t max);

/* ---- spans: byte offsets into the statement text, [start, end) ------------------------------- */
typedef struct wr_span {
    uint32_t start, end; /* start == end == UINT32_MAX: no position */
} wr_span;
#define WR_NO_SPAN ((wr_span){UINT32_MAX, UINT32_MAX})

/* ---- statuses -------------------------------------------------------------------------------- */
/* X(NAME, SQLSTATE, class, title). The class is what the runtime acts on: USER fails the statement,
 * RETRY may be retried (restart strategy), FATAL refuses to go on. The title starts the printed
 * message. */
#define WR_STATUS_MAP(X)                                                                           \
    X(OK, "00000", NONE, "ok")                                                                     \
    X(NOMEM, "53200", RETRY, "out of memory")                                                      \
    X(IO, "58030", RETRY, "I/O error")                                                             \
    X(SYNTAX, "42601", USER, "syntax error")                                                       \
    X(NAME, "42703", USER, "unknown name")                                                         \
    X(TYPE, "42804", USER, "type error")                                                           \
    X(SEMANTIC, "42000", USER, "invalid statement")                                                \
    X(EXISTS, "42710", USER, "already exists")                                                     \
    X(OPTION, "42616", USER, "invalid option")                                                     \
    X(UNSUPPORTED, "0A000", USER, "not supported")                                                 \
    X(DATA, "22000", USER, "data error")                                                           \
    X(CONSTRAINT, "23000", USER, "constraint violation")                                           \
    X(LIMIT, "54000", USER, "limit exceeded")                                                      \
    X(USAGE, "42615", USER, "usage error")                                                         \
    X(CANCELLED, "57014", USER, "cancelled")                                                       \
    X(CORRUPT, "XX001", FATAL, "corrupt data")                                                     \
    X(INTERNAL, "XX000", FATAL, "internal error")

typedef enum wr_status {
#define X(name, state, class, title) WR_##name,
    WR_STATUS_MAP(X)
#undef X
        WR_STATUS_COUNT
} wr_status;

typedef enum wr_err_class {
    WR_CLASS_NONE,
    WR_CLASS_USER,
    WR_CLASS_RETRY,
    WR_CLASS_FATAL
} wr_err_class;

const char *wr_status_name(wr_status s);     /* "SYNTAX" */
const char *wr_status_sqlstate(wr_status s); /* "42601" */
const char *wr_status_title(wr_status s);    /* "syntax error" */
wr_err_class wr_status_class(wr_status s);

/* The one error record. `message`: lower case first word unless it quotes Flink's text, no final
 * period. */
typedef struct wr_err {
    wr_status status;
    wr_span span;     /* position in ctx->sql, or WR_NO_SPAN */
    const char *file; /* where raised in weir's source; for bug reports, never printed by default */
    int line;
    uint32_t frame_count;
    char message[WR_ERR_MESSAGE_MAX], hint[WR_ERR_HINT_MAX];
    char candidates[WR_ERR_HINT_MAX]; /* nearest names, comma separated; "" if none */
    char frame[WR_ERR_FRAMES][WR_ERR_FRAME_MAX];
} wr_err;

/* Where a sink for notices (one-line remarks that are not errors) hangs. */
typedef void (*wr_notice_fn)(void *arg, const char *text);

/* The context of one statement or one task: the error record and little more. One thread a time. */
typedef struct wr_ctx {
    wr_err err;          /* err.status != WR_OK once something was raised */
    wr_err *more;        /* further independent errors of the same statement (binder); capacity
                            WR_ERR_MORE_MAX */
    uint32_t more_count; /* storage belongs to whoever set `more`; NULL = keep the first only */
    wr_str sql;          /* the text that spans refer to; borrowed */
    wr_str source_name;  /* file name for positions, or empty */
    uint32_t line_base;  /* lines before ctx->sql in that file (0 = the text starts the file) */
    const volatile int *cancel; /* not NULL and not 0: give up with WR_CANCELLED, safely */
    wr_notice_fn notice;
    void *notice_arg;
} wr_ctx;

void wr_ctx_init(wr_ctx *ctx);
void wr_ctx_reset(wr_ctx *ctx); /* forget errors, keep the rest */

/* Raise: writes the record unless one is there already (first error wins), returns `status`. */
wr_status wr_raise_(wr_ctx *ctx, wr_status status, wr_span span, const char *file, int line,
                    const char *fmt, ...) WR_PRINTF(6, 7);
#define wr_raise(ctx, status, ...)                                                                 \
    wr_raise_((ctx), (status), WR_NO_SPAN, __FILE__, __LINE__, __VA_ARGS__)
#define wr_raise_at(ctx, status, span, ...)                                                        \
    wr_raise_((ctx), (status), (span), __FILE__, __LINE__, __VA_ARGS__)
/* Keep the present error as one of several and clear ctx->err, so that the caller may look for
 * more. */
void wr_ctx_keep_error(wr_ctx *ctx);
void wr_hint(wr_ctx *ctx, const char *fmt, ...) WR_PRINTF(2, 3);
void wr_frame(wr_ctx *ctx, const char *fmt, ...) WR_PRINTF(2, 3);
/* Add `name` to err.candidates when it is near `wanted` (call for every known name, then the best
 * stay). */
void wr_candidate(wr_ctx *ctx, wr_str wanted, wr_str name);
void wr_notice(wr_ctx *ctx, const char *fmt, ...) WR_PRINTF(2, 3);

/* 1-based line and column (in code points) of a byte offset; also the bounds of that line. */
typedef struct wr_linecol {
    uint32_t line, col;
    wr_str text; /* the line without its newline */
} wr_linecol;
wr_linecol wr_linecol_of(wr_str sql, uint32_t offset);

#define WR_TRY(expr)                                                                               \
    do {                                                                                           \
        wr_status try_ = (expr);                                                                   \
        if (WR_UNLIKELY(try_ != WR_OK)) return try_;                                               \
    } while (0)
#define WR_TRY_GOTO(expr, label)                                                                   \
    do {                                                                                           \
        if (WR_UNLIKELY((status = (expr)) != WR_OK)) goto label;                                   \
    } while (0)
/* For pointer-returning allocators. */
#define WR_TRY_ALLOC(ctx, ptr)                                                                     \
    do {                                                                                           \
        if (WR_UNLIKELY((ptr) == NULL)) return wr_raise((ctx), WR_NOMEM, "out of memory");         \
    } while (0)

/* ---- asserts --------------------------------------------------------------------------------- */
/* For bugs, not input. Kept in release on the control plane; WR_KASSERT is for kernels (debug). */
WR_NORETURN void wr_assert_failed(const char *what, const char *file, int line);
#define WR_ASSERT(cond) ((cond) ? (void)0 : wr_assert_failed(#cond, __FILE__, __LINE__))
#ifdef NDEBUG
#define WR_KASSERT(cond) ((void)0)
#else
#define WR_KASSERT(cond) WR_ASSERT(cond)
#endif
#define WR_UNREACHABLE() wr_assert_failed("unreachable", __FILE__, __LINE__)

/* ---- checked sizes --------------------------------------------------------------------------- */
WR_ALWAYS_INLINE bool
wr_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}
WR_ALWAYS_INLINE bool
wr_add_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* ---- bits: LSB-first bitmaps in 64-bit words ------------------------------------------------- */
#define WR_BIT_WORDS(n) (((size_t)(n) + 63) / 64)
WR_ALWAYS_INLINE bool
wr_bit_get(const uint64_t *map, size_t i)
{
    return (map[i >> 6] >> (i & 63)) & 1;
}
WR_ALWAYS_INLINE void
wr_bit_set(uint64_t *map, size_t i)
{
    map[i >> 6] |= 1ull << (i & 63);
}
WR_ALWAYS_INLINE void
wr_bit_clear(uint64_t *map, size_t i)
{
    map[i >> 6] &= ~(1ull << (i & 63));
}
WR_ALWAYS_INLINE void
wr_bit_put(uint64_t *map, size_t i, bool v)
{
    uint64_t m = 1ull << (i & 63);
    map[i >> 6] = v ? map[i >> 6] | m : map[i >> 6] & ~m;
}

/* ---- unaligned loads and stores, byte order -------------------------------------------------- */
WR_ALWAYS_INLINE uint64_t
wr_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}
WR_ALWAYS_INLINE uint32_t
wr_load32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}
WR_ALWAYS_INLINE void
wr_store64(void *p, uint64_t v)
{
    memcpy(p, &v, 8);
}
WR_ALWAYS_INLINE void
wr_store32(void *p, uint32_t v)
{
    memcpy(p, &v, 4);
}

/* ---- hashes: not cryptographic; stable within a version of the state format ------------------ */
uint64_t wr_hash_bytes(const void *p, size_t len, uint64_t seed);
/* The same hash of bytes that come in pieces. Plain data of the caller's, but not to be moved. */
typedef struct wr_hasher {
    uint8_t opaque[640];
} wr_hasher;
void wr_hasher_init(wr_hasher *h, uint64_t seed);
void wr_hasher_put(wr_hasher *h, const void *p, size_t len);
uint64_t wr_hasher_get(const wr_hasher *h); /* of all so far; more may follow */
WR_ALWAYS_INLINE uint64_t
wr_hash_u64(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    return x;
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */
/* Decode one code point at p (p < end). Malformed input yields U+FFFD and advances one byte. */
uint32_t wr_utf8_next(const char **p, const char *end);
/* Encode; returns bytes written (1..4), 0 for an invalid code point. `out` has room for 4. */
uint32_t wr_utf8_put(char *out, uint32_t cp);
bool wr_utf8_valid(const char *p, size_t len);
size_t wr_utf8_count(const char *p, size_t len); /* code points */
/* Byte offset of code point `n` (len if there are fewer). */
size_t wr_utf8_offset(const char *p, size_t len, size_t n);

/* ---- row kinds: Flink's RowKind, same numbers ------------------------------------------------ */
typedef enum wr_kind {
    WR_INSERT = 0,
    WR_UPDATE_BEFORE = 1,
    WR_UPDATE_AFTER = 2,
    WR_DELETE = 3
} wr_kind;
const char *wr_kind_name(wr_kind k); /* "+I" "-U" "+U" "-D" */

/* ---- log: off by default; the sink is set once by the program -------------------------------- */
typedef enum wr_log_level {
    WR_LOG_OFF,
    WR_LOG_ERROR,
    WR_LOG_WARN,
    WR_LOG_INFO,
    WR_LOG_DEBUG
} wr_log_level;

#endif
