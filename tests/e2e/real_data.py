# SPDX-License-Identifier: Apache-2.0
"""Logs of real sites, where they are at hand: job counts that others published, sums computed from the raw tables here."""
import sqlite3

from fathom_e2e import *

data = project.parent / "shared" / "data"
if not data.is_dir():
    skip(f"the real logs are not here ({data})")


def raw_counters(path):
    """LMT's table of counters as {OST: [(t, read, write)]} in order of time."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        rows = database.execute(
            "SELECT OST_ID, CAST(strftime('%s', TIMESTAMP) AS INTEGER), READ_BYTES, WRITE_BYTES FROM OST_DATA JOIN TIMESTAMP_INFO USING (TS_ID) ORDER BY 1, 2"
        ).fetchall()
    series = {}
    for ost, t, read, write in rows:
        series.setdefault(ost, []).append((t, int(read), int(write)))
    return series


def slurm_jobs(folder):
    ingest(folder / "jobs", data / "xdmod" / "phillips.log")
    facts = info(folder / "jobs")
    expect_equal(facts["jobs"], 4046, "jobs of phillips.log that ran")
    expect_equal(facts["left_out"], 239, "jobs of phillips.log that never ran")
    expect_equal(facts["rejected"], 0, "rejected lines of phillips.log")
    check(folder / "jobs")
    say("phillips.log: 4,046 jobs ran, 239 never did")


def other_job_logs(folder):
    """Grid Engine, Univa and LSF, field by field as XDMoD reads them."""
    for kind, names in {"sge": ("job_number", "owner", "job_name", "submission_time", "start_time", "end_time"), "uge": ("job_number", "owner", "job_name", "submission_time", "start_time", "end_time"),
                        "lsf": ("job_id", "user_name", "job_name", "submit_time", "start_time", "event_time")}.items():
        for path in sorted((data / "xdmod" / "shredder" / kind / "input").glob("*.log")):
            store = folder / f"{kind}-{path.stem}"
            ingest(store, path)
            expect_equal(info(store)["rejected"], 0, f"rejected lines of {kind}/{path.name}")
            if path.stem != "accounting-logs":
                continue  # of these only a few fields are given
            wanted = {tuple(str(record[name]) for name in names) for record in json.loads((path.parents[1] / "output" / f"{path.stem}.json").read_text())}
            rows = sql(f"SELECT job_id, user_name, name, floor(epoch(submit_time))::BIGINT AS submitted, floor(epoch(start_time))::BIGINT AS started, floor(epoch(end_time))::BIGINT AS ended FROM read_parquet('{store}/jobs/*/*.parquet')")
            found = {(row["job_id"], row["user_name"], row["name"], row["submitted"], row["started"], row["ended"]) for row in rows}
            expect_equal(found, wanted, f"jobs of {kind}/{path.name}")
            check(store)
    say("Grid Engine, Univa and LSF: every field as XDMoD reads it")


def lmt_sums(folder):
    path = data / "pytokio" / "snx11025_2018-01-28.sqlite3"
    series = raw_counters(path)
    ingest(folder / "lmt", path)
    facts = info(folder / "lmt")
    for name, column in (("read_bytes", 1), ("write_bytes", 2)):
        expect_equal(facts[name], sum(rows[-1][column] - rows[0][column] for rows in series.values()), f"LMT: {name}")
    expect_equal(round(facts["write_bytes"] / 2**30, 4), 110.8627, "LMT: GiB written, as its publishers converted it")
    expect_equal(round(facts["read_bytes"] / 2**30, 4), 5.9113, "LMT: GiB read")
    expect_equal((facts["servers"], facts["increments"]), (25, sum(len(rows) - 1 for rows in series.values()) + 60), "LMT: servers and increments, of 24 OSTs and an MDT")
    expect_equal((facts["gaps"], facts["resets_inferred"], facts["coverage"]), (0, 0, 1.0), "LMT: gaps, resets, coverage")
    check(folder / "lmt")
    say(f"LMT, 24 OSTs: {facts['write_bytes']} bytes written and {facts['read_bytes']} read, to the byte")


def lmt_reset(folder):
    """An OSS rebooted: 200 s without samples, then counters from zero. What was written before the last sample counts, and after."""
    path = data / "pytokio" / "lmtdb-reset.sqlite3"
    rows = next(iter(raw_counters(path).values()))
    falls = [(a[0], b[0]) for a, b in zip(rows, rows[1:]) if b[1] < a[1] or b[2] < a[2]]
    gaps = [(a[0], b[0]) for a, b in zip(rows, rows[1:]) if b[0] - a[0] > 12.5]  # 2.5 times the usual 5 s
    expect_equal([(b - a) for a, b in gaps], [200], "the raw table's gaps")
    expect_equal(falls, gaps, "the raw table's falls")
    store = folder / "reset"
    ingest(store, path)
    facts = info(store)
    expect_equal((facts["resets_inferred"], facts["gaps"], facts["increments"]), (1, 1, len(rows) - 1 + 64), "LMT reset: resets, gaps, increments, 64 of them of the MDT")
    for name, column in (("read_bytes", 1), ("write_bytes", 2)):
        amounts = [b[column] - a[column] if b[column] >= a[column] else b[column] for a, b in zip(rows, rows[1:])]
        expect_equal(facts[name], sum(amounts), f"LMT reset: {name}")
    inferred = sql(f"SELECT epoch(start_time)::BIGINT AS a, epoch(end_time)::BIGINT AS b, write_bytes FROM {table(store)} WHERE flags & 2 <> 0")
    expect_equal([(int(row["a"]), int(row["b"])) for row in inferred], gaps, "LMT reset: where the reset was inferred")
    check(store)
    say("LMT reset: one reset inferred, in the one gap of 200 s; nothing negative, nothing invented")


def lmt_window(folder):
    """One made-up job as long as the log: `--link window` gives it what the publishers' own conversions found, to the byte; over a reboot it says what is missing."""
    series = {name: raw_counters(data / "pytokio" / f"{name}.sqlite3") for name in ("snx11025_2018-01-28", "lmtdb-reset")}
    found = {}
    for name, osts in series.items():
        store, job = folder / f"window-{name}", folder / f"{name}.csv"
        times = [rows[i][0] for rows in osts.values() for i in (0, -1)]
        job.write_text(f"job_id,user,name,nodes,start,end\nall,nobody,all,1,{min(times)},{max(times)}\n")
        ingest(store, data / "pytokio" / f"{name}.sqlite3", job)
        done = run("criteria", store, "--link", "window", "--min-runtime", 0, "--no-keep", "--format", "csv")
        found[name] = next(csv.DictReader(io.StringIO(done.stdout)))
        for counter, column in (("read_bytes", 1), ("write_bytes", 2)):
            amounts = [b[column] - a[column] if b[column] >= a[column] else b[column] for rows in osts.values() for a, b in zip(rows, rows[1:])]
            expect_equal(float(found[name][counter]), float(sum(amounts)), f"{name}, one job: {counter}")
    whole, rebooted = found.values()
    expect_equal(whole["coverage"], "1", "coverage of the whole log")
    expect_equal(float(rebooted["coverage"]), 120 / 320, "coverage of a window of 320 s with 200 s without samples")
    expect({"low_coverage", "reset", "gap"} <= set(rebooted["flags"].split(";")), f"flags of a window with a reboot: {rebooted['flags']}")
    say("LMT, one job as long as the log: volumes to the byte; over the reboot coverage 0.375, flagged")


def lustre_files(folder):
    proc = data / "telegraf-lustre2" / "v2.12" / "proc" / "fs" / "lustre"
    store = folder / "lustre"
    ingest(store, proc / "obdfilter" / "OST0001" / "job_stats", proc / "mdt" / "OST0001" / "job_stats")
    ingest(store, proc / "obdfilter" / "OST0001" / "stats", "--server", "OST0001", "--time", "2016-04-27T16:00:00Z")
    formats = [source["format"] for source in info(store)["sources"]]
    expect_equal(formats, ["lustre_job_stats", "lustre_job_stats", "lustre_stats"], "formats of Lustre's files")
    # That collection calls its MDT like the OST: for two jobs they say different things about the same moment.
    expect_equal({name: info(store)[name] for name in ("rejected", "conflicts")}, {"rejected": 2, "conflicts": 2}, "what contradicts in Lustre's files, and nothing else is rejected")
    everything = folder / "everything"
    done = ingest(everything, data / "telegraf-lustre2")
    expect("no known kind" in done.stderr, "configuration files among Lustre's are left alone with a notice")
    check(store)
    check(everything)
    say("Lustre job_stats and stats are recognised and read; other files of the folder are left alone")


def odd_swf(folder):
    path = data / "swf" / "wagap-2013.swf.gz"
    store = folder / "swf"
    done = ingest(store, path, "--as", "swf")
    with gzip.open(path, "rt") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith(";")]
    backwards = sum(float(line[3]) < -1 for line in lines)
    facts = info(store)
    expect_equal(facts["jobs"] + facts["left_out"] + facts["rejected"], len(lines), "lines of wagap-2013 that are accounted for")
    expect_equal(facts["rejected"], backwards, "lines of wagap-2013 with a negative run time")
    expect("18 columns" in done.stderr, f"nothing is said about columns beyond SWF's:\n{done.stderr}")
    check(store)
    say(f"wagap-2013, a deviating SWF: {facts['jobs']} jobs, {facts['rejected']} rejected")


with scratch() as folder:
    slurm_jobs(folder)
    other_job_logs(folder)
    lmt_sums(folder)
    lmt_reset(folder)
    lmt_window(folder)
    lustre_files(folder)
    odd_swf(folder)
