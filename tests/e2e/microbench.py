# SPDX-License-Identifier: Apache-2.0
"""The synthetic benchmark series: its counters against its truth, linked by a slow reference, are off as the published tables are.

D is the dissertation that the preset imitates (section 4.4.1, Tables 4.4 to 4.7)."""
import collections
import statistics

from fathom_e2e import *

COLUMNS = {"BR": "read_bytes", "RdC": "read_ops", "BW": "write_bytes", "WC": "write_ops", "OC": "opens", "CC": "closes"}
KEYS = {"_br_": "read_bytes", "_bw_": "write_bytes", "_rdc_": "read_ops", "_wc_": "write_ops", "_oc_": "opens", "_cc_": "closes"}
LINKS = ("weighted", "simple", "discard", "double-count")


def read_increments(logs):
    """(start, end, amounts) of every series, by server; the series of this preset have no faults."""
    samples = collections.defaultdict(list)
    for line in log_lines(logs):
        words = line.decode().split()
        values = dict(zip(words[1::2], words[2::2]))
        t = float(values["_t_"]) + float(values["_tu_"]) / 1e6
        samples[values["_nn_"], values["_fs_"]].append((t, {name: int(values[key]) for key, name in KEYS.items()}))
    increments = collections.defaultdict(list)
    for (server, _), series in samples.items():
        for (t0, before), (t1, after) in zip(series, series[1:]):
            increments[server].append((t0, t1, {name: after[name] - before[name] for name in after}))
    return increments


def link(increments, jobs):
    """{link: {job: amounts}} by the rules: D Eqs. 4.1 to 4.11, as plain loops."""
    linked = {name: collections.defaultdict(collections.Counter) for name in LINKS}
    conflicts = 0
    for server, rows in increments.items():
        own = [job for job in jobs if server in job["servers"].split(";")]
        for start, end, amounts in rows:
            overlaps = {job["job_id"]: min(end, float(job["end"])) - max(start, float(job["start"])) for job in own}
            overlaps = {job: length for job, length in overlaps.items() if length > 0}
            conflicts += len(overlaps) > 1
            for job in own:
                if float(job["start"]) < end <= float(job["end"]):
                    linked["simple"][job["job_id"]].update(amounts)
            for job, length in overlaps.items():
                share = length / sum(overlaps.values())
                linked["weighted"][job].update({name: share * amount for name, amount in amounts.items()})
                linked["double-count"][job].update(amounts)
                if len(overlaps) == 1:
                    linked["discard"][job].update(amounts)
    return linked, conflicts


def read_bench_truth(path):
    lines = path.read_text().splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines[1:] if line.startswith("# "))
    sums = collections.Counter()
    first, last = float("inf"), 0.0
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        call, count = row["call"], int(row["count"])
        sums[{"open": "opens", "close": "closes", "read": "read_ops", "write": "write_ops"}[call]] += count
        if call in ("read", "write"):
            sums[f"{call}_bytes"] += int(row["bytes"])
        first, last = min(first, float(row["start"])), max(last, float(row["end"]))
    return head, sums, first, last


def errors_of(linked, truths):
    """{(job, link): {column: relative error}}"""
    return {(head["job_id"], name): {column: linked[name][head["job_id"]][counter] / sums[counter] - 1 for column, counter in COLUMNS.items()}
            for head, sums in truths for name in LINKS}


def expect_series(logs, jobs, truths):
    """The tests of the tables, each once, on the nodes and I/O nodes that they say, 4 to 40 minutes long, 30 s apart or more."""
    by_id = {job["job_id"]: job for job in jobs}
    tests = collections.Counter((head["interface"], head["layout"], head["nodes"]) for head, _ in truths)
    expect_equal(set(tests.values()), {7, 3}, "tests per table")
    expect_equal(len(truths), 40, "tests")
    for head, sums in truths:
        job = by_id[head["job_id"]]
        nodes, tasks, count = int(job["nodes"]), int(head["tasks"]), int(head["count"])
        expect_equal((tasks, len(job["servers"].split(";"))), (4 * nodes, nodes // 32), f"{job['job_id']}: tasks and I/O nodes")
        expect(240 <= int(job["end"]) - int(job["start"]) <= 2400, f"{job['job_id']} runs from {job['start']} to {job['end']}")
        for counter, wanted in (("opens", 2 * tasks), ("closes", 2 * tasks), ("read_ops", tasks * count), ("write_ops", tasks * count)):
            expect_equal(sums[counter], wanted, f"{job['job_id']}: {counter} of the tasks")
        expect_equal(sums["read_bytes"], sums["write_bytes"], f"{job['job_id']}: read back as much as written")
        if "size" in head:
            expect_equal(sums["read_bytes"], tasks * count * int(head["size"]), f"{job['job_id']}: bytes")
    gaps = []
    for server in ("ion-R87-M0-00", "ion-R87-M0-01"):
        own = sorted((int(job["start"]), int(job["end"])) for job in jobs if server in job["servers"])
        gaps += [after[0] - before[1] for before, after in zip(own, own[1:])]
    expect(min(gaps) >= 30 and statistics.median(gaps) <= 90, f"seconds between jobs: {min(gaps)} to {max(gaps)}")
    expect(len(jobs) >= 48, f"{len(jobs)} jobs are 40 tests and few others")


def mean(errors, truths, name, column, wanted=lambda head: True):
    return statistics.mean(abs(errors[head["job_id"], name][column]) for head, _ in truths if wanted(head))


def expect_as_published(errors, truths):
    """What D saw: bytes nearly right with weights, worse without; opens too many by 25, 50 and 75 %."""
    typical = lambda column, wanted: statistics.median(errors[head["job_id"], "weighted"][column] for head, _ in truths if wanted(head))
    is_test = lambda interface, layout: lambda head: (head["interface"], head["layout"]) == (interface, layout)
    for interface, layout, opens, closes in (("posix", "task-local", 0.5, 0), ("posix", "shared", 0.25, 0), ("mpiio", "task-local", 0.75, 0.25), ("mpiio", "shared", 0.25, 0)):
        expect(abs(typical("OC", is_test(interface, layout)) - opens) < 0.15, f"opens of {interface} {layout}: {typical('OC', is_test(interface, layout))}")
        expect(abs(typical("CC", is_test(interface, layout)) - closes) < 0.15, f"closes of {interface} {layout}: {typical('CC', is_test(interface, layout))}")
    collective = is_test("mpiio", "shared")
    plain = lambda head: not collective(head)
    for name in LINKS[1:]:  # reading comes last: the simple rule loses the end of it, but little of the writing
        expect(mean(errors, truths, "weighted", "BR") < mean(errors, truths, name, "BR"), f"BR: weighted against {name}")
    expect(mean(errors, truths, "simple", "BR") > 3 * mean(errors, truths, "simple", "BW"), "bytes read and written by the simple rule")
    for column in ("BR", "BW"):
        expect(mean(errors, truths, "weighted", column) < 0.05, f"{column}: weighted is off by {mean(errors, truths, 'weighted', column)}")
    expect(mean(errors, truths, "weighted", "RdC", plain) < 0.05, "read commands")
    expect(mean(errors, truths, "simple", "CC") > 0.2, "closes by the simple rule")


def expect_merged_requests(logs, truths):
    """What the I/O nodes counted of a job (truth/jobs.csv) against what its tasks did: no link in between. D Table 4.7: -74 to -99 %."""
    counted = {row["job_id"]: row for row in read_csv(logs / "truth" / "jobs.csv")}
    published = {"4096": 0.99, "16384": 0.98, "65536": 0.93, "262144": 0.93, "524288": 0.93, "1048576": 0.74}
    for head, sums in truths:
        collective = (head["interface"], head["layout"]) == ("mpiio", "shared")
        fewer = published[head.get("size") or head["random_max"]] if collective else 0
        for direction in ("read", "write"):
            ops, moved = (int(counted[head["job_id"]][f"{direction}_{what}"]) / sums[f"{direction}_{what}"] for what in ("ops", "bytes"))
            expect(abs(1 - ops - fewer) < 0.015, f"{head['job_id']} {head}: {direction} commands {ops - 1:+.3f}, published {-fewer}")
            expect(0 <= moved - 1 < 0.01, f"{head['job_id']} {head}: {direction} bytes {moved - 1:+.4f}")


def show(errors, truths):
    for name in LINKS:
        text = "  ".join(f"{column} {100 * mean(errors, truths, name, column):6.1f} %" for column in COLUMNS)
        say(f"{name:<13} mean absolute error: {text}")


def compare_counters(folder, seed):
    logs = synth(folder / f"logs-{seed}", "microbench", "--seed", seed)
    jobs = read_csv(logs / "jobs.csv")
    files = sorted((logs / "truth" / "bench").glob("*.csv"))
    parsed = [read_bench_truth(path) for path in files]
    truths = [(head, sums) for head, sums, _, _ in parsed]
    expect_equal([path.stem for path in files], [head["job_id"] for head, _ in truths], "names of truth files")
    spans = {job["job_id"]: (float(job["start"]), float(job["end"])) for job in jobs}
    for head, _, first, last in parsed:
        start, end = spans[head["job_id"]]
        expect(start < first and last < end, f"{head['job_id']}: its calls are outside of the job")
    expect_series(logs, jobs, truths)
    increments = read_increments(logs)
    linked, conflicts = link(increments, jobs)
    expect(conflicts > len(jobs) / 2, f"only {conflicts} increments are shared by jobs")
    errors = errors_of(linked, truths)
    say(f"seed {seed}: {len(jobs)} jobs, {sum(map(len, increments.values()))} increments, {conflicts} of them shared by jobs")
    show(errors, truths)
    expect_merged_requests(logs, truths)
    expect_as_published(errors, truths)
    return logs, errors


def compare_deliveries(folder, *options):
    """--into gives what reading the logs gives; the same seed gives the same bytes; a series may be cut off or repeated."""
    logs, again = (synth(folder / name, "microbench", *options) for name in ("once", "again"))
    for path in sorted(logs.rglob("*.*")):
        if path.is_file():
            expect_equal((again / path.relative_to(logs)).read_bytes(), path.read_bytes(), f"{path.name}, made twice")
    ingest(folder / "read", logs)
    run("synth", "microbench", "--into", folder / "straight", *options)
    expect_same_content(folder / "straight", folder / "read", f"microbench {options}")
    jobs = {job["job_id"]: job for job in read_csv(logs / "jobs.csv")}
    truths = sorted(path.stem for path in (logs / "truth" / "bench").glob("*.csv"))
    benchmarks = sorted(job_id for job_id, job in jobs.items() if job["name"].startswith("bench-") and job["end"])
    expect_equal(truths, benchmarks, f"microbench {options}: a truth for each test that ended")
    size = sum(path.stat().st_size for path in logs.rglob("*") if path.is_file())
    expect(size < 20_000_000, f"microbench {options}: {size} bytes of logs")
    say(f"microbench {' '.join(map(str, options))}: {len(jobs)} jobs, {len(truths)} truths; logs and --into agree")
    for name in ("once", "again", "read", "straight"):
        shutil.rmtree(folder / name)


def compare_with_program(folder, logs, errors):
    """fathom bench --verify gives the errors of the reference, job by job, link by link, and its summary is their mean."""
    store = folder / "store"
    ingest(store, logs, "--servers", "exclusive")
    found = list(csv.DictReader(io.StringIO(run("bench", "--verify", store, "--truth", logs / "truth" / "bench", "--format", "csv").stdout)))
    expect_equal(len(found), len(errors), "rows of --verify")
    for row in found:
        for column, wanted in errors[row["job_id"], row["link"]].items():
            expect(abs(float(row[column]) - wanted) < 1e-6, f"--verify {row['job_id']} {row['link']} {column}: {row[column]}, reference {wanted}")
    summary = csv.DictReader(io.StringIO(run("bench", "--verify", store, "--truth", logs / "truth" / "bench", "--summary", "--format", "csv").stdout))
    for row in summary:
        for column in COLUMNS:
            wanted = statistics.mean(abs(each[column]) for (_, name), each in errors.items() if name == row["link"])
            expect(abs(float(row[column]) - wanted) < 1e-6, f"--verify --summary {row['link']} {column}: {row[column]}, reference {wanted}")
    one, two = sorted((logs / "truth" / "bench").glob("*.csv"))[:2]
    expect_equal(len(run("bench", "--verify", store, "--truth", one, two, "--format", "csv").stdout.splitlines()), 9, "rows of two truth files")
    expect("mean absolute error" in run("bench", "--verify", store, "--truth", one).stdout, "--verify as a table")
    text = one.read_text()
    head = next(line for line in text.splitlines() if line.startswith("# job_id: "))
    for change, wanted in (("# job_id: other", "no such job"), ("# no: job", "does not name its job")):
        (folder / "odd.csv").write_text(text.replace(head, change))
        refused("bench", "--verify", store, "--truth", folder / "odd.csv", naming=[wanted])
    refused("bench", "--verify", folder / "nowhere", "--truth", one, naming=["nowhere"])
    shutil.rmtree(store)
    say(f"--verify agrees with the reference in {len(found)} rows and the summary")


with scratch() as folder:
    for seed in (1, 2, 3):
        logs, errors = compare_counters(folder, seed)
        compare_with_program(folder, logs, errors)
    compare_deliveries(folder)
    compare_deliveries(folder, "--days", 0.1, "--seed", 4)
    compare_deliveries(folder, "--days", 1, "--seed", 5)
    compare_deliveries(folder, "--jobs", 7)
