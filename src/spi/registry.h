/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: which connectors, formats, catalogs, file systems and state backends exist. Filled
 * once by engine/ at start (before any thread), read-only afterwards. One of the two places with
 * mutable globals (the other is os/). */
#ifndef WR_SPI_REGISTRY_H
#define WR_SPI_REGISTRY_H

#include "spi/format.h"
#include "spi/fs.h"

bool wr_register_source(const wr_source_ops *ops) WR_MUST_USE; /* false: table full */
bool wr_register_sink(const wr_sink_ops *ops) WR_MUST_USE;
bool wr_register_format(const wr_format_ops *ops) WR_MUST_USE;
bool wr_register_catalog(const wr_catalog_ops *ops) WR_MUST_USE;
bool wr_register_state(const wr_state_ops *ops) WR_MUST_USE;
bool wr_register_fs(wr_fs *fs) WR_MUST_USE;

/* NULL = none of that name. Lists are in order of registration. */
const wr_source_ops *wr_find_source(wr_str name);
const wr_sink_ops *wr_find_sink(wr_str name);
const wr_format_ops *wr_find_format(wr_str name);
const wr_catalog_ops *wr_find_catalog(wr_str type);
const wr_state_ops *wr_find_state(wr_str name);
wr_fs *wr_find_fs(wr_str path); /* by scheme; a path without scheme is "file" */
uint32_t wr_list_sources(const wr_source_ops *const **out);
uint32_t wr_list_sinks(const wr_sink_ops *const **out);
uint32_t wr_list_formats(const wr_format_ops *const **out);
uint32_t wr_list_catalogs(const wr_catalog_ops *const **out);

/* Process-wide blocks of zeroed memory under constant names, made by the first who asks, for the
 * few connectors whose instances meet inside the process (script turns, recorded rows). One lock
 * guards all of them: enter takes it and gives the block (NULL = out of memory, then not taken),
 * leave lets it go. Keep it short. thread: any */
void *wr_shared_enter(const char *name, size_t size_bytes) WR_MUST_USE;
void wr_shared_leave(void);

#endif
