# SPDX-License-Identifier: Apache-2.0
"""The questions of docs/queries.md, by an engine that knows nothing of Fathom; some of their answers against the command line."""
import math
import re

from fathom_e2e import *

page = (project / "docs/queries.md").read_text()
questions = re.findall(r"^## (\d+)\. (.*?)$.*?```sql\n(.*?)```", page, re.M | re.S)
expect_equal([int(number) for number, _, _ in questions], list(range(1, 11)), "questions of the page")


def ask(folder, sql):
    done = subprocess.run([parquet_query, sql.strip().rstrip(";")], capture_output=True, text=True, timeout=120, cwd=folder)
    expect_equal(done.returncode, 0, f"{sql}\n{done.stderr[-2000:]}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def close(found, wanted, what):
    expect(math.isclose(float(found), float(wanted), rel_tol=1e-9), f"{what}: expected {wanted}, found {found}")


with scratch() as folder:
    machine, shared = folder / "machine", folder / "shared"
    for each in (machine, shared):
        each.mkdir()
    run("synth", "jugene", "--into", machine / "store", "--days", 0.2)
    run("criteria", machine / "store", "--min-runtime", 0, "--format", "csv", "-o", folder / "criteria.csv")
    run("synth", "spider", "--into", shared / "store", "--days", 2)
    run("mine", shared / "store")
    answers = {}
    for number, title, sql in questions:
        answers[int(number)] = ask(shared if int(number) >= 9 else machine, sql)
        # A small machine may have no pattern that is valid, and all of its requests may be large; what else is asked has an answer.
        expect(answers[int(number)] or int(number) in (7, 9), f"question {number} ({title}) has no answer")
    info = json.loads(run("info", machine / "store", "--format", "json").stdout)
    close(sum(float(row["read_tb"] or 0) for row in answers[1]) * 1e12, info["read_bytes"], "bytes read, day by day")
    criteria = list(csv.DictReader(open(folder / "criteria.csv")))
    expect_equal(sum(int(row["jobs"]) for row in answers[6]), len(criteria), "jobs in tenths")
    close(sum(float(row["share"]) for row in answers[6]), 1, "shares of the tenths")
    known = list(csv.DictReader(io.StringIO(run("apps", shared / "store", "--state", "validated", "--format", "csv").stdout)))
    expect_equal({(row["user_name"], row["name"]) for row in answers[9]}, {(row["user"], row["name"]) for row in known}, "applications with a rhythm")
    say("ten questions in plain SQL; " + ", ".join(f"{number}: {len(rows)} rows" for number, rows in answers.items()))
