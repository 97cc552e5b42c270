/* SPDX-License-Identifier: Apache-2.0 */
/* librocksdb, loaded when the first backend opens: a process without one pays nothing for it (it
 * takes milliseconds to start), and a machine without it runs everything else. What the backends of
 * a process share is here too. */
#include "spi/registry.h"
#include "state/rocksdb_int.h"

#ifdef WR_HAVE_ROCKSDB

#define SHARED         "state.rocksdb"
#define SHARD_MIN      ((size_t)16 << 20)
#define SHARD_BITS_MAX 4

static wr_status
load(wr_ctx *ctx, wri_rocks_process *p)
{
    wr_os_library lib;
    const wr_status status = wr_os_library_open(ctx, WR_ROCKSDB_SO, &lib);
    if (status != WR_OK) {
        wr_hint(ctx, "Install the package librocksdb7.8, or use 'state.backend.type' = 'hashmap'.");
        return status;
    }
#define FN(name) WR_TRY(wr_os_library_symbol(ctx, &lib, "rocksdb_" #name, &p->fns.name));
#include "state/rocksdb_fns.def"
#undef FN
    p->loaded = true;
    return WR_OK;
}

wr_status
wri_rocks_library(wr_ctx *ctx, const wri_rocks_fns **out)
{
    wri_rocks_process *p = wr_shared_enter(SHARED, sizeof *p);
    WR_TRY_ALLOC(ctx, p);
    const wr_status status = p->loaded ? WR_OK : load(ctx, p);
    *out = &p->fns;
    wr_shared_leave();
    return status;
}

void
wri_rocks_count(int32_t backends)
{
    wri_rocks_process *p = wr_shared_enter(SHARED, sizeof *p);
    WR_ASSERT(p != NULL); /* it was there when the library was loaded */
    p->backends = (uint32_t)((int32_t)p->backends + backends);
    wr_shared_leave();
}

uint32_t
wri_rocks_backends(void)
{
    wri_rocks_process *p = wr_shared_enter(SHARED, sizeof *p);
    WR_ASSERT(p != NULL);
    const uint32_t n = p->backends;
    wr_shared_leave();
    return WR_MAX(n, 1u);
}

/* Every shard has its own part of the memory, and a filter of a file has to fit into one. */
static rocksdb_cache_t *
make_cache(const wri_rocks_fns *f, size_t bytes)
{
    rocksdb_lru_cache_options_t *o = f->lru_cache_options_create();
    int bits = 0;
    while (bits < SHARD_BITS_MAX && bytes >> (bits + 1) >= SHARD_MIN) bits++;
    f->lru_cache_options_set_capacity(o, bytes);
    f->lru_cache_options_set_num_shard_bits(o, bits);
    rocksdb_cache_t *cache = f->cache_create_lru_opts(o);
    f->lru_cache_options_destroy(o);
    return cache;
}

rocksdb_cache_t *
wri_rocks_cache_acquire(size_t bytes)
{
    wri_rocks_process *p = wr_shared_enter(SHARED, sizeof *p);
    WR_ASSERT(p != NULL);
    if (!p->cache) p->cache = make_cache(&p->fns, bytes);
    p->databases += p->cache != NULL;
    rocksdb_cache_t *cache = p->cache;
    wr_shared_leave();
    return cache;
}

void
wri_rocks_cache_release(void)
{
    wri_rocks_process *p = wr_shared_enter(SHARED, sizeof *p);
    WR_ASSERT(p != NULL && p->databases > 0);
    if (--p->databases == 0) {
        p->fns.cache_destroy(p->cache);
        p->cache = NULL;
    }
    wr_shared_leave();
}

wr_status
wri_rocks_raise(wr_ctx *ctx, const wri_rocks_fns *f, const char *doing, char *take_text)
{
    const bool corrupt = strncmp(take_text, "Corruption", 10) == 0;
    const wr_status status =
        wr_raise(ctx, corrupt ? WR_CORRUPT : WR_IO, "RocksDB cannot %s: %s", doing, take_text);
    f->free(take_text);
    return status;
}

#endif
