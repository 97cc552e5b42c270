/* SPDX-License-Identifier: Apache-2.0 */
/* State backends. `hashmap` keeps everything in memory; registered by engine/ under its name. */
#ifndef WR_STATE_STATE_H
#define WR_STATE_STATE_H

#include "spi/state.h"

extern const wr_state_ops wr_state_hashmap_ops;

#endif
