/* SPDX-License-Identifier: Apache-2.0 */
/* Private to catalog/: descriptions as text, version 1 of the file format (README.md), and back. */
#ifndef WR_CATALOG_FILE_INT_H
#define WR_CATALOG_FILE_INT_H

#include "catalog/catalog_int.h"

#define WRI_FILE_VERSION 1u

typedef enum wri_file_kind { WRI_FILE_DATABASE, WRI_FILE_TABLE, WRI_FILE_FUNCTION } wri_file_kind;
const char *wri_file_kind_name(wri_file_kind k); /* "database" */

/* Whole content of a file, checksum line included; check text->failed afterwards. */
void wri_file_encode(wri_file_kind kind, const void *desc, wr_text *text);
/* `content` to a description in the arena: wr_database_desc, wr_table_desc or wr_function_desc.
 * `path` is for messages: WR_CORRUPT "the catalog file 'p' is damaged: why". */
wr_status wri_file_decode(wr_ctx *ctx, wri_file_kind kind, wr_str content, const char *path,
                          wr_arena *a, void **desc) WR_MUST_USE;

#endif
