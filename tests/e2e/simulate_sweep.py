# SPDX-License-Identifier: Apache-2.0
"""`fathom simulate`: sweeps on threads and ranks, their costs, pages, requests for Perfetto, progress, and Ctrl-C."""
import pty
import re
import select
import signal

from launchers import *

MiB, GiB, DAY = 1 << 20, 1 << 30, 86400
# Two jobs, of two I/O nodes each; what they write in four minutes goes through burst buffers, if there are any.
WORK = """original = "jugene"
[[io_nodes]]
count = 4
compute_nodes = 16
[[increment]]
nodes = [0, 1]
repeat = 2
read_bytes = "1 GiB"
read_operations = 300
write_bytes = "3 GiB"
write_operations = 1000
[[increment]]
nodes = [2, 3]
write_bytes = "1 GiB"
write_operations = 256
[[job]]
id = "a"
nodes = [0, 1]
end = "4 min"
[[job]]
id = "b"
nodes = [2, 3]
end = "4 min"
"""
PRICES = """[cost]
currency = "EUR"
external_bandwidth = 12.5
burst_buffer = 0.5
drive_writes_per_day = 3
warranty_years = 5
"""
SWEEP = ["--sweep", "external_bandwidth=1Gbit/s,4Gbit/s,10Gbit/s", "--sweep", "burst_buffer=0,1GiB,16GiB"]


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run("simulate", *arguments, "--format", "csv").stdout)))


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def one_result_for_all(folder, scenario):
    """The table does not depend on threads, ranks and launchers; nor do the words."""
    wanted = {format_: run("simulate", scenario, *SWEEP, "--threads", 1, "--format", format_).stdout for format_ in ("csv", "json", "table")}
    expect_equal(wanted["csv"].count("\n"), 10, "lines: a heading and nine combinations")
    for format_, text in wanted.items():
        for threads in (2, 3, 16):
            expect_equal(run("simulate", scenario, *SWEEP, "--threads", threads, "--format", format_).stdout, text, f"{format_} with {threads} threads")
        expect_equal(run("simulate", scenario, *SWEEP, "--format", format_).stdout, text, f"{format_} with as many threads as cores")
    launched = [flavour for flavour in flavours if flavour.present()]
    for flavour in launched:
        for size in flavour.sizes:
            done = flavour.launch(size, fathom, "simulate", scenario, *SWEEP, "--format", "csv")
            expect_equal(done.stdout, wanted["csv"], f"{size} ranks of {flavour.name}")
        done = flavour.launch(2, fathom, "simulate", scenario, *SWEEP, "--threads", 2, "--format", "json", "-o", folder / "ranks.json")
        expect_equal((done.stdout, (folder / "ranks.json").read_text()), ("", wanted["json"]), f"2 ranks x 2 threads of {flavour.name}, to a file")
        codes, done = exit_codes(flavour, 2, fathom, "simulate", scenario)
        expect_equal(codes, ["2", "2"], "exit codes of one simulation on two ranks")
        expect_one_message(done, "ranks share the combinations of --sweep")
        codes, done = exit_codes(flavour, 3, fathom, "simulate", scenario, "--sweep", "burst_buffer=1")
        expect_equal(codes, ["2", "2", "2"], "exit codes of an impossible sweep")
        expect_one_message(done, "at least the CIOD buffer")
    say(f"the same on threads and on ranks of {', '.join(flavour.name for flavour in launched) or 'no launcher'}")


def short_names(scenario):
    long_names = ["external_link.bandwidth", "burst_buffer.size"]
    table = rows(scenario, *SWEEP)
    same = rows(scenario, "--sweep", f"{long_names[0]}=1Gbit/s,4Gbit/s,10Gbit/s", "--sweep", f"{long_names[1]}=0,1GiB,16GiB")
    expect_equal([list(row.values()) for row in same], [list(row.values()) for row in table], "long and short names")
    expect_equal((list(table[0])[:2], list(same[0])[:2]), (["external_bandwidth", "burst_buffer"], long_names), "columns are named as the user did")
    refused("simulate", scenario, "--sweep", "external_bandwith=1", exit_code=2, naming=["did you mean 'external_bandwidth'?"])
    refused("simulate", scenario, "--sweep", "burst_buffer=0", "--sweep", "burst_buffer.size=0", exit_code=2, naming=["given twice"])
    say("short names")


def costs(folder, scenario):
    """4 I/O nodes. Written in four minutes: 2 x (3 + 3) + 1 + 1 = 14 GiB, 6 of them by one I/O node."""
    table = {(row["external_bandwidth"], row["burst_buffer"]): row for row in rows(scenario, *SWEEP)}
    expect_equal({key: float(row["cost"]) for key, row in table.items() if key[0] == "4Gbit/s"},
                 {("4Gbit/s", "0"): 4 * 50, ("4Gbit/s", "1GiB"): 4 * 50.5, ("4Gbit/s", "16GiB"): 4 * 58}, "4 x (gigabits x 12.5 + gibibytes x 0.5)")
    row = table["10Gbit/s", "16GiB"]
    # Jobs start at 0; the last end of one is the end of it all, a little after the four minutes where I/O takes longer.
    buffered = rows(write(folder, "buffered.toml", WORK + '[burst_buffer]\nsize = "16 GiB"\n'))
    times = DAY / max(240, *(float(job["run_time"]) for job in buffered))
    for column, wanted in (("buffer_bytes_per_day", 14 * GiB * times), ("full_writes_per_day", 14 / 4 / 16 * times), ("most_full_writes_per_day", 6 / 16 * times),
                           ("years_until_worn_out", 3 * 5 / (6 / 16 * times))):
        expect(abs(float(row[column]) - wanted) < 1e-9 * wanted, f"{column}: {row[column]} instead of {wanted}")
    bare = table["10Gbit/s", "0"]
    expect_equal([bare[name] for name in ("buffer_bytes_per_day", "full_writes_per_day", "years_until_worn_out")], ["0", "", ""], "without a burst buffer nothing wears out")
    for a in table.values():
        beaten = any(float(b["cost"]) <= float(a["cost"]) and float(b["run_ratio_average"]) <= float(a["run_ratio_average"])
                     and (b["cost"], b["run_ratio_average"]) != (a["cost"], a["run_ratio_average"]) for b in table.values())
        expect_equal(a["pareto"], "0" if beaten else "1", f"the front at {a}")
    free = rows(write(folder, "free.toml", WORK), *SWEEP)
    expect(all(row["cost"] == row["pareto"] == row["years_until_worn_out"] == "" for row in free), "without [cost] nothing has a price")
    expect(all(row["buffer_bytes_per_day"] != "" for row in free), "what was written is known all the same")
    expect_equal([{**row, "cost": "", "pareto": "", "years_until_worn_out": ""} for row in table.values()], free, "prices change nothing else")
    nodes = rows(scenario, "--nodes")
    expect_equal([row["buffered_bytes"] for row in nodes], ["0"] * 4, "JUGENE has no burst buffers")
    text = run("simulate", scenario).stdout
    expect("cost 500 EUR, originally 500" in text, f"4 x 10 x 12.5 in the heading: {text[:300]}")
    for lines, words in (("burst_buffer = -1", ["[cost]", "0 or more"]), ("external_bandwith = 1", ["did you mean 'external_bandwidth'?"]), ("warranty_years = 5", ["drive_writes_per_day"])):
        refused("simulate", write(folder, "wrong.toml", WORK + "[cost]\n" + lines), naming=words)
    say("costs and wear")


def all_formats(folder, scenario):
    """Every list there is, in every format: the same rows."""
    for name, options in {"jobs": [], "nodes": ["--nodes"], "summary": ["--summary"], "sweep": SWEEP, "verify": ["--verify"]}.items():
        table = rows(scenario, *options)
        as_json = json.loads(run("simulate", scenario, *options, "--format", "json").stdout)
        expect_equal(len(as_json), len(table), f"{name}: rows of json")
        expect_equal(list(as_json[0]), list(table[0]), f"{name}: columns of json")
        file = folder / f"{name}.parquet"
        run("simulate", scenario, *options, "--format", "parquet", "-o", file)
        stored = sql(f"SELECT * FROM read_parquet('{file}')")
        expect_equal((len(stored), list(stored[0])), (len(table), list(table[0])), f"{name}: rows and columns of parquet")
        for a, b in zip(stored, table):
            for column in table[0]:
                same = a[column] == b[column] or (b[column] != "" and abs(float(a[column]) - float(b[column])) <= 1e-9 * abs(float(b[column])))
                expect(same or (a[column] in ("", "NULL") and b[column] == ""), f"{name}: {column} is {a[column]!r} in parquet and {b[column]!r} in csv")
        refused("simulate", scenario, *options, "--format", "parquet", exit_code=2, naming=["-o FILE"])
    say("csv, json and parquet of all lists")


def page_data(path):
    text = path.read_text()
    return json.loads(re.search(r'id="report-data">(.*?)</script>', text, re.S)[1])


def pages(folder, scenario):
    page = folder / "what-if.html"
    run("simulate", scenario, "-o", page)
    data = page_data(page)
    jobs = rows(scenario)
    expect_equal(([node["name"] for node in data["comparison"]["nodes"]], data["comparison"]["io"]["axis"]["n"]), (["0", "1", "2", "3"], len(jobs)), "the page of a comparison")
    run("simulate", scenario, *SWEEP, "-o", page)
    data = page_data(page)["sweep"]
    table = rows(scenario, *SWEEP)
    expect_equal([point["run_front"] for point in data["points"]], [row["pareto"] == "1" for row in table], "the front of page and table")
    expect_equal([point["cost"] for point in data["points"]], [float(row["cost"]) for row in table], "costs of page and table")
    run("simulate", scenario, "--verify", "-o", page)
    data = page_data(page)["verification"]
    expect_equal([error["counter"] for error in data["errors"]], ["read_bytes", "read_ops", "write_bytes", "write_ops"], "the page of a verification")
    read = sum(sum(node["real_read"]) for node in data["nodes"]) * data["step"]
    expect(abs(read - 4 * GiB) < 1e-3 * 4 * GiB, f"{read} bytes read are drawn, 4 GiB were")
    for options in (["--nodes"], ["--summary"], ["--format", "csv"]):
        refused("simulate", scenario, *options, "-o", page, exit_code=2, naming=["a page goes with neither"])
    say("pages")


def perfetto(folder, scenario):
    """What is drawn is what --completions lists: requests under way in the window, on the track of their compute node."""
    picture, listed = folder / "requests.json", folder / "completions.csv"
    scenario = write(folder, "buffered.toml", WORK + '[burst_buffer]\nsize = "64 MiB"\n[external_link]\nbandwidth = "1 Gbit/s"\n[page_pool]\nsize = "32 MiB"\n')
    run("simulate", scenario, "--perfetto", picture, "--perfetto-window", "0.5,1", "--perfetto-nodes", "0,3", "--completions", listed)
    events = json.loads(picture.read_text())["traceEvents"]
    wanted = [row for row in read_csv(listed) if row["node"] in ("0", "3") and int(row["issued_ps"]) <= 10**12 and max(int(row["acked_ps"]), int(row["stored_ps"])) >= 5 * 10**11]
    slices = [event for event in events if event["ph"] == "X" and event["cat"] == "request"]
    expect(0 < len(wanted) < len(read_csv(listed)), "the window is a part of it")
    key = lambda node, thread, index, start, end: (node, thread, index, start, end)
    drawn = sorted(key(e["pid"] - 1, e["tid"] - 1, e["args"]["index"], round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)) for e in slices)
    expect_equal(drawn, sorted(key(int(r["node"]), int(r["index"]) % 16, int(r["index"]), int(r["issued_ps"]) // 1000, int(r["acked_ps"]) // 1000) for r in wanted), "requests of the picture")
    expect_equal({e["args"]["name"] for e in events if e["name"] == "process_name"}, {"I/O node 0", "I/O node 3"}, "I/O nodes")
    # One request at a time on each compute node, so that bars never overlap; and as many wait as there are bars.
    for track in {(node, thread) for node, thread, *_ in drawn}:
        mine = sorted((start, end) for node, thread, _, start, end in drawn if (node, thread) == track)
        expect(all(a[1] <= b[0] for a, b in zip(mine, mine[1:])), f"requests of compute node {track} overlap")
    waiting = [e for e in events if e["ph"] == "C" and e["name"] == "requests that wait" and e["pid"] == 1]
    expect(waiting and all(0 <= e["args"]["value"] <= 16 and 5e5 <= e["ts"] <= 1e6 for e in waiting), "at most one for each compute node, in the window")
    for e in waiting[:: max(1, len(waiting) // 50)]:
        at = round(e["ts"] * 1000)
        expect_equal(e["args"]["value"], sum(1 for node, _, _, start, end in drawn if node == 0 and start <= at < end), f"requests that wait at {at} ns")
    # The parts of a request fill it without a gap; links send one thing at a time; buffers are never fuller than they can be.
    parts = [event for event in events if event["ph"] == "X" and event["cat"] == "phase"]
    expect({"tree", "into the burst buffer", "waits for room", "external link", "disk link"} <= {event["name"] for event in parts}, f"parts: {({event['name'] for event in parts})}")
    by_track = {}
    for event in parts:
        by_track.setdefault((event["pid"], event["tid"]), []).append((round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000)))
    for whole in slices:
        begin, end = round(whole["ts"] * 1000), round((whole["ts"] + whole["dur"]) * 1000)
        mine = sorted(part for part in by_track[whole["pid"], whole["tid"]] if begin <= part[0] and part[1] <= end)
        expect(mine[0][0] == begin and mine[-1][1] == end and all(a[1] == b[0] for a, b in zip(mine, mine[1:])), f"{whole} has gaps: {mine}")
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    for link in ("external link, writes", "link of the burst buffer, writes"):
        track = next(key for key, name in names.items() if key[0] == 1 and name == link)
        sends = sorted((event["ts"], event["ts"] + event["dur"]) for event in events if event["ph"] == "X" and event["cat"] == "link" and (event["pid"], event["tid"]) == track)
        expect(len(sends) > 10 and all(a[1] <= b[0] + 0.0011 for a, b in zip(sends, sends[1:])), f"{link}: one thing at a time")
    for name, most in (("bytes in the page pool", 32 * MiB), ("bytes in the burst buffer", 64 * MiB)):
        levels = [event["args"]["value"] for event in events if event["ph"] == "C" and event["name"] == name]
        expect(0 <= min(levels) and most / 2 < max(levels) <= most, f"{name}: from {min(levels)} to {max(levels)}")
    refused("simulate", scenario, "--perfetto", picture, "--perfetto-nodes", "nobody", exit_code=2, naming=["'nobody'"])
    refused("simulate", scenario, "--perfetto", picture, "--perfetto-window", "2,1", exit_code=2, naming=["FROM,TO"])
    refused("simulate", scenario, "--perfetto-window", "1,2", exit_code=2, naming=["--perfetto FILE"])
    say(f"{len(slices)} requests for Perfetto")


# --- long runs --------------------------------------------------------------------------------------------------

# Jobs after one another; each takes about a tenth of a second to simulate.
JOBS = 24
LONG = 'original = "jugene"\n[external_link]\nbandwidth = "4 Gbit/s"\n[[io_nodes]]\ncount = 8\n' + "".join(
    f'[[increment]]\nstart = {i * 200}\nwrite_bytes = "6 GiB"\nwrite_operations = 60000\n[[job]]\nid = "job{i}"\nstart = {i * 200}\nend = {i * 200 + 150}\n' for i in range(JOBS))


def on_terminal(*arguments, interrupt_after=None, standard_error=True):
    """Runs fathom with standard error on a terminal; gives exit code, standard output and what the terminal saw."""
    leader, follower = pty.openpty()
    # What a shell starts in the background ignores Ctrl-C, and so would what it starts.
    running = subprocess.Popen([fathom, *map(str, arguments)], stdout=subprocess.PIPE, stderr=follower, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(follower)
    seen, begun = b"", time.monotonic()
    interrupted = False
    while True:
        if interrupt_after and not interrupted and interrupt_after(seen):
            running.send_signal(signal.SIGINT)
            interrupted = True
        if select.select([leader], [], [], 0.05)[0]:
            try:
                part = os.read(leader, 65536)
            except OSError:
                part = b""
            if not part:
                break
            seen += part
        expect(time.monotonic() - begun < 900, f"{arguments} does not end")
    output = running.communicate(timeout=60)[0].decode()
    os.close(leader)
    return running.returncode, output, seen.decode(errors="replace")


def interrupted_run(folder):
    scenario = write(folder, "long.toml", LONG)
    # On the terminal: bar, simulated time, requests per second, time left. Ctrl-C as soon as the changed architecture has begun.
    past_half = lambda seen: re.search(rb"simulating \S+ +(5[2-9]|[6-9]\d) %", seen)
    code, output, seen = on_terminal("simulate", scenario, "--format", "csv", interrupt_after=past_half)
    expect_equal(code, 130, f"exit code after Ctrl-C: {seen[-300:]}")
    expect(re.search(r"simulating \S+ +\d+ %  [\d:d ]+(s )?simulated, [\d,]+ requests/s  \d+ s left", seen), f"the bar: {seen[-300:]!r}")
    table = list(csv.DictReader(io.StringIO(output)))
    done = [row for row in table if row["io_time"]]
    expect_equal(len(table), JOBS, "every job has its row")
    expect(0 < len(done) < JOBS, f"{len(done)} of {JOBS} jobs ended before Ctrl-C")
    expect(all(not any(row[column] for column in row if column != "job_id") for row in table if not row["io_time"]), "the others are empty")
    expect(f"stopped by Ctrl-C; {len(done)} of {JOBS} jobs had ended" in seen, f"said clearly: {seen[-300:]!r}")
    whole = {row["job_id"]: row for row in rows(scenario)}
    expect(all(whole[row["job_id"]] == row for row in done), "what is there is what the whole run says")
    code, output, seen = on_terminal("simulate", scenario, "--threads", 1, "--sweep", "external_bandwidth=1Gbit/s,2Gbit/s,4Gbit/s,10Gbit/s", "--format", "csv",
                                     interrupt_after=lambda seen: b"run 3 of 5" in seen)
    expect_equal(code, 130, f"exit code after Ctrl-C in a sweep: {seen[-300:]}")
    table = list(csv.DictReader(io.StringIO(output)))
    expect_equal([row["external_bandwidth"] for row in table], ["1Gbit/s"], "rows that were done")
    expect("1 of 4 combinations are done" in seen, f"said clearly: {seen[-300:]!r}")
    say("Ctrl-C leaves what is done")


def only_on_a_terminal(folder):
    done = run("simulate", folder / "long.toml", "--summary")
    expect("simulating" not in done.stderr and "%" not in done.stderr, f"a bar where there is no terminal: {done.stderr!r}")
    say("no bar without a terminal")


with scratch() as folder:
    scenario = write(folder, "scenario.toml", WORK + PRICES)
    short_names(scenario)
    costs(folder, scenario)
    one_result_for_all(folder, scenario)
    all_formats(folder, scenario)
    pages(folder, scenario)
    perfetto(folder, scenario)
    interrupted_run(folder)
    only_on_a_terminal(folder)
