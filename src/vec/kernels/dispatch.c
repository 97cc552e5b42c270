/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the kernel table of the running CPU. The compiler's feature bits are read on every call:
 * a few tests per batch, no state of our own. */
#include "vec/kernels/kernels_int.h"

const wri_kernel_table *
wri_kernels(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma")) {
        const bool v4 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
        return v4 ? &wri_kernels_v4 : &wri_kernels_v3;
    }
#endif
    return &wri_kernels_v1;
}
