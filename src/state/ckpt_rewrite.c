/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint written again as a savepoint of its own: operators renamed or left out, in the
 * format asked for. State that is in that format already is linked or copied with its checksum;
 * the rest goes through a backend, one subtask at a time. Nothing is there until the end. */
#include "state/ckpt_int.h"

typedef struct rewriter {
    const wr_ckpt_meta *in;
    const wr_ckpt_changes *changes;
    const wri_ckpt_swap *swap; /* NULL: nothing comes from elsewhere */
    wr_state_reader *reader;
    wr_ckpt *out;
    wr_arena *a; /* of `out` */
} rewriter;

/* ---- which operators ------------------------------------------------------------------------- */

static wr_status
unknown(wr_ctx *ctx, const wr_ckpt_meta *m, wr_str id, const char *option)
{
    const wr_status status = wr_raise(ctx, WR_OPTION, "%s: there is no operator '%.*s' in '%.*s'",
                                      option, WR_STR_ARG(id), WR_STR_ARG(m->path));
    for (uint32_t i = 0; i < m->operator_count; i++)
        wr_candidate(ctx, id, m->operators[i].logical_id);
    return status;
}

/* Rows in flight name the operators that they are on their way to, in files that hang on others. */
static wr_status
check_inflight(wr_ctx *ctx, const wr_ckpt_meta *m)
{
    for (uint32_t i = 0; i < m->operator_count; i++)
        for (uint32_t k = 0; k < m->operators[i].subtask_count; k++) {
            if (!m->operators[i].subtasks[k].inflight) continue;
            (void)wr_raise(ctx, WR_OPTION,
                           "'%.*s' is an unaligned checkpoint with rows in flight: its operators "
                           "can be neither renamed nor dropped",
                           WR_STR_ARG(m->path));
            wr_hint(ctx, "take a savepoint: it has nothing in flight");
            return WR_OPTION;
        }
    return WR_OK;
}

static wr_status
check_changes(wr_ctx *ctx, const wr_ckpt_meta *m, const wr_ckpt_changes *c)
{
    if (c->drop_count || c->rename_count) WR_TRY(check_inflight(ctx, m));
    for (uint32_t i = 0; i < c->drop_count; i++)
        if (!wr_ckpt_find(m, c->drop[i])) return unknown(ctx, m, c->drop[i], "--drop");
    for (uint32_t i = 0; i < c->rename_count; i++) {
        const wr_str from = c->rename_from[i], to = c->rename_to[i];
        if (!wr_ckpt_find(m, from)) return unknown(ctx, m, from, "--rename");
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(from, c->rename_from[k]))
                return wr_raise(ctx, WR_OPTION, "--rename: operator '%.*s' is given two new ids",
                                WR_STR_ARG(from));
        if (to.len == 0 || !wr_utf8_valid(to.ptr, to.len))
            return wr_raise(ctx, WR_OPTION, "--rename: operator '%.*s' needs a new id",
                            WR_STR_ARG(from));
    }
    return WR_OK;
}

static bool
is_dropped(const wr_ckpt_changes *c, wr_str id)
{
    for (uint32_t i = 0; i < c->drop_count; i++)
        if (wr_str_eq(c->drop[i], id)) return true;
    return false;
}

static wr_str
new_id(const wr_ckpt_changes *c, wr_str id)
{
    for (uint32_t i = 0; i < c->rename_count; i++)
        if (wr_str_eq(c->rename_from[i], id)) return c->rename_to[i];
    return id;
}

/* ---- state ----------------------------------------------------------------------------------- */

static wr_status
adopt(wr_ctx *ctx, rewriter *r, wr_state_writer *w, const wr_state_file *from, wr_state_file *to)
{
    wr_str path;
    WR_TRY(r->reader->path(ctx, r->reader, from, &path));
    WR_TRY(w->adopt(ctx, w, path, false, to));
    if (to->bytes == from->bytes && to->checksum == from->checksum) return WR_OK;
    return wr_raise(ctx, WR_CORRUPT, "the checksum of file '%.*s' of the checkpoint does not match",
                    WR_STR_ARG(path));
}

/* The files as they are; the description of an incremental chain stays good, as nothing in it names
 * files. */
static wr_status
copy_handle(wr_ctx *ctx, rewriter *r, wr_state_writer *w, const wr_state_handle *h,
            wr_state_handle *out)
{
    *out = *h;
    out->bytes_written = 0;
    out->files = WR_NEW_N(r->a, wr_state_file, h->file_count + 1);
    WR_TRY_ALLOC(ctx, out->files);
    for (uint32_t i = 0; i < h->file_count; i++) {
        WR_TRY(adopt(ctx, r, w, &h->files[i], &out->files[i]));
        out->bytes_written += out->files[i].bytes;
    }
    return WR_OK;
}

static bool
is_canonical(const wr_state_handle *h)
{
    return wr_str_starts(h->format, WR_STR("canonical"));
}

static wr_status
rewrite_subtask(wr_ctx *ctx, rewriter *r, wr_ckpt_subtask *t)
{
    wr_state_writer *w;
    if (!t->keyed && !t->inflight) return WR_OK;
    wr_state_handle *keyed = WR_NEW(r->a, wr_state_handle);
    wr_state_file *inflight = WR_NEW(r->a, wr_state_file);
    if (!keyed || !inflight) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wr_ckpt_writer_open(ctx, r->out, &w));
    wr_status status = WR_OK;
    if (t->keyed) {
        const bool canonical = r->changes->kind == WR_SAVEPOINT_CANONICAL;
        status =
            is_canonical(t->keyed) == canonical
                ? copy_handle(ctx, r, w, t->keyed, keyed)
                : wri_ckpt_convert(ctx, t->keyed, r->reader, r->changes->config, r->changes->budget,
                                   r->in->id, canonical ? WR_SNAPSHOT_CANONICAL : WR_SNAPSHOT_FULL,
                                   w, keyed);
        t->keyed = keyed;
    }
    if (status == WR_OK && t->inflight) {
        status = adopt(ctx, r, w, t->inflight, inflight);
        t->inflight = inflight;
    }
    wr_ckpt_writer_close(w);
    return status;
}

/* The keyed state that comes from elsewhere is one handle, whatever the operator's parallelism. */
static wr_status
swap_keyed(wr_ctx *ctx, rewriter *r, wr_ckpt_operator *op)
{
    wr_state_writer *w;
    wr_state_handle *keyed = WR_NEW(r->a, wr_state_handle);
    WR_TRY_ALLOC(ctx, keyed);
    WR_TRY(wr_ckpt_writer_open(ctx, r->out, &w));
    const wr_status status =
        wri_ckpt_snapshot(ctx, r->swap->backend, r->in->id, WR_SNAPSHOT_CANONICAL, w, keyed);
    wr_ckpt_writer_close(w);
    op->subtasks[0].keyed = keyed;
    return status;
}

static wr_status
rewrite_operator(wr_ctx *ctx, rewriter *r, wr_ckpt_operator *op)
{
    const bool swapped = r->swap && wr_str_eq(op->logical_id, r->swap->logical_id);
    op->logical_id = new_id(r->changes, op->logical_id);
    const size_t bytes = op->subtask_count * sizeof *op->subtasks;
    wr_ckpt_subtask *subtasks = WR_NEW_N(r->a, wr_ckpt_subtask, op->subtask_count + 1);
    WR_TRY_ALLOC(ctx, subtasks);
    if (bytes) memcpy(subtasks, op->subtasks, bytes);
    op->subtasks = subtasks;
    for (uint32_t i = 0; swapped && i < op->subtask_count; i++) subtasks[i].keyed = NULL;
    for (uint32_t i = 0; i < op->subtask_count; i++) WR_TRY(rewrite_subtask(ctx, r, &subtasks[i]));
    return swapped ? swap_keyed(ctx, r, op) : WR_OK;
}

static wr_status
rewrite(wr_ctx *ctx, rewriter *r, wr_ckpt_meta *m)
{
    m->kind = (uint8_t)r->changes->kind;
    m->operators = WR_NEW_N(r->a, wr_ckpt_operator, r->in->operator_count + 1);
    m->operator_count = 0;
    WR_TRY_ALLOC(ctx, m->operators);
    for (uint32_t i = 0; i < r->in->operator_count; i++) {
        const wr_ckpt_operator *op = &r->in->operators[i];
        if (is_dropped(r->changes, op->logical_id)) continue;
        const wr_str id = new_id(r->changes, op->logical_id);
        if (wr_ckpt_find(m, id))
            return wr_raise(ctx, WR_OPTION, "two operators would have the id '%.*s'",
                            WR_STR_ARG(id));
        m->operators[m->operator_count] = *op;
        WR_TRY(rewrite_operator(ctx, r, &m->operators[m->operator_count++]));
    }
    return WR_OK;
}

wr_status
wri_ckpt_rewrite(wr_ctx *ctx, const wr_ckpt_meta *in, wr_str dir, const wr_ckpt_changes *changes,
                 const wri_ckpt_swap *swap)
{
    rewriter r = {.in = in, .changes = changes, .swap = swap};
    wr_ckpt_meta m = *in;
    WR_ASSERT(changes->kind == WR_SAVEPOINT_CANONICAL || changes->kind == WR_SAVEPOINT_NATIVE);
    WR_TRY(check_changes(ctx, in, changes));
    WR_TRY(wr_ckpt_begin_alone(ctx, dir, in->id, changes->kind, changes->budget, &r.out));
    r.a = wr_ckpt_arena(r.out);
    wr_status status = wr_ckpt_reader(ctx, in, r.a, &r.reader);
    if (status == WR_OK) status = rewrite(ctx, &r, &m);
    if (status == WR_OK) return wr_ckpt_publish(ctx, r.out, &m);
    wr_ckpt_discard(r.out);
    return status;
}

wr_status
wr_ckpt_rewrite(wr_ctx *ctx, const wr_ckpt_meta *in, wr_str dir, const wr_ckpt_changes *changes)
{
    return wri_ckpt_rewrite(ctx, in, dir, changes, NULL);
}
