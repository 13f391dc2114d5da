# SPDX-License-Identifier: Apache-2.0
"""`fathom simulate`: its contract, closed forms of the model, work from a store, and what it must refuse."""
from fathom_e2e import *

JOB_COLUMNS = "job_id,io_time,io_time_original,io_ratio,run_time,run_time_original,run_ratio".split(",")
COMPLETIONS = "node,index,kind,bytes,issued_ps,acked_ps,stored_ps".split(",")
MiB = 1 << 20


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run("simulate", *arguments, "--format", "csv").stdout)))


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def completions(folder, scenario, *more):
    path = folder / "completions.csv"
    run("simulate", scenario, "--completions", path, *more)
    with path.open() as file:
        table = list(csv.DictReader(file))
    expect_equal(path.read_text().splitlines()[0].split(","), COMPLETIONS, "columns of the completions")
    return table


def one_write(folder):
    # 4 MiB / 850 MiB/s = 4,705,882,353 ps; / 10 Gbit/s = 3,355,443,200 ps; / 66 GiB/s = 59,185,606 ps.
    scenario = write(folder, "one.toml", "[[increment]]\nwrite_bytes = 4194304\nwrite_operations = 1\n")
    row, = completions(folder, scenario)
    expect_equal([row[name] for name in COMPLETIONS], ["0", "0", "write", "4194304", "0", "4705882353", "8120511159"], "one write of 4 MiB")
    job, = rows(scenario)
    expect_equal(list(job), JOB_COLUMNS, "columns")
    expect_equal((job["job_id"], float(job["io_time"]), job["io_ratio"], job["run_time"]), ("all", 0.004705882353, "1", "120"), "the job `all`")
    say("one write, to the picosecond")


def tree_in_a_word(folder):
    work = '[[io_nodes]]\ncompute_nodes = 4\n[[increment]]\nwrite_bytes = "64 MiB"\nwrite_operations = 16\n'
    alone = rows(write(folder, "word.toml", 'tree = "binary"\n' + work))
    expect_equal(alone, rows(write(folder, "table.toml", work + '[tree]\nshape = "binary"\n')), 'tree = "binary"')
    both = rows(write(folder, "work.toml", work), "--sweep", "tree=root,binary")
    expect_equal([row["tree"] for row in both], ["root", "binary"], "a sweep over tree")
    expect(both[0]["io_ratio_average"] != both[1]["io_ratio_average"], f"the tree makes a difference: {both}")
    say("the tree in a word")


def ratios_of_the_dissertation(folder):
    """Saturated reads: 10 x and 2.5 x; a single compute node: 4.72 x and 1.62 x."""
    for compute_nodes, gbit, wanted in ((128, 1, 10.0), (128, 4, 2.5), (1, 1, 4.72), (1, 4, 1.62)):
        scenario = write(folder, "reads.toml", f"""original = "jugene"
[[io_nodes]]
compute_nodes = {compute_nodes}
[external_link]
bandwidth = "{gbit} Gbit/s"
[[increment]]
read_bytes = "16 GiB"
read_operations = 4096
""")
        job, = rows(scenario)
        expect(abs(float(job["io_ratio"]) - wanted) < 0.005 * wanted, f"{compute_nodes} compute nodes, {gbit} Gbit/s: {job['io_ratio']} instead of {wanted}")
    say("ratios of reads")


def presets(folder):
    for name in ("jugene", "jugene-burst-buffer", "spider", "harbour", "harbour-burst-buffer", "template"):
        path = folder / f"{name}.toml"
        run("simulate", "--preset", name, "-o", path)
        expect_equal(path.read_text(), run("simulate", "--preset", name).stdout, "-o and standard output")
    table = completions(folder, folder / "template.toml")
    expect_equal(sum(int(row["bytes"]) for row in table), 12 << 30, "bytes of all requests: 4 I/O nodes, 3 intervals, 1 GiB")
    expect(all(int(row["issued_ps"]) <= int(row["acked_ps"]) and int(row["issued_ps"]) <= int(row["stored_ps"]) for row in table), "times in order")
    expect_equal(len({(row["node"], row["index"]) for row in table}), 12 * 4096, "every request once")
    nodes = rows(folder / "jugene-burst-buffer.toml", "--nodes")
    expect_equal((len(nodes), nodes[0]["compute_nodes"], nodes[-1]["compute_nodes"]), (600, "128", "32"), "I/O nodes of jugene")
    summary = rows(folder / "jugene-burst-buffer.toml", "--summary")
    expect_equal([row["ratio"] for row in summary], ["io_ratio", "run_ratio"], "rows of the summary")
    first, second = (run("simulate", folder / "jugene-burst-buffer.toml", "--nodes", "--format", "json").stdout for _ in range(2))
    expect_equal(first, second, "the same twice")
    say("presets")


def from_a_store(folder):
    store = folder / "store"
    run("synth", "small", "--into", store, "--seed", 3, "--days", 1)
    facts = info(store)
    scenario = write(folder, "slow.toml", 'original = "jugene"\n[external_link]\nbandwidth = "1 Gbit/s"\n[burst_buffer]\nsize = "64 GiB"\n')
    nodes = rows(scenario, "--store", store, "--nodes")
    for kind in ("read", "write"):
        expect_equal(sum(int(row[f"{kind}_bytes"]) for row in nodes), facts[f"{kind}_bytes"], f"{kind}_bytes of the store are simulated")
        expect(sum(int(row[f"{kind}_requests"]) for row in nodes) >= facts[f"{kind}_ops"], f"{kind} requests: no fewer than operations")
    jobs = rows(scenario, "--store", store)
    known = {row["job_id"]: row for row in csv.DictReader(io.StringIO(run("jobs", store, "--format", "csv").stdout))}
    expect(len(jobs) > 20 and all(job["job_id"] in known for job in jobs), "jobs of the store")
    for job in jobs:
        logged = known[job["job_id"]]
        length = float(logged["end"]) - float(logged["start"])
        expect(float(job["run_time_original"]) >= length - 1e-6, f"{job}: originally at least as long as logged, {length}")
    expect(max(float(job["io_ratio"] or 0) for job in jobs) > 5, "slow links slow somebody down")
    same = write(folder, "same.toml", 'original = "jugene"\n')
    for job in rows(same, "--store", store):
        expect(job["io_ratio"] in ("1", "") and job["run_ratio"] == "1", f"the same architecture changes nothing: {job}")
    errors = {row["counter"]: row for row in rows(same, "--store", store, "--verify")}
    expect_equal(list(errors), ["read_bytes", "read_ops", "write_bytes", "write_ops"], "rows of the verification")
    expect(all(int(row["increments"]) == facts["increments"] for row in errors.values()), "every increment of the store is verified")
    expect(all(float(row["average_error"]) < 0.02 for row in errors.values()), f"JUGENE's model keeps up with its counters: {errors}")
    late = {row["counter"]: row for row in rows(scenario, "--store", store, "--verify")}
    expect(int(late["read_bytes"]["with_error"]) > int(errors["read_bytes"]["with_error"]), "slow links do not")
    server = nodes[0]["node"]
    alone, = rows(scenario, "--store", store, "--nodes", "--server", server)
    expect_equal((alone["node"], alone["read_bytes"]), (server, nodes[0]["read_bytes"]), "one server")
    begin = facts["start"] + 6 * 3600
    part = rows(scenario, "--store", store, "--nodes", "--from", begin, "--to", begin + 3600)
    expect(0 < sum(int(row["read_bytes"]) for row in part) < facts["read_bytes"], "an hour of it")
    say(f"{len(jobs)} jobs of a store")


def sweep(folder):
    # Saturated reads: the ratio is that of the bandwidths; a page pool changes nothing about reads.
    scenario = write(folder, "sweep.toml", '[[increment]]\nread_bytes = "16 GiB"\nread_operations = 4096\n')
    table = rows(scenario, "--sweep", "external_link.bandwidth=1Gbit/s,4Gbit/s,10Gbit/s", "--sweep", "page_pool.size=0,1GiB")
    expect_equal([(row["external_link.bandwidth"], row["page_pool.size"]) for row in table], [(b, p) for b in ("1Gbit/s", "4Gbit/s", "10Gbit/s") for p in ("0", "1GiB")], "combinations")
    for row, wanted in zip(table, (10, 10, 2.5, 2.5, 1, 1)):
        expect(abs(float(row["io_ratio_median"]) - wanted) < 0.005 * wanted, f"{row}: {wanted} is wanted")
        expect_equal(float(row["io_ratio_share_above_1.1"]), 1.0 if wanted > 1.1 else 0.0, "share above 1.1")
    refused("simulate", scenario, "--sweep", "external_link.bandwith=1", exit_code=2, naming=["did you mean 'external_link.bandwidth'?"])
    refused("simulate", scenario, "--sweep", "burst_buffer.size=1", exit_code=2, naming=["at least the CIOD buffer"])
    say("a sweep")


def refusals(folder):
    cases = (("[tree\n", ["broken.toml:1"]), ("[external_link]\nbandwidth = -5\n", ["broken.toml:2", "from 1 to"]), ("[ciod]\nbuffer = 0\n", ["buffer of [ciod]"]),
             ("[external_link]\nbandwith = 5\n", ["did you mean 'bandwidth'?"]), ("", ["nothing to simulate"]),
             ("[targets]\ncount = 2\nstripe_count = 3\n", ["only 2 targets"]), ("[burst_buffer]\nprefetch = 5\n", ["need a buffer"]),
             ('[burst_buffer]\nsize = "1024 TiB"\nshared_by = 100000\n', ["more than 2^64 bytes"]),
             ('[burst_buffer]\nsize = "1 GiB"\ndrain = "never"\n', ["broken.toml:3", "immediate", "threshold"]), ("[compute_nodes]\nin_flight = 0\n", ["in_flight", "from 1 to"]))
    for text, words in cases:
        refused("simulate", write(folder, "broken.toml", text), naming=words)
    overlapping = '[[job]]\nid = "a"\nend = 20\n[[job]]\nid = "b"\nstart = 10\nend = 30\n[[increment]]\nread_bytes = 1\n'
    refused("simulate", write(folder, "broken.toml", overlapping), naming=["'a' and 'b'", "I/O node 0", "at the same time"])
    refused("simulate", "--preset", "jugen", exit_code=2, naming=["did you mean 'jugene'?"])
    refused("simulate", exit_code=2, naming=["SCENARIO.toml"])
    refused("simulate", folder / "nowhere.toml", naming=["nowhere.toml"])
    empty = write(folder, "empty.toml", "")
    refused("simulate", empty, "--from", "2010-05-03", exit_code=2, naming=["--store"])
    # A store that knows bytes and no operations.
    counters = write(folder, "counters.csv", "t,server,read_bytes\n0,s1,0\n120,s1,9000000\n240,s1,9000000\n")
    run("ingest", folder / "bytes-only", counters)
    refused("simulate", empty, "--store", folder / "bytes-only", naming=["no operation counts", "'s1'", "fill_buffers"])
    node, = rows(write(folder, "fill.toml", '[generator]\nmissing_operations = "fill_buffers"\n'), "--store", folder / "bytes-only", "--nodes")
    expect_equal((node["node"], node["read_requests"], node["read_bytes"]), ("s1", "3", "9000000"), "9 MB fill three buffers of 4 MiB")
    # Two jobs on one server at the same time.
    counters = write(folder, "counters2.csv", "t,server,read_bytes,read_ops\n0,s1,0,0\n120,s1,9000000,9\n240,s1,9000000,9\n")
    jobs = write(folder, "jobs.csv", "job_id,start,end,servers\na,0,100,s1\nb,50,200,s1\n")
    run("ingest", folder / "overlap", counters, jobs)
    refused("simulate", empty, "--store", folder / "overlap", naming=["'a' and 'b'", "s1"])
    refused("simulate", write(folder, "few.toml", "[[io_nodes]]\ncount = 1\n"), "--store", folder / "store", naming=["describes 1 I/O nodes", "8 servers"])
    say("what makes no sense is refused")


with scratch() as folder:
    one_write(folder)
    tree_in_a_word(folder)
    ratios_of_the_dissertation(folder)
    presets(folder)
    sweep(folder)
    from_a_store(folder)
    refusals(folder)
