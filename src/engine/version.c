/* SPDX-License-Identifier: Apache-2.0 */
/* What this binary is: version, build, libraries. */
#include "engine/engine.h"
#include "weir_build.h"

const char *
wr_version(void)
{
    return WR_BUILD_VERSION;
}

void
wr_version_libraries(wr_text *out)
{
    wr_text_printf(out, "build: %s, %s\nlibraries: %s\n", WR_BUILD_PRESET, WR_BUILD_COMPILER,
                   WR_BUILD_LIBRARIES);
}
