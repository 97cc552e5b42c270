#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/STYLE.md that a machine can check.

    tools/lint.py [--objects DIR] [--no-headers]

Each breach is "file:line: rule: what". tools/lint_allow.txt lists exceptions, each with a count and a reason; an entry that
is no longer needed, or allows more than there is, is itself a breach. --objects names a build folder (preset debug) whose
object files are searched for mutable globals; default build/debug if it is there.
"""
import argparse
import bisect
import concurrent.futures
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FUNCTION_LINES, FILE_LINES, HEADER_LINES, README_LINES = 80, 1000, 400, 130

# Calls that no file may make, and calls that belong to one room. A word counts as a call when "(" follows and neither "."
# nor "->" nor a word character stands before it.
NEVER = """strcpy strcat sprintf vsprintf strtok strtok_r gets atoi atol atoll atof rand srand random srandom drand48 alloca
 strdup strndup asprintf vasprintf localtime localtime_r gmtime gmtime_r mktime timegm ctime asctime strerror setjmp longjmp
 sigsetjmp siglongjmp system popen setlocale perror""".split()
MEM_ONLY = "malloc calloc realloc free aligned_alloc posix_memalign memalign reallocarray".split()
OS_ONLY = """time clock gettimeofday clock_gettime nanosleep usleep sleep open openat creat read pread write pwrite close
 lseek fsync fdatasync ftruncate rename unlink rmdir mkdir stat fstat lstat opendir readdir closedir fopen fdopen freopen
 fclose fread fwrite fgets fgetc getc getchar getline fputs fputc putc putchar puts printf fprintf vprintf vfprintf fflush
 fseek ftell mmap munmap madvise socket connect bind listen accept accept4 send recv poll epoll_create1 epoll_wait select
 eventfd pipe dup dup2 fork execve execv execvp execl execlp waitpid kill raise signal sigaction getpid gethostname getcwd
 chdir getenv setenv unsetenv putenv getrandom isatty ioctl tcgetattr tcsetattr exit _exit atexit sysconf
 getaddrinfo flock fcntl""".split()
BANNED = {w: None for w in NEVER}
BANNED.update({w: {"mem"} for w in MEM_ONLY})
BANNED.update({w: {"os"} for w in OS_ONLY})
for w in ("mmap", "munmap", "madvise"):
    BANNED[w] = {"os", "mem"}
for w in ("printf", "fprintf", "puts", "fputs", "putchar"):  # the command's own words on the console
    BANNED[w] = {"os", "cli"}
CALL = re.compile(r"(?<![\w.>])(" + "|".join(sorted(BANNED, key=len, reverse=True)) + r")\s*\(")
ARROW_CALL = re.compile(r"(?:->|\.)\s*$")
SYSTEM_HEADER = re.compile(
    r"^[ \t]*#\s*include\s*<(pthread\.h|unistd\.h|fcntl\.h|dirent\.h|signal\.h|time\.h|poll\.h|termios\.h|netdb\.h|sched\.h"
    r"|sys/[^>]+|netinet/[^>]+|arpa/[^>]+|threads\.h|stdatomic\.h|locale\.h)>", re.M)
RAW_ATOMIC = re.compile(r"\b(__atomic_\w+|__sync_\w+|_Atomic|_Thread_local|__thread)\b")
LOCKS = re.compile(r"\b(wr_os_mutex_\w+|wr_os_cond_\w+|wr_os_event_\w+|wr_os_thread_start)\s*\(")
LOCK_ROOMS = {"os", "mem", "state", "runtime", "store", "cluster", "server", "engine", "cli"}
TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?![^\n]{0,40}#\d+)")
BAD_STEMS = {"util", "utils", "misc", "common", "helper", "helpers"}
FOREIGN_PATH = re.compile("(?<![\\w.])/" + r"(work|home|root)/[\w.]")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

breaches = []  # (rule, path, line, text)


def breach(rule, path, line, text):
    breaches.append((rule, path, line, text))


def blank(m):
    """Comments and literals become spaces, so that lines and columns stay."""
    s = m.group(0)
    keep = s[0] if s[0] in "\"'" else " "
    return keep + re.sub(r"[^\n]", " ", s[1:-1]) + keep


class Lines:
    def __init__(self, text):
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]

    def of(self, offset):
        return bisect.bisect_right(self.starts, offset)


def tracked_files():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                         text=True).stdout
    return sorted(p for p in set(out.splitlines()) if os.path.isfile(os.path.join(ROOT, p)))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
        return f.read()


# ---- rules for all files -----------------------------------------------------------------------------------------

def check_names_and_licence(path, text):
    stem = os.path.basename(path).split(".")[0]
    if BAD_STEMS & set(re.split(r"[_\-]", stem.lower())):
        breach("name", path, 1, f"'{stem}' says nothing: split by topic")
    if path.endswith((".c", ".h", ".def", ".py", ".sh", ".cmake", "CMakeLists.txt")) or path in ("dev", ".ci/run"):
        head = text.split("\n", 2)
        first = head[1] if head[0].startswith("#!") and len(head) > 1 else head[0]
        if "SPDX-License-Identifier: Apache-2.0" not in first:
            breach("spdx", path, 1, "the first line is not the SPDX line")
        if path.endswith((".c", ".h")) and (len(head) < 2 or not head[1].startswith("/*")):
            breach("essay", path, 2, "no head comment: what is it, the idea, ownership, threads")
    if not path.startswith("tools/lint"):
        lines = Lines(text)
        for m in TODO.finditer(text):
            if path.endswith((".c", ".h", ".def", ".py", ".sh")):
                breach("todo", path, lines.of(m.start()), f"{m.group(1)} without an issue (#n)")
        for m in FOREIGN_PATH.finditer(text):
            breach("path", path, lines.of(m.start()), "a path of somebody's machine")


# ---- rules for C --------------------------------------------------------------------------------------------------

def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def check_calls(path, code, lines):
    room = room_of(path)
    own = set(re.findall(r"^(?:static [\w *]*?)?(\w+)\(", code, re.M))  # functions that are defined here
    for m in CALL.finditer(code):
        word, rooms = m.group(1), BANNED[m.group(1)]
        if (rooms and room in rooms) or (room == "base" and word == "fprintf"):
            continue
        if word in own or ARROW_CALL.search(code, max(0, m.start() - 4), m.start()):
            continue
        where = f"only in {'/, '.join(sorted(rooms))}/" if rooms else "nowhere"
        breach("call", path, lines.of(m.start()), f"{word}() is called {where}")
    if room not in ("os", "mem"):
        for m in SYSTEM_HEADER.finditer(code):
            breach("header", path, lines.of(m.start()), f"<{m.group(1)}> belongs to os/")
        for m in RAW_ATOMIC.finditer(code):
            breach("atomic", path, lines.of(m.start()), f"{m.group(1)}: use the wrappers of os/os.h")
    if room not in LOCK_ROOMS and path != "src/spi/registry.c":
        m = LOCKS.search(code)
        if m:  # one breach a file
            breach("lock", path, lines.of(m.start()), f"{m.group(1)}() in a room without threads")


def check_lengths(path, text, code):
    count = text.count("\n")
    limit = HEADER_LINES if path.endswith(".h") else FILE_LINES
    if count > limit:
        breach("file-length", path, count, f"{count} lines, limit {limit}")
    start, name = 0, ""
    rows = code.split("\n")
    for i, row in enumerate(rows):
        if row == "{" and not start:
            j = i - 1
            while j > 0 and not re.match(r"\w", rows[j]):
                j -= 1
            start, name = j + 1, re.match(r"\w*", rows[j]).group(0)
        elif row.startswith("}") and start:
            if i + 2 - start > FUNCTION_LINES:
                breach("function-length", path, start, f"{name}: {i + 2 - start} lines, limit {FUNCTION_LINES}")
            start = 0


def check_c(path, text):
    code = TOKEN.sub(blank, text)
    # includes of <...> survive blanking; "..." ones do not matter here
    lines = Lines(text)
    if path.startswith("src/"):
        check_calls(path, code, lines)
    check_lengths(path, text, code)


# ---- rooms ----------------------------------------------------------------------------------------------------------

def check_rooms(files):
    for room in sorted({room_of(p) for p in files if room_of(p) and p.endswith(".c")}):
        readme = f"src/{room}/README.md"
        if readme not in files:
            breach("readme", readme, 1, "the room has no README.md")
        elif read(readme).count("\n") > README_LINES:
            breach("readme", readme, 1, f"longer than two pages ({README_LINES} lines)")


# ---- headers compile alone --------------------------------------------------------------------------------------------

def compile_header(path):
    cmd = [os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wstrict-prototypes", "-Werror",
           "-fsyntax-only", "-I", os.path.join(ROOT, "src"), "-I", os.path.join(ROOT, "include"), "-I",
           os.path.join(ROOT, "tests"), "-x", "c", "-"]
    # a function declared static in a header for many users is no breach here
    run = subprocess.run(cmd, input=f'#include "{os.path.join(ROOT, path)}"\nextern int lint_dummy;\n', text=True,
                         capture_output=True, cwd=ROOT)
    return path, run.returncode, (run.stdout + run.stderr).strip()


def check_headers(files):
    headers = [p for p in files if p.endswith(".h") and p.startswith(("src/", "include/")) and not p.endswith(".tmpl.h")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for path, rc, out in pool.map(compile_header, headers):
            if rc:
                breach("alone", path, 1, "does not compile alone: " + out.split("\n")[0][-160:])


# ---- mutable globals ----------------------------------------------------------------------------------------------------

OBJECT = re.compile(r"/CMakeFiles/[^/]+\.dir/(src/[^:]*\.c)\.o")
SYMBOL = re.compile(r"^[0-9a-f]+ .{7} (\.data|\.bss|\.tbss|\.tdata|\*COM\*)(\S*)\s+([0-9a-f]+)\s+(?:\.hidden )?(\S+)$")


def objects_of(build):
    for folder, _, names in os.walk(build):
        for n in names:
            path = os.path.join(folder, n)
            m = OBJECT.search(path)
            if m and os.path.exists(os.path.join(ROOT, m.group(1))):
                yield path, m.group(1)


def check_globals(build):
    objects = dict(objects_of(build))
    if not objects:
        return
    names = list(objects)
    seen = set()
    for i in range(0, len(names), 200):
        out = subprocess.run(["objdump", "-t"] + names[i:i + 200], capture_output=True, text=True).stdout
        source = None
        for line in out.split("\n"):
            if ":     file format" in line:
                source = objects.get(line.split(":     file format")[0])
                continue
            m = SYMBOL.match(line)
            if not m or not source or m.group(2).startswith(".rel.ro") or int(m.group(3), 16) == 0:
                continue
            name = m.group(4)
            if name.startswith((".", "__")):
                continue
            room = room_of(source)
            if room == "os" or source.startswith("src/spi/registry"):
                continue
            if (source, name) not in seen:
                seen.add((source, name))
                breach("global", source, 1, f"'{name}' is a mutable global")


# ---- exceptions ---------------------------------------------------------------------------------------------------------

def apply_allow_list():
    """Lines of lint_allow.txt: <rule> <path> <count> <reason>."""
    path = "tools/lint_allow.txt"
    left = list(breaches)
    if not os.path.exists(os.path.join(ROOT, path)):
        return left
    for number, line in enumerate(read(path).split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split(None, 3)
        if len(parts) < 4 or not parts[2].isdigit():
            left.append(("allow", path, number, "wants: rule path count reason"))
            continue
        rule, target, count = parts[0], parts[1], int(parts[2])
        if rule == "global" and not check_globals.ran:
            continue
        hits = [b for b in breaches if b[0] == rule and b[1] == target]
        if len(hits) < count:
            left.append(("allow", path, number, f"allows {count} of {rule} in {target}, there are {len(hits)}"))
        if len(hits) <= count:
            left = [b for b in left if b not in hits]
    return left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objects", metavar="DIR")
    parser.add_argument("--no-headers", action="store_true")
    args = parser.parse_args()
    files = tracked_files()
    for path in files:
        if path.startswith("tests/") and not path.endswith((".c", ".h", ".py", ".sh", ".txt")):
            continue  # data
        text = read(path)
        check_names_and_licence(path, text)
        if text.startswith("#!") and not os.access(os.path.join(ROOT, path), os.X_OK):
            breach("executable", path, 1, "begins with #! but cannot be run: chmod +x")
        if path.endswith((".c", ".h")):
            check_c(path, text)
    check_rooms(set(files))
    if not args.no_headers:
        check_headers(files)
    build = args.objects or os.path.join(ROOT, "build/debug")
    check_globals.ran = os.path.isdir(build)
    if check_globals.ran:
        check_globals(os.path.join(ROOT, build))
    left = apply_allow_list()
    for rule, path, line, text in sorted(left, key=lambda b: (b[1], b[2])):
        print(f"{path}:{line}: {rule}: {text}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
