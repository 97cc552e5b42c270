#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formats C files: section rules ("/* ---- title ---- */") to one full line each, then clang-format -i.

    tools/fmt.py FILE...
"""
import re
import subprocess
import sys

COLUMNS = 100
RULE = re.compile(r"^([ \t]*)/\* ---- (.*?)\*/", re.M | re.S)


def one_line(m):
    title = re.sub(r"\s*\n\s*\*?\s*", " ", m.group(2)).strip()
    title = re.sub(r"\s*-{3,}$", "", title).strip()
    head = f"{m.group(1)}/* ---- {title} "
    dashes = COLUMNS - 3 - len(head)
    return head + ("-" * dashes + " */" if dashes >= 3 else "*/")


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        fixed = RULE.sub(one_line, text)
        if fixed != text:
            with open(path, "w", encoding="utf-8") as f:
                f.write(fixed)
    if sys.argv[1:]:
        subprocess.run(["clang-format", "-i"] + sys.argv[1:], check=True)


if __name__ == "__main__":
    main()
