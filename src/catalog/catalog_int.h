/* SPDX-License-Identifier: Apache-2.0 */
/* Private to catalog/: bags of named objects, the manager's struct.
 *
 * Every stored object lives in an arena of its own, so that replacing or dropping one frees just
 * that. What was replaced or dropped goes to a graveyard first and is freed by trim: plans that are
 * being made or still run may point at it. */
#ifndef WR_CATALOG_CATALOG_INT_H
#define WR_CATALOG_CATALOG_INT_H

#include "catalog/catalog.h"
#include "spi/registry.h"

/* ---- bag.c: objects by name, sorted bytewise ------------------------------------------------- */
typedef struct wri_home { /* where one object lives; lies in its own arena */
    wr_arena *arena;
    struct wri_home *next; /* in the graveyard */
} wri_home;
typedef struct wri_entry {
    wr_str name; /* in home */
    void *item;
    wri_home *home; /* owned */
} wri_entry;
typedef struct wri_bag {
    wri_entry *items;
    uint32_t count, cap;
} wri_bag;
typedef struct wri_graves {
    wri_home *first;
} wri_graves;

wri_home *wri_home_create(void) WR_MUST_USE; /* NULL: out of memory */
void wri_home_destroy(wri_home *h);          /* NULL is fine */
void wri_bury(wri_graves *g, wri_home *h);   /* frees it with the next wri_graves_free */
void wri_graves_free(wri_graves *g);

wri_entry *wri_bag_find(const wri_bag *b, wr_str name); /* NULL = none; until the bag changes */
/* Adds or replaces. `name` and `item` lie in take_home. False: out of memory (take_home is freed).
 */
bool wri_bag_put(wri_bag *b, wri_graves *g, wr_str name, void *item,
                 wri_home *take_home) WR_MUST_USE;
void wri_bag_remove(wri_bag *b, wri_graves *g, wr_str name);
void wri_bag_bury(wri_bag *b, wri_graves *g); /* everything in it */
void wri_bag_free(wri_bag *b);                /* with everything in it, at once */
wr_status wri_bag_names(wr_ctx *ctx, const wri_bag *b, wr_arena *a, wr_str **names,
                        uint32_t *count) WR_MUST_USE;

/* ---- describe.c: deep copies ----------------------------------------------------------------- */
bool wri_copy_str(wr_arena *a, wr_str s, wr_str *out) WR_MUST_USE;
bool wri_copy_options(wr_arena *a, const wr_options *o, wr_options *out) WR_MUST_USE;
wr_database_desc *wri_copy_database(wr_arena *a, const wr_database_desc *d) WR_MUST_USE;
wr_function_desc *wri_copy_function(wr_arena *a, const wr_function_desc *f) WR_MUST_USE;

/* ---- manager --------------------------------------------------------------------------------- */
typedef struct wri_catalog_entry wri_catalog_entry;
struct wri_catalog_entry {
    wr_str name;
    const wr_catalog_ops *ops;
    wr_catalog *impl;
    wr_options options; /* as CREATE CATALOG gave them */
    wr_str comment;
    bool has_comment;
    bool builtin; /* the one a session starts with: has no description */
    wri_catalog_entry *next_dropped;
};

typedef struct wri_session_options {
    wr_arena *arena; /* holds `set`; replaced as a whole by a change */
    wr_options set;
    wr_config config;
} wri_session_options;

struct wr_catalogs {
    wr_arena *arena;
    wri_bag catalogs;  /* wri_catalog_entry */
    wri_bag temporary; /* wr_table_desc by wri_full_name */
    wri_bag temporary_functions;
    wri_bag system_functions;
    wri_catalog_entry *dropped; /* to be closed by trim */
    wri_graves graves;
    wr_str current_catalog, current_database;
    wri_home *current; /* the two names live in it */
    wri_session_options options;
};

/* "catalog\x1f""database\x1f""name": key of the bags of temporary objects. ptr NULL: no memory. */
wr_str wri_full_name(wr_arena *a, const wr_table_id *id);
wri_catalog_entry *wri_catalog_find(const wr_catalogs *cats, wr_str name);
wr_status wri_options_init(wr_ctx *ctx, wri_session_options *o) WR_MUST_USE;
/* Is a value of the right type one that makes sense? Scratch in `a`. */
wr_status wri_option_check(wr_ctx *ctx, wr_arena *a, wr_str key, const wr_option_value *v,
                           wr_span span) WR_MUST_USE;
void wri_options_free(wri_session_options *o);
/* Opens a catalog instance by its options, 'type' among them; errors as Flink's. */
wr_status wri_catalog_open(wr_ctx *ctx, wr_str name, const wr_options *options,
                           const wr_catalog_ops **ops, wr_catalog **impl) WR_MUST_USE;

extern const wr_catalog_ops wri_memory_ops;
extern const wr_catalog_ops wri_file_ops;

#endif
