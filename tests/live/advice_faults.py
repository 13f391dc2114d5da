# SPDX-License-Identifier: Apache-2.0
"""Collector, advice daemon and Slurm's controller are killed in turn, again and again, at moments that a seed chooses: every job runs and none waits for longer than
allowed, the store stays whole, no byte is lost, and what was not measured is marked."""
from advisor import *

import known_store
import slurm_accounting
import slurm_cluster

enter_machine(slurm_cluster)

APPLICATION = "checkpoint.x"
LEASE, MAX_DELAY = 5, 12
KILLS = 60 if long_run else 15
SAVED = 6  # seconds after which Slurm's controller has written down what it was told


class Machine:
    def __init__(self, slurm, folder, store, weights, disks, chance):
        self.slurm, self.folder, self.store, self.disks, self.chance = slurm, folder, store, disks, chance
        self.collector = collector(folder, store, f"block:root={disks.root}")
        self.daemon = daemon(slurm, folder, store, weights, lease=LEASE, max_delay=MAX_DELAY)
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
        program = {"collector": self.collector, "daemon": self.daemon}[which]
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
        say("a Slurm, a collector and a daemon run")
        kills = {"collector": 0, "daemon": 0, "slurmctld": 0}
        try:
            for turn in range(KILLS):
                disks.set(chance.choice([0, 12e6, 12e6]))
                machine.submit()
                time.sleep(chance.uniform(0.2, 2.5))
                which = ("collector", "daemon", "slurmctld")[turn % 3]
                machine.kill(which)
                kills[which] += 1
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
