# SPDX-License-Identifier: Apache-2.0
"""Criteria and population on several ranks: byte for byte what one process says, whatever the launcher, the ranks and the threads."""
import functools
import re

from launchers import *

THRESHOLDS = "0,128K,1M"
COMMANDS = {"criteria": ["--no-keep"], "population": []}
VARIANTS = {
    "weighted": ["--min-runtime", "0", "--threshold", THRESHOLDS],
    "window": ["--min-runtime", "0", "--threshold", THRESHOLDS, "--link", "window"],
    "filtered": ["--require-io", "both", "--filesystem", "work"],
}


def jobs_of(store):
    return [row for row in csv.DictReader(io.StringIO(run("jobs", store, "--format", "csv").stdout)) if row["end"]]


def across_midnight(store):
    """A job of two days or more, on as many servers as there are: the hardest to share out."""
    jobs = [job for job in jobs_of(store) if float(job["start"]) // 86400 != float(job["end"]) // 86400]
    expect(len(jobs) >= 2, f"only {len(jobs)} jobs cross midnight: this store tests nothing")
    return max(jobs, key=lambda job: job["servers"].count(";"))["job_id"]


def answers(start, command, store, output, options):
    """What one way of starting the program writes for a question: as CSV to standard output, as JSON to a file; and to people."""
    if "json" not in options:
        done = start(fathom, command, store, *COMMANDS[command], *options)
        return {"standard output": done.stdout, "words": done.stderr}
    done = start(fathom, command, store, *COMMANDS[command], *options, "-o", output)
    file = output.read_text()
    output.unlink()
    return {"standard output": done.stdout, "file": file, "words": done.stderr}


def plainly(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, env=os.environ | NO_LEAKS)
    expect_equal(done.returncode, 0, f"exit code of {command}\n{done.stderr}")
    return done


def expect_same(found, wanted, what):
    for part in wanted:
        if found[part] != wanted[part]:
            pairs = zip(found[part].splitlines(), wanted[part].splitlines())
            first = next(((a, b) for a, b in pairs if a != b), ("", "one is longer"))
            fail(f"{what}: {part} is not that of one process:\n{first[0]!r}\n{first[1]!r}")


def questions(job):
    for command in COMMANDS:
        for format_ in ("csv", "json"):
            for name, options in VARIANTS.items() if long_run or format_ == "csv" else ():
                yield f"{command} {name} {format_}", command, [*options, "--format", format_]
            yield f"{command} --job {format_}", command, ["--job", job, "--threshold", THRESHOLDS, "--format", format_]


def ask_plainly(store, folder, job):
    """One process is the measure; it says the same with one thread and with two."""
    wanted = {}
    for what, command, options in questions(job):
        wanted[what] = answers(plainly, command, store, folder / "plain", options)
        expect(len(wanted[what].get("file", wanted[what]["standard output"])) > 200, f"{what}: an empty answer proves nothing")
        for threads in (1, 2):
            found = answers(plainly, command, store, folder / "plain", [*options, "--threads", threads])
            expect_same(found, wanted[what], f"{what} with --threads {threads}")
    say(f"one process: {len(wanted)} questions, the same with 1 and 2 threads")
    return wanted


def ask_on_ranks(flavour, store, folder, job, wanted):
    sizes = flavour.sizes if long_run else flavour.sizes[-1:]
    for size in sizes:
        start = functools.partial(flavour.launch, size)
        for what, command, options in questions(job):
            expect_same(answers(start, command, store, folder / "ranks", options), wanted[what], f"{what} on {size} ranks of {flavour.name}")
    for what, command, options in list(questions(job))[::4]:
        found = answers(functools.partial(flavour.launch, 2), command, store, folder / "ranks", [*options, "--threads", "2"])
        expect_same(found, wanted[what], f"{what} on 2 ranks of {flavour.name} with 2 threads each")
    say(f"{flavour.name}: {len(wanted)} questions have the same bytes with {', '.join(map(str, sizes))} ranks")


def kept_results(flavour, store, folder):
    """What is kept by ranks is what one process keeps: none known, some known (then fewer days and servers are read), all known."""
    steps = [["--min-runtime", "7200"], ["--min-runtime", "0"], ["--min-runtime", "0"]]
    for size in (2, flavour.sizes[-1]) if long_run else flavour.sizes[-1:]:
        alone, shared = folder / "alone", folder / "shared"
        for copy in (alone, shared):
            shutil.copytree(store, copy)
        for number, step in enumerate(steps):
            options = [*step, "--threshold", THRESHOLDS, "--format", "csv"]
            wanted, found = plainly(fathom, "criteria", alone, *options), flavour.launch(size, fathom, "criteria", shared, *options)
            what = f"step {number} with kept results on {size} ranks of {flavour.name}"
            expect(("known from before" in wanted.stderr) == (number > 0), f"{what}: {wanted.stderr}")
            expect_same({"standard output": found.stdout, "words": found.stderr}, {"standard output": wanted.stdout, "words": wanted.stderr}, what)
            # The next to ask gets what the ranks kept.
            expect_equal(plainly(fathom, "criteria", shared, *options).stdout, plainly(fathom, "criteria", alone, *options).stdout, f"{what}: asked again")
        check(shared)
        for copy in (alone, shared):
            shutil.rmtree(copy)
    say(f"{flavour.name}: kept results are those of one process")


def more_ranks_than_days(flavour, folder):
    store = folder / f"short-{flavour.name}"
    run("synth", "small", "--into", store, "--days", "1")
    for what, command, options in list(questions(jobs_of(store)[-1]["job_id"]))[::3]:
        wanted = answers(plainly, command, store, folder / "plain", options)
        found = answers(functools.partial(flavour.launch, 3), command, store, folder / "ranks", options)
        expect_same(found, wanted, f"{what} of one day on 3 ranks of {flavour.name}")
    say(f"{flavour.name}: more ranks than days")


def errors(flavour, store, folder):
    for command in COMMANDS:
        for words, naming in (([store, "--job", "no-such-job"], "no-such-job"), ([folder / "no-store"], "no-store"),
                              ([store, "--min-runtime", "0", "--format", "csv", "-o", folder / "none" / "out.csv"], "out.csv")):
            codes, done = exit_codes(flavour, 3, fathom, command, *words)
            expect_equal(codes, ["1"] * 3, f"exit codes of {command} {words} under {flavour.name}\n{done.stderr}")
            expect_one_message(done, naming)
            expect_equal(done.stdout, "", f"standard output of {command} {words}")
    say(f"{flavour.name}: errors are told once, and every rank ends with 1")


def bytes_read(trace):
    """Of the increments, by the process whose system calls these are."""
    return sum(int(amount) for amount in re.findall(r"^\d*\s*p?read(?:64)?\(\d+<[^>]*/increments/[^>]*>.*= (\d+)$", trace, re.M))


def shares_reading(flavour, folder):
    """Each rank reads its own days and, for jobs that began before, the day before. Days large enough that the Parquet footers, which all read, are small beside them."""
    if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        left_out("how ranks share reading: system calls cannot be traced (strace)")
        return
    store = folder / "large"
    if not store.exists():
        run("synth", "jugene", "--into", store, "--days", "6")
    traced = ["strace", "-f", "-y", "-s", "0", "-e", "trace=read,pread64"]
    question = [fathom, "criteria", store, "--no-keep", "--format", "csv"]
    alone = folder / "alone.trace"
    wanted = plainly(*traced, "-o", alone, *question)
    found = flavour.launch(3, "sh", "-c", f'exec {" ".join(traced)} -o "{folder}/{flavour.name}.${flavour.variable}" "$@"', "sh", *question, timeout=300)
    expect_equal(found.stdout, wanted.stdout, "criteria of 3 traced ranks")
    all_of_it = bytes_read(alone.read_text())
    shares = [bytes_read((folder / f"{flavour.name}.{rank}").read_text()) for rank in range(3)]
    expect(all_of_it > 1_000_000, f"one process read {all_of_it} bytes: the trace is not understood")
    expect(all(0 < share < 0.7 * all_of_it for share in shares), f"of {all_of_it} bytes the ranks read {shares}")
    say(f"{flavour.name}: where one process reads {all_of_it} bytes of increments, three ranks read {', '.join(map(str, shares))}")


with scratch() as folder:
    present = present_flavours()
    store = folder / "store"
    run("synth", "small", "--into", store, "--days", "3")
    job = across_midnight(store)
    wanted = ask_plainly(store, folder, job)
    for flavour in present:
        ask_on_ranks(flavour, store, folder, job, wanted)
        kept_results(flavour, store, folder)
        errors(flavour, store, folder)
        if long_run or flavour is present[0]:  # what does not depend on the launcher
            more_ranks_than_days(flavour, folder)
        if long_run:  # a machine of a size at which footers do not count
            shares_reading(flavour, folder)
