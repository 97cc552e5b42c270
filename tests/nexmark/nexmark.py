# SPDX-License-Identifier: Apache-2.0
"""The Nexmark queries of this folder, for the test (tests/prop/nexmark_test.py) and the benchmark (tests/bench/nexmark.py)."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = [f"q{i}" for i in range(24) if i != 6]
BASE_TIME = 1767225600000  # 2026-01-01 00:00:00 UTC


def text_of(name):
    with open(os.path.join(HERE, name + ".sql"), encoding="utf-8") as f:
        return f.read()


def generator(events, rate, rng="java", more=""):
    """WITH options of the generated stream."""
    return f"'connector' = 'nexmark', 'rng' = '{rng}', 'events.num' = '{events}', 'first-event.rate' = '{rate}', " \
           f"'next-event.rate' = '{rate}', 'base-time' = '{BASE_TIME}', 'seed' = '1'{more}"


def fill(text, **values):
    for key, value in values.items():
        text = text.replace("${%s}" % key, value)
    return text


def job(query, source, sink, side, out):
    """Everything to run one query into its sink: two scripts in one."""
    return fill(text_of("tables") + text_of(query), SOURCE=source, SINK=sink, SIDE=side, OUT=out)


def select(query):
    """The query without its sink."""
    text = text_of(query)
    text = re.sub(r"CREATE TABLE sink .*? WITH \(.*?\n?\);\n", "", text, count=1, flags=re.S)
    return text.replace("INSERT INTO sink\n", "")


def write_side(path):
    """The bounded side input of q13: 10,000 rows i,i."""
    with open(path, "w", encoding="ascii") as f:
        f.writelines(f"{i},{i}\n" for i in range(10000))
