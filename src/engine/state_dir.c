/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of `--state DIR`: what lets a process that is started again go on where the last one
 * was. The checkpoints in it are the runtime's; this file keeps what is around them:
 *
 *   DIR/lock          held as long as a process uses the folder; holds its process id
 *   DIR/checkpoints   execution.checkpointing.dir, unless the script sets its own
 *   DIR/savepoints    execution.checkpointing.savepoint-dir, likewise
 *   DIR/jobs/<id>     the record of one job: its name, where it began, and that it has finished
 *
 * A record is a small text, a line a field, values with control characters and '%' written as %XX;
 * its last line is the checksum of the lines before it:
 *
 *   weir job 1
 *   name=insert-into_default_catalog.default_database.t
 *   status=FINISHED
 *   from=/backup/savepoint-1f2e3d-0123456789ab
 *   behind=0
 *   checksum=0123456789abcdef
 *
 * It is replaced atomically: written beside as `.<id>`, synced, renamed; what a killed process
 * left of that is removed when the folder is opened. Thread: the session's. */
#include "engine/engine_int.h"

#include "os/os.h"

#define RECORD_HEAD      "weir job 1\n"
#define RECORD_BYTES_MAX 65536u
#define CHECKSUM_SEED    0x7765697265u

/* ---- opening --------------------------------------------------------------------------------- */

static wr_status
told_path(wr_ctx *ctx, wr_arena *a, wr_str dir, const char *below, const char **out)
{
    wr_str path = wr_arena_printf(a, "%.*s%s", WR_STR_ARG(dir), below);
    if (!path.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (path.len >= WR_OS_PATH_MAX)
        return wr_raise(ctx, WR_LIMIT, "the path of the state folder is too long");
    *out = path.ptr;
    return WR_OK;
}

static wr_status
raise_locked(wr_ctx *ctx, wri_state_dir *d)
{
    char text[32] = "";
    size_t got = 0;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    if (wr_os_file_read_at(&quiet, &d->lock, 0, text, sizeof text - 1, &got) != WR_OK) got = 0;
    while (got && (text[got - 1] < '0' || text[got - 1] > '9')) got--;
    text[got] = '\0';
    wr_status status = wr_raise(ctx, WR_EXISTS, "the state folder %.*s is in use by process %s",
                                WR_STR_ARG(d->path), got ? text : "(unknown)");
    wr_hint(ctx, "stop that process, or give this one a folder of its own");
    return status;
}

static wr_status
take_lock(wr_ctx *ctx, wri_state_dir *d, const char *path)
{
    char text[32];
    bool locked = false;
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_READ_WRITE, &d->lock));
    WR_TRY(wr_os_file_lock(ctx, &d->lock, &locked));
    if (!locked) return raise_locked(ctx, d);
    int len = snprintf(text, sizeof text, "%d\n", wr_os_pid());
    WR_TRY(wr_os_file_truncate(ctx, &d->lock, 0));
    return wr_os_file_write_at(ctx, &d->lock, 0, text, (size_t)len);
}

/* What a process that was killed while it replaced a record has left. Only under the lock. */
static wr_status
remove_unfinished(wr_ctx *ctx, const char *jobs)
{
    wr_os_dir dir;
    const char *name = NULL;
    char path[WR_OS_PATH_MAX];
    WR_TRY(wr_os_dir_open(ctx, jobs, &dir));
    wr_status status = WR_OK;
    do {
        status = wr_os_dir_next(ctx, &dir, &name);
        if (status != WR_OK || !name || name[0] != '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", jobs, name) >= (int)sizeof path)
            status = wr_raise(ctx, WR_LIMIT, "the path of the state folder is too long");
        else
            status = wr_os_remove(ctx, path);
    } while (status == WR_OK && name);
    wr_os_dir_close(&dir);
    return status;
}

/* A path that means the same wherever it is read later. */
static wr_status
absolute(wr_ctx *ctx, wr_arena *a, wr_str path, wr_str *out)
{
    static const char scheme[] = "://";
    char cwd[WR_OS_PATH_MAX];
    if (wr_str_starts(path, WR_STR("file:///"))) path = (wr_str){path.ptr + 7, path.len - 7};
    for (size_t i = 0; i + 3 <= path.len; i++)
        if (memcmp(path.ptr + i, scheme, 3) == 0)
            return wr_raise(ctx, WR_OPTION, "the state folder must be on a local disk, not '%.*s'",
                            WR_STR_ARG(path));
    while (path.len > 2 && wr_str_starts(path, WR_STR("./")))
        path = (wr_str){path.ptr + 2, path.len - 2};
    while (path.len > 1 && path.ptr[path.len - 1] == '/') path.len--;
    if (path.len && path.ptr[0] == '/') {
        *out = wr_arena_str(a, path);
    } else {
        WR_TRY(wr_os_cwd(ctx, cwd, sizeof cwd));
        *out = wr_arena_printf(a, "%s/%.*s", cwd, WR_STR_ARG(path));
    }
    return out->ptr ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
open_parts(wr_ctx *ctx, wr_arena *a, wri_state_dir *d)
{
    const char *jobs = NULL, *checkpoints = NULL, *savepoints = NULL, *lock = NULL;
    WR_TRY(told_path(ctx, a, d->path, "/jobs", &jobs));
    WR_TRY(told_path(ctx, a, d->path, "/checkpoints", &checkpoints));
    WR_TRY(told_path(ctx, a, d->path, "/savepoints", &savepoints));
    WR_TRY(told_path(ctx, a, d->path, "/lock", &lock));
    WR_TRY(wr_os_make_dirs(ctx, jobs));
    d->jobs = wr_str_c(jobs);
    d->checkpoints = wr_str_c(checkpoints);
    d->savepoints = wr_str_c(savepoints);
    WR_TRY(take_lock(ctx, d, lock));
    return remove_unfinished(ctx, jobs);
}

wr_status
wri_state_dir_open(wr_ctx *ctx, wr_arena *a, wr_str path, wri_state_dir **out)
{
    *out = NULL;
    if (path.len == 0) return wr_raise(ctx, WR_OPTION, "the state folder has an empty name");
    wri_state_dir *d = WR_NEW(a, wri_state_dir);
    WR_TRY_ALLOC(ctx, d);
    d->lock.fd = -1;
    WR_TRY(absolute(ctx, a, path, &d->path));
    wr_status status = open_parts(ctx, a, d);
    if (status != WR_OK) {
        wr_os_file_close(&d->lock);
        return status;
    }
    *out = d;
    return WR_OK;
}

void
wri_state_dir_close(wri_state_dir *d)
{
    if (d) wr_os_file_close(&d->lock);
}

/* ---- records --------------------------------------------------------------------------------- */

static void
put_field(wr_text *t, const char *key, wr_str value)
{
    wr_text_printf(t, "%s=", key);
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        if (c < 0x20 || c == '%' || c == 0x7f)
            wr_text_printf(t, "%%%02X", c);
        else
            wr_text_putc(t, value.ptr[i]);
    }
    wr_text_putc(t, '\n');
}

static wr_status
write_synced(wr_ctx *ctx, const char *path, wr_str text)
{
    wr_os_file f;
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_WRITE, &f));
    wr_status status = wr_os_file_write(ctx, &f, text.ptr, text.len);
    if (status == WR_OK) status = wr_os_file_sync(ctx, &f);
    if (status == WR_OK) return wr_os_file_finish(ctx, &f);
    wr_os_file_close(&f);
    return status;
}

wr_status
wri_job_record_write(wr_ctx *ctx, const wri_state_dir *d, wr_str id, const wri_job_record *r)
{
    wr_text t;
    char path[WR_OS_PATH_MAX], temp[WR_OS_PATH_MAX];
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_text_init(&t, a);
    wr_text_puts(&t, RECORD_HEAD);
    put_field(&t, "name", r->name);
    put_field(&t, "status", r->finished ? WR_STR("FINISHED") : WR_STR("RUNNING"));
    put_field(&t, "from", r->from);
    wr_text_printf(&t, "behind=%llu\n", (unsigned long long)r->behind);
    uint64_t sum = wr_hash_bytes(t.ptr, t.len, CHECKSUM_SEED);
    wr_text_printf(&t, "checksum=%016llx\n", (unsigned long long)sum);
    int n = snprintf(path, sizeof path, "%.*s/%.*s", WR_STR_ARG(d->jobs), WR_STR_ARG(id));
    int m = snprintf(temp, sizeof temp, "%.*s/.%.*s", WR_STR_ARG(d->jobs), WR_STR_ARG(id));
    wr_status status = WR_OK;
    if (t.failed) status = wr_raise(ctx, WR_NOMEM, "out of memory");
    if (n >= (int)sizeof path || m >= (int)sizeof temp)
        status = wr_raise(ctx, WR_LIMIT, "the path of the state folder is too long");
    if (status == WR_OK) status = write_synced(ctx, temp, wr_text_str(&t));
    if (status == WR_OK) status = wr_os_rename(ctx, temp, path);
    if (status == WR_OK) {
        path[d->jobs.len] = '\0';
        status = wr_os_sync_dir(ctx, path);
    }
    wr_arena_destroy(a);
    return status;
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "key=value\n" at *rest; false when it is not there. */
static bool
take_field(wr_str *rest, const char *key, wr_arena *a, wr_str *out)
{
    size_t len = strlen(key), n = 0;
    const char *end = rest->len ? memchr(rest->ptr, '\n', rest->len) : NULL;
    if (!end || (size_t)(end - rest->ptr) <= len || memcmp(rest->ptr, key, len) != 0) return false;
    if (rest->ptr[len] != '=') return false;
    const char *p = rest->ptr + len + 1;
    char *text = wr_arena_alloc(a, (size_t)(end - p) + 1);
    if (!text) return false;
    while (p < end) {
        if (*p != '%') {
            text[n++] = *p++;
            continue;
        }
        int hi = end - p > 2 ? hex_digit(p[1]) : -1, lo = end - p > 2 ? hex_digit(p[2]) : -1;
        if (hi < 0 || lo < 0) return false;
        text[n++] = (char)(hi * 16 + lo);
        p += 3;
    }
    text[n] = '\0';
    *out = (wr_str){text, n};
    rest->len -= (size_t)(end + 1 - rest->ptr);
    rest->ptr = end + 1;
    return true;
}

static bool
parse_u64(wr_str text, uint64_t *out)
{
    uint64_t n = 0;
    if (text.len == 0 || text.len > 18) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
        n = n * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    *out = n;
    return true;
}

static bool
decode(wr_str text, wr_arena *a, wri_job_record *out)
{
    wr_str rest = text, status, behind, sum;
    char want[24];
    if (!wr_str_starts(rest, WR_STR(RECORD_HEAD))) return false;
    rest.ptr += sizeof RECORD_HEAD - 1;
    rest.len -= sizeof RECORD_HEAD - 1;
    if (!take_field(&rest, "name", a, &out->name)) return false;
    if (!take_field(&rest, "status", a, &status)) return false;
    if (!take_field(&rest, "from", a, &out->from)) return false;
    if (!take_field(&rest, "behind", a, &behind) || !parse_u64(behind, &out->behind)) return false;
    size_t body = (size_t)(rest.ptr - text.ptr);
    (void)snprintf(want, sizeof want, "%016llx",
                   (unsigned long long)wr_hash_bytes(text.ptr, body, CHECKSUM_SEED));
    out->finished = wr_str_eq(status, WR_STR("FINISHED"));
    return take_field(&rest, "checksum", a, &sum) && wr_str_eq_c(sum, want) && rest.len == 0;
}

static wr_status
read_file(wr_ctx *ctx, const char *path, wr_arena *a, wr_str *out)
{
    wr_os_file f;
    size_t got = 0;
    char *text = wr_arena_alloc(a, RECORD_BYTES_MAX);
    WR_TRY_ALLOC(ctx, text);
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_READ, &f));
    wr_status status = wr_os_file_read_at(ctx, &f, 0, text, RECORD_BYTES_MAX, &got);
    wr_os_file_close(&f);
    *out = (wr_str){text, got};
    return status;
}

wr_status
wri_job_record_read(wr_ctx *ctx, const wri_state_dir *d, wr_str id, wr_arena *a,
                    wri_job_record *out, bool *found)
{
    wr_os_stat st;
    wr_str text;
    wr_str path = wr_arena_printf(a, "%.*s/%.*s", WR_STR_ARG(d->jobs), WR_STR_ARG(id));
    WR_TRY_ALLOC(ctx, path.ptr);
    *out = (wri_job_record){0};
    WR_TRY(wr_os_stat_path(ctx, path.ptr, &st));
    *found = st.kind != WR_OS_NONE;
    if (!*found) return WR_OK;
    WR_TRY(read_file(ctx, path.ptr, a, &text));
    if (decode(text, a, out)) return WR_OK;
    wr_status status = wr_raise(ctx, WR_CORRUPT, "the record of a job is damaged: %s", path.ptr);
    wr_hint(ctx, "remove that file: a job that was running goes on from its last checkpoint all "
                 "the same; one that had finished without checkpoints runs again");
    return status;
}
