#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The interactive shell on a pseudo-terminal, seen through a small terminal of our own: editing, history, completion, result
modes, Ctrl-C and Ctrl-D, the status line.

    tests/prop/shell_test.py [BINARY] [WORD]"""
import fcntl, os, pty, re, select, shutil, signal, struct, sys, tempfile, termios, time, unicodedata

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEIR = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else
                       os.path.join(os.environ.get("WR_BUILD_RELEASE", os.path.join(ROOT, "build", "release")), "weir"))
WORD = sys.argv[2] if len(sys.argv) > 2 else ""
SLOW = 20  # seconds before a wait fails


class Screen:
    """Enough of a VT100: text with wide characters, cursor moves, erasing, the alternate screen."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.other = None
        self.rest = ""
        self.clear()

    def clear(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        self.y = self.x = 0
        self.pending = False

    def newline(self):
        self.pending = False
        if self.y == self.rows - 1:
            self.cells.append([" "] * self.columns)
            del self.cells[0]
        else:
            self.y += 1

    def put(self, c):
        if unicodedata.combining(c):
            return
        w = 2 if unicodedata.east_asian_width(c) in "WF" else 1
        if self.pending or self.x + w > self.columns:
            self.x = 0
            self.newline()
        self.cells[self.y][self.x] = c
        if w == 2:
            self.cells[self.y][self.x + 1] = ""
        self.x += w
        if self.x >= self.columns:
            self.x, self.pending = self.columns - 1, True

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        i = 0
        while i < len(text):
            c = text[i]
            if c == "\x1b":
                m = re.match(r"\x1b\[([?\d;]*)([@-~])", text[i:])
                if not m:
                    if len(text) - i < 24:
                        self.rest = text[i:]
                        return
                    i += 1
                    continue
                self.sequence(m.group(1), m.group(2))
                i += m.end()
                continue
            if c == "\r":
                self.x, self.pending = 0, False
            elif c == "\n":
                self.newline()
            elif c >= " ":
                self.put(c)
            i += 1

    def sequence(self, args, final):
        n = int(args) if args.isdigit() else 1
        self.pending = self.pending and final in "mhl"
        if final == "A":
            self.y = max(0, self.y - n)
        elif final == "B":
            self.y = min(self.rows - 1, self.y + n)
        elif final == "C":
            self.x = min(self.columns - 1, self.x + n)
        elif final == "D":
            self.x = max(0, self.x - n)
        elif final == "H":
            self.y = self.x = 0
        elif final == "K":
            self.cells[self.y][self.x:] = [" "] * (self.columns - self.x)
        elif final == "J" and args == "2":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
        elif final == "J":
            self.cells[self.y][self.x:] = [" "] * (self.columns - self.x)
            for y in range(self.y + 1, self.rows):
                self.cells[y] = [" "] * self.columns
        elif final == "h" and args == "?1049":
            self.other = (self.cells, self.y, self.x)
            self.clear()
        elif final == "l" and args == "?1049" and self.other:
            self.cells, self.y, self.x = self.other

    def lines(self):
        return ["".join(r).rstrip() for r in self.cells]

    def text(self):
        return "\n".join(self.lines()).rstrip()


class Shell:
    def __init__(self, *args, columns=80, rows=24, home=None, wait="weir>"):
        self.screen = Screen(columns, rows)
        self.home = home or tempfile.mkdtemp()
        self.raw = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(self.home)
            os.environ.update(HOME=self.home, TERM="xterm", ASAN_OPTIONS="detect_leaks=1")
            os.environ.pop("NO_COLOR", None)
            os.execv(WEIR, [WEIR, *args])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if wait:
            self.wait(lambda: self.screen.lines()[self.screen.y].startswith(wait))

    def pump(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.raw += data.decode("utf-8", "replace")
        self.screen.feed(data.decode("utf-8", "replace"))
        return bool(data)

    def wait(self, test):
        end = time.time() + SLOW
        while not test():
            if time.time() > end:
                raise AssertionError("waited in vain; the screen is\n" + self.screen.text())
            self.pump(0.05)
        while self.pump(0.05):
            pass
        return self

    def see(self, text):
        return self.wait(lambda: text in self.screen.text())

    def send(self, keys):
        os.write(self.fd, keys.encode())
        return self

    def line(self):
        return self.screen.lines()[self.screen.y]

    def prompt(self):
        """Wait for an empty prompt."""
        return self.wait(lambda: self.line() == "weir>" and self.screen.x == 6)

    def type(self, keys, line):
        """Keys, and what the line with the cursor must be then."""
        self.send(keys)
        return self.wait(lambda: self.line() == line)

    def run(self, statement, *seen):
        self.prompt().send(statement + "\r")
        for s in seen:
            self.see(s)
        return self.prompt()

    def leave(self):
        self.prompt().send("\x04")
        return self.code()

    def code(self):
        end = time.time() + SLOW
        while time.time() < end:
            self.pump(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError("it does not end; the screen is\n" + self.screen.text())


def equal(got, wanted):
    assert got == wanted, f"wanted {wanted!r}, got {got!r}"


TESTS = []


def test(f):
    TESTS.append(f)
    return f


@test
def a_statement_is_run_and_ctrl_d_leaves():
    s = Shell()
    s.run("SELECT 1 AS a, 'x' AS b;", "| +I |           1 |")
    equal(s.leave(), 0)


@test
def quit_and_exit_leave():
    for word in ("QUIT;", "exit", "\\q"):
        s = Shell()
        s.prompt().send(word + "\r")
        equal(s.code(), 0)


@test
def a_statement_spans_lines():
    s = Shell()
    s.prompt().send("SELECT\r").wait(lambda: s.line() == "   ->")
    s.send("42 AS answer\r").wait(lambda: s.line() == "   ->")
    s.send(";\r").see("answer")
    s.see("| +I |          42 |")
    equal(s.leave(), 0)


@test
def a_semicolon_in_a_string_ends_nothing():
    s = Shell()
    s.prompt().send("SELECT 'a;\r").wait(lambda: s.line() == "   ->")
    s.send("b';\r").see("Received a total of 1 row")
    equal(s.leave(), 0)


@test
def cursor_keys_words_and_kill():
    s = Shell()
    s.prompt()
    s.type("SELECT one two", "weir> SELECT one two")
    s.type("\x1b[D\x1b[D\x1b[DX", "weir> SELECT one Xtwo")
    s.type("\x1b[H<\x1b[F>", "weir> <SELECT one Xtwo>")
    s.type("\x17", "weir> <SELECT one")                      # Ctrl-W: the word before
    s.type("\x19", "weir> <SELECT one Xtwo>")                # Ctrl-Y
    s.type("\x1bb\x1bb|", "weir> <SELECT |one Xtwo>")        # Alt-B twice
    s.type("\x0b", "weir> <SELECT |")                        # Ctrl-K
    s.type("\x15", "weir>")                                  # Ctrl-U
    s.type("abc\x1b[D\x1b[D\x1b[3~", "weir> ac")             # Delete
    s.type("\x7f\x7f\x1b[C\x7f", "weir>")
    equal(s.leave(), 0)


@test
def transpose_and_word_moves_with_ctrl_arrows():
    s = Shell()
    s.prompt()
    s.type("ab\x14", "weir> ba")
    s.type(" cd ef\x1b[1;5D\x1b[1;5D_", "weir> ba _cd ef")
    s.type("\x1b[1;5C+", "weir> ba _cd+ ef")
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def wide_characters_and_combining_marks():
    s = Shell()
    s.prompt()
    s.type("SELECT '日本語é' x", "weir> SELECT '日本語é' x")
    s.wait(lambda: s.screen.x == 6 + len("SELECT '") + 6 + len("é' x"))
    s.type("\x1b[D" * 4 + "\x7f\x7f", "weir> SELECT '日é' x")
    s.send("\x05;\r").see("日é")
    equal(s.leave(), 0)


@test
def a_long_line_wraps_and_the_cursor_goes_through_it():
    s = Shell(columns=40)
    s.prompt()
    text = "SELECT " + "1234567890" * 6
    s.send(text).wait(lambda: s.screen.text().replace("\n", "").endswith(text))
    s.send("\x01X").wait(lambda: "weir> XSELECT" in s.screen.text())
    s.send("\x05Y").wait(lambda: s.line().endswith("Y"))
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def a_line_of_exactly_the_width():
    s = Shell(columns=40)
    s.prompt()
    s.send("x" * 34).wait(lambda: "x" * 34 in s.screen.text())
    s.send("y").wait(lambda: s.line() == "y")
    s.send("\x7f\x7fz").wait(lambda: "x" * 33 + "z" in s.screen.text())
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def more_lines_than_the_screen_has():
    s = Shell(rows=8)
    s.prompt()
    s.send("SELECT\r").wait(lambda: s.line() == "   ->")
    for i in range(12):
        s.send(f"1 + -- line {i}\r").wait(lambda: s.line() == "   ->")
    s.send("\x1b[A" * 13).see("weir> SELECT")
    s.send("\x1b[B" * 13 + "7 AS n;\r").see("|          19 |")
    equal(s.leave(), 0)


@test
def pasted_text_is_text():
    s = Shell()
    s.prompt().send("\x1b[200~SELECT 1 AS a,\n\t2 AS b;\nSELECT 3 AS c;\x1b[201~")
    s.wait(lambda: s.line() == "   -> SELECT 3 AS c;")
    s.send("\r").see("|           3 |")
    assert "|           2 |" in s.screen.text()
    equal(s.leave(), 0)


@test
def the_history_is_kept_searched_and_bounded():
    home = tempfile.mkdtemp()
    s = Shell(home=home)
    s.run("SELECT 'first' AS a;", "first")
    s.run("SELECT 'second\\n' AS b,\r  2;", "Received a total of 1 row")
    s.run(" SELECT 'secret';", "secret")
    equal(s.leave(), 0)
    lines = open(os.path.join(home, ".weir_history")).read().splitlines()
    equal(os.stat(os.path.join(home, ".weir_history")).st_mode & 0o777, 0o600)
    equal(lines, ["SELECT 'first' AS a;", "SELECT 'second\\\\n' AS b,\\n  2;"])
    s = Shell(home=home)
    s.prompt().send("\x1b[A").wait(lambda: s.line() == "   ->   2;")
    s.send("\x1b[A\x1b[A").wait(lambda: s.line() == "weir> SELECT 'first' AS a;")
    s.send("\x1b[B").wait(lambda: "second" in s.screen.text())
    s.send("\x03").prompt()
    s.send("\x12fir").wait(lambda: "(search 'fir') SELECT 'first' AS a;" in s.line())
    s.send("\r").see("first")
    equal(s.leave(), 0)
    with open(os.path.join(home, ".weir_history"), "w") as f:
        f.writelines(f"SELECT {i};\n" for i in range(3000))
    equal(Shell(home=home).leave(), 0)
    equal(len(open(os.path.join(home, ".weir_history")).readlines()), 1000)


@test
def ctrl_c_clears_the_line_and_cancels_a_query():
    s = Shell()
    s.prompt().send("SELECT rubbish\x03").prompt()
    s.run("CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '20');", "succeeded")
    s.send("SELECT a FROM t;\r").see("| +I |")
    time.sleep(0.3)
    s.send("\x03").see("Query terminated, received a total of")
    s.run("SELECT 5 AS five;", "|           5 |")
    equal(s.leave(), 0)


@test
def completion_of_keywords_tables_columns_functions():
    s = Shell()
    s.run("CREATE TABLE shipments (parcel_id INT, parcel_weight INT, town STRING) WITH ('connector' = 'datagen');", "succeeded")
    s.prompt()
    s.type("selec\t", "weir> select")
    s.type("\x15SELECT * FROM shi\t", "weir> SELECT * FROM shipments")
    s.type("\x15SELECT  FROM shipments\x01" + "\x1b[C" * 7 + "tow\t", "weir> SELECT town  FROM shipments")
    s.type("\x05\x15SELECT s.par FROM shipments AS s\x01" + "\x1b[C" * 12 + "\t", "weir> SELECT s.parcel_ FROM shipments AS s")
    s.send("\t").see("parcel_id")
    s.see("parcel_weight")
    s.type("\x05\x15SELECT char_le\t", "weir> SELECT char_length(")
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def completion_of_options_values_and_files():
    s = Shell()
    open(os.path.join(s.home, "towns.csv"), "w").write("a\n1\n")
    s.prompt()
    s.type("CREATE TABLE t (a INT) WITH ('conn\t", "weir> CREATE TABLE t (a INT) WITH ('connector'")
    s.type(" = 'datag\t", "weir> CREATE TABLE t (a INT) WITH ('connector' = 'datagen'")
    s.type(", 'rows\t", "weir> CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows-per-second'")
    s.type("\x15SET 'execution.runt\t", "weir> SET 'execution.runtime-mode'")
    s.type(" = 'BA\t", "weir> SET 'execution.runtime-mode' = 'BATCH'")
    s.type("\x15SELECT * FROM 'tow\t", "weir> SELECT * FROM 'towns.csv'")
    s.type("\x15\\ti\t", "weir> \\timing")
    s.type("\x15\\mode ver\t", "weir> \\mode vertical")
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def keywords_are_coloured():
    s = Shell()
    s.prompt()
    s.raw = ""
    s.type("SELECT 'a', 1", "weir> SELECT 'a', 1")
    assert "\x1b[1;34mSELECT\x1b[0m" in s.raw and "\x1b[32m'a'\x1b[0m" in s.raw, repr(s.raw[-300:])
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def backslash_commands():
    s = Shell(rows=40)
    s.run("CREATE TABLE boats (a INT, b STRING) WITH ('connector' = 'datagen');", "succeeded")
    s.run("\\dt", "boats")
    s.run("\\d boats", "STRING")
    s.run("\\dj", "Empty set")
    s.run("\\timing off", "Timing is off.")
    s.run("SELECT 1 AS a;", "Received a total of 1 row\n")
    s.run("\\timing", "Timing is on.")
    s.run("SELECT 1 AS a;", "Received a total of 1 row (0.")
    s.run("\\mode jsonl")
    s.run("SELECT 1 AS a, 'x' AS b;", '{"op":"+I","a":1,"b":"x"}')
    s.run("\\mode", "The mode is jsonl.")
    s.run("\\mode nonsense", "The modes are:")
    s.run("\\o out.txt")
    s.run("SELECT 2 AS two;")
    s.run("\\o")
    equal(open(os.path.join(s.home, "out.txt")).read(), '{"op":"+I","two":2}\n')
    open(os.path.join(s.home, "script.sql"), "w").write("SELECT 3 AS three;\n")
    s.run("\\i script.sql", '{"op":"+I","three":3}')
    s.run("\\?", "\\watch [SECONDS]")
    s.run("\\nonsense", "There is no such command")
    equal(s.leave(), 0)


@test
def ctrl_l_wipes_the_screen():
    s = Shell()
    s.run("SELECT 1 AS a;", "|           1 |")
    s.send("abc\x0c").wait(lambda: s.screen.lines()[0] == "weir> abc" and s.screen.text() == "weir> abc")
    s.send("\x03").prompt()
    s.run("HELP;", "Ctrl-R searches the history")
    equal(s.leave(), 0)


@test
def watch_repeats_until_ctrl_c():
    s = Shell()
    s.run("\\mode csv")
    s.run("SELECT 6 AS n;", "+I,6")
    s.prompt().send("\\watch 1\r").wait(lambda: s.raw.count("+I,6") >= 3)
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def the_table_view_pages_and_updates():
    s = Shell(rows=12)
    s.run("SET 'sql-client.execution.result-mode' = 'table';", "succeeded")
    s.prompt().send("SELECT x, x * x AS square FROM UNNEST(ARRAY[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) AS t(x);\r")
    s.see("page 2 of 2").see("finished").see("144")
    s.send("P").see("page 1 of 2").see("square")
    assert "144" not in s.screen.text()
    s.send("L").see("page 2 of 2")
    s.send("G1\r").see("page 1 of 2")
    s.send("O").see("square: 1")
    s.send("Q").see("page 1 of 2")
    s.send("Q").prompt()
    equal(s.leave(), 0)


@test
def the_views_follow_a_running_query():
    s = Shell()
    s.run("CREATE TABLE t (a INT, b INT) WITH ('connector' = 'datagen', 'rows-per-second' = '50', 'fields.b.min' = '1', "
          "'fields.b.max' = '2');", "succeeded")
    s.run("\\mode table")
    s.prompt().send("SELECT b, COUNT(*) AS n FROM t GROUP BY b;\r").see("running").see("2 rows")
    s.send("Q").prompt()
    s.run("\\mode changelog")
    s.prompt().send("SELECT b, COUNT(*) AS n FROM t GROUP BY b;\r").see("running").see("+U").see("-U")
    s.send("\x03").prompt()
    equal(s.leave(), 0)


@test
def an_error_in_a_view_gives_the_screen_back():
    s = Shell()
    s.run("CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '5', 'fields.a.kind' = 'sequence', "
          "'fields.a.start' = '1', 'fields.a.end' = '9');", "succeeded")
    s.run("\\mode table")
    s.prompt().send("SELECT 100 / (a - 6) AS q FROM t;\r").see("running")
    s.see("ERROR").prompt()
    assert "SQL query result" not in s.screen.text()
    s.run("\\mode tableau")
    s.run("SELECT 1 AS a;", "|           1 |")
    equal(s.leave(), 0)


@test
def an_error_is_shown_and_the_shell_goes_on():
    s = Shell()
    s.run("SELECT nonsense;", "ERROR 42703", "weir>")
    s.run("SELECT 1 AS a;", "|           1 |")
    equal(s.leave(), 0)


@test
def sigterm_ends_the_shell():
    s = Shell()
    s.prompt()
    os.kill(s.pid, signal.SIGTERM)
    equal(s.code(), 130)


@test
def the_idle_shell_is_small():
    s = Shell()
    s.run("SELECT 1 AS a;", "|           1 |")
    rss = next(int(x.split()[1]) for x in open(f"/proc/{s.pid}/status") if x.startswith("VmRSS"))
    maps = open(f"/proc/{s.pid}/maps").read()
    equal(s.leave(), 0)
    assert "asan" in maps or rss < 20000, f"{rss} kB"


@test
def the_status_line_of_endless_work():
    sql = ("CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100'); "
           "CREATE TABLE b (a INT) WITH ('connector' = 'blackhole'); INSERT INTO b SELECT a FROM t;")
    s = Shell("-c", sql, wait=None)
    s.see("rows in").see("/s)")
    s.send("\x03")
    equal(s.code(), 130)
    s = Shell("--quiet", "-c", sql, wait=None)
    s.see("Job ID")
    time.sleep(1)
    s.send("\x03")
    equal(s.code(), 130)
    assert "rows in" not in s.raw, s.raw


def main():
    passed = failed = 0
    tempfile.tempdir = tempfile.mkdtemp(prefix="weir-shell-")  # of all that the tests make; it stays when one fails
    for t in TESTS:
        if WORD not in t.__name__:
            continue
        try:
            t()
            passed += 1
        except (AssertionError, OSError) as e:
            failed += 1
            print(f"FAILED {t.__name__}: {e}")
    if failed:
        print(f"their folders are in {tempfile.tempdir}")
    else:
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
