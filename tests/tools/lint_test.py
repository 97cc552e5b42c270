#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checkers find what they are for: each case is a small file with one breach (or none)."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
import floors  # noqa: E402
import lint  # noqa: E402

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n/* An essay. */\n"
LINT = [  # path, text, rules expected
    ("src/sql/a.c", HEAD, []),
    ("src/sql/a.c", "/* An essay. */\n", ["spdx", "essay"]),
    ("src/sql/a.c", HEAD.split("\n")[0] + "\nint x;\n", ["essay"]),
    ("src/sql/a.c", HEAD + "int f(void) { return atoi(s); }\n", ["call"]),
    ("src/sql/a.c", HEAD + "int f(void) { return o->open(s) + o.read(s); }\n", []),
    ("src/sql/a.c", HEAD + "int f(void) { return open(s); }\n", ["call"]),
    ("src/os/a.c", HEAD + "int f(void) { return open(s); }\n", []),
    ("src/sql/a.c", HEAD + "static int\nclose(int x)\n{\n    return close(x);\n}\n", []),
    ("src/sql/a.c", HEAD + "/* malloc(3) */ const char *s = \"free(p)\";\n", []),
    ("src/vec/a.c", HEAD + "void f(void) { free(p); }\n", ["call"]),
    ("src/mem/a.c", HEAD + "void f(void) { free(p); }\n", []),
    ("src/mem/a.c", HEAD + "void f(void) { strcpy(p, q); }\n", ["call"]),
    ("src/sql/a.c", HEAD + "#include <pthread.h>\n", ["header"]),
    ("src/sql/a.c", HEAD + "_Thread_local int x;\n", ["atomic"]),
    ("src/expr/a.c", HEAD + "void f(void) { wr_os_mutex_lock(m); }\n", ["lock"]),
    ("src/runtime/a.c", HEAD + "void f(void) { wr_os_mutex_lock(m); }\n", []),
    ("src/sql/a.c", HEAD + "/* TO" + "DO: later */\n", ["todo"]),
    ("src/sql/a.c", HEAD + "/* TO" + "DO(#12): later */\n", []),
    ("src/sql/string_util.c", HEAD, ["name"]),
    ("src/sql/utility.c", HEAD, []),
    ("src/sql/a.c", HEAD + "int\nf(void)\n{\n" + "    x();\n" * 76 + "}\n", []),
    ("src/sql/a.c", HEAD + "int\nf(void)\n{\n" + "    x();\n" * 78 + "}\n", ["function-length"]),
    ("src/sql/a.h", HEAD + "int x;\n" * 400, ["file-length"]),
    ("src/sql/a.c", HEAD + "int x;\n" * 900, []),
    ("src/sql/a.c", HEAD + "/* see /ho" + "me/me/notes */\n", ["path"]),
]
FLOORS = [  # room, target, is it allowed?
    ("mem", "base/base.h", True),
    ("base", "mem/mem.h", False),
    ("mem", "os/os.h", False),
    ("mem", "mem/mem_int.h", True),
    ("types", "mem/mem_int.h", False),
    ("types", "mem.h", False),
    ("types", "nosuch/x.h", False),
    ("types", "base/nosuch.h", False),
    ("cli", "weir_build.h", True),
    ("sql", "weir_build.h", False),
]


def main():
    passed = failed = 0
    for path, text, want in LINT:
        lint.breaches.clear()
        lint.check_names_and_licence(path, text)
        lint.check_c(path, text)
        got = [b[0] for b in lint.breaches]
        if got == want:
            passed += 1
        else:
            failed += 1
            print(f"{path}: want {want}, got {lint.breaches}\n{text[-120:]}")
    rooms = floors.read_floors()
    for room, target, allowed in FLOORS:
        why = floors.check_include(rooms, room, target)
        if (why is None) == allowed:
            passed += 1
        else:
            failed += 1
            print(f"{room} including {target}: {why}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
