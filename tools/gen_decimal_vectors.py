#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/decimal.tsv: decimal arithmetic as Java's BigDecimal and Flink's DecimalDataUtils do it,
computed with Python's decimal module. Columns: operation, a, b, precision, scale, result (NULL = overflow).
The numbers are drawn from a fixed seed, so the file is the same every time. --check only compares and exits with 1 when the
file is not what this makes."""
import os, random, sys
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

OUT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "data", "decimal.tsv")
RNG = random.Random(20240517)
WIDE = Context(prec=200, rounding=ROUND_HALF_UP, Emax=999999, Emin=-999999)
DIVIDE = Context(prec=38, rounding=ROUND_HALF_UP, Emax=999999, Emin=-999999)


def adjust(p, s):
    if p > 38:
        s = max(38 - (p - s), min(s, 6))
        p = 38
    return p, s


def result_type(op, p1, s1, p2, s2):
    smax = max(s1, s2)
    if op in "+-":
        return adjust(max(p1 - s1, p2 - s2) + smax + 1, smax)
    if op == "*":
        return adjust(p1 + p2 + 1, s1 + s2)
    if op == "/":
        s = max(6, s1 + p2 + 1)
        return adjust(p1 - s1 + s2 + s, s)
    return adjust(min(p1 - s1, p2 - s2) + smax, smax)


def number(p, s):
    digits = RNG.choice([1, 2, p // 2 + 1, p, p])
    v = RNG.randrange(10 ** min(digits, p))
    if RNG.random() < 0.15:
        v = 10 ** (min(digits, p) - 1) * RNG.randrange(1, 10)
    if RNG.random() < 0.5:
        v = -v
    return Decimal(v).scaleb(-s, WIDE)


def fit(x, p, s):
    x = x.quantize(Decimal(1).scaleb(-s), context=WIDE)
    return "NULL" if abs(x.scaleb(s, WIDE)) >= 10**p else format(x, "f") if x else format(abs(x), "f")


def compute(op, a, b):
    if op == "+":
        return WIDE.add(a, b)
    if op == "-":
        return WIDE.subtract(a, b)
    if op == "*":
        return WIDE.multiply(a, b)
    if op == "/":
        return DIVIDE.divide(a, b)
    return WIDE.remainder(a, b)


def vectors():
    """The lines of the file."""
    yield "# Made by tools/gen_decimal_vectors.py: operation, a (precision, scale), b (precision, scale), result type, result"
    for _ in range(4000):
        p1, p2 = RNG.choice([4, 9, 18, 19, 28, 38]), RNG.choice([3, 10, 18, 20, 38])
        s1, s2 = RNG.randrange(p1 + 1), RNG.randrange(p2 + 1)
        a, b, op = number(p1, s1), number(p2, s2), RNG.choice("+-*/%")
        if op in "/%" and b == 0:
            continue
        p, s = result_type(op, p1, s1, p2, s2)
        yield "\t".join(str(x) for x in (op, format(a, "f"), p1, s1, format(b, "f"), p2, s2, p, s, fit(compute(op, a, b), p, s)))


def main():
    with localcontext(WIDE):
        made = "\n".join(vectors()) + "\n"
    if "--check" in sys.argv[1:]:
        if open(OUT, encoding="utf-8").read() != made:
            sys.exit("tests/data/decimal.tsv is not what tools/gen_decimal_vectors.py makes: run it")
        return
    with open(OUT, "w", encoding="utf-8") as f:
        f.write(made)


if __name__ == "__main__":
    main()
