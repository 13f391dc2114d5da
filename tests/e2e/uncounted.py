# SPDX-License-Identifier: Apache-2.0
"""What no counter counted is nowhere a 0: logs with bytes alone, with one direction alone, with bytes of which no operation was counted, and jobs without length, in every command that shows a job or a server."""
from fathom_e2e import *

T = 1_700_000_040  # a whole minute
# Bytes alone: A writes 600 bytes in the second minute, reads 60 in the third; B nothing.
BYTES_CSV = f"""t,server,read_bytes,write_bytes
{T},A,0,0
{T + 60},A,0,0
{T + 120},A,0,600
{T + 180},A,60,600
{T},B,0,0
{T + 180},B,0,0
"""
# One direction alone: 600 bytes written in 6 requests.
WRITES_CSV = f"""t,server,write_bytes,write_ops
{T},A,0,0
{T + 60},A,600,6
{T + 120},A,600,6
"""
# In the first minute a million bytes and no request that ended; in the second 100 bytes in one read, 600 in two writes.
UNSIZED_CSV = f"""t,server,read_bytes,write_bytes,read_ops,write_ops
{T},A,0,0,0,0
{T + 60},A,1000000,0,0,0
{T + 120},A,1000100,600,1,2
"""
JOBS_CSV = "job_id,user,name,nodes,start,end,servers\nj,ada,app,2,{start},{end},{servers}\n"


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def made(folder, name, counters, end, servers):
    (folder / f"{name}.csv").write_text(counters)
    (folder / f"{name}-jobs.csv").write_text(JOBS_CSV.format(start=T, end=end, servers=servers))
    store = folder / name
    ingest(store, folder / f"{name}.csv", folder / f"{name}-jobs.csv")
    return store


def columns(row, *names):
    return [row[name] for name in names]


def map_row(store, identity, detail):
    """A row of the analysis map: what stands behind its detail."""
    text = run("criteria", store, "--job", "j", "--threshold", 0).stdout
    wanted, at = [], False
    for line in text.splitlines():
        if not line.startswith(" "):
            at = line.startswith(identity + " ")
        if at and detail in line:
            wanted.append(line.split(detail, 1)[1].split())
    expect(len(wanted) == 1, f"{identity} {detail}: {len(wanted)} rows in\n{text}")
    return wanted[0]


def bytes_alone(folder):
    store = made(folder, "bytes", BYTES_CSV, T + 180, "A;B")
    slots = rows("timeline", store, "--job", "j", "--step", 60, "--threshold", 0)
    expect_equal([columns(slot, "read_ops", "write_ops", "read_share_ops", "dominating") for slot in slots], [[""] * 4] * 3, "operations minute by minute")
    expect_equal([columns(slot, "read_bytes", "write_bytes", "units_active", "unit_write_bytes_min", "unit_write_bytes_mean", "unit_write_bytes_max") for slot in slots],
                 [["0", "0", "0", "0", "0", "0"], ["0", "600", "1", "0", "300", "600"], ["60", "0", "1", "0", "0", "0"]], "bytes minute by minute")
    row = rows("criteria", store, "--job", "j")[0]
    expect_equal(columns(row, "read_bytes", "write_bytes", "read_ops", "total_ops", "total_mean_request"), ["60", "600", "", "", ""], "criteria")
    expect_equal(columns(row, "read_bytes_bound", "write_bytes_bound"), ["0", "0"], "bounds of bytes that were counted")
    for identity in ("1.6", "2.9", "3.1"):
        expect_equal(" ".join(map_row(store, identity, "operations, c = 0")), "- - - operations were not counted", identity)
    expect_equal(" ".join(map_row(store, "2.5", "part of the time")), "- - operations were not counted", "2.5")
    expect_equal(" ".join(map_row(store, "2.11", "Repetition of the dominating type")), "- operations were not counted", "2.11")
    expect_equal(" ".join(map_row(store, "2.1", "mean")), "- - - operations were not counted", "2.1")
    expect_equal(" ".join(map_row(store, "1.2", "Total number of operations")), "- - - operations were not counted", "1.2")
    servers = {row["server"]: row for row in rows("population", store, "--min-runtime", 0, "--require-io", "any", "--table", "servers")}
    expect_equal(columns(servers["A"], "read_bytes", "write_bytes", "read_ops", "write_ops"), ["60", "600", "", ""], "a server's totals")
    top = rows("top", store, "--last", 180)[0]
    expect_equal(columns(top, "read_bytes", "write_bytes", "read_ops", "write_ops", "ops_share"), ["60", "600", "", "", ""], "top")
    expect("requests" not in run("top", store, "--last", 180).stderr, "requests are told of servers that count none")
    plot = run("timeline", store, "--job", "j").stdout
    strip = plot[plot.index("2.5 "):plot.index("3.3 ")].splitlines()
    expect("not measured" in strip[0] and not set(strip[1].split("│")[-1].strip()) & set("rwm·"), f"types without operations:\n{plot}")
    say("bytes alone: operations, their shares, types and rhythm are empty, with the reason")


def writes_alone(folder):
    store = made(folder, "writes", WRITES_CSV, T + 120, "A")
    slots = rows("timeline", store, "--job", "j", "--step", 60, "--threshold", 0)
    for slot in slots:
        expect_equal(columns(slot, "read_bytes", "read_ops", "read_share_bytes", "read_share_ops", "dominating", "unit_read_bytes_min", "unit_read_bytes_mean", "unit_read_bytes_max"), [""] * 8, "reads")
    expect_equal([columns(slot, "write_bytes", "write_ops", "unit_write_bytes_max") for slot in slots], [["600", "6", "600"], ["0", "0", "0"]], "writes")
    row = rows("criteria", store, "--job", "j")[0]
    expect_equal(columns(row, "read_bytes", "read_bytes_bound", "write_bytes", "write_bytes_bound"), ["", "", "600", "0"], "bounds")
    expect_equal(" ".join(map_row(store, "1.1", "worst case error"))[:5], "- 0 B", "worst case error of what was not counted")
    expect_equal(" ".join(map_row(store, "2.5", "part of the time")), "- - operations of one direction alone were counted", "2.5")
    expect_equal(map_row(store, "3.3", "largest unit")[:3], ["-", "600", "B"], "largest unit")
    expect_equal([map_row(store, "1.3", f"{detail} of one unit")[:3] for detail in ("max", "mean")], [["-", "10", "B/s"], ["-", "5", "B/s"]], "bandwidth of one unit")
    expect_equal(map_row(store, "3.2", "most units at once")[:4], ["-", "1", "of", "1"], "units at once")
    expect_equal(" ".join(map_row(store, "3.1", "c = 0 B/s")), "- - - one unit: nothing to compare", "3.1 of one server")
    top = rows("top", store, "--last", 120)[0]
    expect_equal(columns(top, "read_bytes", "write_bytes", "read_ops", "write_ops"), ["", "600", "", "6"], "top")
    words = run("summary", store, "--job", "j").stdout
    expect("What it read was not counted." in words and "nothing that was counted" not in words, f"summary:\n{words}")
    page = folder / "report.html"
    run("report", store, "--job", "j", "-o", page)
    text = page.read_text()
    expect('"read_bytes":[null,null' in text.replace(" ", "") and '"dominating":"--' in text.replace(" ", ""), "the page has values that nobody counted")
    say("one direction alone: the other is empty, nothing is said of both together")


def bytes_without_operations(folder):
    """Criterion 2.1: the size of what no operation was counted of is not known; the mean is that of the others, everywhere."""
    store = made(folder, "unsized", UNSIZED_CSV, T + 120, "A")
    names = ("read_mean_request", "write_mean_request", "total_mean_request", "read_small_fraction")
    wanted = [100, 300, 700 / 3, 1]  # 100 bytes in 1 read, 600 in 2 writes, 700 in 3 of both
    for options in (("--job", "j"), ("--min-runtime", 0), ("--min-runtime", 0)):  # alone, computed, kept
        row = rows("criteria", store, *options)[0]
        expect_equal([row["read_bytes"], row["read_ops"]], ["1000100", "1"], f"{options}: all bytes and operations")
        expect(all(abs(float(row[name]) - value) <= 1e-12 * value for name, value in zip(names, wanted)), f"{options}: {columns(row, *names)}, not {wanted}")
    expect_equal(" ".join(map_row(store, "2.1", "mean")), "100 B 300 B 233 B averages over 60 s", "2.1")
    expect_equal(" ".join(map_row(store, "2.1", "left out: increments")), "1 0 bytes, but no operations", "2.1: how many are left out")
    expect_equal(" ".join(map_row(store, "2.1", "left out: bytes")), "976.6 KiB 0 B of these increments", "2.1: their bytes")
    expect("left out" not in run("criteria", folder / "bytes", "--job", "j").stdout, "increments are left out where no operation was counted at all")
    population = {row["x"]: row for row in rows("population", store, "--min-runtime", 0) if row["key"] == "mean_request"}
    expect(all(abs(float(population[x]["max"]) - value) <= 1e-12 * value for x, value in zip(("read", "write", "total"), wanted)), f"population: {population}")
    line = next(line for line in run("summary", store, "--job", "j").stdout.splitlines() if "mean size" in line)
    expect_equal(line.split(), ["mean", "size", "100", "B", "300", "B"], "summary")
    say("bytes without operations: the mean request is that of the others, what is left out is told")


def without_length(folder):
    """Such a job moved nothing: of what was counted at its moment that is known, of all else nothing is."""
    counters, jobs, store = folder / "moments.csv", folder / "moments-jobs.csv", folder / "moments"
    counters.write_text(f"t,server,read_bytes,write_bytes\n" + "".join(f"{T + t},A,{t},{t}\n" for t in range(0, 241, 60)))
    jobs.write_text("job_id,user,name,nodes,start,end,servers\n" + "".join(f"{name},ada,app,1,{T + t},{T + t},A\n" for name, t in (("first", 0), ("between", 90), ("last", 240), ("late", 300))))
    ingest(store, counters, jobs)

    def volumes(*options):
        found = {}
        for row in rows("criteria", store, "--job", "first", "--job", "between", "--job", "last", "--job", "late", *options):
            values = {name: value for name, value in list(row.items())[13:] if value != ""}
            found[row["job_id"]] = (row["sampling_step"], row["coverage"], set(values), set(values.values()))
        return found

    # An increment is (start, end]: nothing is known at T, nor after the last sample.
    names = {f"{x}_bytes{of}" for x in ("read", "write", "total") for of in ("", "_lower", "_upper")}
    known, unknown = ("60", "", names, {"0"}), ("", "", set(), set())
    for link in ("weighted", "simple", "discard", "double-count", "window"):
        expect_equal(volumes("--link", link), {"first": unknown, "between": known, "last": known, "late": unknown}, f"jobs without length, {link}")
    for options in ((), ()):  # computed, then kept
        talk = run("criteria", store, "--min-runtime", 0, "--format", "csv", *options).stderr
        expect("2 left out: not measured" in talk and "2 left out: no I/O" in talk, f"why they are not listed:\n{talk}")
    expect_equal(run("criteria", store, "--job", "between").stdout.splitlines()[2], "  it has no length, sampled every 60 s, link weighted", "how a job without length was measured")
    expect_equal(run("criteria", store, "--job", "late").stdout.splitlines()[2], "  nothing was measured while it ran, link weighted", "how a job after the last sample was measured")
    # A sample more: now it is known what the last one did.
    (folder / "moments-more.csv").write_text(f"t,server,read_bytes,write_bytes\n{T + 300},A,300,300\n")
    ingest(store, folder / "moments-more.csv")
    expect_equal(volumes()["late"], known, "the last job after one more sample")
    talk = run("criteria", store, "--min-runtime", 0, "--format", "csv").stderr
    expect("1 left out: not measured" in talk and "3 left out: no I/O" in talk, f"what was kept still stands after one more sample:\n{talk}")
    say("jobs without length: 0 bytes where bytes were counted at their moment, else nothing; never 0 of what nobody counts")


with scratch() as folder:
    bytes_alone(folder)
    writes_alone(folder)
    bytes_without_operations(folder)
    without_length(folder)
