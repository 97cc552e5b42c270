/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that come with weir: csv, json, raw. Everything else goes through spi/format.h. */
#ifndef WR_FORMAT_FORMAT_H
#define WR_FORMAT_FORMAT_H

#include "spi/registry.h"

/* Put every format of this room into the registry; once, at start. False: out of room. */
bool wr_formats_register(void) WR_MUST_USE;

#endif
