/* SPDX-License-Identifier: Apache-2.0 */
/* Folders: listing, walking, patterns of paths. Walks keep one path buffer that grows and shrinks
 * with the depth, and hold one folder open per level. */
#include <dirent.h>
#include <errno.h>

#include "os/os_int.h"

#define DEPTH_MAX 128

wr_status
wr_os_dir_open(wr_ctx *ctx, const char *path, wr_os_dir *out)
{
    out->handle = NULL;
    wri_os_name_set(out->name, sizeof out->name, path);
    WR_TRY(wri_os_inject(ctx, "list", path));
    out->handle = opendir(path);
    return out->handle ? WR_OK : wri_os_raise(ctx, errno, "list", path);
}

wr_status
wr_os_dir_next(wr_ctx *ctx, wr_os_dir *d, const char **name)
{
    *name = NULL;
    WR_TRY(wri_os_inject(ctx, "list", d->name));
    for (;;) {
        errno = 0;
        struct dirent *e = readdir(d->handle);
        if (!e && errno != 0) return wri_os_raise(ctx, errno, "list", d->name);
        if (!e) return WR_OK;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        *name = e->d_name;
        return WR_OK;
    }
}

void
wr_os_dir_close(wr_os_dir *d)
{
    if (d->handle) (void)closedir(d->handle);
    d->handle = NULL;
}

/* ---- patterns of one name -------------------------------------------------------------------- */

/* Matches c against the class at p (behind its '['); sets *end behind the ']'. NULL end: no class,
 * a plain '['. */
static bool
class_match(const char *p, const char *stop, char c, const char **end)
{
    bool negate = p < stop && (*p == '!' || *p == '^'), hit = false, first = true;
    if (negate) p++;
    *end = NULL;
    for (; p < stop && (first || *p != ']'); p++, first = false) {
        unsigned char low = (unsigned char)*p, high = low;
        if (stop - p > 2 && p[1] == '-' && p[2] != ']') {
            high = (unsigned char)p[2];
            p += 2;
        }
        if ((unsigned char)c >= low && (unsigned char)c <= high) hit = true;
    }
    if (p >= stop) return false;
    *end = p + 1;
    return hit != negate;
}

/* Does the one pattern item at *p match at *n? Moves both on when it does. */
static bool
item_match(const char **p, const char *pend, const char **n, const char *nend)
{
    if (*n >= nend) return false;
    const char *end;
    switch (**p) {
    case '?':
        *p += 1;
        *n += 1;
        while (*n < nend && ((unsigned char)**n & 0xc0) == 0x80) *n += 1; /* one code point */
        return true;
    case '[': {
        bool hit = class_match(*p + 1, pend, **n, &end);
        if (end) {
            if (hit) *p = end, *n += 1;
            return hit;
        }
        break;
    }
    case '\\':
        if (pend - *p > 1) {
            if ((*p)[1] != **n) return false;
            *p += 2, *n += 1;
            return true;
        }
        break;
    default:
        break;
    }
    if (**p != **n) return false;
    *p += 1, *n += 1;
    return true;
}

bool
wr_os_glob_match(wr_str pattern, wr_str name)
{
    const char *p = pattern.ptr, *pend = p + pattern.len, *n = name.ptr, *nend = n + name.len;
    const char *star = NULL, *retry = NULL; /* where to go on when a later item fails */
    if (name.len > 0 && *n == '.' && pattern.len > 0 && (*p == '*' || *p == '?')) return false;
    while (p < pend || n < nend) {
        if (p < pend && *p == '*') {
            star = ++p;
            retry = n;
            continue;
        }
        if (p < pend && item_match(&p, pend, &n, nend)) continue;
        if (!star || retry >= nend) return false;
        p = star;
        n = ++retry;
    }
    return true;
}

bool
wr_os_glob_has_magic(wr_str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (path.ptr[i] == '*' || path.ptr[i] == '?' || path.ptr[i] == '[') return true;
    return false;
}

/* ---- walks ----------------------------------------------------------------------------------- */

typedef struct walk {
    wr_ctx *ctx;
    wr_os_visit_fn visit;
    void *arg;
    uint32_t depth;
    size_t len;
    char path[WR_OS_PATH_MAX];
} walk;

/* Appends "/name" (or "name" to an empty path or to "/"). */
static wr_status
walk_push(walk *w, wr_str name)
{
    size_t slash = w->len > 0 && w->path[w->len - 1] != '/';
    if (w->len + slash + name.len + 1 > sizeof w->path)
        return wri_os_raise(w->ctx, ENAMETOOLONG, "list", w->path);
    if (slash) w->path[w->len++] = '/';
    memcpy(w->path + w->len, name.ptr, name.len);
    w->len += name.len;
    w->path[w->len] = '\0';
    return WR_OK;
}

static void
walk_pop(walk *w, size_t len)
{
    w->len = len;
    w->path[len] = '\0';
}

static wr_status
walk_visit(walk *w)
{
    wr_os_stat st;
    WR_TRY(wr_os_stat_path(w->ctx, w->path, &st));
    return st.kind == WR_OS_NONE ? WR_OK : w->visit(w->ctx, w->arg, w->path, &st);
}

typedef wr_status (*entry_fn)(walk *w, wr_str name, void *arg);

/* Calls `fn` for each entry of the folder w->path; what is not a folder has none. */
static wr_status
each_entry(walk *w, entry_fn fn, void *arg)
{
    wr_os_stat st;
    const char *path = w->len ? w->path : ".";
    WR_TRY(wr_os_stat_path(w->ctx, path, &st));
    if (st.kind != WR_OS_DIR) return WR_OK;
    if (w->depth >= DEPTH_MAX)
        return wr_raise(w->ctx, WR_LIMIT, "folders nested more than %d deep at '%s'", DEPTH_MAX,
                        path);
    wr_os_dir d;
    WR_TRY(wr_os_dir_open(w->ctx, path, &d));
    w->depth++;
    const char *name;
    wr_status status;
    while ((status = wr_os_dir_next(w->ctx, &d, &name)) == WR_OK && name) {
        size_t len = w->len;
        status = fn(w, wr_str_c(name), arg);
        walk_pop(w, len);
        if (status != WR_OK) break;
    }
    w->depth--;
    wr_os_dir_close(&d);
    return status;
}

static wr_status
walk_entry(walk *w, wr_str name, void *arg)
{
    (void)arg;
    WR_TRY(walk_push(w, name));
    wr_os_stat st;
    WR_TRY(wr_os_stat_path(w->ctx, w->path, &st));
    if (st.kind == WR_OS_DIR) return each_entry(w, walk_entry, NULL);
    return st.kind == WR_OS_NONE ? WR_OK : w->visit(w->ctx, w->arg, w->path, &st);
}

wr_status
wr_os_walk(wr_ctx *ctx, const char *root, wr_os_visit_fn visit, void *arg)
{
    walk w = {.ctx = ctx, .visit = visit, .arg = arg};
    return walk_entry(&w, wr_str_c(root), NULL);
}

static wr_status glob_rest(walk *w, wr_str pattern);

typedef struct level {
    wr_str item, rest;
} level;

static wr_status
glob_entry(walk *w, wr_str name, void *arg)
{
    level *at = arg;
    if (wr_str_eq(at->item, WR_STR("**"))) { /* one folder deeper, the "**" stays */
        if (name.ptr[0] == '.') return WR_OK;
        WR_TRY(walk_push(w, name));
        WR_TRY(each_entry(w, glob_entry, at));
        return glob_rest(w, at->rest);
    }
    if (!wr_os_glob_match(at->item, name)) return WR_OK;
    WR_TRY(walk_push(w, name));
    return glob_rest(w, at->rest);
}

/* Visits what matches `pattern` below w->path. */
static wr_status
glob_rest(walk *w, wr_str pattern)
{
    while (pattern.len > 0 && pattern.ptr[0] == '/') pattern.ptr++, pattern.len--;
    if (pattern.len == 0) return walk_visit(w);
    const char *slash = memchr(pattern.ptr, '/', pattern.len);
    size_t len = slash ? (size_t)(slash - pattern.ptr) : pattern.len;
    level at = {{pattern.ptr, len}, {pattern.ptr + len, pattern.len - len}};
    if (!wr_os_glob_has_magic(at.item)) {
        size_t before = w->len;
        WR_TRY(walk_push(w, at.item));
        wr_status status = glob_rest(w, at.rest);
        walk_pop(w, before);
        return status;
    }
    if (wr_str_eq(at.item, WR_STR("**")) && at.rest.len > 0) WR_TRY(glob_rest(w, at.rest));
    return each_entry(w, glob_entry, &at);
}

wr_status
wr_os_glob(wr_ctx *ctx, const char *pattern, wr_os_visit_fn visit, void *arg)
{
    walk w = {.ctx = ctx, .visit = visit, .arg = arg};
    if (pattern[0] == '/') WR_TRY(walk_push(&w, WR_STR("/")));
    return glob_rest(&w, wr_str_c(pattern));
}

/* ---- removing -------------------------------------------------------------------------------- */

static wr_status
remove_entry(walk *w, wr_str name, void *arg)
{
    (void)arg;
    WR_TRY(walk_push(w, name));
    wr_os_dir probe; /* a link to a folder is removed, not followed: remove() tells them apart */
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    if (wr_os_remove(&quiet, w->path) == WR_OK) return WR_OK;
    WR_TRY(wr_os_dir_open(w->ctx, w->path, &probe));
    wr_os_dir_close(&probe);
    WR_TRY(each_entry(w, remove_entry, NULL));
    return wr_os_remove(w->ctx, w->path);
}

wr_status
wr_os_remove_tree(wr_ctx *ctx, const char *path)
{
    walk w = {.ctx = ctx};
    wr_os_stat st;
    WR_TRY(wr_os_stat_path(ctx, path, &st));
    return st.kind == WR_OS_NONE ? wr_os_remove(ctx, path) : remove_entry(&w, wr_str_c(path), NULL);
}
