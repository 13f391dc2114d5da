# SPDX-License-Identifier: Apache-2.0
"""compact, forget and remove: fewer segments with the same content, days that stay away, ingests that never were."""
from fathom_e2e import *


def segments_per_day(store):
    counts = {}
    for segment in json.loads(manifest(store))["segments"]:
        key = (segment["table"], segment["day"])
        counts[key] = counts.get(key, 0) + 1
    return counts


def compact_many(folder):
    logs = synth(folder / "logs", "small", "--seed", 2)
    parts = write_parts(folder / "parts", cut_evenly(log_lines(logs), 60))
    store, plain = folder / "many", folder / "plain"
    ingest(plain, logs)
    ingest(store, logs / "jobs.csv")
    for part in parts:
        ingest(store, part)
    many = info(store)["segments"]
    expect(many >= 100, f"60 ingests left {many} segments only")
    expect_same_content(store, plain, "60 small ingests")
    run("compact", store)
    expect_equal(set(segments_per_day(store).values()), {1}, "segments per table and day after compact")
    expect_same_content(store, plain, "60 small ingests, compacted")
    check(store)
    on_disk = len(list(store.glob("*/**/*.parquet")))
    expect_equal(on_disk, info(store)["segments"], "files on disk after compact")
    before = manifest(store)
    run("compact", store)
    expect_equal(manifest(store), before, "manifest after a second compact")
    again = ingest(store, *parts)
    expect("ingested before" in again.stderr, "the parts are not known after compact")
    expect_equal(manifest(store), before, "manifest after the parts came again")
    say(f"60 ingests left {many} segments, compact {on_disk}; same content")
    # A compacted store still takes samples into the middle of its days.
    holed, holes = folder / "holed", parts[20:23] + parts[40:41]
    ingest(holed, logs / "jobs.csv", *[part for part in parts if part not in holes])
    run("compact", holed)
    ingest(holed, *holes)
    expect_same_content(holed, plain, "holes filled after compact")
    check(holed)
    say("late parts fill the holes of a compacted store")


def forget_days(folder):
    logs = synth(folder / "days", "small", "--days", 5, "--seed", 4)
    store = folder / "forgetful"
    ingest(store, logs)
    whole = folder / "whole"
    shutil.copytree(store, whole)
    days = [row["day"] for row in sql(f"SELECT DISTINCT day FROM {table(store)} ORDER BY day")]
    expect(len(days) >= 5, f"days: {days}")
    first_kept = days[2]
    run("forget", store, "--before", f"{first_kept}T14:00:00Z")
    rows = f"SELECT * FROM {table('STORE')} WHERE day >= '{first_kept}'"
    kept, of_whole = f"SELECT * FROM {table(store)}", rows.replace("STORE", str(whole))
    for one, other, text in ((kept, of_whole, "too many"), (of_whole, kept, "missing")):
        expect(not sql(f"({one}) EXCEPT ALL ({other})"), f"forget: rows are {text}")
    jobs = f"SELECT job_id, start_time, end_time FROM {table('STORE', 'jobs')}"
    kept_jobs = sorted(row["job_id"] for row in sql(jobs.replace("STORE", str(store))))
    wanted = sorted(row["job_id"] for row in sql(jobs.replace("STORE", str(whole)) + f" WHERE end_time IS NULL OR end_time >= '{first_kept}'"))
    expect_equal(kept_jobs, wanted, "jobs after forget")
    check(store)
    for name in ("increments", "extents", "marks"):
        left = sorted(path.name for path in (store / name).iterdir())
        expect(all(day >= f"day={first_kept}" for day in left), f"forget left {name} of {left}")
    say(f"forget --before {first_kept}: {len(days) - 2} of {len(days)} days are left, as they were; jobs that ended before are gone")

    before = content_info(store)
    late = write_part(folder / "late.log", log_lines(logs)[:3000])  # other bytes than before, so not known as a file
    done = ingest(store, late)
    expect("forget" in done.stderr, f"the ingest of forgotten days says nothing:\n{done.stderr}")
    expect_equal(content_info(store), before, "content after old logs came again")
    everything = write_part(folder / "everything.log", log_lines(logs), ".gz")
    ingest(store, everything)
    expect_equal(content_info(store), before, "content after all logs came again")
    old_jobs = folder / "old-jobs.csv"
    old_jobs.write_bytes((logs / "jobs.csv").read_bytes() + b"\n")
    ingest(store, old_jobs)
    expect_equal(content_info(store), before, "content after the old job log came again")
    run("forget", store, "--before", days[0])  # an earlier horizon does not bring the days back
    ingest(store, write_part(folder / "late2.log", log_lines(logs)[:2000]))
    expect_equal(content_info(store), before, "content after an earlier horizon")
    check(store)
    say("old logs do not come back, whole, in part or packed")


def remove_sources(folder):
    logs = synth(folder / "removing", "small", "--seed", 8)
    parts = write_parts(folder / "removing-parts", cut_evenly(log_lines(logs), 6))
    store = folder / "removed"
    ingest(store, logs / "jobs.csv", *parts[:2], *parts[3:])
    before = folder / "before"
    shutil.copytree(store, before)
    for name_it in (lambda source: source["id"], lambda source: source["name"]):
        ingest(store, parts[2])
        expect(content_info(store) != content_info(before), "the part in the middle changed nothing")
        source = info(store)["sources"][-1]
        expect_equal(source["name"], str(parts[2]), "the newest source")
        run("remove", store, name_it(source))
        expect_same_content(store, before, "after remove")
        expect_equal([s["name"] for s in info(store)["sources"]], [s["name"] for s in info(before)["sources"]], "sources after remove")
        check(store)
    say("remove by id and by name: as before that ingest")

    jobs = next(s for s in info(store)["sources"] if s["name"].endswith("jobs.csv"))
    run("remove", store, jobs["id"])
    expect_equal(info(store)["jobs"], 0, "jobs after their file was removed")
    ingest(store, logs / "jobs.csv")
    expect_same_content(store, before, "jobs removed and ingested again")
    return parts, store, before


def remove_overlapping(folder, parts, store, before):
    """A file that held some of the removed samples too may come again, and brings them back."""
    lines = parts[1].read_bytes().splitlines(keepends=True)
    overlap = write_part(folder / "overlap.log", lines[len(lines) // 2 :] + parts[2].read_bytes().splitlines(keepends=True))
    ingest(store, overlap)
    full = folder / "full"
    shutil.copytree(store, full)
    first = next(s for s in info(store)["sources"] if s["name"] == str(parts[1]))
    done = run("remove", store, first["id"])
    expect("notice" in done.stderr and str(overlap) in done.stderr, f"no notice about the overlapping file:\n{done.stderr}")
    expect(content_info(store) != content_info(full), "remove took nothing out")
    ingest(store, overlap)
    ingest(store, parts[1])
    expect_same_content(store, full, "removed, then all ingested again")
    check(store)
    say("an overlapping file is named in a notice and may come again")

    # The same for two job logs.
    same_jobs = folder / "same-jobs.csv"
    same_jobs.write_bytes((folder / "removing" / "jobs.csv").read_bytes() + b"\n")
    ingest(store, same_jobs)
    owner = next(s for s in info(store)["sources"] if s["name"].endswith("/jobs.csv"))
    done = run("remove", store, owner["id"])
    expect("notice" in done.stderr and str(same_jobs) in done.stderr, f"no notice about the overlapping job log:\n{done.stderr}")
    ingest(store, same_jobs)
    expect_same_content(store, full, "a job log removed, the overlapping one ingested again")
    say("an overlapping job log is named in a notice and may come again")


def remove_contradicting(folder):
    """A wrong file whose readings and jobs took the place of good ones: after it is taken out the good file may come again, and brings them back."""
    folder = folder / "contradicting"
    folder.mkdir()
    store, good, wrong = folder / "store", folder / "good.csv", folder / "wrong.csv"
    good.write_text("t,server,read_bytes\n0,s,0\n60,s,10\n120,s,30\n")
    wrong.write_text("t,server,read_bytes\n60,s,9999\n")
    jobs, wrong_jobs = folder / "jobs.csv", folder / "wrong-jobs.csv"
    jobs.write_text("job_id,start,end\na,1000,1100\nb,1000,1100\n")
    wrong_jobs.write_text("job_id,start,end\na,1000,1200\n")
    ingest(store, good)
    ingest(store, jobs)
    before = folder / "before"
    shutil.copytree(store, before)
    expect_equal(info(store)["rejected"], 0, "rejected before")
    done = run("ingest", store, wrong, "--servers", "exclusive")
    expect("contradict" in done.stderr and "s at 1970-01-01T00:01:00Z" in done.stderr, f"no word of the contradiction:\n{done.stderr}")
    expect_equal({name: info(store)[name] for name in ("rejected", "conflicts", "read_bytes")}, {"rejected": 1, "conflicts": 1, "read_bytes": 9999 + 30}, "a reading that contradicts another")
    ingest(store, wrong_jobs)

    done = run("remove", store, wrong)
    expect("1 sample" in done.stderr and str(good) in done.stderr, f"no notice about the file whose reading is gone:\n{done.stderr}")
    expect_equal(info(store)["read_bytes"], 30, "bytes between the readings that are left, 0 and 120 s")
    ingest(store, good)
    done = run("remove", store, wrong_jobs)
    expect("1 job" in done.stderr and str(jobs) in done.stderr, f"no notice about the file whose job is gone:\n{done.stderr}")
    expect_equal(info(store)["jobs"], 1, "jobs after the wrong one was taken out")
    ingest(store, jobs)
    expect_same_content(store, before, "contradicting files removed, the good ones ingested again")
    check(store)
    say("readings and jobs that a wrong file replaced come back with their own file")


def remove_refused(folder, parts, store):
    name = str(parts[0])
    parts[0].write_bytes(parts[0].read_bytes() + log_lines(folder / "removing")[-1])
    ingest(store, name)  # another content under the same name
    twice = [s["id"] for s in info(store)["sources"] if s["name"] == name]
    expect_equal(len(twice), 2, "sources of the same name")
    before = manifest(store)
    ambiguous = subprocess.run([fathom, "remove", store, name], capture_output=True, text=True)
    expect(ambiguous.returncode in (1, 2), f"an ambiguous name: exit code {ambiguous.returncode}")
    expect(all(str(i) in ambiguous.stderr for i in twice), f"the refusal does not give the ids {twice}: {ambiguous.stderr}")
    refused("remove", store, "nonsense.log", naming=["nonsense.log"])
    refused("remove", store, 9999, naming=["9999"])
    expect_equal(manifest(store), before, "manifest after refused removals")
    say("ambiguous and unknown names are refused")


with scratch() as folder:
    compact_many(folder)
    forget_days(folder)
    parts, store, before = remove_sources(folder)
    remove_overlapping(folder, parts, store, before)
    remove_refused(folder, parts, store)
    remove_contradicting(folder)
