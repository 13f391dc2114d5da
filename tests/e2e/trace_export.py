# SPDX-License-Identifier: Apache-2.0
"""The same events whatever the format: CSV, JSON, Parquet, Perfetto's JSON and protobuf; choosing keeps row numbers; the summary adds them up."""
import csv
import io
import json
import sys

from fathom_e2e import expect, expect_equal, refused, run, say, scratch, sql

COLUMNS = ["rank", "thread", "interface", "call", "file", "offset", "bytes", "start", "end", "result", "parent"]
PROGRAM = """
import os, sys, threading
path = sys.argv[1]
def work(name, blocks):
    fd = os.open(f"{path}/{name}", os.O_CREAT | os.O_RDWR)
    for i in range(blocks): os.pwrite(fd, b"x" * 1000, i * 1000)
    for i in range(blocks): os.pread(fd, 500, i * 1000)
    os.close(fd)
threads = [threading.Thread(target=work, args=(f"part {i},\\"odd\\"", 200)) for i in range(3)]
for t in threads: t.start()
for t in threads: t.join()
work("last", 50)
os.unlink(f"{path}/last")
"""


def read_csv(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    expect_equal(list(rows[0]), COLUMNS, "columns")
    return rows


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """The fields of a protobuf message: (number, value), values as numbers or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            expect_equal(tag & 7, 2, "kind of a field")
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield tag >> 3, value


def check_chrome(folder, trace, rows):
    run("trace", "export", trace, "--to", "perfetto", "-o", folder / "t.json")
    events = json.loads((folder / "t.json").read_text())["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    expect_equal([(e["name"], e["args"]["row"], str(e["args"]["result"])) for e in slices], [(r["call"], i, r["result"]) for i, r in enumerate(rows)], "bars of the JSON")
    expect({"process_name", "thread_name"} <= {e["name"] for e in events if e["ph"] == "M"}, "no names of processes and threads")


def check_protobuf(folder, trace, rows):
    run("trace", "export", trace, "--to", "perfetto", "-o", folder / "t.pftrace")
    names, begins, ends, tracks = {}, [], 0, set()
    for number, packet in fields((folder / "t.pftrace").read_bytes()):
        expect_equal(number, 1, "field of the trace")
        parts = dict(fields(packet))
        for kind, value in fields(parts.get(12, b"")):
            if kind == 2:
                entry = dict(fields(value))
                names[entry[1]] = entry[2].decode()
        if 60 in parts:
            tracks.add(dict(fields(parts[60]))[1])
        if 11 in parts:
            event = dict(fields(parts[11]))
            expect(event[11] in tracks, "an event on a track that was not described")
            if event[9] == 1:
                begins.append((names[event[10]], parts[8]))
            else:
                ends += 1
    wanted = [(r["call"], int(r["start"].replace(".", ""))) for r in rows]
    expect_equal(begins, wanted, "beginnings in the protobuf")
    expect_equal(ends, len(rows), "ends in the protobuf")


def main():
    with scratch() as folder:
        trace, data = folder / "traced", folder / "data"
        data.mkdir()
        (folder / "program.py").write_text(PROGRAM)
        run("run", "-o", trace, "--", sys.executable, folder / "program.py", data)
        text = run("trace", "events", trace, "--format", "csv").stdout
        rows = read_csv(text)
        ours = [r for r in rows if r["file"].startswith(str(data)) and r["call"] in ("pwrite", "pread")]
        expect_equal(len(ours), 2 * 650, "transfers")
        starts = [int(r["start"].replace(".", "")) for r in rows]
        expect_equal(starts, sorted(starts), "order of events")
        expect(all(len(r["start"].split(".")[1]) == 9 for r in rows), "times without nanoseconds")
        expect(all(r["parent"] == "" or int(r["parent"]) < i for i, r in enumerate(rows)), "a parent that comes later")
        say(f"{len(rows)} events in order")

        as_json = json.loads(run("trace", "events", trace, "--format", "json").stdout)
        expect_equal([["" if r[c] is None else str(r[c]) for c in COLUMNS if c not in ("start", "end")] for r in as_json],
                     [[r[c] for c in COLUMNS if c not in ("start", "end")] for r in rows], "JSON and CSV")
        run("trace", "export", trace, "--to", "parquet", "-o", folder / "t.parquet")
        from_parquet = sql(f"select rank, thread, interface, call, file, \"offset\", bytes, start_ns, end_ns, result, parent, row from read_parquet('{folder}/t.parquet') order by row")
        # A word for null in the query's output is whatever it prints; empty cells are compared through is null below.
        expect_equal([(r["call"], r["file"] if rows[i]["file"] else "", int(r["start_ns"])) for i, r in enumerate(from_parquet)],
                     [(r["call"], r["file"], int(r["start"].replace(".", ""))) for r in rows], "Parquet and CSV")
        nulls = sql(f"select count(*) filter (bytes is null) as b, count(*) filter (parent is null) as p from read_parquet('{folder}/t.parquet')")[0]
        expect_equal((int(nulls["b"]), int(nulls["p"])), (sum(r["bytes"] == "" for r in rows), sum(r["parent"] == "" for r in rows)), "empty cells")
        run("trace", "export", trace, "--to", "csv", "-o", folder / "t.csv")
        expect_equal((folder / "t.csv").read_text(), text, "export and events")
        say("CSV, JSON and Parquet say the same")

        check_chrome(folder, trace, rows)
        check_protobuf(folder, trace, rows)
        say("Perfetto gets every event in both forms")

        chosen = read_csv(run("trace", "events", trace, "--format", "csv", "--file", "last", "--call", "p*", "--limit", "30").stdout)
        expect_equal(chosen, [r for r in rows if r["file"].endswith("/last") and r["call"].startswith("p")][:30], "chosen events")
        refused("trace", "events", trace, "--call", "pwrit", exit_code=2, naming=["pwrite"])
        refused("trace", "summary", folder / "nothing", naming=["nothing"])

        summary = json.loads(run("trace", "summary", trace, "--format", "json").stdout)
        posix = summary["interfaces"]["posix"]
        expect_equal(summary["events"], len(rows), "events of the summary")
        expect_equal(posix["write_bytes"], sum(int(r["result"]) for r in ours if r["call"] == "pwrite"), "bytes written")
        expect(summary["perceived_bw"]["write"] > 0 and summary["effective_bw"]["posix"]["write"] > 0, "no bandwidth")
        expect(summary["effective_bw"]["mpiio"]["write"] is None, "a bandwidth of what was not there")
        files = list(csv.DictReader(io.StringIO(run("trace", "files", trace, "--format", "csv").stdout)))
        last = next(f for f in files if f["file"].endswith("/last"))
        expect_equal((last["write_calls"], last["write_bytes"], last["read_bytes"]), ("50", "50000", "25000"), "totals of a file")
        say("summary and files add up")


main()
