# SPDX-License-Identifier: Apache-2.0
"""fathom export: no name of the site is left in an anonymised export, and all that is computed from it is the same; salts, days, csv, LLview, refusals."""
import hashlib
import hmac
import math
import re

from fathom_e2e import *

KINDS = {"user": ("u-", 10), "application": ("a-", 10), "job": ("j-", 16), "server": ("s-", 10), "filesystem": ("f-", 10), "node": ("n-", 10)}
# Columns of names, and of which kind; lists are taken apart.
NAMES = {
    "jobs": {"job_id": "job", "user_name": "user", "name": "application", "servers": "server", "node_list": "node", "partition_name": None},
    "increments": {"server": "server", "filesystem": "filesystem", "job": "job"},
    "extents": {"server": "server", "filesystem": "filesystem", "job": "job"},
    "marks": {"server": "server", "filesystem": "filesystem"},
    "sources": {"name": None, "hash": None},
    "traces": {"trace": None, "job_id": "job", "command": None, "hosts": "node"},
    "slices": {"trace": None, "job_id": "job", "host": "node"},
    "criteria": {"job_id": "job", "inputs": None},
    "annotations": {"app": None},
}


def pseudonym(salt_file, kind, name):
    """As docs/sharing.md says: HMAC-SHA-256 with the salt, of the number of the kind, a colon and the name."""
    key = bytes.fromhex(salt_file.read_text().strip())
    prefix, digits = KINDS[kind]
    number = {"user": 0, "application": 1, "job": 2, "server": 3, "filesystem": 4, "node": 5}[kind]
    return prefix + hmac.new(key, f"{number}:{name}".encode(), hashlib.sha256).hexdigest()[:digits] if name else ""


def segments(store, name):
    return sorted(str(path) for path in pathlib.Path(store).glob(f"{name}/**/*.parquet"))


def rows_of(store, name):
    files = ", ".join(f"'{path}'" for path in segments(store, name))
    return f"read_parquet([{files}], hive_partitioning = false)"


def originals(store):
    """Every name in the store."""
    found = set()
    for name, columns in NAMES.items():
        if not segments(store, name):
            continue
        for column in columns:
            values = [row["v"] for row in sql(f"SELECT DISTINCT {column}::VARCHAR AS v FROM {rows_of(store, name)} WHERE {column} IS NOT NULL")]
            for value in values:
                found.add(value)
                found.update(part for part in re.split(r"[\[\],; ]+", value) if column in ("servers", "hosts", "node_list"))
    return {name for name in found if len(name) >= 3 and not re.fullmatch(r"[0-9-]{1,3}", name)}


def find_name(folder, names):
    """The first name that is left, and how many files were searched. Neither in a text of a Parquet file, read by another program, nor in the bytes of any file, nor in the name of one."""
    patterns = {name: re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])") for name in names}
    first = lambda text: next((match for name, pattern in patterns.items() if name in text and (match := pattern.search(text))), None)
    searched = 0
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if match := first(str(path.relative_to(folder))):
            return f"the file {path} is named after '{match[0]}'", searched
        if not path.is_file():
            continue
        content = path.read_bytes().decode("latin-1")
        if path.suffix == ".parquet":
            texts = [row["column_name"] for row in sql(f"DESCRIBE SELECT * FROM read_parquet('{path}', hive_partitioning = false)") if "VARCHAR" in row["column_type"]]
            cells = sql(" UNION ".join(f"SELECT DISTINCT {column}::VARCHAR AS v FROM read_parquet('{path}', hive_partitioning = false)" for column in texts))
            content = "\n".join(row["v"] for row in cells) + "\n" + "\n".join(re.findall(r"[\x20-\x7e]{5,}", content))
        elif path.name == "manifest.json":
            content = re.sub(r'"hash": "[0-9a-f]+"', "", content)
        if match := first(content):
            return f"{path} has '{match[0]}' in '{content[max(0, match.start() - 40):match.end() + 40]}'", searched
        searched += 1
    return None, searched


def expect_no_name(folder, names, what):
    left, searched = find_name(folder, names)
    expect(left is None, f"{what}: {left}")
    return searched


def criteria(store, *options):
    return list(csv.DictReader(io.StringIO(run("criteria", store, "--min-runtime", 0, "--format", "csv", "--no-keep", *options).stdout)))


def expect_same_criteria(found, wanted, rename, moved, what, only=lambda row: True, without_visits=False):
    """Job by job. Servers come in another order, so that sums of fractions may differ in their last digits."""
    by_job = {(row["job_id"], float(row["start"])): row for row in found}
    expect_equal(len(found), len(wanted), f"{what}: jobs")
    compared = 0
    for row in wanted:
        other = by_job.get((rename("job", row["job_id"]), float(row["start"]) + moved))
        expect(other is not None, f"{what}: job {row['job_id']} is missing")
        if not only(row):
            continue
        for column, value in row.items():
            if column in ("job_id", "user", "name"):
                expect_equal(other[column], rename({"job_id": "job", "user": "user", "name": "application"}[column], value), f"{what}: {column} of {row['job_id']}")
            elif column in ("coverage", "flags") and without_visits:
                expect(column == "flags" or float(other[column]) <= float(value), f"{what}: {column} of {row['job_id']}: {other[column]} instead of at most {value}")
            elif column in ("start", "end"):
                expect(abs(float(other[column]) - float(value) - moved) < 1e-5, f"{what}: {column} of {row['job_id']}: {other[column]}")
            elif re.fullmatch(r"-?[0-9.]+(e[-+]?[0-9]+)?", value):
                expect(math.isclose(float(other[column] or "nan"), float(value), rel_tol=1e-9, abs_tol=1e-9), f"{what}: {column} of {row['job_id']}: {other[column]} instead of {value}")
            else:
                expect_equal(other[column], value, f"{what}: {column} of {row['job_id']}")
        compared += 1
    return compared


def same(kind, name):
    return name


def anonymised(folder, name, store):
    salt, shared = folder / f"{name}.salt", folder / f"{name}-shared"
    names = originals(store)
    done = run("export", store, "-o", shared, "--anonymise", "--salt-file", salt, "--llview")
    for word in ("replaced: ", "users (u-...)", "job ids (j-...)", "servers (s-...)", "kept: numbers"):
        expect(word in done.stderr, f"what was said lacks '{word}':\n{done.stderr}")
    expect(str(store) not in (shared / "README.txt").read_text(), "README.txt names the store")
    files = expect_no_name(shared, names, name)
    say(f"{name}: none of {len(names)} names is in {files} files")
    check(shared)
    wanted = criteria(store)
    rename = lambda kind, text: pseudonym(salt, kind, text)
    jobs = expect_same_criteria(criteria(shared), wanted, rename, 0, name)
    say(f"{name}: criteria of {jobs} jobs are the same")
    return shared, salt, wanted, rename


def salts(folder, store, shared, salt):
    """One salt: the same rows. Two salts: no pseudonym twice."""
    expect_equal(salt.stat().st_mode & 0o777, 0o600, "mode of the salt's file")
    again, other = folder / "again", folder / "other"
    run("export", store, "-o", again, "--anonymise", "--salt-file", salt)
    run("export", store, "-o", other, "--anonymise")
    texts = {}
    for each in (shared, again, other):
        texts[each] = set()
        for table_name in ("jobs", "increments", "sources"):
            for column in NAMES[table_name]:
                texts[each] |= {row["v"] for row in sql(f"SELECT DISTINCT unnest(string_split(array_to_string([{column}], ';'), ';')) AS v FROM {rows_of(each, table_name)}") if row["v"] and column != "servers"}
    expect_equal(texts[again], texts[shared], "pseudonyms of the same salt")
    expect_same_content(again, shared, "two exports with one salt")
    expect(len(texts[other]) == len(texts[shared]) and not texts[other] & texts[shared], f"two salts share {texts[other] & texts[shared]}")
    say(f"one salt: the same {len(texts[shared])} pseudonyms; another salt: none of them")


def days(folder, store, wanted):
    moved, lost = folder / "moved", folder / "random"
    run("export", store, "-o", moved, "--shift-days", -30)
    check(moved)
    expect_same_criteria(criteria(moved), wanted, same, -30 * 86400, "30 days back")
    facts, before = info(moved), info(store)
    expect(before["sources"] and facts["sources"], "info lists sources")
    salt = folder / "days.salt"
    chance = random.Random(1)
    number = 0
    while number < 1000:  # so that it is no other number of the README by chance
        secret = chance.randbytes(32)
        number = int.from_bytes(hmac.new(secret, b"days", hashlib.sha256).digest()[:8], "big") % 3650 + 1
    salt.write_text(secret.hex() + "\n")
    salt.chmod(0o600)
    done = run("export", store, "-o", lost, "--shift-days", "random", "--salt-file", salt)
    expect(f"moved by -{number} days" in done.stderr, f"random days: expected -{number}:\n{done.stderr}")
    expect(str(number) not in (lost / "README.txt").read_text(), "README.txt tells by how much times were moved")
    expect_same_criteria(criteria(lost), wanted, same, -number * 86400, "random days")
    say(f"moved by 30 and by {number} days: criteria are the same")


def plain(folder, store, wanted):
    copy = folder / "plain"
    run("export", store, "-o", copy)
    check(copy)
    expect_same_content(copy, store, "a plain export")
    expect_equal(sorted(json.loads(manifest(copy))["segments"], key=str)[0]["hash"], sorted(json.loads(manifest(store))["segments"], key=str)[0]["hash"], "segments are copied")
    expect_same_criteria(criteria(copy), wanted, same, 0, "a plain export")
    for kind in ("jobs", "increments", "sources"):
        expect(find_name(copy / kind, originals(store))[0], f"the search finds no name in {kind} of a plain export: it would find none anywhere")
    before = manifest(copy)
    run("criteria", copy, "--min-runtime", 0, "--format", "csv")
    expect_equal(manifest(copy), before, "kept criteria of a plain export are up to date: nothing is written")
    say("a plain export is a copy, with the criteria that were kept")


def as_csv(folder, name, store, wanted, only, *options):
    out, again, salt = folder / f"{name}-csv", folder / f"{name}-again", folder / f"{name}-csv.salt"
    run("export", store, "-o", out, "--format", "csv", "--anonymise", "--salt-file", salt)
    expect_no_name(out, originals(store), f"{name} as csv")
    expect(not (out / ".store").exists() and not (out / ".scratch").exists(), "what was needed on the way is still there")
    words = re.findall(r"^  fathom ingest NEW (.*)$", (out / "README.txt").read_text(), re.M)
    expect(words, "README.txt says how to ingest")
    for line in words:
        file, *rest = line.split()
        run("ingest", again, out / file, *rest)
    expect_equal((info(again)["rejected"], info(again)["left_out"]), (0, 0), f"{name}: rows that were not taken")
    check(again)
    jobs = expect_same_criteria(criteria(again, *options), wanted, lambda kind, text: pseudonym(salt, kind, text), 0, f"{name} as csv", only, without_visits=True)
    say(f"{name} as csv, ingested again: criteria of {jobs} of {len(wanted)} jobs are the same")
    return jobs


def llview(folder, shared, wanted, rename):
    """Rates times the time since the moment before are the job's bytes, opens and closes."""
    files = sorted((shared / "llview").glob("FSusage_*_all_node.dat"))
    expect(len(files) >= len(wanted) and len(list((shared / "timelines").glob("*.csv"))) == len(files), f"{len(files)} files for {len(wanted)} jobs")
    compared = 0
    for row in wanted:
        job = rename("job", row["job_id"])
        lines = (shared / "llview" / f"FSusage_{job}_all_node.dat").read_text().splitlines()
        expect_equal(lines[0].split(), ["jobid", "ts", "nodeid", "MbwR", "MbrR", "ocR"], "header")
        cells = [line.split() for line in lines[1:]]
        moments = sorted({int(cell[1]) for cell in cells})
        before = dict(zip(moments[1:], moments))
        sums = [sum(float(cell[3 + i]) * (int(cell[1]) - before[int(cell[1])]) for cell in cells if int(cell[1]) in before) for i in range(3)]
        for what, found, value in (("write_bytes", sums[0] * 2**20, row["write_bytes"]), ("read_bytes", sums[1] * 2**20, row["read_bytes"])):
            expect(math.isclose(found, float(value or 0), rel_tol=1e-6, abs_tol=1), f"{what} of job {row['job_id']}: {found} instead of {value}")
        if row["opens"] and row["closes"]:
            expect(math.isclose(sums[2], float(row["opens"]) + float(row["closes"]), rel_tol=1e-6, abs_tol=1e-3), f"opens and closes of job {row['job_id']}: {sums[2]}")
            compared += 1
        course = read_csv(shared / "timelines" / f"{job}.csv")
        expect_equal(list(course[0])[:6], ["t", "length", "read_bytes", "write_bytes", "read_ops", "write_ops"], "columns of a timeline")
        written = sum(float(slot["write_bytes"] or 0) for slot in course)
        expect(math.isclose(written, float(row["write_bytes"] or 0), rel_tol=1e-6, abs_tol=1), f"timeline of job {row['job_id']}: {written}")
    store = folder / f"{shared.name}-llview"
    done = ingest(store, *files)
    expect("llview_fsusage" in json.dumps(info(store)), f"not recognised:\n{done.stderr}")
    total = float(sql(f"SELECT sum(write_bytes) AS v FROM {rows_of(store, 'increments')}")[0]["v"])
    expect(math.isclose(total, sum(float(row["write_bytes"] or 0) for row in wanted), rel_tol=1e-4), f"LLview files ingested again: {total} bytes written")
    say(f"LLview: {len(files)} files; bytes of {len(wanted)} jobs, opens and closes of {compared} agree; ingested again {total:.0f} bytes written")


def refusals(folder, store):
    refused("export", "/nowhere/no-such-store", "-o", folder / "x", naming=["/nowhere/no-such-store"])
    full = folder / "full"
    full.mkdir()
    (full / "something").write_text("mine\n")
    refused("export", store, "-o", full, naming=[full, "not empty"])
    expect_equal((full / "something").read_text(), "mine\n", "what was there before")
    refused("export", store, "-o", full / "something", naming=["no directory"])
    refused("export", store, exit_code=2, naming=["--output"])
    refused("export", store, "-o", folder / "x", "--format", "xml", exit_code=2, naming=["--format"])
    refused("export", store, "-o", folder / "x", "--shift-days", "1.5", exit_code=2, naming=["--shift-days 1.5"])
    refused("export", store, "-o", folder / "x", "--shift-days", "40000", exit_code=2, naming=["36500"])
    refused("export", store, "-o", folder / "x", "--shift-days", "-30000", exit_code=2, naming=["before 1970"])
    refused("export", store, "-o", folder / "x", "--salt-file", folder / "s", exit_code=2, naming=["--anonymise"])
    refused("export", store, "-o", folder / "x", "--anonymise", "--salt-file", folder / "x" / "s", exit_code=2, naming=["given away"])
    (folder / "bad.salt").write_text("secret\n")
    refused("export", store, "-o", folder / "x", "--anonymise", "--salt-file", folder / "bad.salt", naming=["chmod 600"])
    (folder / "bad.salt").chmod(0o600)
    refused("export", store, "-o", folder / "x", "--anonymise", "--salt-file", folder / "bad.salt", naming=["64 hexadecimal digits"])
    expect(not (folder / "x").exists() and not (folder / "s").exists(), "something refused was begun")
    say("refusals name what is wrong and leave nothing")


with scratch() as folder:
    logs = synth(folder / "small-logs", "small", "--seed", 3)
    store = folder / "small"
    ingest(store, logs)
    run("annotate", store, "--app", "secretapp", "purpose=checkpoint")
    run("criteria", store, "--min-runtime", 0, "--format", "csv")  # which are kept, and exported too
    refusals(folder, store)
    shared, salt, wanted, rename = anonymised(folder, "small", store)
    salts(folder, store, shared, salt)
    days(folder, store, wanted)
    llview(folder, shared, wanted, rename)
    plain(folder, store, wanted)
    # Resets and gaps are what rows of amounts cannot say: those jobs differ, the others do not.
    untouched = lambda row: not set(re.split(r"[;|, ]", row["flags"])) & {"reset", "gap"}
    expect(as_csv(folder, "small", store, wanted, untouched) > 10, "nearly every job has a reset or a gap")

    logs = synth(folder / "harbour-logs", "harbour", "--seed", 3, "--days", 0.25)
    store = folder / "harbour"
    ingest(store, logs)
    shared, salt, wanted, rename = anonymised(folder, "harbour", store)
    expect(segments(shared, "traces") and segments(shared, "slices"), "harbour has a traced run")
    llview(folder, shared, wanted, rename)
    expect_equal(as_csv(folder, "harbour", store, wanted, lambda row: True), len(wanted), "jobs with tags as csv")
    run("export", store, "-o", folder / "shifted", "--anonymise", "--shift-days", 7)
    job = sql(f"SELECT job_id FROM {rows_of(folder / 'shifted', 'traces')}")[0]["job_id"]
    expect("client_read_bytes" in run("timeline", folder / "shifted", "--job", job, "--both-sides", "--format", "csv").stdout, "both sides of a job whose times were moved")
    slices = sql(f"SELECT max(abs(epoch(start_time) - slice * length)) <= max(length) AS v FROM {rows_of(folder / 'shifted', 'slices')}")
    expect_equal(slices[0]["v"], "true", "numbers of slices went with their times")
    say("time slices move with all else")
