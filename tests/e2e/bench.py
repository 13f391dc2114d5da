# SPDX-License-Identifier: Apache-2.0
"""The benchmark's truth file against the files that it left: sizes, offsets, order, times; and what it refuses."""
import itertools
import resource
import signal

from fathom_e2e import *

MIB = 1 << 20


def read_truth(path):
    """The parameters of the comments, and the rows with numbers as numbers."""
    lines = pathlib.Path(path).read_text().splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines[1:] if line.startswith("# "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        for number in ("task", "offset", "bytes", "count"):
            row[number] = int(row[number])
        for time_ in ("start", "end", "duration"):
            row[time_] = float(row[time_])
    return head, rows


def expect_order(rows, count, sync, what):
    """open, count writes, (sync,) close, open, count reads, close: with times that do not go back."""
    calls = [row["call"] for row in rows]
    wanted = ["open"] + ["write"] * count + ["sync"] * sync + ["close", "open"] + ["read"] * count + ["close"]
    expect_equal(calls, wanted, f"{what}: order of calls")
    for row in rows:
        expect(row["start"] <= row["end"] and row["duration"] >= 0, f"{what}: {row} ends before it starts")
        expect(row["end"] - row["start"] - row["duration"] > -0.0005, f"{what}: {row} takes longer than from start to end")
    for before, after in itertools.pairwise(rows):
        expect(before["end"] <= after["start"] + 1e-6, f"{what}: {after} starts before {before} ends")


def expect_extents(rows, what):
    """The reads are the writes again, and together they are the file: every byte once."""
    extents = {phase: [(row["offset"], row["bytes"]) for row in rows if row["call"] == phase] for phase in ("write", "read")}
    expect_equal(extents["read"], extents["write"], f"{what}: reads against writes")
    return extents["write"]


def run_variant(folder, layout, size_option, size, sync):
    what = f"{layout} {size_option} {size}{' --sync' if sync else ''}"
    tasks, count = 5, 40
    directory = folder / "data"
    begin = time.time()
    done = run("bench", directory, "--layout", layout, size_option, size, "--tasks", tasks, "--count", count, "--keep", "--seed", 3,
               "--format", "csv", *(["--sync"] if sync else []))
    end = time.time()
    head, rows = read_truth(directory / "bench-truth.csv")
    expect_equal((head["layout"], head["tasks"], head["count"], head["interface"]), (layout, str(tasks), str(count), "posix"), f"{what}: comments")
    expect(not any(os.uname().nodename in value for value in head.values()), f"{what}: the truth names the host")
    expect(all(begin - 0.01 <= row["start"] and row["end"] <= end + 0.01 for row in rows), f"{what}: times outside of the run")
    files = {}
    for task in range(tasks):
        own = [row for row in rows if row["task"] == task]
        expect_order(own, count, int(sync), f"{what}, task {task}")
        expect_equal(len({row["file"] for row in own}), 1, f"{what}, task {task}: files")
        files.setdefault(own[0]["file"], []).extend(expect_extents(own, f"{what}, task {task}"))
    expect_equal(len(files), 1 if layout == "shared" else tasks, f"{what}: number of files")
    for name, extents in files.items():
        end_of_last = 0
        for offset, length in sorted(extents):
            expect_equal(offset, end_of_last, f"{what}: {name} is covered without holes")
            end_of_last = offset + length
        expect_equal((directory / name).stat().st_size, end_of_last, f"{what}: size of {name}")
    # Nobody reads before everybody has written.
    last_write = max(row["end"] for row in rows if row["phase"] == "write")
    expect(all(row["start"] >= last_write - 1e-6 for row in rows if row["phase"] == "read"), f"{what}: a task read before all had written")
    printed = list(csv.DictReader(io.StringIO(done.stdout)))
    for row, call in zip(printed, ("write", "read")):
        expect_equal(row["phase"], call, f"{what}: printed phases")
        moved = sum(each["bytes"] for each in rows if each["call"] == call)
        expect_equal((int(row["bytes"]), int(row["ops"])), (moved, tasks * count), f"{what}: printed bytes and ops")
        expect_equal((int(row["opens"]), int(row["closes"])), (tasks, tasks), f"{what}: printed opens and closes")
    sizes = [row["bytes"] for row in rows if row["call"] == "write"]
    if size_option == "--random-max":
        expect(1 <= min(sizes) and max(sizes) <= size and len(set(sizes)) > 20, f"{what}: sizes {sorted(set(sizes))[:5]}...")
    else:
        expect_equal(set(sizes), {size}, f"{what}: sizes")
    shutil.rmtree(directory)
    say(f"{what}: {len(rows)} calls agree with the files")
    return sizes


def compare_repeats(folder):
    """The same seed gives the same sizes, another one others; without --keep the data files go; --pause is kept."""
    sizes = []
    for seed in (7, 7, 8):
        run("bench", folder / "r", "--random-max", 1000, "--tasks", 2, "--seed", seed, "--pause", 0.3, "--truth", folder / "t.csv")
        expect_equal(list((folder / "r").iterdir()), [], "files left without --keep, with --truth elsewhere")
        rows = read_truth(folder / "t.csv")[1]
        sizes.append([row["bytes"] for row in rows])
        pause = min(row["start"] for row in rows if row["phase"] == "read") - max(row["end"] for row in rows if row["phase"] == "write")
        expect(pause >= 0.29, f"--pause 0.3 paused for {pause} s")
    expect(sizes[0] == sizes[1] != sizes[2], "sizes by seed")
    # A batch system's job id goes into the truth.
    done = subprocess.run([fathom, "bench", folder / "r"], env={**os.environ, "SLURM_JOB_ID": "4711", "SLURM_JOB_NUM_NODES": "2"}, capture_output=True)
    head = read_truth(folder / "r" / "bench-truth.csv")[0]
    expect_equal((done.returncode, head["job_id"], head["nodes"]), (0, "4711", "2"), "job id and nodes of the batch system")
    shutil.rmtree(folder / "r")
    say("seeds, --pause, --truth and the batch system's job id are as they should be")


def refuse_nonsense(folder):
    for option, value in (("--size", 0), ("--count", 0), ("--tasks", 0), ("--size", "4Q"), ("--size", "20Gi"), ("--size", 10**30), ("--count", 10**15),
                          ("--tasks", 10**7), ("--pause", -1), ("--layout", "none"), ("--interface", "nfs")):
        refused("bench", folder / "n", option, value, exit_code=2)
    refused("bench", folder / "n", "--size", 5, "--random-max", 5, exit_code=2)
    refused("bench", exit_code=2, naming=["DIR"])
    refused("bench", folder / "n", "--interface", "mpiio", exit_code=2, naming=["mpiexec -n"])
    expect(not (folder / "n").exists(), "a refused run made its directory")
    refused("bench", folder / "n", "--size", "1Gi", "--count", 1000000, naming=["PiB are to be written"])
    (folder / "file").write_text("not a directory")
    refused("bench", folder / "file", naming=[folder / "file"])
    refused("bench", folder / "file" / "below", naming=["Not a directory"])
    (folder / "n" / "bench-shared.dat").write_text("somebody's data")
    refused("bench", folder / "n", "--layout", "shared", naming=["bench-shared.dat", "is there already"])
    expect_equal((folder / "n" / "bench-shared.dat").read_text(), "somebody's data", "a file that was there before")
    refused("bench", folder / "n", "--truth", "/dev/full", naming=["/dev/full", "No space left"])
    refused("bench", folder / "n", "--truth", folder / "no" / "t.csv", naming=["No such file"])
    refused("bench", "--verify", folder / "s", exit_code=2, naming=["--truth"])
    refused("bench", "--verify", folder / "s", "--truth", folder / "file", naming=["not a truth file of fathom bench", "file:1"])
    say("nonsense, files in the way and unwritable places are refused")


def break_off(folder):
    """A limit on file sizes cuts a write short and then refuses it: an error with its place, and nothing is left."""
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    done = subprocess.run([fathom, "bench", folder / "l", "--size", "30000", "--tasks", "3"], capture_output=True, text=True, preexec_fn=limited)
    expect(done.returncode == 1 and "writing 20000 bytes at offset 100000 of" in done.stderr and "File too large" in done.stderr, done.stderr)
    expect_equal(list((folder / "l").iterdir()), [], "files left by a failed run")
    # A signal ends the run, its tasks and its files.
    running = subprocess.Popen([fathom, "bench", folder / "k", "--pause", "100"], stderr=subprocess.PIPE, text=True)
    while not list((folder / "k").glob("*.dat")):
        time.sleep(0.01)
    time.sleep(0.3)
    tasks = subprocess.run(["ps", "-o", "pid=", "--ppid", str(running.pid)], capture_output=True, text=True).stdout.split()
    running.send_signal(signal.SIGTERM)
    message = running.communicate(timeout=20)[1]
    expect(running.returncode == 1 and "interrupted" in message, f"exit code {running.returncode}: {message}")
    expect_equal(list((folder / "k").iterdir()), [], "files left by an interrupted run")
    expect(len(tasks) == 4 and not any(os.path.exists(f"/proc/{task}") for task in tasks), f"tasks of an interrupted run: {tasks}")
    say("a file size limit and a signal leave nothing behind")


def fill_disk(folder):
    """A real full disk, where mounting is allowed."""
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,nr_inodes=4", "tmpfs", disk], capture_output=True).returncode != 0:
        return say("not checked: a full disk (mounting a tmpfs is not permitted here)")
    try:
        refused("bench", disk, "--size", "1Mi", "--count", 2, naming=["are to be written", "are free"])
        refused("bench", disk, "--size", 100, "--tasks", 9, "--count", 1, naming=["opening", "No space left on device"])
        expect_equal(list(disk.iterdir()), [], "files left on a disk without inodes")
        # Ten pages for twenty files: their bytes would fit, their pages do not.
        subprocess.run(["mount", "-o", "remount,size=40k,nr_inodes=100", disk], check=True)
        refused("bench", disk, "--size", 100, "--tasks", 20, "--count", 1, naming=["writing 100 bytes at offset 0 of", "No space left on device"])
        expect_equal(list(disk.iterdir()), [], "files left on a full disk")
        say("a full disk is an error with its place and leaves nothing behind")
    finally:
        subprocess.run(["umount", disk])


def refuse_reused_id(folder):
    """Batch systems use ids again: of two jobs with the id of a truth file none is chosen; a job whose id is its own is verified."""
    (folder / "jobs.csv").write_text("job_id,servers,start,end\n7,io1,1310000000,1310003600\n7,io1,1310010000,1310013600\n8,io1,1310020000,1310023600\n")
    rows = [f"{1310000000 + 600 * i},io1,work,{1000 * i},{1000 * i},{i},{i},{i},{i}" for i in range(50)]
    (folder / "counters.csv").write_text("\n".join(["t,server,filesystem,read_bytes,write_bytes,read_ops,write_ops,opens,closes", *rows, ""]))
    ingest(folder / "store", folder / "jobs.csv", folder / "counters.csv")
    run("bench", folder / "r", "--size", 100, "--tasks", 1, "--truth", folder / "once.csv")
    truth = (folder / "once.csv").read_text()
    for job_id in (7, 8):
        head = "".join(line for line in truth.splitlines(keepends=True) if not line.startswith("# job_id:"))
        first, rest = head.split("\n", 1)
        (folder / f"job{job_id}.csv").write_text(f"{first}\n# job_id: {job_id}\n{rest}")
    refused("bench", "--verify", folder / "store", "--truth", folder / "job7.csv", naming=["job 7", "2 jobs of this id"])
    run("bench", "--verify", folder / "store", "--truth", folder / "job8.csv")
    say("an id that the store has twice is refused")


with scratch() as folder:
    for layout, (size_option, size), sync in itertools.product(("shared", "task-local"), (("--size", 4096), ("--size", 1), ("--random-max", 50_000)), (False, True)):
        run_variant(folder, layout, size_option, size, sync)
    run_variant(folder, "shared", "--size", MIB, False)
    compare_repeats(folder)
    refuse_nonsense(folder)
    refuse_reused_id(folder)
    break_off(folder)
    fill_disk(folder)
