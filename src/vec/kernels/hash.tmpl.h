/* SPDX-License-Identifier: Apache-2.0 */
/* Shape: fold a FLAT column without NULLs into the hashes of its rows. Included once per instance,
 * no guard.  K_PHYS, K_T; K_EXPR(x): the 64 bits that are mixed in */
#ifdef K_EMIT_TABLE
[K_INDEX(WR_PHYS_, K_PHYS)] = K_CAT2(hash, K_PHYS),
#else
static void
K_CAT2(hash, K_PHYS)(const void *data, uint32_t n, uint64_t *restrict hash)
{
    const K_T *restrict a = data;
    for (uint32_t i = 0; i < n; i++) hash[i] = wri_mix(K_EXPR(a[i]), hash[i]);
}
#endif
