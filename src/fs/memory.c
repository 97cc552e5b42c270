/* SPDX-License-Identifier: Apache-2.0 */
/* A file system in memory: an array of entries sorted by path, under one lock. For tests and for
 * objects that need not outlive the process. Folders are entries too; creating a file makes its
 * folders. A file that is removed while open stays readable through its handle (entries are
 * refcounted). Owner: whoever created it. thread: any */
#include "fs/fs_int.h"
#include "os/os.h"

#define PATH_MAX_BYTES 1024

typedef struct node {
    int32_t refs; /* under the lock */
    bool is_dir, locked;
    int64_t mtime_ms;
    char *data;
    size_t len, cap;
} node;

typedef struct entry {
    char *path;
    node *node;
} entry;

typedef struct memory_fs {
    wr_fs base;
    wr_os_mutex mutex;
    wr_memtrack *budget;
    entry *items;
    uint32_t count, cap;
} memory_fs;

typedef struct memory_file {
    wr_file base;
    memory_fs *fs;
    node *node;
    bool holds_lock;
} memory_file;

static void
node_release(memory_fs *m, node *n)
{
    if (--n->refs > 0) return;
    wr_mem_free(m->budget, n->data, n->cap);
    wr_mem_free(m->budget, n, sizeof *n);
}

/* Index of `path`, or where it would be. */
static uint32_t
find_entry(const memory_fs *m, const char *path, bool *found)
{
    uint32_t lo = 0, hi = m->count;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        int c = strcmp(m->items[mid].path, path);
        if (c == 0) {
            *found = true;
            return mid;
        }
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *found = false;
    return lo;
}

static node *
get_node(const memory_fs *m, const char *path)
{
    bool found;
    uint32_t i = find_entry(m, path, &found);
    return found ? m->items[i].node : NULL;
}

static void
remove_entry(memory_fs *m, uint32_t i)
{
    entry e = m->items[i];
    memmove(&m->items[i], &m->items[i + 1], (m->count - i - 1) * sizeof *m->items);
    m->count--;
    wr_mem_free(m->budget, e.path, strlen(e.path) + 1);
    node_release(m, e.node);
}

/* Puts `n` (moved) at `path`, which is not there yet. */
static bool
insert_entry(memory_fs *m, const char *path, node *n)
{
    if (m->count == m->cap) {
        uint32_t cap = m->cap ? m->cap * 2 : 16;
        entry *items =
            wr_mem_realloc(m->budget, m->items, m->cap * sizeof *items, cap * sizeof *items);
        if (!items) return false;
        m->items = items;
        m->cap = cap;
    }
    char *copy = wr_mem_alloc(m->budget, strlen(path) + 1);
    if (!copy) return false;
    memcpy(copy, path, strlen(path) + 1);
    bool found;
    uint32_t i = find_entry(m, path, &found);
    WR_ASSERT(!found);
    memmove(&m->items[i + 1], &m->items[i], (m->count - i) * sizeof *m->items);
    m->items[i] = (entry){copy, n};
    m->count++;
    return true;
}

static node *
new_node(memory_fs *m, bool is_dir)
{
    node *n = wr_mem_zalloc(m->budget, sizeof *n);
    if (!n) return NULL;
    n->refs = 1;
    n->is_dir = is_dir;
    n->mtime_ms = wr_os_wall_ms();
    return n;
}

static bool
make_dirs(memory_fs *m, const char *path, bool with_last)
{
    char part[PATH_MAX_BYTES];
    for (size_t i = 1;; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        if (path[i] == '\0' && !with_last) return true;
        memcpy(part, path, i);
        part[i] = '\0';
        if (i > 0 && !get_node(m, part)) {
            node *n = new_node(m, true);
            if (!n) return false;
            if (!insert_entry(m, part, n)) {
                node_release(m, n);
                return false;
            }
        }
        if (path[i] == '\0') return true;
    }
}

static wr_status
new_handle(wr_ctx *ctx, memory_fs *m, node *n, wr_file **out)
{
    memory_file *f = wr_mem_zalloc(m->budget, sizeof *f);
    WR_TRY_ALLOC(ctx, f);
    f->base.ops = m->base.ops;
    f->fs = m;
    f->node = n;
    n->refs++;
    *out = &f->base;
    return WR_OK;
}

static wr_status
memory_open(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, path, "memory", name, sizeof name));
    wr_os_mutex_lock(&m->mutex);
    node *n = get_node(m, name);
    wr_status status = n && !n->is_dir ? new_handle(ctx, m, n, out)
                                       : wr_raise(ctx, WR_IO, "cannot open 'memory:%s': %s", name,
                                                  n ? "is a folder" : "no such file");
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static wr_status
create_locked(wr_ctx *ctx, memory_fs *m, const char *name, wr_file **out)
{
    if (get_node(m, name)) return wr_raise(ctx, WR_EXISTS, "file 'memory:%s' exists", name);
    node *n = make_dirs(m, name, false) ? new_node(m, false) : NULL;
    WR_TRY_ALLOC(ctx, n);
    if (!insert_entry(m, name, n)) {
        node_release(m, n);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return new_handle(ctx, m, n, out);
}

static wr_status
memory_create(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_file **out)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, path, "memory", name, sizeof name));
    wr_os_mutex_lock(&m->mutex);
    wr_status status = create_locked(ctx, m, name, out);
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static wr_status
memory_read_at(wr_ctx *ctx, wr_file *file, uint64_t off, void *buf, size_t len, size_t *got)
{
    (void)ctx;
    memory_file *f = (memory_file *)file;
    wr_os_mutex_lock(&f->fs->mutex);
    size_t left = off < f->node->len ? f->node->len - (size_t)off : 0;
    *got = WR_MIN(len, left);
    if (*got) memcpy(buf, f->node->data + off, *got);
    wr_os_mutex_unlock(&f->fs->mutex);
    return WR_OK;
}

static wr_status
memory_map(wr_ctx *ctx, wr_file *file, const char **data, size_t *len)
{
    (void)ctx;
    (void)file;
    *data = NULL; /* appends move the content */
    *len = 0;
    return WR_OK;
}

static wr_status
memory_append(wr_ctx *ctx, wr_file *file, const void *buf, size_t len)
{
    memory_file *f = (memory_file *)file;
    memory_fs *m = f->fs;
    node *n = f->node;
    wr_status status = WR_OK;
    wr_os_mutex_lock(&m->mutex);
    if (n->len + len > n->cap) {
        size_t cap = WR_MAX(n->cap * 2, n->len + len);
        char *data = wr_mem_realloc(m->budget, n->data, n->cap, cap);
        if (data) {
            n->data = data;
            n->cap = cap;
        } else {
            status = wr_raise(ctx, WR_NOMEM, "out of memory");
        }
    }
    if (status == WR_OK && len) {
        memcpy(n->data + n->len, buf, len);
        n->len += len;
        n->mtime_ms = wr_os_wall_ms();
    }
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static wr_status
memory_sync(wr_ctx *ctx, wr_file *file)
{
    (void)ctx;
    (void)file;
    return WR_OK;
}

static wr_status
memory_close(wr_ctx *ctx, wr_file *file)
{
    (void)ctx;
    memory_file *f = (memory_file *)file;
    memory_fs *m = f->fs;
    wr_os_mutex_lock(&m->mutex);
    if (f->holds_lock) f->node->locked = false;
    node_release(m, f->node);
    wr_mem_free(m->budget, f, sizeof *f);
    wr_os_mutex_unlock(&m->mutex);
    return WR_OK;
}

static bool
fill_info(const char *path, const node *n, wr_arena *a, wr_file_info *out)
{
    *out = (wr_file_info){wr_arena_printf(a, "memory:%s", path), n->len, n->mtime_ms, 0, n->is_dir};
    return out->path.ptr != NULL;
}

static wr_status
memory_stat(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_arena *a, wr_file_info *out, bool *exists)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, path, "memory", name, sizeof name));
    memset(out, 0, sizeof *out);
    wr_os_mutex_lock(&m->mutex);
    node *n = get_node(m, name);
    *exists = n != NULL;
    bool ok = !n || fill_info(name, n, a, out);
    wr_os_mutex_unlock(&m->mutex);
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static bool
is_below(const char *path, const char *dir, size_t dir_len)
{
    return strncmp(path, dir, dir_len) == 0 && path[dir_len] == '/';
}

static wr_status
memory_list(wr_ctx *ctx, wr_fs *fs, wr_str dir, bool recursive, wr_arena *a, wr_file_info **out,
            uint32_t *count)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, dir, "memory", name, sizeof name));
    size_t n = strcmp(name, "/") == 0 ? 0 : strlen(name);
    bool ok = true;
    WR_LIST(wr_file_info) list = {0};
    wr_os_mutex_lock(&m->mutex);
    node *top = get_node(m, name);
    bool is_dir = n == 0 || (top && top->is_dir);
    for (uint32_t i = 0; i < m->count && ok; i++) {
        const char *path = m->items[i].path;
        if (!is_below(path, name, n)) continue;
        if (!recursive && strchr(path + n + 1, '/')) continue;
        wr_file_info info;
        ok = fill_info(path, m->items[i].node, a, &info) && wr_list_push(a, &list, info);
    }
    wr_os_mutex_unlock(&m->mutex);
    if (!is_dir) return wr_raise(ctx, WR_IO, "cannot list 'memory:%s': no such folder", name);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    *out = list.items;
    *count = list.count;
    return WR_OK;
}

static wr_status
memory_mkdirs(wr_ctx *ctx, wr_fs *fs, wr_str dir)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, dir, "memory", name, sizeof name));
    wr_os_mutex_lock(&m->mutex);
    bool ok = strcmp(name, "/") == 0 || make_dirs(m, name, true);
    wr_os_mutex_unlock(&m->mutex);
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
rename_locked(wr_ctx *ctx, memory_fs *m, const char *src, const char *dst, bool over, bool *done)
{
    bool found, there;
    uint32_t i = find_entry(m, src, &found);
    if (!found) return wr_raise(ctx, WR_IO, "cannot rename 'memory:%s': no such file", src);
    uint32_t k = find_entry(m, dst, &there);
    *done = !there || over;
    if (!*done) return WR_OK;
    if (strcmp(src, dst) == 0) return WR_OK;
    node *n = m->items[i].node;
    if (!make_dirs(m, dst, false)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (there) {
        k = find_entry(m, dst, &there);
        node_release(m, m->items[k].node);
        m->items[k].node = n;
    } else if (!insert_entry(m, dst, n)) {
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    n->refs++;
    remove_entry(m, find_entry(m, src, &found));
    return WR_OK;
}

static wr_status
rename_path(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool over, bool *done)
{
    memory_fs *m = (memory_fs *)fs;
    char src[PATH_MAX_BYTES], dst[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, from, "memory", src, sizeof src));
    WR_TRY(wri_fs_path(ctx, to, "memory", dst, sizeof dst));
    wr_os_mutex_lock(&m->mutex);
    wr_status status = rename_locked(ctx, m, src, dst, over, done);
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static wr_status
memory_rename_new(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done)
{
    return rename_path(ctx, fs, from, to, false, done);
}

static wr_status
memory_rename_over(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to)
{
    bool done;
    return rename_path(ctx, fs, from, to, true, &done);
}

static wr_status
memory_remove(wr_ctx *ctx, wr_fs *fs, wr_str path, bool recursive)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, path, "memory", name, sizeof name));
    size_t n = strcmp(name, "/") == 0 ? 0 : strlen(name);
    wr_status status = WR_OK;
    wr_os_mutex_lock(&m->mutex);
    for (uint32_t i = m->count; i > 0; i--) {
        if (!is_below(m->items[i - 1].path, name, n)) continue;
        if (recursive)
            remove_entry(m, i - 1);
        else
            status = wr_raise(ctx, WR_IO, "cannot remove 'memory:%s': folder not empty", name);
    }
    bool found;
    uint32_t i = find_entry(m, name, &found);
    if (found && status == WR_OK) remove_entry(m, i);
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static wr_status
link_locked(wr_ctx *ctx, memory_fs *m, const char *src, const char *dst)
{
    node *n = get_node(m, src);
    if (!n || n->is_dir) return wr_raise(ctx, WR_IO, "cannot link 'memory:%s': no such file", src);
    if (get_node(m, dst)) return wr_raise(ctx, WR_EXISTS, "file 'memory:%s' exists", dst);
    if (!make_dirs(m, dst, false) || !insert_entry(m, dst, n))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    n->refs++;
    return WR_OK;
}

static wr_status
memory_link(wr_ctx *ctx, wr_fs *fs, wr_str from, wr_str to, bool *done)
{
    memory_fs *m = (memory_fs *)fs;
    char src[PATH_MAX_BYTES], dst[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, from, "memory", src, sizeof src));
    WR_TRY(wri_fs_path(ctx, to, "memory", dst, sizeof dst));
    wr_os_mutex_lock(&m->mutex);
    wr_status status = link_locked(ctx, m, src, dst);
    wr_os_mutex_unlock(&m->mutex);
    *done = status == WR_OK;
    return status;
}

static wr_status
memory_sync_dir(wr_ctx *ctx, wr_fs *fs, wr_str dir)
{
    (void)ctx;
    (void)fs;
    (void)dir;
    return WR_OK;
}

/* The node's content becomes `owner`. */
static bool
write_owner(memory_fs *m, node *n, wr_str owner)
{
    char *data = wr_mem_realloc(m->budget, n->data, n->cap, owner.len + 1);
    if (!data) return false;
    memcpy(data, owner.ptr, owner.len);
    n->data = data;
    n->len = owner.len;
    n->cap = owner.len + 1;
    return true;
}

static wr_status
lock_locked(wr_ctx *ctx, memory_fs *m, const char *name, wr_str owner, wr_arena *a, wr_file **out,
            wr_str *holder)
{
    node *n = get_node(m, name);
    *out = NULL;
    if (n && n->locked) {
        *holder = wr_arena_str(a, (wr_str){n->data, n->len});
        WR_TRY_ALLOC(ctx, holder->ptr);
        return WR_OK;
    }
    if (n)
        WR_TRY(new_handle(ctx, m, n, out));
    else
        WR_TRY(create_locked(ctx, m, name, out));
    memory_file *f = (memory_file *)*out;
    if (!write_owner(m, f->node, owner)) {
        node_release(m, f->node);
        wr_mem_free(m->budget, f, sizeof *f);
        *out = NULL;
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    f->node->locked = f->holds_lock = true;
    return WR_OK;
}

static wr_status
memory_lock(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str owner, wr_arena *a, wr_file **out,
            wr_str *holder)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, path, "memory", name, sizeof name));
    wr_os_mutex_lock(&m->mutex);
    wr_status status = lock_locked(ctx, m, name, owner, a, out, holder);
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static wr_status
reopen_locked(wr_ctx *ctx, memory_fs *m, const char *name, uint64_t size_bytes, wr_file **out)
{
    node *n = get_node(m, name);
    if (!n || n->is_dir)
        return wr_raise(ctx, WR_IO, "cannot open 'memory:%s': %s", name,
                        n ? "is a folder" : "no such file");
    if (n->len < size_bytes)
        return wr_raise(ctx, WR_IO, "'memory:%s' has become shorter: %zu bytes of %llu", name,
                        n->len, (unsigned long long)size_bytes);
    n->len = (size_t)size_bytes;
    return new_handle(ctx, m, n, out);
}

static wr_status
memory_reopen(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t size_bytes, wr_file **out)
{
    memory_fs *m = (memory_fs *)fs;
    char name[PATH_MAX_BYTES];
    WR_TRY(wri_fs_path(ctx, path, "memory", name, sizeof name));
    wr_os_mutex_lock(&m->mutex);
    wr_status status = reopen_locked(ctx, m, name, size_bytes, out);
    wr_os_mutex_unlock(&m->mutex);
    return status;
}

static const wr_fs_ops memory_ops = {
    .abi = WR_ABI,
    .scheme = "memory",
    .open = memory_open,
    .create = memory_create,
    .read_at = memory_read_at,
    .map = memory_map,
    .append = memory_append,
    .sync = memory_sync,
    .close = memory_close,
    .stat = memory_stat,
    .list = memory_list,
    .mkdirs = memory_mkdirs,
    .rename_new = memory_rename_new,
    .rename_over = memory_rename_over,
    .remove = memory_remove,
    .link = memory_link,
    .sync_dir = memory_sync_dir,
    .lock = memory_lock,
    .reopen = memory_reopen,
};

wr_fs *
wr_fs_memory_create(wr_memtrack *budget)
{
    memory_fs *m = wr_mem_zalloc(budget, sizeof *m);
    if (!m) return NULL;
    m->base.ops = &memory_ops;
    m->budget = budget;
    wr_os_mutex_init(&m->mutex);
    return &m->base;
}

void
wr_fs_memory_destroy(wr_fs *fs)
{
    if (!fs) return;
    memory_fs *m = (memory_fs *)fs;
    while (m->count) remove_entry(m, m->count - 1);
    wr_mem_free(m->budget, m->items, m->cap * sizeof *m->items);
    wr_os_mutex_deinit(&m->mutex);
    wr_mem_free(m->budget, m, sizeof *m);
}
