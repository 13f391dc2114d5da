# SPDX-License-Identifier: Apache-2.0
"""`fathom fit`: it finds the bandwidths that runs and counters were made with, says what it cannot know, and refuses what makes no sense."""
from fathom_e2e import *

COLUMNS = "parameter,kind,server,value,unit,lower,upper,observations,method,r_squared,residual_seconds,notes".split(",")
data = project.parent / "shared" / "data"


def rows(*arguments):
    text = run("fit", *arguments, "--format", "csv").stdout
    expect_equal(text.splitlines()[0].split(","), COLUMNS, "columns")
    return list(csv.DictReader(io.StringIO(text)))


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def runs_text(line, sizes, kind="read"):
    return "bytes,seconds,kind\n" + "".join(f"{size},{line(size)!r},{kind}\n" for size in sizes)


def close(text, wanted, share):
    return abs(float(text) - wanted) <= share * abs(wanted)


def runs(folder):
    # time = 0.5 s + bytes / 200 MB/s, and 0.1 s + bytes / 100 MB/s: points on a line are found exactly.
    sizes = [size * 10**8 for size in (1, 2, 3, 5, 8, 13)]
    text = runs_text(lambda b: 0.5 + b / 2e8, sizes) + "".join(f"{b},{0.1 + b / 1e8!r},write\n" for b in sizes)
    path = write(folder, "runs.csv", text)
    table = rows("--runs", path)
    expect_equal([(row["parameter"], row["kind"]) for row in table],
                 [("disk_link.bandwidth", "read"), ("latency", "read"), ("disk_link.bandwidth", "write"), ("latency", "write")], "rows")
    for row, wanted in zip(table, (2e8, 0.5, 1e8, 0.1)):
        expect(close(row["value"], wanted, 1e-6) and float(row["lower"]) <= float(row["upper"]), f"{row}: {wanted} is wanted")
        expect_equal((row["observations"], row["method"]), ("6", "regression"), "how it was found")
    found = json.loads(run("fit", "--runs", path, "--format", "json").stdout)
    expect(abs(found[0]["value"] - 2e8) < 200 and found[0]["unit"] == "bytes/s", "json")
    # One run out of line is left out and named; the rest is exact.
    path = write(folder, "accident.csv", text.replace(f"{sizes[3]},{0.5 + sizes[3] / 2e8!r},read", f"{sizes[3]},60,read"))
    row = rows("--runs", path)[0]
    expect(close(row["value"], 2e8, 1e-6) and row["observations"] == "5" and "accident.csv:5" in row["notes"], f"an accident: {row}")
    # The link of one node carries its share.
    path = write(folder, "nodes.csv", "bytes,seconds,kind,nodes\n" + "".join(f"{n * n * 10**8},{n},write,{n}\n" for n in range(1, 7)))
    row = rows("--runs", path, "--link", "external_link")[0]
    expect(row["parameter"] == "external_link.bandwidth" and close(row["value"], 1e8, 1e-6), f"nodes: {row}")
    say("runs")


def coverage(folder):
    """The 95 % interval holds the truth in about 95 of 100 cases of noisy runs: 200 cases +- 4 x sqrt(0.95 x 0.05 / 200) = 0.062."""
    held = 0
    for seed in range(200):
        noise = random.Random(seed)
        path = write(folder, "noisy.csv", runs_text(lambda b: (0.2 + b / 3e8) * noise.gauss(1, 0.05), [i * 2 * 10**8 for i in range(1, 13)], "write"))
        row = rows("--runs", path)[0]
        held += float(row["lower"]) <= 3e8 and (row["upper"] == "" or float(row["upper"]) >= 3e8)
    expect(200 * (0.95 - 0.062) <= held <= 200, f"{held} of 200 intervals hold the truth")
    say(f"{held} of 200 intervals hold the truth")


def counters_of(folder, scenario, name, step=10):
    """Simulates, and reads the simulated counters every `step` seconds: what a site would have logged. Gives the store."""
    completions = folder / f"{name}.completions.csv"
    run("simulate", scenario, "--completions", completions)
    with completions.open() as file:
        done = [(int(row["stored_ps"]), row["node"], row["kind"], int(row["bytes"])) for row in csv.DictReader(file)]
    samples = max(done)[0] // (step * 10**12) + 3
    names = sorted({each[1] for each in done})
    gained = {node: [[0, 0, 0, 0] for _ in range(samples)] for node in names}
    for stored, node, kind, size in done:
        slot = gained[node][(stored - 1) // (step * 10**12) + 1]
        slot[0 if kind == "read" else 1] += size
        slot[2 if kind == "read" else 3] += 1
    lines = ["t,server,read_bytes,write_bytes,read_ops,write_ops"]
    for node in names:
        totals = [0, 0, 0, 0]
        for i, slot in enumerate(gained[node]):
            totals = [a + b for a, b in zip(totals, slot)]
            lines.append(f"{1_300_000_000 + i * step},s{node},{','.join(map(str, totals))}")
    path = write(folder, f"{name}.csv", "\n".join(lines) + "\n")
    store = folder / f"{name}.store"
    run("ingest", store, path)
    return store


def counters(folder):
    for kind, link, nodes, bandwidth in (("read", "external_link", 1, 250_000_000), ("write", "external_link", 2, 100_000_000), ("write", "disk_link", 4, 300_000_000)):
        text = f'[[io_nodes]]\ncount = {nodes}\ncompute_nodes = 16\n[{link}]\nbandwidth = {bandwidth}\n[[increment]]\nstart = 4\n'
        each = bandwidth * 95 // (nodes if link == "disk_link" else 1)  # 95 s of it
        name = f"{link}-{kind}"
        scenario = write(folder, f"{name}.toml", text + f"{kind}_bytes = {each}\n{kind}_operations = {each >> 20}\n")
        store = counters_of(folder, scenario, name)
        # The program knows the rest of the machine, not the bandwidth.
        start = write(folder, "start.toml", f"[[io_nodes]]\ncount = {nodes}\ncompute_nodes = 16\n")
        fitted = folder / "fitted.toml"
        table = {(row["parameter"], row["kind"]): row for row in rows(store, "--scenario", start, "--save-scenario", fitted)}
        row = table[f"{link}.bandwidth", kind]
        expect(row["method"] == "continuous intervals" and close(row["value"], bandwidth, 0.01), f"{name}: {bandwidth} is wanted: {row}")
        other = table[f"{link}.bandwidth", "write" if kind == "read" else "read"]
        expect_equal((other["value"], other["lower"], other["method"]), ("", "", "none"), "a direction without bytes")
        # The saved scenario is one: its simulated counters match the real ones.
        errors = list(csv.DictReader(io.StringIO(run("simulate", fitted, "--store", store, "--verify", "--format", "csv").stdout)))
        error = next(each for each in errors if each["counter"] == f"{kind}_bytes")
        expect(float(error["average_error"]) < 0.02, f"{name}: simulated with what was fitted: {error}")
        say(f"{name}: {bandwidth} bytes/s, found {float(row['value']):.0f} from {row['observations']} intervals")
    per_server = rows(folder / "external_link-write.store", "--scenario", write(folder, "two.toml", "[[io_nodes]]\ncount = 2\ncompute_nodes = 16\n"), "--by-server")
    expect_equal(sorted({row["server"] for row in per_server}), ["s0", "s1"], "servers")


def bounds(folder):
    """One burst of 500 MB within 10 s: at least 50 MB/s, and perhaps any more."""
    path = write(folder, "burst.csv", "t,server,read_bytes,read_ops\n" + "".join(f"{t},s1,{0 if t < 30 else 500000000},{0 if t < 30 else 500}\n" for t in range(0, 80, 10)))
    run("ingest", folder / "burst", path)
    row = rows(folder / "burst")[0]
    expect(row["method"] == "lower bound" and row["value"] == row["upper"] == "" and close(row["lower"], 50e6, 0.01), f"a burst: {row}")
    say("a burst gives a bound and no estimate")


def benchmark(folder):
    truths = []
    for size in (1, 2, 4, 8):
        truths += ["--bench", folder / f"truth{size}.csv"]
        run("bench", folder / "bench", "--tasks", 2, "--size", "1M", "--count", size, "--truth", truths[-1])
    table = rows(*truths)
    expect_equal({row["kind"] for row in table}, {"read", "write"}, "both directions of a benchmark")
    expect(all(row["method"] == "regression" for row in table), f"a benchmark: {table}")
    refused("fit", "--bench", folder / "runs.csv", naming=["not a truth file"])
    say("truth files of a benchmark")


def refusals(folder):
    head = "bytes,seconds,kind\n"
    cases = (("", ["it is empty"]), (head, ["no runs"]), (head + "1000,1,read\n", ["1 run of this kind", "at least 3"]),
             (head + "1000,1,read\n" * 5, ["same size"]), (head + "1000,-1,read\n", ["seconds must be a number above 0", "bad.csv:2"]),
             (head + "1000,nan,read\n", ["not 'nan'"]), (head + "-5,1,read\n", ["bytes must be"]), (head + "1,1,both\n", ["kind must be read or write"]),
             ("bytes,kind\n1,read\n", ["no column seconds", "bad.csv:1"]), (head + '"1,1,read\n', ["bad.csv:2"]))
    for text, words in cases:
        refused("fit", "--runs", write(folder, "bad.csv", text), naming=words)
    refused("fit", exit_code=2, naming=["nothing to fit to"])
    refused("fit", "--runs", folder / "nowhere.csv", naming=["nowhere.csv"])
    refused("fit", folder / "nowhere", naming=["nowhere"])
    refused("fit", "--runs", folder / "runs.csv", "--confidence", 1, exit_code=2, naming=["--confidence"])
    refused("fit", "--runs", folder / "runs.csv", "--from", 0, exit_code=2, naming=["go with a STORE"])
    path = write(folder, "bytes.csv", "t,server,read_bytes\n0,s1,0\n120,s1,9000000\n240,s1,9000000\n")
    run("ingest", folder / "bytes-only", path)
    refused("fit", folder / "bytes-only", naming=["no operation counts", "fill_buffers"])
    say("what makes no sense is refused")


def real_data(folder):
    path = data / "pytokio" / "snx11025_2018-01-28.sqlite3"
    if not path.is_file():
        return left_out(f"fitting real counters: they are not here ({path})")
    run("ingest", folder / "lmt", path)
    fill = write(folder, "fill.toml", '[generator]\nmissing_operations = "fill_buffers"\n')
    table = {(row["parameter"], row["kind"]): row for row in rows(folder / "lmt", "--scenario", fill)}
    row = table["external_link.bandwidth", "write"]
    # The fastest 5 s of an OST, from the raw table: the simulated link must be at least as fast, within the hundredth that its first request waits.
    import sqlite3
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        raw = database.execute("SELECT OST_ID, CAST(strftime('%s', TIMESTAMP) AS INTEGER), WRITE_BYTES FROM OST_DATA JOIN TIMESTAMP_INFO USING (TS_ID) ORDER BY 1, 2").fetchall()
    fastest = max((int(b[2]) - int(a[2])) / (b[1] - a[1]) for a, b in zip(raw, raw[1:]) if a[0] == b[0])
    expect_equal(row["method"], "lower bound", "LMT: writes")
    expect(close(row["lower"], fastest, 0.01), f"LMT: the fastest OST wrote {fastest} bytes/s: {row}")
    say(f"LMT: an OST writes at least {float(row['lower']) / 2**20:.0f} MiB/s")


with scratch() as folder:
    runs(folder)
    coverage(folder)
    counters(folder)
    bounds(folder)
    benchmark(folder)
    refusals(folder)
    real_data(folder)
