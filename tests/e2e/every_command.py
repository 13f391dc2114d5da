# SPDX-License-Identifier: Apache-2.0
"""Every command and part: --help fits 100 columns and has examples, an unknown option is wrong usage, a missing store is named. The overview is a map of all of them."""
import re

from fathom_e2e import *


def listed(text):
    return re.findall(r"^  ([a-z][a-z-]*) ", text, re.M)


def fits(text, what):
    for line in text.splitlines():
        expect(len(line) <= 100, f"{what}: {len(line)} columns: {line}")


overview = run("--help").stdout
expect_equal(run().stdout, overview, "without a word there is the same help")
for words in (("--quiet",), ("--no-color",), ("--config", "/dev/null")):
    done = run(*words)
    expect_equal((done.stdout, done.stderr), (overview, ""), f"{words} alone is like no word")
fits(overview, "--help")
expect(len(overview.splitlines()) <= 80, f"the overview has {len(overview.splitlines())} lines")
for group in ("Try it out:", "Measure:", "Look:", "Understand:", "Decide:", "Look after a store:", "Help:", "To begin:"):
    expect(f"\n{group}\n" in overview, f"the overview lacks '{group}'")
body, begin = overview.split("To begin:")
commands = listed(body)
expect_equal(len(set(commands)), len(commands), "every command once")
expect_equal(len(re.findall(r"^  fathom [a-z]+ ", begin, re.M)), 3, "commands to begin with")
for line in re.findall(r"^  [a-z][a-z-]* .*(?:\n {10,}.*)+", body, re.M):
    fail(f"a command of the overview takes more than a line: {line}")
say(f"{len(commands)} commands in {len(overview.splitlines())} lines")

all_words = []
for name in commands:
    parts = listed(run(name, "--help").stdout.split("Commands:")[1].split("\n\n")[0]) if "\nCommands:\n" in run(name, "--help").stdout else []
    all_words += [(name,)] + [(name, part) for part in parts]
stores = 0
for words in all_words:
    done = run(*words, "--help")
    expect_equal(done.stderr, "", f"{words} --help on standard error")
    examples = done.stdout.split("\nExamples:\n")
    fits(done.stdout, " ".join(words))
    expect(not re.search(r"[A-Z]:(FLOAT|U?INT|NONNEG|POSITIVE|\{)", done.stdout), f"{words}: --help says types of the program's own")
    expect(len(examples) == 2 and re.search(rf"^  .*fathom .*{words[0]}", examples[1], re.M), f"{words}: --help has an example of it")
    wrong = refused(*words, "--no-such-option", exit_code=2, naming=[" ".join(words)])
    expect(wrong.stderr.startswith("fathom: "), f"{words}: {wrong.stderr}")
    expect_equal(wrong.stdout, "", f"{words}: data beside an error")
    # With all that must be given but a store that is there; ingest makes it, fit asks for a scenario first.
    usage = re.search(r"^Usage: (.*)$", done.stdout, re.M).group(1)
    if re.search(r"\[?STORE\b", usage) and words[0] not in ("ingest", "fit"):
        extra = {"remove": ["source"], "forget": ["--before", "2020-01-01"], "annotate": ["--app", "x"], "timeline": ["--job", "1"], "report": ["-o", "/dev/null"], "export": ["-o", "/dev/null"], "summary": ["--job", "1"],
                 "advise": ["--user", "u", "--name", "n", "--nodes", "1"], "train": ["-o", "/dev/null"], "serve": ["--bind", "127.0.0.1:0"]}.get(words[0], [])
        refused(*words, "/nowhere/no-such-store", *extra, naming=["/nowhere/no-such-store"])
        stores += 1
    if words[0] == "trace" and len(words) == 2:
        extra = {"compare": ["/nowhere/no-such-trace"], "export": ["--to", "csv", "-o", "/dev/null"]}.get(words[1], [])
        refused(*words, "/nowhere/no-such-trace", *extra, naming=["/nowhere/no-such-trace"])
say(f"{len(all_words)} commands and parts; {stores} refuse a store that is not there")
# How it was built, and the formats that it writes: a store's manifest says the same.
version = run("--version").stdout
facts = re.fullmatch(r"fathom (\d+\.\d+\.\d+)\nbuilt with (?:g\+\+|clang) [^;]*\d+\.\d+[^;]*, with(?:out)? assertions; DuckDB v(\d+\.\d+\.\d+)\nstores of format (\d+), traces of format (\d+)\n", version)
expect(facts, f"--version: {version}")
project_version = re.search(r"^project\(.*?\bVERSION (\d+\.\d+\.\d+)", (project / "CMakeLists.txt").read_text(), re.M | re.S)[1]
with scratch() as folder:
    run("synth", "small", "--into", folder / "store", "--days", 0.1)
    store_format = json.loads(manifest(folder / "store"))["format"]
trace_format = re.search(r"block_version = (\d+)", (project / "src/trace_format/block.h").read_text())[1]
expect_equal(facts.groups(), (project_version, sql("SELECT version() AS v")[0]["v"].lstrip("v"), str(store_format), trace_format), "version, DuckDB, formats of stores and traces")
say("--version tells how it was built, and formats")
wrong = refused("critera", exit_code=2, naming=["critera", "criteria"])
wrong = refused("--quiet", "--config", "/dev/null", "critera", exit_code=2, naming=["critera", "criteria"])
wrong = refused("trace", "sumary", "x", exit_code=2, naming=["sumary", "summary"])
for words, said in ((("bursts", "x", "--step", "0"), "--step: '0' is not a number from 0.001 to 1000000"), (("train", "x", "--days", "nan"), "--days: 'nan' is not a number from 0.5 to 366"),
                    (("mine", "x", "--support", "1.5"), "--support: '1.5' is not a whole number from 1 to 1000000"), (("criteria", "x", "--min-runtime", "-1"), "--min-runtime: '-1' is not a number of 0 or more"),
                    (("synth", "small", "x", "--days", "0"), "--days: '0' is not a number above 0"), (("apps", "x", "--state", "foo"), "--state: 'foo' is none of unknown, watch list, rejected, validated")):
    refused(*words, exit_code=2, naming=[said])
say("values that an option does not take are refused in one style")
