# SPDX-License-Identifier: Apache-2.0
"""A made machine whose servers all jobs share, and whose jobs' patterns are known."""
import math
import random

START = 1_500_076_800  # a midnight (UTC)
DAY = 86_400
STEP = 10
SERVERS = 12


class Machine:
    """Traffic of a dozen servers on a grid, and a job log. Bytes are whole, so that logs of it can be cut anywhere."""

    def __init__(self, seed, days):
        self.chance = random.Random(seed)
        self.slots = days * DAY // STEP
        self.written = [[self.chance.randrange(2_000_000, 6_000_000) for _ in range(self.slots)] for _ in range(SERVERS)]
        self.jobs = []

    def burst(self, t, volume, length, servers):
        """`volume` bytes from second `t` on, on that many servers at random."""
        for server in self.chance.sample(range(SERVERS), servers):
            for slot in range(round(t / STEP), min(round((t + length) / STEP), self.slots)):
                self.written[server][slot] += int(volume / servers / (length / STEP))

    def job(self, name, start, length, user="ann", nodes=16):
        self.jobs.append((len(self.jobs) + 1, user, name, nodes, START + start, START + start + length))

    def periodic(self, name, every, volume, burst, servers, runs, user="ann", off=()):
        """Runs at uneven times, each of 15 to 25 periods; those in `off` write nothing."""
        t = self.chance.uniform(0, 3 * every)
        for run in range(runs):
            periods = self.chance.randrange(15, 25)
            if t + periods * every > self.slots * STEP:
                break
            self.job(name, int(t), int(periods * every + 60), user)
            if run not in off:
                for k in range(periods):
                    self.burst(t + every * (k + 0.4 + self.chance.gauss(0, 0.01)), volume * self.chance.uniform(0.97, 1.03), burst, servers)
            t += periods * every + self.chance.uniform(15, 50) * every

    def log(self, path, first, last):
        """Counters read from slot `first` on; every log begins with what the one before ended with."""
        totals = [sum(server[:first]) for server in self.written]
        lines = ["t,server,filesystem,read_bytes,write_bytes"]
        for slot in range(first, last + 1):
            lines += [f"{START + slot * STEP},ost{server:02d},scratch,0,{totals[server]}" for server in range(SERVERS)]
            if slot < self.slots:
                for server in range(SERVERS):
                    totals[server] += self.written[server][slot]
        path.write_text("\n".join(lines) + "\n")
        return path

    def job_log(self, path, until=math.inf):
        path.write_text("job_id,user,name,nodes,start,end\n" + "".join(f"{j[0]},{j[1]},{j[2]},{j[3]},{j[4]},{j[5]}\n" for j in self.jobs if j[5] <= START + until))
        return path
