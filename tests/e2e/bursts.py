# SPDX-License-Identifier: Apache-2.0
"""fathom bursts and fathom period: a made series, a store, real data where it is at hand, and input that must be refused."""
from fathom_e2e import *


def write_series(path, period=600, step=10, slots=2000, length=4):
    """Even noise of 95 to 105 and boxes of 200 more, `length` slots long, every `period` seconds."""
    chance = random.Random(3)
    values = [100 + chance.uniform(-5, 5) for _ in range(slots)]
    starts = list(range(17, slots - length, period // step))
    for start in starts:
        for slot in range(start, start + length):
            values[slot] += 200
    path.write_text("t,value\n" + "".join(f"{1000000 + step * i},{value:.3f}\n" for i, value in enumerate(values)))
    return [1000000 + step * start for start in starts]


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def a_file(folder):
    path = folder / "series.csv"
    starts = write_series(path)
    found = rows("bursts", path)
    expect_equal(len(found), len(starts), "bursts of the made series")
    for burst, start in zip(found, starts):
        expect(abs(float(burst["start"]) - start) <= 10, f"a burst begins at {burst['start']} instead of {start}")
        expect(abs(float(burst["area"]) / 800 - 1) < 0.1, f"a burst of 800 has the area {burst['area']}")
    claim = json.loads(run("period", path, "--format", "json").stdout)
    expect_equal(claim["periodic"], True, "the made series is periodic")
    expect(abs(claim["period"] / 600 - 1) < 0.01, f"its period is {claim['period']} instead of 600")
    expect(claim["confidence"] >= 0.99 and "evidence" in claim, f"confidence and evidence: {claim}")
    expect("periodic" in run("period", path).stdout, "the table form says it in words")
    (folder / "noise.txt").write_text("".join(f"{random.Random(5 + i).uniform(0, 1)}\n" for i in range(500)))
    expect_equal(json.loads(run("period", folder / "noise.txt", "--step", 1, "--format", "json").stdout)["periodic"], False, "noise is not periodic")
    say(f"a made series: {len(starts)} bursts, period {claim['period']:.2f} s")


def bad_input(folder):
    bad = folder / "bad.csv"
    for text, words in (("", ["no values"]), ("t,value\n", ["no values"]), ("t,value\n1,x\n", ["no number", "bad.csv:2"]), ("t,value\nnever,1\n", ["no time", "bad.csv:2"]),
                        ("t,other\n1,2\n", ["--column"]), ("1\n2\n", ["--step"]), ("t,value\n0,1\n1,1\n2,1\n99999999999,1\n", ["too many slots"]), ("t,value\n5,1\n", ["--step"]),
                        ("t,value\n1,1e40\n", ["beyond"])):
        bad.write_text(text)
        for command in ("bursts", "period"):
            refused(command, bad, naming=words)
    bad.write_text("t,value\n0,1\n1,-5\n2,1\n")
    refused("bursts", bad, naming=["-5"])
    refused("bursts", folder / "nothing.csv", naming=["nothing.csv"])
    refused("period", folder / "nothing.csv", naming=["nothing.csv"])
    refused("bursts", bad, "--job", "1", exit_code=2, naming=["--job"])
    say("bad input is refused by name and line")


def a_store(folder):
    """Two servers; the sum of both is what counts, to the byte."""
    log = folder / "counters.csv"
    lines, totals = ["t,server,filesystem,read_bytes,write_bytes"], [0, 0]
    for i in range(400):
        for server in range(2):
            totals[server] += 1000 + (i * 7919 + server) % 13 + (50000 if i % 40 in (20, 21, 22) else 0)
            lines.append(f"{1500000000 + 10 * i},s{server},fs,0,{totals[server]}")
    log.write_text("\n".join(lines) + "\n")
    (folder / "jobs.csv").write_text("job_id,start,end\n7,1500001000,1500002000\n")
    ingest(folder / "store", log)
    ingest(folder / "store", folder / "jobs.csv")
    found = rows("bursts", folder / "store")
    expect_equal(len(found), 10, "bursts of the store")
    expect(all(abs(float(burst["area"]) / 300000 - 1) < 0.01 for burst in found), f"areas: {[burst['area'] for burst in found]}")
    of_job = rows("bursts", folder / "store", "--job", 7)
    expect(0 < len(of_job) < len(found), f"bursts while the job ran: {len(of_job)}")
    refused("bursts", folder / "store", "--job", 8, naming=["8"])
    refused("bursts", folder / "store", "--filesystem", "other", naming=["other", "fs"])
    refused("bursts", folder / "store", "--job", 7, "--from", "2017-01-01", exit_code=2, naming=["--from"])
    refused("bursts", folder / "store", "--from", "2030-01-01", naming=["2017"])
    say("a store: 10 bursts of two servers together")


def real_data(folder):
    path = project.parent / "shared" / "data" / "pytokio" / "snx11025_2018-01-28.sqlite3"
    if not path.exists():
        return left_out(f"bursts of real counters: they are not here ({path})")
    ingest(folder / "lmt", path)
    done = run("bursts", folder / "lmt", "--format", "csv")
    expect("24 servers, 1,440 increments, slots of 5 s, 100 % measured" in done.stderr, f"what was added up: {done.stderr}")
    found = list(csv.DictReader(io.StringIO(done.stdout)))
    say(f"five minutes of a real file system (LMT, 24 OSTs): {len(found)} bursts")


with scratch() as folder:
    a_file(folder)
    bad_input(folder)
    a_store(folder)
    real_data(folder)
