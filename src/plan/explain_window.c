/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of window table functions and of aggregates by windows:
 * GlobalWindowAggregate(groupBy=[k], window=[TUMBLE(slice_end=[$slice_end], size=[10 min])],
 * select=[k, SUM(sum$0) AS s, start('w$) AS window_start]). */
#include "plan/explain_int.h"

void
wri_put_window_length(wr_text *out, int64_t ms)
{
    static const struct {
        int64_t ms;
        const char *unit;
    } units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}, {1, "ms"}};
    for (uint32_t i = 0; i < WR_COUNT(units); i++)
        if (ms % units[i].ms == 0) {
            wr_text_printf(out, "%lld %s", (long long)(ms / units[i].ms), units[i].unit);
            return;
        }
}

static void
put_length(wr_text *out, const char *name, int64_t ms)
{
    wr_text_printf(out, "%s=[", name);
    wri_put_window_length(out, ms);
    wr_text_putc(out, ']');
}

static const char *
kind_name(const wr_window_spec *s)
{
    static const char *const names[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
    return names[s->kind];
}

/* size=[10 min], slide=[5 min]) */
static void
put_lengths(wr_text *out, const wr_window_spec *w)
{
    switch ((wr_window_kind)w->kind) {
    case WR_WINDOW_TUMBLE:
        put_length(out, "size", w->size_ms);
        break;
    case WR_WINDOW_HOP:
        put_length(out, "size", w->size_ms);
        put_length(out, ", slide", w->slide_ms);
        break;
    case WR_WINDOW_CUMULATE:
        put_length(out, "max_size", w->size_ms);
        put_length(out, ", step", w->slide_ms);
        break;
    case WR_WINDOW_SESSION:
        put_length(out, "gap", w->size_ms);
        break;
    }
    if (w->offset_ms) put_length(out, ", offset", w->offset_ms);
}

void
wri_put_windowing(wr_text *out, const wr_windowing *w, const wr_schema *s)
{
    wr_text_printf(out, "%s(", kind_name(&w->spec));
    if (w->time_col >= 0)
        wr_text_printf(out, "time_col=[%.*s], ", WR_STR_ARG(s->fields[w->time_col].name));
    else
        wr_text_printf(out, "win_start=[%.*s], win_end=[%.*s], ",
                       WR_STR_ARG(s->fields[w->start_col].name),
                       WR_STR_ARG(s->fields[w->end_col].name));
    put_lengths(out, &w->spec);
}

/* ..., partition keys=[k]) */
static void
put_session_keys(wr_text *out, const wr_schema *s, const uint32_t *keys, uint32_t count)
{
    if (!count) return;
    wr_text_puts(out, ", partition keys=[");
    wri_put_cols(out, s, keys, count);
    wr_text_putc(out, ']');
}

static void
label_function(wri_liner *l)
{
    const wr_windowing *w = l->n->windows[0];
    const wr_schema *in = &l->n->inputs[0]->schema;
    wri_attr(l, "window");
    wri_put_windowing(l->out, w, in);
    put_session_keys(l->out, in, w->spec.keys, w->spec.key_count);
    wr_text_puts(l->out, ")]");
}

/* ---- aggregates ------------------------------------------------------------------------------ */
const char *
wri_window_agg_name(const wr_pnode *n)
{
    if (n->windows[0]->spec.grouped) return "GroupWindowAggregate";
    return n->u.agg.phase == WR_AGG_LOCAL   ? "LocalWindowAggregate"
           : n->u.agg.phase == WR_AGG_FINAL ? "GlobalWindowAggregate"
                                            : "WindowAggregate";
}

/* Does Flink count rows on its own, to know which windows have any? */
static bool
counts_rows(const wr_pnode *n)
{
    return n->u.agg.retract || n->windows[0]->spec.kind == WR_WINDOW_HOP;
}

static void
put_local(wri_liner *l)
{
    const bool any = wri_put_partial_calls(l, counts_rows(l->n));
    wr_text_printf(l->out, "%sslice_end('w$) AS %s", any ? ", " : "",
                   l->n->windows[0]->time_col >= 0 ? "$slice_end" : "$window_end");
}

/* Names go with positions, also where Flink counts rows in a column more (HOP). */
static void
put_as(wri_liner *l, uint32_t *col)
{
    const wr_schema *s = &l->n->schema;
    if (*col < s->count) wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(s->fields[*col].name));
    ++*col;
}

static void
put_props(wri_liner *l, uint32_t *col, bool any)
{
    static const char *const names[] = {"start", "end", "rowtime", "proctime"};
    const wr_pnode *n = l->n;
    for (uint32_t i = 0; i < n->u.agg.prop_count && *col < n->schema.count; i++) {
        wr_text_printf(l->out, "%s%s('w$)", any || i ? ", " : "", names[n->u.agg.props[i]]);
        put_as(l, col);
    }
}

static void
put_global(wri_liner *l)
{
    uint32_t col = l->n->u.agg.key_count;
    const bool any = wri_put_merged_calls(l, counts_rows(l->n), put_as, &col);
    put_props(l, &col, any);
}

/* TumblingGroupWindow('w$, ts, 600000)], properties=[w$start, w$end, w$rowtime, w$proctime] */
static void
put_group_window(wri_liner *l)
{
    static const char *const names[] = {"Tumbling", "Sliding", "", "Session"};
    const wr_windowing *w = l->n->windows[0];
    const wr_schema *in = &l->n->inputs[0]->schema;
    const wr_str time = w->time_col >= 0 ? in->fields[w->time_col].name : WR_STR("");
    wr_text_printf(l->out, "%sGroupWindow('w$, %.*s, %lld", names[w->spec.kind], WR_STR_ARG(time),
                   (long long)w->spec.size_ms);
    if (w->spec.kind == WR_WINDOW_HOP)
        wr_text_printf(l->out, ", %lld", (long long)w->spec.slide_ms);
    wr_text_puts(l->out, ")]");
    if (w->spec.asked)
        wr_text_printf(l->out, ", properties=[w$start, w$end, %sw$proctime]",
                       w->spec.rowtime ? "w$rowtime, " : "");
}

static void
put_group_props(wri_liner *l, bool any)
{
    const wr_window_spec *s = &l->n->windows[0]->spec;
    if (!s->asked) return;
    wr_text_printf(l->out,
                   "%sstart('w$) AS w$start, end('w$) AS w$end, %sproctime('w$) AS "
                   "w$proctime",
                   any ? ", " : "", s->rowtime ? "rowtime('w$) AS w$rowtime, " : "");
}

static void
put_whole(wri_liner *l)
{
    const wr_pnode *n = l->n;
    uint32_t col = n->u.agg.key_count;
    bool any = n->u.agg.key_count > 0;
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        wr_text_puts(l->out, any ? ", " : "");
        wri_put_agg_call(l, &n->u.agg.aggs[i], n->u.agg.retract && !n->windows[0]->spec.grouped,
                         "DISTINCT ");
        put_as(l, &col);
        any = true;
    }
    if (n->windows[0]->spec.grouped)
        put_group_props(l, any);
    else
        put_props(l, &col, any);
}

/* emit=[early no delay, late delay 1000 millisecond] */
static void
put_emit(wri_liner *l)
{
    const wr_window_emit *e = l->n->u.agg.emit;
    const int64_t delays[] = {e->early_ms, e->late_ms};
    bool any = false;
    wri_attr(l, "emit");
    for (uint32_t i = 0; i < 2; i++) {
        if (delays[i] < 0) continue;
        wr_text_printf(l->out, "%s%s ", any ? ", " : "", i ? "late" : "early");
        if (delays[i])
            wr_text_printf(l->out, "delay %lld millisecond", (long long)delays[i]);
        else
            wr_text_puts(l->out, "no delay");
        any = true;
    }
    wr_text_putc(l->out, ']');
}

static void
put_agg_window(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_windowing *w = n->windows[0];
    const wr_schema *in = &n->inputs[0]->schema;
    wri_attr(l, "window");
    if (w->spec.grouped) {
        put_group_window(l);
        return;
    }
    if (n->u.agg.phase == WR_AGG_FINAL) {
        wr_text_printf(l->out, "%s(%s], ", kind_name(&w->spec),
                       w->time_col >= 0 ? "slice_end=[$slice_end" : "win_end=[$window_end");
        put_lengths(l->out, &w->spec);
    } else {
        wri_put_windowing(l->out, w, in);
        if (w->spec.kind == WR_WINDOW_SESSION && w->time_col >= 0)
            put_session_keys(l->out, in, n->u.agg.keys, n->u.agg.key_count);
    }
    wr_text_puts(l->out, ")]");
}

static void
label_aggregate(wri_liner *l)
{
    const wr_pnode *n = l->n;
    if (n->u.agg.key_count) {
        wri_attr(l, "groupBy");
        wri_put_cols(l->out, &n->inputs[0]->schema, n->u.agg.keys, n->u.agg.key_count);
        wr_text_putc(l->out, ']');
    }
    put_agg_window(l);
    wri_attr(l, "select");
    wri_put_cols(l->out, &n->inputs[0]->schema, n->u.agg.keys, n->u.agg.key_count);
    if (n->u.agg.phase == WR_AGG_LOCAL)
        put_local(l);
    else if (n->u.agg.phase == WR_AGG_FINAL)
        put_global(l);
    else
        put_whole(l);
    wr_text_putc(l->out, ']');
    if (n->u.agg.emit) put_emit(l);
}

void
wri_label_window(wri_liner *l)
{
    if (l->n->kind == WR_P_WINDOW_TVF)
        label_function(l);
    else
        label_aggregate(l);
}
