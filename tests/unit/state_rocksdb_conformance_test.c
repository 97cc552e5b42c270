/* SPDX-License-Identifier: Apache-2.0 */
/* The RocksDB backend does what every backend must, with a cache that keeps nothing from one batch
 * to the next.
 * links: state catalog */
#include "catalog/catalog.h"

#ifdef WR_HAVE_ROCKSDB

static const wr_config *
tiny(void)
{
    static wr_option item;
    static wr_options set;
    static wr_config config;
    item = (wr_option){WR_STR("weir.state.rocksdb.cache-size"), WR_STR("1 b"), WR_NO_SPAN};
    set = (wr_options){&item, 1};
    config = (wr_config){&set, wr_session_option_defs()};
    return &config;
}

#define BACKEND_OPS    wr_state_rocksdb_ops
#define BACKEND_CONFIG tiny()
#include "unit/state_conformance_test.c"

#else
#include "unit/check.h"
CHECK_MAIN()
#endif
