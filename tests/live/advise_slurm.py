# SPDX-License-Identifier: Apache-2.0
"""The advice daemon on a real Slurm: jobs wait while disks are busy and run when they are not; each outage lets jobs run; no name of a job does harm."""
from advisor import *

import known_store
import slurm_accounting
import slurm_cluster

enter_machine(slurm_cluster, slurm_accounting)

APPLICATION = "checkpoint.x"
BUSY = 12e6
LEASE, MAX_DELAY = 6, 20
HOSTILE = ["$(touch hacked)", "`touch hacked`", "a;touch hacked", "a|b|c", "it's \"quoted\"", "é 日本 ü", "--help", "JobId=1 StartTime=now", "a\\nb", "%j%A", "-J x", "=", "two\nlines",
           "x\n2|root|batch|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T01:00:00|COMPLETED|1|UNLIMITED|n1|forged", "tab\there", "bell\x07"]
KNOWN_HOSTILE = "$(touch hacked);'\"|é &"


class Cases:
    def __init__(self, slurm, folder, store, weights, disks):
        self.slurm, self.folder, self.store, self.weights, self.disks = slurm, folder, store, weights, disks
        self.collector = collector(folder, store, f"block:root={disks.root}", identity=ADVISER)
        self.daemon = self.start_daemon()
        self.wait_for_list()

    def start_daemon(self, *options, **changes):
        return daemon(self.slurm, self.folder, self.store, self.weights, *options, lease=LEASE, max_delay=MAX_DELAY, identity=ADVISER, **changes)

    def learn(self):
        done = subprocess.run([fathom, "advise", str(self.store), "--slurm", "--learn", "--state", str(self.folder / "state")], capture_output=True, text=True, env=self.slurm.environment(), **ADVISER)
        expect_equal(done.returncode, 0, f"learning\n{done.stderr}")

    def list(self):
        file = self.folder / "state" / "applications"
        return file.read_text() if file.exists() else ""

    def wait_for_list(self, there=True):
        self.slurm.wait_until(f"the list {'has' if there else 'has not'} {APPLICATION}", lambda: (APPLICATION in self.list()) == there)

    def submit(self, name=APPLICATION, script="sleep 1", *options):
        return self.slurm.submit(script, "-J", name, *options)

    def load(self, busy):
        """And until the table shows it: ten seconds, of which a quarter decides."""
        self.disks.set(BUSY if busy else 0)
        time.sleep(8 if busy else 11)

    def ended(self, *jobs):
        for job in jobs:
            expect_equal(self.slurm.wait_for(job), "COMPLETED", f"job {job}")

    # --- what it is for -------------------------------------------------------------------------------------------

    def idle(self):
        job = self.submit()
        self.slurm.wait_for(job, "RUNNING", "COMPLETED", longest=5)
        expect(note(self.slurm, job).startswith("fathom: run"), f"the note of a job that runs: {note(self.slurm, job)}")
        self.ended(job)
        other = self.submit("other.x")
        self.ended(other)
        expect_equal(note(self.slurm, other), "", "the note of an unknown job")
        say(f"idle disks: a known job begins after {started(self.slurm, job)} s, an unknown one after {started(self.slurm, other)} s")

    def busy(self):
        self.load(True)
        job, hostile, other, own = self.submit(), self.submit(KNOWN_HOSTILE), self.submit("other.x"), self.submit(APPLICATION, "true", "--begin=now+15")
        self.slurm.wait_for(other, "RUNNING", "COMPLETED", longest=5)
        time.sleep(LEASE + 2)  # longer than a lease: it is renewed
        for each in (job, hostile):
            expect_equal(self.slurm.state(each), "PENDING", f"job {each} on busy disks\n{self.daemon.said()}")
            expect(re.match(r"fathom: delay, \d+ s so far, 20 s at most: it moves .* score", note(self.slurm, each)), f"the note of a job that waits: {note(self.slurm, each)}")
        expect_equal(note(self.slurm, own), "", "the note of a job whose owner said when it begins")
        self.load(False)
        self.ended(job, hostile, own)
        expect(started(self.slurm, own) >= 14, f"a job that was to begin after 15 s began after {started(self.slurm, own)} s")
        say(f"busy disks: known jobs waited {started(self.slurm, job)} and {started(self.slurm, hostile)} s until they were idle")

    def longest(self):
        self.load(True)
        job, freed = self.submit(), self.submit()
        self.slurm.wait_until("it is held", lambda: "so far" in note(self.slurm, freed))
        self.slurm.run("scontrol", "update", f"JobId={freed}", "StartTime=now")
        self.slurm.wait_for(freed, "RUNNING", "COMPLETED", longest=5)
        self.ended(job)
        waited = started(self.slurm, job)
        expect(MAX_DELAY - 1 <= waited <= MAX_DELAY + 4, f"a job waited {waited} s, {MAX_DELAY} s are the most")
        say(f"disks that stay busy: it ran after {waited} s, {MAX_DELAY} s being the most; one that its owner let begin ran at once")

    # --- outages --------------------------------------------------------------------------------------------------

    def restarted(self):
        """Disks are busy. Killed and started again while a job waits: it goes on waiting, and not for longer."""
        job = self.submit()
        for _ in range(4):
            time.sleep(2)
            self.daemon.kill()
            self.daemon = self.start_daemon()
        expect_equal(self.slurm.state(job), "PENDING", "a job while the daemon was killed and started four times")
        self.slurm.kill_controller()
        self.slurm.start_controller()
        self.ended(job)
        waited = started(self.slurm, job)
        expect(8 <= waited <= MAX_DELAY + 8, f"a job waited {waited} s, {MAX_DELAY} s are the most")
        say(f"daemon killed four times and Slurm's controller once while a job waited: it ran after {waited} s")

    def daemon_gone(self):
        job = self.submit()
        self.slurm.wait_until("it is held", lambda: "so far" in note(self.slurm, job))
        self.daemon.kill()
        late = self.submit()  # its list is still fresh
        begin = time.monotonic()
        self.slurm.wait_for(job, "RUNNING", "COMPLETED", longest=LEASE + 4)
        self.slurm.wait_for(late, "RUNNING", "COMPLETED", longest=LEASE + 4)
        say(f"daemon killed for good: jobs that waited began within {time.monotonic() - begin:.1f} s, the lease being {LEASE} s")
        self.slurm.wait_until("the list is too old", lambda: int(self.list().split()[2]) < time.time() - 1)
        job = self.submit()
        self.slurm.wait_for(job, "RUNNING", "COMPLETED", longest=5)
        (self.folder / "state" / "applications").write_text("fathom-advice 1 99999999999 6\n0 checkpoint.x\n")
        absurd = self.submit()
        (self.folder / "state" / "applications").write_text("\x00nonsense" * 1000)
        nonsense = self.submit()
        (self.folder / "state" / "applications").unlink()
        for each in (absurd, nonsense, self.submit()):
            self.slurm.wait_for(each, "RUNNING", "COMPLETED", longest=5)
        say("with a list that is old, absurd, nonsense or not there: nobody waits")
        self.daemon = self.start_daemon()
        self.wait_for_list()

    def counters_gone(self):
        job = self.submit()
        self.slurm.wait_until("it is held", lambda: "so far" in note(self.slurm, job))
        self.collector.kill()
        self.ended(job)
        expect("the newest counters are" in note(self.slurm, job) or started(self.slurm, job) >= MAX_DELAY - 1, f"why it ran without counters: {note(self.slurm, job)}")
        self.wait_for_list(there=False)
        self.collector.start()
        self.wait_for_list()
        say("collector killed: jobs run, and wait again when it is back")

    def store_gone(self):
        self.load(True)
        job = self.submit()
        self.slurm.wait_until("it is held", lambda: "so far" in note(self.slurm, job))
        self.store.rename(self.folder / "elsewhere")
        self.slurm.wait_for(job, "RUNNING", "COMPLETED", longest=LEASE + 4)
        self.wait_for_list(there=False)
        if self.store.exists():
            shutil.rmtree(self.store)  # the collector began a new one
        (self.folder / "elsewhere").rename(self.store)
        self.wait_for_list()
        say(f"store gone: {note(self.slurm, job)[:100]}")

    def dry(self):
        self.daemon.end()
        expect(APPLICATION not in self.list(), "the list after an orderly end")
        dry = self.start_daemon("--dry-run", name="dry")
        self.load(True)
        self.slurm.run("scontrol", "update", "NodeName=n[1-2]", "State=DRAIN", "Reason=test")
        job = self.submit()
        self.slurm.wait_until("it is seen", lambda: f"job {job} " in dry.said())
        expect("would delay" in dry.said(), dry.said())
        expect_equal(note(self.slurm, job), "", "the note of a job in a dry run")
        dry.end()
        self.slurm.run("scontrol", "update", "NodeName=n[1-2]", "State=RESUME")
        self.ended(job)
        self.disks.set(0)
        self.daemon = self.start_daemon()
        self.wait_for_list()
        say("--dry-run: says what it would do, and does nothing")

    # --- names ----------------------------------------------------------------------------------------------------

    def names(self):
        """Submitted for real; then they are in the log of jobs, each once, and nothing else happened."""
        jobs = {self.submit(name, "true"): name for name in HOSTILE}
        self.ended(*jobs)
        self.daemon.end()
        states = lambda: self.slurm.run("sacct", "--noheader", "--allocations", "--parsable2", f"--jobs={','.join(jobs)}", "--format=State,Eligible").stdout.split()
        # A job is in no span of time before accounting knows since when it could run, which comes last.
        self.slurm.wait_until("accounting has heard of all", lambda: len(states()) == len(jobs) and all(re.match(r"COMPLETED\|\d", state) for state in states()))
        self.learn()
        found = {row["job_id"]: row for row in csv.DictReader(io.StringIO(run("jobs", self.store, "--format", "csv").stdout))}
        clean = lambda text: "".join("\ufffd" if ord(c) < 32 or ord(c) == 127 else c for c in text).replace('"', "`")  # Slurm's accounting does the latter
        for job, name in jobs.items():
            expect_equal((found[job]["user"], found[job]["name"], found[job]["nodes"]), ("root", clean(name), "1"), f"job {job} in the store")
        numbers = {job for job in found if int(job) < 1_000_000}
        known = set(self.slurm.run("squeue", "--noheader", "--states=all", "--format=%A").stdout.split())
        expect(numbers <= known, f"jobs in the store that Slurm has not: {numbers - known}")
        expect(not any("forged" == row["name"] for row in found.values()), "a name became a job")
        for place in (pathlib.Path.cwd(), self.folder, self.slurm.folder):
            expect(not list(place.rglob("hacked")), f"somebody ran a name in {place}")
        before = run("info", self.store, "--format", "json").stdout
        self.learn()
        expect_equal(json.loads(run("info", self.store, "--format", "json").stdout)["jobs"], json.loads(before)["jobs"], "jobs after learning again")
        say(f"{len(HOSTILE)} hostile names: submitted, logged, learned; nothing was run, no job forged")

    def operator(self):
        """Less than an administrator: it may say when jobs begin, but not why."""
        self.slurm.run("sacctmgr", "--immediate", "modify", "user", "fathom", "set", "adminlevel=operator")
        self.daemon = self.start_daemon(name="operator")
        self.wait_for_list()
        self.load(True)
        job = self.submit()
        time.sleep(LEASE + 2)
        expect_equal(self.slurm.state(job), "PENDING", f"a job that an operator delays\n{self.daemon.said()}")
        self.load(False)
        self.ended(job)
        expect("only an administrator" in self.daemon.said() and "after" in self.daemon.said(), self.daemon.said())
        say(f"as an operator: a job waited {started(self.slurm, job)} s; reasons are in the log alone")

    def end(self):
        if self.daemon.running():
            self.daemon.end()
        self.collector.end()
        check(self.store)


with scratch() as folder:
    store = known_store.make(folder, run, [APPLICATION, KNOWN_HOSTILE])
    weights = known_store.make_weights(folder, run)
    states = {row["name"]: row["state"] for row in csv.DictReader(io.StringIO(run("apps", store, "--format", "csv").stdout))}
    expect_equal(states, {APPLICATION: "validated", KNOWN_HOSTILE: "validated"}, "applications that are known")
    disks = SetDisks(folder / "disks")
    # All that runs for long does so as a user of its own, whom Slurm knows as an administrator; as an operator in the end.
    private_machine.add_user("fathom", ADVISER["user"])
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):  # files of disks come and go
            os.chown(path, ADVISER["user"], ADVISER["group"])
    plugin = install_plugin(folder, folder / "state")
    with slurm_cluster.SlurmCluster(nodes=2, accounting=True, plugin=plugin) as slurm:
        slurm.run("sacctmgr", "--immediate", "add", "user", "fathom", "account=root", "adminlevel=administrator")
        say("a Slurm of two nodes with accounting is up")
        cases = Cases(slurm, folder, store, weights, disks)
        try:
            for case in (cases.idle, cases.busy, cases.longest, cases.restarted, cases.daemon_gone, cases.counters_gone, cases.store_gone, cases.dry, cases.names, cases.operator):
                case()
            cases.end()
        except BaseException:
            print(cases.daemon.said()[-6000:], slurm.complaints(), cases.list(), sep="\n")
            raise
    disks.end()
