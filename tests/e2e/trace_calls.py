# SPDX-License-Identifier: Apache-2.0
"""The tracer records what programs do, call by call: programs with a known sequence tell it themselves, and the trace must say the same.

Each program of tests/programs/calls runs twice, without and with the tracer. Output, exit code, files left behind, descriptors, results and
errno must be the same in both; the trace must hold every call that the program told, thread by thread, in order, and no other.
"""
import collections
import re
import signal

from fathom_e2e import *
from trace_file import read_trace

programs = project / "tests/programs/calls"
counts = collections.Counter()


def compile_all(folder):
    for source in [*programs.glob("*.c"), *programs.glob("*.cpp")]:
        library = source.stem.endswith("_library")
        compiler = "g++" if source.suffix == ".cpp" else "gcc"
        target = folder / (f"{source.stem}.so" if library else source.stem)
        options = ["-shared", "-fPIC"] if library else ["-pthread", "-rdynamic"]
        done = subprocess.run([compiler, "-O1", "-g", "-w", *options, "-o", target, source, "-ldl"], capture_output=True, text=True)
        expect(done.returncode == 0, f"compiling {source.name}:\n{done.stderr}")


# --- two runs ---------------------------------------------------------------------------------------------------


def truth_of(path, folder):
    """(process, thread) -> lines of (call, file, offset, bytes, result, errno), in order of their first lines."""
    told = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        thread, process, call, file, offset, size, result, error = line.lstrip("\t").split("\t")
        number = lambda text: None if text == "-" else int(text)
        told.setdefault((int(process), int(thread)), []).append((call, named(file, folder), number(offset), number(size), number(result), int(error)))
    return told


def named(path, folder):
    """Names without what differs from run to run."""
    if "pipe:[" in path or "socket:[" in path:
        return "(pipe)"
    path = re.sub(r"tmp-\w{6}", "tmp-", path)
    if path.startswith("/tmp/#") or path == "/tmp/(deleted)":
        return "(unnamed)"
    if not path:
        return ""
    path = os.path.normpath(path if path.startswith("/") else folder / path)
    return os.path.relpath(path, folder) if path.startswith(str(folder)) else path


def left_behind(folder):
    """Files with their content; what has no name of its own is told by its kind."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = re.sub(r"tmp-\w{6}", "tmp-", str(path.relative_to(folder)))
        about = path.lstat()
        found[name] = (oct(about.st_mode), path.read_bytes() if path.is_file() and not path.is_symlink() else "")
    return found


def start(command, folder, truth, **environment):
    folder.mkdir()
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                          env={**os.environ, "TRUTH": str(truth), **environment})
    return done.returncode, done.stdout, done.stderr


def without_own_line(outcome):
    """`fathom run` ends with a line about the trace."""
    code, output, errors = outcome
    return code, output, b"".join(line for line in errors.splitlines(keepends=True) if not line.startswith(b"fathom: ran "))


def run_both(base, program, *arguments, exit_code=0, label=None, **environment):
    label = label or "-".join([program, *arguments])
    command = [base / "bin" / program, *arguments]
    plain = start(command, base / f"{label}.plain", base / f"{label}.plain.truth", **environment)
    traced = without_own_line(start([fathom, "run", "-o", base / f"{label}.trace", "--", *command], base / f"{label}.traced", base / f"{label}.traced.truth", **environment))
    as_shell_tells = (128 - plain[0] if plain[0] < 0 else plain[0], *plain[1:])
    expect_equal(as_shell_tells[0], exit_code, f"{label}: exit code without the tracer; it wrote {plain[1:]}")
    expect_equal(traced, as_shell_tells, f"{label}: exit code, output and messages with the tracer and without")
    expect_equal(left_behind(base / f"{label}.traced"), left_behind(base / f"{label}.plain"), f"{label}: files left behind")
    truths = [truth_of(base / f"{label}.{how}.truth", base / f"{label}.{how}") for how in ("plain", "traced")]
    expect_equal(by_first_line(truths[1]), by_first_line(truths[0]), f"{label}: results and errno with the tracer and without")
    return label, truths[1], read_trace(base / f"{label}.trace")


def by_first_line(told):
    """Threads of two runs are told apart by what they did."""
    return sorted(map(repr, told.values()))


# --- the trace against the truth --------------------------------------------------------------------------------


def recorded(processes, folder):
    found = {}
    for process in processes:
        expect_equal(process.text["lost"], "0", f"records lost by {process.command}")
        for thread, calls in process.threads.items():
            found.setdefault((process.pid, thread), []).extend(
                (call.name, named(call.path, folder), call.offset, call.bytes, call.result) for call in calls)
    return found


def expect_no_own_calls(label, processes):
    for process in processes:
        for call in process.calls:
            expect("/dev/shm/fathom-" not in call.path and not call.path.endswith(".fathom"), f"{label}: the tracer's own {call}")


def check_program(base, program, *arguments, others=(), processes=None, **options):
    """`others`: programs that it starts and that tell nothing."""
    label, told, traced = run_both(base, program, *arguments, **options)
    expect_no_own_calls(label, traced)
    silent = [process for process in traced if os.path.basename(process.text["exe"]) in others]
    found = recorded([process for process in traced if process not in silent], base / f"{label}.traced")
    for who in {**told, **found}:
        want, got = [line[:5] for line in told.get(who, [])], found.get(who, [])
        for i, (a, b) in enumerate(zip(want, got)):
            expect(a == b, f"{label}: call {i + 1} of thread {who[1]} of process {who[0]} was\n  {a}\nand is recorded as\n  {b}\nafter {want[max(0, i - 3):i]}")
        expect_equal(len(got), len(want), f"{label}: calls of thread {who[1]} of process {who[0]}; the first that differs: {(want + got)[min(len(want), len(got))]}")
        counts["calls"] += len(want)
        counts["errors"] += sum(line[4] < 0 for line in want)
        counts["threads"] += 1
    if processes is not None:
        expect_equal(len({pid for pid, _ in found}), processes, f"{label}: processes that made calls")
    counts["programs"] += 1
    return traced


CASES = [
    ("opening",), ("moving",), ("offsets",), ("errors",), ("settling",), ("names",), ("mapping",), ("copying",),
]

if __name__ == "__main__":
    only = [word for word in sys.argv[3:] if not word.startswith("-")]
    with scratch() as base:
        (base / "bin").mkdir()
        compile_all(base / "bin")
        say("programs compiled")
        for program, *arguments in CASES:
            if only and program not in only:
                continue
            options = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
            check_program(base, program, *arguments, **options)
        say(f"{counts['programs']} programs, {counts['threads']} threads: {counts['calls']} calls, {counts['errors']} of them failed; "
            "each recorded with its file, offset, bytes and result, in order; none too many, none missing")
