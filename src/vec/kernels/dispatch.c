/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the kernel table of the running CPU (and of WEIR_ISA, see os.h). Asked once per batch. */
#include "os/os.h"
#include "vec/kernels/kernels_int.h"

const wri_kernel_table *
wri_kernels(void)
{
#if defined(__x86_64__)
    if (wr_os_isa_level() == WR_OS_ISA_V4) return &wri_kernels_v4;
    if (wr_os_isa_level() == WR_OS_ISA_V3) return &wri_kernels_v3;
#endif
    return &wri_kernels_v1;
}
