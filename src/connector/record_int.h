/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the record connector: its file mode ('path'). */
#ifndef WR_CONNECTOR_RECORD_INT_H
#define WR_CONNECTOR_RECORD_INT_H

#include "connector/connector_int.h"

typedef struct wri_record_files wri_record_files; /* one writer's */

/* dir: the table's 'path'; memory_bytes: longer logs go into files. */
wr_status wri_record_files_open(wr_ctx *ctx, wr_str dir, const wr_sink_env *env,
                                uint64_t memory_bytes, wri_record_files **out) WR_MUST_USE;
wr_status wri_record_files_write(wr_ctx *ctx, wri_record_files *f,
                                 const wr_batch *batch) WR_MUST_USE;
wr_status wri_record_files_prepare(wr_ctx *ctx, wri_record_files *f, uint64_t checkpoint_id,
                                   wr_arena *a, wr_str *committable) WR_MUST_USE;
wr_status wri_record_files_snapshot(wr_ctx *ctx, wri_record_files *f, uint64_t checkpoint_id,
                                    wr_opstate *out) WR_MUST_USE;
wr_status wri_record_files_restore(wr_ctx *ctx, wri_record_files *f,
                                   const wr_opstate *in) WR_MUST_USE;
wr_status wri_record_files_commit(wr_ctx *ctx, wr_str dir, const wr_commit *c) WR_MUST_USE;
wr_status wri_record_files_finish(wr_ctx *ctx, wri_record_files *f) WR_MUST_USE;
void wri_record_files_close(wri_record_files *f);

#endif
