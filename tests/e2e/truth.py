# SPDX-License-Identifier: Apache-2.0
"""The store holds exactly what a synthetic machine's truth says can be known, in all and series by series."""
import re

from fathom_e2e import *

COUNTED = ["increments", "servers", "filesystems", "jobs", "resets", "resets_inferred", "wraps", "gaps", "duplicates", "rejected", "left_out"]
REPAIRS = {"resets?": "resets", "resets? inferred": "resets_inferred", "wraps?": "wraps", "gaps?": "gaps", "unmounts?": "unmounts", "expired job (entry|entries)": "expiries"}


def compare_totals(store, logs, name):
    facts = info(store)
    for row in read_csv(logs / "truth" / "totals.csv"):
        expect_equal(facts[row["counter"]], int(row["recoverable"]), f"{name}: total {row['counter']}")
    counts = {row["what"]: int(row["count"]) for row in read_csv(logs / "truth" / "counts.csv")}
    for what in COUNTED:
        if what in counts:
            expect_equal(facts[what], counts[what], f"{name}: number of {what}")
    return facts


def compare_series(store, logs, name):
    """Each server and file system: number of increments and every counter's sum."""
    truth = read_csv(logs / "truth" / "series.csv")
    counters = [counter for counter in COUNTERS if counter in truth[0]]
    sums = ", ".join(f"sum({counter}) AS {counter}" for counter in counters)
    rows = sql(f"SELECT server, filesystem, count(*) AS increments, {sums} FROM {table(store)} GROUP BY ALL")
    found = {(row["server"], row["filesystem"]): row for row in rows}
    with_increments = [row for row in truth if int(row["increments"]) > 0]
    expect_equal(len(found), len(with_increments), f"{name}: series with increments")
    for row in with_increments:
        series = (row["server"], row["filesystem"])
        expect(series in found, f"{name}: series {series} is missing")
        for what in ["increments", *counters]:
            expect_equal(int(found[series][what] or 0), int(row[what]), f"{name}: {what} of {series}")
    return len(truth)


def repairs_told(done):
    """What the line of an ingest says was repaired and flagged."""
    found = dict.fromkeys(REPAIRS.values(), 0)
    for number, what in re.findall(r"([\d,]+) ([a-z ]+)", "\n".join(re.findall(r"^(?:repaired|flagged): .*", done.stderr, re.M))):
        found[next(key for start, key in REPAIRS.items() if re.fullmatch(start, what))] = int(number.replace(",", ""))
    return found


def compare_machine(folder, preset, *options):
    name = " ".join([preset, *map(str, options)])
    logs, store = folder / "logs", folder / "store"
    synth(logs, preset, *options)
    done = ingest(store, logs)
    facts = compare_totals(store, logs, name)
    expect_equal(repairs_told(done), {what: facts[what] for what in REPAIRS.values()}, f"{name}: what the ingest says of repairs")
    series = compare_series(store, logs, name)
    check(store)
    before = manifest(store)
    again = ingest(store, logs)
    expect("ingested before" in again.stderr, f"{name}: the second ingest does not say that the files are known:\n{again.stderr}")
    expect(not re.search("repaired|flagged", again.stderr), f"{name}: the second ingest repairs again:\n{again.stderr}")
    expect_equal(manifest(store), before, f"{name}: manifest after a second ingest")
    say(f"{name}: totals, counts, {series} series and {facts['increments']} increments are the truth; the second ingest changed nothing")
    shutil.rmtree(logs)
    shutil.rmtree(store)


with scratch() as folder:
    for seed in (1, 2, 3, 4, 5):
        compare_machine(folder, "small", "--seed", seed)
    compare_machine(folder, "small", "--seed", 6, "--days", 3)
    compare_machine(folder, "jugene", "--days", 0.1)
    compare_machine(folder, "spider", "--days", 0.05)
    compare_machine(folder, "microbench", "--seed", 3)
    if long_run:
        for seed in range(10, 30):
            compare_machine(folder, "small", "--seed", seed, "--days", 2)
        compare_machine(folder, "jugene", "--days", 2, "--seed", 7)
        compare_machine(folder, "spider", "--days", 0.5, "--seed", 7)
