# SPDX-License-Identifier: Apache-2.0
"""Metadata load: operations that metadata servers count, from logs of several kinds to the jobs that made them."""
import math
import sqlite3

from fathom_e2e import *

T = 1_700_000_040
HOUSEKEEPING = {"process_config", "connect", "reconnect", "disconnect", "llog_init", "notify"}


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def close_to(found, wanted, what):
    expect(found != "" and math.isclose(float(found), wanted, rel_tol=1e-9), f"{what}: expected {wanted}, found {found!r}")


def entry(job, t, **operations):
    lines = "".join(f"  {name}: {{ samples: {samples}, unit: reqs }}\n" for name, samples in operations.items())
    return f"- job_id: {job}\n  snapshot_time: {t}\n{lines}"


def data(job, t, written):
    return f"- job_id: {job}\n  snapshot_time: {t}\n  write_bytes: {{ samples: {written // 10**6}, unit: bytes, min: 1, max: 1, sum: {written} }}\n  getattr: {{ samples: 999, unit: reqs }}\n"


def tagged(folder):
    """Job 201 asks the MDT: in its first minute 60 opens, 60 closes and 480 getattrs (10/s), in the second 6000 getattrs (100/s), in the third
    nothing; and writes. Job 202 only writes: what it asks of metadata is not known. Job 203 only asks: 1200 unlinks in a minute."""
    mdt = {60: entry(201, T + 60, open=60, close=60, getattr=480, samedir_rename=7),
           120: entry(201, T + 120, open=60, close=60, getattr=6480, samedir_rename=7) + entry(203, T + 120, unlink=1200, open=0, close=0),
           180: entry(201, T + 180, open=60, close=60, getattr=6480, samedir_rename=7) + entry(203, T + 180, unlink=1200, open=0, close=0)}
    ost = {60: data(201, T + 60, 6 * 10**6), 120: data(201, T + 120, 12 * 10**6) + data(202, T + 120, 3 * 10**6), 180: data(201, T + 180, 12 * 10**6) + data(202, T + 180, 3 * 10**6)}
    text = ""
    for second in (0, 60, 120, 180):
        for target, entries in (("mdt.fs-MDT0000", mdt), ("obdfilter.fs-OST0000", ost)):
            text += f"# time={T + second}\n{target}.job_stats=\njob_stats:\n{entries.get(second, '')}"
    (folder / "job_stats.txt").write_text(text)
    (folder / "jobs.csv").write_text("job_id,user,name,start,end\n" + "".join(f"{job},ada,app,{T + start},{T + 180}\n" for job, start in ((201, 0), (202, 60), (203, 60))))
    store = folder / "tagged"
    ingest(store, folder / "job_stats.txt", folder / "jobs.csv")
    expect_equal(info(store)["metadata_ops"], 6600 + 1200, "metadata operations in all")
    criteria = rows_of("criteria", store, "--min-runtime", 0, "--threshold", 0)
    expect_equal(list(criteria[0])[-3:], ["metadata_ops", "metadata_rate_max", "metadata_rate_mean"], "the last columns")
    found = {row["job_id"]: row for row in criteria}
    expect("203" not in found, "a job that moves no bytes is left out, unless it is asked for")
    found["203"] = rows_of("criteria", store, "--job", 203, "--threshold", 0)[0]
    for job, total, largest, mean in ((201, 6600, 100, 6600 / 180), (203, 1200, 20, 1200 / 120)):
        row = found[str(job)]
        close_to(row["metadata_ops"], total, f"operations of {job}")
        close_to(row["metadata_rate_max"], largest, f"largest rate of {job}")
        close_to(row["metadata_rate_mean"], mean, f"mean rate of {job}")
    close_to(found["201"]["opens"], 60, "opens of 201")
    expect_equal([found["202"][name] for name in ("metadata_ops", "metadata_rate_max", "metadata_rate_mean")], ["", "", ""], "of 202 nothing is known")
    slots = rows_of("timeline", store, "--job", 201, "--step", 60)
    expect_equal(list(slots[0])[-1], "metadata_ops", "the last column of a timeline")
    expect_equal([round(float(slot["metadata_ops"])) for slot in slots], [600, 6000, 0], "a job minute by minute")
    # The MDT moves no bytes: on average over units there is one.
    close_to(slots[0]["unit_write_bytes_mean"], 6e6, "the mean over units that count bytes")
    text = run("criteria", store, "--job", 201).stdout
    expect("Metadata operations" in text and "100" in text, f"the analysis map has no metadata operations:\n{text}")
    population = {row["key"]: row for row in rows_of("population", store, "--min-runtime", 0) if row["criterion"] == "1.7"}
    expect_equal(population["metadata_ops"]["n"], "1", "jobs with metadata operations, of those that move bytes")
    close_to(population["metadata_ops"]["max"], 6600, "the most of them")
    why = {row["job_id"]: row["why"] for row in rows_of("population", store, "--min-runtime", 0, "--table", "selection")}
    expect("most metadata operations: 6,600" in why.get("201", ""), f"who does most: {why}")
    servers = [row["server"] for row in rows_of("population", store, "--min-runtime", 0, "--table", "servers")]
    expect_equal(servers, ["fs-OST0000"], "servers that move data")
    window = {row["job_id"]: row for row in rows_of("criteria", store, "--link", "window", "--min-runtime", 0, "--threshold", 0)}
    close_to(window["202"]["units"], 1, "units of a window: servers that count data")
    say("tagged operations of an MDT: total, largest and mean rate of each job; unknown where nobody counted")


def gpfs(folder):
    """Opens wrap: 4,294,967,290 to 10 are 16. With 5 closes, 2 directory reads and 1 inode update 24 operations; the sum of the printed numbers fell."""
    line = "_fs_io_s_ _n_ 10.0.0.1 _nn_ ion1 _rc_ 0 _t_ {} _tu_ 0 _cl_ c _fs_ work _d_ 4 _br_ {} _bw_ 0 _oc_ {} _cc_ {} _rdc_ 0 _wc_ 0 _dir_ {} _iu_ {}\n"
    (folder / "mmpmon.txt").write_text(line.format(T, 1000, 4_294_967_290, 100, 10, 20) + line.format(T + 120, 2000, 10, 105, 12, 21))
    (folder / "gpfs.csv").write_text(f"job_id,start,end,servers\n1,{T},{T + 120},ion1\n")
    store = folder / "gpfs"
    ingest(store, folder / "mmpmon.txt", folder / "gpfs.csv")
    facts = info(store)
    expect_equal((facts["wraps"], facts["opens"], facts["metadata_ops"]), (1, 16, 24), "wraps, opens, metadata operations")
    row = rows_of("criteria", store, "--min-runtime", 0)[0]
    close_to(row["metadata_ops"], 24, "of the job")
    close_to(row["metadata_rate_max"], 0.2, "its rate")
    say("GPFS: the sum of parts of which one wrapped")


def plain_csv(folder):
    (folder / "counters.csv").write_text(f"t,server,read_bytes,metadata_ops\n{T},mds,,100\n{T + 10},mds,,350\n{T},oss,5,\n{T + 10},oss,15,\n")
    store = folder / "csv"
    ingest(store, folder / "counters.csv")
    expect_equal((info(store)["metadata_ops"], info(store)["read_bytes"], info(store)["opens"]), (250, 10, None), "counters_csv")
    say("counters_csv: its own column")


def real(folder):
    path = project.parent / "shared" / "data" / "pytokio" / "snx11025_2018-01-28.sqlite3"
    if not path.exists():
        return left_out(f"metadata operations of real counters: they are not here ({path})")
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    sums = {}
    for stamp, operation, samples in database.execute("SELECT TS_ID, OPERATION_NAME, SAMPLES FROM MDS_OPS_DATA JOIN OPERATION_INFO USING (OPERATION_ID)"):
        if operation not in HOUSEKEEPING:
            sums[stamp] = sums.get(stamp, 0) + int(samples)
    wanted = sums[max(sums)] - sums[min(sums)]
    ingest(folder / "lmt", path)
    facts = info(folder / "lmt")
    expect_equal((facts["servers"], facts["metadata_ops"]), (25, wanted), "LMT: servers and metadata operations")
    done = run("bursts", folder / "lmt", "--format", "csv")
    expect("24 servers" in done.stderr, f"an MDS is no server of data: {done.stderr}")
    say(f"LMT: {wanted} metadata operations of a real MDT in five minutes")


with scratch() as folder:
    tagged(folder)
    gpfs(folder)
    plain_csv(folder)
    real(folder)
