/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 and glob functions over any bytes: they agree with each other and stay inside. */
#include "base/base.h"
#include "os/os.h"

/* links: os */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data, *p = s, *end = s + size;
    size_t count = 0;
    bool clean = true;
    while (p < end) {
        const char *before = p;
        uint32_t cp = wr_utf8_next(&p, end);
        char back[4];
        size_t n = wr_utf8_put(back, cp);
        bool same = n == (size_t)(p - before) && memcmp(back, before, n) == 0;
        clean = clean && same;
        WR_ASSERT(wr_utf8_offset(s, size, count) == (size_t)(before - s));
        count++;
        if (count > 4096) return 0;
    }
    WR_ASSERT(wr_utf8_count(s, size) == count);
    WR_ASSERT(wr_utf8_valid(s, size) == clean);
    if (size > 1 && size < 200) { /* the first byte splits the rest into pattern and name */
        size_t cut = 1 + data[0] % size;
        wr_str pattern = {s + 1, WR_MIN(cut, size) - 1}, name = {s + WR_MIN(cut, size), 0};
        name.len = size - WR_MIN(cut, size);
        (void)wr_os_glob_match(pattern, name);
        (void)wr_str_distance(pattern, name, 9);
    }
    return 0;
}
