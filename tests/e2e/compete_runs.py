# SPDX-License-Identifier: Apache-2.0
"""Programs that really run side by side under `fathom run --slices`: what `fathom slices` and `fathom compete` say about them."""
from traced import *

SLICE = 0.25


def begin(folder, program, name, *numbers, length=SLICE):
    """Starts a writer under fathom; `ended` gives what it wrote."""
    data = folder / f"data-{name}"
    data.mkdir()
    words = [fathom, "run", "--slices", "--slice", length, "-o", folder / name, "--", program, data, *numbers]
    environment = {key: value for key, value in os.environ.items() if not re.match(r"FATHOM_|LD_PRELOAD", key)}
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def ended(process):
    out, err = process.communicate(timeout=120)
    expect_equal(process.returncode, 0, f"exit code of a writer\n{err}")
    return int(out)


def rows(*words):
    return list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))


def total(table, name):
    return sum(int(row[name]) for row in table)


def slices_add_up(folder, written):
    for name, wanted in written.items():
        table = rows("slices", folder / name)
        expect_equal(total(table, "write_bytes"), wanted, f"bytes of all slices of {name}")
        numbers = [int(row["slice"]) for row in table]
        expect_equal(numbers, list(range(numbers[0], numbers[-1] + 1)), "slices without holes")
        expect(all(abs(float(row["start"]) - int(row["slice"]) * SLICE) < 1e-6 for row in table), "a slice begins at its number x length")
        single = rows("slices", folder / name, "--per-process")
        for counter in ("read_bytes", "write_bytes", "write_calls", "opens", "other_calls"):
            expect_equal(total(single, counter), total(table, counter), f"{counter} of processes and of {name}")
        trimmed = rows("slices", folder / name, "--trim", "--direction", "write")
        expect(len(trimmed) < len(table) and int(trimmed[0]["slice"]) >= numbers[0], "--trim leaves slices out")
    say("sums over slices and processes are what the programs wrote")


def pictures(folder):
    both = ["slices", f"small={folder / 'small'}", f"large={folder / 'large'}", "--direction", "write"]
    drawn = run(*both, "--map").stdout
    expect("small: 2 processes; 1 more moved nothing" in drawn and "large: 6 processes; 1 more" in drawn and "written by a process" in drawn, f"the map's headings:\n{drawn}")
    expect("\x1b" not in drawn and "@" in drawn, "shades without colours where the output is no terminal")
    expect("\x1b[38;5;" in run(*both, "--map", "--color", "always").stdout, "colours when asked for")
    page = folder / "slices.html"
    run(*both, "-o", page)
    text = page.read_text()
    expect(len(text) < 5_000_000 and '"label":"small"' in text and '"overlap":[' in text, "the page has both applications and their overlap")
    refused(*both, "--map", "--format", "csv", exit_code=2)
    say("map and page")


def compared(folder):
    words = ["compete", f"small={folder / 'small'}", f"large={folder / 'large'}"]
    found = json.loads(run(*words, "--format", "json").stdout)
    small, large = found["applications"]
    expect(found["active_overlap"]["slices"] >= 3, f"an active overlap: {found['active_overlap']}")
    expect(found["active_overlap"]["length"] <= found["overlap"]["length"] + SLICE, "it is no longer than the overlap")
    expect_equal([small["active_processes"], large["active_processes"], small["processes"]], [2, 6, 3], "processes")
    # Each process writes as much as any other: 2 against 6.
    expect(2 < large["overlap_ratio"] < 4.5, f"ratio in the overlap: {large['overlap_ratio']}")
    expect_equal(large["process_share"], 0.75, "share expected of 6 of 8 processes")
    expect(0 <= found["spread"] < 0.5, f"spread {found['spread']}")
    expect_equal(large["node_share"], large["process_share"], "on one node it is divided by processes")
    expect_equal(found["fairness"]["nearer"], None, "both rules expect the same")
    expect(any("share 1 node" in notice for notice in found["notices"]), f"notices: {found['notices']}")
    expect(any("never wrote anything" in notice for notice in found["notices"]), "the parents are left out, and said so")
    expect(small["start_up"] >= 0 and small["io_phase"] > large["io_phase"] > 1, "I/O phases")
    few = json.loads(run(*words, "--least", "1G", "--format", "json").stdout)
    expect(few["active_overlap"]["slices"] == 0 and any("less than 1 GiB" in notice for notice in few["notices"]), "--least")
    page = run(*words).stdout
    expect("active overlap" in page and "throughput" in page and "alone, inferred" in page, page)
    say("two side by side")


def with_times_alone(folder):
    words = ["compete", f"small={folder / 'small'}", f"large={folder / 'large'}", "--format", "csv"]
    small, large = csv.DictReader(io.StringIO(run(*words, "--standalone", "small=2", "--standalone", f"large={folder / 'large'}").stdout))
    expect(abs(float(small["slowdown"]) - float(small["io_phase"]) / 2) < 1e-9, "slowdown against seconds")
    expect(abs(float(large["slowdown"]) - 1) < 1e-9, "slowdown against its own run")
    expect(float(large["predicted"]) > float(large["standalone"]), "beside another it takes longer")
    expect(abs(float(small["relative_error"]) - (float(small["predicted"]) / float(small["io_phase"]) - 1)) < 1e-9, "relative error")
    refused(*words, "--standalone", "tiny=3", exit_code=2, naming=["tiny", "small, large"])
    refused(*words, "--standalone", "small=0", exit_code=2, naming=["above zero"])
    say("times alone")


def awkward(folder, program):
    ended(begin(folder, program, "later", 1, 1.5, 4096, 2000))
    done = run("compete", folder / "large", folder / "later", "--format", "json")
    found = json.loads(done.stdout)
    expect_equal([found["overlap"]["length"], found["active_overlap"]["slices"], found["spread"]], [0, 0, None], "no overlap")
    expect("did not run at the same time" in done.stderr, done.stderr)
    ended(begin(folder, program, "other", 1, 0.5, 4096, 2000, length=0.5))
    refused("compete", folder / "large", folder / "other", naming=["0.25 s", "0.5 s", "--slice"])
    refused("compete", folder / "large", folder / "large", exit_code=2, naming=["twice"])
    refused("compete", folder / "large", exit_code=2, naming=["two directories"])
    refused("compete", folder / "large", folder / "nowhere", naming=["nowhere"])
    three = json.loads(run("compete", folder / "small", folder / "large", folder / "later", "--format", "json").stdout)
    expect_equal([(pair["a"], pair["b"], pair["active_overlap"] > 0) for pair in three["pairs"]], [("small", "large", True), ("small", "later", False), ("large", "later", False)], "pairs")
    expect_equal(len(rows("compete", folder / "small", folder / "large", "--pairs")), 1, "rows of --pairs")
    say("no overlap, other lengths, three at once")


with scratch() as folder:
    program = build("gcc", "writers.c", folder / "writers")
    if program is None:
        skip("no compiler")
    # 2 processes for 4 s, and 6 for 2 s in the middle.
    small = begin(folder, program, "small", 2, 4, 16384, 2000, 0.3)
    large = begin(folder, program, "large", 6, 2, 16384, 2000, 1.2)
    slices_add_up(folder, {"small": ended(small), "large": ended(large)})
    pictures(folder)
    compared(folder)
    with_times_alone(folder)
    awkward(folder, program)
