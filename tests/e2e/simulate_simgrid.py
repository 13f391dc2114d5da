# SPDX-License-Identifier: Apache-2.0
"""`fathom simulate` against SimGrid: the same random machines, every time of every request, less than a microsecond apart.

The other program (tests/simgrid/oracle.cpp) says what can be expressed with SimGrid and what cannot. Without SimGrid the test is skipped.
"""
from fathom_e2e import *

MACHINES = 1500 if long_run else 200
LIMIT = 1e-6  # seconds
MiB = 1 << 20


# Bytes per second on which every byte takes a whole number of picoseconds. On others Fathom rounds: two ways that take as long may then
# differ by a picosecond, which SimGrid's floating-point time cannot see, and who comes first decides what comes later.
WHOLE = sorted(2**i * 5**j for i in range(13) for j in range(13))


def between(low, high):
    return [each for each in WHOLE if low <= each <= high]


class Machine:
    """Small numbers with many ties, small numbers with few, or those of JUGENE; each with or without page pool, burst buffer, inner links of the tree, several requests in flight, targets, object servers."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.seed, kind = seed, ("ties", "any", "jugene")[seed % 3]
        if kind == "ties":
            bandwidth, self.buffer, largest = lambda: draw.choice(between(200, 20_000)), draw.choice((1, 64, 100, 4096)), draw.randint(1, 3000)
            largest = min(largest, 40) if self.buffer == 1 else largest
        elif kind == "any":  # any bandwidth, and no request that is a part or a multiple of another one
            bandwidth, self.buffer, largest = lambda: draw.randint(200, 20_000), 4096, 3000
        else:
            bandwidth, self.buffer, largest = lambda: draw.choice(between(50_000_000, 2_000_000_000)), 4 * MiB, 60 * MiB
        self.tree, self.external, self.internal = bandwidth(), bandwidth(), bandwidth()
        self.disk = bandwidth() * (1 if kind == "jugene" else draw.choice((1, 4, 16)))
        self.roots, self.binary = draw.randint(1, 2), draw.random() < 0.3
        self.pool = draw.choice((0, largest // 30, largest // 8, largest // 3, 20 * largest))
        self.burst = max(self.buffer, draw.choice((0, largest // 10, largest // 2, 20 * largest))) if draw.random() < 0.5 else 0
        self.in_flight = draw.choice((1, 1, 1, 2, 3))
        self.targets, self.target = draw.choice((0, 0, 1, 2, 5)), bandwidth()
        self.servers, self.server = draw.choice((0, 1, 2)) if self.targets else 0, bandwidth()
        self.stripes, self.stripe = draw.randint(1, max(1, self.targets)), max(4096, self.buffer // draw.choice((1, 2, 5)))
        self.compute_nodes = [draw.randint(1, 9) for _ in range(draw.randint(1, 6))]
        directions = draw.choice(((1, 0), (0, 1), (1, 1), (1, 1)))  # reads, writes
        self.increments = []
        for node in range(len(self.compute_nodes)):
            for _ in range(draw.randint(0 if node else 1, 3)):
                start = {"ties": draw.randint(0, 3) * 250_000, "any": draw.randint(0, 1_000_000), "jugene": draw.randint(0, 100_000)}[kind]  # microseconds
                self.increments.append((start, node, [amount for used in directions for amount in (self.amount(draw, kind, largest) if used else (0, 0))]))
        self.increments.sort()

    @staticmethod
    def amount(draw, kind, largest):
        """Bytes and operations; operations may be missing, and bytes too."""
        operations = draw.choice((0, draw.randint(1, 12), draw.randint(1, 12)))
        volume = draw.choice((0, *(draw.randint(0, largest) for _ in range(3))))
        if kind == "ties" and draw.random() < 0.7:
            volume = volume // 64 * 64
        if kind == "any" and 0 < volume < 100 * operations:
            volume += 100 * operations
        return volume, operations

    def toml(self):
        shape = "binary" if self.binary else "root"
        nodes = "".join(f"[[io_nodes]]\ncompute_nodes = {count}\n" for count in self.compute_nodes)
        increments = "".join(
            f"[[increment]]\nnodes = {node}\nstart = {start / 1e6:.6f}\nread_bytes = {a[0]}\nread_operations = {a[1]}\nwrite_bytes = {a[2]}\nwrite_operations = {a[3]}\n"
            for start, node, a in self.increments)
        return (f"{nodes}[compute_nodes]\nin_flight = {self.in_flight}\n[object_servers]\ncount = {self.servers}\nbandwidth = {self.server}\n"
                f"[targets]\ncount = {self.targets}\nbandwidth = {self.target}\nstripe_count = {self.stripes}\nstripe_size = {self.stripe}\n[tree]\nbandwidth = {self.tree}\nroot_links = {self.roots}\nshape = \"{shape}\"\n[ciod]\nbuffer = {self.buffer}\n"
                f"[page_pool]\nsize = {self.pool}\n[burst_buffer]\nsize = {self.burst}\nbandwidth = {self.internal}\n"
                f"[external_link]\nbandwidth = {self.external}\n[disk_link]\nbandwidth = {self.disk}\n{increments}")

    def oracle_text(self):
        lines = [f"architecture {self.tree} {self.roots} {int(self.binary)} {self.buffer} {self.pool} {self.burst} {self.internal} {self.external} {self.disk}"]
        lines += [f"beyond {self.in_flight} {self.servers} {self.server} {self.targets} {self.target} {self.stripes} {self.stripe}"]
        lines += [f"node {count}" for count in self.compute_nodes]
        lines += [f"increment {node} {start / 1e6:.6f} {' '.join(map(str, a))}" for start, node, a in self.increments]
        return "\n".join(lines) + "\nend\n"


def by_fathom(folder, machine):
    scenario, path = folder / "machine.toml", folder / "completions.csv"
    scenario.write_text(machine.toml())
    run("simulate", scenario, "--completions", path)
    with path.open() as file:
        return {(int(r["node"]), int(r["index"])): (r["kind"], int(r["bytes"]), *(int(r[t]) / 1e12 for t in ("issued_ps", "acked_ps", "stored_ps"))) for r in csv.DictReader(file)}


def by_simgrid(oracle, machines):
    """For each machine: its requests, and how many messages had to wait."""
    text = "".join(machine.oracle_text() for machine in machines)
    done = subprocess.run([oracle], input=text, capture_output=True, text=True, timeout=600)
    expect(done.returncode == 0, f"SimGrid: {done.stderr[-2000:]}")
    found, requests = [], {}
    for line in done.stdout.splitlines():
        word, *rest = line.split()
        if word == "end":
            found.append((requests, int(rest[0])))
            requests = {}
        else:
            requests[int(rest[0]), int(rest[1])] = (rest[2], int(rest[3]), *map(float, rest[4:]))
    expect_equal(len(found), len(machines), "machines that SimGrid simulated")
    return found


def compare(machine, ours, theirs):
    expect_equal(sorted(ours), sorted(theirs), f"requests of machine {machine.seed}")
    worst = 0
    for key, wanted in theirs.items():
        expect_equal(ours[key][:2], wanted[:2], f"machine {machine.seed}: kind and size of request {key}")
        for what, mine, other in zip(("issued", "acked", "stored"), ours[key][2:], wanted[2:]):
            worst = max(worst, abs(mine - other))
            expect(abs(mine - other) < LIMIT, f"machine {machine.seed}: request {key} ({wanted[0]}, {wanted[1]} bytes) {what} at {mine:.9f} s, by SimGrid at {other:.9f} s\n{machine.toml()}")
    return worst


def main():
    if len(sys.argv) < 4 or not os.path.exists(sys.argv[3]):
        skip("SimGrid was not found when this was configured (tools/setup fetches it)")
    machines = [Machine(seed) for seed in range(1, MACHINES + 1)]
    answers = by_simgrid(sys.argv[3], machines)
    say(f"SimGrid has simulated {len(machines)} machines")
    worst, requests, messages, bypassed, buffered, striped, asynchronous = 0, 0, 0, 0, 0, 0, 0
    with scratch() as folder:
        for machine, (theirs, waited) in zip(machines, answers):
            worst = max(worst, compare(machine, by_fathom(folder, machine), theirs))
            requests += len(theirs)
            messages += waited
            writes = [each for each in theirs.values() if each[0] == "write"]
            bypassed += sum(each[3] >= each[4] for each in writes)
            buffered += len(writes) if machine.burst else 0
            striped += len(theirs) if machine.targets else 0
            asynchronous += len(theirs) if machine.in_flight > 1 else 0
    say(f"{requests} requests, {messages} messages that waited, {bypassed} writes acknowledged by the disks, {buffered} with a burst buffer, {striped} requests to targets, {asynchronous} of compute nodes with several in flight: at most {worst * 1e9:.3f} ns apart")
    expect(requests > 20 * MACHINES and messages > 3 * MACHINES and bypassed > MACHINES and min(buffered, striped, asynchronous) > 3 * MACHINES, "the machines are too empty to tell")


main()
