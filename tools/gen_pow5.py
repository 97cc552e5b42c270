#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/types/number_pow5.def: the 128 leading bits of 5^q for q = -342..308, which the parser
of floating-point numbers multiplies by. Usage: tools/gen_pow5.py > src/types/number_pow5.def"""


def leading_bits(q):
    if q >= 0:
        power = 5**q
        surplus = power.bit_length() - 128
        return power << -surplus if surplus <= 0 else power >> surplus
    divisor = 5**-q
    bits = (1 << (divisor.bit_length() + 127)) // divisor + 1
    while bits >= 1 << 128:
        bits //= 2
    return bits


print("/* SPDX-License-Identifier: Apache-2.0 */")
print("/* The 128 leading bits of 5^q for q = -342..308 (high, low), rounded down for q >= 0 and up for q < 0.")
print(" * Made by tools/gen_pow5.py. */")
for exponent in range(-342, 309):
    value = leading_bits(exponent)
    print("{0x%016xull, 0x%016xull}," % (value >> 64, value & ((1 << 64) - 1)))
