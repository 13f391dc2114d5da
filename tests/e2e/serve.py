# SPDX-License-Identifier: Apache-2.0
"""What `fathom serve` answers is what the command line says; it refuses what it should, and nothing that is sent to it or done to its store ends it."""
import base64
import math
import struct
import threading

from served import *

chance = seeded(20261117)
MiB = 2**20


def close(found, wanted, what, tolerance=1e-6):
    if wanted in ("", None) or found is None:
        expect(wanted in ("", None) and found is None, f"{what}: expected {wanted!r}, found {found!r}")
        return
    expect(math.isclose(float(found), float(wanted), rel_tol=tolerance, abs_tol=1e-9), f"{what}: expected {wanted}, found {found}")


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


# --- numbers --------------------------------------------------------------------------------------------------------


def check_machine(server, store):
    """All bytes of the counters are in the traffic, in the heat map and among the jobs."""
    info = json.loads(run("info", store, "--format", "json").stdout)
    served = server.when_ready("store")
    for name in ("jobs", "servers"):
        expect_equal(served[name], info[name], name)
    close(served["start"], info["start"], "start")
    close(served["end"], info["end"], "end")
    traffic = server.api("/stores/store/traffic", bins=2000)
    for direction in ("read", "write"):
        # The first and the last bin are shorter: rates are over the part in which there are counters.
        total = 0
        for i, rate in enumerate(traffic[direction]):
            begin = traffic["t0"] + i * traffic["step"]
            total += (rate or 0) * (min(begin + traffic["step"], info["end"]) - max(begin, info["start"]))
        missing = info["gaps"] > 0 or info["resets"] > 0
        close(total, info[f"{direction}_bytes"], f"bytes of {direction} in the traffic", 0.05 if missing else 1e-4)
    expect(all(0 <= each <= 1 for each in traffic["coverage"]), "coverage is a share")
    heat = server.api("/stores/store/heat", bins=200, rows=1000, direction="read")
    cells = struct.unpack(f"<{len(heat['rows']) * heat['bins']}f", base64.b64decode(heat["cells"]))
    expect_equal(len(heat["rows"]), info["servers"], "rows of the heat map")
    expect(max(each for each in cells if not math.isnan(each)) == heat["largest"] or math.isclose(max(each for each in cells if not math.isnan(each)), heat["largest"], rel_tol=1e-6), "largest cell")
    few = server.api("/stores/store/heat", bins=50, rows=2)
    expect(len(few["rows"]) <= 2 and sum(row["servers"] for row in few["rows"]) == info["servers"], "rows of several servers")
    say(f"machine: {served['jobs']} jobs, {served['servers']} servers; bytes of traffic and heat map as in `info`")
    return info


def check_jobs(server, store):
    criteria = {row["job_id"]: row for row in rows_of("criteria", store, "--min-runtime", 0, "--require-io", "any")}
    listed = server.api("/stores/store/jobs", sort="-read_bytes", limit=500, io_="any")
    expect_equal({row["job_id"] for row in listed["rows"]}, set(criteria), "jobs with I/O")
    for row in listed["rows"]:
        for column in ("read_bytes", "write_bytes", "coverage"):
            close(row[column], criteria[row["job_id"]][column], f"{column} of job {row['job_id']}")
    reads = [row["read_bytes"] for row in listed["rows"]]
    expect_equal(reads, sorted(reads, reverse=True), "order of the list")
    # A page at a time gives the same as all at once.
    pages = [row["job_id"] for offset in range(0, listed["total"], 7) for row in server.api("/stores/store/jobs", sort="-read_bytes", io_="any", offset=offset, limit=7)["rows"]]
    expect_equal(pages, [row["job_id"] for row in listed["rows"]], "pages of the list")
    for job in list(criteria)[:5]:
        answer = server.api(f"/stores/store/jobs/{job}")
        expect(answer["report"] is not None, f"job {job}: {answer['problem']}")
        map_rows = {(row["id"], row["detail"]): row for row in answer["report"]["map"]}
        page = run("criteria", store, "--job", job).stdout
        shown = [row for row in map_rows.values() if row["kind"] == "measured" and row["read"]]
        expect(len(shown) > 5 and all(row["read"] in page for row in shown), f"analysis map of job {job}: not what `fathom criteria --job` prints")
        timeline = rows_of("timeline", store, "--job", job, "--step", answer["report"]["timeline"]["step"])
        for direction in ("read_bytes", "write_bytes"):
            close(sum(each or 0 for each in answer["report"]["timeline"][direction]), sum(float(row[direction] or 0) for row in timeline), f"{direction} of the timeline of job {job}", 1e-9)
        close(sum(unit["read_bytes"] or 0 for unit in answer["report"]["units_table"]), criteria[job]["read_bytes"], f"servers of job {job}")
    job = next(iter(criteria))
    linked = next(row for row in rows_of("criteria", store, "--job", job, "--link", "double-count", "--threshold", 0))
    answer = server.api(f"/stores/store/jobs/{job}", link="double-count", threshold=0)["report"]
    expect_equal((answer["link"], answer["threshold"]), ("double-count", 0), "another way of linking")
    close(sum(unit["read_bytes"] or 0 for unit in answer["units_table"]), linked["read_bytes"], f"servers of job {job}, linked in another way")
    say(f"jobs: {len(criteria)} as `fathom criteria` has them, five of them in detail")
    return criteria


def check_population(server, store):
    for threshold in (0, MiB):
        found = {(row["key"], row["x"], row["threshold"]): row for row in rows_of("population", store, "--min-runtime", 600, "--threshold", "0,1M")}
        for key, x in (("bytes", "read"), ("bytes", "write"), ("ops", "total"), ("bw_max_inner", "write"), ("intensity", "read"), ("burstiness", "write"), ("parallel_intensity", "total"),
                       ("bytes_per_unit", "read"), ("write_share_bytes", ""), ("nodes", ""), ("duration", ""), ("mean_request", "read"), ("opens", "")):
            row = next(row for (k, d, t), row in found.items() if k == key and d == x and t in ("", str(threshold)))
            axis = server.api("/stores/store/population", x=f"{key}.{x}" if x else key, min_runtime=600, threshold=threshold)["axis"]
            for name in ("n", "min", "median", "p80", "mean", "max", "top20_share"):
                close(axis[name], row[name], f"{name} of {key} {x} above {threshold}", 1e-9)
    pair = server.api("/stores/store/population", x="bytes.read", y="bytes.write", min_runtime=600)["pair"]
    drawn = sum(count for _, _, count in pair["hexagons"])
    both = server.api("/stores/store/jobs", x="bytes.read", y="bytes.write", x_from=1e-9, y_from=1e-9, min_runtime=600, io_="any")
    expect_equal(drawn, both["total"], "jobs in hexagons")
    box = server.api("/stores/store/jobs", x="bytes.read", y="bytes.write", x_from=pair["x"]["median"], x_to=pair["x"]["max"], min_runtime=600, io_="any", limit=500)
    expect(0 < box["total"] < both["total"] and all(pair["x"]["median"] <= row["x"] <= pair["x"]["max"] for row in box["rows"]), "jobs in a box")
    say("population: thirteen distributions at two thresholds as `fathom population` has them; boxes and hexagons hold the same jobs")


def check_top(server, criteria):
    top = server.api("/stores/store/top", by="job", limit=200)
    expect_equal(top["method"], "counters", "how it is told")
    expect(0 < top["explained"] <= top["total"] * 1.001, f"explained {top['explained']} of {top['total']}")
    largest = max(criteria.values(), key=lambda row: float(row["read_bytes"]) + float(row["write_bytes"]))
    expect_equal(top["rows"][0]["key"], largest["job_id"], "who moved most")
    close(top["rows"][0]["read_bytes"] + top["rows"][0]["write_bytes"], float(largest["read_bytes"]) + float(largest["write_bytes"]), "what it moved", 0.15)
    users = server.api("/stores/store/top", by="user", limit=200)
    close(sum(row["read_bytes"] + row["write_bytes"] for row in users["rows"]), top["explained"], "by user it is the same", 1e-9)
    gantt = server.api("/stores/store/gantt", limit=20)
    expect(len(gantt["jobs"]) == min(20, gantt["overlapping"]), "jobs over time")
    for lane in range(gantt["lanes"]):
        line = sorted((job for job in gantt["jobs"] if job["lane"] == lane), key=lambda job: job["start"])
        expect(all(a["end"] is not None and a["end"] <= b["start"] for a, b in zip(line, line[1:])), "jobs in one lane overlap")
    say(f"who moves most: {100 * top['explained'] / top['total']:.1f} % of the bytes explained")


# --- HTTP -----------------------------------------------------------------------------------------------------------


def check_protocol(server):
    status, headers, page = server.ask("/")
    expect(status == 200 and headers["content-type"].startswith("text/html") and b"<script" in page, "the page")
    for name in ("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"):
        expect(name in headers, f"header {name}")
    expect("unsafe-inline" not in headers["content-security-policy"].split("script-src")[1].split(";")[0], "scripts in the page itself")
    status, headers, packed = server.ask("/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
    plain = server.ask("/api/v1/openapi.json")[2]
    expect(headers.get("content-encoding") == "gzip" and gzip.decompress(packed) == plain, "gzip")
    paths = json.loads(plain)["paths"]
    expect(len(paths) >= 12, "the description")
    status, headers, body = server.ask("/api/v1/stores/store/values")
    again, _, nothing = server.ask("/api/v1/stores/store/values", headers={"If-None-Match": headers["etag"]})
    expect_equal((again, nothing), (304, b""), "an answer that did not change")
    status, headers, body = server.ask("/api/v1/stores/store", method="HEAD")
    expect(status == 200 and body == b"" and int(headers["content-length"]) > 100, "HEAD")
    for path, wanted in {"/api/v1/nothing": 404, "/api/v1/stores/other": 404, "/api/v1/stores/store/jobs/none": 404, "/api/v1/stores/store/traffic?bins=x": 400, "/api/v1/stores/store/traffic?from=9&to=3": 400,
                         "/api/v1/stores/store/traffic?what=1": 400, "/api/v1/stores/store/population": 400, "/api/v1/stores/store/population?x=bytes": 400, "/api/v1/stores/store/jobs?sort=;drop": 400,
                         "/api/v1/stores/store/jobs?sort=start&sort=end": 400, "/api/v1/stores/store/jobs?search=%zz": 400, "/assets/none.js": 404, "/etc/passwd.txt": 404,
                         "/api/v1/stores/store/jobs?link=%27%20OR%201=1--": 200, "/stores/store/machine": 200, "/../../etc/passwd": 200, "/api/v1/stores/%2e%2e%2f%2e%2e/jobs": 404}.items():
        status, _, body = server.ask(path)
        expect_equal(status, wanted, f"status of {path}: {body[:200]}")
        expect(b"root:" not in body, f"{path} shows a file of the machine")
        if status >= 400:
            expect("message" in json.loads(body)["error"], f"{path} says what is wrong")
    expect_equal(server.ask("/api/v1/stores", method="DELETE")[0], 404, "DELETE of nothing")
    expect_equal(server.ask("/api/v1/stores/store", method="PUT")[0], 405, "PUT")
    expect_equal(server.ask("/api/v1", host="evil.example:80")[0], 421, "another name that leads here")
    expect(server.raw(b"GET /api/v1?" + b"x" * 100000 + b" HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 431"), "a long request")
    expect(server.raw(b"POST /api/v1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n").startswith(b"HTTP/1.1 413"), "a large body")
    expect(server.raw(b"\x16\x03\x01\x02\x00 nonsense\r\n\r\n").startswith(b"HTTP/1.1 400"), "no HTTP")
    say("protocol: headers, ETag, gzip, HEAD, refusals with their reasons")


def check_random_questions(server, count):
    """Questions without sense get answers or refusals, never a failure of the server's own."""
    words = ["stores", "store", "jobs", "traffic", "heat", "top", "gantt", "population", "values", "application", "applications", "events2", "..", "%00", "%2F", "é", "traces", "simulations", "load", "advice", "compete"]
    names = ["from", "to", "from", "to", "bins", "to", "bins", "rows", "x", "y", "threshold", "small", "link", "filesystem", "limit", "offset", "sort", "search", "user", "name", "nodes", "by", "direction", "min_runtime", "io", "at", "q"]
    values = ["0", "-1", "1e308", "nan", "inf", "99999999999999999999", "1", "bytes.read", "nodes", "", "%", "%41", "'", "\\", "a" * 300, "1e-300", "-start", "job", "read", "0x10", "1700000000", "\u20ac"]
    statuses = {}
    paths = [path for path in json.loads(server.ask("/api/v1/openapi.json")[2])["paths"] if not path.endswith("/events")]
    for _ in range(count):
        path = chance.choice(paths).replace("{store}", "store").replace("{job}", chance.choice(words)).replace("{trace}", chance.choice(words)).replace("{id}", chance.choice(words))
        if chance.random() < 0.2:
            path = "/api/v1/" + "/".join(chance.choice(words) for _ in range(chance.randrange(1, 5)))
        query = "&".join(f"{chance.choice(names)}={urllib.parse.quote(chance.choice(values), safe='%')}" for _ in range(chance.randrange(5)))
        status, _, body = server.ask(urllib.parse.quote(path, safe="/%.") + ("?" + query if query else ""))
        expect(status < 500 or status == 503, f"{path}?{query}: {status} {body[:300]}")
        statuses[status] = statuses.get(status, 0) + 1
    say(f"{count} random questions: {statuses}")


def check_idle(server):
    """A thousand who say nothing delay nobody."""
    idle = []
    try:
        for _ in range(1000):
            idle.append(socket.create_connection((server.host, server.port), timeout=10))
        slowest = 0
        for _ in range(50):
            begin = time.monotonic()
            expect_equal(server.ask("/api/v1")[0], 200, "an answer beside a thousand idle connections")
            slowest = max(slowest, time.monotonic() - begin)
        expect(slowest < 1, f"an answer took {slowest:.2f} s beside a thousand idle connections")
        say(f"beside 1,000 idle connections the slowest of 50 answers took {1000 * slowest:.0f} ms")
    finally:
        for each in idle:
            each.close()


def check_token(store, folder):
    token = "a secret of enough letters"
    (folder / "token").write_text(token + "\n")
    (folder / "short").write_text("short\n")
    for mode in (0o644, 0o604, 0o660):
        (folder / "token").chmod(mode)
        refused("serve", store, "--token-file", folder / "token", "--bind", "0", exit_code=2, naming=["others may read or change it", f"{mode:04o}", "chmod 600"])
    (folder / "token").chmod(0o640)
    (folder / "short").chmod(0o600)
    run("serve", store, "--token-file", folder / "short", "--bind", "0", exit_code=2)
    run("serve", store, "--bind", "0.0.0.0:0", exit_code=2)
    with Server(store, "--token-file", folder / "token", token=token) as server:
        expect_equal(server.ask("/api/v1")[0], 200, "with the token")
        expect_equal(server.ask("/")[0], 200, "the page itself is no secret")
        for wrong in ("Bearer ", "Bearer x", f"Bearer {token}x", f"Bearer {token[:-1]}", token, f"Basic {token}"):
            status, headers, body = server.ask("/api/v1", headers={"Authorization": wrong})
            expect(status == 401 and headers["www-authenticate"] == "Bearer" and token.encode() not in body, f"with {wrong!r}: {status}")
        expect_equal(server.ask(f"/api/v1?token={urllib.parse.quote(token)}", headers={"Authorization": "x"})[0], 401, "a token in the address")
        expect_equal(server.ask("/api/v1", host="any.example")[0], 200, "without --host any name, where a token is asked for")
        server.end()
        expect(token not in server.process.stderr.read() if not server.process.stderr.closed else True, "the token in what is said")
    with Server(store, "--token-file", folder / "token", "--host", "fathom.example", token=token) as server:
        for host, wanted in (("fathom.example", 200), ("127.0.0.1", 200), ("10.1.2.3:80", 200), ("any.example", 421)):
            expect_equal(server.ask("/api/v1", host=host)[0], wanted, f"with --host fathom.example, as {host}")
    say("token: asked for, compared whole, not taken from addresses; other addresses than loopback need one")


# --- a store that changes ------------------------------------------------------------------------------------------


def check_changes(folder):
    """Followed while it is written; what was deleted is told, and what comes back is found."""
    store = folder / "changing"
    write = lambda name, begin, end: (folder / name).write_text("t,server,read_bytes,write_bytes\n" + "".join(f"{t},s{s},{t * 1000},{t * 500}\n" for t in range(begin, end, 10) for s in range(3)))
    write("first.csv", 1_700_000_000, 1_700_001_000)
    run("ingest", store, folder / "first.csv")
    with Server(store) as server:
        before = server.when_ready("changing")
        heard, stop = [], threading.Event()

        def listen():
            with socket.create_connection((server.host, server.port), timeout=60) as client:
                client.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                text = b""
                while not stop.is_set() and (block := client.recv(65536)):
                    text += block
                    heard[:] = [json.loads(line[6:]) for line in text.decode().split("\n") if line.startswith("data: ")]

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        problems = []

        def ask_on():
            while not stop.is_set():
                for path in ("/api/v1/stores/changing/traffic", "/api/v1/stores/changing/heat", "/api/v1/stores/changing/jobs", "/api/v1"):
                    status, _, body = server.ask(path)
                    if status != 200:
                        problems.append((path, status, body[:200]))

        asker = threading.Thread(target=ask_on)
        asker.start()
        for part in range(1, 4):
            write(f"part{part}.csv", 1_700_001_000 + (part - 1) * 500, 1_700_001_000 + part * 500)
            run("ingest", store, folder / f"part{part}.csv")
        (folder / "jobs.csv").write_text("job_id,user,name,nodes,start,end,servers\n7,u,app,4,1700000100,1700000900,s0;s1\n")
        run("ingest", store, folder / "jobs.csv")
        end = time.monotonic() + 60
        while not ((info := server.api("/stores/changing"))["end"] > before["end"] + 1400 and info["jobs"] == 1 and info["overview"]["ready"] and info["machine"]["ready"] and server.ask("/api/v1/stores/changing/top")[0] == 200):
            expect(time.monotonic() < end, f"the change was not followed: {info}")
            time.sleep(0.1)
        stop.set()
        asker.join()
        expect(not problems, f"while it was written: {problems[:3]}")
        expect(any(event["commit"] > before["commit"] for event in heard), "events tell of the change")
        top = server.api("/stores/changing/top", by="job")
        close(top["rows"][0]["read_bytes"], 800 * 1000 * 2, "bytes of the new job", 0.03)
        (folder / "changing").rename(folder / "away")
        end = time.monotonic() + 30
        while server.ask("/api/v1/stores/changing/traffic")[0] == 200:
            expect(time.monotonic() < end, "that the store is gone was not noticed")
            time.sleep(0.1)
        status, _, body = server.ask("/api/v1/stores/changing/jobs")
        expect(status == 503 and "changing" in json.loads(body)["error"]["message"], f"a store that is gone: {status} {body}")
        expect(server.api("/")["stores"][0]["problem"], "the catalog tells of it")
        (folder / "away").rename(folder / "changing")
        end = time.monotonic() + 30
        while server.ask("/api/v1/stores/changing/traffic")[0] != 200:
            expect(time.monotonic() < end, "that the store is back was not noticed")
            time.sleep(0.1)
    say("a store that is written, removed and put back while it is served: followed, told, found again")


with scratch() as folder:
    logs, store = folder / "logs", folder / "store"
    run("synth", "small", logs, "--seed", 3)
    run("ingest", store, logs)
    run("criteria", store, "--min-runtime", 0, "--threshold", "0,1M")
    with Server(store) as server:
        check_machine(server, store)
        criteria = check_jobs(server, store)
        check_population(server, store)
        check_top(server, criteria)
        check_protocol(server)
        check_random_questions(server, 4000 if long_run else 400)
        check_idle(server)
    check_token(store, folder)
    check_changes(folder)
