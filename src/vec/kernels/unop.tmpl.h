/* SPDX-License-Identifier: Apache-2.0 */
/* Shape: out[i] = f(a[i]). Included once per instance, no guard.
 *   K_NAME, K_PHYS, K_T, K_R, K_EXPR(x) as in binop.tmpl.h; K_ROW the row's index, brackets
 * included */
#ifdef K_EMIT_TABLE
K_ROW = K_CAT2(K_NAME, K_PHYS),
#else
static void
K_CAT2(K_NAME, K_PHYS)(const void *a_data, void *out_data, uint32_t n)
{
    const K_T *restrict a = a_data;
    K_R *restrict out = out_data;
    for (uint32_t i = 0; i < n; i++) out[i] = K_EXPR(a[i]);
}
#endif
