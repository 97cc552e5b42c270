/* SPDX-License-Identifier: Apache-2.0 */
/* Poison records. Errors of the data (a value that cannot be cast, a constraint) come again with
 * every restart: when the same one ends the job three times in a row at the same operator,
 * restarting is given up and the record's place is named. Trouble of other kinds (files, memory)
 * may go away. thread: coordinator */
#include "runtime/runtime_int.h"

#define WRI_POISON_TIMES 3

static bool
is_same(const wr_err *a, const wr_err *b)
{
    if (a->status != b->status || strcmp(a->message, b->message) != 0) return false;
    if ((a->frame_count == 0) != (b->frame_count == 0)) return false;
    return a->frame_count == 0 || strcmp(a->frame[0], b->frame[0]) == 0;
}

bool
wri_is_poison(wri_coord *c, wr_err *err, bool of_job)
{
    bool same = c->same_errors > 0 && is_same(&c->last_error, err);
    c->last_error = *err;
    c->same_errors = wr_status_class(err->status) != WR_CLASS_USER ? 0
                     : same                                        ? c->same_errors + 1
                                                                   : 1;
    if (c->same_errors < WRI_POISON_TIMES) return false;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    ctx.err = *err;
    wr_frame(&ctx, "%s failed %d times in the same place: restarting does not help",
             of_job ? "the job" : "the same record", WRI_POISON_TIMES);
    if (!of_job && !ctx.err.hint[0])
        wr_hint(&ctx, "correct or filter the record, or let the query take it (TRY_CAST, "
                      "ignore-parse-errors)");
    *err = ctx.err;
    return true;
}
