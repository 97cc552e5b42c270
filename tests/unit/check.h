/* SPDX-License-Identifier: Apache-2.0 */
/* The test harness: one executable per file, no framework.
 *
 *     TEST(addition_wraps)
 *     {
 *         CHECK_EQ_INT(wrapping_add(INT32_MAX, 1), INT32_MIN);
 *     }
 *     CHECK_MAIN()
 *
 * TEST registers itself; CHECK_MAIN() goes last. A failed CHECK prints file, line and the two
 * values, marks the test as failed and goes on; CHECK_FATAL leaves the test. `prog WORD` runs only
 * tests whose name contains WORD. Prints nothing but failures and a last line "N passed, N failed";
 * the exit code is 1 when any failed.
 */
#ifndef WR_TESTS_CHECK_H
#define WR_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct check_test {
    const char *name;
    void (*fn)(void);
    struct check_test *next;
} check_test;

static check_test *check_first, **check_tail = &check_first;
static int check_failures; /* in the running test */

#define TEST(id)                                                                                   \
    static void test_##id(void);                                                                   \
    static check_test check_entry_##id = {#id, test_##id, NULL};                                   \
    __attribute__((constructor)) static void check_register_##id(void)                             \
    {                                                                                              \
        *check_tail = &check_entry_##id;                                                           \
        check_tail = &check_entry_##id.next;                                                       \
    }                                                                                              \
    static void test_##id(void)

#define CHECK_AT (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), check_failures++)

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        if (!(cond)) (void)CHECK_AT, fprintf(stderr, "CHECK(%s)\n", #cond);                        \
    } while (0)
#define CHECK_FATAL(cond)                                                                          \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            (void)CHECK_AT, fprintf(stderr, "CHECK_FATAL(%s)\n", #cond);                           \
            return;                                                                                \
        }                                                                                          \
    } while (0)
/* CHECK with an explanation: CHECK_MSG(cond, "row %d", i) */
#define CHECK_MSG(cond, ...)                                                                       \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            (void)CHECK_AT, fprintf(stderr, "CHECK(%s): ", #cond);                                 \
            (void)fprintf(stderr, __VA_ARGS__), fputc('\n', stderr);                               \
        }                                                                                          \
    } while (0)
#define CHECK_EQ_INT(got, want)                                                                    \
    do {                                                                                           \
        int64_t got_ = (int64_t)(got), want_ = (int64_t)(want);                                    \
        if (got_ != want_)                                                                         \
            (void)CHECK_AT,                                                                        \
                fprintf(stderr, "%s = %" PRId64 ", want %" PRId64 "\n", #got, got_, want_);        \
    } while (0)
#define CHECK_EQ_UINT(got, want)                                                                   \
    do {                                                                                           \
        uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                                 \
        if (got_ != want_)                                                                         \
            (void)CHECK_AT,                                                                        \
                fprintf(stderr, "%s = %" PRIu64 ", want %" PRIu64 "\n", #got, got_, want_);        \
    } while (0)
/* Equal doubles, NaN equal to NaN */
#define CHECK_EQ_DOUBLE(got, want)                                                                 \
    do {                                                                                           \
        double got_ = (got), want_ = (want);                                                       \
        if (!(got_ <= want_ && got_ >= want_) && !(isnan(got_) && isnan(want_)))                   \
            (void)CHECK_AT, fprintf(stderr, "%s = %.17g, want %.17g\n", #got, got_, want_);        \
    } while (0)
#define CHECK_EQ_STR(got, want) /* zero-terminated */                                              \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        if (!got_ || !want_ || strcmp(got_, want_) != 0)                                           \
            (void)CHECK_AT, fprintf(stderr, "%s = '%s', want '%s'\n", #got, got_ ? got_ : "NULL",  \
                                    want_ ? want_ : "NULL");                                       \
    } while (0)
/* Pointer and length against a zero-terminated string: CHECK_EQ_BYTES(s.ptr, s.len, "abc") */
#define CHECK_EQ_BYTES(p, n, want)                                                                 \
    do {                                                                                           \
        const char *got_ = (p), *want_ = (want);                                                   \
        size_t len_ = (size_t)(n);                                                                 \
        if (len_ != strlen(want_) || (len_ && memcmp(got_, want_, len_) != 0))                     \
            (void)CHECK_AT, fprintf(stderr, "%s = '%.*s', want '%s'\n", #p, (int)len_,             \
                                    len_ ? got_ : "", want_);                                      \
    } while (0)
#define CHECK_EQ_WRSTR(s, want)                                                                    \
    do {                                                                                           \
        wr_str str_ = (s);                                                                         \
        CHECK_EQ_BYTES(str_.ptr, str_.len, want);                                                  \
    } while (0)
/* A call that gives a wr_status, with the record that tells why it failed */
#define CHECK_OK(ctx, call)                                                                        \
    do {                                                                                           \
        if ((call) != WR_OK)                                                                       \
            (void)CHECK_AT, fprintf(stderr, "%s: %s\n", #call, (ctx)->err.message);                \
    } while (0)

static inline int
check_run(int argc, char **argv)
{
    int passed = 0, failed = 0;
    for (check_test *t = check_first; t; t = t->next) {
        if (argc > 1 && !strstr(t->name, argv[1])) continue;
        check_failures = 0;
        t->fn();
        if (check_failures > 0) {
            (void)fprintf(stderr, "FAILED %s\n", t->name);
            failed++;
        } else {
            passed++;
        }
    }
    (void)printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
#define CHECK_MAIN()                                                                               \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return check_run(argc, argv);                                                              \
    }

#endif
