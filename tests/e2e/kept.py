#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results are kept in the store: the same numbers, computed again only where their inputs changed."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

fathom = sys.argv[1]


def run(*arguments, check=True):
    done = subprocess.run([fathom, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if check and done.returncode != 0:
        sys.exit(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done


def criteria(store, *options):
    done = run("criteria", store, "--min-runtime", "0", "--format", "csv", *options)
    known = re.search(r"([\d,]+) known from before, ([\d,]+) computed", done.stderr)
    return done.stdout, tuple(int(n.replace(",", "")) for n in known.groups()) if known else None


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found}, wanted {wanted}")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    # Two days, two servers, a job on each server and day; samples every 60 s.
    rows = {1: [], 2: []}
    for day in (1, 2):
        for server in ("a", "b"):
            total = 0
            for minute in range(0, 181):
                total += (minute * 37 + day * 11 + (server == "b") * 5) % 1000 * 4096
                rows[day].append(f"{day * 86400 + minute * 60},{server},{total // 3},{total},{minute},{minute * 2}")
    head = "t,server,read_bytes,write_bytes,read_ops,write_ops\n"
    for day in (1, 2):
        (folder / f"day{day}.csv").write_text(head + "\n".join(rows[day]) + "\n")
    jobs = "".join(f"{day}{server},{day * 86400 + 600},{day * 86400 + 9000},u,n,1,{server}\n" for day in (1, 2) for server in "ab")
    (folder / "jobs.csv").write_text("job_id,start,end,user,name,nodes,servers\n" + jobs)
    store = folder / "store"
    run("ingest", store, folder / "day1.csv", folder / "day2.csv", folder / "jobs.csv")

    anew, known = criteria(store, "--no-keep")
    expect("nothing known before", known, None)
    first, known = criteria(store)
    expect("first run", (first, known), (anew, None))
    second, known = criteria(store)
    expect("second run computes nothing", known, (4, 0))
    expect("second run says the same", second, first)

    # Other settings have results of their own; both stay.
    other, known = criteria(store, "--threshold", "0,1K")
    expect("other thresholds are computed", known, None)
    expect("and then known", criteria(store, "--threshold", "0,1K"), (other, (4, 0)))
    expect("one of several", criteria(store, "--threshold", "1K")[1], (4, 0))
    expect("other link", criteria(store, "--link", "simple")[1], None)
    expect("the first ones still known", criteria(store), (first, (4, 0)))

    # A later sample of the second day changes that day's jobs only.
    (folder / "more.csv").write_text(head + f"{2 * 86400 + 181 * 60},a,{10**9},{10**9},500,900\n{2 * 86400 + 181 * 60},b,{10**9},{10**9},500,900\n")
    run("ingest", store, folder / "more.csv")
    after, known = criteria(store)
    expect("only the changed day is computed again", known, (2, 2))
    expect("with the right numbers", after, criteria(store, "--no-keep")[0])

    # A job beside another one changes what belongs to both.
    (folder / "beside.csv").write_text(f"job_id,start,end,user,name,nodes,servers\nnext,{86400 + 9010},{86400 + 9500},u,n,1,a\n")
    run("ingest", store, folder / "beside.csv")
    after, known = criteria(store)
    expect("the neighbour is computed again", known, (3, 2))
    expect("with the right numbers", after, criteria(store, "--no-keep")[0])
    run("check", store)

    # A store that cannot be written is read all the same.
    if os.geteuid() != 0:
        os.chmod(store, 0o555)
        done = run("criteria", store, "--min-runtime", "0", "--threshold", "5", "--format", "csv")
        expect("told that nothing was kept", "not kept" in done.stderr, True)
        os.chmod(store, 0o755)
    else:
        print("left out here: a store that cannot be written: root can write it all the same")
print("kept results: the same numbers, computed again only where inputs changed")
