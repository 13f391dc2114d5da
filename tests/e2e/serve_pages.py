# SPDX-License-Identifier: Apache-2.0
"""The data of `fathom demo`, the real server and Chromium: every page shows what the command line says, and what is done on it leads where it should. Pictures are left in FATHOM_PICTURES; FATHOM_DEMO names a folder
with a demo that is used instead of a new one, of half a day."""
import re

from served import *

node = os.environ.get("FATHOM_NODE") or shutil.which("node")
pictures = pathlib.Path(os.environ.get("FATHOM_PICTURES") or tempfile.gettempdir())


# --- numbers as the pages write them (web/src/lib/units.ts says how; this is written from that description, not from its code) ------


def three_figures(value):
    digits = 0 if abs(value) >= 99.95 or value == 0 else 1 if abs(value) >= 9.995 else 2
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def shown_bytes(value):
    names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    while value >= 1024 * 0.9995 and len(names) > 1:
        value /= 1024
        names.pop(0)
    return f"{three_figures(value)} {names[0]}"


def shown_duration(seconds):
    if seconds < 120:
        return f"{three_figures(seconds)} s"
    if seconds < 7200 and seconds % 1800 != 0:
        return f"{three_figures(seconds / 60)} min"
    return f"{three_figures(seconds / 3600)} h" if seconds < 172800 else f"{three_figures(seconds / 86400)} d"


def shown_percent(share):
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def shown_count(value):
    return f"{int(value):,}"


# --- what the command line says --------------------------------------------------------------------------------------------------


def table(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def told(*arguments):
    return json.loads(run(*arguments, "--format", "json").stdout)


def of_machine(store):
    info = told("info", store)
    return {"path": "/stores/store/machine", "says": [f"{shown_count(info['servers'])} servers", f"{shown_count(info['jobs'])} jobs", f"The servers moved {shown_bytes(info['read_bytes'] + info['write_bytes'])}"]}


def of_population(store):
    rows = {(row["key"], row["x"]): row for row in table("population", store, "--min-runtime", 0, "--require-io", "any", "--threshold", 0)}
    facts = [f"{shown_count(rows['bytes', 'read']['n'])} jobs"]
    for x in ("read", "write"):
        facts += [shown_bytes(float(rows["bytes", x][name])) for name in ("median", "p80", "max")]
    return {"path": "/stores/store/population", "says": facts}


def of_job(store):
    """The job that wrote most: the list begins with it, and its page has its analysis map."""
    jobs = table("criteria", store, "--min-runtime", 0, "--require-io", "any")
    job = max(jobs, key=lambda row: float(row["write_bytes"] or 0))
    amounts = re.findall(r"\d[\d.,]* [KMGTP]iB(?:/s)?", run("criteria", store, "--job", job["job_id"]).stdout)
    expect(len(amounts) > 10, f"the analysis map of job {job['job_id']} has few amounts: {amounts}")
    own = {"path": f"/stores/store/jobs/{job['job_id']}", "says": [f"Job {job['job_id']}", f"of user {job['user']}", job["name"], "Burstiness", "Parallel I/O intensity", *amounts]}
    listed = {"path": "/stores/store/jobs?sort=-write_bytes", "first": job["job_id"],
              "says": [f"of {shown_count(len(table('jobs', store)))} jobs", f"{shown_bytes(float(job['read_bytes']))} {shown_bytes(float(job['write_bytes']))}"]}
    return own, listed


def of_applications(store):
    apps = table("apps", store)
    names = lambda state: {(row["user"], row["name"], row["nodes"]) for row in apps if row["state"] == state}
    known = next(row for row in apps if (row["name"], row["state"]) == ("IOR_A", "validated"))
    query = urllib.parse.urlencode({key: known[key] for key in ("user", "name", "nodes")})
    says = [f"validated {len(names('validated'))}", f"rejected {shown_count(len(names('rejected')))}"]
    for row in apps:
        if row["state"] == "validated":
            says += [row["name"], shown_bytes(float(row["burst_bytes"])), shown_duration(float(row["period_s"])), shown_percent(float(row["support"]))]
    listed = {"path": "/stores/shared-servers/applications?state=validated", "says": says}
    one = {"path": f"/stores/shared-servers/applications/detail?{query}",
           "says": [f"{known['user']}/IOR_A/{known['nodes']}", "validated", shown_bytes(float(known["burst_bytes"])), shown_duration(float(known["period_s"])), f"{known['samples']} of {known['runs']}",
                    f"{float(known['footprint']):.1f}", f"{shown_bytes(float(known['throughput']))}/s"]}
    return listed, one, known


def of_advice(store, known):
    names = {key: known[key] for key in ("user", "name", "nodes")}
    advice = told("advise", store, "--user", names["user"], "--name", names["name"], "--nodes", names["nodes"])[0]
    busiest = max(table("load", store), key=lambda row: float(row["score"] or 0))
    return {"path": "/stores/shared-servers/advice?" + urllib.parse.urlencode(names), "application": names,
            "says": [advice["advice"], advice["reason"], f"{advice['score']:.2f}", f"{advice['limit']:.2f}", busiest["server"], f"{float(busiest['score']):.2f}"]}


def of_trace(folder):
    summary = told("trace", "summary", folder)
    facts = [folder.name, f"{summary['ranks']} ranks", f"{shown_count(summary['events'])} calls", shown_duration(summary["duration"])]
    top = summary["interfaces"][summary["perceived_bw"]["interface"]]
    for direction in ("read", "write"):
        facts += [shown_bytes(top[f"{direction}_bytes"]), f"{shown_count(top[f'{direction}_calls'])} ", f"{shown_bytes(summary['perceived_bw'][direction])}/s"]
    for row in table("trace", "findings", folder):
        facts += [row["what"], row["evidence"]]
    return {"path": f"/traces/{folder.name}", "says": facts}


def of_call(folder):
    """One MPI-IO call that wrote, and the POSIX call inside it."""
    events = table("trace", "events", folder)
    inside = next(row for row in events if row["call"].startswith("pwrite") and row["parent"] and events[int(row["parent"])]["interface"] == "mpiio")
    around = events[int(inside["parent"])]
    return {"path": f"/traces/{folder.name}?call={inside['parent']}", "says": [f"{around['call']} on rank {around['rank']}", inside["call"], "of its time", "zoom to it"]}


def of_competition(folders):
    says = ["What each got"]
    for row in table("compete", *folders):
        says += [row["application"], shown_percent(float(row["share"]))] if row["share"] else [row["application"]]
        if row["overlap_throughput"]:
            says.append(f"{shown_bytes(float(row['overlap_throughput']))}/s")
    return {"path": "/compete?trace=" + ",".join(folder.name for folder in folders), "says": says}


def of_simulation(demo):
    """A quarter of the hour that the demo simulates; the same is asked for in the browser."""
    end = "2010-05-03T00:15"
    rows = table("simulate", demo / "slow-links.toml", "--store", demo / "store", "--to", end, "--summary")
    ratio = lambda value: f"{float(value):.2f}" if abs(float(value)) < 9.995 else three_figures(float(value))
    says = []
    for row, name in zip(rows, ("I/O time", "run time")):
        says.append(f"{name} {shown_count(row['jobs'])} " + " ".join(ratio(row[key]) for key in ("average", "standard_deviation", "maximum", "median")))
    return {"path": "/what-if", "says": ["A new simulation"], "to": "2010-05-03T02:15", "finds": says}  # the browser is in Berlin


if node is None or not any(map(shutil.which, ("chromium-headless-shell", "chromium"))):
    skip("there is no node or no chromium on the PATH (tools/setup installs them)")
with scratch() as folder:
    demo = pathlib.Path(os.environ["FATHOM_DEMO"]) if "FATHOM_DEMO" in os.environ else folder / "demo"
    printed = "" if demo.exists() else run("demo", demo, "--days", 0.5, "--no-serve", timeout=1100).stdout
    expect("once more without MPI" not in printed, f"mpiexec failed in the demo:\n{(demo / 'traces/checkpoint.txt').read_text() if (demo / 'traces/checkpoint.txt').exists() else ''}")
    traces = [demo / "traces" / name for name in ("checkpoint", "analysis")]
    say("the demo ended well")
    job, jobs = of_job(demo / "store")
    applications, application, known = of_applications(demo / "shared-servers")
    facts = {"machine": of_machine(demo / "store"), "population": of_population(demo / "store"), "jobs": jobs, "job": job, "applications": applications, "application": application,
             "advice": of_advice(demo / "shared-servers", known), "trace": of_trace(traces[0]), "call": of_call(traces[0]), "second trace": of_trace(traces[1]), "compete": of_competition(traces),
             "what-if": of_simulation(demo)}
    say("asked the command line")
    (folder / "facts.json").write_text(json.dumps(facts, indent=1))
    with Server(demo / "store", demo / "shared-servers", *traces) as server:
        for store in ("store", "shared-servers"):
            server.when_ready(store, patience=300)
        pictures.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([node, "tests/served_pages.mjs", f"http://{server.host}:{server.port}", folder / "facts.json", pictures.resolve()], cwd=project / "web", timeout=900)
        expect_equal(done.returncode, 0, "exit code of the test in Chromium")
    say("every page shows the numbers of the command line")
