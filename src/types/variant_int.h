/* SPDX-License-Identifier: Apache-2.0 */
/* Private to types/: the order of an object's keys. */
#ifndef WR_TYPES_VARIANT_INT_H
#define WR_TYPES_VARIANT_INT_H

#include "base/base.h"

int wri_variant_key_cmp(wr_str a, wr_str b); /* bytes, shorter first */

#endif
