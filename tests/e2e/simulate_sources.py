# SPDX-License-Identifier: Apache-2.0
"""`fathom simulate --trace` and `--bench`: the requests that a run really made, each once, at its own time, on the compute node of who made it."""
from traced import *

PS = 10**12


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def completions(folder, scenario, *source):
    path = folder / "completions.csv"
    run("simulate", scenario, *source, "--completions", path)
    with path.open() as file:
        return [{key: value if key in ("node", "kind") else int(value) for key, value in row.items()} for row in csv.DictReader(file)]


def job(scenario, *source):
    row, = csv.DictReader(io.StringIO(run("simulate", scenario, *source, "--format", "csv").stdout))
    return row


def truth(folder, rows):
    head = "# fathom bench truth 1\n# interface: posix\n# layout: task-local\n# tasks: 2\n# size: 4194304\n# job_id: 4711\n"
    return write(folder, "truth.csv", head + "task,phase,call,file,offset,bytes,start,end,duration,count\n" + "\n".join(rows) + "\n")


def by_hand(folder):
    """Two writes of 4 MiB by task 0, the second 1 s after the first; task 1 reads 1 MiB at 0.5 s, for as long as its row says."""
    path = truth(folder, ["0,write,open,f,0,0,100,100,0,1", "0,write,write,f,0,4194304,100,100.2,0.2,1", "0,write,write,f,4194304,4194304,101,101.2,0.2,1",
                          "0,write,close,f,0,0,103,103,0,1", "1,read,read,g,0,1048576,100.5,100.6,0.1,1"])
    same = write(folder, "jugene.toml", "")
    table = {(row["kind"], row["issued_ps"]): row for row in completions(folder, same, "--bench", path)}
    # A write is in the page pool after 4 MiB / 850 MiB/s = 4,705,882,353 ps.
    expect_equal(sorted(table), [("read", PS // 2), ("write", 0), ("write", PS)], "requests at their own times")
    expect_equal(table["write", PS]["acked_ps"], PS + 4705882353, "the second write")
    # 1 MiB / 66 GiB/s + 1 MiB / 10 Gbit/s + 1 MiB / 850 MiB/s = 14,796,402 + 838,860,800 + 1,176,470,588 ps.
    expect_equal(table["read", PS // 2]["acked_ps"], PS // 2 + 14796402 + 838860800 + 1176470588, "the read")
    # Tree links half as fast: each takes 9,411,764,706 ps. The task computes 1 s - 4,705,882,353 ps before its second write, on both.
    slow = write(folder, "slow.toml", 'original = "jugene"\n[tree]\nbandwidth = "425 MiB/s"\n')
    writes = sorted(row["issued_ps"] for row in completions(folder, slow, "--bench", path) if row["kind"] == "write")
    expect_equal(writes, [0, 9411764706 + PS - 4705882353], "computation is kept")
    row = job(slow, "--bench", path)
    expect_equal((row["job_id"], float(row["run_time_original"])), ("4711", 3.0), "the job of the truth file")
    expect(abs(float(row["run_time"]) - (3 + 2 * 0.004705882353)) < 1e-9, f"two writes are 4.7 ms later: {row}")
    same = write(folder, "same.toml", 'original = "jugene"\n')
    row = job(same, "--bench", path)
    expect_equal((row["io_ratio"], row["run_ratio"]), ("1", "1"), "the same architecture changes nothing")
    # A row that stands for many calls: spread evenly.
    path = truth(folder, ["0,write,write,f,0,1000,100,110,10,4"])
    table = completions(folder, same, "--bench", path)
    expect_equal([(row["issued_ps"], row["bytes"]) for row in table], [(i * 5 * PS // 2, 250) for i in range(4)], "four calls in ten seconds")
    say("a benchmark, to the picosecond")


def of_a_benchmark(folder):
    path = folder / "run.csv"
    run("bench", folder / "bench", "--tasks", 3, "--size", "64K", "--count", 20, "--truth", path)
    table = completions(folder, write(folder, "same.toml", ""), "--bench", path)
    expect_equal(sorted((row["kind"], row["bytes"]) for row in table), [("read", 65536)] * 60 + [("write", 65536)] * 60, "every request of the benchmark once")
    refused("simulate", folder / "same.toml", "--bench", path, "--verify", exit_code=2, naming=["--verify"])
    say("a run of the benchmark")


def of_a_trace(folder):
    program = build("gcc", "task_writes.c", folder / "task_writes")
    if program is None:
        return
    rows = traced(folder, [program, folder, 50], SLURM_PROCID="7")
    made = [(row.call, row.bytes, row.start) for row in rows if row.call in ("pwrite", "pread")]
    table = sorted(completions(folder, write(folder, "same.toml", ""), "--trace", folder / "traced"), key=lambda row: row["index"])
    expect_equal([("pwrite" if row["kind"] == "write" else "pread", row["bytes"]) for row in table], [each[:2] for each in made], "requests of the trace")
    summary = json.loads(run("trace", "summary", folder / "traced", "--format", "json").stdout)
    for row, (_, _, start_time) in zip(table, made):
        own = (start_time - summary["start"]) * PS
        expect(row["issued_ps"] >= own - 2e6, f"not before its time: {row}, {own}")  # float seconds since 1970 tell 0.2 us apart
    late = [row for row, before in zip(table[1:], table) if row["issued_ps"] < before["acked_ps"]]
    expect_equal(late, [], "one request after the other")
    row = job(write(folder, "slow.toml", 'original = "jugene"\n[tree]\nbandwidth = "1 MiB/s"\n'), "--trace", folder / "traced")
    expect(float(row["io_ratio"]) > 100 and float(row["run_time"]) > float(row["run_time_original"]), f"a slow tree: {row}")
    nothing = folder / "nothing"
    run("run", "--trace", "-o", nothing, "--", "true")
    refused("simulate", folder / "same.toml", "--trace", nothing, naming=["no POSIX reads or writes"])
    refused("simulate", folder / "same.toml", "--trace", folder / "nowhere", naming=["nowhere"])
    refused("simulate", folder / "same.toml", "--trace", nothing, "--store", nothing, exit_code=2)
    say("a traced program")


def of_ranks(folder):
    """MPI-IO and the POSIX calls inside are counted once, ranks are compute nodes in order, and too many of them are refused."""
    for flavour in flavours:
        program = build(f"mpicc.{flavour.name}", "mpi_calls.c", folder / f"mpi_calls.{flavour.name}") if flavour.mpiexec is not None else None
        if program is None:
            left_out(f"simulating a trace of {flavour.name}: it is not installed")
            continue
        traced(folder, [flavour.mpiexec, *flavour.options, "-n", 2, program, folder / "data"])
        posix = json.loads(run("trace", "summary", folder / "traced", "--format", "json").stdout)["interfaces"]["posix"]
        two = write(folder, "two.toml", "[[io_nodes]]\ncount = 64\ncompute_nodes = 1\n")
        table = completions(folder, two, "--trace", folder / "traced")
        for kind in ("read", "write"):
            own = [row["bytes"] for row in table if row["kind"] == kind]
            expect_equal((len(own), sum(own)), (posix[f"{kind}_calls"], posix[f"{kind}_bytes"]), f"{flavour.name}: {kind} requests are the POSIX calls")
        expect(len({row["node"] for row in table}) >= 2, f"{flavour.name}: a compute node for each rank")
        one = write(folder, "one.toml", "[[io_nodes]]\ncount = 1\ncompute_nodes = 1\n")
        refused("simulate", one, "--trace", folder / "traced", naming=["has 1 compute nodes"])
        say(f"{flavour.name}: {len(table)} requests of two ranks")


with scratch() as folder:
    by_hand(folder)
    of_a_benchmark(folder)
    of_a_trace(folder)
    of_ranks(folder)
