# SPDX-License-Identifier: Apache-2.0
"""The tracer records what programs do, call by call: programs with a known sequence tell it themselves, and the trace must say the same.

Each program of tests/programs/calls runs twice, without and with the tracer. Output, exit code, files left behind, descriptors, results and
errno must be the same in both; the trace must hold every call that the program told, thread by thread, in order, and no other.
"""
import collections
import concurrent.futures
import re
import signal

from fathom_e2e import *
from trace_file import read_trace

programs = project / "tests/programs/calls"
counts = collections.Counter()


def compile_all(folder):
    if shutil.which("gcc") is None or shutil.which("g++") is None:
        skip("there is no compiler")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda source: compile_one(folder, source), [*programs.glob("*.c"), *programs.glob("*.cpp")]))


def compile_one(folder, source):
    library = source.stem.endswith("_library")
    compiler = "g++" if source.suffix == ".cpp" else "gcc"
    target = folder / (f"{source.stem}.so" if library else source.stem)
    options = ["-shared", "-fPIC"] if library else ["-pthread", "-rdynamic"]
    done = subprocess.run([compiler, "-O1", "-w", *options, "-o", target, source, "-ldl"], capture_output=True, text=True)
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
    return code, output, b"".join(line for line in errors.splitlines(keepends=True) if not re.match(rb"fathom: (ran|next:|no calls|[0-9,]+ calls?) ?", line))


def run_both(base, program, *arguments, exit_code=0, racing=False, **environment):
    label = "-".join([program, *arguments])
    command = [base / "bin" / program, *arguments]
    plain = start(command, base / f"{label}.plain", base / f"{label}.plain.truth", **environment)
    traced = without_own_line(start([fathom, "run", "-o", base / f"{label}.trace", "--", *command], base / f"{label}.traced", base / f"{label}.traced.truth", **environment))
    as_shell_tells = (128 - plain[0] if plain[0] < 0 else plain[0], *plain[1:])
    expect_equal(as_shell_tells[0], exit_code, f"{label}: exit code without the tracer; it wrote {plain[1:]}")
    expect_equal(traced, as_shell_tells, f"{label}: exit code, output and messages with the tracer and without")
    left = [left_behind(base / f"{label}.{how}") for how in ("traced", "plain")]
    if racing:  # threads write in any order
        left = [{name: (mode, sorted(content)) for name, (mode, content) in each.items()} for each in left]
    expect_equal(*left, f"{label}: files left behind")
    truths = [truth_of(base / f"{label}.{how}.truth", base / f"{label}.{how}") for how in ("plain", "traced")]
    expect_equal(by_first_line(truths[1]), by_first_line(truths[0]), f"{label}: results and errno with the tracer and without")
    return label, truths[1], read_trace(base / f"{label}.trace")


def by_first_line(told):
    """Threads of two runs are told apart by what they did."""
    several = len(told) > 1 and len({process for process, _ in told}) == 1  # threads race for descriptors, with the tracer and without
    return sorted(repr([line[:4] + line[5:] if several and line[0] == "open" else line for line in lines]) for lines in told.values())


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


DEVICE = {"HAS_STDIN": "/dev/null", "HAS_STDOUT": "pipe:[1]", "HAS_STDERR": "pipe:[2]"}
CASES = [
    ("opening",), ("moving",), ("offsets",), ("errors",), ("settling",), ("names",), ("mapping",), ("copying",), ("streams",), ("threads",),
    ("processes", {"others": ("dash", "bash", "sh")}), ("handlers",), ("by_number",), ("early",), ("own_malloc",),
    *(("closing", how) for how in ("standard", "range", "from", "all")),
    *(("endings", how, {"exit_code": code}) for how, code in (
        ("plain", 5), ("atexit", 5), ("_exit", 5), ("quick_exit", 5), ("bare", 5), ("exit-in-thread", 5), ("last-thread", 0), ("bad-exec", 5),
        ("abort", 128 + signal.SIGABRT), ("kill", 128 + signal.SIGKILL), ("crash", 128 + signal.SIGSEGV))),
]


# --- programs that do too much to tell it -----------------------------------------------------------------------


def total(calls, name, path):
    return sum(call.result for call in calls if call.name == name and call.path.endswith(path) and call.result > 0)


def tiles(calls, names, path, size):
    """The calls' bytes cover the file once, without gap or overlap."""
    pieces = sorted((call.offset, call.result) for call in calls if call.name in names and call.path.endswith("/" + path) and call.result > 0)
    at = 0
    for offset, length in pieces:
        expect_equal(offset, at, f"{path}: where the next bytes begin")
        at += length
    expect_equal(at, size, f"{path}: bytes written")
    counts["calls"] += len(pieces)
    return len(pieces)


def check_handlers(base):
    """Handlers write 300 times 5 bytes in the middle of 20,000 writes of the main program."""
    _, _, traced = run_both(base, "handlers", "often")
    calls = traced[0].calls
    expect_equal(tiles(calls, ["write"], "ticks.dat", 1500), 300, "handlers: writes by the handler")
    expect_equal(tiles(calls, ["pwrite"], "main.dat", 200000), 20000, "handlers: writes by the program")
    expect_equal(sum(call.name == "open" and call.path.endswith("other.dat") for call in calls), 20, "handlers: opens")


def check_one_stream(base):
    """Four threads: 200 lines of 20 bytes and 100 single characters each into one stream."""
    label, _, traced = run_both(base, "threads", "one-stream", racing=True)
    calls = traced[0].calls
    expect_equal(total(calls, "fprintf", "log.txt"), 4 * 200 * 20, f"{label}: bytes printed")
    expect_equal(total(calls, "fwrite", "log.txt"), 4 * 100, f"{label}: characters")
    tiles(calls, ["fprintf", "fwrite"], "log.txt", 4 * 200 * 20 + 4 * 100)


def check_many_files(base):
    """Forty descriptors, all in use: nothing can be opened any more, by the program or by the tracer."""
    label, _, traced = run_both(base, "many_files")
    calls = [call for call in traced[0].calls if call.path.endswith("many.dat")]
    expect_equal(sum(call.name == "open" for call in calls), 38, f"{label}: opens")
    expect_equal(sum(call.name == "pwrite" for call in calls), 20000, f"{label}: writes")


def check_setuid(base):
    """A program with other rights than its caller's loads nothing: it runs as without the tracer, and nothing is recorded."""
    if os.geteuid() != 0:
        left_out("a setuid program: only root can make one")
        return
    shutil.copy(base / "bin/moving", base / "bin/setuid")
    os.chown(base / "bin/setuid", 65534, 65534)
    os.chmod(base / "bin/setuid", 0o6755)
    os.chmod(base, 0o777)
    folder = base / "setuid.traced"
    folder.mkdir()
    os.chmod(folder, 0o777)
    truth = base / "setuid.truth"
    truth.touch()
    os.chmod(truth, 0o666)
    done = subprocess.run([fathom, "run", "-o", base / "setuid.trace", "--", base / "bin/setuid"], cwd=folder, capture_output=True, env={**os.environ, "TRUTH": str(truth)})
    expect_equal(done.returncode, 0, f"setuid program: {done.stderr}")
    expect(truth.stat().st_size > 0, "the setuid program did nothing")
    seen = [process.command for process in read_trace(base / "setuid.trace")]
    expect_equal(seen, [], "processes recorded of a setuid program")
    counts["programs"] += 1


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
            check_program(base, program, *arguments, **options, **DEVICE)
        for check in (check_handlers, check_one_stream, check_many_files, check_setuid):
            if not only or check.__name__ in only:
                check(base)
        say(f"{counts['programs']} programs, {counts['threads']} threads: {counts['calls']} calls, {counts['errors']} of them failed; "
            "each recorded with its file, offset, bytes and result, in order; none too many, none missing")
