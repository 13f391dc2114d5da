# SPDX-License-Identifier: Apache-2.0
"""What `strace -ff -y -i --absolute-timestamps=unix,ns` wrote, thread by thread, and where each system call came from.

The instruction pointer tells who made a call: the loader, the tracer, the C library, or the program itself.
"""
import bisect
import dataclasses
import errno
import pathlib
import re

LINE = re.compile(r"^(?P<time>\d+\.\d+) \[(?P<ip>[0-9a-f?]+)\] (?P<name>\w+)\((?P<rest>.*)$")
FORKS = {"clone", "clone3", "fork", "vfork"}


@dataclasses.dataclass
class SystemCall:
    time: int  # nanoseconds since the epoch
    ip: int
    name: str
    arguments: list
    result: int | None  # -errno if it failed; None if it never came back
    origin: str = ""    # "loader", "tracer", or a library's or program's file name
    line: str = ""

    def path(self, i=0):
        """The file of a descriptor as strace decoded it: 3</tmp/x>."""
        found = re.match(r"^(?:-?\d+|AT_FDCWD)<(.*)>(?:\(deleted\))?$", self.arguments[i]) if len(self.arguments) > i else None
        return found[1] if found else ""

    def number(self, i):
        try:
            return int(self.arguments[i], 0)
        except (ValueError, IndexError):
            return None

    def text(self, i):
        words = self.arguments[i] if len(self.arguments) > i else ""
        return words[1:-1].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "surrogateescape") if words.startswith('"') else ""


def split(text):
    """Arguments and what follows the closing bracket."""
    arguments, depth, at, quoted = [], 0, 0, False
    i = 0
    while i < len(text):
        c = text[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "([{<" and not (c == "<" and text[i - 1] in " <"):
            depth += 1
        elif c in ")]}>" and not (c == ">" and text[i - 1] in "=-"):
            if depth == 0:
                arguments.append(text[at:i])
                return [argument.strip() for argument in arguments if argument.strip()], text[i + 1 :]
            depth -= 1
        elif c == "," and depth == 0:
            arguments.append(text[at:i])
            at = i + 1
        i += 1
    return [argument.strip() for argument in [*arguments, text[at:]]], ""


def result_of(text):
    found = re.match(r"^\s*= (0x[0-9a-f]+|-?\d+|\?)(?: (E\w+))?", text)
    if not found or found[1] == "?":
        return -errno.EINTR if found and (found[2] or "").startswith("ERESTART") else None
    return -getattr(errno, found[2]) if found[2] else int(found[1], 0)


def read_thread(path):
    calls = []
    for line in path.read_text(errors="surrogateescape").splitlines():
        found = LINE.match(line)
        if not found:
            continue
        arguments, rest = split(found["rest"])
        ip = int(found["ip"], 16) if "?" not in found["ip"] else 0
        calls.append(SystemCall(int(found["time"].replace(".", "")), ip, found["name"], arguments, result_of(rest), line=line))
    return calls


class Places:
    """What is mapped where in a process."""

    def __init__(self, other=None):
        self.ranges = list(other.ranges) if other else []
        self.loader = other.loader if other else None

    def saw(self, call):
        if call.name == "execve" and call.result == 0:
            self.ranges, self.loader = [], None
        elif self.loader is None:
            self.loader = call.ip  # the first call of a new program is the loader's
        if call.name == "mmap" and call.result and call.result > 0 and len(call.arguments) == 6 and call.path(4).startswith("/"):
            if call.arguments[0] == "NULL":  # the whole library; its parts come to lie inside
                self.ranges.insert(0, (call.result, call.result + call.number(1), pathlib.PurePath(call.path(4)).name))

    def origin(self, ip):
        for begin, end, name in self.ranges:
            if begin <= ip < end:
                return "tracer" if name.startswith("libfathom-trace") else name
        return "loader" if self.loader and abs(ip - self.loader) < 0x40000 else "program"


def read_log(prefix):
    """tid -> its calls, each with its origin; and child tid -> (parent tid, the call that made it)."""
    prefix = pathlib.Path(prefix)
    threads = {int(path.suffix[1:]): read_thread(path) for path in prefix.parent.glob(prefix.name + ".*")}
    born = {call.result: (tid, call) for tid, calls in threads.items() for call in calls if call.name in FORKS and (call.result or 0) > 0}
    places = {}

    def follow(tid):
        if tid in places:
            return
        parent = born.get(tid)
        now = Places()
        if parent:
            follow(parent[0])
            stamps, states = places[parent[0]]
            now = Places(states[max(0, bisect.bisect_right(stamps, parent[1].time) - 1)]) if states else Places()
        stamps, states = [], []
        places[tid] = (stamps, states)
        for call in threads[tid]:
            # execve itself belongs to the old program; what it maps is seen from the next call on.
            call.origin = now.origin(call.ip) if now.loader or now.ranges else "program"
            if call.name in ("execve", "mmap") or now.loader is None:
                now = Places(now)
                now.saw(call)
                if call.origin == "program" and now.loader == call.ip:
                    call.origin = "loader"
                stamps.append(call.time)
                states.append(now)

    for tid in threads:
        follow(tid)
    return threads, born
