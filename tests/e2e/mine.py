# SPDX-License-Identifier: Apache-2.0
"""fathom mine and fathom apps on a made machine whose patterns are known: all at once, day by day, on several ranks; and input that is bad."""
from launchers import *
from served import *
from shared_servers import *

DAYS = 7


def made():
    machine = Machine(5, DAYS)
    machine.periodic("checkpoint.x", 600, 9e9, 40, 6, 40, off=(3,))
    machine.periodic("analysis.x", 1300, 5e9, 60, 4, 40, user="bob")
    for i in range(60):  # runs with nothing of their own
        machine.job("silent.x", int(machine.chance.uniform(0, DAYS * DAY - 9000)), 7200, user="eve")
    machine.job("once.x", 3000, 9000, user="eve")
    for i in range(150):  # other people's
        machine.burst(machine.chance.uniform(0, DAYS * DAY - 600), machine.chance.uniform(1e9, 2e10), machine.chance.choice([30, 60, 120, 300]), machine.chance.randrange(1, 12))
    machine.periodic("often.x", 200, 7e9, 30, 5, 55, user="dan")  # so many runs that not every new one counts at once
    return machine


def apps(store, *options):
    return list(csv.DictReader(io.StringIO(run("apps", store, *options, "--format", "csv").stdout)))


def contents(store):
    """All that mining keeps, in an order of its own, without what depends on how the files were cut."""
    tables = []
    for table, order in (("patterns", "user_name, name, nodes, pattern"), ("bursts", "filesystem, direction, start_time, end_time, height"), ("burst_blocks", "filesystem, direction, block_time, from_time")):
        text = subprocess.run([parquet_query, f"SELECT * EXCLUDE ({'inputs' if table != 'bursts' else 'block_time'}) FROM read_parquet('{store}/{table}/**/*.parquet', hive_partitioning=false) ORDER BY {order}"], capture_output=True, text=True, check=True).stdout
        expect(text.strip(), f"{table} has rows")
        tables.append(text)
    return tables


def at_once(folder, machine):
    store = folder / "at-once"
    ingest(store, machine.log(folder / "all.csv", 0, machine.slots), machine.job_log(folder / "jobs.csv"))
    refused("apps", store, naming=["not mined yet"])
    refused("apps", store, "--app", "ann/checkpoint.x/16", naming=["not mined yet"])
    out = run("mine", store)
    expect("validated" in out.stdout, f"the funnel: {out.stdout}")
    check(store)
    rows = apps(store)
    by_name = {row["name"]: row for row in rows}
    expect_equal(sorted(by_name), ["analysis.x", "checkpoint.x", "often.x", "once.x", "silent.x"], "applications")
    for name, period, volume, length, servers in (("checkpoint.x", 600, 9e9, 40, 6), ("analysis.x", 1300, 5e9, 60, 4)):
        row = by_name[name]
        expect_equal(row["state"], "validated", f"{name}: {row['reason']}")
        for column, wanted, allowed in (("period_s", period, 0.02), ("burst_bytes", volume, 0.1), ("footprint", servers, 0.1), ("throughput", volume / length, 0.15)):
            expect(abs(float(row[column]) / wanted - 1) <= allowed, f"{name}: {column} is {row[column]}, true is {wanted}")
        expect(float(row["confidence"]) > 0.5 and int(row["samples"]) >= 5 and float(row["support"]) >= 0.6, f"{name}: {row}")
    often = by_name["often.x"]
    asked = int(often["samples"]) / float(often["support"])
    expect(often["state"] == "validated" and 20 <= asked < int(often["runs"]) and abs(float(often["period_s"]) - 200) < 4, f"many runs, of which the last do not count yet: {often}")
    for name in ("silent.x", "once.x"):
        expect(by_name[name]["state"] != "validated", f"{name}: {by_name[name]['reason']}")
        expect(by_name[name]["state"] != "unknown" or by_name[name]["burst_bytes"] == "", f"{name}: volume of what is not known")
    columns = "user,name,nodes,state,reason,pattern,period_s,burst_bytes,burst_s,throughput,footprint,samples,support,confidence"
    expect_equal(",".join(list(rows[0])[:14]), columns, "columns of fathom apps")
    text = run("apps", store, "--app", "ann/checkpoint.x/16").stdout
    expect("pattern 1: writes to scratch" in text and "evidence" in text and "│" in text, f"one application in detail:\n{text}")
    expect_equal(run("apps", store, "--app", "checkpoint.x/16").stdout, text, "the same by a shorter name")
    refused("apps", store, "--app", "nobody.x", naming=["nobody.x"])
    pages(folder, store)
    expect("0 of 9 blocks" in run("mine", store).stderr and "0 of 5 applications examined" in run("mine", store).stderr, "nothing is done twice")
    say(f"at once: {', '.join(name + ' ' + row['state'] for name, row in sorted(by_name.items()))}")
    return store


def pages(folder, store):
    """Of an application with a pattern and of one without; what goes with no page is refused."""
    for name, user, state in (("checkpoint.x", "ann", None), ("once.x", "eve", "unknown")):
        page = folder / f"{name}.html"
        run("apps", store, "--app", f"{user}/{name}/16", "-o", page)
        html = page.read_text()
        expect(html.startswith("<!doctype html>") and len(html) < 1_000_000, f"the page of {name} has {len(html)} bytes")
        data = json.loads(html.split('id="report-data">')[1].split("</script")[0])
        expect_equal((data["title"], data["name"], data["user"]), (f"{user}/{name}/16", name, user), "whose page it is")
        row = next(row for row in apps(store) if row["name"] == name)
        expect_equal((data["state"], data["reason"], len(data["table"]["job"])), (row["state"], row["reason"], int(row["runs"]) if row["pattern"] else 1), f"the page and the table of {name}")
        if state:
            expect_equal((data["state"], data["patterns"], data["views"]), (state, [], []), f"{name} has nothing regular")
        else:
            pattern, view = data["patterns"][0], data["views"][0]
            expect_equal((pattern["shown"], pattern["direction"], view["filesystem"]), (int(row["samples"]), "write", "scratch"), "the pattern")
            expect_equal(sum(pattern["steps"]["counts"]) + pattern["steps"]["over"], pattern["bursts"] - pattern["shown"], "steps between bursts")
            expect_equal(len(view["strips"]["runs"]), len(data["table"]["job"]), "so few runs are all drawn")
    refused("apps", store, "-o", folder / "all.html", exit_code=2, naming=["--app"])
    refused("apps", store, "--app", "checkpoint.x/16", "--format", "csv", "-o", folder / "one.html", exit_code=2, naming=["--format"])


def day_by_day(folder, machine, whole):
    """Logs end at uneven hours; the job log comes with them. After the last, all is as if it had come at once."""
    store = folder / "day-by-day"
    cuts = [0] + [day * DAY // STEP + machine.chance.randrange(-900, 900) for day in range(1, DAYS)] + [machine.slots]
    for i in range(1, len(cuts)):
        ingest(store, machine.log(folder / "part.csv", cuts[i - 1], cuts[i]), machine.job_log(folder / "jobs-so-far.csv", cuts[i] * STEP))
        out = run("mine", store)
        if i == 6:
            expect("provisional" in out.stdout, "the funnel says what may still change")
            fresh = int(out.stderr.split(" of ")[0].split()[-1])
            expect(fresh <= 4, f"a new day looks at {fresh} blocks: {out.stderr}")
    for found, wanted, table in zip(contents(store), contents(whole), ("patterns", "bursts", "burst_blocks")):
        expect_equal(found, wanted, f"table {table}, day by day and at once")
    check(store)
    say(f"day by day, {len(cuts) - 1} parts: the same")


def other_ways(folder, machine, whole):
    wanted = contents(whole)
    run("mine", whole, "--anew")
    expect_equal(contents(whole), wanted, "mined anew")
    store = folder / "compacted"
    shutil.copytree(whole, store)
    run("compact", store)
    out = run("mine", store)
    expect("0 of 5 applications" in out.stderr, f"compaction changes no application: {out.stderr}")
    for flavour in filter(Flavour.present, flavours):
        ranks = folder / flavour.name
        shutil.copytree(whole, ranks)
        flavour.launch(3, fathom, "mine", ranks, "--anew", timeout=300)
        expect_equal(contents(ranks), wanted, f"on three ranks of {flavour.name}")
    since = run("mine", store, "--since", START + 4 * DAY, "--format", "json").stdout
    steps = {row["step"]: row["count"] for row in json.loads(since)}
    expect(0 < steps["jobs"] < len(machine.jobs), f"jobs since the fifth day: {steps}")
    say("anew, compacted, on ranks of two MPIs: the same; --since takes a part")


def advice(whole):
    """What was mined is what advice asks for; quiet servers are no reason to wait."""
    job = ("advise", whole, "--user", "ann", "--nodes", 16, "--format", "json")
    known = json.loads(run(*job, "--name", "checkpoint.x").stdout)
    expect_equal([(row["advice"], row["filesystem"], row["servers"]) for row in known], [("run", "scratch", 6)], f"advice for a known application: {known}")
    unknown = json.loads(run(*job, "--name", "nobody.x").stdout)
    expect(unknown[0]["advice"] == "run" and unknown[0]["servers"] is None, f"advice for an unknown one: {unknown}")
    say(f"advice: {known[0]['reason']}")


def advice_served(whole):
    """The dashboard says the same of every application that is known, at several times."""
    with Server(whole) as server:
        listed = server.api(f"/stores/{whole.name}/applications", state="validated")["rows"]
        expect(len(listed) >= 3, f"applications to choose from: {listed}")
        for each in listed:
            for days in (2.3, 4.1, 6.6):
                at = int(START + days * DAY)
                found = server.api(f"/stores/{whole.name}/advice", user=each["user"], name=each["name"], nodes=each["nodes"], at=at, impact=1.1)
                rows = list(csv.DictReader(io.StringIO(run("advise", whole, "--user", each["user"], "--name", each["name"], "--nodes", each["nodes"], "--at", at, "--impact", 1.1, "--format", "csv").stdout)))
                expect(found["known"] and found["at"] == at, f"known, at that time: {found}")
                expect_equal([found["verdict"], found["reason"]], [rows[0]["advice"], rows[0]["reason"]], "advice that is served")
                expect_equal([[view["filesystem"], str(view["servers"])] for view in found["views"]], [[row["filesystem"], row["servers"]] for row in rows], "file systems")
                for view, row in zip(found["views"], rows):
                    for name in ("score", "limit"):
                        expect(row[name] == "" if view[name] is None else abs(view[name] - float(row[name])) < 1e-9, f"{name}: {view} {row}")
    say(f"advice for {len(listed)} applications is served as the command line says it")


def advice_over_the_log(machine, whole):
    """For every run that shows its pattern what advise would have said then; asked one by one it says the same."""
    found = list(csv.DictReader(io.StringIO(run("advise", whole, "--replay", "--table", "runs", "--format", "csv").stdout)))
    starts = {str(job[0]): (job[1], job[2], job[4]) for job in machine.jobs}
    for row in found:
        user, name, start = starts[row["job_id"]]
        expect_equal((row["user"], row["name"]), (user, name), f"job {row['job_id']}")
        expect_equal(float(row["start"]), float(start), f"start of job {row['job_id']}")
        expect(1 <= float(row["slowdown"]) < 20 and int(row["bursts"]) >= 3, f"job {row['job_id']}: {row}")
    shown = {name: sum(row["name"] == name for row in found) for name in ("checkpoint.x", "analysis.x", "often.x")}
    for row in apps(whole, "--state", "validated"):
        expect(shown[row["name"]] in (int(row["samples"]), int(row["samples"]) - 1), f"{row['name']}: {shown} of {row['samples']} runs were asked for; the first may begin before the counters")
    for row in found[:: max(1, len(found) // 6)]:
        user, name, start = starts[row["job_id"]]
        one = list(csv.DictReader(io.StringIO(run("advise", whole, "--user", user, "--name", name, "--nodes", 16, "--at", start - 0.001, "--format", "csv").stdout)))[0]
        expect_equal(one["advice"], row["advice"], f"advice for job {row['job_id']}")
        if not row["score"]:  # the counters had just begun
            expect_equal(one["score"], "", f"score for job {row['job_id']}")
            continue
        expect(abs(float(one["score"]) - float(row["score"])) < 0.02, f"score for job {row['job_id']}: {row['score']}, alone {one['score']}")
    summary = list(csv.DictReader(io.StringIO(run("advise", whole, "--replay", "--format", "csv").stdout)))
    expect_equal([row["advice"] for row in summary], ["run", "delay"], "the summary")
    expect_equal(sum(int(row["jobs"]) for row in summary), len(found), "jobs of the summary")
    late = list(csv.DictReader(io.StringIO(run("advise", whole, "--replay", "--table", "runs", "--since", START + 3 * DAY, "--format", "csv").stdout)))
    expect_equal(late, [row for row in found if starts[row["job_id"]][2] >= START + 3 * DAY], "runs of the last four days")
    refused("advise", whole, "--replay", "--table", "trials", exit_code=2, naming=["policies", "runs"])
    say(f"advice over the log: {len(found)} runs, {sum(row['advice'] == 'delay' for row in found)} delayed")


def bad_input(folder, machine):
    """Counters that stop, servers that vanish, jobs with impossible times, one run only, constant traffic, an empty store of jobs alone."""
    lines = (folder / "all.csv").read_text().splitlines()
    kept = [lines[0]]
    for line in lines[1:]:
        t, server = line.split(",")[:2]
        day = (int(t) - START) / DAY
        if 2 <= day < 3 or (server in ("ost03", "ost04") and day >= 4):
            continue
        kept.append(line)
    (folder / "broken.csv").write_text("\n".join(kept) + "\n")
    jobs = (folder / "jobs.csv").read_text() + f"9001,ann,backwards.x,4,{START + 5000},{START + 1000}\n9002,ann,future.x,4,{START + 5000},{START + 10**9}\n9003,ann,endless.x,4,{START + 5000},\n"
    (folder / "broken-jobs.csv").write_text(jobs)
    store = folder / "broken"
    ingest(store, folder / "broken.csv", folder / "broken-jobs.csv")
    run("mine", store)
    states = {row["name"]: row["state"] for row in apps(store)}
    expect_equal(states["checkpoint.x"], "validated", "with a day missing and two servers gone")
    expect(states.get("future.x", "unknown") == "unknown" and "backwards.x" not in states and "endless.x" not in states, f"impossible jobs: {states}")
    store = folder / "constant"
    lines = ["t,server,filesystem,read_bytes,write_bytes"] + [f"{START + STEP * i},s{s},fs,{i * 1000},{i * 5000}" for i in range(9000) for s in range(2)]
    (folder / "constant.csv").write_text("\n".join(lines) + "\n")
    (folder / "some-jobs.csv").write_text("job_id,user,name,nodes,start,end\n" + "".join(f"{i},u,a,1,{START + 900 * i},{START + 900 * i + 800}\n" for i in range(90)))
    ingest(store, folder / "constant.csv", folder / "some-jobs.csv")
    run("mine", store)
    expect_equal([row["state"] for row in apps(store)], ["unknown"], "constant traffic")
    store = folder / "jobs-only"
    ingest(store, folder / "some-jobs.csv")
    funnel = {row["step"]: row["count"] for row in json.loads(run("mine", store, "--format", "json").stdout)}
    expect_equal((funnel["unknown"], funnel["provisional"]), (1, 1), "of one application without counters")
    expect_equal([row["state"] for row in apps(store)], ["unknown"], "no counters")
    refused("mine", folder / "nowhere", naming=["nowhere"])
    refused("mine", store, "--since", "yesterday", exit_code=2, naming=["--since"])
    say("bad input: sensible states")


with scratch() as folder:
    machine = made()
    whole = at_once(folder, machine)
    day_by_day(folder, machine, whole)
    other_ways(folder, machine, whole)
    advice(whole)
    advice_served(whole)
    advice_over_the_log(machine, whole)
    bad_input(folder, machine)
