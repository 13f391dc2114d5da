# SPDX-License-Identifier: Apache-2.0
"""Traces in a store: linked to their jobs by the batch system's word, by hosts and time, or by name; their criteria in the columns of counters."""
import platform
import pwd

from fathom_e2e import *


def traced(folder, name, job=None):
    program = folder / "writer.py"
    program.write_text("import os, sys\nfd = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)\nfor i in range(40): os.pwrite(fd, b'x' * 2048, i * 2048)\nos.close(fd)\n")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "PBS_", "LSB_", "FLUX_")) and key != "JOB_ID"}
    if job:
        environment["SLURM_JOB_ID"] = job
    trace = folder / name
    # The system's python: a shim that looks for one would be traced as well.
    done = subprocess.run([fathom, "run", "-o", trace, "--", "/usr/bin/python3", program, folder / f"{name}.data"], env=environment, capture_output=True, text=True)
    expect_equal(done.returncode, 0, f"fathom run ({done.stderr})")
    lines = [line for line in done.stderr.splitlines() if line.startswith("fathom: ")]
    expect_equal(len(lines), 3, f"lines at the end of a run\n{done.stderr}")
    expect("80.0 KiB written in 40" in lines[1], f"what the run moved: {lines[1]}")
    return trace


def summary(trace):
    return json.loads(run("trace", "summary", trace, "--format", "json").stdout)


def rows(store, measured_by="--traced"):
    return list(csv.DictReader(io.StringIO(run("criteria", store, measured_by, "--format", "csv").stdout)))


with scratch() as folder:
    store = folder / "store"
    begin = int(time.time()) - 10
    named = traced(folder, "named", "4711")
    other = traced(folder, "other")
    end = int(time.time()) + 10

    # The batch log knows 4711; another job had the same node at an earlier time.
    host, me = platform.node(), pwd.getpwuid(os.getuid()).pw_name
    log = folder / "sacct.txt"
    stamp = lambda t: time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(t))
    log.write_text("JobIDRaw|User|Partition|Submit|Start|End|State|NNodes|Timelimit|NodeList|JobName\n"
                   f"4710|{me}|batch|{stamp(begin - 900)}|{stamp(begin - 800)}|{stamp(begin - 400)}|COMPLETED|1|01:00:00|{host}|before\n"
                   f"4711|{me}|batch|{stamp(begin - 100)}|{stamp(begin)}|{stamp(end)}|COMPLETED|1|01:00:00|{host}|writer\n")
    ingest(store, log)

    done = run("ingest", store, named)
    expect("job 4711" in done.stderr and "SLURM_JOB_ID" in done.stderr, f"linked by the environment: {done.stderr}")
    done = run("ingest", store, other)
    expect("job 4711" in done.stderr and "host and time" in done.stderr, f"linked by host and time: {done.stderr}")
    run("ingest", store, named)  # again: nothing doubles
    found = rows(store)
    expect_equal([row["job_id"] for row in found], ["4711", "4711"], "traced jobs")
    for row, trace in zip(found, (named, other)):
        facts = summary(trace)["interfaces"]["posix"]
        expect_equal(row["link"], "trace", "link")
        expect_equal(float(row["write_bytes"]), float(facts["write_bytes"]), "bytes written")
        expect_equal(float(row["write_ops"]), float(facts["write_calls"]), "writes")
        expect_equal(float(row["write_small_fraction"]), 1.0, "all writes are small")
        expect_equal(float(row["coverage"]), 1.0, "coverage of a trace")
    say("two traces linked to one job, by SLURM_JOB_ID and by host and time")

    # The same runs by their time slices, which are in the store itself.
    by_slices = rows(store, "--sliced")
    expect_equal([row["job_id"] for row in by_slices], ["4711", "4711"], "jobs with slices")
    for row, other_way in zip(by_slices, found):
        expect_equal((row["link"], row["sampling_step"], row["user"]), ("slices", "4", me), "link, length of a slice, user")
        for column in ("units", "coverage", "read_bytes", "write_bytes", "read_ops", "write_ops", "opens", "write_mean_request", "write_small_fraction"):
            expect_equal(row[column], other_way[column], f"{column} by slices and by trace")
    counters = ("read_bytes", "write_bytes", "read_calls", "write_calls", "opens", "other_calls", "io_time", "read_time", "write_time", "mpi_read_bytes", "mpi_write_bytes",
                "mpi_time")
    kept = sql(f"select {', '.join(f'sum({name})::double as {name}' for name in counters)} from {table(store, 'slices')}")[0]
    for name, total in kept.items():
        seen = sum(float(row[name]) for trace in (named, other) for row in csv.DictReader(io.StringIO(run("slices", trace, "--per-process", "--format", "csv").stdout)))
        expect(abs(float(total) - seen) <= 1e-9 * max(1, seen), f"{name} of all slices: {total} in the store, {seen} in the traces")
    expect(float(kept["io_time"]) > 0 and float(kept["opens"]) > 0, "the counters are not empty")
    say("their slices give the same amounts, in the store too")

    # A store that knows no job: refused without a name, added with one.
    fresh = folder / "fresh"
    refused("ingest", fresh, other, naming=("--job", "other"))
    run("ingest", fresh, other, "--job", "mine")
    jobs = json.loads(run("jobs", fresh, "--format", "json").stdout)
    expect_equal([job["job_id"] for job in jobs], ["mine"], "jobs of the store")
    expect("2.7" in run("criteria", fresh, "--traced", "--job", "mine").stdout, "the map has criteria that only traces give")
    refused("criteria", fresh, "--traced", "--job", "nobody", naming=("traced",))
    refused("criteria", fresh, "--sliced", "--job", "nobody", naming=("slices",))
    check(store)
    check(fresh)
    say("a trace without a batch system: --job names it, and the store learns of the job")
