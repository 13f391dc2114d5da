# SPDX-License-Identifier: Apache-2.0
"""The tracer against strace, on programs that nobody here wrote: one run with both, and every file call of the system must be accounted for.

A system call is the one of a recorded call of the same thread (name, file, size and result agree), or lies inside a recorded call of the C
library (an openat inside fopen), or belongs to a class listed in docs/tracing-exactness.md; nothing is left over. The other way round every
recorded call that stands for one system call has it. Before that, the programs run without and with the tracer (and without strace): output,
messages, exit code and the files they leave behind are the same bytes.
"""
import bisect
import collections
import re

from traced import *
from strace_log import read_log
from trace_file import read_trace

FILE_CALLS = "%file,%desc,clone,clone3,fork,vfork,msync,munmap,sync,syncfs,io_submit,io_getevents"
NO_FILE_CALLS = {  # of %file and %desc: waiting, pipes and sockets being made, processes; nothing is read or written
    "execve", "execveat", "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "eventfd2", "eventfd", "pipe", "pipe2", "timerfd_create", "timerfd_settime", "timerfd_gettime", "signalfd4", "inotify_init1",
    "inotify_add_watch", "inotify_rm_watch", "clone", "clone3", "fork", "vfork", "getcwd", "pidfd_open", "pidfd_send_signal", "io_setup",
    "memfd_secret", "perf_event_open", "mq_open", "munmap", "setns", "fanotify_init",
}
# A recorded call and the system calls that may lie inside it; the first is its own, "=" in front: exactly one of them, with the same numbers.
INSIDE = {
    "open": "=openat open", "creat": "=creat openat open", "mkstemp": "openat", "shm_open": "openat", "memfd_create": "=memfd_create",
    "close": "=close", "close_range": "close_range openat getdents64 close", "read": "=read", "pread": "=pread64", "readv": "=readv", "preadv": "=preadv",
    "preadv2": "=preadv2 preadv readv", "write": "=write", "pwrite": "=pwrite64", "writev": "=writev", "pwritev": "=pwritev", "pwritev2": "=pwritev2 pwritev writev",
    "sendfile": "=sendfile", "copy_file_range": "=copy_file_range", "splice": "=splice", "lseek": "=lseek", "fsync": "=fsync", "fdatasync": "=fdatasync",
    "sync_file_range": "=sync_file_range", "syncfs": "=syncfs", "sync": "=sync", "truncate": "=truncate", "ftruncate": "=ftruncate",
    "fallocate": "fallocate pwrite64 fstatfs newfstatat pread64 fcntl", "fcntl": "=fcntl", "fcntl.lock": "=fcntl", "fcntl.unlock": "=fcntl", "fcntl.getlk": "=fcntl",
    "fcntl.dup": "=fcntl", "flock.lock": "=flock", "flock.unlock": "=flock", "lockf.lock": "fcntl", "lockf.unlock": "fcntl", "lockf.test": "fcntl",
    "dup": "=dup dup2 dup3 fcntl", "ioctl": "=ioctl", "posix_fadvise": "=fadvise64", "readahead": "=readahead",
    "stat": "=newfstatat stat lstat statx", "fstat": "=newfstatat fstat statx", "access": "=access faccessat faccessat2 newfstatat",
    "statfs": "=statfs fstatfs", "readlink": "readlink readlinkat getcwd newfstatat lstat faccessat2", "unlink": "unlink unlinkat rmdir", "rmdir": "=rmdir unlinkat",
    "rename": "=rename renameat renameat2", "link": "=link linkat symlink symlinkat", "mkdir": "=mkdir mkdirat", "mknod": "=mknod mknodat",
    "chmod": "=chmod fchmod fchmodat", "chown": "=chown fchown lchown fchownat", "utime": "=utimensat utime utimes futimesat",
    "xattr": "=getxattr lgetxattr fgetxattr setxattr lsetxattr fsetxattr listxattr llistxattr flistxattr removexattr lremovexattr fremovexattr",
    "chdir": "=chdir fchdir", "opendir": "openat newfstatat fstat fcntl", "readdir": "getdents64", "closedir": "close",
    "walk": "openat newfstatat lstat stat getdents64 close fstatfs fcntl fchdir chdir open", "mmap": "=mmap", "munmap": "munmap", "msync": "=msync",
    "fopen": "openat fcntl lseek close dup3 write newfstatat", "fclose": "close write lseek", "fread": "read newfstatat lseek write ioctl", "fscanf": "read newfstatat lseek",
    "fwrite": "write newfstatat lseek ioctl", "fprintf": "write newfstatat lseek ioctl", "fflush": "write lseek", "fseek": "lseek write read newfstatat",
    "io_submit": "io_submit", "io_getevents": "io_getevents",
}
RULES = {name: (words.startswith("="), set(words.lstrip("=").split())) for name, words in INSIDE.items()}

# Calls that the C library makes for itself; documented in docs/tracing-exactness.md under the same names.
PATTERNS = [
    ("locale", r"/locale/|/locale\.alias|/gconv|/i18n/|/charmaps/|LC_MESSAGES"),
    ("names of users and hosts", r"^/etc/(nsswitch\.conf|passwd|group|hosts|host\.conf|resolv\.conf|gai\.conf|services|protocols|networks|login\.defs|shadow)|^/$|/nscd/|/var/lib/extrausers|userdb"),
    ("time zone", r"/etc/localtime|/zoneinfo"),
    ("terminals", r"^/dev/(ptmx|pts|tty)"),
    ("named semaphores", r"^/dev/shm/sem\."),
    ("the system's own facts", r"^/(proc|sys)/"),
]
MARGIN = 3_000  # nanoseconds that two ways of reading the clock may differ


# --- running ----------------------------------------------------------------------------------------------------


def start(command, folder, **options):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, timeout=300, stdin=subprocess.DEVNULL, **options)


def left_behind(folder, ignored):
    return {str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
            for path in sorted(folder.rglob("*")) if (path.is_symlink() or path.is_file()) and not re.search(ignored, str(path.relative_to(folder)))}


def expect_unnoticed(base, name, prepare, command, ignored, talks):
    """Without and with the tracer: the same in everything that can be seen."""
    outcomes = []
    for how in ("plain", "traced"):
        folder = base / name / "here"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        prepare(folder)
        before = [fathom, "run", "-o", base / name / "trace.alone", "--"] if how == "traced" else []
        done = start([*before, *command], folder)
        errors = b"".join(line for line in done.stderr.splitlines(keepends=True) if not re.match(rb"fathom: (ran|next:|no calls|[0-9,]+ calls) ?", line))
        in_order = (lambda text: text) if talks else (lambda text: sorted(text.splitlines()))  # ranks talk in any order
        outcomes.append((done.returncode, in_order(done.stdout), in_order(errors), left_behind(folder, ignored)))
    expect_equal(outcomes[0][0], 0, f"{name}: exit code; it wrote {outcomes[0][1:3]}")
    for what, plain, traced in zip(("exit code", "output", "messages", "files"), *outcomes):
        expect(plain == traced, f"{name}: {what} without the tracer {str(plain)[:2000]}\nand with it {str(traced)[:2000]}")


def run_with_both(base, name, prepare, command):
    folder = base / name / "both"
    folder.mkdir()
    prepare(folder)
    log = base / name / "strace"
    strace = ["strace", "-ff", "-q", "-y", "-i", "-s", "0", "--absolute-timestamps=unix,ns", "-e", f"trace={FILE_CALLS}", "-e", "signal=none", "-o", log]
    done = start([fathom, "run", "-o", base / name / "trace", "--", *strace, *command], folder)
    expect_equal(done.returncode, 0, f"{name} under strace: {done.stderr[-1000:]}")
    return *read_log(log), [process for process in read_trace(base / name / "trace") if not process.command[0].endswith("strace")]


# --- comparing --------------------------------------------------------------------------------------------------


class Thread:
    """A thread's recorded calls, outermost first where they lie inside each other; which of them holds a moment?"""

    def __init__(self, calls):
        self.calls = sorted((call for call in calls if not call.name.endswith(".to") and call.end > call.start), key=lambda call: call.start)
        self.starts = [call.start for call in self.calls]
        self.last_end = max((call.end for call in calls), default=0)
        self.found = collections.defaultdict(list)  # index -> system calls inside

    def holding(self, call):
        """Innermost first."""
        i = bisect.bisect_right(self.starts, call.time + MARGIN) - 1
        while i >= 0 and i > bisect.bisect_right(self.starts, call.time) - 40:
            if self.calls[i].start - MARGIN <= call.time <= self.calls[i].end + MARGIN:
                yield i
            i -= 1


def same_numbers(event, call):
    """Size and result, where the system call has them in the same place."""
    if call.result is None:
        return True
    if event.name in ("mmap",):
        return (event.result < 0) == (call.result < 0) and event.bytes == call.number(1)
    if event.result != call.result:
        return False
    at = {"read": 2, "write": 2, "pread64": 2, "pwrite64": 2, "copy_file_range": 4, "sendfile": 3, "getdents64": 2}.get(call.name)
    if at is not None and event.bytes != call.number(at):
        return False
    if call.name in ("pread64", "pwrite64") and event.offset != call.number(3):
        return False
    if call.name == "ftruncate" and event.offset != call.number(1):
        return False
    return True


def plain(path):
    return os.path.normpath(path).replace("//", "/")


def same_file(event, call):
    """Names as the kernel has them may differ from names as given: links, deleted files."""
    path = call.path(1) if call.name == "sendfile" else call.path(4) if call.name == "mmap" else call.path(0)
    given = next((i for i in range(min(2, len(call.arguments))) if re.fullmatch(r'".*"', call.arguments[i], re.S)), None)
    if given is not None and call.text(given) and call.name != "memfd_create":
        if given == 0 and not call.text(0).startswith("/"):  # relative to a folder that strace does not tell
            return plain(event.path).endswith(plain("/" + call.text(0).lstrip("./"))) or call.text(0) in (".", "..")
        return plain(event.path) == plain(os.path.join(path or "/", call.text(given)))
    if not path.startswith("/") or not event.path.startswith("/"):
        # A pipe that another thread closed at once may have gone before it could be looked up.
        return path == event.path or call.result is not None and call.result < 0 or not path or not path.startswith("/") and not event.path
    path = path.removesuffix(" (deleted)")
    if plain(event.path.removesuffix(" (deleted)")) == path or os.path.realpath(event.path) == path:
        return True
    return not os.path.exists(path)  # renamed or removed while open: strace tells the new name, the trace the old one


def klass(call, thread, tid, born, process_streams, exec_at):
    """The documented class of a system call that is no recorded call's."""
    if call.name == "ioctl" and re.search(r"TCGETS|TIOC", call.arguments[1]):
        return "is it a terminal?"
    paths = [call.path(0), *(call.text(i) for i in range(min(2, len(call.arguments)))), call.path(4) if call.name == "mmap" else ""]
    for name, pattern in PATTERNS:
        if any(re.search(pattern, path) for path in paths if path):
            return name
    if tid in born and "VFORK" in born[tid][1].line and call.time < exec_at.get(tid, 1 << 63):
        return "between spawn and exec"
    if call.name == "lseek" and call.arguments[1:] == ["0", "SEEK_CUR"] and call.path(0) in process_streams:
        return "where does a stream stand?"
    if call.name in ("write", "lseek", "close") and call.path(0) in process_streams and thread and call.time > thread.last_end:
        return "streams at the end"
    if call.name == "write" and call.arguments[0].startswith("2<"):
        return "messages of the C library"
    if re.match(r"^-?\d+<(socket|UNIX|TCP|UDP|NETLINK|anon_inode)", call.arguments[0] if call.arguments else ""):
        return "sockets of the C library"
    return None


def queued(call, transfers):
    """The C library's own threads move the bytes of queued requests; the request is recorded where the program learnt of its end."""
    what = ({"pread64": "aio.read", "pwrite64": "aio.write"}.get(call.name), call.number(3), call.number(2), call.result)
    if what not in transfers:
        return False
    transfers.remove(what)
    return True


def compare(name, threads, born, processes):
    events = {}
    streams = collections.defaultdict(set)
    process_of, transfers = {}, []
    for process in processes:
        expect_equal(process.text["lost"], "0", f"{name}: records lost")
        for tid, calls in process.threads.items():
            events.setdefault(tid, []).extend(calls)
            process_of[tid] = process.pid
            streams[process.pid] |= {call.path for call in calls if call.name in ("fwrite", "fprintf", "fread", "fopen", "fclose")}
            transfers += [(call.name, call.offset, call.bytes, call.result) for call in calls if call.name in ("aio.read", "aio.write")]
            for call in calls:
                expect("/dev/shm/fathom-" not in call.path and not call.path.endswith(".fathom"), f"{name}: the tracer's own {call}")
    events = {tid: Thread(calls) for tid, calls in events.items()}
    exec_at = {tid: next((call.time for call in calls if call.name == "execve" and call.result == 0), 1 << 63) for tid, calls in threads.items()}
    tally, left = collections.Counter(), []
    for tid, calls in threads.items():
        for call in calls:
            if call.name in NO_FILE_CALLS or call.origin in ("loader", "tracer") or (call.name == "mmap" and "MAP_ANONYMOUS" in call.line) or call.name == "mmap" and call.arguments[4:5] == ["-1"]:
                tally[call.origin if call.origin in ("loader", "tracer") else "no file call"] += 1
                continue
            vforked = tid in born and "VFORK" in born[tid][1].line + born[tid][1].name.upper() and call.time < exec_at[tid]
            thread = events.get(born[tid][0] if vforked else tid)
            for i in thread.holding(call) if thread else ():
                exact, names = RULES.get(thread.calls[i].name, (False, set()))
                if call.name not in names:
                    continue
                # The table of descriptors is the parent's: a vfork child's own are not looked up.
                if exact and not (same_numbers(thread.calls[i], call) and (same_file(thread.calls[i], call) or vforked and not thread.calls[i].path)):
                    left.append(("differs", tid, call, thread.calls[i]))
                thread.found[i].append(call)
                tally["the call itself" if exact else "inside a call of the C library"] += 1
                break
            else:
                found = "a queued request" if queued(call, transfers) else klass(call, thread, tid, born, streams[process_of.get(tid, tid)], exec_at)
                tally[found or "left over"] += 1
                if not found:
                    left.append(("no event", tid, call, None))
    for tid, thread in events.items():
        for i, event in enumerate(thread.calls):
            exact, names = RULES.get(event.name, (False, set()))
            if exact and len(thread.found[i]) != 1:
                left.append((f"{len(thread.found[i])} system calls for", tid, None, event))
            tally["recorded calls"] += 1
    for why, tid, call, event in left[:12]:
        print(f"  {name} {tid}: {why}: {call.origin + ' ' + call.line if call else ''} {event or ''}")
    expect(not left, f"{name}: {len(left)} differences between strace and the trace")
    counted = sum(n for key, n in tally.items() if key != "recorded calls")
    say(f"{name}: {len(processes)} processes, {counted} system calls, {tally.pop('recorded calls')} recorded calls; " + ", ".join(f"{n} {key}" for key, n in tally.most_common()) + "; 0 left over")
    return tally


# --- programs ---------------------------------------------------------------------------------------------------


def some_files(folder):
    chance = seeded(7)
    for i in range(6):
        path = folder / "src" / f"folder-{i % 2}" / f"file-{i}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chance.randbytes(1000 * 9**i % 70000))
    (folder / "src/link").symlink_to("folder-0/file-0")


def a_repository(folder):
    some_files(folder)
    git = ["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]
    when = {**os.environ, "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z"}
    for words in (["init", "-q", "."], ["add", "."], ["commit", "-qm", "first"]):
        expect_equal(start([*git, *words], folder / "src", env=when).returncode, 0, f"git {words}")


def a_script(folder):
    (folder / "script.py").write_text("""
import os, json, tempfile, shutil, mmap
with open("a.json", "w") as out: json.dump({"numbers": list(range(1000))}, out)
with open("a.json") as text: print(len(json.load(text)["numbers"]))
with open("b.bin", "wb", buffering=0) as out:
    for i in range(20): out.write(bytes(100 * i))
with open("b.bin", "r+b") as both:
    both.seek(500); both.write(b"x" * 10); both.truncate(9000)
    with mmap.mmap(both.fileno(), 4096) as area: area[0:4] = b"abcd"
fd = os.open("c.bin", os.O_RDWR | os.O_CREAT, 0o600)
os.pwrite(fd, b"y" * 100, 300); print(os.pread(fd, 50, 310)); os.fsync(fd); os.close(fd)
os.makedirs("d/e"); shutil.copy("b.bin", "d/e/copy"); os.rename("d/e/copy", "d/copy"); print(sorted(os.listdir("d")))
with tempfile.TemporaryFile() as nowhere: nowhere.write(b"z" * 10000)
try: open("missing")
except FileNotFoundError as error: print(error)
""")


def a_source(folder):
    (folder / "hello.c").write_text("#include <stdio.h>\\nint main(void) { return puts(\"hello\") < 0; }\\n".replace("\\n", "\n").replace("\\\"", "\""))


PROGRAMS = [  # name, needs, prepare, command, files that differ from run to run, whether lines come in the same order each time
    ("cp", "cp", some_files, ["cp", "-r", "src", "copy"], r"$^", True),
    ("tar", "tar", some_files, ["tar", "cf", "all.tar", "--mtime=2024-01-01", "src"], r"$^", True),
    ("dd", "dd", some_files, ["dd", "if=src/folder-1/file-5", "of=out", "bs=4096", "conv=fsync,notrunc", "status=none"], r"$^", True),
    ("sqlite3", "sqlite3", lambda folder: None, ["sqlite3", "a.db", "create table t(a, b); begin; insert into t values(1, 'x'), (2, 'y'); commit; create index i on t(b); select count(*) from t; vacuum; drop table t;"], r"$^", True),
    ("git", "git", a_repository, ["git", "clone", "-q", "--no-hardlinks", "src", "clone"], r"\.git/(index|logs/.*)$", True),
    ("python", "python3", a_script, [sys.executable, "-B", "-E", "-S", "script.py"], r"$^", True),
    ("gcc", "gcc", a_source, ["gcc", "-O1", "-o", "hello", "hello.c"], r"$^", True),
    ("fio", "fio", lambda folder: None, ["fio", "--name=j", "--ioengine=psync", "--rw=randrw", "--bs=4k", "--size=400k", "--zero_buffers", "--numjobs=2", "--fsync=10", "--output=fio.out", "--directory=."], r"fio\.out", True),
    ("fio-libaio", "fio", lambda folder: None, ["fio", "--name=j", "--ioengine=libaio", "--iodepth=4", "--direct=1", "--rw=randrw", "--bs=4k", "--size=400k", "--zero_buffers", "--output=fio.out", "--directory=."], r"fio\.out", True),
]

def mpi_programs(base):
    """A program of each flavour of MPI: MPI-IO from C and Fortran, parallel HDF5."""
    for flavour in flavours:
        if flavour.mpiexec is None:
            say(f"{flavour.name}: not installed, left out")
            continue
        built = [("mpi-io", build(f"mpicc.{flavour.name}", "mpi_calls.c", base / f"mpi_calls.{flavour.name}")),
                 ("fortran", build(f"mpifort.{flavour.name}", "fortran_io.F90", base / f"fortran.{flavour.name}", "-DINTERFACE=2", "-fallow-argument-mismatch")),
                 ("hdf5", build(f"h5pcc.{flavour.name}", "hdf5_io.c", base / f"hdf5.{flavour.name}", "-shlib"))]
        for what, program in built:
            # Both languages and libraries of both flavours take a minute more than one of each.
            if program is not None and (long_run or (flavour.name, what) not in (("mpich", "fortran"), ("openmpi", "hdf5"))):
                yield (f"{flavour.name} {what}", flavour.mpiexec, lambda folder: None, [flavour.mpiexec, *flavour.options, "-n", "2", program, "data"],
                       r"^data$" if what == "hdf5" else r"$^", False)  # HDF5 writes the time into its files


if __name__ == "__main__":
    only = [word for word in sys.argv[3:] if not word.startswith("-")]
    if not shutil.which("strace"):
        skip("there is no strace here")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        skip("strace may not look at processes here")
    total = collections.Counter()
    with scratch() as base:
        for name, needs, prepare, command, ignored, talks in [*PROGRAMS, *mpi_programs(base)]:
            if only and name.split()[-1] not in only and name not in only:
                continue
            if not shutil.which(needs):
                left_out(f"{name} under strace: {needs} is not installed")
                continue
            expect_unnoticed(base, name, prepare, command, ignored, talks)
            total += compare(name, *run_with_both(base, name, prepare, command))
            shutil.rmtree(base / name)
    say("in all: " + ", ".join(f"{n} {key}" for key, n in total.most_common()) + "; 0 left over")
