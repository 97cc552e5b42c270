/* SPDX-License-Identifier: Apache-2.0 */
/* Byte strings: comparison and the edit distance behind "did you mean". No allocation, no globals;
 * any thread. */
#include "base/base.h"

static inline unsigned char
lower_ascii(char c)
{
    unsigned char u = (unsigned char)c;
    return (unsigned char)(u >= 'A' && u <= 'Z' ? u + 32 : u);
}

bool
wr_str_eq_nocase(wr_str a, wr_str b)
{
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower_ascii(a.ptr[i]) != lower_ascii(b.ptr[i])) return false;
    return true;
}

bool
wr_str_eq_c(wr_str a, const char *c)
{
    return wr_str_eq(a, wr_str_c(c));
}

bool
wr_str_starts(wr_str s, wr_str prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

int
wr_str_cmp(wr_str a, wr_str b)
{
    size_t n = WR_MIN(a.len, b.len);
    int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

#define DISTANCE_LEN_MAX 128 /* longer names are compared by equality only */

uint32_t
wr_str_distance(wr_str a, wr_str b, uint32_t max)
{
    size_t gap = a.len > b.len ? a.len - b.len : b.len - a.len;
    if (wr_str_eq(a, b)) return 0;
    if (gap > max || a.len > DISTANCE_LEN_MAX || b.len > DISTANCE_LEN_MAX) return max + 1;
    /* Three rows of the optimal-string-alignment matrix: row[0] is the present one. */
    uint32_t rows[3][DISTANCE_LEN_MAX + 1], *row[3] = {rows[0], rows[1], rows[2]};
    for (uint32_t j = 0; j <= b.len; j++) row[1][j] = j;
    for (uint32_t i = 1; i <= a.len; i++) {
        uint32_t best = row[0][0] = i;
        for (uint32_t j = 1; j <= b.len; j++) {
            uint32_t same = a.ptr[i - 1] == b.ptr[j - 1] ? 0 : 1;
            uint32_t d = WR_MIN(row[1][j] + 1, row[0][j - 1] + 1);
            d = WR_MIN(d, row[1][j - 1] + same);
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1])
                d = WR_MIN(d, row[2][j - 2] + 1);
            row[0][j] = d;
            best = WR_MIN(best, d);
        }
        if (best > max) return max + 1;
        uint32_t *oldest = row[2];
        row[2] = row[1], row[1] = row[0], row[0] = oldest;
    }
    return WR_MIN(row[1][b.len], max + 1);
}
