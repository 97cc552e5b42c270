/* SPDX-License-Identifier: Apache-2.0 */
/* Windows on a time line: see windows_int.h. */
#include "op/windows_int.h"

void
wri_windows_init(wri_windows *w, const wr_op *op, const wr_windowing *how)
{
    const bool zoned = how->spec.time->id == WR_T_TIMESTAMP_LTZ || !how->spec.rowtime;
    *w = (wri_windows){.how = how, .tz = zoned && op->env->eval ? op->env->eval->tz : NULL};
}

int64_t
wri_windows_closes(const wri_windows *w, int64_t end)
{
    const int64_t last = end - 1;
    if (!w->tz) return last;
    const int64_t utc = wr_tz_to_utc_later(w->tz, last);
    if (wr_tz_to_local(w->tz, utc) == last) return utc;
    return utc - wr_floor_mod(utc, WR_MS_HOUR); /* a time that the clock leaves out */
}

int64_t
wri_windows_last(const wri_windows *w, int64_t end)
{
    return w->tz ? wr_tz_to_utc(w->tz, end - 1) : end - 1;
}

bool
wri_windows_ends(const wr_window_spec *s, int64_t local, int64_t *first, int64_t *last)
{
    const int64_t slide_start = local - wr_floor_mod(local - s->offset_ms, s->slide_ms);
    switch ((wr_window_kind)s->kind) {
    case WR_WINDOW_TUMBLE:
        *first = *last = slide_start + s->size_ms;
        return true;
    case WR_WINDOW_HOP: /* starts: slide_start, slide_start - slide, ... > local - size */
        if (slide_start <= local - s->size_ms) return false;
        *last = slide_start + s->size_ms;
        *first = *last - (s->size_ms - 1 - (local - slide_start)) / s->slide_ms * s->slide_ms;
        return true;
    case WR_WINDOW_CUMULATE:
        *first = slide_start + s->slide_ms;
        *last = local - wr_floor_mod(local - s->offset_ms, s->size_ms) + s->size_ms;
        return true;
    case WR_WINDOW_SESSION:
        break;
    }
    WR_UNREACHABLE();
}

int64_t
wri_windows_start(const wr_window_spec *s, int64_t local, int64_t end)
{
    if (s->kind != WR_WINDOW_CUMULATE) return end - s->size_ms;
    return local - wr_floor_mod(local - s->offset_ms, s->size_ms);
}

int64_t
wri_windows_last_end(const wr_window_spec *s, int64_t slice_end)
{
    if (s->kind == WR_WINDOW_HOP) return slice_end + s->size_ms - s->slide_ms;
    return wri_windows_start(s, slice_end - 1, slice_end) + s->size_ms;
}

wr_status
wri_watermark_back(wr_ctx *ctx, const wr_op *op, const wr_opstate *in, const char *name,
                   int64_t *out)
{
    const wr_opstate_list *list = wr_opstate_find(in, name);
    bool any = false;
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        int64_t kept;
        if (list->items.count == op->env->parallelism && i != op->env->subtask) continue;
        WR_TRY(wri_number_item(ctx, list, i, &kept));
        *out = any ? WR_MIN(*out, kept) : kept;
        any = true;
    }
    return WR_OK;
}
