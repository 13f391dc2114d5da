# SPDX-License-Identifier: Apache-2.0
"""Simulations, load, advice and decisions of `fathom serve`: equal to the command line; limits, cancelling, hostile input."""
import math
import re

from served import *

JSON = {"Content-Type": "application/json"}
start = 1500000000


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def close(found, wanted, what):
    if wanted == "" or found is None:
        expect(wanted == "" and found is None, f"{what}: expected {wanted!r}, found {found!r}")
    else:
        expect(math.isclose(float(found), float(wanted), rel_tol=1e-9, abs_tol=1e-12), f"{what}: expected {wanted}, found {found}")


def post(server, request, status=200):
    body = request if isinstance(request, (bytes, str)) else json.dumps(request)
    found, _, answer = server.ask("/api/v1/simulations", "POST", JSON, body)
    expect_equal(found, status, f"status of {body[:200]!r}: {answer[:300]!r}")
    return json.loads(answer)


def finished(server, entry, patience=300):
    end = time.monotonic() + patience
    while True:
        found = server.api(f"/simulations/{entry['id']}")
        if found["state"] not in ("waiting", "running"):
            return found
        expect(time.monotonic() < end, f"simulation {entry['id']} has not ended: {found['state']} {found['done']}")
        time.sleep(0.05)


def done(server, request):
    found = finished(server, post(server, request))
    expect_equal(found["state"], "done", f"state of {request}: {found['problem']}")
    return found


def scenario_file(server, folder, found):
    status, headers, text = server.ask(f"/api/v1/simulations/{found['id']}/scenario.toml")
    expect_equal(status, 200, "status of the scenario")
    expect("attachment" in headers["content-disposition"], "the scenario is to be kept")
    file = folder / f"{found['id']}.toml"
    file.write_bytes(text)
    return file


# --- simulations ------------------------------------------------------------------------------------------------------


def same_statistics(found, row, prefix, what):
    for name, column in (("jobs", "jobs"), ("average", "average"), ("standard_deviation", "standard_deviation"), ("maximum", "maximum"), ("median", "median"), ("share_above", "share_above_1.1")):
        close(found[name], row[prefix + column], f"{what}: {name}")


def check_comparison(server, folder, store, request):
    found = done(server, request)
    file = scenario_file(server, folder, found)
    more = ["--store", store] if request.get("store") else []
    for key in ("from", "to"):
        more += [f"--{key}", f"{request[key]:.6f}"] if request.get(key) else []
    summary = {row["ratio"]: row for row in rows_of("simulate", file, *more, "--summary")}
    comparison = found["result"]["comparison"]
    for name, ratio in (("io", "io_ratio"), ("run", "run_ratio")):
        axis = comparison[name]["axis"]
        same_statistics({"jobs": axis["n"], "average": axis["mean"], "standard_deviation": comparison[name]["standard_deviation"], "maximum": axis["max"], "median": axis["median"],
                         "share_above": comparison[name]["share_above"]}, summary[ratio], "", f"{request['title']}, {name}")
    # The page of the command line holds the same data, but for title and time.
    page = folder / "page.html"
    run("simulate", file, *more, "-o", page)
    data = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page.read_text(), re.S).group(1))
    wanted = {key: value for key, value in data.items() if key not in ("title", "generated", "notes")}
    expect_equal({key: value for key, value in found["result"].items() if key not in ("title", "generated", "notes")}, wanted, "data of the page")
    status, headers, kept = server.ask(f"/api/v1/simulations/{found['id']}/page")
    expect(status == 200 and kept.startswith(b"<!") and "attachment" in headers["content-disposition"], "the page to keep")
    return found


def check_sweep(server, folder, store, request):
    found = done(server, request)
    file = scenario_file(server, folder, found)
    axes = [word for axis in request["sweep"] for word in ("--sweep", f"{axis['key']}={','.join(axis['values'])}")]
    more = ["--store", store] if request.get("store") else []
    rows = rows_of("simulate", file, *more, *axes)
    points = found["result"]["sweep"]["points"]
    expect_equal(len(points), len(rows), "combinations")
    for point, row in zip(points, rows):
        for axis, value in zip(request["sweep"], point["values"]):
            expect_equal(value, row[axis["key"]], "value of an axis")
        for name in ("io", "run"):
            if point[name] is not None:
                same_statistics(point[name], row, f"{name}_ratio_", f"{point['values']}, {name}")
        close(point["cost"], row["cost"], "cost")
        expect_equal(str(int(point["run_front"])) if row["pareto"] else "", row["pareto"], "front")
        close(point["full_writes_per_day"], row["full_writes_per_day"], "full writes")
    return found


def simulations(folder, store):
    with Server(store, "--simulation-requests", 12_000_000, "--simulation-combinations", 12) as server:
        limits = server.api("/")["simulations"]
        expect_equal((limits["allowed"], limits["most_requests"], limits["most_combinations"]), (True, 12_000_000, 12), "limits in the catalog")
        names = [one["name"] for one in server.api("/scenarios")["scenarios"]]
        expect_equal(names, ["jugene", "jugene-burst-buffer", "spider", "harbour", "harbour-burst-buffer", "template"], "scenarios")
        check_comparison(server, folder, store, {"title": "made up", "scenario": "jugene-burst-buffer", "changes": {"io_nodes.count": "40", "external_link.bandwidth": "2 Gbit/s", "cost.currency": "EUR",
                                                                                                             "cost.external_bandwidth": "10", "cost.burst_buffer": "0.5"}, "sweep": [], "store": None})
        check_comparison(server, folder, store, {"title": "of a store", "scenario": "jugene", "changes": {"external_link.bandwidth": "100 Mbit/s"}, "sweep": [], "store": "store"})
        times = server.when_ready("store")
        middle = (times["start"] + times["end"]) / 2
        check_comparison(server, folder, store, {"title": "of a part of it", "scenario": "jugene-burst-buffer", "changes": {}, "sweep": [], "store": "store", "from": times["start"], "to": middle})
        say("comparisons are those of `fathom simulate`")
        prices = {"cost.external_bandwidth": "12.5", "cost.burst_buffer": "0.5", "cost.drive_writes_per_day": "3", "cost.warranty_years": "5", "io_nodes.count": "20"}
        check_sweep(server, folder, store, {"title": "sweep", "scenario": "jugene", "changes": prices,
                                            "sweep": [{"key": "external_bandwidth", "values": ["1 Gbit/s", "4Gbit/s", "10Gbit/s"]}, {"key": "burst_buffer.size", "values": ["0", "1GiB", "16 GiB"]}], "store": None})
        del prices["io_nodes.count"]
        check_sweep(server, folder, store, {"scenario": "jugene", "changes": prices, "sweep": [{"key": "external_link.bandwidth", "values": ["1 Gbit/s", "10 Gbit/s"]}], "store": "store"})
        say("sweeps are those of `fathom simulate --sweep`")
        refusals(server)
        expect_equal(server.ask("/api/v1/simulations/none/page")[0], 404, "a simulation that is not there")
    with Server(store, "--simulation-requests", 0) as server:
        expect_equal(server.api("/")["simulations"]["allowed"], False, "no simulations")
        post(server, {"scenario": "template"}, 422)


def refusals(server):
    for request, status, words in ((b"", 400, "no JSON"), (b'{"scenario":', 400, "no JSON"), (b"\xff\xfe", 400, "no JSON"), ([], 400, "object"), ({"scenario": "nothing"}, 400, "known are"),
                                   ({"scenario": "jugene", "unknown": 1}, 400, "no field"), ({"scenario": "jugene", "changes": {"external_link.bandwith": "1 Gbit/s"}}, 400, "did you mean"),
                                   ({"scenario": "jugene", "changes": {"external_link.bandwidth": "fast"}}, 400, "no value"), ({"scenario": "template", "store": "nowhere"}, 404, "no store"),
                                   ({"scenario": "jugene", "changes": {"io_nodes.count": "20000"}}, 422, "requests"),
                                   ({"scenario": "template", "sweep": [{"key": "in_flight", "values": [str(i + 1) for i in range(13)]}]}, 422, "combinations")):
        answer = post(server, request, status)
        expect(words in answer["error"]["message"], f"{request}: {answer['error']['message']!r} does not say {words!r}")
    expect_equal(server.ask("/api/v1/simulations", "POST", {"Content-Type": "text/plain"}, "{}")[0], 415, "a POST that is no JSON")
    expect_equal(server.ask("/api/v1/simulations", "POST", JSON | {"Origin": "http://elsewhere.example"}, "{}")[0], 403, "a POST from another page")
    expect_equal(server.ask("/api/v1/simulations", "POST", JSON, json.dumps({"scenario": "jugene", "title": "x" * 70000}))[0], 413, "a body that is too large")
    say("what makes no sense is refused in words")


def cancelling(store):
    """The queue is bounded, and cancelling stops the engine."""
    with Server(store) as server:
        long = {"scenario": "jugene", "changes": {"io_nodes.count": "20000"}, "sweep": [{"key": "in_flight", "values": ["1", "2", "3", "4"]}]}
        first = post(server, long)
        waiting = []
        for _ in range(8):
            waiting.append(post(server, long))
            if server.api(f"/simulations/{first['id']}")["state"] == "waiting":
                time.sleep(0.2)
        status = server.ask("/api/v1/simulations", "POST", JSON, json.dumps(long))[0]
        expect(status == 503, f"the ninth that waits: {status}")
        listed = server.api("/simulations")["simulations"]
        expect_equal(len(listed), 9, "simulations in the list")
        expect_equal(listed[0]["id"], waiting[-1]["id"], "the newest first")
        with socket.create_connection((server.host, server.port), timeout=60) as client:
            client.sendall(f"GET /api/v1/simulations/{first['id']}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            heard = b""
            while b"event: simulation" not in heard:
                heard += client.recv(65536)
            begin = time.monotonic()
            for entry in [first, *waiting]:
                expect_equal(server.ask(f"/api/v1/simulations/{entry['id']}", "DELETE")[0], 200, "cancelling")
            while b'"cancelled"' not in heard:
                heard += client.recv(65536)
        expect_equal({one["state"] for one in server.api("/simulations")["simulations"]}, {"cancelled"}, "all are cancelled")
        done(server, {"scenario": "template"})
        say(f"nine were cancelled, and the next one was done, in {time.monotonic() - begin:.1f} s")
        expect_equal(server.ask(f"/api/v1/simulations/{first['id']}", "DELETE")[0], 200, "forgetting")
        expect_equal(server.ask(f"/api/v1/simulations/{first['id']}")[0], 404, "what was forgotten")
        post(server, long)  # a server that ends stops it


# --- load and advice --------------------------------------------------------------------------------------------------


def loaded_store(folder):
    """Counters whose load is far from even, of two file systems; half of the time of `quiet` is missing."""
    rates = {"idle": ("fs1", 1), "busy": ("fs1", 200), "half": ("fs1", 75), "quiet": ("fs1", 40), "other": ("fs2", 5)}
    lines, totals = ["t,server,filesystem,read_bytes,write_bytes"], dict.fromkeys(rates, 0)
    for slot in range(0, 241):
        for server, (filesystem, rate) in rates.items():
            totals[server] += rate * 10_000_000 if slot and not (server == "half" and slot % 2) else 0
            if server != "quiet" or slot % 120 < 60:
                lines.append(f"{start + 10 * slot},{server},{filesystem},{totals[server] // 3},{totals[server] - totals[server] // 3}")
    (folder / "counters.csv").write_text("\n".join(lines) + "\n")
    ingest(folder / "loaded", folder / "counters.csv")
    return folder / "loaded"


def check_load(server, store, *options, **query):
    answer = server.api("/stores/loaded/load", **query)
    rows = {row["server"]: row for row in rows_of("load", store, *options)}
    expect_equal(sorted(one["server"] for one in answer["servers"]), sorted(rows), "servers")
    for one in answer["servers"]:
        row = rows[one["server"]]
        expect_equal(one["filesystem"], row["filesystem"], "file system")
        for name in ("coverage", "mean_throughput", "score"):
            close(one[name], row[name], f"{name} of {one['server']}")
        for i in range(len(answer["bands"])):
            close(one["bands"][i] if one["bands"] else None, row[f"band_{i}"], f"band {i} of {one['server']}")


def check_advice(server, store, user, name, nodes, **query):
    options = [word for key, value in query.items() for word in (f"--{key}", value)]
    answer = server.api("/stores/loaded/advice", user=user, name=name, nodes=nodes, **query)
    rows = rows_of("advise", store, "--user", user, "--name", name, "--nodes", nodes, *options)
    expect_equal((answer["verdict"], answer["reason"]), (rows[0]["advice"], rows[0]["reason"]), "advice")
    for view, row in zip(answer["views"], rows):
        expect_equal((view["filesystem"], str(view["servers"])), (row["filesystem"], row["servers"]), "file system")
        close(view["score"], row["score"], "score")
        close(view["limit"], row["limit"], "limit")


def load_and_advice(folder):
    store, state = loaded_store(folder), folder / "state"
    state.mkdir()
    (state / "decisions.csv").write_bytes(
        b"time,job_id,user,name,nodes,verdict,reason,waited\n2026-01-05T12:00:00Z,7,bob,climate.x,64,delay,\"busy, 2.1\",0\n\xff\xfe,,\n2026-01-05T12:05:00Z,7,bob,<script>,64,run,idle,300\n2026-01-05T12:0")
    with Server(store, "--advice-state", state) as server:
        check_load(server, store)
        check_load(server, store, "--at", start + 1500, at=start + 1500)
        expect_equal(server.ask("/api/v1/stores/loaded/load?at=5")[0], 404, "a time without counters")
        for query in ({}, {"at": start + 1800}, {"impact": 1.2}):
            check_advice(server, store, "bob", "climate.x", 64, **query)
        for query in ("user=a&name=b", "user=a&name=b&nodes=0", "user=a&name=b&nodes=x", "user=a&name=b&nodes=5&impact=0.5", "user=a&name=b&nodes=5&at=-1", "user=a&name=b&nodes=5&more=1"):
            expect_equal(server.ask(f"/api/v1/stores/loaded/advice?{query}")[0], 400, query)
        decided = server.api("/stores/loaded/decisions")
        expect_equal([(row["job_id"], row["verdict"], row["waited"]) for row in decided["rows"]], [("7", "run", 300), ("7", "delay", 0)], "decisions, the newest first")
        expect_equal(len(server.api("/stores/loaded/decisions", limit=1)["rows"]), 1, "a limit")
    with Server(store) as server:
        expect_equal(server.api("/stores/loaded/decisions"), {"source": "", "rows": []}, "nobody said where decisions are")
    say("load and advice are those of the command line")


with scratch() as folder:
    store = folder / "store"
    run("synth", "small", "--into", store, "--seed", 3, "--days", 1)
    simulations(folder, store)
    cancelling(store)
    load_and_advice(folder)
