# SPDX-License-Identifier: Apache-2.0
"""What no counter counted is nowhere a 0: logs with bytes alone, or with one direction alone, in every command that shows a job or a server."""
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


with scratch() as folder:
    bytes_alone(folder)
    writes_alone(folder)
