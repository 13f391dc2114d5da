# SPDX-License-Identifier: Apache-2.0
"""A second reader of trace files, written from the format's description (src/trace_format/*.h): slow, plain, and owing nothing to the program's own.

`read_trace(folder)` gives processes with their threads' calls, in the order in which they ended.
"""
import ctypes
import dataclasses
import pathlib
import struct

NO_OFFSET, NO_BYTES = -(1 << 63), (1 << 64) - 1
HEADER = struct.Struct("<IBBHIIQIIQIIQQQQ")
RECORD = 48
SLOT_DEFINE = 1
PATH, HANDLE, DIRECTORY, THREAD, HINT, NOTE = range(1, 7)
KINDS = ["unknown", "regular", "directory", "pipe", "socket", "character", "block", "pseudo", "anonymous"]

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


@dataclasses.dataclass
class Call:
    name: str
    operation: str
    interface: str
    object: int
    offset: int | None
    bytes: int | None
    result: int
    depth: int
    detail: int
    start: int  # nanoseconds since the epoch
    end: int
    path: str = ""
    kind: str = ""


@dataclasses.dataclass
class Process:
    number: int
    text: dict
    objects: dict = dataclasses.field(default_factory=dict)
    threads: dict = dataclasses.field(default_factory=dict)  # tid -> calls
    tids: dict = dataclasses.field(default_factory=dict)     # number in the trace -> tid
    slice_length: int = 0                                    # nanoseconds
    slices: dict = dataclasses.field(default_factory=dict)   # number of the slice -> counters by name
    clock_steps: list = dataclasses.field(default_factory=list)  # (at, by), nanoseconds

    @property
    def pid(self):
        return int(self.text["pid"])

    @property
    def command(self):
        return self.text.get("command", "").split("\x1f")

    @property
    def calls(self):
        return [call for calls in self.threads.values() for call in calls]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values[0] if len(values) == 1 else values

    def stream(self, size):
        form = self.take("B")
        if form == 0:
            return bytes(size)
        length = self.take("I")
        raw = self.data[self.at : self.at + length]
        self.at += length
        if form == 1:
            return raw
        out = ctypes.create_string_buffer(size)
        got = zstd.ZSTD_decompress(out, size, raw, length)
        assert got == size, f"a stream of {size} bytes gave {got}"
        return out.raw

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little")

    def column(self, count):
        base, form = self.take("HH")
        width, exceptions, excess_bytes = form & 63, form >> 6 & 63, (form >> 12 & 7) + 1
        width = 64 if width == 57 else width
        bits = self.number(-(-count // 8) * width)
        values = [bits >> (i * width) & ((1 << width) - 1) for i in range(count)]
        for place in [self.number(1) for _ in range(exceptions)]:
            values[place] += self.number(excess_bytes) << width
        return [unzigzag(value) << base if form >> 15 else base + value for value in values]

    def stretches(self, count):
        """Columns of kinds, offsets, bytes, results, gaps and durations, of all stretches."""
        columns = [[] for _ in range(6)]
        while len(columns[0]) < count:
            size, start = min(64, count - len(columns[0])), self.take("B")
            self.number([0, 2, 4, 8][start >> 6])
            for number, column in enumerate(columns):
                column += self.column(size) if start >> number & 1 else [0] * size
        assert self.data[self.at :] == bytes(8), "a block does not end behind its stretches"
        return columns


def signed(value):
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def unzigzag(value):
    return (value >> 1) ^ -(value & 1)


class Foretold:
    def __init__(self):
        self.offset = self.step = self.moved = self.bytes = self.result = 0
        self.contiguous = self.whole = True

    def saw(self, offset, asked, result):
        delta = signed(offset - self.offset)
        self.contiguous = delta == self.moved or (self.contiguous and delta != self.step)
        self.step, self.offset, self.bytes, self.result = delta, offset, asked, result
        self.whole = result == signed(asked)
        self.moved = result if result > 0 and asked != NO_BYTES else 0


def definitions_of(data):
    at = 0
    while at < len(data):
        inode, device, size, text_bytes, parent, flags, detail, number, call, slots, kind = struct.unpack_from("<QQqIIIIIHBB", data, at)
        assert call == SLOT_DEFINE
        text = data[at + RECORD : at + RECORD + text_bytes].decode("utf-8", "surrogateescape")
        yield number, dict(inode=inode, device=device, size=size, text=text, parent=parent, flags=flags, detail=detail, kind=kind)
        at += RECORD * (1 + slots)


def records_of(header, payload):
    """(definitions, rows of call number, object, depth, detail, offset, bytes, result, start, end) of one block."""
    reader = Reader(payload)
    definitions = list(definitions_of(reader.stream(reader.take("I"))))
    count, shift, end = header["records"], header["tick_shift"], header["base"]
    rows = []
    if count:
        kinds = [reader.take("IHBB") for _ in range(reader.take("I"))]
        next_of = [Foretold() for _ in kinds]
        numbers, *columns = reader.stretches(count)
        for i in range(count):
            foretold = next_of[numbers[i]]
            offset = signed(foretold.offset + (foretold.moved if foretold.contiguous else foretold.step) + columns[0][i])
            asked = (foretold.bytes + columns[1][i]) & NO_BYTES
            result = signed((signed(asked) if foretold.whole else foretold.result) + columns[2][i])
            foretold.saw(offset, asked, result)
            start = end + columns[3][i]
            end = start + columns[4][i]
            rows.append((*kinds[numbers[i]], offset, asked, result, start << shift, end << shift))
    return definitions, rows


COUNTERS = ["read_bytes", "write_bytes", "read_calls", "write_calls", "opens", "other_calls", "io_time", "read_time", "write_time",
            "mpi_read_bytes", "mpi_write_bytes", "mpi_time"]


def slices_of(payload):
    """(length, steps, rows of slice number and counters) of one block."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = payload[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    length, steps = number(), []
    for _ in range(number()):
        steps.append((unzigzag(number()), unzigzag(number())))
    rows, before = [], 0
    while at < len(payload):
        before += unzigzag(number())
        bits = number()
        rows.append((before, {name: number() if bits >> i & 1 else 0 for i, name in enumerate(COUNTERS)}))
    return length, steps, rows


NAMES = ["magic", "kind", "version", "header_bytes", "payload_bytes", "definition_bytes", "process", "thread", "records", "first", "slots",
         "tick_shift", "base", "earliest", "latest", "checksum"]


def blocks_of(path):
    data = path.read_bytes()
    at = 0
    while at < len(data):
        header = dict(zip(NAMES, HEADER.unpack_from(data, at)))
        assert header["magic"] == 0x31425446, f"{path}: no block at {at}"
        at += header["header_bytes"]
        yield header, data[at : at + header["payload_bytes"]]
        at += header["payload_bytes"]


def lines_of(text):
    return dict(line.split("=", 1) for line in text.decode("utf-8", "surrogateescape").splitlines() if "=" in line)


def realtime_of(text):
    """Ticks to nanoseconds since the epoch, from the first and the last reading of the clocks."""
    last = "end" if "end_ticks" in text else "now"
    (t0, r0), (t1, r1) = ((int(text[f"{k}_ticks"]), int(text[f"{k}_realtime"])) for k in ("start", last))
    rate = (r1 - r0) / (t1 - t0) if t1 > t0 else 1.0
    return lambda ticks: r0 + int((ticks - t0) * rate)


def path_of(processes, process, number):
    """The name of an object: objects from before a fork are defined by the parent."""
    owner = process
    while number not in owner.objects and int(owner.text.get("parent", "0"), 16) in processes:
        owner = processes[int(owner.text["parent"], 16)]
    found = owner.objects.get(number)
    if not found:
        return "", ""
    if found["kind"] == HANDLE and found["text"]:
        return found["text"], KINDS[found["detail"]]
    if found["kind"] == HANDLE:
        return path_of(processes, owner, found["parent"])[0], KINDS[found["detail"]]
    if found["kind"] == DIRECTORY or found["text"].startswith("/"):
        return found["text"], ""
    base = path_of(processes, owner, found["parent"])[0] if found["parent"] else owner.text.get("cwd", "")
    return f"{base}/{found['text']}", ""


def read_trace(folder):
    processes, table, blocks, slices = {}, {}, [], {}
    for path in sorted(pathlib.Path(folder).glob("*.fathom")):
        for header, payload in blocks_of(path):
            if header["kind"] == 1:
                text = lines_of(payload)
                processes.setdefault(header["process"], Process(header["process"], {})).text = text
            elif header["kind"] == 2:
                for line in payload.decode().splitlines():
                    number, name, interface, operation = line.split()
                    table[int(number)] = (name, interface, operation)
            elif header["kind"] == 3:
                blocks.append((header, *records_of(header, payload)))
            elif header["kind"] == 4:
                slices.setdefault(header["process"], {})[header["first"]] = slices_of(payload)
    for number, of_process in slices.items():
        process = processes[number]
        for length, steps, rows in of_process.values():
            assert process.slice_length in (0, length), "slices of different lengths"
            process.slice_length = length
            process.clock_steps += steps
            for slice_number, counters in rows:
                sums = process.slices.setdefault(slice_number, dict.fromkeys(COUNTERS, 0))
                for name, value in counters.items():
                    sums[name] += value
    for header, definitions, _ in blocks:
        process = processes[header["process"]]
        for number, definition in definitions:
            process.objects[number] = definition
            if definition["kind"] == THREAD:
                process.tids[definition["parent"]] = definition["detail"]
    for header, _, rows in sorted(blocks, key=lambda block: (block[0]["thread"], block[0]["first"])):
        process = processes[header["process"]]
        when = realtime_of(process.text)
        calls = process.threads.setdefault(process.tids.get(header["thread"], -header["thread"]), [])
        for number, call, depth, detail, offset, asked, result, start, end in rows:
            name, interface, operation = table[call]
            path, kind = path_of(processes, process, number)
            calls.append(Call(name, operation, interface, number, None if offset == NO_OFFSET else offset, None if asked == NO_BYTES else asked,
                              result, depth, detail, when(start), when(end), path, kind))
    return list(processes.values())


if __name__ == "__main__":
    import sys

    for process in read_trace(sys.argv[1]):
        print(process.pid, " ".join(process.command), process.text.get("lost"))
        for tid, calls in process.threads.items():
            for call in calls:
                print(" ", tid, "  " * call.depth + call.name, call.path, call.kind, call.offset, call.bytes, call.result)
