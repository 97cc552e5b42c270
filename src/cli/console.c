/* SPDX-License-Identifier: Apache-2.0 */
/* The status line of a running statement, at the bottom of a terminal: a bar with percentage and
 * time left where the amount of work is known, else rows in and out, their rate and the watermark;
 * after some quiet seconds what the query waits for.
 *
 * It is written to standard error, and only when that is a terminal. Who writes to the terminal
 * takes the console first, which wipes the line away; the next tick of progress puts it back. */
#include "cli/cli_int.h"
#include "types/datetime.h"

#define FIRST_NS  500000000ll /* short statements show nothing */
#define TICK_NS   200000000ll
#define QUIET_NS  3000000000ll /* from then on it says what is waited for */
#define BAR_CELLS 24u

void
wri_console_init(wri_console *c, bool on, bool color)
{
    memset(c, 0, sizeof *c);
    wr_os_mutex_init(&c->mutex);
    c->on = on;
    c->color = color;
}

void
wri_console_deinit(wri_console *c)
{
    wr_os_mutex_deinit(&c->mutex);
}

static void
write_error(const char *p, size_t len)
{
    wr_ctx quiet;
    wr_os_file err = wr_os_stderr();
    wr_ctx_init(&quiet);
    (void)!wr_os_file_write(&quiet, &err, p, len);
}

static void
wipe(wri_console *c)
{
    if (c->shown) write_error("\r\x1b[K", 4);
    c->shown = false;
}

void
wri_console_take(wri_console *c)
{
    if (!c) return;
    wr_os_mutex_lock(&c->mutex);
    wipe(c);
}

void
wri_console_give(wri_console *c)
{
    if (c) wr_os_mutex_unlock(&c->mutex);
}

void
wri_console_begin(wri_console *c, bool bounded)
{
    if (!c) return;
    wri_console_take(c);
    c->bounded = bounded;
    c->started_ns = c->active_ns = c->rate_ns = wr_os_now_ns();
    c->shown_ns = 0;
    c->rows_in = c->rows_before = 0;
    c->rate = 0;
    wri_console_give(c);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* 1234567 as 1,234,567 */
static void
put_count(wr_text *t, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) wr_text_putc(t, ',');
        wr_text_putc(t, digits[i]);
    }
}

static void
put_bytes(wr_text *t, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    uint32_t u = 0;
    while (bytes >= 1000 && u + 1 < WR_COUNT(units)) {
        bytes /= 1000;
        u++;
    }
    wr_text_printf(t, u == 0 ? "%.0f %s" : "%.1f %s", bytes, units[u]);
}

static void
put_duration(wr_text *t, int64_t seconds)
{
    if (seconds >= 3600)
        wr_text_printf(t, "%lld:%02lld:%02lld", (long long)(seconds / 3600),
                       (long long)(seconds / 60 % 60), (long long)(seconds % 60));
    else
        wr_text_printf(t, "%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

static void
put_bar(wr_text *t, const wr_job_progress *p, int64_t elapsed_ns)
{
    double part = WR_MIN((double)p->bytes_in / (double)p->bytes_total, 1.0);
    uint32_t full = (uint32_t)(part * BAR_CELLS);
    double seconds = (double)elapsed_ns / 1e9;
    wr_text_putc(t, '[');
    for (uint32_t i = 0; i < BAR_CELLS; i++) wr_text_putc(t, i < full ? '#' : '-');
    wr_text_printf(t, "] %3.0f %%  ", part * 100);
    put_bytes(t, (double)p->bytes_in);
    wr_text_puts(t, " of ");
    put_bytes(t, (double)p->bytes_total);
    if (part > 0.001 && seconds > 0) {
        wr_text_puts(t, "  ");
        put_bytes(t, (double)p->bytes_in / seconds);
        wr_text_puts(t, "/s  ETA ");
        put_duration(t, (int64_t)(seconds / part - seconds + 0.5));
    }
}

static void
put_counts(wr_text *t, wri_console *c, const wr_job_progress *p, int64_t elapsed_ns,
           bool with_watermark)
{
    wr_text_puts(t, "rows in ");
    put_count(t, p->rows_in);
    wr_text_puts(t, " (");
    put_count(t, (uint64_t)(c->rate + 0.5));
    wr_text_puts(t, "/s)  out ");
    put_count(t, p->rows_out);
    if (with_watermark && p->watermark != INT64_MIN) {
        char text[WR_DT_TEXT_MAX];
        bool end = p->watermark == INT64_MAX;
        uint32_t n = end ? 0 : wr_ts_print((wr_ts){.ms = p->watermark}, 3, text);
        wr_text_puts(t, "  watermark ");
        wr_text_put(t, end ? "at the end" : text, end ? 10 : n);
    }
    wr_text_puts(t, "  ");
    put_duration(t, elapsed_ns / 1000000000);
}

/* What the query waits for comes first: narrow terminals cut the rest. */
static void
put_waiting(wr_text *t, const wr_job_progress *p)
{
    char text[WR_DT_TEXT_MAX];
    const bool known = p->watermark != INT64_MIN && p->watermark != INT64_MAX;
    const uint32_t n = known ? wr_ts_print((wr_ts){.ms = p->watermark}, 3, text) : 0;
    if (p->waits_for && known)
        wr_text_printf(t, "waiting for %s, watermark %.*s  ", p->waits_for, (int)n, text);
    else if (p->waits_for)
        wr_text_printf(t, "waiting for %s, which holds the watermark back  ", p->waits_for);
    else if (p->sources_idle)
        wr_text_puts(t, "waiting for input  ");
}

void
wri_console_text(wri_console *c, const wr_job_progress *p, int64_t now_ns, uint32_t columns,
                 wr_text *out)
{
    double seconds = (double)(now_ns - c->rate_ns) / 1e9;
    if (p->rows_in != c->rows_in) c->active_ns = now_ns;
    c->rows_in = p->rows_in;
    if (seconds >= 1 || c->rate == 0) { /* smoothed over about three seconds */
        double fresh = seconds > 0 ? (double)(p->rows_in - c->rows_before) / seconds : 0;
        c->rate = c->rate == 0 ? fresh : c->rate * 0.6 + fresh * 0.4;
        if (fresh == 0 && c->rate < 0.5) c->rate = 0;
        c->rate_ns = now_ns;
        c->rows_before = p->rows_in;
    }
    const bool quiet = now_ns - c->active_ns >= QUIET_NS;
    if (quiet) put_waiting(out, p);
    if (c->bounded && p->bytes_total)
        put_bar(out, p, now_ns - c->started_ns);
    else
        put_counts(out, c, p, now_ns - c->started_ns, !quiet || !p->waits_for);
    if (out->len > columns) out->len = columns;
}

void
wri_console_progress(wri_console *c, const wr_job *job)
{
    if (!c || !c->on) return;
    int64_t now = wr_os_now_ns();
    if (now - c->started_ns < FIRST_NS || now - c->shown_ns < TICK_NS) return;
    wr_arena *arena = wr_arena_create(NULL, 0);
    if (!arena) return;
    wr_job_progress p;
    wr_text line;
    uint32_t columns, rows;
    wr_text_init(&line, arena);
    wr_job_get_progress(job, &p);
    wr_os_terminal_size(&columns, &rows);
    wri_console_take(c);
    wr_text_puts(&line, c->color ? "\r\x1b[K\x1b[2m" : "\r\x1b[K");
    wr_text words;
    wr_text_init(&words, arena);
    wri_console_text(c, &p, now, columns - 1, &words);
    wr_text_put(&line, words.ptr, words.len);
    if (c->color) wr_text_puts(&line, "\x1b[0m");
    if (!line.failed) write_error(line.ptr, line.len);
    c->shown = true;
    c->shown_ns = now;
    wri_console_give(c);
    wr_arena_destroy(arena);
}
