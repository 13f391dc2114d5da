# SPDX-License-Identifier: Apache-2.0
"""`fathom criteria` says of every job what the definitions say: 200 small machines in one store, every value, every way of linking.

criteria.py FATHOM PARQUET_QUERY EXPECTED_CRITERIA: the last program makes the machines and computes what must come out.
"""
import math

from fathom_e2e import *

expected_criteria = os.path.abspath(sys.argv[3])
LINKS = ["weighted", "simple", "discard", "double-count", "window"]
THRESHOLDS = ["--threshold", "0,7,1000,1M", "--small", "512,4K"]
FIRST_COLUMNS = "job_id,user,name,nodes,units,start,end,duration,sampling_step,coverage,flags,link,other_jobs,threshold,small".split(",")
FRACTIONS = ("coverage", "intensity", "fraction", "share_ops", "share_bytes", "burstiness")


def number(text):
    return None if text == "" else float(text)


def close(found, wanted, name):
    if found is None or wanted is None:
        return found is wanted
    floor = 1e-15 if name.endswith(FRACTIONS) else 0  # 1 - tanh(x) has no more digits than 1 has
    return abs(found - wanted) <= 1e-9 * abs(wanted) + floor


def key(row):
    return row["job_id"], row["threshold"], row["small"]


def criteria(store, link, *more):
    return run("criteria", store, "--link", link, *THRESHOLDS, "--min-runtime", 0, "--format", "csv", *more)


def rows_of(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


def compare(found, wanted, what):
    """Rows as the program gives them against rows as the reference does."""
    expect_equal([key(row) for row in sorted(found, key=key)], [key(row) for row in sorted(wanted, key=key)], f"{what}: rows")
    by_key = {key(row): row for row in wanted}
    values = 0
    for row in found:
        reference = by_key[key(row)]
        unsure = set(reference["unsure_flags"].split(";"))
        flags = [set(each["flags"].split(";")) - unsure - {""} for each in (row, reference)]
        expect_equal(flags[0], flags[1], f"{what}: flags of {key(row)}")
        expect_equal(row["link"], reference["link"], f"{what}: link of {key(row)}")
        for name, value in reference.items():
            if name in ("job_id", "listed", "flags", "unsure_flags", "link"):
                continue
            if not close(number(row[name]), number(value), name):
                fail(f"{what}: {name} of {key(row)}: {row[name]!r}, expected {value!r}")
            values += 1
    return values


def compare_link(store, folder, link):
    wanted = read_csv(folder / f"expected-{link}.csv")
    listed = [row for row in wanted if row["listed"] == "1"]
    others = sorted({row["job_id"] for row in wanted if row["listed"] == "0"})
    expect(len(listed) > 1000 and len(others) > 10, f"{link}: too few jobs to say anything")
    done = criteria(store, link)
    columns = done.stdout.split("\n", 1)[0].split(",")
    expect_equal(columns[: len(FIRST_COLUMNS)], FIRST_COLUMNS, f"{link}: the first columns")
    values = compare(rows_of(done), listed, link)
    expect("conserved exactly" in done.stderr, f"{link}: no word about where the bytes went:\n{done.stderr}")
    # Jobs that the filters leave out, asked for by name: without length, not measured, idle.
    named = [argument for job in others for argument in ("--job", job)]
    values += compare(rows_of(criteria(store, link, *named)), [row for row in wanted if row["listed"] == "0"], f"{link}, --job")
    say(f"{link}: {len(listed)} rows of the mass run, {len(others)} jobs by name, {values} values agree")



def compare_formats(store, folder):
    """csv, json and parquet carry the same values, bit by bit; an undefined one is empty or null."""
    text = rows_of(criteria(store, "weighted"))
    documents = json.loads(run("criteria", store, *THRESHOLDS, "--min-runtime", 0, "--format", "json").stdout)
    file = folder / "criteria.parquet"
    run("criteria", store, *THRESHOLDS, "--min-runtime", 0, "--format", "parquet", "-o", file)
    packed = sql(f"SELECT * FROM read_parquet('{file}')")
    missing = sql("SELECT " + ", ".join(f'count(*) FILTER ("{name}" IS NULL) AS "{name}"' for name in text[0]) + f" FROM read_parquet('{file}')")[0]
    expect_equal(len(documents), len(text), "rows in json")
    expect_equal(len(packed), len(text), "rows in parquet")
    empties = dict.fromkeys(text[0], 0)
    for row, document, record in zip(text, documents, packed):
        expect_equal(list(document), list(row), "columns in json")
        expect_equal(list(record), list(row), "columns in parquet")
        for name, value in row.items():
            if name in ("job_id", "user", "name", "flags", "link"):
                expect(document[name] == value == record[name], f"{name} of {key(row)} differs between formats")
                continue
            empties[name] += value == ""
            expect((document[name] is None) == (value == ""), f"{name} of {key(row)}: csv {value!r}, json {document[name]!r}")
            if value == "":
                expect_equal(record[name], "", f"{name} of {key(row)} in parquet")
                continue
            expect(float(value) == float(document[name]) == float(record[name]), f"{name} of {key(row)}: {value}, {document[name]}, {record[name]}")
    for name, count in empties.items():
        if name not in ("job_id", "user", "name", "flags", "link"):
            expect_equal(int(missing[name]), count, f"nulls of {name} in parquet")
    say(f"csv, json and parquet say the same: {len(text)} rows")


def compare_threads_and_order(store, folder):
    """The same bytes from one thread and from four, from what the store kept, and from a store that got its files in another order, in parts."""
    wanted = criteria(store, "weighted", "--no-keep", "--threads", 1).stdout
    expect(criteria(store, "weighted", "--no-keep", "--threads", 4).stdout == wanted, "four threads give other bytes")
    kept = criteria(store, "weighted")
    expect("known from before, 0 computed" in kept.stderr, f"nothing was kept:\n{kept.stderr}")
    expect(kept.stdout == wanted, "what was kept is not what is computed")
    other = folder / "other"
    paths = sorted([*folder.glob("counters-*.csv"), folder / "jobs.csv"], reverse=True)
    for part in (paths[0::3], paths[1::3], paths[2::3]):
        ingest(other, *part)
        done = criteria(other, "weighted") if has_rows(other, "jobs") else None  # kept, and made anew where the next part changes it
    expect(done.stdout == wanted, "files in another order, with results kept in between, give other values")
    expect(criteria(other, "weighted", "--no-keep").stdout == wanted, "files in another order give other bytes")
    run("compact", other)
    expect(criteria(other, "weighted", "--no-keep").stdout == wanted, "a compacted store gives other bytes")
    expect(criteria(other, "weighted").stdout == wanted, "after compaction what was kept gives other values")
    say("the same bytes for one thread and four, kept or computed, for files in another order, and after compaction")


with scratch() as folder:
    machines = 600 if long_run else 200
    subprocess.run([expected_criteria, folder, str(machines)], check=True)
    store = folder / "store"
    ingest(store, *sorted(folder.glob("counters-*.csv")), folder / "jobs.csv")
    check(store)
    say(f"{machines} machines: {info(store)['increments']} increments, {info(store)['jobs']} jobs")
    for each in LINKS:
        compare_link(store, folder, each)
    compare_formats(store, folder)
    compare_threads_and_order(store, folder)
