/* SPDX-License-Identifier: Apache-2.0 */
/* Restores arbitrary bytes as a file of canonical-1, checksums aside: the input's blocks are sealed
 * again, so that the decoder behind the checksums is reached. Whatever comes, the answer is a
 * status, and what was restored can be walked through and removed. */
#include "fuzz/state_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return rig_fuzz(data, size, WR_STR("canonical-1"), "weircan1");
}
