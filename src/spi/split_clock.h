/* SPDX-License-Identifier: Apache-2.0 */
/* Event time of the splits of one reader. The source says which split a batch comes from, which are
 * idle or have ended; the WATERMARK above it says how far each has come. Both run in one task. */
#ifndef WR_SPI_SPLIT_CLOCK_H
#define WR_SPI_SPLIT_CLOCK_H

#include "base/base.h"

typedef struct wr_split_clock {
    wr_str name;       /* of the split, lives as long as the job; empty: of the whole reader */
    int64_t start;     /* where a restored one goes on; INT64_MIN = at the beginning */
    int64_t watermark; /* of whichever WATERMARK above is the furthest; INT64_MIN = none yet */
    int64_t active_ms; /* when it last had rows (processing time) */
    bool idle, ended;
    bool paused; /* too far ahead of its alignment group */
} wr_split_clock;

typedef struct wr_split_clocks {
    wr_split_clock *items;
    uint32_t count, cap;
    uint32_t at; /* the split of the batch that is on its way */
    bool apart;  /* one for each split; else there is one for the reader */
} wr_split_clocks;

#endif
