/* SPDX-License-Identifier: Apache-2.0 */
/* VARIANT: a self-describing value as bytes. The encoding, version 1, is specified in README.md; it
 * is read in place, without decoding the whole. */
#ifndef WR_TYPES_VARIANT_H
#define WR_TYPES_VARIANT_H

#include "types/types.h"

typedef enum wr_variant_kind {
    WR_VARIANT_NULL,
    WR_VARIANT_FALSE,
    WR_VARIANT_TRUE,
    WR_VARIANT_I8,
    WR_VARIANT_I16,
    WR_VARIANT_I32,
    WR_VARIANT_I64,
    WR_VARIANT_F32,
    WR_VARIANT_F64,
    WR_VARIANT_DECIMAL,
    WR_VARIANT_STRING,
    WR_VARIANT_DATE,
    WR_VARIANT_TIMESTAMP,
    WR_VARIANT_TIMESTAMP_LTZ,
    WR_VARIANT_BYTES,
    WR_VARIANT_ARRAY,
    WR_VARIANT_OBJECT
} wr_variant_kind;

/* PARSE_JSON. Duplicate keys fail unless allowed (then the last one stays). Returns false with the
 * reason in why (empty when out of memory). Bytes are appended to `out`. */
#define WR_VARIANT_WHY_MAX 256
bool wr_variant_from_json(wr_str json, bool allow_duplicates, wr_text *out,
                          char why[WR_VARIANT_WHY_MAX]);
/* Append as JSON: keys in their stored (byte) order, no blanks. */
void wr_variant_to_json(wr_str variant, wr_text *out);

bool wr_variant_valid(wr_str variant); /* bytes from outside: everything is where it should be */
wr_variant_kind wr_variant_kind_of(wr_str variant);
/* variant['key'] of an object; false when it is none or has no such key. */
bool wr_variant_field(wr_str variant, wr_str key, wr_str *out);
/* variant[index] of an array, counted from 1. */
bool wr_variant_item(wr_str variant, int64_t index, wr_str *out);
uint32_t wr_variant_count(wr_str variant); /* elements or fields; 0 for the others */
/* The i-th field of an object, from 0. */
bool wr_variant_entry(wr_str variant, uint32_t i, wr_str *key, wr_str *value);

#endif
