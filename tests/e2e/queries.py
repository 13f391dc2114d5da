# SPDX-License-Identifier: Apache-2.0
"""The questions of docs/queries.md, by an engine that knows nothing of Fathom; some of their answers against the command line."""
import math
import re

from fathom_e2e import *

page = (project / "docs/queries.md").read_text()
questions = re.findall(r"^## (\d+)\. (.*?)$.*?```sql\n(.*?)```", page, re.M | re.S)
of_readme = re.search(r"```sql\n(.*?)```", (project / "README.md").read_text(), re.S)[1]
expect_equal([int(number) for number, _, _ in questions], list(range(1, 11)), "questions of the page")


def ask(folder, sql):
    done = subprocess.run([parquet_query, sql.strip().rstrip(";")], capture_output=True, text=True, timeout=120, cwd=folder)
    expect_equal(done.returncode, 0, f"{sql}\n{done.stderr[-2000:]}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def each_byte_once(folder, what, by_filesystem=True):
    """Questions 1 to 3 and the README's, without their limits, add up to what `fathom info` says."""
    told = info(folder / "store")
    moved = told["read_bytes"] + told["write_bytes"]
    whole = {int(number): ask(folder, re.sub(r"LIMIT \d+", "", sql)) for number, _, sql in questions if int(number) <= 3}
    for name, column, scale in (("read_bytes", "read_tb", 1e12), ("write_bytes", "written_tb", 1e12)):
        close(sum(float(row[column] or 0) for row in whole[1]) * scale, told[name], f"{what}: {name}, day by day")
    close(sum(float(row["bytes"]) for row in whole[2]), moved, f"{what}: bytes of the servers")
    expect_equal(len(whole[2]), told["servers"], f"{what}: servers")
    close(sum(float(row["read_per_second"]) + float(row["written_per_second"]) for row in whole[3]) * 600, moved, f"{what}: bytes in slots")
    if by_filesystem:
        rows = ask(folder, re.sub(r"LIMIT \d+", "", of_readme))
        close(sum(float(row["read_bytes"] or 0) + float(row["write_bytes"] or 0) for row in rows), moved, f"{what}: the README's query")


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
    each_byte_once(machine, "jugene")
    # Harbour counts for each job too; of the servers below one counts its file systems, their total and a job, one a total and a job, one a job alone.
    tagged, mixed = folder / "tagged", folder / "mixed"
    run("synth", "harbour", "--into", tagged / "store", "--days", 0.1)
    expect(int(ask(tagged, "SELECT count(*) AS n FROM 'store/increments/*/*.parquet' WHERE job IS NOT NULL")[0]["n"]) > 1000, "harbour has rows of jobs")
    each_byte_once(tagged, "harbour")
    mixed.mkdir()
    series = (("a", "home", "", 1), ("a", "work", "", 10), ("a", "", "", 11), ("a", "work", "7", 10), ("b", "", "", 100), ("b", "", "7", 90), ("c", "", "7", 1000))
    (mixed / "counters.csv").write_text("t,server,filesystem,job,read_bytes,write_bytes\n" + "".join(f"{t},{server},{filesystem},{job},{n * t},{2 * n * t}\n" for t in (1000, 1010) for server, filesystem, job, n in series))
    ingest(mixed / "store", mixed / "counters.csv")
    # 1 + 10, 100 and 1000 bytes a second, for 10 s; twice as much is written.
    expect_equal((info(mixed / "store")["read_bytes"], info(mixed / "store")["write_bytes"]), (11110, 22220), "bytes of servers that count in several ways")
    each_byte_once(mixed, "servers that count in several ways", by_filesystem=False)
    # Other criteria that are kept beside the usual ones are rows of their own.
    run("criteria", machine / "store", "--min-runtime", 0, "--small", "4M")
    run("criteria", machine / "store", "--min-runtime", 0, "--filesystem", "work")
    for number, title, sql in questions:
        if 6 <= int(number) <= 8:
            expect_equal(len(ask(machine, sql)), len(answers[int(number)]), f"rows of question {number} ({title}) beside other criteria")
    jobs = [row["job_id"] for row in ask(machine, re.sub(r"LIMIT \d+", "", questions[7][2]))]
    expect_equal(len(jobs), len(set(jobs)), "jobs of question 8, each once")
    criteria = list(csv.DictReader(open(folder / "criteria.csv")))
    expect_equal(sum(int(row["jobs"]) for row in answers[6]), len(criteria), "jobs in tenths")
    close(sum(float(row["share"]) for row in answers[6]), 1, "shares of the tenths")
    known = list(csv.DictReader(io.StringIO(run("apps", shared / "store", "--state", "validated", "--format", "csv").stdout)))
    expect_equal({(row["user_name"], row["name"]) for row in answers[9]}, {(row["user"], row["name"]) for row in known}, "applications with a rhythm")
    say("ten questions in plain SQL; " + ", ".join(f"{number}: {len(rows)} rows" for number, rows in answers.items()))
