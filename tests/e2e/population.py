# SPDX-License-Identifier: Apache-2.0
"""The population's numbers: by hand on five jobs, as the committed page shows them, and against a slow count over the criteria of a synthetic machine."""
import math
import statistics

from fathom_e2e import *

GiB, MiB, KiB = 2**30, 2**20, 2**10
HOUR = 3600

# Read, request size of reads, opens, closes of five jobs of two hours; each reads in its first ten minutes, on servers a and b alike,
# and writes 10 GiB in requests of 1 MiB in the ten minutes after.
JOBS = [(1 * GiB, MiB, 10, 10), (2 * GiB, MiB, 10, 10), (3 * GiB, MiB, 10, 10), (4 * GiB, MiB, 12, 8), (90 * GiB, 4 * KiB, 8, 12)]
STEP = 600


def write_logs(folder):
    """Counters every ten minutes, and jobs that begin with a sample; a short one and one that still runs are there to be left out."""
    folder.mkdir()
    jobs = ["job_id,user,name,nodes,start,end,servers"]
    counters = ["t,server,read_bytes,write_bytes,read_ops,write_ops,opens,closes"]
    totals = [0] * 6
    moments = {}
    for k, (read, size, opens, closes) in enumerate(JOBS):
        start = (1 + 3 * k) * HOUR
        jobs.append(f"{k + 1},u,app{k + 1},{512 * (k + 1)},{start},{start + 2 * HOUR},a;b")
        moments[start + STEP] = [read // 2, 0, read // 2 // size, 0, opens // 2, 0]
        moments[start + 2 * STEP] = [0, 5 * GiB, 0, 5 * GiB // MiB, 0, closes // 2]
    jobs.append(f"short,u,app1,512,{20 * HOUR},{20 * HOUR + 60},a;b")
    jobs.append(f"running,u,app1,512,{21 * HOUR},,a;b")
    for t in range(0, 24 * HOUR, STEP):
        totals = [a + b for a, b in zip(totals, moments.get(t, [0] * 6))]
        for server in "ab":
            counters.append(",".join(map(str, [t, server, *totals])))
    (folder / "jobs.csv").write_text("\n".join(jobs) + "\n")
    (folder / "counters.csv").write_text("\n".join(counters) + "\n")


def distributions(store, *options):
    rows = csv.DictReader(io.StringIO(run("population", store, "--format", "csv", *options).stdout))
    return {(row["key"], row["x"], row["threshold"], row["small"]): row for row in rows}


def table_of(store, name, *options):
    return list(csv.DictReader(io.StringIO(run("population", store, "--table", name, "--format", "csv", *options).stdout)))


def expect_close(found, wanted, what):
    expect(math.isclose(float(found), wanted, rel_tol=1e-12), f"{what}: expected {wanted}, found {found}")


def check_by_hand(store):
    found = distributions(store)
    # Reads sorted: 1 2 3 4 90 GiB. 80 % of five jobs are four: 4 GiB. The largest ceil(0.2 * 5) = 1 has 90 of 100. Mean 20, median 3.
    read = found[("bytes", "read", "", "")]
    for name, wanted in {"n": 5, "zeros": 0, "undefined": 0, "min": GiB, "median": 3 * GiB, "p80": 4 * GiB, "mean": 20 * GiB, "max": 90 * GiB, "top20_share": 0.9}.items():
        expect_close(read[name], wanted, f"bytes read: {name}")
    # Deviations from 20: 19 18 17 16 70; squares 361 324 289 256 4900, their mean 1226.
    expect_close(read["sd"], math.sqrt(1226) * GiB, "bytes read: sd")
    # 90 GiB in 600 s on both servers together.
    expect_close(found[("bw_max_inner", "read", "", "")]["max"], 90 * GiB / 600, "maximum read bandwidth")
    # A server reads half of it: 1 GiB is 0.85 MiB/s, 2 GiB are 1.7 MiB/s. Above 1 MiB/s jobs 2 to 5 are for 600 of 7200 s, job 1 never.
    intensity = found[("intensity", "read", str(MiB), "")]
    expect_close(intensity["p80"], 600 / 7200, "read intensity at 1 MiB/s")
    expect_equal(intensity["zeros"], "1", "jobs without read intensity at 1 MiB/s")
    # One run of 600 s with I/O, one of 6600 without; before the write there is one more idle run of 600 s: (600 + 6000) / 2 without.
    expect_close(found[("burstiness", "read", "0", "")]["min"], 1 - math.tanh(600 / 6600), "read burstiness")
    expect_close(found[("burstiness", "write", "0", "")]["min"], 1 - math.tanh(600 / 3300), "write burstiness")
    expect_equal(float(found[("parallel_intensity", "total", "0", "")]["min"]), 1, "both servers at once")
    # Requests of 4 KiB: all reads of job 5, 90 GiB / 4 KiB; the others read 10 GiB / 1 MiB.
    small = {row["size"]: row for row in table_of(store, "small")}
    few, many = 10 * GiB // MiB, 90 * GiB // (4 * KiB)
    expect_close(small["4096"]["read"], many / (few + many), "small reads")
    expect_close(small["4096"]["write"], 0, "small writes")
    expect_equal(float(small[str(MiB)]["read"]), 1, "requests of at most 1 MiB")
    # |opens - closes| / both: 0 0 0 4/20 4/20, the fourth is 0.2.
    files = table_of(store, "opens-closes")[0]
    expect_equal(files, {"more_opens": "1", "more_closes": "1", "equal": "3", "unknown": "0", "p80_relative_difference": "0.2"}, "opens and closes")
    above = table_of(store, "above-peak", "--peak", "100M")
    expect_equal([(row["job_id"], row["x"]) for row in above], [("5", "read")], "jobs above 100 MiB/s")
    servers = table_of(store, "servers")
    expect_equal([(row["server"], float(row["read_bytes"])) for row in servers], [("a", 50 * GiB), ("b", 50 * GiB)], "server totals")
    chosen = {row["job_id"]: row["why"] for row in table_of(store, "selection", "--sample", "0", "--volume-floor", "3G")}
    expect("most bytes read: 90.0 GiB" in chosen["5"], f"selection: {chosen}")
    # All five wrote more than 3 GiB. Read bandwidths in order of their jobs: the middle one is job 3; 2/1 is nearest to 10 GiB written, in job 4.
    expect("median of read bandwidth" in chosen["3"], f"selection: {chosen}")
    expect("maximum bandwidth of reading and writing closest to equal" in chosen["4"], f"selection: {chosen}")
    say("five jobs by hand: distributions, thresholds, small requests, opens, peak, servers, selection")


def check_page(store):
    """The page as it was looked at and committed; after a change: fathom population ... > tests/golden/population/page.txt, and look again."""
    page = run("population", store, "--peak", "100M", "--sample", "1").stdout
    golden = project / "tests" / "golden" / "population" / "page.txt"
    if "--write" in sys.argv:
        golden.write_text(page)
    expect("80 % of the jobs read 4.00 GiB or less; 20 % of the jobs are responsible for 90.0 % of the bytes read." in page, page)
    expect_equal(page.splitlines(), golden.read_text().splitlines(), "the page")
    say("the page is the committed one")


def check_empty(store):
    nothing = run("population", store, "--min-runtime", "1e9")
    expect("No job is left to look at" in nothing.stdout and "shorter than" in nothing.stdout, nothing.stdout)
    rows = distributions(store, "--min-runtime", "1e9")
    expect(all(row["n"] == "0" and row["p80"] == "" and row["mean"] == "" for row in rows.values()), "distributions of no jobs")
    for name in ["table2", "small", "request-sizes", "selection", "opens-closes"]:
        table_of(store, name, "--min-runtime", "1e9")
    refused("population", store, "--table", "above-peak", exit_code=2, naming=["--peak"])
    refused("population", store, "--peak", "fast", exit_code=2, naming=["--peak"])
    say("no jobs: a message, and no numbers")


def inverse_ecdf(values, percent):
    """By the definition: the smallest value of which enough are not above it."""
    return next(v for v in sorted(values) if sum(w <= v for w in values) * 100 >= percent * len(values))


def check_against_criteria(store, what):
    """Every distribution again, from the rows of `fathom criteria`."""
    thresholds, sizes = "0,8K,1M", "4K,1M"
    text = run("criteria", store, "--min-runtime", "600", "--threshold", thresholds, "--small", sizes, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    found = distributions(store, "--min-runtime", "600", "--threshold", thresholds, "--small", sizes)
    compared = 0
    for (key, x, threshold, small), row in found.items():
        kept = [r for r in rows if r["threshold"] == (threshold or "0") and r["small"] == (small or "4096")]
        column = {"write_share_bytes": "read_share_bytes", "write_share_ops": "read_share_ops"}.get(key, key.removesuffix("_per_unit"))
        values = []
        for r in kept:
            value = r[f"{x}_{column}" if x else column]
            if value == "":
                continue
            value = float(value)
            values.append(value / int(r["units"]) if key.endswith("_per_unit") else 1 - value if key.startswith("write_share") else value)
        name = f"{what}: {key} {x} {threshold}{small}"
        expect_equal((int(row["n"]), int(row["undefined"])), (len(values), len(kept) - len(values)), f"{name}: jobs")
        expect_equal(int(row["zeros"]), values.count(0), f"{name}: zeros")
        wanted = {"min": min(values), "median": statistics.median(values), "p80": inverse_ecdf(values, 80), "mean": math.fsum(values) / len(values),
                  "sd": statistics.pstdev(values), "max": max(values)}
        if sum(values) > 0:
            wanted["top20_share"] = math.fsum(sorted(values)[-math.ceil(len(values) / 5):]) / math.fsum(values)
        for column, value in wanted.items():
            expect(math.isclose(float(row[column]), value, rel_tol=1e-9, abs_tol=1e-9), f"{name}: {column} is {row[column]}, by counting {value}")
            compared += 1
    expect(len(found) > 60 and compared > 6 * len(found), f"only {compared} numbers of {len(found)} distributions compared")
    say(f"{what}: {compared} numbers of {len(found)} distributions over {len(rows) // 6} jobs agree with counting")


with scratch() as folder:
    write_logs(folder / "logs")
    ingest(folder / "store", folder / "logs", "--servers", "exclusive")
    check_by_hand(folder / "store")
    check_page(folder / "store")
    check_empty(folder / "store")
    run("synth", "jugene", "--into", folder / "jugene", "--days", 0.5)
    check_against_criteria(folder / "jugene", "jugene")
