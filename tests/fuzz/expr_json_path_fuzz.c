/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text and JSONPath: the input is a path, a newline, a document. Whatever they are, parsing
 * and evaluating end; what parses prints as JSON that parses and prints the same again. */
#include "expr/json_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
print_twice(wr_arena *a, const wri_json *v)
{
    wr_text once, twice;
    wr_text_init(&once, a);
    wr_text_init(&twice, a);
    wri_json_print(&once, v);
    wri_json *again = NULL;
    wri_json_error why;
    if (once.failed) return;
    /* a value found may be nested as deeply as the document, an array of them one deeper */
    if (wri_json_parse(a, wr_text_str(&once), &again, &why) != WRI_JSON_OK) {
        WR_ASSERT(strstr(why.text, "depth") || strstr(why.text, "length"));
        return;
    }
    wri_json_print(&twice, again);
    WR_ASSERT(twice.failed || wr_str_eq(wr_text_str(&once), wr_text_str(&twice)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wr_str all = {(const char *)data, size};
    const char *newline = size ? memchr(all.ptr, '\n', all.len) : NULL;
    size_t cut = newline ? (size_t)(newline - all.ptr) : 0;
    wr_str path = {all.ptr, cut}, text = all;
    if (newline) text = (wr_str){newline + 1, size - cut - 1};
    wr_arena *a = wr_arena_create(NULL, 0);
    wri_json *doc = NULL;
    wri_json_error why;
    wri_json_kind kind = WRI_JSON_NULL;
    bool parsed = wri_json_parse(a, text, &doc, &why) == WRI_JSON_OK;
    WR_ASSERT(parsed == wri_json_check(text, &kind));
    wri_jpath *p = wri_jpath_compile(a, path);
    if (parsed) print_twice(a, doc);
    if (parsed && p && size < 4096) { /* scans of scans grow with the document's square */
        const wri_json *found = NULL;
        if (wri_jpath_eval(p, doc, a, &found, &why) == WRI_JPATH_OK && found) print_twice(a, found);
    }
    wr_arena_destroy(a);
    return 0;
}
