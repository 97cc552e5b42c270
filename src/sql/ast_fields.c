/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of every node struct, in the order of the struct. A field that is missing here is
 * neither compared nor walked nor deep-copied: tests/unit/sql_ast_test.c checks that the tables
 * cover every byte.
 *
 * *_IGNORED: how something was written, not what it means; equality does not look at it.
 */
#include "sql/tree_int.h"

#define AT(struct_type, field, field_type)                                                         \
    {                                                                                              \
        offsetof(struct_type, field), WRI_F_##field_type                                           \
    }

static const wri_field literal_fields[] = {
    AT(wr_ast_literal, lit, ENUM),      AT(wr_ast_literal, negative, BOOL),
    AT(wr_ast_literal, text, STR),      AT(wr_ast_literal, charset, STR_IGNORED),
    AT(wr_ast_literal, qual, INTERVAL),
};
static const wri_field ident_fields[] = {
    AT(wr_ast_ident, parts, IDENT_PARTS),
    AT(wr_ast_ident, star, BOOL),
};
static const wri_field unary_fields[] = {
    AT(wr_ast_unary, op, ENUM),
    AT(wr_ast_unary, op_span, SPAN),
    AT(wr_ast_unary, arg, NODE),
};
static const wri_field binary_fields[] = {
    AT(wr_ast_binary, op, ENUM),      AT(wr_ast_binary, chained, BOOL),
    AT(wr_ast_binary, op_span, SPAN), AT(wr_ast_binary, left, NODE),
    AT(wr_ast_binary, right, NODE),
};
static const wri_field is_fields[] = {
    AT(wr_ast_is, what, ENUM),
    AT(wr_ast_is, negated, BOOL),
    AT(wr_ast_is, arg, NODE),
};
static const wri_field between_fields[] = {
    AT(wr_ast_between, negated, BOOL), AT(wr_ast_between, symmetric, BOOL),
    AT(wr_ast_between, arg, NODE),     AT(wr_ast_between, low, NODE),
    AT(wr_ast_between, high, NODE),
};
static const wri_field like_fields[] = {
    AT(wr_ast_like, what, ENUM),    AT(wr_ast_like, negated, BOOL), AT(wr_ast_like, arg, NODE),
    AT(wr_ast_like, pattern, NODE), AT(wr_ast_like, escape, NODE),
};
static const wri_field in_fields[] = {
    AT(wr_ast_in, negated, BOOL),
    AT(wr_ast_in, arg, NODE),
    AT(wr_ast_in, query, NODE),
    AT(wr_ast_in, list, LIST),
};
static const wri_field exists_fields[] = {
    AT(wr_ast_exists, unique, BOOL),
    AT(wr_ast_exists, query, NODE),
};
static const wri_field quantified_fields[] = {
    AT(wr_ast_quantified, op, ENUM),   AT(wr_ast_quantified, all, BOOL),
    AT(wr_ast_quantified, arg, NODE),  AT(wr_ast_quantified, query, NODE),
    AT(wr_ast_quantified, list, LIST),
};
static const wri_field case_fields[] = {
    AT(wr_ast_case, whens, LIST),
    AT(wr_ast_case, otherwise, NODE),
};
static const wri_field when_fields[] = {
    AT(wr_ast_when, condition, NODE),
    AT(wr_ast_when, result, NODE),
};
static const wri_field cast_fields[] = {
    AT(wr_ast_cast, is_try, BOOL),
    AT(wr_ast_cast, is_safe, BOOL),
    AT(wr_ast_cast, arg, NODE),
    AT(wr_ast_cast, type, NODE),
};
static const wri_field call_fields[] = {
    AT(wr_ast_call, name, FUNCTION),     AT(wr_ast_call, syntax, ENUM),
    AT(wr_ast_call, quantifier, ENUM),   AT(wr_ast_call, nulls, ENUM),
    AT(wr_ast_call, args, LIST),         AT(wr_ast_call, order_by, LIST),
    AT(wr_ast_call, within_group, LIST), AT(wr_ast_call, within_distinct, LIST),
    AT(wr_ast_call, filter, NODE),       AT(wr_ast_call, over, NODE),
    AT(wr_ast_call, over_name, PART),    AT(wr_ast_call, json, NODE),
};
static const wri_field json_fields[] = {
    AT(wr_ast_json, returning, NODE),   AT(wr_ast_json, wrapper, ENUM),
    AT(wr_ast_json, on_empty, ENUM),    AT(wr_ast_json, on_error, ENUM),
    AT(wr_ast_json, empty_value, NODE), AT(wr_ast_json, error_value, NODE),
    AT(wr_ast_json, nulls, ENUM),       AT(wr_ast_json, formatted, I64),
};
static const wri_field constructor_fields[] = {
    AT(wr_ast_constructor, what, ENUM),
    AT(wr_ast_constructor, implicit, BOOL_IGNORED),
    AT(wr_ast_constructor, items, LIST),
    AT(wr_ast_constructor, query, NODE),
};
static const wri_field item_fields[] = {
    AT(wr_ast_item, mode, ENUM),
    AT(wr_ast_item, arg, NODE),
    AT(wr_ast_item, index, NODE),
};
static const wri_field field_fields[] = {
    AT(wr_ast_field, arg, NODE),
    AT(wr_ast_field, name, PART),
};
static const wri_field interval_expr_fields[] = {
    AT(wr_ast_interval_expr, negative, BOOL),
    AT(wr_ast_interval_expr, arg, NODE),
    AT(wr_ast_interval_expr, qual, INTERVAL),
};
static const wri_field symbol_fields[] = {
    AT(wr_ast_symbol, text, STR),
    AT(wr_ast_symbol, unit, ENUM),
};
static const wri_field named_arg_fields[] = {
    AT(wr_ast_named_arg, name, PART),
    AT(wr_ast_named_arg, value, NODE),
};
static const wri_field table_arg_fields[] = {
    AT(wr_ast_table_arg, table, NODE),
    AT(wr_ast_table_arg, partition_by, LIST),
    AT(wr_ast_table_arg, order_by, LIST),
};
static const wri_field model_arg_fields[] = {
    AT(wr_ast_model_arg, name, NODE),
};
static const wri_field descriptor_fields[] = {
    AT(wr_ast_descriptor, columns, LIST),
};
static const wri_field param_fields[] = {
    AT(wr_ast_param, index, ENUM),
};
static const wri_field interval_diff_fields[] = {
    AT(wr_ast_interval_diff, left, NODE),
    AT(wr_ast_interval_diff, right, NODE),
    AT(wr_ast_interval_diff, qual, INTERVAL),
};
static const wri_field next_value_fields[] = {
    AT(wr_ast_next_value, current, BOOL),
    AT(wr_ast_next_value, name, NODE),
};
static const wri_field alias_fields[] = {
    AT(wr_ast_alias, expr, NODE),
    AT(wr_ast_alias, name, PART),
};
static const wri_field type_fields[] = {
    AT(wr_ast_type, name, ENUM),      AT(wr_ast_type, precision, ENUM),
    AT(wr_ast_type, scale, ENUM),     AT(wr_ast_type, nullability, ENUM),
    AT(wr_ast_type, postfix, BOOL),   AT(wr_ast_type, parens, BOOL),
    AT(wr_ast_type, long_form, BOOL), AT(wr_ast_type, key, NODE),
    AT(wr_ast_type, element, NODE),   AT(wr_ast_type, fields, LIST),
    AT(wr_ast_type, qual, INTERVAL),  AT(wr_ast_type, user, NODE),
    AT(wr_ast_type, class_name, STR), AT(wr_ast_type, snapshot, STR),
    AT(wr_ast_type, charset, STR),
};
static const wri_field type_field_fields[] = {
    AT(wr_ast_type_field, name, PART),
    AT(wr_ast_type_field, type, NODE),
    AT(wr_ast_type_field, comment, NODE),
};
static const wri_field query_fields[] = {
    AT(wr_ast_query, recursive, BOOL),  AT(wr_ast_query, with, LIST),
    AT(wr_ast_query, body, NODE),       AT(wr_ast_query, order_by, LIST),
    AT(wr_ast_query, offset, NODE),     AT(wr_ast_query, fetch, NODE),
    AT(wr_ast_query, order_span, SPAN),
};
static const wri_field cte_fields[] = {
    AT(wr_ast_cte, name, PART),
    AT(wr_ast_cte, columns, PARTS),
    AT(wr_ast_cte, query, NODE),
};
static const wri_field select_fields[] = {
    AT(wr_ast_select, hints, LIST),
    AT(wr_ast_select, quantifier, ENUM),
    AT(wr_ast_select, stream, BOOL),
    AT(wr_ast_select, has_group_by, BOOL),
    AT(wr_ast_select, group_quantifier, ENUM),
    AT(wr_ast_select, items, LIST),
    AT(wr_ast_select, from, NODE),
    AT(wr_ast_select, where, NODE),
    AT(wr_ast_select, group_by, LIST),
    AT(wr_ast_select, having, NODE),
    AT(wr_ast_select, windows, LIST),
    AT(wr_ast_select, qualify, NODE),
};
static const wri_field setop_fields[] = {
    AT(wr_ast_setop, op, ENUM),   AT(wr_ast_setop, all, BOOL),   AT(wr_ast_setop, op_span, SPAN),
    AT(wr_ast_setop, left, NODE), AT(wr_ast_setop, right, NODE),
};
static const wri_field values_fields[] = {
    AT(wr_ast_values, rows, LIST),
};
static const wri_field explicit_table_fields[] = {
    AT(wr_ast_explicit_table, name, NODE),
};
static const wri_field grouping_fields[] = {
    AT(wr_ast_grouping, what, ENUM),
    AT(wr_ast_grouping, items, LIST),
};
static const wri_field order_item_fields[] = {
    AT(wr_ast_order_item, direction, ENUM),
    AT(wr_ast_order_item, nulls, ENUM),
    AT(wr_ast_order_item, expr, NODE),
};
static const wri_field window_fields[] = {
    AT(wr_ast_window, name, PART),         AT(wr_ast_window, ref, PART),
    AT(wr_ast_window, partition_by, LIST), AT(wr_ast_window, order_by, LIST),
    AT(wr_ast_window, frame, ENUM),        AT(wr_ast_window, start, ENUM),
    AT(wr_ast_window, end, ENUM),          AT(wr_ast_window, disallow_partial, BOOL),
    AT(wr_ast_window, start_expr, NODE),   AT(wr_ast_window, end_expr, NODE),
};
static const wri_field hint_fields[] = {
    AT(wr_ast_hint, name, PART),
    AT(wr_ast_hint, has_parens, BOOL_IGNORED),
    AT(wr_ast_hint, args, LIST),
};
static const wri_field option_fields[] = {
    AT(wr_ast_option, key, STR),           AT(wr_ast_option, value, STR),
    AT(wr_ast_option, key_span, SPAN),     AT(wr_ast_option, value_span, SPAN),
    AT(wr_ast_option, key_is_ident, BOOL),
};
static const wri_field table_ref_fields[] = {
    AT(wr_ast_table_ref, name, NODE),        AT(wr_ast_table_ref, file, NODE),
    AT(wr_ast_table_ref, hints, LIST),       AT(wr_ast_table_ref, extend, LIST),
    AT(wr_ast_table_ref, system_time, NODE), AT(wr_ast_table_ref, as, AS),
    AT(wr_ast_table_ref, sample, SAMPLE),
};
static const wri_field derived_fields[] = {
    AT(wr_ast_derived, lateral, BOOL),
    AT(wr_ast_derived, query, NODE),
    AT(wr_ast_derived, as, AS),
    AT(wr_ast_derived, sample, SAMPLE),
};
static const wri_field table_func_fields[] = {
    AT(wr_ast_table_func, lateral, BOOL),
    AT(wr_ast_table_func, call, NODE),
    AT(wr_ast_table_func, as, AS),
    AT(wr_ast_table_func, sample, SAMPLE),
};
static const wri_field unnest_fields[] = {
    AT(wr_ast_unnest, with_ordinality, BOOL),
    AT(wr_ast_unnest, args, LIST),
    AT(wr_ast_unnest, as, AS),
    AT(wr_ast_unnest, sample, SAMPLE),
};
static const wri_field join_fields[] = {
    AT(wr_ast_join, type, ENUM),      AT(wr_ast_join, natural, BOOL),
    AT(wr_ast_join, has_using, BOOL), AT(wr_ast_join, type_span, SPAN),
    AT(wr_ast_join, left, NODE),      AT(wr_ast_join, right, NODE),
    AT(wr_ast_join, on, NODE),        AT(wr_ast_join, using_columns, PARTS),
};
static const wri_field pivot_fields[] = {
    AT(wr_ast_pivot, input, NODE),  AT(wr_ast_pivot, aggs, LIST), AT(wr_ast_pivot, axes, PARTS),
    AT(wr_ast_pivot, values, LIST), AT(wr_ast_pivot, as, AS),
};
static const wri_field unpivot_fields[] = {
    AT(wr_ast_unpivot, include_nulls, BOOL),
    AT(wr_ast_unpivot, input, NODE),
    AT(wr_ast_unpivot, measures, PARTS),
    AT(wr_ast_unpivot, axes, PARTS),
    AT(wr_ast_unpivot, columns, LIST),
    AT(wr_ast_unpivot, values, LIST),
    AT(wr_ast_unpivot, as, AS),
};
static const wri_field match_fields[] = {
    AT(wr_ast_match, rows, ENUM),         AT(wr_ast_match, after, ENUM),
    AT(wr_ast_match, strict_start, BOOL), AT(wr_ast_match, strict_end, BOOL),
    AT(wr_ast_match, input, NODE),        AT(wr_ast_match, partition_by, LIST),
    AT(wr_ast_match, order_by, LIST),     AT(wr_ast_match, measures, LIST),
    AT(wr_ast_match, after_var, PART),    AT(wr_ast_match, pattern, NODE),
    AT(wr_ast_match, within, NODE),       AT(wr_ast_match, subsets, LIST),
    AT(wr_ast_match, define, LIST),       AT(wr_ast_match, as, AS),
};
static const wri_field pattern_fields[] = {
    AT(wr_ast_pattern, what, ENUM), AT(wr_ast_pattern, reluctant, BOOL),
    AT(wr_ast_pattern, name, PART), AT(wr_ast_pattern, items, LIST),
    AT(wr_ast_pattern, min, I64),   AT(wr_ast_pattern, max, I64),
};
static const wri_field column_fields[] = {
    AT(wr_ast_column, path, NODE),         AT(wr_ast_column, column, ENUM),
    AT(wr_ast_column, is_virtual, BOOL),   AT(wr_ast_column, position, ENUM),
    AT(wr_ast_column, type, NODE),         AT(wr_ast_column, expr, NODE),
    AT(wr_ast_column, metadata_key, NODE), AT(wr_ast_column, constraint, NODE),
    AT(wr_ast_column, comment, NODE),      AT(wr_ast_column, after, NODE),
};
static const wri_field constraint_fields[] = {
    AT(wr_ast_constraint, name, PART),
    AT(wr_ast_constraint, unique, BOOL),
    AT(wr_ast_constraint, enforced, ENUM),
    AT(wr_ast_constraint, columns, PARTS),
};
static const wri_field watermark_fields[] = {
    AT(wr_ast_watermark, column, NODE),
    AT(wr_ast_watermark, expr, NODE),
};
static const wri_field distribution_fields[] = {
    AT(wr_ast_distribution, what, ENUM),
    AT(wr_ast_distribution, columns, PARTS),
    AT(wr_ast_distribution, buckets, NODE),
};
static const wri_field table_like_fields[] = {
    AT(wr_ast_table_like, source, NODE),
    AT(wr_ast_table_like, options, LIKE_OPTIONS),
};
static const wri_field partition_fields[] = {
    AT(wr_ast_partition, has_options, BOOL),
    AT(wr_ast_partition, columns, PARTS),
    AT(wr_ast_partition, values, LIST),
    AT(wr_ast_partition, options, LIST),
};
static const wri_field resource_fields[] = {
    AT(wr_ast_resource, what, ENUM),
    AT(wr_ast_resource, uri, NODE),
};
static const wri_field start_mode_fields[] = {
    AT(wr_ast_start_mode, what, ENUM),
    AT(wr_ast_start_mode, value, NODE),
};
static const wri_field assign_fields[] = {
    AT(wr_ast_assign, column, PART),
    AT(wr_ast_assign, expr, NODE),
};
static const wri_field create_table_fields[] = {
    AT(wr_ast_create_table, temporary, BOOL),    AT(wr_ast_create_table, if_not_exists, BOOL),
    AT(wr_ast_create_table, or_replace, BOOL),   AT(wr_ast_create_table, replace, BOOL),
    AT(wr_ast_create_table, materialized, BOOL), AT(wr_ast_create_table, or_alter, BOOL),
    AT(wr_ast_create_table, has_columns, BOOL),  AT(wr_ast_create_table, has_options, BOOL_IGNORED),
    AT(wr_ast_create_table, refresh, ENUM),      AT(wr_ast_create_table, name, NODE),
    AT(wr_ast_create_table, columns, LIST),      AT(wr_ast_create_table, constraints, LIST),
    AT(wr_ast_create_table, watermark, NODE),    AT(wr_ast_create_table, comment, NODE),
    AT(wr_ast_create_table, distribution, NODE), AT(wr_ast_create_table, partitions, PARTS),
    AT(wr_ast_create_table, options, LIST),      AT(wr_ast_create_table, like, NODE),
    AT(wr_ast_create_table, query, NODE),        AT(wr_ast_create_table, freshness, NODE),
    AT(wr_ast_create_table, start_mode, NODE),
};
static const wri_field create_view_fields[] = {
    AT(wr_ast_create_view, temporary, BOOL),     AT(wr_ast_create_view, or_replace, BOOL),
    AT(wr_ast_create_view, if_not_exists, BOOL), AT(wr_ast_create_view, name, NODE),
    AT(wr_ast_create_view, columns, PARTS),      AT(wr_ast_create_view, comment, NODE),
    AT(wr_ast_create_view, query, NODE),
};
static const wri_field create_function_fields[] = {
    AT(wr_ast_create_function, temporary, BOOL),
    AT(wr_ast_create_function, system, BOOL),
    AT(wr_ast_create_function, if_not_exists, BOOL),
    AT(wr_ast_create_function, has_options, BOOL_IGNORED),
    AT(wr_ast_create_function, name, NODE),
    AT(wr_ast_create_function, class_name, NODE),
    AT(wr_ast_create_function, language, STR),
    AT(wr_ast_create_function, resources, LIST),
    AT(wr_ast_create_function, options, LIST),
};
static const wri_field create_model_fields[] = {
    AT(wr_ast_create_model, temporary, BOOL),
    AT(wr_ast_create_model, if_not_exists, BOOL),
    AT(wr_ast_create_model, has_options, BOOL_IGNORED),
    AT(wr_ast_create_model, name, NODE),
    AT(wr_ast_create_model, inputs, LIST),
    AT(wr_ast_create_model, outputs, LIST),
    AT(wr_ast_create_model, comment, NODE),
    AT(wr_ast_create_model, options, LIST),
    AT(wr_ast_create_model, query, NODE),
};
static const wri_field create_object_fields[] = {
    AT(wr_ast_create_object, object, ENUM),
    AT(wr_ast_create_object, temporary, BOOL),
    AT(wr_ast_create_object, system, BOOL),
    AT(wr_ast_create_object, if_not_exists, BOOL),
    AT(wr_ast_create_object, has_options, BOOL_IGNORED),
    AT(wr_ast_create_object, name, NODE),
    AT(wr_ast_create_object, comment, NODE),
    AT(wr_ast_create_object, options, LIST),
};
static const wri_field alter_fields[] = {
    AT(wr_ast_alter, object, ENUM),         AT(wr_ast_alter, action, ENUM),
    AT(wr_ast_alter, temporary, BOOL),      AT(wr_ast_alter, system, BOOL),
    AT(wr_ast_alter, if_exists, BOOL),      AT(wr_ast_alter, if_not_exists, BOOL),
    AT(wr_ast_alter, part_if_exists, BOOL), AT(wr_ast_alter, has_options, BOOL),
    AT(wr_ast_alter, refresh, ENUM),        AT(wr_ast_alter, name, NODE),
    AT(wr_ast_alter, columns, LIST),        AT(wr_ast_alter, constraints, LIST),
    AT(wr_ast_alter, watermark, NODE),      AT(wr_ast_alter, distribution, NODE),
    AT(wr_ast_alter, partitions, LIST),     AT(wr_ast_alter, names, LIST),
    AT(wr_ast_alter, new_name, NODE),       AT(wr_ast_alter, options, LIST),
    AT(wr_ast_alter, keys, LIST),           AT(wr_ast_alter, comment, NODE),
    AT(wr_ast_alter, query, NODE),          AT(wr_ast_alter, freshness, NODE),
    AT(wr_ast_alter, class_name, NODE),     AT(wr_ast_alter, language, STR),
};
static const wri_field drop_fields[] = {
    AT(wr_ast_drop, object, ENUM),    AT(wr_ast_drop, behaviour, ENUM),
    AT(wr_ast_drop, temporary, BOOL), AT(wr_ast_drop, system, BOOL),
    AT(wr_ast_drop, if_exists, BOOL), AT(wr_ast_drop, name, NODE),
};
static const wri_field insert_fields[] = {
    AT(wr_ast_insert, overwrite, BOOL),     AT(wr_ast_insert, upsert, BOOL),
    AT(wr_ast_insert, has_columns, BOOL),   AT(wr_ast_insert, conflict, ENUM),
    AT(wr_ast_insert, conflict_span, SPAN), AT(wr_ast_insert, target, NODE),
    AT(wr_ast_insert, partition, NODE),     AT(wr_ast_insert, columns, LIST),
    AT(wr_ast_insert, query, NODE),
};
static const wri_field statement_set_fields[] = {
    AT(wr_ast_statement_set, inserts, LIST),
};
static const wri_field set_mark_fields[] = {
    AT(wr_ast_set_mark, end, BOOL),
};
static const wri_field execute_fields[] = {
    AT(wr_ast_execute, stmt, NODE),
};
static const wri_field explain_fields[] = {
    AT(wr_ast_explain, details, ENUM),
    AT(wr_ast_explain, upgrade, NODE),
    AT(wr_ast_explain, stmt, NODE),
};
static const wri_field plan_fields[] = {
    AT(wr_ast_plan, compile, BOOL),       AT(wr_ast_plan, execute, BOOL),
    AT(wr_ast_plan, if_not_exists, BOOL), AT(wr_ast_plan, path, NODE),
    AT(wr_ast_plan, stmt, NODE),
};
static const wri_field delete_fields[] = {
    AT(wr_ast_delete, target, NODE),
    AT(wr_ast_delete, where, NODE),
};
static const wri_field update_fields[] = {
    AT(wr_ast_update, target, NODE),
    AT(wr_ast_update, assigns, LIST),
    AT(wr_ast_update, where, NODE),
};
static const wri_field merge_fields[] = {
    AT(wr_ast_merge, target, NODE),
    AT(wr_ast_merge, source, NODE),
    AT(wr_ast_merge, on, NODE),
    AT(wr_ast_merge, assigns, LIST),
    AT(wr_ast_merge, insert_columns, LIST),
    AT(wr_ast_merge, insert_values, NODE),
};
static const wri_field truncate_fields[] = {
    AT(wr_ast_truncate, name, NODE),
};
static const wri_field call_procedure_fields[] = {
    AT(wr_ast_call_procedure, call, NODE),
};
static const wri_field analyze_fields[] = {
    AT(wr_ast_analyze, all_columns, BOOL),
    AT(wr_ast_analyze, name, NODE),
    AT(wr_ast_analyze, partition, NODE),
    AT(wr_ast_analyze, columns, PARTS),
};
static const wri_field use_fields[] = {
    AT(wr_ast_use, what, ENUM),
    AT(wr_ast_use, name, NODE),
    AT(wr_ast_use, modules, PARTS),
};
static const wri_field module_fields[] = {
    AT(wr_ast_module, unload, BOOL),
    AT(wr_ast_module, has_options, BOOL_IGNORED),
    AT(wr_ast_module, name, NODE),
    AT(wr_ast_module, options, LIST),
};
static const wri_field set_fields[] = {
    AT(wr_ast_set, reset, BOOL),
    AT(wr_ast_set, key, NODE),
    AT(wr_ast_set, value, NODE),
};
static const wri_field jar_fields[] = {
    AT(wr_ast_jar, remove, BOOL),
    AT(wr_ast_jar, path, NODE),
};
static const wri_field show_fields[] = {
    AT(wr_ast_show, what, ENUM),      AT(wr_ast_show, object, ENUM),
    AT(wr_ast_show, prep, ENUM),      AT(wr_ast_show, or_alter, BOOL),
    AT(wr_ast_show, not_like, BOOL),  AT(wr_ast_show, ilike, BOOL),
    AT(wr_ast_show, name, NODE),      AT(wr_ast_show, pattern, NODE),
    AT(wr_ast_show, partition, NODE), AT(wr_ast_show, job, NODE),
};
static const wri_field describe_fields[] = {
    AT(wr_ast_describe, object, ENUM), AT(wr_ast_describe, extended, BOOL),
    AT(wr_ast_describe, name, NODE),   AT(wr_ast_describe, job, NODE),
    AT(wr_ast_describe, file, NODE),
};
static const wri_field savepoint_fields[] = {
    AT(wr_ast_savepoint, job, NODE),
    AT(wr_ast_savepoint, dir, NODE),
};
static const wri_field stop_job_fields[] = {
    AT(wr_ast_stop_job, with_savepoint, BOOL),
    AT(wr_ast_stop_job, with_drain, BOOL),
    AT(wr_ast_stop_job, job, NODE),
};

static const wri_shape shapes[WR_AST_COUNT] = {
    [WR_AST_LITERAL] = {"literal", literal_fields, WR_COUNT(literal_fields),
                        sizeof(wr_ast_literal)},
    [WR_AST_IDENT] = {"identifier", ident_fields, WR_COUNT(ident_fields), sizeof(wr_ast_ident)},
    [WR_AST_UNARY] = {"unary operator", unary_fields, WR_COUNT(unary_fields), sizeof(wr_ast_unary)},
    [WR_AST_BINARY] = {"binary operator", binary_fields, WR_COUNT(binary_fields),
                       sizeof(wr_ast_binary)},
    [WR_AST_IS] = {"IS predicate", is_fields, WR_COUNT(is_fields), sizeof(wr_ast_is)},
    [WR_AST_BETWEEN] = {"BETWEEN", between_fields, WR_COUNT(between_fields),
                        sizeof(wr_ast_between)},
    [WR_AST_LIKE] = {"LIKE", like_fields, WR_COUNT(like_fields), sizeof(wr_ast_like)},
    [WR_AST_IN] = {"IN", in_fields, WR_COUNT(in_fields), sizeof(wr_ast_in)},
    [WR_AST_EXISTS] = {"EXISTS", exists_fields, WR_COUNT(exists_fields), sizeof(wr_ast_exists)},
    [WR_AST_QUANTIFIED] = {"quantified comparison", quantified_fields, WR_COUNT(quantified_fields),
                           sizeof(wr_ast_quantified)},
    [WR_AST_CASE] = {"CASE", case_fields, WR_COUNT(case_fields), sizeof(wr_ast_case)},
    [WR_AST_WHEN] = {"WHEN", when_fields, WR_COUNT(when_fields), sizeof(wr_ast_when)},
    [WR_AST_CAST] = {"CAST", cast_fields, WR_COUNT(cast_fields), sizeof(wr_ast_cast)},
    [WR_AST_CALL] = {"function call", call_fields, WR_COUNT(call_fields), sizeof(wr_ast_call)},
    [WR_AST_JSON] = {"JSON clause", json_fields, WR_COUNT(json_fields), sizeof(wr_ast_json)},
    [WR_AST_CONSTRUCTOR] = {"constructor", constructor_fields, WR_COUNT(constructor_fields),
                            sizeof(wr_ast_constructor)},
    [WR_AST_ITEM] = {"element access", item_fields, WR_COUNT(item_fields), sizeof(wr_ast_item)},
    [WR_AST_FIELD] = {"field access", field_fields, WR_COUNT(field_fields), sizeof(wr_ast_field)},
    [WR_AST_INTERVAL_EXPR] = {"interval expression", interval_expr_fields,
                              WR_COUNT(interval_expr_fields), sizeof(wr_ast_interval_expr)},
    [WR_AST_SYMBOL] = {"keyword argument", symbol_fields, WR_COUNT(symbol_fields),
                       sizeof(wr_ast_symbol)},
    [WR_AST_NAMED_ARG] = {"named argument", named_arg_fields, WR_COUNT(named_arg_fields),
                          sizeof(wr_ast_named_arg)},
    [WR_AST_TABLE_ARG] = {"table argument", table_arg_fields, WR_COUNT(table_arg_fields),
                          sizeof(wr_ast_table_arg)},
    [WR_AST_MODEL_ARG] = {"model argument", model_arg_fields, WR_COUNT(model_arg_fields),
                          sizeof(wr_ast_model_arg)},
    [WR_AST_DESCRIPTOR] = {"DESCRIPTOR", descriptor_fields, WR_COUNT(descriptor_fields),
                           sizeof(wr_ast_descriptor)},
    [WR_AST_PARAM] = {"dynamic parameter", param_fields, WR_COUNT(param_fields),
                      sizeof(wr_ast_param)},
    [WR_AST_INTERVAL_DIFF] = {"interval difference", interval_diff_fields,
                              WR_COUNT(interval_diff_fields), sizeof(wr_ast_interval_diff)},
    [WR_AST_NEXT_VALUE] = {"NEXT VALUE", next_value_fields, WR_COUNT(next_value_fields),
                           sizeof(wr_ast_next_value)},
    [WR_AST_ALIAS] = {"alias", alias_fields, WR_COUNT(alias_fields), sizeof(wr_ast_alias)},
    [WR_AST_TYPE] = {"data type", type_fields, WR_COUNT(type_fields), sizeof(wr_ast_type)},
    [WR_AST_TYPE_FIELD] = {"row field", type_field_fields, WR_COUNT(type_field_fields),
                           sizeof(wr_ast_type_field)},
    [WR_AST_QUERY] = {"query", query_fields, WR_COUNT(query_fields), sizeof(wr_ast_query)},
    [WR_AST_CTE] = {"common table expression", cte_fields, WR_COUNT(cte_fields),
                    sizeof(wr_ast_cte)},
    [WR_AST_SELECT] = {"SELECT", select_fields, WR_COUNT(select_fields), sizeof(wr_ast_select)},
    [WR_AST_SETOP] = {"set operation", setop_fields, WR_COUNT(setop_fields), sizeof(wr_ast_setop)},
    [WR_AST_VALUES] = {"VALUES", values_fields, WR_COUNT(values_fields), sizeof(wr_ast_values)},
    [WR_AST_EXPLICIT_TABLE] = {"TABLE", explicit_table_fields, WR_COUNT(explicit_table_fields),
                               sizeof(wr_ast_explicit_table)},
    [WR_AST_GROUPING] = {"grouping sets", grouping_fields, WR_COUNT(grouping_fields),
                         sizeof(wr_ast_grouping)},
    [WR_AST_ORDER_ITEM] = {"ORDER BY item", order_item_fields, WR_COUNT(order_item_fields),
                           sizeof(wr_ast_order_item)},
    [WR_AST_WINDOW] = {"window specification", window_fields, WR_COUNT(window_fields),
                       sizeof(wr_ast_window)},
    [WR_AST_HINT] = {"hint", hint_fields, WR_COUNT(hint_fields), sizeof(wr_ast_hint)},
    [WR_AST_OPTION] = {"option", option_fields, WR_COUNT(option_fields), sizeof(wr_ast_option)},
    [WR_AST_TABLE_REF] = {"table", table_ref_fields, WR_COUNT(table_ref_fields),
                          sizeof(wr_ast_table_ref)},
    [WR_AST_DERIVED] = {"derived table", derived_fields, WR_COUNT(derived_fields),
                        sizeof(wr_ast_derived)},
    [WR_AST_TABLE_FUNC] = {"table function", table_func_fields, WR_COUNT(table_func_fields),
                           sizeof(wr_ast_table_func)},
    [WR_AST_UNNEST] = {"UNNEST", unnest_fields, WR_COUNT(unnest_fields), sizeof(wr_ast_unnest)},
    [WR_AST_JOIN] = {"join", join_fields, WR_COUNT(join_fields), sizeof(wr_ast_join)},
    [WR_AST_PIVOT] = {"PIVOT", pivot_fields, WR_COUNT(pivot_fields), sizeof(wr_ast_pivot)},
    [WR_AST_UNPIVOT] = {"UNPIVOT", unpivot_fields, WR_COUNT(unpivot_fields),
                        sizeof(wr_ast_unpivot)},
    [WR_AST_MATCH] = {"MATCH_RECOGNIZE", match_fields, WR_COUNT(match_fields),
                      sizeof(wr_ast_match)},
    [WR_AST_PATTERN] = {"row pattern", pattern_fields, WR_COUNT(pattern_fields),
                        sizeof(wr_ast_pattern)},
    [WR_AST_COLUMN] = {"column definition", column_fields, WR_COUNT(column_fields),
                       sizeof(wr_ast_column)},
    [WR_AST_CONSTRAINT] = {"constraint", constraint_fields, WR_COUNT(constraint_fields),
                           sizeof(wr_ast_constraint)},
    [WR_AST_WATERMARK] = {"watermark", watermark_fields, WR_COUNT(watermark_fields),
                          sizeof(wr_ast_watermark)},
    [WR_AST_DISTRIBUTION] = {"distribution", distribution_fields, WR_COUNT(distribution_fields),
                             sizeof(wr_ast_distribution)},
    [WR_AST_TABLE_LIKE] = {"LIKE clause", table_like_fields, WR_COUNT(table_like_fields),
                           sizeof(wr_ast_table_like)},
    [WR_AST_PARTITION] = {"partition", partition_fields, WR_COUNT(partition_fields),
                          sizeof(wr_ast_partition)},
    [WR_AST_RESOURCE] = {"resource", resource_fields, WR_COUNT(resource_fields),
                         sizeof(wr_ast_resource)},
    [WR_AST_START_MODE] = {"start mode", start_mode_fields, WR_COUNT(start_mode_fields),
                           sizeof(wr_ast_start_mode)},
    [WR_AST_ASSIGN] = {"assignment", assign_fields, WR_COUNT(assign_fields), sizeof(wr_ast_assign)},
    [WR_AST_CREATE_TABLE] = {"CREATE TABLE", create_table_fields, WR_COUNT(create_table_fields),
                             sizeof(wr_ast_create_table)},
    [WR_AST_CREATE_VIEW] = {"CREATE VIEW", create_view_fields, WR_COUNT(create_view_fields),
                            sizeof(wr_ast_create_view)},
    [WR_AST_CREATE_FUNCTION] = {"CREATE FUNCTION", create_function_fields,
                                WR_COUNT(create_function_fields), sizeof(wr_ast_create_function)},
    [WR_AST_CREATE_MODEL] = {"CREATE MODEL", create_model_fields, WR_COUNT(create_model_fields),
                             sizeof(wr_ast_create_model)},
    [WR_AST_CREATE_OBJECT] = {"CREATE CATALOG", create_object_fields,
                              WR_COUNT(create_object_fields), sizeof(wr_ast_create_object)},
    [WR_AST_ALTER] = {"ALTER", alter_fields, WR_COUNT(alter_fields), sizeof(wr_ast_alter)},
    [WR_AST_DROP] = {"DROP", drop_fields, WR_COUNT(drop_fields), sizeof(wr_ast_drop)},
    [WR_AST_INSERT] = {"INSERT", insert_fields, WR_COUNT(insert_fields), sizeof(wr_ast_insert)},
    [WR_AST_STATEMENT_SET] = {"STATEMENT SET", statement_set_fields, WR_COUNT(statement_set_fields),
                              sizeof(wr_ast_statement_set)},
    [WR_AST_SET_MARK] = {"BEGIN STATEMENT SET", set_mark_fields, WR_COUNT(set_mark_fields),
                         sizeof(wr_ast_set_mark)},
    [WR_AST_EXECUTE] = {"EXECUTE", execute_fields, WR_COUNT(execute_fields),
                        sizeof(wr_ast_execute)},
    [WR_AST_EXPLAIN] = {"EXPLAIN", explain_fields, WR_COUNT(explain_fields),
                        sizeof(wr_ast_explain)},
    [WR_AST_PLAN] = {"COMPILE PLAN", plan_fields, WR_COUNT(plan_fields), sizeof(wr_ast_plan)},
    [WR_AST_DELETE] = {"DELETE", delete_fields, WR_COUNT(delete_fields), sizeof(wr_ast_delete)},
    [WR_AST_UPDATE] = {"UPDATE", update_fields, WR_COUNT(update_fields), sizeof(wr_ast_update)},
    [WR_AST_MERGE] = {"MERGE", merge_fields, WR_COUNT(merge_fields), sizeof(wr_ast_merge)},
    [WR_AST_TRUNCATE] = {"TRUNCATE TABLE", truncate_fields, WR_COUNT(truncate_fields),
                         sizeof(wr_ast_truncate)},
    [WR_AST_CALL_PROCEDURE] = {"CALL", call_procedure_fields, WR_COUNT(call_procedure_fields),
                               sizeof(wr_ast_call_procedure)},
    [WR_AST_ANALYZE] = {"ANALYZE TABLE", analyze_fields, WR_COUNT(analyze_fields),
                        sizeof(wr_ast_analyze)},
    [WR_AST_USE] = {"USE", use_fields, WR_COUNT(use_fields), sizeof(wr_ast_use)},
    [WR_AST_MODULE] = {"LOAD MODULE", module_fields, WR_COUNT(module_fields),
                       sizeof(wr_ast_module)},
    [WR_AST_SET] = {"SET", set_fields, WR_COUNT(set_fields), sizeof(wr_ast_set)},
    [WR_AST_JAR] = {"ADD JAR", jar_fields, WR_COUNT(jar_fields), sizeof(wr_ast_jar)},
    [WR_AST_SHOW] = {"SHOW", show_fields, WR_COUNT(show_fields), sizeof(wr_ast_show)},
    [WR_AST_DESCRIBE] = {"DESCRIBE", describe_fields, WR_COUNT(describe_fields),
                         sizeof(wr_ast_describe)},
    [WR_AST_STOP_JOB] = {"STOP JOB", stop_job_fields, WR_COUNT(stop_job_fields),
                         sizeof(wr_ast_stop_job)},
    [WR_AST_SAVEPOINT] = {"CREATE SAVEPOINT", savepoint_fields, WR_COUNT(savepoint_fields),
                          sizeof(wr_ast_savepoint)},
};

const wri_shape *
wri_shape_of(wr_ast_kind kind)
{
    WR_ASSERT((uint32_t)kind < WR_AST_COUNT);
    return &shapes[kind];
}
