# SPDX-License-Identifier: Apache-2.0
"""fathom load, train and advise --replay: a store whose load is known, weights learned and read back, from runs and from a store, input that must be refused."""
import tomllib

from fathom_e2e import *
from shared_servers import *

start = 1500000000


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def throughput(server, slot):
    """MB/s of each server in each slot of 10 s; nothing while `quiet` is not measured."""
    if server == "quiet" and slot % 120 >= 60:
        return None
    return {"idle": 1, "busy": 100, "half": 75 if slot % 2 else 2, "quiet": 40, "other": 5}[server]


def expected(server, slots):
    """Fractions by band as the load table defines them, computed once more: a mean over windows of shares of measured time."""
    windows, measured_slots = [], 0
    for window in range(4):
        counts, measured = [0] * 17, 0
        for slot in slots[window * 30:(window + 1) * 30]:
            value = throughput(server, slot)
            if value is not None:
                measured += 1
                counts[int(value // 30)] += 1
        measured_slots += measured
        if measured:
            windows.append([count / measured for count in counts])
    return [sum(each) / len(windows) for each in zip(*windows)], measured_slots / 120


def make_store(folder):
    servers = {"idle": "fs1", "busy": "fs1", "half": "fs1", "quiet": "fs1", "other": "fs2"}
    lines, totals = ["t,server,filesystem,read_bytes,write_bytes"], dict.fromkeys(servers, 0)
    for slot in range(-1, 360):
        for server, filesystem in servers.items():
            value = throughput(server, slot)
            if value is not None and slot >= 0:
                totals[server] += int(value * 10e6)
            if value is not None:
                lines.append(f"{start + 10 * (slot + 1)},{server},{filesystem},{totals[server] // 3},{totals[server] - totals[server] // 3}")
    (folder / "counters.csv").write_text("\n".join(lines) + "\n")
    ingest(folder / "store", folder / "counters.csv")
    return folder / "store"


def the_load(folder, store):
    found = rows("load", store)
    expect_equal(sorted(row["server"] for row in found), ["busy", "half", "idle", "other", "quiet"], "servers")
    for end in (360, 200):
        for row in rows("load", store, "--at", start + 10 * end):
            # The newest window first; a gap's first increment after it is too long to say when its bytes moved.
            slots = [slot for slot in range(end - 1, end - 121, -1)]
            fractions, coverage = expected(row["server"], slots)
            if row["server"] == "quiet":
                expect(0.45 <= float(row["coverage"]) <= 0.5, f"half of quiet's time was measured, not {row['coverage']}")
                expect_equal(float(row["band_1"]), 1.0, "what was measured of quiet is all in one band")
                continue
            expect_equal(float(row["coverage"]), coverage, f"coverage of {row['server']}")
            for band, fraction in enumerate(fractions):
                expect(abs(float(row[f"band_{band}"]) - fraction) < 1e-9, f"{row['server']} at slot {end}, band {band}: {row[f'band_{band}']} instead of {fraction}")
    score = {row["server"]: float(row["score"]) for row in found}
    expect(score["idle"] < score["half"] < score["busy"], f"scores rise with load: {score}")
    expect_equal({row["server"] for row in rows("load", store, "--filesystem", "fs2")}, {"other"}, "servers of fs2")
    expect("0-30" in run("load", store).stdout, "bands in the table for people")
    refused("load", store, "--filesystem", "fs3", naming=["fs3", "fs1"])
    refused("load", store, "--at", "2030-01-01", naming=["2017"])
    refused("load", store, "--at", "never", exit_code=2, naming=["--at"])
    refused("load", store, "--weights", folder / "none.toml", naming=["none.toml"])
    say("the load table of a store, now and at an earlier time")


def training(folder, store):
    """Normalised I/O time = 1 + 2 x share of time in band 1 or above; one run in five is far off."""
    chance = random.Random(4)
    lines = ["application,throughput,io_to_compute,normalised,band_0,band_1,band_2"]
    for i in range(400):
        busy, part = chance.uniform(0, 0.5), chance.uniform(0, 1)
        lines.append(f"A,{chance.uniform(1e9, 90e9)},{chance.uniform(0, 1)},{1 + 2 * busy + (chance.uniform(5, 50) if i % 5 == 0 else 0)},{1 - busy},{busy * part},{busy - busy * part}")
    path, weights = folder / "runs.csv", folder / "weights.toml"
    path.write_text("\n".join(lines) + "\n")
    done = run("train", path, "--peak", 90e6, "-o", weights)
    expect("400 training points" in done.stderr, done.stderr)
    line = next(line for line in weights.read_text().splitlines() if line.startswith("band = "))
    found = json.loads(line.removeprefix("band = "))
    expect(all(abs(value - wanted) < 1e-6 for value, wanted in zip(found, (1, 3, 3))), f"planted weights 1, 3, 3: {found}")
    scores = {row["server"]: float(row["score"]) for row in rows("load", store, "--weights", weights)}
    expect(abs(scores["half"] - 2) < 1e-6 and abs(scores["busy"] - 3) < 1e-6, f"scores with these weights: {scores}")
    refused("train", path, naming=["3 bands", "17"])
    refused("train", exit_code=2, naming=["--simulated"])
    refused("train", path, "--simulated", exit_code=2, naming=["--simulated"])
    path.write_text("throughput,io_to_compute,normalised,band_0\n1,1,1,0.5\n")
    refused("train", path, naming=["runs.csv:2", "0.5"])
    weights.write_text("[load]\nbandwidth = 3\n")
    refused("load", store, "--weights", weights, naming=["weights.toml:", "band_width"])
    say("weights from training runs with gross outliers, read back by load")


LEVELS = (0, 40e6, 70e6)  # bytes per second of other people on each server: bands 0, 1 and 2
LENGTHS = (40, 60, 80)  # seconds that a burst takes then: 1, 1.5 and 2 times as long as alone


def contended():
    """Runs of one application, one after the other. From 25 minutes before a run's start others keep all servers at one of the levels, for five runs each."""
    machine, loads = Machine(7, 4), {}
    t = 3000
    while (end := t + 2700) < machine.slots * STEP - 3000:
        number, following = len(loads), end + 10 * machine.chance.randrange(180, 240)
        level = number // 5 % 3
        for server in machine.written:
            for slot in range((t - 1500) // STEP, min((following - 1500) // STEP, machine.slots)):
                server[slot] += int(LEVELS[level] * STEP)
        machine.job("checkpoint.x", t, end - t)
        loads[str(len(machine.jobs))] = level
        if number not in (9, 23):  # these are without I/O
            for k in range(8):
                machine.burst(t + 300 * (k + 0.5 + machine.chance.gauss(0, 0.02)), 9e9 * machine.chance.uniform(0.97, 1.03), LENGTHS[level], 6)
        t = following
    machine.job("once.x", 3000, 9000, user="eve")
    return machine, loads


def training_on_a_store(folder):
    """The runs of a mined application are training runs; learned from them as a file the weights are the same."""
    machine, loads = contended()
    store, runs_file = folder / "contended", folder / "contended.csv"
    counters = machine.log(folder / "contended-counters.csv", 0, machine.slots)
    ingest(store, counters, machine.job_log(folder / "contended-jobs.csv"))
    refused("train", store, naming=[f"training on {store}: no application's pattern is known", f"fathom mine {store}"])
    run("mine", store)
    options = ("--peak", 120e6)
    done = run("train", store, *options, "--runs-out", runs_file, "-o", folder / "from-store.toml")
    with open(runs_file) as file:
        found = list(csv.DictReader(file))
    expect(f"{len(found)} runs of 1 known application to learn from; left out: 2 runs in which no pattern was seen, {len(loads) - 2 - len(found)} runs that mining did not look at, 1 run of 1 application without a known pattern" in done.stderr, done.stderr)
    expect(40 <= len(found) < len(loads) - 2, f"{len(found)} of {len(loads)} runs")
    for row in found:
        level = loads[row["job_id"]]
        expect_equal((row["user"], row["name"], row["nodes"], row["filesystem"], row["direction"], row["servers"]), ("ann", "checkpoint.x", "16", "scratch", "write", "6"), f"run {row['job_id']}")
        expect_equal(float(row["start"]), float(machine.jobs[int(row["job_id"]) - 1][4]), f"start of run {row['job_id']}")
        # Nobody but the others was there in the 20 minutes before: all of that time is in the band of their level.
        expect(all(abs(float(row[f"band_{band}"]) - (band == level)) < 1e-9 for band in range(4)), f"load at the start of run {row['job_id']}, level {level}: {row}")
        # Of its eight bursts mining may miss some. The shortest tenth, of level 0, are 40 s long.
        expect(3 <= int(row["bursts"]) <= 8, f"bursts of run {row['job_id']}: {row}")
        for column, wanted in (("io_seconds", int(row["bursts"]) * LENGTHS[level]), ("alone_seconds", int(row["bursts"]) * 40), ("normalised", LENGTHS[level] / 40)):
            expect(abs(float(row[column]) / wanted - 1) < 0.01, f"{column} of run {row['job_id']}, level {level}: {row[column]} instead of {wanted}")
    expect_equal({loads[row["job_id"]] for row in found}, {0, 1, 2}, "levels that were seen")
    learned = tomllib.loads((folder / "from-store.toml").read_text())
    expect_equal((learned["training"]["source"], learned["training"]["points"]), (f"training runs of {store}", len(found)), "what was learned from")
    band = learned["weights"]["band"]
    expect(all(abs(value - wanted) < 0.01 for value, wanted in zip(band, (1, 1.5, 2, 2), strict=True)), f"weights, how many times as long a burst takes at each level: {band}")
    run("train", runs_file, *options, "-o", folder / "from-file.toml")
    expect_equal((folder / "from-file.toml").read_text().replace(str(runs_file), str(store)), (folder / "from-store.toml").read_text(), "learned from the runs as a file")
    again = {row["job_id"]: row["slowdown"] for row in rows("advise", store, "--replay", "--table", "runs", "--weights", folder / "from-store.toml")}
    expect_equal({row["job_id"]: row["normalised"] for row in found}, {job: again[job] for job in (row["job_id"] for row in found)}, "slowdowns that advise --replay tells")
    for job, wanted in ((next(row["job_id"] for row in found if loads[row["job_id"]] == level), verdict) for level, verdict in ((0, "run"), (2, "delay"))):
        advice = rows("advise", store, "--user", "ann", "--name", "checkpoint.x", "--nodes", 16, "--at", machine.jobs[int(job) - 1][4], "--impact", 1.2, "--weights", folder / "from-store.toml")
        expect_equal(advice[0]["advice"], wanted, f"advice at the start of run {job}: {advice}")

    few = folder / "few"
    ingest(few, counters, machine.job_log(folder / "few-jobs.csv", machine.jobs[12][5] - START))
    run("mine", few)
    said = refused("train", few, *options, "-o", folder / "few.toml", naming=[f"training on {few}: it has 12 runs to learn from, and at least 40 are needed"])
    expect("1 run in which no pattern was seen" in said.stderr and not (folder / "few.toml").exists(), said.stderr)
    refused("train", folder, naming=[folder])
    refused("train", runs_file, "--runs-out", folder / "again.csv", exit_code=2, naming=["--runs-out"])
    refused("train", "--simulated", "--runs-out", folder / "again.csv", exit_code=2, naming=["--runs-out"])
    say(f"trained on a store: {len(found)} of {len(loads)} runs, weights {', '.join(f'{value:.3f}' for value in band)}")


def replay(folder):
    weights = folder / "simulated.toml"
    run("train", "--simulated", "--seeds", 1, "--days", 2, "-o", weights)
    arguments = ("advise", "--replay", "--seeds", 1, "--days", 1, "--weights", weights)
    first = rows(*arguments)
    expect_equal([row["policy"] for row in first], ["fcfs", "advice", "tokens", "tokens_quarter"], "policies")
    expect_equal(rows(*arguments), first, "the same again")
    for row in first:
        expect(float(row["slowdown_mean"]) >= 1 and float(row["slowdown_p95"]) >= float(row["slowdown_mean"]), f"slowdowns: {row}")
    advice = first[1]
    expect(int(advice["delayed"]) > 0 and float(advice["delay_most"]) <= 1800, f"delays of at most 30 minutes: {advice}")
    trials = rows(*arguments, "--table", "trials")
    expect_equal(trials[-1]["seed"], "all", "the last row of trials")
    expect(int(trials[-1]["run_trials"]) + int(trials[-1]["delay_trials"]) > 5, f"trials: {trials}")
    refused("advise", exit_code=2, naming=["--replay"])
    refused("advise", "--replay", "--impact", 0.5, exit_code=2, naming=["--impact"])
    say("a day of the replayed machine")


SQUEUE = """#!{python}
import pathlib, sys, time
here = pathlib.Path(__file__).parent
with open(here / "asked", "a") as file:
    print(sys.argv[0].rsplit("/", 1)[1], *(word.replace("\\n", "~") for word in sys.argv[1:]), file=file)
if sys.argv[0].endswith("scontrol"):
    sys.exit(0)
(layout,) = (word for word in sys.argv if word.lower().startswith("--format="))
mark = layout[-24:]
job = ["7", "$(touch hacked);x|y\\nz", "1001", "2", "PENDING", str(int(time.time())), "N/A", "UNLIMITED", "`touch hacked`"]
print(mark.join(["7", str(int(time.time()))] if "Eligible" in layout else job) + mark)
"""


def slurm(folder, store):
    """Usage; and a round with commands that only look like Slurm's: jobs of which nothing is known are not touched, and no text of theirs is run."""
    refused("advise", "--slurm", exit_code=2, naming=["STORE"])
    refused("advise", store, "--slurm", "--replay", exit_code=2, naming=["--replay"])
    refused("advise", store, "--dry-run", exit_code=2, naming=["--slurm"])
    refused("advise", store, "--slurm", "--user", "bob", exit_code=2, naming=["--slurm"])
    refused("advise", store, "--slurm", "--lease", 5, "--poll", 5, exit_code=2, naming=["--lease"])
    refused("advise", store, "--slurm", "--weights", folder / "none.toml", naming=["none.toml"])
    commands = folder / "commands"
    commands.mkdir()
    for name in ("squeue", "scontrol"):
        (commands / name).write_text(SQUEUE.replace("{python}", sys.executable))
        (commands / name).chmod(0o755)
    for options in (["--dry-run"], []):
        done = subprocess.run([fathom, "advise", store, "--slurm", "--once", "--state", folder / "state", *options], capture_output=True, text=True, cwd=folder, env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"})
        expect_equal(done.returncode, 0, f"one round\n{done.stderr}")
    asked = (commands / "asked").read_text()
    expect("squeue --all" in asked and "scontrol" not in asked, f"what was asked of Slurm: {asked}")
    expect_equal((folder / "state" / "applications").read_text().split()[:2], ["fathom-advice", "1"], "the list for job_submit.lua")
    expect(not list(folder.rglob("hacked")), "a name was run")
    empty = {**os.environ, "PATH": str(folder)}
    done = subprocess.run([fathom, "advise", store, "--slurm", "--once", "--state", folder / "state"], capture_output=True, text=True, env=empty)
    expect(done.returncode == 0 and "squeue" in done.stderr, f"without Slurm's commands it says so, and goes on: {done.stderr}")
    say("advice for Slurm: usage, and a round with made commands")


with scratch() as folder:
    store = make_store(folder)
    the_load(folder, store)
    training(folder, store)
    training_on_a_store(folder)
    replay(folder)
    slurm(folder, store)
