/* SPDX-License-Identifier: Apache-2.0 */
/* Casts arbitrary text to every type and what comes out back to text. CAST and TRY_CAST must agree
 * about which texts are bad, and a value's text must read as the same value. */
#include "types/datetime.h"
#include "vec/cast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const wr_type *
pick(wr_arena *a, uint8_t which)
{
    switch (which % 17) {
    case 0:
        return wr_type_of(WR_T_BOOLEAN, true);
    case 1:
        return wr_type_of(WR_T_TINYINT, true);
    case 2:
        return wr_type_of(WR_T_INT, true);
    case 3:
        return wr_type_of(WR_T_BIGINT, true);
    case 4:
        return wr_type_of(WR_T_FLOAT, true);
    case 5:
        return wr_type_of(WR_T_DOUBLE, true);
    case 6:
        return wr_type_decimal(a, 9, 2, true);
    case 7:
        return wr_type_decimal(a, 38, 18, true);
    case 8:
        return wr_type_of(WR_T_DATE, true);
    case 9:
        return wr_type_time(a, WR_T_TIME, 3, true);
    case 10:
        return wr_type_time(a, WR_T_TIMESTAMP, 9, true);
    case 11:
        return wr_type_time(a, WR_T_TIMESTAMP_LTZ, 3, true);
    case 12:
        return wr_type_char(a, WR_T_CHAR, 5, true);
    case 13:
        return wr_type_char(a, WR_T_VARCHAR, 3, true);
    case 14:
        return wr_type_char(a, WR_T_BINARY, 4, true);
    case 15:
        return wr_type_bytes(true);
    default:
        return wr_type_string(true);
    }
}

static bool
cast(const wr_vec *in, const wr_type *to, bool try_cast, wr_vec *out, wr_arena *a, bool *failed)
{
    wr_ctx ctx;
    wr_row_errs errs = {0};
    wr_ctx_init(&ctx);
    if (!wr_vec_init_flat(out, to, 1, a)) return false;
    if (wr_cast_vec(&ctx, NULL, in, to, NULL, 1, try_cast, out, a, &errs) != WR_OK) return false;
    *failed = errs.any;
    return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 4096) return 0;
    wr_arena *a = wr_arena_create(NULL, 0);
    const wr_type *to = pick(a, data[0]);
    wr_vec in, out, again, text, back;
    bool failed, try_failed, back_failed;
    if (!wr_vec_init_flat(&in, wr_type_string(true), 1, a)) goto done;
    if (!wr_vec_set_str(&in, 0, (const char *)data + 1, (uint32_t)size - 1, a)) goto done;
    if (!cast(&in, to, false, &out, a, &failed)) goto done;
    if (!cast(&in, to, true, &again, a, &try_failed)) goto done;
    WR_ASSERT(!try_failed);
    WR_ASSERT(!failed || wr_vec_is_null(&again, 0));
    WR_ASSERT(failed || wr_vec_entry_eq(&out, 0, &again, 0));
    if (failed || wr_vec_is_null(&out, 0)) goto done;
    if (!cast(&out, wr_type_string(true), false, &text, a, &failed)) goto done;
    if (!cast(&text, to, false, &back, a, &back_failed)) goto done;
    /* years beyond 9999 have no text that CAST reads; broken bytes are replaced */
    const bool reads_back = to->id != WR_T_TIMESTAMP && to->id != WR_T_TIMESTAMP_LTZ &&
                            wr_type_family(to) != WR_FAM_BINARY;
    WR_ASSERT(!failed);
    if (reads_back) WR_ASSERT(!back_failed && wr_vec_entry_eq(&out, 0, &back, 0));
    wr_text shown;
    wr_text_init(&shown, a);
    wr_value_display(&out, 0, NULL, &shown);
    wr_value_print_java(&out, 0, NULL, &shown);
done:
    wr_arena_destroy(a);
    return 0;
}
