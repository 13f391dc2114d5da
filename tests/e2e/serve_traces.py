# SPDX-License-Identifier: Apache-2.0
"""What `fathom serve` says of traced runs is what `fathom trace` and `fathom compete` say; the map and the calls are those of the list of events."""
import base64
import concurrent.futures
import math

from served import *
from traced import *

SLICE = 0.25


def traced(folder, name, command, job=None):
    environment = os.environ | ({"SLURM_JOB_ID": job} if job else {})
    done = subprocess.run([fathom, "run", "-o", folder / name, "--", *map(str, command)], capture_output=True, text=True, timeout=300, env=environment)
    expect_equal(done.returncode, 0, f"{name}: exit code\n{done.stderr[-2000:]}")
    return folder / name


def when_prepared(server, trace, patience=120):
    end = time.monotonic() + patience
    while True:
        info = server.api(f"/traces/{trace}")
        expect(info["prepared"]["problem"] is None, f"{trace}: {info['prepared']['problem']}")
        if info["prepared"]["ready"]:
            return info
        expect(time.monotonic() < end, f"{trace} was not prepared in {patience} s")
        time.sleep(0.05)


def told(*words):
    return json.loads(run("trace", *words, "--format", "json").stdout)


def same_tables(server, name, folder):
    """Every number of the command line, digit by digit: both are made by the same code from the same events."""
    expect_equal(when_prepared(server, name)["summary"], told("summary", folder), f"{name}: summary")
    for path, words in {"bandwidth": ["bandwidth"], "decomposition": ["decompose"], "findings": ["findings"], "files": ["files"], "concurrency": ["concurrency"]}.items():
        served = server.api(f"/traces/{name}/{path}")
        wanted = told(*words, folder)
        expect_equal([served["rows"], served["total"]], [wanted, len(wanted)], f"{name}: {path}")
    expect_equal(server.api(f"/traces/{name}/concurrency", interface="mpiio")["rows"], told("concurrency", folder, "--layer", "mpiio"), f"{name}: concurrency of MPI-IO calls")
    levels = server.api(f"/traces/{name}/concurrency")
    most = max([row["most_at_once"] for row in levels["rows"] if row["file"] is None], default=0)
    expect_equal(levels["largest"], most, f"{name}: most reads and writes at once")
    expect(abs(sum(levels["share"]) - 1) < 1e-9, f"{name}: shares of the time add up to {sum(levels['share'])}")
    expect_equal(len(server.api(f"/traces/{name}/bandwidth", limit=1)["rows"]), 1, "rows after a limit")
    say(f"{name}: summary, bandwidth, decomposition, concurrency, findings and files as on the command line")


def nanoseconds(text):
    """Digits as text: a double does not hold nanoseconds since 1970."""
    whole, _, part = text.partition(".")
    return int(whole) * 10**9 + int(part.ljust(9, "0"))


def single_calls(server, name, folder):
    rows = list(csv.DictReader(io.StringIO(run("trace", "events", folder, "--format", "csv").stdout)))
    info = server.api(f"/traces/{name}")
    expect_equal(info["events"], len(rows), f"{name}: events")
    whole = server.api(f"/traces/{name}/calls", limit=5000, all=1)
    ranked = [number for number, row in enumerate(rows) if row["rank"] != ""]
    expect_equal(whole["total"], len(ranked), f"{name}: calls of ranks")
    expect(len(whole["calls"]) == min(5000, len(ranked)), "as many calls as asked for")
    first = None
    for call in whole["calls"]:
        row = rows[call["row"]]
        for column in ("interface", "call"):
            expect_equal(call[column], row[column], f"row {call['row']}: {column}")
        for column in ("rank", "thread", "offset", "bytes", "result", "parent"):
            expect_equal(call[column], int(row[column]) if row[column] else None, f"row {call['row']}: {column}")
        expect_equal(call["file"] or "", row["file"], f"row {call['row']}: file")
        expect_equal(round((call["end"] - call["start"]) * 1e9), nanoseconds(row["end"]) - nanoseconds(row["start"]), f"row {call['row']}: length in ns")
        moment = nanoseconds(row["start"]) - round(call["start"] * 1e9)
        first = moment if first is None else first
        expect(abs(moment - first) <= 1, f"row {call['row']}: start")
    around = [call for call in whole["calls"] if call["call"].startswith("MPI_File_write")]
    for call in around[:3]:
        inside = server.api(f"/traces/{name}/calls", parent=call["row"], all=1, limit=5000)
        wanted = {number for number, row in enumerate(rows) if row["parent"] == str(call["row"])}
        expect_equal({one["row"] for one in inside["calls"] if one["parent"] == call["row"]}, wanted, f"calls inside row {call['row']}")
        expect(all(one["depth"] == call["depth"] + 1 for one in inside["calls"] if one["parent"] == call["row"]), "one deeper")
    few = server.api(f"/traces/{name}/calls", limit=3, all=1)
    lengths = sorted((call["end"] - call["start"] for call in whole["calls"]), reverse=True)
    expect_equal([len(few["calls"]), few["total"]], [3, whole["total"]], "a limit")
    expect(min(call["end"] - call["start"] for call in few["calls"]) >= lengths[2] - 1e-9, "the longest are left")
    say(f"{name}: {len(whole['calls'])} calls one by one, {len(around)} MPI-IO writes with what is in them")
    return whole["calls"]


def map_adds_up(server, name, interface):
    """Cells against the calls of the same window, as far as a byte tells."""
    info = server.api(f"/traces/{name}")
    length = info["end"] - info["start"]
    for begin, end in ((0, length), (length * 0.3, length * 0.6)):
        map_ = server.api(f"/traces/{name}/map", from_=begin, to=end, columns=50, rows=64, interface=interface)
        cells = base64.b64decode(map_["cells"])
        columns, kinds = map_["columns"], map_["kinds"]
        expect_equal(len(cells), len(map_["rows"]) * columns * len(kinds), "cells")
        expect(map_["exact"] and columns <= 50 and all(row["ranks"] == 1 for row in map_["rows"]), "a row for each rank")
        calls = server.api(f"/traces/{name}/calls", from_=begin, to=end, interface=interface, limit=5000)["calls"]
        rows = {row["first"]: i for i, row in enumerate(map_["rows"])}
        outer = {call["row"] for call in calls}
        time_in = [0.0] * len(cells)
        for call in calls:
            if call["parent"] in outer:
                continue  # inside another of the same layer: its time counts there
            for column in range(columns):
                low = map_["t0"] + column * map_["step"]
                part = min(call["end"], low + map_["step"], end) - max(call["start"], low, begin)
                if part > 0:
                    time_in[(rows[call["rank"]] * columns + column) * len(kinds) + kinds.index(call["kind"])] += part
        for cell, seconds in zip(cells, time_in):
            share = min(1.0, seconds / map_["step"])
            expect(abs(cell / 255 - share) <= 0.5 / 255 + 0.004, f"{name}: a cell says {cell / 255:.4f}, its calls {share:.4f}")
    say(f"{name}: map of {interface} calls")


def begin(folder, program, name, *numbers):
    data = folder / f"data-{name}"
    data.mkdir()
    words = [fathom, "run", "--slices", "--slice", SLICE, "-o", folder / name, "--", program, data, *numbers]
    environment = {key: value for key, value in os.environ.items() if not re.match(r"FATHOM_|LD_PRELOAD", key)}
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)


def side_by_side(server, folder):
    """Names of directories are those of the catalog here, so that both tell the same."""
    names = [entry["application"] for entry in server.api("/compete", trace=["small", "large"])["traces"]]
    words = ["compete", *(f"{label}={folder / name}" for label, name in zip(names, ("small", "large")))]
    for options, query in (([], {}), (["--trim"], {"trim": 1}), (["--direction", "read"], {"direction": "read"}), (["--direction", "both"], {"direction": "both"}), (["--share", "node"], {"share": "node"}),
                           (["--standalone", f"{names[0]}=2", "--standalone", f"{names[1]}={folder / 'alone'}"], {"alone": ["small=2", "large=alone"]}), (["--least", "1M"], {"least": 2**20})):
        served = server.api("/compete", trace=["small", "large"], **query)
        wanted = json.loads(run(*words, *options, "--format", "json").stdout)
        expect_equal(served["competition"], wanted, f"compete {' '.join(map(str, options))}")
    predicted = server.api("/compete", trace=["small", "large"], alone=["small=2", "large=alone"])
    expect_equal(predicted["model"], "predicted", "with all times alone")
    for course, row in zip(predicted["courses"], predicted["competition"]["applications"]):
        took = course["steps"][-1][1] - course["steps"][0][0]
        expect(abs(took - row["predicted"]) < 1e-3, f"{course['application']}: the course takes {took} s, {row['predicted']} were predicted")
    plain = server.api("/compete", trace=["small", "large"])
    expect_equal([plain["model"], len(plain["slices"]["applications"])], ["inferred", 2], "without them")
    say(f"compete: overlap of {plain['competition']['active_overlap']['length']} s, shares, times and predictions as on the command line")


def both_sides_of_a_job(folder, program):
    """A job with counters and a trace: its page has the bytes that its processes moved, on its own clock."""
    data = folder / "data-job"
    data.mkdir()
    begin_time = math.floor(time.time()) - 2
    trace = traced(folder, "client", [program, data, 2, 0.5, 8192, 1000], job="4711")
    end_time = math.ceil(time.time()) + 2
    (folder / "jobs.csv").write_text(f"job_id,user,name,nodes,start,end,servers\n4711,ann,app,1,{begin_time},{end_time},s1\n4712,ben,app,1,{begin_time},{end_time},s2\n")
    (folder / "counters.csv").write_text("t,server,read_bytes,write_bytes\n" + "".join(f"{t},{server},{1000 * i},{2000 * i}\n" for server in ("s1", "s2") for i, t in enumerate(range(begin_time, end_time + 1))))
    run("ingest", folder / "job-store", folder / "jobs.csv", folder / "counters.csv", "--servers", "exclusive")
    with Server(folder / "job-store", trace) as server:
        server.when_ready("job-store")
        when_prepared(server, "client")
        clients = server.api("/stores/job-store/jobs/4711")["clients"]
        expect_equal([(each["source"], each["trace"]) for each in clients], [("trace", "client")], "who tells of job 4711")
        posix = told("summary", trace)["interfaces"]["posix"]
        expect_equal([clients[0]["read_bytes"], clients[0]["write_bytes"]], [posix["read_bytes"], posix["write_bytes"]], "bytes of its processes")
        expect(begin_time <= clients[0]["t0"] and clients[0]["t0"] + clients[0]["step"] * len(clients[0]["write"]) <= end_time, "on the job's clock")
        expect_equal(server.api("/stores/job-store/jobs/4712")["clients"], [], "who tells of another job")
    # Ingested, the same run is in the store as slices too: it is told once, by the trace.
    run("ingest", folder / "job-store", trace)
    with Server(folder / "job-store") as server:
        server.when_ready("job-store")
        expect_equal([each["source"] for each in server.api("/stores/job-store/jobs/4711")["clients"]], ["slices"], "from the store alone")
    with Server(folder / "job-store", trace) as server:
        server.when_ready("job-store")
        when_prepared(server, "client")
        expect_equal([each["source"] for each in server.api("/stores/job-store/jobs/4711")["clients"]], ["trace"], "from both")
    say(f"both sides of a job: {posix['write_bytes']} bytes written by its processes")


def refusals(server, folder, name):
    for path, wanted in {
        f"/traces/{name}/map?from=5&to=1": 400, f"/traces/{name}/map?interface=ftp": 400, f"/traces/{name}/map?from=1e17": 400, f"/traces/{name}/calls?parent=99999999999": 404, f"/traces/{name}/calls?rank=4711": 404,
        f"/traces/{name}/calls?limit=x": 400, f"/traces/{name}/calls?from=nan": 400, "/traces/nothing": 404, "/traces/nothing/map": 404, "/compete": 400, "/compete?trace=small": 400, "/compete?trace=small&trace=small": 400,
        "/compete?trace=small&trace=nothing": 404, f"/compete?trace=small&trace={name}": 422, "/compete?trace=small&trace=large&alone=large": 400, "/compete?trace=small&trace=large&alone=large=never": 400,
        "/compete?trace=small&trace=large&direction=up": 400, "/compete?trace=small&trace=large&share=rank": 400,
    }.items():
        status, _, body = server.ask(f"/api/v1{path}")
        expect_equal(status, wanted, f"GET {path}: {body[:300]}")
        expect(json.loads(body)["error"]["message"], f"GET {path}: a message")
    other = folder / "other"
    other.mkdir()
    refused("serve", other, "--bind", "0", naming=["other", "as a store", "as a trace"])
    say("what cannot be answered is refused with a message")


def beside_each_other(server, name):
    """Many questions at once get the answers that they get alone."""
    length = server.api(f"/traces/{name}")["end"] - server.api(f"/traces/{name}")["start"]
    windows = [(length * i / 40, length * (i + 3) / 40) for i in range(30)]
    alone = [server.api(f"/traces/{name}/map", from_=a, to=b, columns=100) for a, b in windows]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda w: server.api(f"/traces/{name}/map", from_=w[0], to=w[1], columns=100), windows))
    expect_equal(together, alone, "answers to questions at the same time")
    status, headers, _ = server.ask(f"/api/v1/traces/{name}/bandwidth")
    again, _, body = server.ask(f"/api/v1/traces/{name}/bandwidth", headers={"If-None-Match": headers["etag"]})
    expect_equal([status, again, body], [200, 304, b""], "an answer that did not change is not sent again")
    say("questions at the same time, and again")


with scratch() as folder:
    writers = build("gcc", "writers.c", folder / "writers")
    if writers is None:
        skip("no compiler")
    running = [begin(folder, writers, "small", 2, 3, 16384, 2000, 0.3), begin(folder, writers, "large", 4, 1.5, 16384, 2000, 0.8)]
    for process in running:
        expect_equal(process.wait(timeout=120), 0, f"exit code of a writer\n{process.stderr.read()}")
    process = begin(folder, writers, "alone", 4, 1, 16384, 2000)
    expect_equal(process.wait(timeout=120), 0, "exit code of a writer")
    plain = folder / "data"
    plain.mkdir()
    traces = {"posix": traced(folder, "posix", [writers, plain, 3, 0.5, 8192, 3000])}
    flavour = next((each for each in flavours if each.mpiexec is not None and each.name == "mpich"), None)
    if flavour is not None and shutil.which("mpicc.mpich") is not None:
        sieving = build("mpicc.mpich", "data_sieving.c", folder / "data_sieving")
        traces["mpi"] = traced(folder, "mpi", ["mpiexec.mpich", "-n", "3", sieving, folder / "sieved.dat"])
    else:
        left_out("a trace of MPI in the dashboard: there is no MPICH with its compiler")
    with Server(*traces.values(), folder / "small", folder / "large", folder / "alone") as server:
        entries = {entry["id"]: entry for entry in server.api("/")["traces"]}
        expect_equal(sorted(entries), sorted([*traces, "small", "large", "alone"]), "traces of the catalog")
        expect(entries["small"]["has_slices"] and not entries["small"]["has_calls"] and entries["posix"]["has_calls"], "what each holds")
        for name, trace in traces.items():
            same_tables(server, name, trace)
            single_calls(server, name, trace)
            for interface in server.api(f"/traces/{name}")["interfaces"]:
                map_adds_up(server, name, interface)
        if "mpi" in traces:
            expect("data_sieving" in {row["finding"] for row in server.api("/traces/mpi/findings")["rows"]}, "data sieving is found")
        side_by_side(server, folder)
        refusals(server, folder, "posix")
        beside_each_other(server, "posix")
    both_sides_of_a_job(folder, writers)
