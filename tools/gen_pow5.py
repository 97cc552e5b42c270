#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/types/number_pow5.def: the 128 leading bits of 5^q for q = -342..308, which the parser
of floating-point numbers multiplies by. --check only compares and exits with 1 when the file is not what this makes."""
import os, sys

OUT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "types", "number_pow5.def")


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


def text():
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           "/* The 128 leading bits of 5^q for q = -342..308 (high, low), rounded down for q >= 0 and up for q < 0.",
           " * Made by tools/gen_pow5.py. */"]
    for exponent in range(-342, 309):
        value = leading_bits(exponent)
        out.append("{0x%016xull, 0x%016xull}," % (value >> 64, value & ((1 << 64) - 1)))
    return "\n".join(out) + "\n"


def main():
    made = text()
    if "--check" in sys.argv[1:]:
        if open(OUT, encoding="utf-8").read() != made:
            sys.exit("src/types/number_pow5.def is not what tools/gen_pow5.py makes: run it")
        return
    with open(OUT, "w", encoding="utf-8") as f:
        f.write(made)


if __name__ == "__main__":
    main()
