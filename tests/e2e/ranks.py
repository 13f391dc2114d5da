# SPDX-License-Identifier: Apache-2.0
"""On several ranks, under each MPI that is installed: all are there, all end alike, rank 0 alone speaks, and nothing ever hangs."""
import re

from launchers import *

LARGE = 2_300_000_000  # bytes: more than an int counts
probe = pathlib.Path(parquet_query).parent / "ranks_probe"


def all_are_there(flavour):
    for size in flavour.sizes:
        done = flavour.launch(size, fathom, "ranks", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        expect_equal([row["rank"] for row in rows], [str(rank) for rank in range(size)], f"ranks under {flavour.name}")
        expect_equal(len({row["pid"] for row in rows}), size, f"different processes under {flavour.name}")
        expect(all(int(row["cores"]) >= 1 for row in rows), f"cores under {flavour.name}: {rows}")
        expect(flavour.shim.name in done.stderr, f"the MPI's library is not named: {done.stderr}")
        flavour.launch(size, probe, "exchange")
    say(f"{flavour.name}: all ranks listed, all exchanges right with {', '.join(map(str, flavour.sizes))} ranks")


def all_end_alike(flavour, folder):
    for failing in (0, 1, 2):
        codes, done = exit_codes(flavour, 3, probe, "fail", failing)
        expect_equal(codes, ["1", "1", "1"], f"exit codes when rank {failing} and those above fail")
        expect_one_message(done, f"reading part {failing}: no such thing", "" if failing == 0 else f"(on rank {failing})")
        expect_one_message(flavour.launch(3, probe, "fail", failing, exit_code=1), f"reading part {failing}")
    # A real command: rank 0 cannot write, the others have nothing to complain of.
    codes, done = exit_codes(flavour, 3, fathom, "ranks", "-o", folder / "none" / "ranks.txt")
    expect_equal(codes, ["1", "1", "1"], "exit codes when rank 0 cannot write")
    expect_one_message(done, "ranks.txt")
    codes, done = exit_codes(flavour, 3, probe, "fail_with_file", folder)
    expect_equal(codes, ["1", "1", "1"], "exit codes when a rank fails with an MPI-IO file open")
    expect_one_message(done, "failing with a file open (on rank 2)")
    codes, done = exit_codes(flavour, 3, probe, "leave", 1)
    expect_equal(codes, ["1", "1", "1"], "exit codes when ranks leave early")
    expect("one of them ended before the others" in done.stderr, f"ranks that stayed do not say why they end: {done.stderr}")
    done = flavour.launch(3, probe, "die", 1, exit_code=None)
    expect(done.returncode != 0, "a killed rank is no failure")
    say(f"{flavour.name}: ranks end alike when some fail, leave or die")


def one_speaks(flavour, folder):
    codes, done = exit_codes(flavour, 3, fathom, "info", folder / "store")
    expect_equal(codes, ["2", "2", "2"], "exit codes of a command that knows no ranks")
    expect_one_message(done, "`fathom info` does not run on several ranks")
    codes, done = exit_codes(flavour, 3, fathom, "rank")
    expect_equal(codes, ["2", "2", "2"], "exit codes of a wrong command")
    expect_one_message(done, "there is no command 'rank'")
    expect_equal(flavour.launch(3, fathom, "ranks", "--help").stdout.count("List the processes"), 1, "times that the help is shown")
    # One rank is no reason to refuse, and whoever wants separate programs may have them.
    expect_one_message(flavour.launch(1, fathom, "info", folder / "store", exit_code=1), "opening store")
    done = flavour.launch(2, fathom, "ranks", "--format", "csv", FATHOM_MPI="none")
    expect_equal(done.stdout.count("rank,host"), 2, "lists of two separate programs")
    say(f"{flavour.name}: rank 0 alone speaks")


def bad_launches(flavour, other, folder):
    done = flavour.launch(3, fathom, "ranks", exit_code=1, FATHOM_MPI=str(folder / "none.so"))
    expect_one_message(done, "none.so", "FATHOM_MPI=none")
    # An installation without the library: the program looks beside itself, so a copy of it finds nothing else.
    bare, libraries = folder / flavour.name / "bin" / "fathom", folder / flavour.name / "lib" / "fathom"
    bare.parent.mkdir(parents=True)
    libraries.mkdir(parents=True)
    shutil.copy(fathom, bare)
    duckdb = {"LD_LIBRARY_PATH": str(pathlib.Path(fathom).parent / "lib")}
    done = flavour.launch(3, bare, "ranks", exit_code=1, **duckdb)
    expect_one_message(done, libraries / flavour.shim.name, f"lib{flavour.name}-dev", "FATHOM_MPI=")
    (libraries / flavour.shim.name).symlink_to(flavour.shim)
    done = flavour.launch(2, bare, "ranks", "--format", "csv", **duckdb)
    expect_equal(len(done.stdout.splitlines()), 3, "lines of an installed program")
    # One node lacks it: the others are in MPI_Init already.
    script = f'if [ "${flavour.variable}" = 1 ]; then FATHOM_MPI=/none.so; export FATHOM_MPI; fi; exec "$@"'
    done = flavour.launch(3, "sh", "-c", script, "sh", fathom, "ranks", exit_code=1)
    expect_one_message(done, "/none.so")
    if other.shim.exists():
        done = flavour.launch(3, fathom, "ranks", exit_code=1, FATHOM_MPI=other.name)
        expect_one_message(done, "started 3 processes", "sees 1", f"FATHOM_MPI={flavour.name}")
    done = flavour.launch(2, fathom, "ranks", exit_code=2, FATHOM_MPI="lam")
    expect_one_message(done, "'lam'")
    say(f"{flavour.name}: missing, misplaced and mismatched libraries are named")


def files(flavour, folder):
    for size in (1, 3):
        place = folder / f"files-{flavour.name}-{size}"
        place.mkdir()
        flavour.launch(size, probe, "files", place)
        expect_equal((place / "shared").stat().st_size, 2 * size * 100000, "bytes in the shared file")
        expect_equal(sorted(file.name for file in place.glob("own-*")), [f"own-{rank}" for rank in range(size)], "files of their own")
    # Without a launcher too: a world of one.
    place = folder / f"files-{flavour.name}-alone"
    place.mkdir()
    environment = os.environ | NO_LEAKS | {"FATHOM_MPI": flavour.name}
    done = subprocess.run([probe, "files", place], env=environment, capture_output=True, text=True, timeout=LONGEST)
    expect_equal((done.returncode, done.stdout), (0, "files of 1\n"), f"MPI-IO without a launcher\n{done.stderr}")
    say(f"{flavour.name}: MPI-IO by all together and by each alone")


def large(flavour):
    available = int(re.search(r"MemAvailable:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text())[1]) * 1024
    if available < 4 * LARGE:
        left_out(f"a message of {LARGE} bytes: it needs {4 * LARGE} bytes of memory")
        return
    flavour.launch(2, probe, "large", LARGE, timeout=600)
    say(f"{flavour.name}: a message of {LARGE} bytes arrives whole")


present = present_flavours()
rows = list(csv.DictReader(io.StringIO(run("ranks", "--format", "csv").stdout)))
expect_equal([row["rank"] for row in rows], ["0"], "ranks without a launcher")
with scratch() as folder:
    for flavour in present:
        if long_run:
            large(flavour)
            continue
        other = flavours[1 - flavours.index(flavour)]
        all_are_there(flavour)
        all_end_alike(flavour, folder)
        one_speaks(flavour, folder)
        bad_launches(flavour, other, folder)
        files(flavour, folder)
