# SPDX-License-Identifier: Apache-2.0
"""The benchmark with a launcher's ranks as its tasks, by MPI-IO and by plain calls: the truth against the files, and failures of one rank."""
import itertools

from launchers import *

COUNT = 12
LIMIT = 32 << 20  # bytes of a file for a rank that shall fail; MPI itself needs some megabytes


def read_truth(path):
    lines = pathlib.Path(path).read_text().splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines[1:] if line.startswith("# "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return head, rows


def variants():
    for interface, layout, sizes in itertools.product(("mpiio", "posix"), ("shared", "task-local"), (("--size", "30000"), ("--random-max", "50000"))):
        yield ["--interface", interface, "--layout", layout, *sizes, "--count", COUNT, "--seed", 5, "--sync"]


def expect_calls(rows, size, what):
    for task in range(size):
        calls = [row["call"] for row in rows if int(row["task"]) == task]
        wanted = ["open"] + ["write"] * COUNT + ["sync", "close", "open"] + ["read"] * COUNT + ["close"]
        expect_equal(calls, wanted, f"{what}: calls of task {task}")
    expect_equal({int(row["task"]) for row in rows}, set(range(size)), f"{what}: tasks")


def expect_files(rows, directory, plain, what):
    """Every byte of every file was written once, and is the byte that plain processes write."""
    extents = {}
    for row in rows:
        if row["call"] == "write":
            extents.setdefault(row["file"], []).append((int(row["offset"]), int(row["bytes"])))
    files = {path.name: path.read_bytes() for path in directory.glob("*.dat")}
    expect_equal(sorted(files), sorted(extents), f"{what}: files")
    for name, written in extents.items():
        end = 0
        for offset, length in sorted(written):
            expect_equal(offset, end, f"{what}: {name} is covered without holes")
            end = offset + length
        expect_equal(len(files[name]), end, f"{what}: size of {name}")
        expect(files[name] == (plain / name).read_bytes(), f"{what}: {name} is not what processes of one machine write")


def measure(flavour, size, folder):
    for options in variants():
        what = f"bench {' '.join(map(str, options))} on {size} ranks of {flavour.name}"
        data, plain = folder / "data", folder / "plain"
        run("bench", plain, "--tasks", size, "--keep", *["posix" if word == "mpiio" else word for word in options])
        done = flavour.launch(size, fathom, "bench", data, "--keep", "--format", "csv", *options)
        head, rows = read_truth(data / "bench-truth.csv")
        expect_equal((head["interface"], head["layout"], head["tasks"]), (options[1], options[3], str(size)), f"{what}: comments")
        expect_calls(rows, size, what)
        expect_files(rows, data, plain, what)
        printed = list(csv.DictReader(io.StringIO(done.stdout)))
        for row, call in zip(printed, ("write", "read"), strict=True):
            moved = sum(int(each["bytes"]) for each in rows if each["call"] == call)
            expect_equal((row["phase"], int(row["bytes"]), int(row["ops"]), int(row["opens"])), (call, moved, size * COUNT, size), f"{what}: table")
        for directory in (data, plain):
            shutil.rmtree(directory)
    # Without --keep only the truth stays.
    flavour.launch(size, fathom, "bench", folder / "data", "--interface", "mpiio", "--layout", "shared", "--size", "4K")
    expect_equal([path.name for path in (folder / "data").iterdir()], ["bench-truth.csv"], "files left without --keep")
    shutil.rmtree(folder / "data")
    say(f"{flavour.name}: {size} ranks, MPI-IO and plain calls: all calls in the truth, all bytes as one machine writes them")


def failures(flavour, folder):
    places = folder / "failures"
    (places / "taken").mkdir(parents=True)
    (places / "taken" / "bench-000002.dat").write_text("somebody's data")
    (places / "file").write_text("no directory")
    launches = [([places / "file" / "below"], 1, "Not a directory"), (["/proc/none"], 1, "/proc/none"), ([places / "taken"], 1, "bench-000002.dat"),
                ([places / "d", "--truth", places / "none" / "t.csv"], 1, "t.csv"), ([], 2, "DIR"), ([places / "d", "--count", 0], 2, "--count"),
                (["--verify", places / "store", "--truth", places / "t.csv"], 2, "without mpiexec")]
    for words, code, naming in launches:
        codes, done = exit_codes(flavour, 3, fathom, "bench", "--interface", "mpiio", *words)
        expect_equal(codes, [str(code)] * 3, f"exit codes of bench {words} under {flavour.name}\n{done.stderr}")
        expect_one_message(done, naming)
        expect_equal(done.stdout, "", f"standard output of bench {words}")
    expect_equal((places / "taken" / "bench-000002.dat").read_text(), "somebody's data", "a file that was there before")
    shutil.rmtree(places)
    say(f"{flavour.name}: what cannot be done is said once, and every rank ends alike")


def of_one_rank(flavour, folder):
    """One rank does not see the directory, or cannot write it to the end: none waits for it, in whatever calls they stand."""
    here, elsewhere = folder / "here", folder / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    # A file system that one node does not have: the directory is made below `here`.
    astray = f'if [ "${flavour.variable}" = 1 ]; then cd "{elsewhere}"; else cd "{here}"; fi; exec "$@"'
    limited = f'cd "{here}"; if [ "${flavour.variable}" = 1 ] || [ WHO = all ]; then ulimit -f {LIMIT // 512}; fi; exec "$@"'
    for interface, layout in itertools.product(("mpiio", "posix"), ("shared", "task-local")):
        words = ["bench", "data", "--interface", interface, "--layout", layout, "--size", LIMIT // 8, "--count", 10]
        for script, naming in ((astray, "benchmarking in data: No such file or directory (on rank 1)"), (limited, "data/bench-")):
            # In collective calls MPI chooses whose hands write: none of them can. Open MPI 4.1 does not tell, and the comparison finds out.
            script = script.replace("WHO", "all" if (interface, layout) == ("mpiio", "shared") else "one")
            codes, done = exit_codes(flavour, 3, "sh", "-c", script, "sh", fathom, *words)
            expect_equal(codes, ["1"] * 3, f"exit codes of {words} when rank 1 fails\n{done.stderr}")
            expect_one_message(done, naming)
            expect_equal(list((here / "data").iterdir()), [], f"files that {words} left")
    for directory in (here, elsewhere):
        shutil.rmtree(directory)
    say(f"{flavour.name}: a rank that sees no directory or cannot write ends all, with one message")


with scratch() as folder:
    for flavour in present_flavours():
        for size in (1, 3):
            measure(flavour, size, folder)
        failures(flavour, folder)
        of_one_rank(flavour, folder)
