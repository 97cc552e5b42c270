/* SPDX-License-Identifier: Apache-2.0 */
/* EXPLAIN lines of joins by time. */
#include "plan/explain_int.h"
#include "plan/timed_join.h"

void
wri_put_window_bounds(wri_liner *l)
{
    const wr_interval_spec *s = l->n->u.join.interval;
    wri_attr(l, "windowBounds");
    wr_text_printf(l->out,
                   "isRowTime=%s, leftLowerBound=%lld, leftUpperBound=%lld, leftTimeIndex=%u, "
                   "rightTimeIndex=%u]",
                   s->rowtime ? "true" : "false", (long long)s->lower_ms, (long long)s->upper_ms,
                   s->left_time, s->right_time);
}
