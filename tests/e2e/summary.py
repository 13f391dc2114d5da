# SPDX-License-Identifier: Apache-2.0
"""A job on one page: its values are those of `fathom criteria`, percentiles and medians are those of the table of all jobs; the epilog mails it with the few variables that Slurm sets."""
import math
import re
import statistics

from fathom_e2e import *


def number(text):
    return float(text) if text != "" else None


with scratch() as folder:
    store = folder / "store"
    ingest(store, synth(folder / "logs", "small", "--days", 3))
    rows = list(csv.DictReader(io.StringIO(run("criteria", store, "--format", "csv", "--min-runtime", 0).stdout)))
    expect(len(rows) > 20, f"few jobs: {len(rows)}")
    compared = texts = 0
    for row in rows[:: max(1, len(rows) // 12)]:
        words = ("summary", store, "--job", row["job_id"], "--min-runtime", 0)
        found = json.loads(run(*words, "--format", "json").stdout)
        expect_equal((found["user"], found["name"], found["others"]), (row["user"], row["name"], len(rows) - 1), f"job {row['job_id']}")
        for column in ("read_bytes", "read_bytes_lower", "write_bytes_upper", "total_intensity", "write_small_fraction", "total_burstiness"):
            wanted = number(row[column])
            expect(wanted is None and found["values"][column] is None or math.isclose(wanted, found["values"][column], rel_tol=1e-9, abs_tol=1e-12), f"job {row['job_id']}: {column}: {wanted} {found['values'][column]}")
        others = [other for other in rows if other is not row]
        earlier = [other for other in others if all(other[key] == row[key] for key in ("user", "name", "nodes")) and float(other["start"]) < float(row["start"])]
        expect_equal(found["earlier_runs"], len(earlier), f"earlier runs of job {row['job_id']}")
        for each in found["compared"]:
            own = number(row[each["column"]])
            known = [number(other[each["column"]]) for other in others if other[each["column"]] != ""]
            if own is None or not known:
                continue
            expect(math.isclose(each["below"], sum(value < own for value in known) / len(known), abs_tol=1.5 / len(known)), f"job {row['job_id']}: {each}")
            before = [number(run_[each["column"]]) for run_ in earlier if run_[each["column"]] != ""]
            if before:
                expect(math.isclose(each["usual"], statistics.median(before), rel_tol=1e-9, abs_tol=1e-12), f"job {row['job_id']}: {each} {before}")
            compared += 1
        expect(len(found["notices"]) <= 3 and all(any(c.isdigit() for c in notice["evidence"]) for notice in found["notices"]), "notices with evidence")
        text = run(*words).stdout
        lines = text.splitlines()
        expect(len(lines) <= 60 and all(len(line) <= 80 for line in lines), f"a page: {len(lines)} lines, {max(map(len, lines))} columns")
        expect(text.isascii() and row["job_id"] in lines[0] and "Not measured:" in text and "Measured" in text, text)
        texts += 1
    say(f"{texts} jobs: one page each; {compared} comparisons as in the table of all jobs")
    # Without a limit of one's own: jobs of an hour or more, and for a shorter job those that ran as long as it.
    lengths = {row["job_id"]: float(row["end"]) - float(row["start"]) for row in rows}
    short = next(row["job_id"] for row in rows if lengths[row["job_id"]] < 1800)
    for job in (short, max(lengths, key=lengths.get)):
        found = json.loads(run("summary", store, "--job", job, "--format", "json").stdout)
        expect_equal(found["others"], sum(length >= min(3600, lengths[job]) for other, length in lengths.items() if other != job), f"compared with job {job} of {lengths[job]} s")
    job = rows[0]["job_id"]
    page = run("summary", store, "--job", job, "--format", "html", "-o", folder / "job.html", "--machine", "our machine")
    html = (folder / "job.html").read_text()
    expect(html.startswith("<!doctype html>") and "our machine" in html and "http" not in html, "a page that needs nothing else")
    refused("summary", store, "--job", "no-such-job", naming=["no-such-job"])
    refused("summary", store, exit_code=2, naming=["--job"])
    refused("summary", folder / "none", "--job", job, naming=[folder / "none"])

    # --- the epilog, with programs of its own in place of those of a cluster: what is installed here must not matter ---
    bin_folder, box, asked = folder / "bin", folder / "box", folder / "asked"
    bin_folder.mkdir()
    (bin_folder / "sacct").write_text(f'#!/bin/sh\necho "$*" >> "{asked}"\n[ -f "{folder}/sacct.txt" ] || {{ echo "sacct: no such cluster" >&2; exit 1; }}\n'
                                      # Its columns end with tabs in the file, and as --delimiter says in the answer.
                                      f'between="|"\nfor each; do case "$each" in --delimiter=*) between=${{each#*=}} ;; esac; done\nsed "s/\t/$between/g" "{folder}/sacct.txt"\n')
    (bin_folder / "sacct").chmod(0o755)
    (bin_folder / "mail").write_text(f'#!/bin/sh\n{{ echo "$#|$1|$2|$3"; cat; }} > "{box}"\n')
    (bin_folder / "logger").write_text(f'#!/bin/sh\necho "$*" >> "{folder}/log"\n')
    (bin_folder / "mail").chmod(0o755)
    (bin_folder / "logger").chmod(0o755)
    (bin_folder / "fathom").symlink_to(fathom)
    script = project / "share/slurm/epilog-summary.sh"

    def epilog(**variables):
        box.unlink(missing_ok=True)
        (folder / "log").unlink(missing_ok=True)
        environment = {"PATH": f"{bin_folder}:/usr/bin:/bin", "FATHOM_STORE": str(store), "FATHOM_SUMMARY_DELAY": "0", "FATHOM_SUMMARY_WAIT": "yes", "FATHOM_CONFIG": str(folder / "site.toml")} | variables
        done = subprocess.run(["/bin/sh", script], env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
        expect_equal((done.returncode, done.stdout, done.stderr), (0, "", ""), f"the epilog with {variables}")
        return (box.read_text() if box.exists() else None), ((folder / "log").read_text() if (folder / "log").exists() else "")

    # Slurm's jobs have numbers, those of the synthetic machine do not: the same job once more, under one, as sacct tells it.
    same = next(row for row in csv.DictReader(io.StringIO(run("jobs", store, "--format", "csv").stdout)) if row["job_id"] in {r["job_id"] for r in rows if float(r["duration"]) > 3600})
    long = "4711"
    clock = lambda text: time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(float(text)))
    nodes = f"n[001-{int(same['nodes']):03}]"
    record = [long, same["user"], "batch", clock(same["start"]), clock(same["start"]), clock(same["end"]), "COMPLETED", same["nodes"], "1-00:00:00", nodes, same["name"]]
    (folder / "nodes.toml").write_text(f"[[group]]\nnodes = {json.dumps(nodes)}\nservers = {json.dumps(same['servers'].split(';'))}\n")
    (folder / "site.toml").write_text(f"[ingest]\nmap = {json.dumps(str(folder / 'nodes.toml'))}\n")
    # The job's name ends with a line that looks like a job of somebody else's.
    forged = "|".join(["4712", "victim", *record[2:10], "forged"])
    (folder / "sacct.txt").write_text("JobIDRaw|User|Partition|Submit|Start|End|State|NNodes|Timelimit|NodeList|JobName\n".replace("|", "\t") + "\t".join(record) + "\n" + forged + "\n")
    written, log = epilog(SLURM_JOB_ID=long, SLURM_JOB_USER="ann", SLURM_JOB_UID="1000", SLURM_CLUSTER_NAME="c", SLURM_JOB_PARTITION="batch")
    expect(written is not None, f"no mail: {log}")
    expect_equal(written.splitlines()[0], f"3|-s|I/O of job {long}|ann", "to whom, about what")
    expect_equal(written.split("\n", 1)[1], run("summary", store, "--job", long).stdout, "what is in the mail")
    expect_equal(log, "", "nothing to complain about")
    expect(asked.read_text().startswith(f"--jobs {long} "), f"sacct is asked for this job alone: {asked.read_text()}")
    ids = {row["job_id"] for row in csv.DictReader(io.StringIO(run("jobs", store, "--format", "csv").stdout))}
    expect(long in ids and "4712" not in ids, "a job's name brought a job of somebody else's")
    epilog(SLURM_JOB_ID=long, SLURM_JOB_USER="ann")
    words = re.findall(r"--delimiter=\|([0-9a-f]{24})\|", asked.read_text())
    expect(len(words) == 2 and words[0] != words[1], f"a new word between the columns each time: {asked.read_text()}")
    (folder / "sacct.txt").unlink()
    written, log = epilog(SLURM_JOB_ID=long, SLURM_JOB_USER="ann")
    expect(written is not None and "no such cluster" in log, f"accounting that does not answer is in the log, and the store's own record is used: {log}")
    asked.unlink()
    written, log = epilog(SLURM_JOB_ID=long, SLURM_JOB_USER="ann", FATHOM_SUMMARY_SACCT="no")
    expect(written is not None and log == "" and not asked.exists(), f"accounting that is not to be asked: {log}")
    expect_equal(epilog(SLURM_JOB_ID=long, SLURM_JOB_USER="ann", FATHOM_SUMMARY_DOMAIN="site.example", FATHOM_SUMMARY_SACCT="no")[0].splitlines()[0], f"3|-s|I/O of job {long}|ann@site.example", "a domain")
    for variables, words in (({}, "SLURM_JOB_ID"), ({"SLURM_JOB_ID": long}, "SLURM_JOB_USER"), ({"SLURM_JOB_ID": "1; touch /tmp/x", "SLURM_JOB_USER": "ann"}, "SLURM_JOB_ID"), ({"SLURM_JOB_ID": long, "SLURM_JOB_USER": "-oops"}, "SLURM_JOB_USER"),
                             ({"SLURM_JOB_ID": "999999999", "SLURM_JOB_USER": "ann"}, "999999999"), ({"SLURM_JOB_ID": long, "SLURM_JOB_USER": "ann", "FATHOM_STORE": "/nowhere"}, "/nowhere")):
        written, log = epilog(**variables)
        expect(written is None and words in log, f"{variables}: no mail, and the log says '{words}': {log}")
    written, log = epilog(SLURM_JOB_ID=long, SLURM_JOB_USER="ann", FATHOM_SUMMARY_MIN="100000000", FATHOM_SUMMARY_SACCT="no")
    expect_equal((written, log), (None, ""), "a short job is not worth a mail")
    say("the epilog: a mail to the user, never a failure")
