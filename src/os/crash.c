/* SPDX-License-Identifier: Apache-2.0 */
/* Named points at which tests let the process die. */
#include <signal.h>

#include "os/os.h"

void
wr_os_crash_point(const char *name)
{
    static uint32_t passed;
    const char *at = wr_os_env("WEIR_CRASH_AT");
    if (WR_LIKELY(!at)) return;
    size_t len = strlen(name);
    if (strncmp(at, name, len) != 0 || at[len] != ':') return;
    uint32_t wanted = 0;
    for (const char *p = at + len + 1; *p >= '0' && *p <= '9' && wanted < 100000000; p++)
        wanted = wanted * 10 + (uint32_t)(*p - '0');
    if (wr_os_add(&passed, 1u) == wanted) (void)raise(SIGKILL);
}
