# SPDX-License-Identifier: Apache-2.0
"""`fathom compete --model`: its columns, its numbers against the equations of LWM2, what-if, and files that make no sense."""
from fathom_e2e import *

COLUMNS = "application,processes,volume,start,standalone,concurrent,observed,relative_error".split(",")
EXAMPLES = project / "examples" / "competition"


def rows(*arguments):
    text = run("compete", *arguments, "--format", "csv").stdout
    return list(csv.DictReader(io.StringIO(text))), text.splitlines()[0].split(",")


def near(found, wanted, what, tolerance=1e-9):
    expect(abs(float(found) - wanted) <= tolerance * max(1, abs(wanted)), f"{what}: expected {wanted}, found {found}")


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def the_contract(folder):
    # 100 MB/s, 1 and 3 processes, 1 GB and 600 MB from 4 s: a alone for 4 s, then 25 and 75 MB/s for 8 s, then a alone for 4 s.
    path = write(folder, "two.toml", """bandwidth = 100e6
share = "process"
[[application]]
name = "a, with comma"
processes = 1
volume = 1_000_000_000
[[application]]
name = "b"
processes = 3
nodes = 2
volume = 6e8
start = 4
observed = 10
""")
    found, columns = rows("--model", path)
    expect_equal(columns, COLUMNS, "columns")
    a, b = found
    expect_equal((a["application"], a["processes"], a["volume"], a["start"], a["observed"], a["relative_error"]), ("a, with comma", "1", "1000000000", "0", "", ""), "first row")
    for row, name, wanted in ((a, "standalone", 10), (a, "concurrent", 16), (b, "standalone", 6), (b, "concurrent", 8), (b, "start", 4), (b, "relative_error", -0.2)):
        near(row[name], wanted, name)
    document = json.loads(run("compete", "--model", path, "--format", "json").stdout)
    expect_equal(list(document[0]), COLUMNS, "keys of json")
    expect_equal((document[0]["observed"], document[0]["processes"]), (None, 1), "json: nothing is null, a count is a number")
    for row, same in zip(found, document):
        near(row["concurrent"], same["concurrent"], "csv and json")
    run("compete", "--model", path, "--format", "parquet", "-o", folder / "two.parquet")
    expect_equal([row["application"] for row in sql(f"SELECT * FROM '{folder}/two.parquet' WHERE concurrent > 15")], ["a, with comma"], "parquet")
    text = run("compete", "--model", path).stdout
    for words in ("16 s", "8 s", "953.7 MiB", "-20.0 %", "1.60 x", "█", "95.4 MiB/s on average"):
        expect(words in text, f"the page does not have '{words}':\n{text}")
    segments, columns = rows("--model", path, "--segments")
    expect_equal(columns, ["application", "begin", "end", "share", "rate"], "columns of segments")
    expect_equal([(row["application"][0], *(float(row[key]) for key in columns[1:])) for row in segments],
                 [("a", 0, 4, 1, 1e8), ("a", 4, 12, 0.25, 2.5e7), ("a", 12, 16, 1, 1e8), ("b", 4, 12, 0.75, 7.5e7)], "segments")
    say("columns and numbers as csv, json, parquet and text; segments")


def the_paper():
    for path in sorted(EXAMPLES.glob("p*.toml")) + sorted(EXAMPLES.glob("s*.toml")):
        found, _ = rows("--model", path)
        small, large = sorted(found, key=lambda row: int(row["processes"]))
        st_s, st_l = float(small["standalone"]), float(large["standalone"])
        weights = (1, 5) if "1-60" in path.name and "12-60" not in path.name else (int(small["processes"]), int(large["processes"]))
        near(large["concurrent"], st_l * sum(weights) / weights[1], f"{path.name}: Eq. 1")
        near(small["concurrent"], st_s + st_l, f"{path.name}: Eq. 2")
        for row in found:
            near(row["relative_error"], float(row["concurrent"]) / float(row["observed"]) - 1, f"{path.name}: relative error")
    back, columns = rows("--model", EXAMPLES / "private-12-60.toml", "--standalone")
    expect_equal(columns, "application,processes,start,observed,inferred,standalone,relative_error".split(","), "columns of --standalone")
    t_s, t_l = (float(row["observed"]) for row in back)
    near(back[1]["inferred"], t_l * 60 / 72, "Eq. 3")
    near(back[0]["inferred"], t_s - t_l * 60 / 72, "Eq. 4")
    near(back[0]["relative_error"], (t_s - t_l * 60 / 72) / 167.539 - 1, "error of the inferred time")
    say("Eqs. 1 to 4 on the examples")


def what_if():
    model = EXAMPLES / "private-12-60.toml"
    plain, _ = rows("--model", model)
    found, columns = rows("--model", model, "--what-if", "big.start=+300")
    expect_equal(columns, ["application"] + [f"{name}_{when}" for name in ("processes", "nodes", "volume", "start", "standalone") for when in ("before", "after")]
                 + [f"{name}_{when}" for name in ("concurrent", "end") for when in ("before", "after", "difference")], "columns of what-if")
    small, big = found
    for row, other in zip(found, plain):
        near(row["concurrent_before"], float(other["concurrent"]), "before is what is without --what-if")
        near(row["concurrent_difference"], float(row["concurrent_after"]) - float(row["concurrent_before"]), "difference")
    # 300 s later they do not meet: both as fast as alone.
    near(small["concurrent_after"], 167.539, "small after")
    near(big["concurrent_after"], 171.123, "big after")
    near(big["start_after"], 300, "start after")
    near(big["end_after"], 471.123, "end after")
    # 100 s later: small has 67.539 s of its own left. big (5/6) would need 205.3 s and small (1/6) 405.2 s: big ends at 305.3476 with small 34.2246 s further.
    later, _ = rows("--model", model, "--what-if", "big.start=-50", "--what-if", "big.start=+150")
    near(later[1]["end_after"], 100 + 171.123 * 1.2, "end of big, 100 s later")
    near(later[0]["end_after"], 100 + 171.123 * 1.2 + 67.539 - 171.123 * 0.2, "end of small beside it")
    gone = json.loads(run("compete", "--model", model, "--what-if", "big.absent", "--what-if", "small.volume=32000Mi", "--format", "json").stdout)
    expect_equal((gone[1]["concurrent_after"], gone[1]["concurrent_difference"], gone[1]["processes_after"]), (None, None, None), "one that is gone")
    near(gone[0]["concurrent_after"], 2 * 167.539, "twice the volume, alone")
    near(gone[0]["standalone_after"], 2 * 167.539, "twice the volume takes twice as long alone")
    text = run("compete", "--model", model, "--what-if", "big.start=+300").stdout
    for words in ("what if big.start=+300?", "-171 s", "+266 s", "before", "after", "somebody was active in 71.9 % of it"):
        expect(words in text, f"the page does not have '{words}':\n{text}")
    expect("nobody is left" in run("compete", "--model", model, "--what-if", "big.absent", "--what-if", "small.absent").stdout, "all gone")
    say("what if: later, earlier, absent, another volume")


def refusals(folder):
    model = EXAMPLES / "private-12-60.toml"
    refused("compete", exit_code=2, naming=["--model"])
    refused("compete", "--what-if", "big.absent", exit_code=2, naming=["--model"])
    refused("compete", "--model", folder / "nowhere.toml", naming=["nowhere.toml", "No such file"])
    refused("compete", "--model", folder, naming=[folder])
    for change, word in (("bigg.start=1", "did you mean 'big'"), ("big.strat=1", "did you mean 'start'"), ("big.start=soon", "soon"), ("big.processes=0", "from 1"), ("big", "NAME.start")):
        refused("compete", "--model", model, "--what-if", change, exit_code=2, naming=["--what-if", word])
    refused("compete", "--model", model, "--what-if", "big.absent", "--standalone", exit_code=2)
    refused("compete", "--model", EXAMPLES / "three-jobs.toml", "--standalone", naming=["no observed", "three-jobs.toml:7"])
    application = '[[application]]\nname = "a"\nprocesses = 1\n'
    for number, (text, words) in enumerate({
            "": ["bandwidth", ":1)"],
            "bandwidth = 1\n": ["[[application]]"],
            "bandwith = 1\n": ["did you mean 'bandwidth'"],
            "bandwidth = 0\n" + application: ["above 0"],
            "bandwidth = nan\n" + application: ["nan"],
            "bandwidth = 1\n" + application: ["no volume"],
            "per_application = true\n" + application: ["no standalone"],
            "bandwidth = 1\n" + application + "volume = -1\n": ["above 0", ":5)"],
            "bandwidth = 1\n" + application + "volume = 1\n" + application + "volume = 1\n": ["'a'", "line 2", ":7)"],
            "bandwidth = 1\nshare = 'core'\n" + application: ["process", "core"],
            "\0": [":1)"]}.items()):
        path = write(folder, f"wrong-{number}.toml", text)
        done = refused("compete", "--model", path, naming=[path, *words])
        expect_equal(done.stdout, "", "nothing goes to standard output")
    notices = run("compete", "--model", EXAMPLES / "three-jobs.toml").stderr
    expect("552 processes" in notices and "512" in notices, f"not told that the table of bandwidth ends: {notices}")
    say("missing, unknown, negative, not a number, twice: refused with file and line")


def very_many(folder):
    chance = seeded(5)
    text = "bandwidth = 1e9\n" + "".join(
        f'[[application]]\nname = "job{i}"\nprocesses = {chance.randint(1, 1000)}\nvolume = {chance.uniform(1e6, 1e9)}\nstart = {chance.uniform(0, 100)}\n' for i in range(10_000))
    path = write(folder, "many.toml", text)
    before = time.monotonic()
    found, _ = rows("--model", path)
    length = max(float(row["start"]) + float(row["concurrent"]) for row in found) - min(float(row["start"]) for row in found)
    total = sum(float(row["volume"]) for row in found)
    near(length, total / 1e9, "10,000 applications keep the file system busy all the time")
    run("compete", "--model", path, "--what-if", "job7.absent")
    say(f"10,000 applications, twice: {time.monotonic() - before:.2f} s")


with scratch() as scratch_folder:
    the_contract(scratch_folder)
    the_paper()
    what_if()
    refusals(scratch_folder)
    very_many(scratch_folder)
