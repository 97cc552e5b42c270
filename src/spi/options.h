/* SPDX-License-Identifier: Apache-2.0 */
/* Options: string pairs as the user wrote them (WITH, SET, hints), the tables that declare which
 * exist, typed access.
 *
 * Every connector, format and the session declares its options in a const table of wr_option_def,
 * from which come validation (unknown keys are errors with the nearest candidates), defaults,
 * masking of secrets, documentation and completion. A key may contain '#' for a name:
 * 'fields.#.kind'. */
#ifndef WR_SPI_OPTIONS_H
#define WR_SPI_OPTIONS_H

#include "spi/spi.h"

typedef enum wr_option_type {
    WR_OPT_STRING,
    WR_OPT_BOOL,
    WR_OPT_INT,
    WR_OPT_LONG,
    WR_OPT_FLOAT,
    WR_OPT_DOUBLE,
    WR_OPT_DURATION, /* "10 s", "1min", "5" (ms): value in ms */
    WR_OPT_MEMORY,   /* "128mb", "32 kb": value in bytes */
    WR_OPT_ENUM,
    WR_OPT_LIST /* ';' separated */,
    WR_OPT_MAP /* k:v,k:v */
} wr_option_type;

enum {
    WR_OPTF_REQUIRED = 1,
    WR_OPTF_SECRET = 2,
    WR_OPTF_FORMAT = 4 /* names a format, whose options follow */
};

typedef struct wr_option_def {
    const char *key;
    wr_option_type type;
    const char *def;    /* default as text; NULL = none */
    const char *values; /* ENUM: "A|B|C" (case-insensitive), else NULL */
    uint32_t flags;
    const char *doc;
} wr_option_def;

typedef struct wr_option {
    wr_str key, value;
    wr_span span; /* of the key, for errors */
} wr_option;

typedef struct wr_options { /* keys are unique; the last written wins */
    wr_option *items;
    uint32_t count;
} wr_options;

/* NULL if absent; borrowed as long as the options. */
const wr_option *wr_options_find(const wr_options *o, const char *key);
/* Parse one value by its definition. *out holds BOOL 0/1, INT, LONG, DURATION (ms), MEMORY (bytes)
 * in `i`, FLOAT and DOUBLE in `f`, ENUM the index into `values` in `i`; the text always in `text`.
 * Raises WR_OPTION with Flink's words "Could not parse value 'maybe' for key '...'". */
typedef struct wr_option_value {
    bool set; /* written by the user or has a default */
    int64_t i;
    double f;
    wr_str text;
} wr_option_value;
wr_status wr_option_parse(wr_ctx *ctx, const wr_option_def *def, wr_str text, wr_span span,
                          wr_option_value *out) WR_MUST_USE;
/* Value of `key` out of `o` or its default in defs (ends with key NULL). */
wr_status wr_options_get(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs,
                         const char *key, wr_option_value *out) WR_MUST_USE;
/* Does `key` match a definition (with '#' standing for one dotted part)? NULL if not. */
const wr_option_def *wr_option_def_find(const wr_option_def *defs, wr_str key);
/* Is this key's value to be masked when shown? (password, secret, token, ... as Flink's
 * GlobalConfiguration) */
bool wr_option_is_secret(wr_str key);
wr_status wr_duration_parse(wr_ctx *ctx, wr_str text,
                            int64_t *ms) WR_MUST_USE; /* Flink's TimeUtils */
wr_status wr_memory_parse(wr_ctx *ctx, wr_str text,
                          int64_t *bytes) WR_MUST_USE; /* Flink's MemorySize */

/* The session's configuration (SET), seen by planner, operators, connectors: immutable snapshot for
 * a job. */
typedef struct wr_config {
    const wr_options *set; /* what the user set */
    const wr_option_def *defs;
} wr_config;
bool wr_config_bool(const wr_config *c, const char *key);
int64_t wr_config_int(const wr_config *c,
                      const char *key); /* INT, LONG, DURATION (ms), MEMORY (bytes) */
double wr_config_double(const wr_config *c, const char *key); /* FLOAT, DOUBLE */
wr_str wr_config_str(const wr_config *c, const char *key); /* ptr NULL when unset without default */

#endif
