# SPDX-License-Identifier: Apache-2.0
"""A running `fathom collect` loses nothing and counts nothing twice: while counters change, when it is killed, when a source is away."""
import atexit
import http.server
import re
import signal
import threading
import urllib.parse
import urllib.request

from fathom_e2e import *

chance = seeded(20231115)
KILLS = 40 if long_run else 12
SECTOR = 512


# --- counters that change -----------------------------------------------------------------------------------------


def put(path, text):
    """Replaces a file at once: whoever reads it sees the old or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text)
    fresh.rename(path)


class Disks:
    """A tree like /sys/block, and what was added to its counters since they began."""

    def __init__(self, root, names):
        self.root, self.lock = root, threading.Lock()
        self.values = {name: [chance.randrange(10**6) for _ in range(4)] for name in names}
        self.added = {name: [0, 0, 0, 0] for name in names}
        for name in names:
            self.show(name)

    def show(self, name):
        reads, read_sectors, writes, write_sectors = self.values[name]
        put(self.root / name / "stat", f"{reads:9} 0 {read_sectors:9} 0 {writes:9} 0 {write_sectors:9} 0 0 0 0\n")

    def add(self):
        with self.lock:
            for name, values in self.values.items():
                for i in range(4):
                    more = chance.randrange(1000)
                    values[i] += more
                    self.added[name][i] += more
                self.show(name)

    def totals(self):
        reads, read_sectors, writes, write_sectors = (sum(added[i] for added in self.added.values()) for i in range(4))
        return {"read_ops": reads, "read_bytes": read_sectors * SECTOR, "write_ops": writes, "write_bytes": write_sectors * SECTOR}


class Busy:
    """Adds to the counters again and again, until the end of the block."""

    def __init__(self, disks):
        self.disks, self.stop = disks, threading.Event()
        self.thread = threading.Thread(target=self.work)

    def work(self):
        while not self.stop.wait(0.02):
            self.disks.add()

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


def listening_at(port):
    """Addresses of sockets that listen on a port, as the kernel writes them."""
    found = set()
    for file in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in pathlib.Path(file).read_text().splitlines()[1:]:
            address, number = line.split()[1].split(":")
            if int(number, 16) == port and line.split()[3] == "0A":
                found.add(address)
    return found


# --- the collector ------------------------------------------------------------------------------------------------


def check_grafana(page):
    """Every metric that the ready dashboard asks for is one that is served."""
    served = set(re.findall(r"^(fathom_\w+)", page, re.M))
    board = json.loads((project / "share/grafana/fathom.json").read_text())
    asked = set(re.findall(r"fathom_\w+", json.dumps([panel["targets"] for panel in board["panels"]] + [board["templating"]])))
    expect(len(asked) > 10 and asked <= served, f"the dashboard for Grafana asks for metrics that are not there: {sorted(asked - served)}")
    expect("fathom_metadata_ops_total" in asked, "the dashboard for Grafana shows metadata operations")
    # Labels: of selectors, of sums and of legends.
    for target in (target for panel in board["panels"] for target in panel["targets"]):
        names = set(re.findall(r"fathom_\w+", target["expr"]))
        known = set.intersection(*(labels_of(page, name) for name in names))
        wanted = set(re.findall(r"\b(\w+)\s*(?:=~|!~|!=|=)\s*\"", target["expr"])) | set(re.findall(r"\w+", " ".join(re.findall(r"\bby \(([^)]*)\)", target["expr"])))) | set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
        expect(wanted <= known, f"{target['expr']} asks for labels that are not there: {sorted(wanted - known)}")
    for name, label in re.findall(r"label_values\((\w+), (\w+)\)", json.dumps(board["templating"])):
        expect(label in labels_of(page, name), f"{name} has no label {label}")
    return asked


def labels_of(page, name):
    return set(re.findall(r'(\w+)="', " ".join(labels or "" for found, labels in parse_page(page) if found == name)))


class Collector:
    def __init__(self, store, *words, interval=0.2, flush=0.5, options=()):
        command = [fathom, "collect", *map(str, words), "--store", store, "--interval", interval, "--flush", flush, "--listen", "0", *options]
        self.process = subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE, text=True)
        self.messages, self.port = [], None
        self.ready = threading.Event()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        atexit.register(self.process.kill)  # a test that fails shall end
        self.listener.start()

    def listen(self):
        for line in self.process.stderr:
            self.messages.append(line)
            found = re.search(r"metrics at http://127\.0\.0\.1:(\d+)/metrics", line)
            if found:
                self.port = int(found[1])
                self.ready.set()
        self.ready.set()

    def page(self):
        expect(self.ready.wait(20) and self.port, f"the collector did not start:\n{''.join(self.messages)}")
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as answer:
            expect(answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"), "the type of /metrics is not that of Prometheus")
            return answer.read().decode()

    def value(self, name):
        """The sum of a metric over its labels."""
        return sum(value for (found, _), value in parse_page(self.page()).items() if found == name)

    def wait_for(self, name, least, seconds=20):
        give_up = time.monotonic() + seconds
        while self.value(name) < least:
            expect(time.monotonic() < give_up, f"{name} did not reach {least} in {seconds} s:\n{self.page()[:3000]}\n{''.join(self.messages)}")
            time.sleep(0.02)

    def poll_on(self, polls=2):
        """Until so many polls more have succeeded."""
        self.wait_for("fathom_collect_samples_total", self.value("fathom_collect_samples_total") + polls)

    def poll_all(self, polls=2):
        """Until every source has been polled so many times more."""
        def done():
            return [value for (name, _), value in sorted(parse_page(self.page()).items(), key=str) if name == "fathom_collect_polls_total"]

        before, give_up = done(), time.monotonic() + 30
        while any(now < then + polls for now, then in zip(done(), before)):
            expect(time.monotonic() < give_up, f"no {polls} polls of every source in 30 s:\n{self.page()[:3000]}\n{''.join(self.messages)}")
            time.sleep(0.02)

    def end(self, with_signal=signal.SIGTERM, exit_code=0):
        self.process.send_signal(with_signal)
        self.process.wait(60)
        self.listener.join()
        expect_equal(self.process.returncode, exit_code, f"exit code of the collector\n{''.join(self.messages)}")


def parse_page(page):
    """Every value of a page of metrics by name and labels; fails on a line that the format does not allow."""
    values, types = {}, {}
    for line in page.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            expect(name not in types, f"{name} is declared twice")
            types[name] = kind
        if line.startswith("#"):
            continue
        found = re.fullmatch(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\.)*",?)*\})? ([0-9.eE+-]+)', line)
        expect(found, f"not a line of a page of metrics: {line}")
        expect(found[1] in types, f"{found[1]} has no type")
        expect((found[1], found[2]) not in values, f"{found[1]}{found[2]} comes twice")
        values[found[1], found[2]] = float(found[3])
    return values


def expect_totals(store, wanted, what):
    facts = info(store)
    expect_equal({key: facts[key] for key in wanted}, wanted, what)
    return facts


# --- what is checked ----------------------------------------------------------------------------------------------


def counts_exactly(folder):
    disks, store = Disks(folder / "block", ["sda", "sdb", "nvme0n1"]), folder / "store"
    collector = Collector(store, f"block:root={disks.root},host=")
    collector.wait_for("fathom_collect_samples_total", 3)
    with Busy(disks):
        collector.wait_for("fathom_collect_flushes_total", 4)
        # Others read and write meanwhile.
        (folder / "more.csv").write_text("t,server,read_bytes\n1000,other,1\n1010,other,5\n1020,other,9\n")
        ingest(store, folder / "more.csv")
        info(store)
        check(store)
    collector.poll_on(6)
    page = parse_page(collector.page())
    for name, (reads, read_sectors, writes, write_sectors) in disks.values.items():
        labels = f'{{server="{name}",filesystem="block"}}'
        expect_equal(page["fathom_read_ops_total", labels], reads, f"reads of {name} at /metrics")
        expect_equal(page["fathom_write_bytes_total", labels], write_sectors * SECTOR, f"bytes written of {name} at /metrics")
    for health in ["polls_total", "last_success_timestamp_seconds", "lag_seconds", "up"]:
        expect(("fathom_collect_" + health, f'{{source="block:root={disks.root},host="}}') in page, f"/metrics has no {health}")
    for health in ["flushes_total", "samples_waiting", "resident_bytes"]:
        expect(("fathom_collect_" + health, None) in page, f"/metrics has no {health}")
    collector.end()
    wanted = disks.totals()
    wanted["read_bytes"] += 8  # of the file
    facts = expect_totals(store, wanted, "what was added to the counters, and what the store has")
    expect_equal(facts["resets"] + facts["resets_inferred"] + facts["conflicts"], 0, "resets and conflicts")
    check(store)
    say(f"counted exactly: {wanted['write_bytes']} bytes written in {facts['increments']} increments, {len(facts['sources']) if isinstance(facts['sources'], list) else facts['sources']} sources")

    # Moments are multiples of the interval, as near as a busy machine lets them be.
    rows = sql(f"SELECT median(epoch_us(end_time) % 200000) AS late FROM read_parquet('{store}/increments/*/*.parquet') WHERE server <> 'other'")
    expect(float(rows[0]["late"]) < 100000, f"polls come {rows[0]['late']} us after the multiples of 0.2 s")


def survives_kills(folder):
    disks, store = Disks(folder / "block", ["sda", "sdb"]), folder / "store"
    word = f"block:root={disks.root},host="
    run("collect", word, "--store", store, "--interval", 0.2, "--polls", 1)
    with Busy(disks):
        for _ in range(KILLS):
            collector = Collector(store, word, interval=0.1, flush=0.15)
            collector.ready.wait(20)
            time.sleep(chance.uniform(0.0, 0.9))
            collector.end(signal.SIGKILL, exit_code=-signal.SIGKILL)
            info(store)  # readable at once
    run("collect", word, "--store", store, "--interval", 0.2, "--polls", 2)
    check(store)
    facts = expect_totals(store, disks.totals(), f"after {KILLS} kills")
    expect(facts["gaps"] > 0 and facts["coverage"] < 1, f"no gap is marked after {KILLS} kills")
    expect_equal(facts["resets_inferred"] + facts["conflicts"], 0, "resets and conflicts")
    rows = sql(f"SELECT count(*) AS n FROM (SELECT server, end_time FROM read_parquet('{store}/increments/*/*.parquet') GROUP BY ALL HAVING count(*) > 1)")
    expect_equal(rows[0]["n"], "0", "moments that are there twice")
    say(f"{KILLS} kills: {facts['write_bytes']} bytes written are all there, once; {facts['gaps']} gaps")


def comes_back(folder):
    disks, store = Disks(folder / "block", ["sda"]), folder / "store"
    collector = Collector(store, f"block:root={disks.root},host=", interval=0.1, flush=0.3)
    collector.wait_for("fathom_collect_samples_total", 8)
    away = folder / "away"
    disks.root.rename(away)
    collector.wait_for("fathom_collect_poll_failures_total", 4)
    expect_equal(collector.value("fathom_collect_up"), 0, "fathom_collect_up while the source is away")
    gone = time.time()
    time.sleep(0.3)
    back = time.time()
    away.rename(disks.root)
    disks.add()
    failures = collector.value("fathom_collect_poll_failures_total")
    collector.wait_for("fathom_collect_up", 1)
    collector.poll_on(3)
    collector.end(signal.SIGINT)
    facts = expect_totals(store, disks.totals(), "after the source was away")
    expect(facts["gaps"] >= 1, "the time without the source is not marked as a gap")
    rows = sql(f"SELECT count(*) AS n FROM read_parquet('{store}/increments/*/*.parquet') WHERE epoch_us(end_time) BETWEEN {int(gone * 1e6)} AND {int(back * 1e6)}")
    expect_equal(rows[0]["n"], "0", "increments that end while there was nothing to read")
    expect(any("back after" in line for line in collector.messages), "it was not said that the source is back")
    check(store)
    say(f"a source that was away: {int(failures)} failed polls, {facts['gaps']} gap, no zeros")


def ends_by_signal(folder):
    """SIGTERM writes what no flush has written yet."""
    disks, store = Disks(folder / "block", ["sda"]), folder / "store"
    collector = Collector(store, f"block:root={disks.root},host=", interval=0.1, flush=3600)
    collector.wait_for("fathom_collect_samples_total", 1)
    disks.add()
    collector.poll_on(2)
    expect_equal(collector.value("fathom_collect_flushes_total"), 0, "flushes before the signal")
    collector.end()
    expect_totals(store, disks.totals(), "after SIGTERM")
    check(store)
    say("SIGTERM: all that waited is in the store")


MMPMON = """import sys, time
assert sys.stdin.read() == "fs_io_s\\n"
n = int(open(sys.argv[1]).read())
print(f"_fs_io_s_ _n_ 10.0.0.1 _nn_ ion1 _rc_ 0 _t_ {int(time.time())} _tu_ {int(time.time() % 1 * 1e6)} _cl_ c _fs_ work _d_ 1 _br_ {n} _bw_ {2 * n} _oc_ 1 _cc_ 1 _rdc_ {n} _wc_ {n} _dir_ 0 _iu_ 0")
"""


class Metrics(http.server.BaseHTTPRequestHandler):
    """An exporter, and a Prometheus that knows its past."""

    amount, past = 0, []

    def do_GET(self):
        address = urllib.parse.urlparse(self.path)
        if address.path == "/metrics":
            text = f'# TYPE r_total counter\nr_total{{disk="a"}} {Metrics.amount}\nw_total{{disk="a"}} {float(3 * Metrics.amount)!r}\n'
        elif address.path == "/api/v1/query":
            query = urllib.parse.parse_qs(address.query)["query"][0]
            name = re.fullmatch(r"(\w+)\[\d+ms\]", query)[1]
            values = [[t, str(value)] for t, value in Metrics.past]
            text = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"__name__": name, "disk": "b"}, "values": values}]}})
        else:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def every_source(folder):
    """One collector of all sources: each gives what was added to it."""
    store, tree = folder / "store", folder / "tree"

    def show(n):
        now = time.time()
        put(tree / "lustre/obdfilter/work-OST0001/stats",
            f"snapshot_time {now:.6f} secs.usecs\nread_bytes {n} samples [bytes] 1 1 {1000 * n} 1\nwrite_bytes {n} samples [bytes] 1 1 {2000 * n} 1\n")
        put(tree / "lustre/obdfilter/work-OST0001/job_stats",
            f"job_stats:\n- job_id: secret.4711\n  snapshot_time: {int(now)}\n  read_bytes: {{ samples: {n}, unit: bytes, min: 1, max: 1, sum: {1000 * n} }}\n")
        put(tree / "mountstats", f"device nfs1:/home mounted on /home with fstype nfs4 statvers=1.1\n\tage:\t{int(now) - 10**9}\n\tbytes:\t0 0 0 0 {10 * n} {20 * n} 0 0\n"
            f"\tper-op statistics\n\tREAD: {n} 0\n\tWRITE: {n} 0\n")
        put(tree / "profile.xml", "<cliOutput><opRet>0</opRet><volProfile><volname>vol</volname><brick><brickName>gl1:/b</brickName><cumulativeStats><fopStats>"
            f"<fop><name>READ</name><hits>{n}</hits></fop></fopStats><totalRead>{7 * n}</totalRead><totalWrite>{8 * n}</totalWrite></cumulativeStats></brick></volProfile></cliOutput>")
        put(tree / "mmpmon", str(n))
        Metrics.amount = n
        Metrics.past.append((round(now, 3), 5 * n))

    (folder / "mmpmon.py").write_text(MMPMON)
    (folder / "page.toml").write_text(''.join(f'[[counter]]\ncounter = "{counter}"\nmetric = "{metric}"\nserver = "page-{{disk}}"\n'
                                              for counter, metric in [("read_bytes", "r_total"), ("write_bytes", "w_total")]))
    (folder / "past.toml").write_text('[[counter]]\ncounter = "read_bytes"\nmetric = "r_total"\nserver = "past-{disk}"\n')
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metrics)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    Metrics.past.append((round(time.time() - 100, 3), 0))
    show(100)
    words = [f"lustre:root={tree}/lustre", f"nfs:path={tree}/mountstats,host=node", f"gluster:command=cat {tree}/profile.xml",
             f"gpfs_mmpmon:command={sys.executable} {folder}/mmpmon.py {tree}/mmpmon", f"prometheus:url={url}/metrics,map={folder}/page.toml",
             f"prometheus:url={url},api=query,map={folder}/past.toml"]
    collector = Collector(store, *words, interval=0.25)
    collector.wait_for("fathom_collect_up", len(words))
    time.sleep(1.1)  # the job's entry has whole seconds: what it counts in the first one is not known
    for n in range(110, 160, 10):
        time.sleep(0.3)
        show(n)
    collector.poll_all()
    show(150)  # the same amounts at a later moment
    collector.poll_all()
    expect("secret" not in collector.page(), "/metrics names a job without --expose-jobs")
    asked = check_grafana(collector.page())
    expect_equal(listening_at(collector.port), {"0100007F"}, "addresses (hexadecimal) at which a port alone is served: 127.0.0.1 and no other")
    expect_equal(collector.value("fathom_collect_rejected_total"), 0, "rejected records")
    collector.end()
    server.shutdown()
    found = {(row["server"], row["job"]): (int(row["r"]), int(row["w"] or 0))
             for row in sql(f"SELECT server, coalesce(job, '') AS job, sum(read_bytes) AS r, sum(write_bytes) AS w FROM read_parquet('{store}/increments/*/*.parquet') GROUP BY ALL")}
    # 100 became 150. What a Prometheus has from before the start counts too: 0 to 150, times 5.
    wanted = {("work-OST0001", ""): (50000, 100000), ("node:/home", ""): (500, 1000), ("gl1:/b", ""): (350, 400), ("ion1", ""): (50, 100),
              ("page-a", ""): (50, 150), ("past-b", ""): (750, 0)}
    # The job's entry carries whole seconds, in which its counters went on.
    expect_equal(found.pop(("work-OST0001", "secret.4711")), (50000, 0), "bytes of the job")
    expect_equal(found, wanted, "bytes by server")
    check(store)
    say("six kinds of sources: all that was added is there")

    exposed = Collector(store, words[0], options=["--expose-jobs"])
    exposed.wait_for("fathom_collect_up", 1)
    page = parse_page(exposed.page())
    of_jobs = {name for name, labels in page if "secret" in (labels or "")}
    expect_equal(page.get(("fathom_job_read_bytes_total", '{server="work-OST0001",filesystem="work",batch_job="secret.4711"}')), 150000, f"what --expose-jobs shows of the job: {sorted(of_jobs)}")
    expect(not of_jobs & asked, f"the dashboard for Grafana counts bytes again that are shown for jobs: {of_jobs & asked}")
    expect(not any(re.search(r'[{,](job|instance)="', labels or "") for _, labels in page), "labels that Prometheus gives itself")
    exposed.end()


def refuses(folder):
    store = folder / "store"
    refused("collect", "blok", "--store", store, exit_code=2, naming=["blok", "lustre"])
    refused("collect", "block:rot=/x", "--store", store, exit_code=2, naming=["rot", "root"])
    refused("collect", "block", "--store", store, "--interval", 0, exit_code=2, naming=["--interval"])
    refused("collect", "block", "--store", store, "--listen", "nowhere", exit_code=2, naming=["--listen"])
    refused("collect", "prometheus:url=http://127.0.0.1:1,map=/nowhere.toml", "--store", store, naming=["/nowhere.toml"])
    (folder / "file").write_text("")
    refused("collect", "block", "--store", folder / "file", naming=["file"])
    # A source that is never there is no reason to end badly: it is what a collector waits for.
    done = run("collect", f"block:root={folder}/nowhere", "--store", store, "--interval", 0.1, "--polls", 2)
    expect("No such file" in done.stderr and "2 failed" in done.stderr, f"the failures are not told:\n{done.stderr}")
    say("what cannot be is refused, and says why")


def real_devices(folder):
    store = folder / "store"
    if not any(not re.match("loop|z?ram", name) for name in os.listdir("/sys/block")):
        return say("no real block devices here")
    run("collect", "block", "--store", store, "--interval", 0.2, "--polls", 3)
    facts = info(store)
    expect(facts["increments"] >= 2, "the block devices of this machine gave no increments")
    check(store)
    say(f"this machine's own devices: {facts['increments']} increments")


with scratch() as top:
    for subject in [refuses, counts_exactly, ends_by_signal, comes_back, survives_kills, every_source, real_devices]:
        place = top / subject.__name__
        place.mkdir()
        subject(place)
