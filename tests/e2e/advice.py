# SPDX-License-Identifier: Apache-2.0
"""fathom load, train and advise --replay: a store whose load is known, weights learned and read back, input that must be refused."""
from fathom_e2e import *

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
    replay(folder)
    slurm(folder, store)
