/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that several tests of the operators have, after op_rig.h. */
#ifndef WR_TESTS_OP_RIG_NODES_H
#define WR_TESTS_OP_RIG_NODES_H

#include "unit/op_rig.h"

/* By the first column. */
static inline void
rig_normalize(rig *r, const char *schema)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, schema);
    r->node.kind = WR_P_CHANGELOG_NORMALIZE;
    r->node.changelog = WR_CL_ALL;
    r->node.u.normalize.keys = rig_cols(r, 1, 0, 0);
    r->node.u.normalize.key_count = 1;
    r->node.u.normalize.generate_update_before = true;
}
/* The sink's key is the first column, the upsert key of the input the second. */
static inline void
rig_materialize(rig *r, const char *schema)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, schema);
    r->node.kind = WR_P_SINK_MATERIALIZE;
    r->node.changelog = WR_CL_UPSERT;
    r->node.u.materialize.keys = rig_cols(r, 1, 0, 0);
    r->node.u.materialize.key_count = 1;
    r->node.u.materialize.input_upsert_key = rig_cols(r, 1, 1, 0);
    r->node.u.materialize.input_upsert_key_count = 1;
}
/* By the first columns. */
static inline void
rig_left_join(rig *r, const char *left, const char *right, const char *out)
{
    r->inputs[0].schema = rig_schema(r, left);
    r->inputs[1].schema = rig_schema(r, right);
    r->inputs[0].changelog = r->inputs[1].changelog = WR_CL_ALL;
    r->node.input_count = 2;
    r->node.schema = rig_schema(r, out);
    r->node.kind = WR_P_JOIN;
    r->node.changelog = WR_CL_ALL;
    r->node.u.join.type = WR_JOIN_LEFT;
    r->node.u.join.left_keys = r->node.u.join.right_keys = rig_cols(r, 1, 0, 0);
    r->node.u.join.key_count = 1;
}

#endif
