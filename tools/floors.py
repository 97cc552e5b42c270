#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes go down: checks every #include "..." under src/ against src/FLOORS.

A file of room R may include files of R itself and of rooms on lower floors, never another room's *_int.h. The room spi holds
headers and its registry only. Prints one line per breach and exits with 1 when there is any.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SRC = os.path.join(ROOT, "src")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
GENERATED = {"weir_build.h": {"runtime", "engine", "server", "cli"}, "weir.h": {"engine", "server", "cli"}}
SPI_SOURCES = {"checkpoint.c", "registry.c", "options.c", "metrics.c", "factory.c", "operator_defaults.c"}
SUFFIXES = (".c", ".h", ".def", ".inc")


def read_floors():
    floors = {}
    with open(os.path.join(SRC, "FLOORS"), encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].split()
            if line:
                floors[line[0]] = int(line[1])
    return floors


def check_include(floors, room, target):
    """The reason why a file of `room` may not include `target`, or None."""
    if target in GENERATED:
        return None if room in GENERATED[target] else f"only {sorted(GENERATED[target])} may include it"
    other, slash, rest = target.partition("/")
    if not slash:
        return f'write it as "{room}/{target}", from src/'
    if other not in floors:
        return f"there is no room '{other}' in src/FLOORS"
    if not os.path.exists(os.path.join(SRC, target)):
        return "no such file"
    if other == room:
        return None
    if rest.endswith("_int.h"):
        return f"is private to {other}"
    if floors[other] == floors[room]:
        return f"rooms of floor {floors[room]} do not see each other"
    if floors[other] > floors[room]:
        return f"goes up, from floor {floors[room]} to {floors[other]}"
    return None


def main():
    floors = read_floors()
    breaches = []
    for room in sorted(os.listdir(SRC)):
        top = os.path.join(SRC, room)
        if not os.path.isdir(top):
            continue
        if room not in floors:
            breaches.append(f"src/{room}: not in src/FLOORS")
            continue
        for folder, _, names in os.walk(top):
            for name in sorted(names):
                path = os.path.join(folder, name)
                shown = os.path.relpath(path, ROOT)
                if not name.endswith(SUFFIXES):
                    continue
                if room == "spi" and name.endswith(".c") and name not in SPI_SOURCES:
                    breaches.append(f"{shown}: spi holds headers and {sorted(SPI_SOURCES)} only")
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                for m in INCLUDE.finditer(text):
                    why = check_include(floors, room, m.group(1))
                    if why:
                        line = text.count("\n", 0, m.start(1)) + 1
                        breaches.append(f'{shown}:{line}: "{m.group(1)}": {why}')
    for b in breaches:
        print(b)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
