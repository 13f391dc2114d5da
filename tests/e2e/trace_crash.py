# SPDX-License-Identifier: Apache-2.0
"""Programs that end badly, disks that fill, files cut short: every finished call is in the trace, and the program never notices."""
import signal

from fathom_e2e import *
from traced import writes


def compiled(folder, name):
    """tests/programs/NAME.c as a program; skips where there is no compiler."""
    if shutil.which("gcc") is None:
        skip("there is no C compiler")
    program = folder / name
    done = subprocess.run(["gcc", "-O2", "-pthread", project / "tests/programs" / f"{name}.c", "-o", program], capture_output=True, text=True)
    expect(done.returncode == 0, f"compiling {name}: {done.stderr}")
    return program


def traced(trace, *command, timeout=120, options=(), **more):
    return subprocess.run([fathom, "run", *options, "-o", trace, "--", *map(str, command)], capture_output=True, text=True, timeout=timeout, **more)


def own_count(path):
    return int.from_bytes(path.read_bytes()[:8], sys.byteorder)


def check_counts(folder, trace, threads, what):
    """What the program itself last wrote is how many calls had been made; the very last may not have returned."""
    found = writes(trace)
    total = 0
    for thread in range(threads):
        made = own_count(folder / f"count.{thread}")
        calls, bytes_written = found.get(f"count.{thread}", (0, 0))
        expect(calls in (made, made - 1), f"{what}: thread {thread} made {made} calls, the trace has {calls}")
        expect_equal(bytes_written, 8 * calls, f"{what}: bytes")
        total += calls
    facts = json.loads(run("trace", "summary", trace, "--format", "json").stdout)
    expect(time.time() - 600 < facts["start"] and facts["duration"] < 600, f"{what}: a run at {facts['start']} for {facts['duration']} s")
    return total


def killed(folder, program):
    for threads, seconds in ((1, 0.05), (1, 2.0), (2, 1.0), (3, 0.3)):
        trace = folder / f"killed-{threads}-{seconds}"
        files = folder / f"files-{threads}-{seconds}"
        files.mkdir()
        running = subprocess.Popen([fathom, "run", "-o", trace, "--", program, files, "kill", "0", str(threads)], stderr=subprocess.PIPE, text=True)
        begin = time.monotonic()
        while time.monotonic() < begin + 30 and not (files / f"count.{threads - 1}").exists():
            time.sleep(0.005)
        time.sleep(seconds)
        victim = subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, text=True).stdout.split()
        expect_equal(len(victim), 1, "processes below fathom run")
        os.kill(int(victim[0]), signal.SIGKILL)
        words = running.communicate(timeout=60)[1]
        expect_equal(running.returncode, 128 + 9, f"exit code after SIGKILL ({words})")
        total = check_counts(files, trace, threads, f"SIGKILL after {seconds} s")
        say(f"SIGKILL after {seconds} s, {threads} threads: all {total} finished calls are there")


def both_killed(folder, program):
    """Nobody is left to collect: the reader finds the memory files by the trace's name, also those of a process that never wrote a block."""
    for name, way, count, seconds in (("soon", "pause", 20, 0.1), ("later", "kill", 0, 0.3)):
        trace, files = folder / f"both-{name}", folder / f"both-{name}-files"
        files.mkdir()
        running = subprocess.Popen([fathom, "run", "-o", trace, "--", program, files, way, str(count), "1"], stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        while time.monotonic() < begin + 30 and not ((files / "count.0").exists() and own_count(files / "count.0") >= max(count, 1)):
            time.sleep(0.005)
        time.sleep(seconds)
        victim = int(subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, text=True).stdout)
        running.kill()
        running.wait()
        os.kill(victim, signal.SIGKILL)
        time.sleep(0.2)
        expect_equal(sum(file.stat().st_size for file in trace.glob("*.fathom")) == 0, name == "soon", f"{name}: nothing was written before the end")
        total = check_counts(files, trace, 1, f"SIGKILL of both, {name}")
        say(f"SIGKILL of the program and of fathom run, {name}: all {total} finished calls are there")


def other_ends(folder, program):
    for way, code in (("abort", 128 + 6), ("_exit", 7), ("exit", 7), ("thread_exit", 7), ("segv", 128 + 11), ("raise_term", 128 + 15)):
        # Of 20 calls nothing is written before the end, and then not by the program if it ends badly.
        for threads, calls in ((1, 20), (1, 30000), (2, 30000)):
            trace, files = folder / f"{way}-{threads}-{calls}", folder / f"{way}-{threads}-{calls}-files"
            files.mkdir()
            plain = subprocess.run([program, files, way, str(calls), str(threads)], capture_output=True)
            done = traced(trace, program, files, way, calls, threads)
            expect_equal(done.returncode, code, f"{way}: exit code ({done.stderr})")
            expect_equal(plain.returncode if plain.returncode >= 0 else 128 - plain.returncode, code, f"{way}: exit code without the tracer")
            total = check_counts(files, trace, threads, way)
            if threads == 1:
                expect_equal(total, calls, f"{way}: calls")
    say("abort, _exit, exit, exit from a thread, SIGSEGV, SIGTERM: every finished call is there")


def cut_short(folder, program):
    """A file cut at any byte reads up to its last whole block; broken bytes never break the reader."""
    trace, files = folder / "whole", folder / "whole-files"
    files.mkdir()
    done = traced(trace, program, files, "exit", 40000, 2)
    expect_equal(done.returncode, 7, f"exit code ({done.stderr})")
    (source,) = trace.glob("*.fathom")
    content = source.read_bytes()
    whole = sum(calls for calls, _ in writes(trace).values())
    chance = random.Random(4)
    last = whole
    places = sorted((chance.randrange(len(content)) for _ in range(12)), reverse=True)
    for place in places:
        cut = folder / "cut"
        shutil.rmtree(cut, ignore_errors=True)
        cut.mkdir()
        (cut / source.name).write_bytes(content[:place])
        found = sum(calls for calls, _ in writes(cut).values())
        expect(found <= last, f"cut at {place}: {found} calls, more than in a longer file ({last})")
        last = found
    damaged = 0
    for turn in range(12):
        broken = bytearray(content)
        for _ in range(chance.choice((1, 5, 50))):
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        cut = folder / "broken"
        shutil.rmtree(cut, ignore_errors=True)
        cut.mkdir()
        (cut / source.name).write_bytes(broken)
        found = sum(calls for calls, _ in writes(cut).values())
        expect(found <= whole, f"broken file {turn}: {found} calls, but there were {whole}")
        damaged += found < whole
    expect(damaged > 0, "no damage lost anything: nothing was tested")
    say(f"cut at {len(places)} places and broken 12 times: readable, never more calls than there were")


def no_room(folder, program):
    """Nowhere to write: the program runs on, its output and exit code are its own, one line says so."""
    files = folder / "room-files"
    files.mkdir()

    def goes_on(trace, what, reason, *before, lines=1):
        done = traced(trace, *before, program, files, "exit", 60000, 1)
        expect_equal(done.returncode, 7, f"{what}: exit code ({done.stderr})")
        said = [line for line in done.stderr.splitlines() if line.startswith("fathom: tracing: ")]
        expect_equal(len(said), lines, f"{what}: lines that say so\n{done.stderr}")
        expect(reason in said[0], f"{what}: the line does not name the reason '{reason}': {said[0]}")
        expect_equal(own_count(files / "count.0"), 60000, f"{what}: calls the program made")

    blocked = folder / "a-file"
    blocked.write_text("not a folder\n")
    goes_on(blocked / "trace", "a file where the folder should be", "")
    place = folder / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", place], capture_output=True).returncode == 0:
        try:
            goes_on(place / "trace", "a full disk", "no space left")
            subprocess.run(["mount", "-o", "remount,ro", place], check=True)
            goes_on(place / "other", "a read-only disk", "")
        finally:
            subprocess.run(["umount", "-l", place], check=True)
    else:
        left_out("tracing to full and read-only disks: no tmpfs can be mounted")
    goes_on(folder / "quota-trace", "a quota that is used up", "quota exceeded", compiled(folder, "quota"))
    # The limit of a file's size comes with a signal that would end the program.
    done = subprocess.run(["sh", "-c", f"ulimit -f 8; exec {fathom} run -o {folder}/limited -- {program} {files} exit 60000 1"], capture_output=True, text=True)
    expect_equal(done.returncode, 7, f"limited file size: exit code ({done.stderr})")
    expect("fathom: tracing: " in done.stderr, f"limited file size: nothing was said: {done.stderr}")
    done = traced(folder / "max", program, files, "exit", 200000, 1, options=("--max-size", "20K"))
    expect_equal(done.returncode, 7, f"--max-size: exit code ({done.stderr})")
    expect("--max-size" in done.stderr, f"--max-size: nothing was said: {done.stderr}")
    size = sum(file.stat().st_size for file in (folder / "max").glob("*.fathom"))
    expect(size <= 20 * 1024, f"--max-size 20K: {size} bytes were written")
    say("no folder, full disk, read-only disk, quota, limited file size, --max-size: the program runs on, one line says so")


def prepared_by_others(folder, program):
    """A folder in memory that others can write to, and a link where the trace should be: the program runs on, and nothing of anybody is touched."""
    files = folder / "others-files"
    files.mkdir()
    library = pathlib.Path(fathom).parent / "lib/libfathom-trace.so"

    def goes_on(what, reason, **settings):
        done = subprocess.run([program, files, "exit", "60000", "1"], capture_output=True, text=True, timeout=120, env=os.environ | {"LD_PRELOAD": str(library)} | {name: str(value) for name, value in settings.items()})
        expect_equal(done.returncode, 7, f"{what}: exit code ({done.stderr})")
        expect(reason in done.stderr, f"{what}: the reason '{reason}' is not said: {done.stderr}")

    memory = folder / "open-memory"
    memory.mkdir()
    memory.chmod(0o777)
    goes_on("memory that others can write to", "others may write to it", FATHOM_TRACE_DIR=folder / "others-trace", FATHOM_MEMORY=memory)
    expect(not [path for path in memory.iterdir() if path.name != "told"], f"left in a folder of others: {list(memory.iterdir())}")
    trace, victim, own = folder / "linked-trace", folder / "victim", folder / "own-memory"
    trace.mkdir()
    victim.write_text("mine\n")
    (trace / f"{os.uname().nodename}.fathom").symlink_to(victim)
    goes_on("a link where the trace should be", "a link of that name is there", FATHOM_TRACE_DIR=trace, FATHOM_MEMORY=own)
    expect_equal(victim.read_text(), "mine\n", "what the link leads to")
    say("a folder and a link that others prepared: the program runs on untraced, nothing is written through them")


def left_in_memory(folder):
    """Memory of the traces below a folder, and of no others: other programs may be traced at the same time. Its name has a hash of the trace's (FNV-1a)."""
    for trace in folder.rglob("*"):
        number = 1469598103934665603
        for byte in str(trace).encode():
            number = ((number ^ byte) * 1099511628211) % 2**64
        memory = pathlib.Path(f"/dev/shm/fathom-{os.getuid()}-{number:x}")
        if memory.exists():
            yield memory


with scratch() as folder:
    program = compiled(folder, "end_badly")
    killed(folder, program)
    other_ends(folder, program)
    cut_short(folder, program)
    no_room(folder, program)
    prepared_by_others(folder, program)
    left = list(left_in_memory(folder))
    expect(not left, f"left in memory: {left}")
    both_killed(folder, program)
    left = list(left_in_memory(folder))
    expect(len(left) == 2, f"the two traces whose collector was killed are in memory: {left}")
    for memory in left:
        shutil.rmtree(memory)
