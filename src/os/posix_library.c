/* SPDX-License-Identifier: Apache-2.0 */
/* Shared libraries that are loaded when they are needed. They stay loaded until the process ends.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "os/os_int.h"

wr_status
wr_os_library_open(wr_ctx *ctx, const char *name, wr_os_library *out)
{
    out->handle = NULL;
    WR_TRY(wri_os_inject(ctx, "load", name));
    out->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (out->handle) return WR_OK;
    const char *why = dlerror();
    return wr_raise(ctx, WR_UNSUPPORTED, "cannot load '%s': %s", name, why ? why : "unknown");
}

wr_status
wr_os_library_symbol(wr_ctx *ctx, const wr_os_library *lib, const char *name, void *fn_out)
{
    void *p = dlsym(lib->handle, name);
    if (!p) return wr_raise(ctx, WR_UNSUPPORTED, "the library has no '%s'", name);
    memcpy(fn_out, &p, sizeof p); /* a pointer to a function is as wide (POSIX) */
    return WR_OK;
}
