# SPDX-License-Identifier: Apache-2.0
"""Servers that many jobs use at once: counters with job tags (Lustre job_stats) are linked job by job, counters without only by a window."""
import math

from fathom_e2e import *

T = 1700000040  # a whole minute
VISITS = [0, 60, 120, 180, 240]
# (target, seconds after T): {job: (reads, bytes read, writes, bytes written)}; a visit that finds nothing is a visit, too.
TABLES = {
    ("OST0001", 0): {},
    ("OST0001", 60): {"101": (0, 0, 6, 6_000_000)},
    ("OST0001", 120): {"101": (0, 0, 12, 12_000_000), "102": (600, 600_000, 0, 0)},
    ("OST0001", 180): {"101": (0, 0, 12, 12_000_000), "102": (1200, 1_200_000, 0, 0)},
    ("OST0001", 240): {"102": (1200, 1_200_000, 0, 0)},
    ("OST0002", 0): {},
    ("OST0002", 60): {},
    ("OST0002", 120): {"101": (0, 0, 3, 3_000_000)},
    ("OST0002", 180): {"101": (0, 0, 3, 3_000_000)},
    ("OST0002", 240): {"101": (0, 0, 3, 3_000_000)},
}
JOBS_CSV = f"job_id,user,name,nodes,start,end\n101,ada,app,4,{T + 30},{T + 180}\n102,bob,app,1,{T + 60},{T + 240}\n103,bob,app,1,{T},{T + 240}\n"


def job_stats():
    text = ""
    for second in VISITS:
        for target in ("OST0001", "OST0002"):
            text += f"# host=oss01 time={T + second}\nobdfilter.scratch-{target}.job_stats=\njob_stats:\n"
            for job, (reads, bytes_read, writes, bytes_written) in TABLES[target, second].items():
                text += (
                    f"- job_id:          {job}\n  snapshot_time:   {T + second}\n"
                    f"  read_bytes:      {{ samples: {reads:11}, unit: bytes, min: 0, max: 0, sum: {bytes_read:16} }}\n"
                    f"  write_bytes:     {{ samples: {writes:11}, unit: bytes, min: 0, max: 0, sum: {bytes_written:16} }}\n"
                )
    return text


def expect_values(row, wanted):
    for name, value in wanted.items():
        if value is None or isinstance(value, str):
            expect_equal(row[name], value or "", f"{name} of job {row['job_id']}")
        else:
            expect(row[name] != "" and math.isclose(float(row[name]), value, rel_tol=1e-12), f"{name} of job {row['job_id']}: expected {value}, found {row[name]!r}")


def by_hand(folder):
    store = folder / "store"
    (folder / "job_stats.txt").write_text(job_stats())
    (folder / "jobs.csv").write_text(JOBS_CSV)
    ingest(store, folder / "job_stats.txt", folder / "jobs.csv")

    def rows(*options):
        done = run("criteria", store, "--min-runtime", 0, "--format", "csv", *options)
        return {row["job_id"]: row for row in csv.DictReader(io.StringIO(done.stdout))}, done.stderr

    found, talk = rows("--threshold", "0")
    expect_equal(set(found), {"101", "102"}, "jobs with tags")
    expect("1 left out: no servers known" in talk, f"job 103 touched no server and is not mentioned:\n{talk}")
    # 101 (30 s to 180 s). OST0001: 6 MB up to 60 s, zero at the visit before; they fall into its first 30 s: 200 kB/s. 6 MB from 60 s
    # to 120 s: 100 kB/s, then nothing. OST0002: new at 120 s, so zero at the visit at 60 s: 3 MB in 60 s, 50 kB/s; then nothing.
    # Active 30 s to 120 s: 90 of 150 s. Both servers for 60 s of these: on average (30 + 2 * 60) / 90 = 5/3 active, P = (5/3 - 1) / (2 - 1).
    # Measured: 150 s on OST0001; on OST0002 the 120 s of its entry, and the 30 s before: it was not there at the visit at 60 s. 300 of 300 s.
    expect_values(found["101"], {
        "units": 2, "duration": 150, "sampling_step": 60, "coverage": 1, "flags": "boundary", "other_jobs": 0, "link": "weighted",
        "write_bytes": 15e6, "write_bytes_lower": 15e6, "write_bytes_upper": 15e6, "write_ops": 15, "write_bw_max": 200e3, "write_bw_max_inner": 150e3, "write_bw_mean": 100e3,
        "write_intensity": 0.6, "write_burstiness": 1 - math.tanh(90 / 60), "write_parallel_intensity": 2 / 3, "write_mean_request": 1e6, "write_small_fraction": 0,
        "read_bytes": 0, "read_intensity": 0, "read_burstiness": 1, "read_parallel_intensity": 0, "read_share_bytes": 0, "opens": None})
    # 102 (60 s to 240 s), OST0001 only: 600 kB in each of two minutes, then nothing. Both jobs used it at once: tags keep them apart.
    expect_values(found["102"], {
        "units": 1, "coverage": 1, "flags": "", "other_jobs": 0, "read_bytes": 1.2e6, "read_bytes_lower": 1.2e6, "read_ops": 1200, "read_bw_max": 10e3,
        "read_bw_max_inner": 10e3, "read_intensity": 2 / 3, "read_burstiness": 1 - math.tanh(120 / 60), "read_parallel_intensity": None,
        "read_mean_request": 1000, "read_small_fraction": 1, "write_bytes": 0})
    # At exactly 100 kB/s a server is not active: only the first 30 s are left.
    expect_values(rows("--threshold", "100000")[0]["101"], {"write_intensity": 0.2, "write_parallel_intensity": 0})
    # All 16.2 MB went to jobs; nothing was shared out.
    for link in ("simple", "discard", "double-count"):
        other = rows("--threshold", "0", "--link", link)[0]
        expect_values(other["101"], {"write_bytes": 15e6, "link": link})
        expect_values(other["102"], {"read_bytes": 1.2e6, "link": link})
    # A server map beside the tags: the job's own servers join those that it touched; nobody measured ion7.
    (folder / "mapped.csv").write_text(JOBS_CSV.replace("nodes,start,end", "nodes,start,end,servers").replace(f"{T + 180}\n", f"{T + 180},ion7\n").replace(f"{T + 240}\n", f"{T + 240},\n"))
    mapped = folder / "mapped"
    ingest(mapped, folder / "job_stats.txt", folder / "mapped.csv")
    done = run("criteria", mapped, "--job", "101", "--threshold", "0", "--format", "csv")
    expect_values(next(csv.DictReader(io.StringIO(done.stdout))), {"units": 3, "coverage": 300 / 450, "write_bytes": 15e6, "write_parallel_intensity": 1 / 3})
    say("job-tagged counters: two jobs on shared servers, every value as worked out by hand")


def pauses(folder):
    """What visits prove: a job that is not among the entries did nothing since the visit before, unless that was too long ago."""
    visits, entry = [0, 60, 120, 1000, 1060, 1120, 1720], {1060: 4_000_000, 1120: 4_000_000}
    text = ""
    for second in visits:
        text += f"# host=oss01 time={T + second}\nobdfilter.scratch-OST0001.job_stats=\njob_stats:\n"
        if second in entry:
            text += f"- job_id:          7\n  snapshot_time:   {T + 1060}\n  write_bytes:     {{ samples: 4, unit: bytes, min: 0, max: 0, sum: {entry[second]} }}\n"
    (folder / "pauses.txt").write_text(text)
    # Before its entry: 30 s to 120 s, then 880 s without a visit. Its entry: 1,000 s to 1,120 s. After it: visited again after 600 s, the last 80 s nobody knows.
    (folder / "pauses.csv").write_text(f"job_id,user,name,nodes,start,end\n7,ada,app,1,{T + 30},{T + 1800}\n")
    ingest(folder / "pauses", folder / "pauses.txt", folder / "pauses.csv")
    question = ("criteria", folder / "pauses", "--min-runtime", 0, "--format", "csv")
    for _ in range(2):  # computed, then kept
        row = next(csv.DictReader(io.StringIO(run(*question).stdout)))
        expect_values(row, {"coverage": (90 + 120 + 600) / 1770, "write_bytes": 4e6})
    # One more visit in the long pause: both halves of it are short enough. What was kept does not hold any more.
    (folder / "more.txt").write_text(f"# host=oss01 time={T + 560}\nobdfilter.scratch-OST0001.job_stats=\njob_stats:\n")
    ingest(folder / "pauses", folder / "more.txt")
    expect_values(next(csv.DictReader(io.StringIO(run(*question).stdout))), {"coverage": (90 + 880 + 120 + 600) / 1770})
    say("time without an entry is measured where visits are close, and only there")


def window(folder):
    """A synthetic machine whose servers everybody shares: a window holds what the increments that overlap the job hold."""
    logs, store = folder / "logs", folder / "spider"
    synth(logs, "spider", "--days", "0.05")
    run("ingest", store, logs, "--servers", "shared")
    refused("criteria", store, "--min-runtime", 0, naming=["shared", "--link window"])
    done = run("criteria", store, "--link", "window", "--min-runtime", 0, "--format", "csv")
    rows = sorted(csv.DictReader(io.StringIO(done.stdout)), key=lambda row: float(row["duration"]))
    expect(len(rows) > 10, f"only {len(rows)} jobs in the window")
    servers = sql(f"SELECT count(DISTINCT server) AS n FROM {table(store)}")[0]["n"]
    for row in (rows[0], rows[len(rows) // 2], rows[-1]):
        start, end = (round(float(row[name]) * 1e6) for name in ("start", "end"))
        sums = sql(
            f"SELECT sum(read_bytes) AS read, sum(write_bytes) AS write, count(*) AS n FROM {table(store)} "
            f"WHERE epoch_us(start_time) < {end} AND epoch_us(end_time) > {start}"
        )[0]
        expect_values(row, {"read_bytes": float(sums["read"]), "write_bytes": float(sums["write"]), "units": float(servers), "link": "window"})
        expect("window" in row["flags"].split(";"), f"job {row['job_id']}: flags {row['flags']!r} do not say window")
    say(f"a shared machine: {len(rows)} jobs in windows, three of them against plain SQL")


with scratch() as scratch_folder:
    by_hand(scratch_folder)
    pauses(scratch_folder)
    window(scratch_folder)
