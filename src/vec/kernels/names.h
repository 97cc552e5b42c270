/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernels inside one kernels.isa.c: add_I64, eq_F32, ... No guard needed: macros only. */
#define K_CAT2_(a, b)       a##_##b
#define K_CAT2(a, b)        K_CAT2_(a, b)
#define K_CAT3_(a, b, c)    a##_##b##_##c
#define K_CAT3(a, b, c)     K_CAT3_(a, b, c)
#define K_INDEX_(prefix, x) prefix##x
#define K_INDEX(prefix, x)  K_INDEX_(prefix, x)
