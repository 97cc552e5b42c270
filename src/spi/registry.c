/* SPDX-License-Identifier: Apache-2.0 */
/* The registry's tables: fixed arrays, filled at start by one thread, read by all afterwards; and
 * the shared objects, a short list of named, zeroed blocks of memory behind one lock, for the few
 * connectors whose readers or sinks meet inside the process (script turns, recorded rows). */
#include "spi/registry.h"

#include "os/os.h"

#define ENTRIES_MAX 64u
#define SHARED_MAX  16u

static const wr_source_ops *sources[ENTRIES_MAX];
static const wr_sink_ops *sinks[ENTRIES_MAX];
static const wr_format_ops *formats[ENTRIES_MAX];
static const wr_catalog_ops *catalogs[ENTRIES_MAX];
static const wr_state_ops *states[ENTRIES_MAX];
static wr_fs *filesystems[ENTRIES_MAX];
static uint32_t source_count, sink_count, format_count, catalog_count, state_count, fs_count;

/* Registering a name again replaces it: tests put fakes in place of the real ones. */
#define DEFINE_REGISTRY(fn, find, type, table, count, field)                                       \
    bool fn(type *ops)                                                                             \
    {                                                                                              \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            if (strcmp((table)[i]->field, ops->field) == 0) {                                      \
                (table)[i] = ops;                                                                  \
                return true;                                                                       \
            }                                                                                      \
        if ((count) == ENTRIES_MAX) return false;                                                  \
        (table)[(count)++] = ops;                                                                  \
        return true;                                                                               \
    }                                                                                              \
    type *find(wr_str name)                                                                        \
    {                                                                                              \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            if (wr_str_eq_c(name, (table)[i]->field)) return (table)[i];                           \
        return NULL;                                                                               \
    }

DEFINE_REGISTRY(wr_register_source, wr_find_source, const wr_source_ops, sources, source_count,
                name)
DEFINE_REGISTRY(wr_register_sink, wr_find_sink, const wr_sink_ops, sinks, sink_count, name)
DEFINE_REGISTRY(wr_register_format, wr_find_format, const wr_format_ops, formats, format_count,
                name)
DEFINE_REGISTRY(wr_register_catalog, wr_find_catalog, const wr_catalog_ops, catalogs, catalog_count,
                type)
DEFINE_REGISTRY(wr_register_state, wr_find_state, const wr_state_ops, states, state_count, name)

bool
wr_register_fs(wr_fs *fs)
{
    for (uint32_t i = 0; i < fs_count; i++)
        if (strcmp(filesystems[i]->ops->scheme, fs->ops->scheme) == 0) {
            filesystems[i] = fs;
            return true;
        }
    if (fs_count == ENTRIES_MAX) return false;
    filesystems[fs_count++] = fs;
    return true;
}

/* The scheme of "s3://bucket/x" and "file:/x"; a path without one is "file". */
static wr_str
scheme_of(wr_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (c == ':' && i > 0 && i + 1 < path.len && path.ptr[i + 1] == '/')
            return (wr_str){path.ptr, i};
        if (!word && c != '+' && c != '-' && c != '.') break;
    }
    return WR_STR("file");
}

wr_fs *
wr_find_fs(wr_str path)
{
    wr_str scheme = scheme_of(path);
    for (uint32_t i = 0; i < fs_count; i++)
        if (wr_str_eq_nocase(scheme, wr_str_c(filesystems[i]->ops->scheme))) return filesystems[i];
    return NULL;
}

uint32_t
wr_list_sources(const wr_source_ops *const **out)
{
    *out = sources;
    return source_count;
}

uint32_t
wr_list_sinks(const wr_sink_ops *const **out)
{
    *out = sinks;
    return sink_count;
}

uint32_t
wr_list_formats(const wr_format_ops *const **out)
{
    *out = formats;
    return format_count;
}

uint32_t
wr_list_catalogs(const wr_catalog_ops *const **out)
{
    *out = catalogs;
    return catalog_count;
}

/* ---- shared objects -------------------------------------------------------------------------- */

static struct {
    wr_os_mutex mutex;
    uint32_t ready; /* 0 fresh, 1 being made, 2 the mutex can be used */
    uint32_t count;
    struct {
        const char *name;
        size_t size_bytes;
        void *block;
    } items[SHARED_MAX];
} shared;

static void
shared_lock(void)
{
    uint32_t fresh = 0;
    if (wr_os_cas(&shared.ready, &fresh, 1u)) {
        wr_os_mutex_init(&shared.mutex);
        wr_os_store(&shared.ready, 2u);
    }
    while (wr_os_load(&shared.ready) != 2u) wr_os_relax();
    wr_os_mutex_lock(&shared.mutex);
}

void *
wr_shared_enter(const char *name, size_t size_bytes)
{
    shared_lock();
    void *block = NULL;
    for (uint32_t i = 0; i < shared.count && !block; i++)
        if (strcmp(shared.items[i].name, name) == 0) {
            WR_ASSERT(shared.items[i].size_bytes == size_bytes);
            block = shared.items[i].block;
        }
    if (!block && shared.count < SHARED_MAX && (block = wr_mem_zalloc(NULL, size_bytes)) != NULL) {
        shared.items[shared.count].name = name;
        shared.items[shared.count].size_bytes = size_bytes;
        shared.items[shared.count++].block = block;
    }
    if (!block) wr_os_mutex_unlock(&shared.mutex);
    return block;
}

void
wr_shared_leave(void)
{
    wr_os_mutex_unlock(&shared.mutex);
}
