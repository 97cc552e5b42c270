/* SPDX-License-Identifier: Apache-2.0 */
/* Every fixed limit of weir in one place. The preset "tiny" shrinks the sizes that only affect
 * speed (WR_TINY), so that tests cross every boundary. */
#ifndef WR_BASE_LIMITS_H
#define WR_BASE_LIMITS_H

#ifdef WR_TINY
#define WR_BATCH_ROWS        3u /* target rows of a batch */
#define WR_CHANNEL_CAPACITY  1u /* batches in a channel */
#define WR_ARENA_BLOCK_BYTES 256u
#define WR_STATE_PAGE_BYTES  256u
#define WR_IO_BLOCK_BYTES    64u
#else
#define WR_BATCH_ROWS        2048u
#define WR_CHANNEL_CAPACITY  8u
#define WR_ARENA_BLOCK_BYTES 65536u
#define WR_STATE_PAGE_BYTES  65536u
#define WR_IO_BLOCK_BYTES    (1u << 20)
#endif

#define WR_ERR_MESSAGE_MAX 4096
#define WR_ERR_HINT_MAX    512
#define WR_ERR_FRAMES      8
#define WR_ERR_FRAME_MAX   160
#define WR_ERR_MORE_MAX    16

#define WR_SQL_BYTES_MAX      (64u << 20) /* one statement's text */
#define WR_SQL_DEPTH_MAX      1000u       /* nesting of expressions, queries and types */
#define WR_SQL_LIST_MAX       (1u << 20)  /* items in one list */
#define WR_COLUMNS_MAX        4096u
#define WR_NAME_BYTES_MAX     1024u
#define WR_ARGS_MAX           4096u
#define WR_CHAR_LENGTH_MAX    2147483647
#define WR_STRING_BYTES_MAX   (1u << 30) /* one value that a function or a cast makes */
#define WR_DECIMAL_MAX        38
#define WR_PARALLELISM_MAX    1024u
#define WR_KEY_GROUPS_DEFAULT 128u
#define WR_KEY_GROUPS_MAX     32768u
#define WR_RECORD_BYTES_MAX   (256u << 20) /* one line of a text format */

#endif
