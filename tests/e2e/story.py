# SPDX-License-Identifier: Apache-2.0
"""The synthetic machine `harbour` against its truth: who moved what (fathom top), one job from both sides (fathom timeline --both-sides), its trace, its rhythm."""
import collections
import math

from fathom_e2e import *


def rows_of(path):
    return list(csv.DictReader(open(path)))


def asked(*arguments):
    done = run(*arguments, "--format", "csv")
    return list(csv.DictReader(io.StringIO(done.stdout))), done.stderr


def expect_near(found, wanted, tolerance, what):
    expect(abs(float(found) - wanted) <= tolerance, f"{what}: expected {wanted} within {tolerance}, found {found}")


FLOWS = ["read_bytes", "write_bytes", "read_ops", "write_ops"]


def sums(traffic, key, start, end):
    """What the truth says of (start, end], by whatever `key` makes of a row."""
    found = collections.defaultdict(lambda: [0, 0, 0, 0])
    for row in traffic:
        if start < int(row["t"]) <= end:
            for i, name in enumerate(FLOWS):
                found[key(row)][i] += int(row[name])
    return found


def check_rows(rows, wanted, name, what):
    """Spans begin and end at readings, and every increment lies between two readings: sums are whole numbers below 2^53, so nothing is lost."""
    expect_equal({row[name] for row in rows}, {who for who, amounts in wanted.items() if any(amounts)}, what)
    for row in rows:
        for i, flow in enumerate(FLOWS):
            expect_near(row[flow], wanted[row[name]][i], 1, f"{flow} of {row[name]}, {what}")


def check_top(store, truth):
    jobs = {row["job_id"]: row for row in rows_of(truth / "jobs.csv")}
    traffic = rows_of(truth / "traffic.csv")
    hours = collections.Counter()
    for row in traffic:
        hours[(int(row["t"]) - 1) // 3600] += int(row["read_bytes"]) + int(row["write_bytes"])
    start = hours.most_common(1)[0][0] * 3600
    end = start + 3600
    rows, talk = asked("top", store)
    expect("the busiest hour" in talk and time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start)) in talk, f"which hour it is:\n{talk}")
    by_job = sums(traffic, lambda row: row["job_id"], start, end)
    nobody = by_job.pop("")
    check_rows(rows, by_job, "job_id", "the busiest hour by job")
    total = sum(nobody[:2]) + sum(sum(amounts[:2]) for amounts in by_job.values())
    requests = sum(nobody[2:]) + sum(sum(amounts[2:]) for amounts in by_job.values())
    expect_equal(rows, sorted(rows, key=lambda row: -float(row["read_bytes"]) - float(row["write_bytes"])), "order of the rows")
    for row in rows:
        amounts = by_job[row["job_id"]]
        expect_near(row["share"], sum(amounts[:2]) / total, 1e-9, f"share of {row['job_id']}")
        expect_near(row["ops_share"], sum(amounts[2:]) / requests, 1e-9, f"share of requests of {row['job_id']}")
        # A slot is 10 s, as an increment is, and both begin at whole multiples of 10 s: a peak is what one increment of each server holds. Where the job began or ended inside a
        # slot its bytes flow in the rest of it, in the same slot.
        slots = sums([r for r in traffic if r["job_id"] == row["job_id"]], lambda r: r["t"], start, end)
        expect_near(row["peak"], max(sum(amounts[:2]) for amounts in slots.values()) / 10, 1, f"peak of {row['job_id']}")
        expect_equal(row["user"], jobs[row["job_id"]]["user"], "its user")
    gib = sum(nobody[:2]) / 2**30
    expect(f"{gib:.1f} GiB" in talk and "carry no known job's name" in talk, f"{gib:.1f} GiB of nobody:\n{talk}")
    say(f"top: {len(rows)} jobs of the busiest hour, {100 * sum(nobody[:2]) / total:.1f} % nobody's, as in the truth")

    first, last = min(int(row["t"]) for row in traffic) - 10, max(int(row["t"]) for row in traffic)
    for by, key in [("user", lambda row: jobs[row["job_id"]]["user"]), ("application", lambda row: jobs[row["job_id"]]["name"])]:
        rows, _ = asked("top", store, "--by", by, "--from", first, "--to", last)
        check_rows(rows, sums([r for r in traffic if r["job_id"]], key, first, last), "user" if by == "user" else "name", f"all time by {by}")
    rows, _ = asked("top", store, "--by", "server", "--last", 1800)
    check_rows(rows, sums(traffic, lambda row: row["server"], last - 1800, last), "server", "the last half hour by server")
    expect_near(sum(float(row["share"]) for row in rows), 1, 1e-9, "shares of all servers")
    say("top: by user, application and server as in the truth")


def check_other_servers(folder, logs):
    """Without tags nothing can be attributed where servers are shared; where a job has its servers to itself its bytes are those of fathom criteria."""
    nameless = folder / "nameless"
    ingest(nameless, logs / "ost-stats.txt", logs / "sacct.txt", "--servers", "shared")
    rows, talk = asked("top", nameless)
    expect_equal(rows, [], "rows of a store without tags")
    expect("(100 %) carry no known job's name" in talk, f"all of it is nobody's:\n{talk}")
    expect_equal(len(asked("top", nameless, "--by", "server")[0]), 12, "servers")
    synth(folder / "small-logs", "small")
    ingest(folder / "small", folder / "small-logs", "--servers", "exclusive")
    measured, _ = asked("criteria", folder / "small", "--min-runtime", 0, "--link", "weighted")
    known = info(folder / "small")
    rows, talk = asked("top", folder / "small", "--from", int(known["start"]) - 86400, "--to", int(known["end"]) + 86400)
    by_id = {row["job_id"]: row for row in rows}
    expect(len(measured) > 20, "jobs of `small`")
    for row in measured:
        for flow in FLOWS:
            # Both add the same parts, in another order: 1e-9 of their size; requests are whole numbers here.
            expect_near(by_id[row["job_id"]][flow], float(row[flow]), 1e-9 * float(row[flow]) + 1, f"{flow} of job {row['job_id']} of `small`")
    refused("top", folder / "small", "--from", 10, "--to", 10, exit_code=2, naming=["empty"])
    say(f"top: nothing attributed without tags; {len(measured)} jobs with servers of their own as in `fathom criteria`")


def check_both_sides(store, truth, job):
    wanted = rows_of(truth / "both_sides.csv")
    whole = rows_of(truth / "traced.csv")[0]
    rows, talk = asked("timeline", store, "--job", job, "--both-sides", "--step", 10)
    expect_equal(list(rows[0]), "t,length,client_read_bytes,client_write_bytes,server_read_bytes,server_write_bytes,servers_bytes,share".split(","), "columns")
    expect_equal(len(rows), len(wanted), "slots")
    for found, true in zip(rows, wanted):
        when = true["t"]
        expect(0 <= float(found["t"]) - int(when) < 10, f"slot {found['t']} for {when}")
        for name in ["client_read_bytes", "client_write_bytes"]:
            # A call on the border of two slots lies in two slices of a second, too: both round down its first part. Sums are whole.
            expect_near(found[name], int(true[name]), 1, f"{name} at {when}")
        for name in ["server_read_bytes", "server_write_bytes"]:
            expect_near(found[name], int(true[name]), 1, f"{name} at {when}")
        # The servers' own counters flow evenly through each step: of a slot that the job began or ended in, the part inside the job counts.
        inside = float(found["length"]) / 10
        expect_near(found["servers_bytes"], int(true["servers_bytes"]) * inside, 2, f"servers_bytes at {when}")
        if inside == 1:
            explained = (int(true["server_read_bytes"]) + int(true["server_write_bytes"])) / int(true["servers_bytes"])
            expect_near(found["share"], explained, 1e-9, f"share at {when}")
    for side in ["client", "server"]:
        for way in ["read", "write"]:
            total = sum(float(row[f"{side}_{way}_bytes"]) for row in rows)
            expect_near(total, int(whole[f"{side}_{way}_bytes"]), len(rows), f"{side} {way} in all")
    # Where in its page (4096 bytes) a call begins: 47,008 is an odd multiple of 32, so every multiple of 32 comes equally often in the 65,536 calls of a checkpoint. Whole pages
    # around x = begin + 47008 bytes: x up to its page's end, on average (4096 - 32) / 2 at either side.
    ratio = int(whole["server_write_bytes"]) / int(whole["client_write_bytes"])
    expect_near(ratio, (47008 + 4096 - 32) / 47008, 1e-12, "bytes on the servers to those on the clients")
    expect_near(int(whole["client_read_bytes"]) / int(whole["server_read_bytes"]), 8, 1e-9, "reads that eight ranks of a node share")
    delay = float(next(line for line in talk.splitlines() if "after the clients" in line).split(" s after")[0].split()[-1])
    # Delays are tried second by second, and while the clients' burst (24 s) lies inside the servers' (30 s) all fit alike; slots are 10 s. The middle of those is within half the
    # difference of the bursts (3 s) of the true distance of their middles.
    expect_near(delay, float(whole["write_delay_s"]), 3, "delay of writes")
    expect(f"{ratio:.3f} times as much" in talk, f"ratio {ratio:.3f}:\n{talk}")
    plot = run("timeline", store, "--job", job, "--both-sides").stdout
    for words in ["clients: writes of its processes", "servers: writes that they did for it", "share of all traffic of its servers", "after the clients"]:
        expect(words in plot, f"the picture says '{words}':\n{plot}")
    other = next(row["job_id"] for row in rows_of(truth / "jobs.csv") if row["traced"] == "0" and row["kind"] == "checkpoint")
    refused("timeline", store, "--job", other, "--both-sides", naming=["no time slices", other])
    say(f"both sides: {len(rows)} slots as in the truth; ratio {ratio:.3f}; delay {delay} s for {whole['write_delay_s']} s")


def check_trace(store, logs, truth):
    whole = rows_of(truth / "traced.csv")[0]
    folder = logs / "traces" / whole["job_id"]
    summary = json.loads(run("trace", "summary", folder, "--format", "json").stdout)
    posix = summary["interfaces"]["posix"]
    expect_equal(summary["ranks"], int(whole["ranks"]), "ranks")
    expect_equal(posix["read_calls"] + posix["write_calls"], int(whole["calls"]), "calls")
    expect_equal((posix["read_bytes"], posix["write_bytes"]), (int(whole["client_read_bytes"]), int(whole["client_write_bytes"])), "bytes of the trace")
    rows = run("slices", folder, "--format", "csv").stdout
    expect(rows.count("\n") > 100, "slices of the trace")
    say(f"trace: {whole['calls']} calls, read back as they were made")
    return whole["job_id"]


def check_rhythm(store, truth):
    true = rows_of(truth / "applications.csv")[0]
    run("mine", store)
    rows, _ = asked("apps", store)
    found = next(row for row in rows if row["name"] == true["name"])
    expect_equal(found["state"], "validated", f"state of {true['name']} ({found['reason']})")
    # As on spider (docs/mining.md): the period within 2 %, the volume within 10 %, the servers within a fifth.
    expect_near(found["period_s"], float(true["period_s"]), 0.02 * float(true["period_s"]), "period")
    expect_near(found["burst_bytes"], int(true["burst_bytes"]), 0.1 * int(true["burst_bytes"]), "volume")
    expect_near(found["footprint"], int(true["footprint"]), 0.2 * int(true["footprint"]), "servers of a burst")
    expect(float(found["confidence"]) > 0.9, f"confidence {found['confidence']}")
    expect(all(row["state"] != "validated" for row in rows if row["name"] in ("genome", "render", "lattice", "postproc")), "applications without a rhythm")
    say(f"mine: {true['name']} every {found['period_s']} s for {true['period_s']} s, confidence {found['confidence']}")


def check_delivery(folder):
    """--into gives what reading the logs gives."""
    logs = synth(folder / "short-logs", "harbour", "--days", 0.1)
    ingest(folder / "read", logs)
    run("synth", "harbour", "--into", folder / "delivered", "--days", 0.1)
    read, delivered = info(folder / "read"), info(folder / "delivered")
    for name in ["increments", "servers", "filesystems", "jobs", "start", "end", "read_bytes", "write_bytes", "read_ops", "write_ops", "resets", "gaps", "coverage"]:
        expect_equal(delivered[name], read[name], f"{name} of both ways into a store")
    again = synth(folder / "again", "harbour", "--days", 0.1)
    for path in sorted(logs.rglob("*")):
        if path.is_file():
            expect(path.read_bytes() == (again / path.relative_to(logs)).read_bytes(), f"{path} made twice")
    say("the same seed gives the same files, and --into the same store")


with scratch() as folder:
    logs = synth(folder / "logs", "harbour")
    done = ingest(folder / "store", logs, "--servers", "shared")
    expect("run of job" in done.stderr, f"the trace below the logs is linked:\n{done.stderr}")
    check(folder / "store")
    truth = logs / "truth"
    say("harbour: made and ingested")
    job = check_trace(folder / "store", logs, truth)
    check_top(folder / "store", truth)
    check_both_sides(folder / "store", truth, job)
    check_rhythm(folder / "store", truth)
    check_delivery(folder)
    check_other_servers(folder, logs)
