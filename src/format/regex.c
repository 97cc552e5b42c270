/* SPDX-License-Identifier: Apache-2.0 */
/* Whole-text matching for options that are patterns. The one file of the room that knows PCRE2. */
#include "format/format.h"

#ifdef WR_HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

wr_status
wr_option_matches(wr_ctx *ctx, const char *option, wr_str pattern, wr_str text, bool *out)
{
    int error;
    PCRE2_SIZE at;
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)(const void *)pattern.ptr, pattern.len,
                      PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED, &error, &at, NULL);
    if (!code) {
        PCRE2_UCHAR why[200] = "";
        (void)pcre2_get_error_message(error, why, sizeof why);
        return wr_raise(ctx, WR_OPTION, "invalid value of '%s' at character %zu: %s", option,
                        (size_t)at + 1, (const char *)why);
    }
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    int n = data ? pcre2_match(code, (PCRE2_SPTR)(const void *)text.ptr, text.len, 0, 0, data, NULL)
                 : PCRE2_ERROR_NOMEMORY;
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    *out = n >= 0;
    if (n >= 0 || n == PCRE2_ERROR_NOMATCH || n <= PCRE2_ERROR_UTF8_ERR1) return WR_OK;
    return wr_raise(ctx, WR_LIMIT, "matching '%s' failed (%d)", option, n);
}
#else
wr_status
wr_option_matches(wr_ctx *ctx, const char *option, wr_str pattern, wr_str text, bool *out)
{
    (void)pattern;
    (void)text;
    *out = false;
    return wr_raise(ctx, WR_UNSUPPORTED, "not supported: '%s' in a build without PCRE2", option);
}
#endif
