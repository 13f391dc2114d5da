# SPDX-License-Identifier: Apache-2.0
"""A store of format 1, as the program of that time wrote it: every number as that program said it, before and after it is brought to today's format."""
import importlib.util

from fathom_e2e import *

KEPT = project / "tests" / "kept"
SAID = json.loads((KEPT / "store-1.json").read_text())
ADDED = ("metadata_ops", "metadata_rate_max", "metadata_rate_mean")


def copy(folder, name):
    target = folder / name
    shutil.copytree(KEPT / "store-1", target)
    return target


def table(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def formats(store):
    manifest = json.loads((store / "manifest.json").read_text())
    return manifest["format"], {segment.get("format", 1) for segment in manifest["segments"] if segment["table"] in ("increments", "extents", "criteria")}


def same_numbers(store, what):
    facts = info(store)
    for name in ("increments", "servers", "filesystems", "jobs", "start", "end", "resets", "resets_inferred", "wraps", "gaps", "coverage", *COUNTERS):
        expect_equal(facts[name], SAID["info"][name], f"{what}: {name} in info")
    # GPFS counts opens, closes, directory reads and inode updates: with 7 + 6 + 1 + 2 = 16 for each n, node 2 twice as fast, 89 steps: 16 * 3 * 89.
    # An MDT's other operations were not kept in format 1: nothing of it.
    expect_equal(facts["metadata_ops"], 16 * 3 * 89, f"{what}: metadata operations, from their parts")
    for asked, rows in (("criteria", table("criteria", store, "--min-runtime", 0)), ("timeline", table("timeline", store, "--job", 1, "--step", 60))):
        expect_equal(len(rows), len(SAID[asked]), f"{what}: rows of {asked}")
        for row, said in zip(rows, SAID[asked]):
            for name, value in said.items():
                expect_equal(row[name], value, f"{what}: {name} in {asked}")
    of_job = {row["job_id"]: row["metadata_ops"] for row in table("criteria", store, "--min-runtime", 0)}
    expect(float(of_job["1"]) > 0, f"{what}: job 1 on GPFS has metadata operations")
    expect_equal(of_job["3"], "", f"{what}: job 3 on an MDT of format 1 has none that are known")
    expect("no problems" in run("check", store).stdout or run("check", store).returncode == 0, f"{what}: check")


def as_it_is(folder):
    store = copy(folder, "as-it-is")
    before = sorted((path.relative_to(store), path.read_bytes()) for path in store.rglob("*.parquet"))
    same_numbers(store, "read as it is")
    for command in (("jobs", store), ("population", store, "--min-runtime", 0), ("bursts", store, "--filesystem", "work"), ("load", store)):
        run(*command)
    run("report", store, "--min-runtime", 0, "-o", folder / "report.html")
    after = {path.relative_to(store): path.read_bytes() for path in store.rglob("*.parquet")}
    for path, content in before:
        if path.parts[0] != "criteria":  # values that changed their definition are computed anew and kept
            expect(after.get(path) == content, f"reading changed {path}")
    say("a store of format 1 is read as it is: info, criteria, timeline and others")


def compacted(folder):
    store = copy(folder, "compacted")
    run("compact", store)
    expect_equal(formats(store), (2, {2}), "formats after compact")
    same_numbers(store, "compacted")
    say("compact brings all of it to format 2, with the same numbers")


def written_to(folder):
    spec = importlib.util.spec_from_file_location("store_1_logs", KEPT / "store_1_logs.py")
    logs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(logs)
    store = copy(folder, "written")
    (folder / "more.txt").write_text(logs.lustre(90) + logs.lustre(91))
    ingest(store, folder / "more.txt")
    expect_equal(formats(store)[0], 2, "format after a change")
    expect(1 in formats(store)[1], "older segments stay as they are")
    facts = info(store)
    # The MDT's first new increment joins a sample that did not know all operations: only from 90 to 91 there are 5 + 4 + 100 of them.
    expect_equal(facts["metadata_ops"], 16 * 3 * 89 + 109, "metadata operations after more was ingested")
    expect_equal(facts["opens"], SAID["info"]["opens"] + 10, "opens after more was ingested")
    expect_equal(facts["write_bytes"], SAID["info"]["write_bytes"] + 4 * 10**6, "bytes after more was ingested")
    run("check", store)
    # The same log again, not the same file: the samples that are known gain what they lacked.
    logs.write(folder / "again")
    (folder / "again" / "lustre.txt").write_text((folder / "again" / "lustre.txt").read_text() + logs.lustre(90) + logs.lustre(91) + logs.lustre(92))
    ingest(store, folder / "again" / "lustre.txt")
    expect_equal(info(store)["metadata_ops"], 16 * 3 * 89 + 109 * 92, "metadata operations after the whole log came again")
    run("check", store)
    run("compact", store)
    expect_equal(formats(store), (2, {2}), "formats after compact")
    expect_equal(info(store)["metadata_ops"], 16 * 3 * 89 + 109 * 92, "the same after compact")
    say("a change makes it format 2; segments of both formats are read together")


def newer(folder):
    store = copy(folder, "newer")
    manifest = json.loads((store / "manifest.json").read_text())
    manifest["format"] = 99
    (store / "manifest.json").write_text(json.dumps(manifest))
    refused("info", store, naming=["format 99"])
    say("a store of a newer format is refused")


def table_of_no_more(folder):
    """Early programs knew a table `simulations` that none of them wrote. A manifest that names it all the same is read, changed and exported as if it did not."""
    store = copy(folder, "no-more")
    manifest = json.loads((store / "manifest.json").read_text())
    jobs = next(segment for segment in manifest["segments"] if segment["table"] == "jobs")
    path = "simulations/000099-0.parquet"
    (store / "simulations").mkdir()
    shutil.copy(store / jobs["path"], store / path)
    manifest["segments"].append(jobs | {"table": "simulations", "path": path, "day": 0, "staged": "staging/000099/0.parquet"})
    (store / "manifest.json").write_text(json.dumps(manifest))
    wanted = table("jobs", KEPT / "store-1")
    for change in ((), ("compact", store), ("forget", store, "--before", "1990-01-01")):
        if change:
            run(*change)
        expect_equal(table("jobs", store), wanted, f"jobs after {change}")
        expect_equal(info(store)["write_bytes"], SAID["info"]["write_bytes"], f"bytes after {change}")
    done = refused("check", store)
    expect(f"{path}: belongs to a table 'simulations' that this program does not know" in done.stdout, f"check names it: {done.stdout}")
    run("export", store, "--anonymise", "-o", folder / "exported")
    check(folder / "exported")
    expect_equal(len(table("jobs", folder / "exported")), len(wanted), "exported jobs")
    say("a table that is no more is left alone")


with scratch() as folder:
    as_it_is(folder)
    compacted(folder)
    written_to(folder)
    newer(folder)
    table_of_no_more(folder)
