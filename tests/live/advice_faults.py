# SPDX-License-Identifier: Apache-2.0
"""Collector, advice daemon, dashboard and Slurm's controller are killed in turn, again and again, at moments that a seed chooses: every job runs and none waits for longer than
allowed, the store stays whole, no byte is lost, and what was not measured is marked. A second dashboard lives through all of it and is asked all the time: it always answers, in bounded memory.

With `--seconds S` that goes on for so long instead of a few kills, and Slurm's controller is left alone (make soak)."""
from advisor import *
from served import Server

import known_store
import slurm_accounting
import slurm_cluster

enter_machine(slurm_cluster)

APPLICATION = "checkpoint.x"
LEASE, MAX_DELAY = 5, 12
KILLS = 60 if long_run else 16
SOAK = float(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else None
OURS = ["collector", "daemon", "dashboard"]  # in a long run: a controller that is killed dozens of times may take nodes for busy that are not
SAVED = 6  # seconds after which Slurm's controller has written down what it was told


def resident(process):
    """Bytes of memory that a process has, or nothing if it is gone."""
    with contextlib.suppress(OSError):
        return next(int(line.split()[1]) * 1024 for line in open(f"/proc/{process.pid}/status") if line.startswith("VmRSS"))


class Witness:
    """A dashboard that nobody kills. A thread asks it all that a page of the machine asks; what it says and how much memory it has is kept."""

    PATHS = ["", "/traffic", "/heat", "/gantt", "/top", "/jobs", "/applications", "/values", "/population?x=bytes.read&y=bytes.write"]

    def __init__(self, store):
        self.server, self.store, self.answers, self.trouble, self.memory = Server(store), store.name, 0, [], []
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.ask, daemon=True)
        self.thread.start()

    def ask(self):
        while not self.ends.wait(0.3):
            path = f"/api/v1/stores/{self.store}{self.PATHS[self.answers % len(self.PATHS)]}"
            try:
                status, _, body = self.server.ask(path)
                self.answers += 1
                if status != 200:
                    self.trouble.append(f"{path}: {status} {body[:200]}")
            except OSError as problem:
                self.trouble.append(f"{path}: {problem}")
            self.memory.append(resident(self.server.process) or 0)

    def end(self):
        self.ends.set()
        self.thread.join()
        expect(not self.trouble, f"the dashboard that lived through it: {len(self.trouble)} of {self.answers} answers: {self.trouble[:3]}")
        third = len(self.memory) // 3
        first, last = max(self.memory[:third]), max(self.memory[-third:])
        # What it keeps grows with the store, of which a soak makes some megabytes; a leak of an answer a second would show.
        expect(last < 1.3 * first + 200 * 2**20, f"memory of the dashboard: {first / 2**20:.0f} MiB in the first third, {last / 2**20:.0f} MiB in the last")
        self.server.end()
        say(f"a dashboard lived through it: {self.answers} answers, all of them 200; memory {first / 2**20:.0f} MiB in the first third of the time, {last / 2**20:.0f} MiB in the last")


class Machine:
    def __init__(self, slurm, folder, store, weights, disks, chance):
        self.slurm, self.folder, self.store, self.disks, self.chance = slurm, folder, store, disks, chance
        self.collector = collector(folder, store, f"block:root={disks.root}")
        self.daemon = daemon(slurm, folder, store, weights, lease=LEASE, max_delay=MAX_DELAY)
        self.dashboard = Program(folder / "dashboard.log", "serve", store, "--bind", "0")
        self.witness = Witness(store)
        self.jobs, self.submitted = [], 0.0
        slurm.wait_until("there is a list", lambda: (folder / "state" / "applications").exists())

    def submit(self):
        for name in self.chance.sample([APPLICATION, APPLICATION, "other.x"], 2):
            ran = self.folder / f"ran-{len(self.jobs)}"
            self.slurm.submit(f"[ -e {ran} ] || date +%s > {ran}", "-J", name)
            self.jobs.append((ran, time.time()))
        self.submitted = time.monotonic()

    def kill(self, which):
        """For up to three seconds; a program that ended by itself is a failure."""
        gone = self.chance.uniform(0, 3)
        if which == "slurmctld":
            # What it was told in the last seconds it may forget, as every Slurm: that is not what is tested here.
            time.sleep(max(0, self.submitted + SAVED - time.monotonic()))
            self.slurm.kill_controller()
            time.sleep(gone)
            self.slurm.start_controller()
            return
        program = {"collector": self.collector, "daemon": self.daemon, "dashboard": self.dashboard}[which]
        expect(program.running(), f"the {which} ended by itself\n{program.said()[-2000:]}")
        program.kill()
        time.sleep(gone)
        program.start()

    def left(self):
        """Jobs that have not run. What they leave tells, not Slurm: a controller that is killed may not hear of a job's end."""
        return [ran.name for ran, _ in self.jobs if not ran.exists()]

    def waits(self):
        return sorted(int(ran.read_text()) - int(submitted) for ran, submitted in self.jobs)


def check_store(machine, store):
    machine.disks.set(0)
    time.sleep(2.5)
    machine.collector.end()
    machine.daemon.end()
    machine.witness.end()
    machine.dashboard.end()
    check(store)
    info = json.loads(run("info", store, "--format", "json").stdout)
    expect(info["gaps"] > 0, f"gaps of a collector that was killed: {info['gaps']}")
    rows = sql(f"SELECT server, sum(write_bytes) AS bytes, min(epoch(start_time)) AS first FROM {table(store)} WHERE start_time > now()::TIMESTAMP - INTERVAL 1 HOUR GROUP BY server")
    expect_equal(len(rows), 4, "servers with counters of this hour")
    wanted = int(machine.disks.written / SECTOR) * SECTOR
    for row in rows:
        # The first sample is where counting begins.
        missing = wanted - int(float(row["bytes"]))
        expect(0 <= missing <= machine.first, f"{row['server']}: {row['bytes']} bytes counted, {wanted} written, of which up to {machine.first} before the first poll")
    return info


with scratch() as folder:
    store = known_store.make(folder, run, [APPLICATION])
    weights = known_store.make_weights(folder, run)
    disks = SetDisks(folder / "disks")
    chance = seeded(20)
    with slurm_cluster.SlurmCluster(nodes=2, plugin=install_plugin(folder, folder / "state")) as slurm:
        machine = Machine(slurm, folder, store, weights, disks, chance)
        slurm.wait_until("counters are there", lambda: "block" in run("info", store).stdout)
        time.sleep(3)
        machine.first = 0
        say("a Slurm, a collector, a daemon and two dashboards run")
        kills = {"collector": 0, "daemon": 0, "dashboard": 0, "slurmctld": 0}
        until = time.monotonic() + (SOAK or 0)
        turn = 0
        try:
            while time.monotonic() < until if SOAK else turn < KILLS:
                disks.set(chance.choice([0, 12e6, 12e6]))
                machine.submit()
                time.sleep(chance.uniform(0.2, 2.5))
                which = [*kills][turn % 4] if not SOAK else chance.choice(OURS)
                machine.kill(which)
                kills[which] += 1
                turn += 1
                if SOAK and turn % 50 == 0:
                    say(f"killed so far: {kills}")
            say(f"killed: {kills}; {len(machine.jobs)} jobs were submitted meanwhile")
            end = time.monotonic() + MAX_DELAY + 30
            while machine.left() and time.monotonic() < end:
                time.sleep(0.5)
        except BaseException:
            print(machine.daemon.said()[-6000:])
            raise
        expect(not machine.left(), f"jobs that did not run: {machine.left()}\n{slurm.run('squeue', exit_code=None).stdout}\n{machine.daemon.said()[-4000:]}")
        waits = machine.waits()
        # A controller that is down starts nobody: up to three seconds, its own start, and the nodes' coming back.
        expect(waits[-1] <= MAX_DELAY + LEASE + 15, f"waits: {waits[-5:]}")
        say(f"all {len(machine.jobs)} jobs ran; waits: {waits[len(waits) // 2]} s in the middle, {waits[-1]} s at most ({MAX_DELAY} s is the longest delay)")
        info = check_store(machine, store)
        say(f"the store is whole, every byte is counted once, {info['gaps']} gaps are marked")
    disks.end()
