/* SPDX-License-Identifier: Apache-2.0 */
/* Shape: out[i] = f(a[i], b[i]), operands FLAT or constant. Included once per instance, no guard.
 *   K_NAME  first half of the function's name      K_PHYS  physical layout (I64)
 *   K_T     element type       K_R  result type    K_EXPR(x, y)  the operation
 *   K_ROW   index of the dispatch row; with K_EMIT_TABLE the row is emitted instead of the body */
#ifdef K_EMIT_TABLE
[K_ROW][K_INDEX(WR_PHYS_, K_PHYS)] = K_CAT2(K_NAME, K_PHYS),
#else
static void
K_CAT2(K_NAME, K_PHYS)(const void *a_data, uint32_t a_step, const void *b_data, uint32_t b_step,
                       void *out_data, uint32_t n)
{
    const K_T *restrict a = a_data;
    const K_T *restrict b = b_data;
    K_R *restrict out = out_data;
    if (a_step && b_step) {
        for (uint32_t i = 0; i < n; i++) out[i] = K_EXPR(a[i], b[i]);
    } else if (a_step) {
        const K_T y = b[0];
        for (uint32_t i = 0; i < n; i++) out[i] = K_EXPR(a[i], y);
    } else if (b_step) {
        const K_T x = a[0];
        for (uint32_t i = 0; i < n; i++) out[i] = K_EXPR(x, b[i]);
    } else {
        const K_R r = K_EXPR(a[0], b[0]);
        for (uint32_t i = 0; i < n; i++) out[i] = r;
    }
}
#endif
