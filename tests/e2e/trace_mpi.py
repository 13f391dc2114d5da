# SPDX-License-Identifier: Apache-2.0
"""MPI-IO under the tracer: each call once and with the right numbers, from C and Fortran, and what the library does inside (RIOT)."""
from traced import *

BUFFER = 524288  # ROMIO's buffer for sieving when it writes (ind_wr_buffer_size)
ASKED = 321 * 4096


def launch(flavour, ranks, program, *words):
    return [flavour.mpiexec, *flavour.options, "-n", ranks, program, *words]


# --- every kind of call -----------------------------------------------------------------------------------------


def check_every_call(flavour, folder, program):
    rows = traced(folder, launch(flavour, 2, program, folder / "data"))
    expect_mpi_calls(rows, flavour.name)
    both = next(row for row in rows if row.call == "MPI_Wait" and row.bytes == 2048)
    expect_equal(sorted(row.offset % 65536 for row in both.calls("MPI_Wait")), [0, 8192], f"{flavour.name}: requests of one MPI_Waitall")


def every_call(flavour, folder):
    program = build(f"mpicc.{flavour.name}", "mpi_calls.c", folder / "mpi_calls")
    if program is None:
        return
    check_every_call(flavour, folder, program)
    say(f"{flavour.name}: each kind of call once, with its offset, bytes and result")


def linked_in(flavour, folder):
    """The tracer inside the program (fathom-cc), with a shared MPI library and with MPICH's archive."""
    program = build(f"mpicc.{flavour.name}", "mpi_calls.c", folder / "linked_in", through=("fathom-cc", "FATHOM_CC"))
    if program is None:
        return
    check_every_call(flavour, folder, program)
    say(f"{flavour.name}: the same with the tracer linked into the program")
    if flavour.name != "mpich":
        return
    header = subprocess.run(["mpicc.mpich", "-show"], capture_output=True, text=True).stdout.split()
    libraries = ["-Wl,-Bstatic", "-lmpich", "-Wl,-Bdynamic", "-lucp", "-lucs", "-luct", "-lhwloc", "-lpthread", "-lrt", "-lm"]
    include = [word for word in header if word.startswith("-I")]
    program = build("gcc", "mpi_calls.c", folder / "archive", *include, after=libraries, through=("fathom-cc", "FATHOM_CC"), may_fail=True)
    if program is None:
        return left_out("programs with MPICH in an archive: it cannot be linked")
    check_every_call(flavour, folder, program)
    say("mpich: the same with MPICH's archive in the program")


def fortran(flavour, folder):
    names = {}
    for interface, name in ((1, "mpif.h"), (2, "mpi"), (3, "mpi_f08")):
        options = [f"-DINTERFACE={interface}", "-fallow-argument-mismatch"]
        program = build(f"mpifort.{flavour.name}", "fortran_io.F90", folder / f"fortran{interface}", *options)
        if program is None:
            return
        rows = traced(folder, launch(flavour, 2, program, folder / "data"))
        names[name] = [row.what() for row in of_rank(rows, 1, "mpiio") if not (row.call == "MPI_Test" and row.bytes == 0)]
        moved = lambda call: sum(row.result for row in of_rank(rows, 1, "mpiio") if call in row.call and row.result > 0)
        # Twice 1 KiB at once, twice non-blocking, once split, where _begin and _end both tell; read: 512 bytes and twice 1 KiB non-blocking.
        expect_equal((moved("File_write_a") + moved("File_iwrite"), moved("File_read") + moved("File_iread")), (1024 * 6, 512 + 2048), f"{flavour.name}: bytes of {name}")
    for name, calls in names.items():
        expect_equal(calls, names["mpif.h"], f"{flavour.name}: {name} and mpif.h make the same calls")
    expect_equal(len(names["mpif.h"]), 18, f"{flavour.name}: calls of a Fortran program")
    say(f"{flavour.name}: the same calls through mpif.h, mpi and mpi_f08")


# --- what is inside ---------------------------------------------------------------------------------------------


def one_write(rows, rank, call):
    found = [row for row in rows if row.rank == rank and row.call == call]
    expect_equal([row.what() for row in found], [(call, 4096 * (rank % 2), ASKED, ASKED)], f"calls of {call}")
    return found[0]


def sizes(row, *names):
    return [each.bytes for each in row.calls(*names)]


def check_sieving(rows, cycles, what):
    """Data sieving: the whole extent is read and written back in buffers of 512 KiB, under locks."""
    write = one_write(rows, 0, "MPI_File_write_at")
    reads, writes = write.calls("read", "pread"), write.calls("write", "pwrite")
    expect_equal([row.offset for row in reads], [i * BUFFER for i in range(5)], f"{what}: offsets read")
    expect_equal([row.what()[1:] for row in writes], [row.what()[1:] for row in reads], f"{what}: what is read is written back")
    expect_equal({row.result for row in reads + writes}, {BUFFER}, f"{what}: bytes of each")
    expect_equal(len(write.calls("fcntl.unlock")), cycles, f"{what}: locks given back")
    locked = {row.offset for row in write.calls("fcntl.lock")}
    expect_equal(len(locked), cycles, f"{what}: ranges locked")
    for row in write.inside:
        expect(write.start <= row.start and row.end <= write.end, f"{what}: {row} is not inside the time of {write}")


def romio(name, flavour, program, folder, **variables):
    data = folder / "data"
    go = lambda ranks, *words: traced(folder, launch(flavour, ranks, program, *words), **variables)
    check_sieving(go(1, f"nfs:{data}"), 5, f"{name}, NFS driver")
    check_sieving(go(1, data), 1, f"{name}, UFS driver")
    write = one_write(go(1, data, "romio_ds_write=disable"), 0, "MPI_File_write_at")
    expect_equal(sizes(write, "pwrite"), [4096] * 319 + [8192], f"{name}: writes without sieving")
    expect_equal(sizes(write, "fcntl.lock", "read", "pread"), [], f"{name}: locks and reads without sieving")
    rows = go(2, data, "together", "romio_cb_write=enable")
    writers = [row for rank in (0, 1) for row in one_write(rows, rank, "MPI_File_write_at_all").calls("pwrite", "write")]
    expect_equal([row.bytes for row in writers], [2 * 4096 * 320 + 4096], f"{name}: the aggregator's write")
    say(f"{name}: five cycles of sieving, one lock or five; 320 writes without it; one write together")


def sieving(flavour, folder):
    program = build(f"mpicc.{flavour.name}", "data_sieving.c", folder / "data_sieving")
    if program is None:
        return
    if flavour.name == "mpich":
        return romio("MPICH", flavour, program, folder)
    romio("Open MPI with ROMIO", flavour, program, folder, OMPI_MCA_io="romio321")
    rows = traced(folder, launch(flavour, 1, program, folder / "data"), OMPI_MCA_io="ompio")
    write = one_write(rows, 0, "MPI_File_write_at")
    expect_equal(sizes(write, "pwritev"), [4096] * 319 + [8192], "OMPIO: one pwritev for each block")
    expect_equal(sizes(write, "fcntl.lock"), [], "OMPIO: locks")
    say("Open MPI with OMPIO: a pwritev for each block")


def hints_and_file(flavour, folder):
    """An MPI file and the POSIX file under it are one, also with a driver's name in front; the hints are kept."""
    program = folder / "data_sieving"
    if flavour.name != "mpich" or not program.exists():
        return
    rows = traced(folder, launch(flavour, 1, program, f"ufs:{folder / 'data'}", "cb_buffer_size=1048576"))
    expect_equal({row.file for row in rows if row.call in ("MPI_File_write_at", "pwrite") and row.bytes == (ASKED if row.interface == "mpiio" else BUFFER)},
                 {"data"}, "name of a file with a driver in front")
    files = csv.DictReader(io.StringIO(run("trace", "files", folder / "traced", "--format", "csv").stdout))
    hints = next(row["hints"] for row in files if os.path.basename(row["file"]) == "data").split(";")
    for hint in ("cb_buffer_size=1048576", f"ind_wr_buffer_size={BUFFER}", "romio_filesystem_type=UFS: Generic ROMIO driver for all UNIX-like file systems"):
        expect(hint in hints, f"hint {hint} is not among {hints}")
    say("MPICH: a driver in front of a name, and the hints in force")


# --- against what is known from elsewhere -------------------------------------------------------------------------


def against_truth(flavour, folder):
    """`fathom bench` writes down each of its calls with its own clock: the trace must say the same, and its times must lie inside."""
    if not flavour.present():
        return
    options = ["--interface", "mpiio", "--layout", "shared", "--random-max", 50000, "--count", 12, "--seed", 5, "--sync"]
    shutil.rmtree(folder / "traced", ignore_errors=True)
    done = start([fathom, "run", "--trace", "-o", folder / "traced", "--", *launch(flavour, 2, fathom, "bench", folder / "bench", *options)], {})
    expect_equal(done.returncode, 0, f"{flavour.name}: fathom bench under the tracer\n{done.stderr[-3000:]}")
    lines = (folder / "bench" / "bench-truth.csv").read_text().splitlines()
    truth = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    rows = events(folder / "traced")
    for rank in (0, 1):
        known = [row for row in truth if int(row["task"]) == rank]
        found = [row for row in of_rank(rows, rank, "mpiio") if row.file == "bench-shared.dat"]
        names = {"MPI_File_open": "open", "MPI_File_close": "close", "MPI_File_sync": "sync"}
        calls = [names.get(row.call, row.call.split("_")[2]) for row in found]
        expect_equal(calls, [row["call"] for row in known], f"{flavour.name}: calls of rank {rank}")
        for row, call, true in zip(found, calls, known, strict=True):
            if call in ("read", "write"):
                expect_equal((row.offset, row.bytes, row.result), (int(true["offset"]), int(true["bytes"]), int(true["bytes"])), f"{flavour.name}: {row}")
            # The clocks differ by what converting ticks to Unix time costs.
            inside = float(true["start"]) - 50e-6 <= row.start <= row.end <= float(true["end"]) + 50e-6
            expect(inside, f"{flavour.name}: {row} at {row.start} to {row.end} is not inside {true}")
    shutil.rmtree(folder / "bench")
    say(f"{flavour.name}: {len(truth)} calls as fathom bench wrote them down, at its times")


def exported(library):
    done = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}


def coverage(flavour, folder):
    """No call on files of an installed library is forgotten."""
    linked = subprocess.run(["ldd", str(folder / "mpi_calls")], capture_output=True, text=True).stdout
    library = next((line.split()[2] for line in linked.splitlines() if re.match(r"\s*libmpi(ch)?\.so", line)), None)
    expect(library is not None, f"{flavour.name}: the program's MPI library is not in {linked}")
    theirs = {name for name in exported(library) if re.match(r"P?MPI_(File_|Wait|Test|Init|Finalize$)", name)}
    others = {name for name in theirs if re.search(r"errhandler$|_c2f$|_f2c$|Initialized$|_cancelled$|Finalized$", name)}
    ours = exported(pathlib.Path(fathom).parent / "lib" / "libfathom-trace.so")
    expect(len(theirs) > 100, f"{flavour.name}: {library} has only {len(theirs)} calls")
    expect_equal(sorted(theirs - others - ours), [], f"{flavour.name}: calls that are not wrapped")
    say(f"{flavour.name}: all {len(theirs - others)} calls on files have a wrapper")


# --- programs that do not make it easy ----------------------------------------------------------------------------


def odd(flavour, folder):
    """Errors, handlers, empty views, threads and a profiling layer of the program's own: it sees the same as without the tracer."""
    program = build(f"mpicc.{flavour.name}", "mpi_odd.c", folder / "mpi_odd", after=["-lpthread"])
    if program is None:
        return
    rows = traced(folder, launch(flavour, 1, program, folder / "data"))
    expect_equal(len([row for row in rows if row.call == "MPI_File_sync"]), 1, f"{flavour.name}: a call that goes through the program's own MPI_File_sync")
    errors = [row.call for row in rows if row.interface == "mpiio" and row.result < 0]
    expect("MPI_File_read_at" in errors and "MPI_File_write_at" in errors, f"{flavour.name}: calls that failed: {errors}")
    written = sorted(row.offset for row in rows if row.call == "MPI_File_write_at" and row.bytes == 512)
    expect_equal(written, [512 * i for i in range(400)], f"{flavour.name}: writes of four threads")
    say(f"{flavour.name}: errors, an empty view, a profiling layer, four threads")


def plugin(flavour, folder):
    """A module that keeps its MPI to itself (RTLD_LOCAL)."""
    module = build(f"mpicc.{flavour.name}", "plugin.c", folder / "plugin.so", "-shared", "-fPIC")
    host = build("gcc", "plugin_host.c", folder / "plugin_host", after=["-ldl"])
    if module is None or host is None:
        return
    rows = traced(folder, launch(flavour, 2, host, module, folder / "data"))
    for rank in (0, 1):
        found = [row.what() for row in of_rank(rows, rank, "mpiio") if row.bytes]
        expect_equal(found, [("MPI_File_write_at", rank * 1000, 1000, 1000)], f"{flavour.name}: writes of a module's rank {rank}")
    say(f"{flavour.name}: a module that is loaded with RTLD_LOCAL")


with scratch() as folder:
    for flavour in installed_flavours():
        for check in (every_call, coverage, linked_in, fortran, sieving, hints_and_file, against_truth, odd, plugin):
            check(flavour, folder)
