# SPDX-License-Identifier: Apache-2.0
"""`fathom criteria` on what it cannot answer: it says what was attempted and why not, with exit code 2 for wrong usage and 1 for the rest."""
from fathom_e2e import *

COUNTERS_CSV = """t,server,read_bytes,write_bytes,read_ops,write_ops
1300060800,A,0,0,0,0
1300060860,A,600000000,0,60,0
1300060920,A,600000000,60000,60,6
1300060980,A,600000000,60000,60,6
1300060800,B,0,0,0,0
1300060860,B,0,0,0,0
"""
# good: all of its 180 s measured. half: B was measured for 60 of 180 s. blind: C was never measured. nowhere: no servers. running: no end.
JOBS_CSV = """job_id,user,name,nodes,start,end,servers
good,ada,app,1,1300060800,1300060980,A
half,ada,app,2,1300060800,1300060980,A;B
blind,ada,app,1,1300060800,1300060980,C
nowhere,ada,app,1,1300060800,1300060980,
running,ada,app,1,1300060800,,A
"""
ALONE_CSV = "job_id,user,name,nodes,start,end,servers\ngood,ada,app,1,1300060800,1300060980,A\nhalf,ada,app,2,1300061000,1300061180,B\n"


def make(folder, name, *texts, options=()):
    store = folder / name
    for number, text in enumerate(texts):
        path = folder / f"{name}-{number}.csv"
        path.write_text(text)
        run("ingest", store, path, *options)
    return store


def refuse(*arguments, exit_code=1, naming=()):
    """The message must be `fathom: what: why`, and nothing may go to standard output."""
    done = refused("criteria", *arguments, exit_code=exit_code, naming=naming)
    message = next(line for line in done.stderr.splitlines() if line.startswith("fathom: "))
    parts = message.split(": ")
    expect(len(parts) >= 3 and all(part.strip() for part in parts), f"not `fathom: what: why`: {message}")
    expect_equal(done.stdout, "", f"standard output beside '{message}'")
    return message


def rows(store, *arguments):
    done = run("criteria", store, "--min-runtime", 0, "--format", "csv", *arguments)
    return {row["job_id"]: row for row in csv.DictReader(io.StringIO(done.stdout))}, done.stderr


def jobs_that_cannot_be_measured(store):
    refuse(store, "--job", "nowhere", naming=["nowhere", "servers"])
    refuse(store, "--job", "no such job", naming=["no such job"])
    refuse(store, "--job", "good", "--job", "no such job", naming=["no such job"])
    refuse(store, "--job", "running", naming=["running"])
    found, talk = rows(store)
    expect_equal(set(found), {"good", "half"}, "jobs that can be measured")
    for words in ("1 left out: still running", "1 left out: no servers known", "1 left out: not measured"):
        expect(words in talk, f"not told: {words}\n{talk}")
    say("jobs without servers, without an end, unknown, not measured: refused by name, left out and told in the mass run")


def stores_that_cannot_be_read(folder):
    refuse(make(folder, "only-counters", COUNTERS_CSV), naming=["no jobs"])
    refuse(make(folder, "only-jobs", JOBS_CSV), naming=["no counters"])
    empty = folder / "empty"
    empty.mkdir()
    refuse(empty, naming=["empty"])
    refuse(folder / "nothing-there", naming=["nothing-there"])
    (folder / "a-file").write_text("hello\n")
    refuse(folder / "a-file", naming=["a-file"])
    older = make(folder, "older", COUNTERS_CSV, JOBS_CSV)
    manifest_file = older / "manifest.json"
    document = json.loads(manifest_file.read_text())
    for number in (document["format"] + 1, 0):
        manifest_file.write_text(json.dumps({**document, "format": number}))
        refuse(older, naming=["format", number])
    manifest_file.write_text("{")
    refuse(older, naming=["manifest.json"])
    say("no jobs, no counters, no store, a store of another version, a damaged one: refused")


def wrong_usage(store):
    for nonsense in ("-1", "abc", "1e400", "", "1,,2", ",1", "1,", "99999999999999999999", "1.5", "0x10", "M", "1MM", " 1", "1 M", "17179869184G", "NaN"):
        for option in ("--threshold", "--small"):
            refuse(store, f"{option}={nonsense}", exit_code=2)
    refuse(store, "--threshold", "-1", exit_code=2)
    refuse(store, "--threshold", "", exit_code=2, naming=["--threshold"])
    refuse(store, "--threshold", "99999999999999999999", exit_code=2, naming=["--threshold", "too large"])
    refuse(store, "--link", "guess", exit_code=2, naming=["--link", "weighted"])
    refuse(store, "--min-runtime", "-5", exit_code=2)
    refuse(store, "--min-runtime", "soon", exit_code=2)
    refuse(store, "--require-io", "none", exit_code=2, naming=["both"])
    refuse(store, "--format", "xml", exit_code=2)
    refuse(store, "--format", "parquet", exit_code=2, naming=["-o"])
    refuse(store, "--treshold", "1", exit_code=2)
    refuse(exit_code=2)
    found = {}
    for text in ("0", "1048576", "1M", "1m", "1024K"):
        found[text] = rows(store, "--threshold", text)[0]["good"]["read_intensity"]
    expect(found["1M"] == found["1m"] == found["1024K"] == found["1048576"], f"1M, 1m, 1024K and 1048576 differ: {found}")
    # A timeline is about one threshold: several are not answered with the first of them.
    done = refused("timeline", store, "--job", "good", "--threshold", "0,1M", "--format", "csv", exit_code=2, naming=["showing a timeline: ", "one threshold", "0,1M"])
    expect_equal(done.stdout, "", "standard output beside the refusal")
    run("timeline", store, "--job", "good", "--threshold", "1M,1024K", "--format", "csv")  # the same one twice
    say("thresholds, links and options that make no sense: exit code 2")


def rows_that_differ_say_in_what(store):
    """Several thresholds or sizes give a job several rows: the table names what each is for, as csv does."""
    for options, wanted in (((), set()), (("--threshold", "0,1M"), {"threshold"}), (("--small", "4K,1M"), {"small"}), (("--threshold", "0,1M", "--small", "4K,1M"), {"threshold", "small"})):
        lines = run("criteria", store, "--min-runtime", 0, *options).stdout.splitlines()
        expect_equal(set(lines[0].split()) & {"threshold", "small"}, wanted, f"columns of the table with {options}")
        of_good = [line for line in lines if line.startswith("good")]
        expect_equal((len(of_good), len(set(of_good))), (2 ** len(wanted),) * 2, f"rows of job good with {options}, and how many of them differ")
    say("a table with several thresholds or sizes says which row is which")


def low_coverage(store):
    found, talk = rows(store)
    # half: A 180 of 180 s, B 60 of 180 s: 240 of 360.
    expect_equal(float(found["half"]["coverage"]), 240 / 360, "coverage of job half")
    expect("low_coverage" in found["half"]["flags"].split(";"), f"csv: flags of job half are {found['half']['flags']!r}")
    expect("low_coverage" not in found["good"]["flags"], "csv: job good is flagged")
    expect("low_coverage" in talk, f"nothing said about coverage:\n{talk}")
    documents = {each["job_id"]: each for each in json.loads(run("criteria", store, "--min-runtime", 0, "--format", "json").stdout)}
    expect("low_coverage" in documents["half"]["flags"].split(";"), "json: job half is not flagged")
    lines = run("criteria", store, "--min-runtime", 0).stdout.splitlines()
    line = next(each for each in lines if each.startswith("half"))
    expect("low_coverage" in line and "66.7" in line, f"table: job half is not flagged: {line}")
    # Not measured at all: every measured value is empty, none is 0.
    blind = rows(store, "--job", "blind")[0]["blind"]
    expect_equal(blind["coverage"], "0", "coverage of job blind")
    described = {"job_id", "user", "name", "nodes", "units", "start", "end", "duration", "sampling_step", "coverage", "flags", "link", "other_jobs"}
    made_up = {name: value for name, value in blind.items() if name not in described and value != ""}
    expect_equal(made_up, {}, "values of a job that was not measured")
    document = json.loads(run("criteria", store, "--job", "blind", "--format", "json").stdout)[0]
    expect_equal({name for name, value in document.items() if name not in described and value is not None}, set(), "json: values of a job that was not measured")
    # Nobody sampled it: not every 0 s, and not every call.
    expect_equal(run("criteria", store, "--job", "blind").stdout.splitlines()[2], "  nothing was measured while it ran, link weighted", "how job blind was measured: analysis map")
    expect_equal(run("timeline", store, "--job", "blind").stdout.splitlines()[1], "nothing was measured while it ran; low_coverage", "how job blind was measured: timeline")
    words = run("summary", store, "--job", "blind").stdout
    expect("Nothing was measured at its servers while it ran" in words and "What it read and wrote was not counted." in words and "every" not in words, f"summary of job blind:\n{words}")
    expect_equal(json.loads(run("summary", store, "--job", "blind", "--format", "json").stdout)["sampling_step"], None, "sampling step of job blind")
    say("low coverage is flagged in csv, json and table; what was not measured is empty")


def shared_servers(folder):
    store = make(folder, "shared", COUNTERS_CSV, JOBS_CSV, options=["--servers", "shared"])
    for link in ("weighted", "simple", "discard", "double-count"):
        refuse(store, "--min-runtime", 0, "--link", link, naming=["shared", "job tag", "--link window"])
    refuse(store, "--job", "good", naming=["shared"])
    found, _ = rows(store, "--link", "window")
    # Everybody who runs then sees everything that A and B moved; nowhere and blind, too. running is not over.
    expect_equal(set(found), {"good", "half", "blind", "nowhere"}, "jobs in the window")
    for job, row in found.items():
        expect_equal(row["link"], "window", f"link of {job}")
        expect("window" in row["flags"].split(";"), f"{job}: flags {row['flags']!r} do not say window")
        expect_equal(row["other_jobs"], "4", f"other jobs beside {job}")
        expect_equal((row["read_bytes"], row["write_bytes"], row["units"]), ("600000000", "60000", "2"), f"bytes and servers of {job}")
        expect_equal((row["read_bytes_lower"], row["read_bytes_upper"]), ("0", "600000000"), f"band of {job}: nothing is surely its own")
    exclusive = make(folder, "exclusive", COUNTERS_CSV, ALONE_CSV)
    alone, _ = rows(exclusive, "--link", "window")
    expect_equal(alone["good"]["other_jobs"], "0", "other jobs beside a job that ran alone")
    say("shared servers without tags are refused with the reason; --link window is labelled and tells how many others ran")


def unknown_filesystems(folder, unnamed):
    """A file system without counters is a mistake, not a machine without I/O: every command says which there are."""
    counters = "t,server,filesystem,read_bytes,write_bytes\n" + "".join(f"{1300060800 + 60 * i},{server},{name},{i * 10 ** 6},{i}\n" for server in "AB" for name in ("work", "home") for i in range(8))
    named = make(folder, "named", counters, ALONE_CSV)
    for command, *options in (("criteria",), ("criteria", "--job", "good"), ("timeline", "--job", "good"), ("population",), ("summary", "--job", "good"), ("report", "-o", folder / "no.html"), ("bursts",), ("load",)):
        for store, there in ((named, "of file system nofs: the store has no counters of it; it has home, work"), (unnamed, "do not tell file systems apart")):
            done = refused(command, store, *options, "--filesystem", "nofs", naming=[there])
            expect_equal(done.stdout, "", f"{command}: standard output beside the refusal")
    expect(not (folder / "no.html").exists(), "a page about a file system that is not there")
    found, _ = rows(named, "--filesystem", "work")
    expect_equal(float(found["good"]["read_bytes"]), 3e6, "bytes that job good read from work alone, in 180 s")
    say("a file system that is not there is refused by all commands, which name those that are")


with scratch() as scratch_folder:
    measured = make(scratch_folder, "store", COUNTERS_CSV, JOBS_CSV)
    jobs_that_cannot_be_measured(measured)
    stores_that_cannot_be_read(scratch_folder)
    wrong_usage(measured)
    rows_that_differ_say_in_what(measured)
    low_coverage(measured)
    shared_servers(scratch_folder)
    unknown_filesystems(scratch_folder, measured)
