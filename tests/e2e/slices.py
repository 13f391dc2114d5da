# SPDX-License-Identifier: Apache-2.0
"""Time slices: what programs did is in them to the byte, in the slices of the wall clock, whatever becomes of the process or the clock."""
import signal

from trace_file import COUNTERS as SLICE_COUNTERS
from trace_file import read_trace
from traced import *


def recorded(folder, command, *options, exit_code=0, **variables):
    """Runs a command; gives its processes that have slices."""
    trace = folder / "run"
    shutil.rmtree(trace, ignore_errors=True)
    done = start([fathom, "run", *options, "-o", trace, "--", *command], variables)
    expect_equal(done.returncode, exit_code, f"exit code of {' '.join(map(str, command))}\n{done.stderr[-3000:]}")
    return [process for process in read_trace(trace) if process.slices]


def sums(processes):
    return {name: sum(row[name] for process in processes for row in process.slices.values()) for name in SLICE_COUNTERS}


def counted(found, what, **wanted):
    for name, value in wanted.items():
        expect_equal(found[name], value, f"{what}: {name}")


def steady(folder, program):
    """Slice by slice: writes and pauses of at least 20 ms, so that a slice of 0.2 s has no more than 11."""
    begin = time.time()
    processes = recorded(folder, [program, folder, "steady", 60, 4096, 20000], "--slices", "--slice", "0.2")
    end = time.time()
    expect_equal(len(processes), 1, "processes with slices")
    process = processes[0]
    expect_equal(process.slice_length, 200_000_000, "length of a slice")
    counted(sums(processes), "steady", write_bytes=60 * 4096, write_calls=60, read_bytes=60 * 4096, read_calls=60, opens=1, other_calls=2, mpi_time=0, mpi_read_bytes=0)
    first, last = min(process.slices), max(process.slices)
    expect(first >= int(begin / 0.2) and last <= int(end / 0.2), f"slices {first} to {last} are outside of the run")
    expect(last - first >= 5, f"{last - first + 1} slices for 1.2 s")
    for number, row in process.slices.items():
        expect(row["write_calls"] <= 11, f"slice {number} has {row['write_calls']} writes")
    for row in process.slices.values():
        expect(row["io_time"] <= 200_000_000 and row["write_time"] <= row["io_time"], f"times of a slice: {row}")


def long_call(folder, program):
    """One call that runs through several slices has its bytes and its time in all of them."""
    size = 1 << 30
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:  # a disk would be too slow for this; the same test may run beside
        processes = recorded(folder, [program, memory, "long", size], "--slices", "--slice", "0.1")
    counted(sums(processes), "long", write_bytes=size, write_calls=1)
    rows = [row for _, row in sorted(processes[0].slices.items()) if row["write_bytes"] > 0]
    expect(len(rows) >= 2, f"a call of 1 GiB was over in one slice")
    expect_equal(sum(row["write_calls"] for row in rows[:-1]), 0, "the call counts where it ended")
    rate = size / sum(row["write_time"] for row in rows)
    for row in rows:
        expect(abs(row["write_bytes"] - rate * row["write_time"]) < 1e-3 * size, f"bytes are where the time is: {row}")
    for row in rows[1:-1]:
        expect(abs(row["write_time"] - 100_000_000) < 1_000_000, f"a whole slice inside of a call: {row['write_time']} ns")
    return len(rows)


def families(folder, program):
    processes = recorded(folder, [program, folder, "fork"], "--slices")
    expect_equal(sorted(sums([process])["write_bytes"] for process in processes), [3500, 10000], "bytes of a child and its parent")
    processes = recorded(folder, [program, folder, "threads", 1000], "--slices")
    counted(sums(processes), "a thousand threads at a time", write_bytes=30000, write_calls=3000, opens=1000)


def end_of(folder, program):
    """Killed: every call that had returned is there."""
    trace = folder / "run"
    shutil.rmtree(trace, ignore_errors=True)
    running = subprocess.Popen([fathom, "run", "--slices", "--slice", "0.1", "-o", trace, "--", program, folder, "forever", "1000"], stderr=subprocess.DEVNULL)
    child = begun(folder / "forever", running)
    time.sleep(0.7)
    os.kill(child, signal.SIGKILL)
    expect_equal(running.wait(), 128 + signal.SIGKILL, "exit code of a killed program")
    made = int.from_bytes((folder / "count").read_bytes(), sys.byteorder)
    found = sums(read_trace(trace))
    expect(made <= found["write_calls"] <= made + 1, f"a killed program made {made} calls, its slices have {found['write_calls']}")
    expect_equal(found["write_bytes"], 1000 * found["write_calls"], "bytes of a killed program")
    expect("did not end well" in run("slices", trace).stdout + run("slices", trace).stderr, "the killed process is named")
    return made


def stopped(folder, program):
    """Suspended for a second: the slices meanwhile are empty, nothing is lost."""
    trace = folder / "run"
    shutil.rmtree(trace, ignore_errors=True)
    (folder / "steady").unlink()
    running = subprocess.Popen([fathom, "run", "--slices", "--slice", "0.1", "-o", trace, "--", program, folder, "steady", "60", "100", "10000"], stderr=subprocess.DEVNULL)
    child = begun(folder / "steady", running)
    os.kill(child, signal.SIGSTOP)
    time.sleep(1)
    os.kill(child, signal.SIGCONT)
    expect_equal(running.wait(), 0, "exit code of a program that was stopped")
    processes = [process for process in read_trace(trace) if process.slices]
    counted(sums(processes), "stopped", write_bytes=6000, write_calls=60)
    busy = sorted(number for number, row in processes[0].slices.items() if row["write_calls"])
    expect(max(b - a for a, b in zip(busy, busy[1:])) >= 8, f"slices {busy} of a program that was stopped for a second")
    expect_equal(processes[0].clock_steps, [], "a stopped process is no clock that was set")


def clock_set(folder, program):
    """The clock is set forward and back: the slices follow it, the steps are told, no byte is lost."""
    shim = folder / "set_clock.so"
    done = subprocess.run(["gcc", "-O1", "-shared", "-fPIC", programs / "set_clock.c", "-o", shim], capture_output=True, text=True)
    expect_equal(done.returncode, 0, f"compiling set_clock\n{done.stderr}")
    for by in (30, -30):
        processes = recorded(folder, [program, folder, "steady", 80, 100, 20000], "--slices", "--slice", "0.5", LD_PRELOAD=str(shim), SET_CLOCK_BY=str(by), SET_CLOCK_AFTER="0.8")
        counted(sums(processes), f"clock set by {by} s", write_bytes=8000, read_bytes=8000, write_calls=80)
        steps = processes[0].clock_steps
        expect_equal(len(steps), 1, f"steps of the clock {steps}")
        expect(abs(steps[0][1] - by * 1e9) < 1e8, f"the clock was set by {by} s, slices say {steps[0][1] / 1e9}")
        numbers = sorted(processes[0].slices)
        expect(max(b - a for a, b in zip(numbers, numbers[1:])) >= 20, f"slices {numbers} follow the clock")  # 60 less the run's own
        shown = run("slices", folder / "run")
        expect("clock was set" in shown.stdout + shown.stderr, f"the table names the step\n{shown.stdout}\n{shown.stderr}")


def mixed_lengths(folder, program):
    """Two lengths in one folder by mistake: refused, with both named."""
    trace = folder / "mixed"
    library = pathlib.Path(fathom).parent / "lib" / "libfathom-trace.so"
    for length in ("4", "1"):
        done = start([program, folder, "fork"], {"LD_PRELOAD": str(library), "FATHOM_TRACE_DIR": str(trace), "FATHOM_RECORD": "slices", "FATHOM_SLICE": length})
        expect_equal(done.returncode, 0, f"exit code with slices of {length} s")
    shown = refused("slices", trace, exit_code=2, naming=("different lengths", "1 s", "4 s"))
    return shown


def same_as_trace(folder):
    """Slices of an MPI program, with all that ROMIO does below, are the trace's totals."""
    installed = [flavour for flavour in flavours if flavour.mpiexec is not None]
    if not installed:
        left_out("slices of an MPI program: no MPI is installed")
    for flavour in installed:
        program = build(f"mpicc.{flavour.name}", "data_sieving.c", folder / f"sieving-{flavour.name}")
        if program is None:
            continue
        trace = folder / f"run-{flavour.name}"
        done = start([fathom, "run", "-o", trace, "--", flavour.mpiexec, *flavour.options, "-n", 3, program, folder / "sieved"], {})
        expect_equal(done.returncode, 0, f"exit code with {flavour.name}\n{done.stderr[-3000:]}")
        totals = json.loads(run("trace", "summary", trace, "--format", "json").stdout)["interfaces"]
        ranks = [process for process in read_trace(trace) if process.slices and process.text.get("rank", "-1") != "-1"]
        found = sums(ranks)
        for direction in ("read", "write"):
            expect_equal(found[f"{direction}_bytes"], totals["posix"][f"{direction}_bytes"], f"{flavour.name}: bytes of POSIX, {direction}")
            expect_equal(found[f"{direction}_calls"], totals["posix"][f"{direction}_calls"], f"{flavour.name}: calls of POSIX, {direction}")
            expect_equal(found[f"mpi_{direction}_bytes"], totals["mpiio"][f"{direction}_bytes"], f"{flavour.name}: bytes of MPI-IO, {direction}")
        expect(found["mpi_write_bytes"] > 0 and found["mpi_time"] > 0, f"{flavour.name}: MPI-IO was seen: {found}")


with scratch() as folder:
    program = build("gcc", "slices.c", folder / "slices", "-pthread")
    if program is None:
        skip("there is no C compiler")
    steady(folder, program)
    say("amounts and slices of a steady writer")
    say(f"one call over {long_call(folder, program)} slices")
    families(folder, program)
    say("forks and threads")
    say(f"killed after {end_of(folder, program)} calls: all are there")
    stopped(folder, program)
    say("a stopped process")
    clock_set(folder, program)
    say("a clock that is set")
    mixed_lengths(folder, program)
    say("slices of two lengths are refused")
    same_as_trace(folder)
    say("slices and trace agree")
