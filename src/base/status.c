/* SPDX-License-Identifier: Apache-2.0 */
/* Names of statuses and row kinds, from the lists in base.h. Constant tables; any thread. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *sqlstate, *title;
    wr_err_class class;
} statuses[WR_STATUS_COUNT] = {
#define X(name, state, class, title) {#name, state, title, WR_CLASS_##class},
    WR_STATUS_MAP(X)
#undef X
};

static unsigned
status_index(wr_status s)
{
    return (unsigned)s < WR_STATUS_COUNT ? (unsigned)s : (unsigned)WR_INTERNAL;
}

const char *
wr_status_name(wr_status s)
{
    return statuses[status_index(s)].name;
}

const char *
wr_status_sqlstate(wr_status s)
{
    return statuses[status_index(s)].sqlstate;
}

const char *
wr_status_title(wr_status s)
{
    return statuses[status_index(s)].title;
}

wr_err_class
wr_status_class(wr_status s)
{
    return statuses[status_index(s)].class;
}

const char *
wr_kind_name(wr_kind k)
{
    static const char *const names[4] = {"+I", "-U", "+U", "-D"};
    return names[(unsigned)k & 3];
}

void
wr_assert_failed(const char *what, const char *file, int line)
{
    (void)fprintf(stderr, "weir: bug: assertion failed: %s (%s:%d)\n", what, file, line);
    abort();
}
