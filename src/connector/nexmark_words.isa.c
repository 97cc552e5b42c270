/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the Nexmark generator. A letter takes two draws, the special one takes one, so where a
 * letter's draws lie depends on the letters before; but the generator's state is a counter. All
 * draws that the word may need are made first, in a plain loop that the compiler vectorises, and
 * then picked. One build per ISA level. */
#include "connector/nexmark_int.h"

#define CAT_(a, b) a##_##b
#define CAT(a, b)  CAT_(a, b)

#define WORD_MAX 100
/* From these on java's nextInt(13) and nextInt(26) draw again. */
#define AGAIN_13 (0x80000000u / 13 * 13)
#define AGAIN_26 (0x80000000u / 26 * 26)

/* Draw by draw: for the rare word that has to draw one of its letters again. */
static void
letters_slowly(uint64_t *state, uint32_t n, char special, char *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = wri_nx_below(state, 13) == 0 ? special : (char)('a' + wri_nx_below(state, 26));
}

typedef struct draws {
    uint8_t special[2 * WORD_MAX], letter[2 * WORD_MAX];
} draws;

/* False: one of the draws may have to be made again. */
static bool
draw_all(uint64_t state, uint32_t n, draws *restrict d)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t z = state + (uint64_t)(i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 33)) * 0x62a9d9ed799705f5ull;
        z = (z ^ (z >> 28)) * 0xcb24d0a5c88c35b3ull;
        const uint32_t u = (uint32_t)(z >> 33);
        highest = WR_MAX(highest, u);
        d->special[i] = u % 13 == 0;
        d->letter[i] = (uint8_t)('a' + u % 26);
    }
    return highest < WR_MIN(AGAIN_13, AGAIN_26);
}

uint32_t
CAT(wri_nx_word, WR_ISA)(uint64_t *state, int32_t max, char special, char *out)
{
    draws d;
    const uint32_t n = 3 + (uint32_t)wri_nx_below(state, max - 3);
    WR_KASSERT(n <= WORD_MAX);
    if (!draw_all(*state, 2 * n, &d)) {
        letters_slowly(state, n, special, out);
    } else {
        uint32_t at = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (WR_UNLIKELY(d.special[at])) {
                out[i] = special;
                at++;
            } else {
                out[i] = (char)d.letter[at + 1];
                at += 2;
            }
        }
        *state += at * 0x9e3779b97f4a7c15ull;
    }
    return special == ' ' ? wri_nx_trim(out, n) : n;
}
