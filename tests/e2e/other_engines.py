# SPDX-License-Identifier: Apache-2.0
"""A store is read by any engine that reads Parquet from a glob: columns, types, days, sums, and few row groups per server."""
import re

from fathom_e2e import *


def documented_columns():
    """docs/schema.md as {table: [(column, type)]}."""
    columns, current = {}, None
    for line in (project / "docs" / "schema.md").read_text().splitlines():
        if line.startswith("## "):
            current = columns.setdefault(line[3:].strip(), [])
        found = re.match(r"\| `(\w+)` \| ([\w\[\]]+) \|", line)
        if found:
            current.append((found[1], found[2]))
    return columns


def columns_are_documented(store):
    documented = documented_columns()
    written = sorted({path.relative_to(store).parts[0] for path in store.glob("*/**/*.parquet")})
    expect_equal(written, ["extents", "increments", "jobs", "marks", "sources"], "tables of a store after an ingest")
    for name in written:
        rows = sql(f"DESCRIBE SELECT * FROM read_parquet('{store}/{name}/**/*.parquet', hive_partitioning = false)")
        expect_equal([(row["column_name"], row["column_type"]) for row in rows], documented[name], f"columns of {name}")
    say(f"columns and types of {', '.join(written)} are those of docs/schema.md")


def days_prune(store):
    days = sql(f"SELECT day, count(*) AS rows, count(*) FILTER (end_time::DATE <> day) AS strangers FROM {table(store)} GROUP BY day ORDER BY day")
    expect(len(days) >= 3, f"days of the store: {days}")
    for row in days:
        expect_equal(row["strangers"], "0", f"increments of {row['day']} that end on another day")
    chosen = days[1]["day"]
    plan = "\n".join(row["explain_value"] for row in sql(f"EXPLAIN ANALYZE SELECT sum(read_bytes) FROM {table(store)} WHERE day = '{chosen}'"))
    all_files = len(list(store.glob("increments/*/*.parquet")))
    of_day = len(list(store.glob(f"increments/day={chosen}/*.parquet")))
    found = re.search(r"Scanning\s+Files:\s+(\d+)/(\d+)", re.sub(r"[│\s]+", " ", plan))
    expect(found is not None, f"the plan does not say how many files it reads:\n{plan}")
    expect_equal((int(found[1]), int(found[2])), (of_day, all_files), f"files that a query of one day reads, of all\n{plan}")
    say(f"a query of one day of {len(days)} reads {of_day} of {all_files} files")


def sums_per_server(store, logs):
    truth = {}
    for row in read_csv(logs / "truth" / "series.csv"):
        sums = truth.setdefault(row["server"], dict.fromkeys(COUNTERS, 0))
        for counter in COUNTERS:
            sums[counter] += int(row[counter])
    rows = sql(f"SELECT server, {', '.join(f'sum({c})::BIGINT AS {c}' for c in COUNTERS)} FROM {table(store)} GROUP BY server")
    expect_equal({row["server"]: {c: int(row[c]) for c in COUNTERS} for row in rows}, truth, "sums per server")
    jobs = sql(f"SELECT count(*) AS jobs, count(DISTINCT job_id) AS ids FROM {table(store, 'jobs')}")[0]
    expect_equal(int(jobs["jobs"]), len(read_csv(logs / "jobs.csv")), "jobs")
    say(f"sums of {len(truth)} servers and the number of jobs are the truth")


def few_row_groups(store, what):
    groups = sql(
        f"SELECT file_name, row_group_id, any_value(row_group_num_rows) AS rows, min(stats_min_value) AS low, max(stats_max_value) AS high "
        f"FROM parquet_metadata('{store}/increments/*/*.parquet') WHERE path_in_schema = 'server' GROUP BY ALL"
    )
    servers = [row["server"] for row in sql(f"SELECT DISTINCT server FROM {table(store)}")]
    may_hold = [sum(group["low"] <= server <= group["high"] for group in groups) for server in servers]
    worst, rows = max(may_hold) / len(groups), sum(int(group["rows"]) for group in groups)
    expect(min(may_hold) >= 1, f"{what}: a server that no row group holds by its statistics")
    expect(worst < 0.2, f"{what}: a server may be in {max(may_hold)} of {len(groups)} row groups, that is {worst:.0%}")
    say(f"{what}: {rows} rows in {len(groups)} row groups; a server may be in {max(may_hold)} of them at most ({worst:.1%})")


def others_find_each_row_once(store):
    """Nothing that is not in the manifest lies where the glob finds it."""
    listed = sorted(segment["path"] for segment in json.loads(manifest(store))["segments"])
    found = sorted(str(path.relative_to(store)) for path in store.glob("*/**/*.parquet"))
    expect_equal(found, listed, "files in the tables' folders")
    twice = sql(f"SELECT count(*) - count(DISTINCT (server, filesystem, job, end_time)) AS twice FROM {table(store)}")[0]["twice"]
    expect_equal(twice, "0", "rows with a key that another row has")
    say(f"the glob finds the {len(listed)} files of the manifest and each row once")


with scratch() as folder:
    logs = synth(folder / "small", "small", "--days", 3)
    store = folder / "store"
    for part in [logs / "jobs.csv", *write_parts(folder / "parts", cut_evenly(log_lines(logs), 5))]:
        ingest(store, part)
    columns_are_documented(store)
    days_prune(store)
    sums_per_server(store, logs)
    others_find_each_row_once(store)

    large, large_store = synth(folder / "large", "jugene", "--days", 1), folder / "large-store"
    ingest(large_store, large)
    run("compact", large_store)
    sums_per_server(large_store, large)
    few_row_groups(large_store, "jugene, one day")
    others_find_each_row_once(large_store)
