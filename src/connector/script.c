/* SPDX-License-Identifier: Apache-2.0 */
/* 'script': a source whose changes are written in the DDL or in a file, one JSON text a line.
 *
 *   ["+I", 1, "a"]              a change: kind and values of the physical columns
 *   {"watermark": "2020-01-01 00:00:01"}   (or milliseconds) for WATERMARK ... AS
 * SOURCE_WATERMARK()
 *   {"step": 2}                 what follows waits until every script table of the job has sent all
 *                               it has before step 2 and that has been worked off
 *   {"sleep": 100}              a pause in milliseconds
 *   {"clock": "2020-01-01 00:00:01"}   processing time is held there (or milliseconds); what comes
 *                               due by that happens before the next step begins
 *   {"split": 1}                what follows is of this split ('splits' says how many there are,
 *                               0.. each with a watermark of its own)
 *   {"end": 1}                  this split gives nothing more
 *
 * Rows come in order on one subtask. A table ends when all of the job have come to their end. */
#include "connector/connector_int.h"
#include "format/format.h"
#include "os/os.h"
#include "types/datetime.h"
#include "types/number.h"

#define SPLITS_MAX 1000
#define NO_PLACE   UINT16_MAX

static const wr_option_def script_options[] = {
    {"rows", WR_OPT_STRING, NULL, NULL, 0, "The lines."},
    {"path", WR_OPT_STRING, NULL, NULL, 0, "A file with the lines, if there are no 'rows'."},
    {"changelog-mode", WR_OPT_STRING, NULL, NULL, 0,
     "all, upsert, insert, or a list such as I,UB,UA,D; default: the kinds that occur."},
    {"bounded", WR_OPT_BOOL, "true", NULL, 0, "Is the table bounded?"},
    {"splits", WR_OPT_INT, "1", NULL, 0, "How many splits {\"split\": n} tells apart."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

wr_status
wri_changelog_mode(wr_ctx *ctx, wr_str text, const wr_option *item, wr_clmode *out)
{
    static const struct {
        const char *name;
        wr_clmode mode;
    } names[] = {{"all", WR_CL_ALL}, {"upsert", WR_CL_UPSERT}, {"insert", WR_CL_INSERT_ONLY},
                 {"I", WR_CL_I},     {"UB", WR_CL_UB},         {"UA", WR_CL_UA},
                 {"D", WR_CL_D}};
    wr_str rest = text;
    *out = 0;
    for (;;) {
        const char *comma = rest.len ? memchr(rest.ptr, ',', rest.len) : NULL;
        wr_str word = {rest.ptr, comma ? (size_t)(comma - rest.ptr) : rest.len};
        while (word.len && *word.ptr == ' ') word.ptr++, word.len--;
        while (word.len && word.ptr[word.len - 1] == ' ') word.len--;
        wr_clmode mode = 0;
        for (uint32_t i = 0; i < WR_COUNT(names); i++)
            if (wr_str_eq_c(word, names[i].name)) mode = names[i].mode;
        if (!mode)
            return wr_raise_at(ctx, WR_OPTION, item ? item->span : WR_NO_SPAN,
                               "unknown changelog mode '%.*s': expected all, upsert, insert or a "
                               "list of I, UB, UA, D",
                               WR_STR_ARG(word));
        *out |= mode;
        if (!comma) return WR_OK;
        rest = (wr_str){comma + 1, (size_t)(text.ptr + text.len - comma - 1)};
    }
}

bool
wri_is_source_watermark(const wr_table_desc *table)
{
    static const char word[] = "SOURCE_WATERMARK";
    wr_str e = table->watermark_expr;
    for (size_t i = 0; i + sizeof word - 1 <= e.len; i++)
        if (wr_str_eq_nocase((wr_str){e.ptr + i, sizeof word - 1}, WR_STR("SOURCE_WATERMARK")))
            return true;
    return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct script_line {
    wr_str text;
    uint32_t number;
} script_line;

typedef WR_LIST(script_line) line_list;

static wr_str
trim(wr_str s)
{
    while (s.len && (unsigned char)*s.ptr <= ' ') s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

static wr_status
read_file(wr_ctx *ctx, wr_str path, wr_arena *a, wr_str *out)
{
    wr_fs *fs = wr_find_fs(path);
    if (!fs) return wr_raise(ctx, WR_OPTION, "script: no file system for '%.*s'", WR_STR_ARG(path));
    wr_file_info info;
    bool exists;
    wr_file *f;
    WR_TRY(fs->ops->stat(ctx, fs, path, a, &info, &exists));
    if (!exists || info.is_dir)
        return wr_raise(ctx, WR_IO, "script: there is no file '%.*s'", WR_STR_ARG(path));
    char *buf = wr_arena_alloc(a, info.size_bytes + 1);
    WR_TRY_ALLOC(ctx, buf);
    size_t got = 0;
    WR_TRY(fs->ops->open(ctx, fs, path, &f));
    wr_status status = fs->ops->read_at(ctx, f, 0, buf, info.size_bytes, &got);
    wr_status closed = f->ops->close(ctx, f);
    *out = (wr_str){buf, got};
    return status != WR_OK ? status : closed;
}

static wr_status
read_lines(wr_ctx *ctx, const wr_options *options, wr_arena *a, line_list *out)
{
    const wr_option *rows = wr_options_find(options, "rows");
    const wr_option *path = wr_options_find(options, "path");
    wr_str text = {NULL, 0};
    if (!rows && !path)
        return wr_raise(ctx, WR_OPTION, "script: one of the options 'rows' and 'path' is needed");
    if (rows)
        text = rows->value;
    else
        WR_TRY(read_file(ctx, path->value, a, &text));
    for (uint32_t number = 1; text.len; number++) {
        const char *nl = memchr(text.ptr, '\n', text.len);
        size_t n = nl ? (size_t)(nl - text.ptr) : text.len;
        script_line line = {trim((wr_str){text.ptr, n}), number};
        if (line.text.len && !wr_list_push(a, out, line))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        n += nl ? 1 : 0;
        text = (wr_str){text.ptr + n, text.len - n};
    }
    return WR_OK;
}

/* The kind at the head of an array. */
static wr_status
kind_of(wr_ctx *ctx, const script_line *line, wr_kind *out)
{
    wr_str s = trim((wr_str){line->text.ptr + 1, line->text.len - 1});
    wr_str word = s;
    if (s.len >= 4 && s.ptr[0] == '"' && s.ptr[3] == '"') {
        word = (wr_str){s.ptr + 1, 2};
        for (int k = WR_INSERT; k <= WR_DELETE; k++)
            if (wr_str_eq_c(word, wr_kind_name((wr_kind)k))) {
                *out = (wr_kind)k;
                return WR_OK;
            }
    }
    wr_status status =
        wr_raise(ctx, WR_DATA, "row kind %.*s", (int)WR_MIN(word.len, (size_t)20), word.ptr);
    wr_frame(ctx, "script, line %u", line->number);
    return status;
}

static wr_status
check_lines(wr_ctx *ctx, const line_list *lines, wr_clmode *seen)
{
    *seen = WR_CL_I;
    for (uint32_t i = 0; i < lines->count; i++) {
        const script_line *line = &lines->items[i];
        bool valid;
        WR_TRY(wr_json_valid(ctx, line->text, &valid));
        if (!valid) {
            wr_status status = wr_raise(ctx, WR_DATA, "script: malformed JSON: %.*s",
                                        (int)WR_MIN(line->text.len, (size_t)500), line->text.ptr);
            wr_frame(ctx, "script, line %u", line->number);
            return status;
        }
        if (line->text.ptr[0] != '[') continue;
        wr_kind kind;
        WR_TRY(kind_of(ctx, line, &kind));
        *seen |= (wr_clmode)(1u << kind);
    }
    return WR_OK;
}

static wr_status
count_splits(wr_ctx *ctx, const wr_options *options, int64_t *out)
{
    const wr_option *o = wr_options_find(options, "splits");
    WR_TRY(wri_option_int(ctx, options, script_options, "splits", out));
    if (*out >= 1 && *out <= SPLITS_MAX) return WR_OK;
    return wr_raise_at(ctx, WR_OPTION, o ? o->span : WR_NO_SPAN,
                       "script: 'splits' is a number from 1 to %d", SPLITS_MAX);
}

static wr_status
script_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)table;
    (void)config;
    line_list lines = {0};
    const wr_option *mode = wr_options_find(options, "changelog-mode");
    WR_TRY(wri_option_bool(ctx, options, script_options, "bounded", &out->bounded));
    WR_TRY(read_lines(ctx, options, arena, &lines));
    WR_TRY(check_lines(ctx, &lines, &out->changelog));
    if (mode) {
        WR_TRY(wri_changelog_mode(ctx, mode->value, mode, &out->changelog));
        out->key_deletes = wr_str_eq_c(mode->value, "upsert");
    }
    int64_t splits;
    WR_TRY(count_splits(ctx, options, &splits));
    out->split_watermarks = splits > 1;
    out->source_watermark = true;
    out->can_skip = true;
    out->row_events = true;
    out->parallelism_max = out->parallelism = 1;
    out->row_count = lines.count;
    out->keeps_order = out->replayable = true;
    return WR_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct script_reader { /* wr_reader */
    const wr_source_spec *spec;
    const wr_source_env *env;
    line_list lines;
    uint32_t next;
    int64_t wake_ms; /* sleeping until then (monotonic); 0 = not */
    bool has_split, no_more, started;
    bool gives_watermarks; /* WATERMARK ... AS SOURCE_WATERMARK() */
    bool has_watermark;    /* the last one given, for the next reader */
    bool repeat_watermark; /* restored: given again first */
    int64_t watermark;
    int64_t splits, split; /* how many; the one that rows are of now */
    uint16_t *place;       /* of each split among those that were added; NO_PLACE: it has ended */
    uint32_t added;
    const wr_format_ops *format;
    wr_decoder *decoder;
    wri_turn *turn;
} script_reader;

static wr_status
script_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    script_reader *r = WR_NEW(env->arena, script_reader);
    WR_TRY_ALLOC(ctx, r);
    r->spec = spec;
    r->env = env;
    WR_TRY(count_splits(ctx, &spec->options, &r->splits));
    r->place = WR_NEW_N(env->arena, uint16_t, (size_t)r->splits);
    WR_TRY_ALLOC(ctx, r->place);
    for (int64_t i = 0; i < r->splits; i++) r->place[i] = NO_PLACE;
    WR_TRY(read_lines(ctx, &spec->options, env->arena, &r->lines));
    wr_option json[] = {{WR_STR("format"), WR_STR("json"), WR_NO_SPAN}};
    wr_source_spec as_json = *spec;
    as_json.options = (wr_options){json, 1};
    WR_TRY(wri_decoder_open(ctx, &as_json, env, WR_STR("script"), &r->format, &r->decoder));
    r->gives_watermarks = wri_is_source_watermark(spec->table);
    wr_status status = wri_turn_join(ctx, env, &r->turn);
    if (status != WR_OK) {
        r->format->decoder_close(r->decoder);
        return status;
    }
    *out = (wr_reader *)r;
    return WR_OK;
}

/* Splits are called 0, 1, ...; a single one has no name. */
static wr_status
script_discover(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism, wr_arena *arena,
                wr_str **splits_out, uint32_t *count_out, int64_t *recheck_ms)
{
    int64_t n;
    WR_TRY(count_splits(ctx, &spec->options, &n));
    if (n == 1)
        return wri_discover_single(ctx, spec, parallelism, arena, splits_out, count_out,
                                   recheck_ms);
    *splits_out = WR_NEW_N(arena, wr_str, (size_t)n);
    WR_TRY_ALLOC(ctx, *splits_out);
    for (int64_t i = 0; i < n; i++) {
        (*splits_out)[i] = wr_arena_printf(arena, "%lld", (long long)i);
        WR_TRY_ALLOC(ctx, (*splits_out)[i].ptr);
    }
    *count_out = (uint32_t)n;
    *recheck_ms = 0;
    return WR_OK;
}

static bool number_of(wr_str s, int64_t *out);

static wr_status
script_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    script_reader *r = (script_reader *)reader;
    int64_t n[5] = {0}; /* as script_snapshot puts them */
    uint32_t got;
    WR_TRY(wri_position_get(ctx, split, position, n, WR_COUNT(n), &got));
    if (n[0] < 0 || n[0] > (int64_t)r->lines.count)
        return wr_raise(ctx, WR_CORRUPT, "the script was left at line %lld, but has only %u",
                        (long long)n[0], r->lines.count);
    r->next = (uint32_t)n[0];
    if (got > 1) wri_turn_resume(r->turn, n[1]);
    r->has_watermark = r->repeat_watermark = n[2] != 0;
    r->watermark = n[3];
    r->split = n[4];
    int64_t number = 0;
    if (split.len && (!number_of(split, &number) || number < 0 || number >= r->splits))
        return wr_raise(ctx, WR_CORRUPT, "the script has no split '%.*s'", WR_STR_ARG(split));
    r->place[number] = (uint16_t)r->added++;
    r->has_split = true;
    return WR_OK;
}

static wr_status
script_no_more(wr_ctx *ctx, wr_reader *reader)
{
    (void)ctx;
    ((script_reader *)reader)->no_more = true;
    return WR_OK;
}

/* The line behind the last one that was given, the step in which that is, the watermark. */
static wr_status
script_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    script_reader *r = (script_reader *)reader;
    if (!r->has_split || !r->turn) return WR_OK; /* read to its end */
    const int64_t n[] = {r->next, wri_turn_now(r->turn), r->has_watermark, r->watermark, r->split};
    if (r->splits == 1) return wri_position_put(ctx, out, WR_STR(""), n, r->has_watermark ? 4 : 2);
    for (int64_t i = 0; i < r->splits; i++) { /* all are where the script is */
        if (r->place[i] == NO_PLACE) continue;
        char name[WR_I64_TEXT_MAX];
        const wr_str split = {name, (size_t)wr_i64_print(i, name)};
        WR_TRY(wri_position_put(ctx, out, split, n, WR_COUNT(n)));
    }
    return WR_OK;
}

static wr_status
bad_line(wr_ctx *ctx, const script_line *line)
{
    wr_status status = wr_raise(ctx, WR_DATA, "script line: %.*s",
                                (int)WR_MIN(line->text.len, (size_t)500), line->text.ptr);
    wr_frame(ctx, "script, line %u", line->number);
    return status;
}

static bool
number_of(wr_str s, int64_t *out)
{
    bool neg = s.len && *s.ptr == '-';
    int64_t v = 0;
    if (s.len == neg) return false;
    for (size_t i = neg; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') return false;
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s.ptr[i] - '0', &v))
            return false;
    }
    *out = neg ? -v : v;
    return true;
}

static wr_status
watermark_of(wr_ctx *ctx, const script_line *line, wr_str raw, int64_t *out)
{
    wr_ts ts;
    int precision;
    if (number_of(raw, out)) return WR_OK;
    if (raw.len > 2 && raw.ptr[0] == '"' &&
        wr_ts_literal((wr_str){raw.ptr + 1, raw.len - 2}, &ts, &precision)) {
        *out = ts.ms;
        return WR_OK;
    }
    return bad_line(ctx, line);
}

static bool
is_split(const script_reader *r, int64_t n)
{
    return n >= 0 && n < r->splits && r->place[n] != NO_PLACE;
}

typedef enum script_act { ACT_GO, ACT_WAIT, ACT_FLUSH } script_act;

/* A line that is no row. FLUSH: what has been read goes out first (with the watermark). */
static wr_status
directive(wr_ctx *ctx, script_reader *r, const script_line *line, bool rows, wr_poll *out,
          script_act *act)
{
    wr_str raw;
    bool found;
    int64_t n;
    *act = ACT_GO;
    WR_TRY(wr_json_member(ctx, line->text, "watermark", &raw, &found));
    if (found) {
        WR_TRY(watermark_of(ctx, line, raw, &out->watermark));
        out->has_watermark = r->gives_watermarks;
        if (out->has_watermark) {
            *act = ACT_FLUSH;
            r->has_watermark = true;
            r->watermark = out->watermark;
        }
        r->next++;
        return WR_OK;
    }
    if (rows) {
        *act = ACT_FLUSH;
        return WR_OK;
    }
    WR_TRY(wr_json_member(ctx, line->text, "step", &raw, &found));
    if (found && number_of(raw, &n)) {
        *act = wri_turn_await(r->turn, n) ? ACT_GO : ACT_WAIT;
        if (*act == ACT_GO) r->next++;
        return WR_OK;
    }
    WR_TRY(wr_json_member(ctx, line->text, "clock", &raw, &found));
    if (found) {
        WR_TRY(watermark_of(ctx, line, raw, &n));
        if (wr_os_processing_ms() != n) wr_os_processing_hold(n);
        r->next++;
        return WR_OK;
    }
    WR_TRY(wr_json_member(ctx, line->text, "split", &raw, &found));
    if (found) {
        if (!number_of(raw, &n) || !is_split(r, n)) return bad_line(ctx, line);
        r->split = n;
        r->next++;
        return WR_OK;
    }
    WR_TRY(wr_json_member(ctx, line->text, "end", &raw, &found));
    if (found) {
        if (!number_of(raw, &n) || !is_split(r, n)) return bad_line(ctx, line);
        *act = ACT_FLUSH;
        out->split = r->place[n];
        out->split_ended = true;
        r->place[n] = NO_PLACE;
        r->next++;
        return WR_OK;
    }
    WR_TRY(wr_json_member(ctx, line->text, "sleep", &raw, &found));
    if (!found || !number_of(raw, &n)) return bad_line(ctx, line);
    int64_t now = wr_os_now_ns() / 1000000;
    if (r->wake_ms == 0) r->wake_ms = now + n;
    *act = now >= r->wake_ms ? ACT_GO : ACT_WAIT;
    out->wake_at_ms = r->wake_ms;
    if (*act == ACT_GO) {
        r->wake_ms = 0;
        r->next++;
    }
    return WR_OK;
}

static wr_status
row_line(wr_ctx *ctx, script_reader *r, const script_line *line, wr_batch *fill, uint8_t *kinds)
{
    wr_kind kind;
    wr_decode_pos pos = {.file = WR_STR("script"), .line = line->number};
    WR_TRY(kind_of(ctx, line, &kind));
    WR_TRY(wr_json_decode_array(ctx, r->decoder, line->text, 1, fill, fill->row_count, &pos));
    kinds[fill->row_count++] = (uint8_t)kind;
    r->next++;
    return WR_OK;
}

/* A reader that has nothing to read keeps nobody waiting. */
static void
leave(script_reader *r, wr_poll *out)
{
    out->kind = WR_POLL_END;
    wri_turn_leave(r->turn);
    r->turn = NULL;
}

static wr_status
script_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    script_reader *r = (script_reader *)reader;
    *out = (wr_poll){.kind = WR_POLL_PENDING, .fd = -1};
    if (!r->has_split && r->no_more) {
        leave(r, out);
        return WR_OK;
    }
    if (!r->started && !wri_turn_await(r->turn, 1)) {
        out->wake_at_ms = wr_os_now_ns() / 1000000 + 1;
        return WR_OK;
    }
    if (r->repeat_watermark) {
        *out = (wr_poll){WR_POLL_READY, .has_watermark = true, .watermark = r->watermark, .fd = -1};
        out->split = r->splits > 1 ? r->place[r->split] : 0;
        r->repeat_watermark = false;
        return WR_OK;
    }
    r->started = true;
    if (!wr_batch_init_flat(fill, &r->spec->columns, max_rows))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    uint8_t *kinds = wr_batch_kinds(fill, max_rows);
    WR_TRY_ALLOC(ctx, kinds);
    script_act act = ACT_GO;
    while (act == ACT_GO && r->has_split && r->next < r->lines.count &&
           fill->row_count < max_rows) {
        const script_line *line = &r->lines.items[r->next];
        if (line->text.ptr[0] == '[')
            WR_TRY(row_line(ctx, r, line, fill, kinds));
        else
            WR_TRY(directive(ctx, r, line, fill->row_count > 0, out, &act));
    }
    if (!out->split_ended) out->split = r->splits > 1 ? r->place[r->split] : 0;
    if (fill->row_count || out->has_watermark || out->split_ended) {
        out->kind = WR_POLL_READY;
        return WR_OK;
    }
    bool end = act == ACT_GO && r->next == r->lines.count;
    if (end && wri_turn_await(r->turn, INT32_MAX)) {
        leave(r, out);
    } else if (!out->wake_at_ms) {
        out->wake_at_ms = wr_os_now_ns() / 1000000 + 1;
    }
    return WR_OK;
}

static void
script_close(wr_reader *reader)
{
    script_reader *r = (script_reader *)reader;
    if (!r) return;
    wri_turn_leave(r->turn);
    r->format->decoder_close(r->decoder);
}

const wr_source_ops wri_script_source = {
    .abi = WR_ABI,
    .name = "script",
    .options = script_options,
    .describe = script_describe,
    .discover = script_discover,
    .open = script_open,
    .add_split = script_add_split,
    .no_more_splits = script_no_more,
    .poll = script_poll,
    .snapshot = script_snapshot,
    .committed = wri_committed_nothing,
    .close = script_close,
};
