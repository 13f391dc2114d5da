# SPDX-License-Identifier: Apache-2.0
"""What `fathom criteria` says of the jobs of a synthetic Blue Gene/P, against what these jobs really did.

Volumes against truth/jobs.csv, job by job, in classes. I/O intensity, burstiness and parallel I/O intensity against an evaluation of the raw logs second
by second, which knows no faults and therefore leaves out the jobs near one.
"""
import bisect
import collections
import math

from fathom_e2e import *

AMOUNTS = ("read_bytes", "write_bytes", "read_ops", "write_ops")
LOGGED = ("_br_", "_bw_", "_rdc_", "_wc_")
THRESHOLDS = (0, 128 * 1024, 1024 * 1024)
SECOND = 1_000_000  # all times are whole microseconds here
CLOCK_OFF = 1_500_000  # how far a server's clock may be off (docs/synthetic-jugene.md)
NEAR = 600 * SECOND  # a fault this close to a job may have touched one of its increments
FOREVER = 1 << 62


def micros(text):
    whole, _, part = text.partition(".")
    return int(whole) * SECOND + int(part.ljust(6, "0") or 0)


# --- the raw logs, read without the program -----------------------------------------------------------------------


def read_samples(logs):
    """{server: {file system: [(t, amounts)]}}, distinct and in order of time."""
    series = collections.defaultdict(lambda: collections.defaultdict(dict))
    for path in sorted(logs.glob("mmpmon-*.log")):
        with open(path) as file:
            for line in file:
                if not line.startswith("_fs_io_s_"):
                    continue
                words = line.split()
                values = dict(zip(words[1::2], words[2::2]))
                if values["_rc_"] != "0":
                    continue
                t = int(values["_t_"]) * SECOND + int(values["_tu_"])
                series[values["_nn_"]][values["_fs_"]][t] = tuple(int(values[key]) for key in LOGGED)
    return {server: {fs: sorted(samples.items()) for fs, samples in by_fs.items()} for server, by_fs in series.items()}


def difference(before, after):
    """Operation counters have 32 bits and wrap; bytes do not. Only for stretches without a fault."""
    return tuple(b - a if i < 2 else (b - a) % (1 << 32) for i, (a, b) in enumerate(zip(before, after)))


class Machine:
    def __init__(self, logs):
        self.samples = read_samples(logs)
        self.jobs = {row["job_id"]: row for row in read_csv(logs / "jobs.csv")}
        self.truth = {row["job_id"]: row for row in read_csv(logs / "truth" / "jobs.csv")}
        self.jobs_on = collections.defaultdict(list)
        for job_id, row in self.jobs.items():
            row["servers"] = row["servers"].split(";")
            row["begin"] = micros(row["start"])
            row["finish"] = micros(row["end"]) if row["end"] else FOREVER
            for server in row["servers"]:
                self.jobs_on[server].append((row["begin"], row["finish"], job_id))
        self.faults = collections.defaultdict(list)
        for row in read_csv(logs / "truth" / "faults.csv"):
            if row["kind"] in ("reset", "restart", "unmount", "gap", "dead_node", "nothing_mounted"):
                self.faults[row["server"]].append((micros(row["t"]), micros(row["t_end"]), row))

    def faults_near(self, job_id):
        job = self.jobs[job_id]
        return [row for server in job["servers"] for a, b, row in self.faults[server] if a < job["finish"] + NEAR and b > job["begin"] - NEAR]

    def edges(self, server, job):
        """Where the job begins and ends, and where its neighbours on this server end before and begin after it."""
        yield job["begin"]
        yield job["finish"]
        yield max((b for _, b, _ in self.jobs_on[server] if b <= job["begin"]), default=-FOREVER)
        yield min((a for a, _, _ in self.jobs_on[server] if a >= job["finish"]), default=FOREVER)

    def on_the_edge(self, job_id):
        """A sample so close to an edge that the server's clock decides on which side it lies: I/O of a second may go to the wrong increment."""
        job = self.jobs[job_id]
        for server in job["servers"]:
            for samples in self.samples.get(server, {}).values():
                for edge in self.edges(server, job):
                    at = bisect.bisect_left(samples, (edge - CLOCK_OFF,))
                    if at < len(samples) and samples[at][0] <= edge + CLOCK_OFF:
                        return True
        return False

    def increments(self, server, job):
        """(from, to, amounts) of the job's share of each increment that overlaps it: D Eqs. 4.1, 4.5 to 4.10."""
        for samples in self.samples.get(server, {}).values():
            first = max(bisect.bisect_left(samples, (job["begin"],)) - 1, 0)
            for (t0, before), (t1, after) in zip(samples[first:], samples[first + 1 :]):
                if t0 >= job["finish"]:
                    break
                overlap = min(t1, job["finish"]) - max(t0, job["begin"])
                if overlap <= 0:
                    continue
                shared = sum(max(min(t1, b) - max(t0, a), 0) for a, b, _ in self.jobs_on[server])
                yield max(t0, job["begin"]), min(t1, job["finish"]), [amount * overlap / shared for amount in difference(before, after)]

    def measured_throughout(self, job_id):
        job = self.jobs[job_id]
        return all(self.samples.get(server) and all(s[0][0] <= job["begin"] and s[-1][0] >= job["finish"] for s in self.samples[server].values()) for server in job["servers"])


# --- second by second -----------------------------------------------------------------------------------------------


def per_second(machine, job, server):
    """Bytes read and written by one server in each second of the job; jobs begin and end at whole seconds."""
    seconds = (job["finish"] - job["begin"]) // SECOND
    moved = [[0.0] * seconds, [0.0] * seconds]
    for begin, end, amounts in machine.increments(server, job):
        for x in (0, 1):
            if amounts[x] == 0:
                continue
            rate, t = amounts[x] / (end - begin), begin
            while t < end:
                slot = (t - job["begin"]) // SECOND
                next_t = min(end, job["begin"] + (slot + 1) * SECOND)
                moved[x][slot] += rate * (next_t - t)
                t = next_t
    return moved


def runs(active):
    """Mean length of stretches with and without I/O."""
    lengths = {True: [], False: []}
    last = None
    for each in active:
        if each != last:
            lengths[each].append(0)
        lengths[each][-1] += 1
        last = each
    return [sum(lengths[each]) / len(lengths[each]) if lengths[each] else 0 for each in (True, False)]


def activity(units):
    """(I, rho, P) from, for each second, how many of the job's servers were active: criteria 1.6, 2.9, 3.1."""
    counts, servers = units
    busy = sum(count > 0 for count in counts)
    with_io, without_io = runs([count > 0 for count in counts])
    rho = 1 if with_io == 0 else 0 if without_io == 0 else 1 - math.tanh(with_io / without_io)
    parallel = None if servers == 1 else 0 if busy == 0 else (sum(counts) / busy - 1) / (servers - 1)
    return busy / len(counts), rho, parallel


def evaluate(machine, job_id):
    """{(threshold, direction): (I, rho, P)}"""
    job = machine.jobs[job_id]
    moved = [per_second(machine, job, server) for server in job["servers"]]
    found = {}
    for threshold in THRESHOLDS:
        for x, name in enumerate(("read", "write")):
            counts = [sum(amount > threshold for amount in second) for second in zip(*(server[x] for server in moved))]
            found[threshold, name] = activity((counts, len(moved)))
        either = [sum(r > threshold or w > threshold for r, w in second) for second in zip(*(zip(*server) for server in moved))]
        found[threshold, "total"] = activity((either, len(moved)))
    return found


def compare_activity(machine, rows, most):
    candidates = [job for job in rows if machine.truth[job]["complete"] == "yes" and not machine.faults_near(job) and machine.measured_throughout(job)]
    chosen = seeded(1).sample(sorted(candidates), min(most, len(candidates)))
    expect(len(chosen) >= min(most, 100), f"only {len(chosen)} jobs to evaluate second by second")
    values, worst, told_apart = 0, 0.0, 0
    for job in chosen:
        for (threshold, x), wanted in evaluate(machine, job).items():
            row = rows[job][str(threshold)]
            for name, value in zip(("intensity", "burstiness", "parallel_intensity"), wanted):
                text = row[f"{x}_{name}"]
                if value is None:
                    expect_equal(text, "", f"{job}: {x}_{name} above {threshold}")
                    continue
                expect(text != "", f"{job}: no {x}_{name} above {threshold}")
                difference = abs(float(text) - value)
                worst = max(worst, difference)
                expect(difference <= 1e-9, f"{job}: {x}_{name} above {threshold}: {text}, second by second {value}")
                values += 1
                told_apart += 0 < value < 1
    expect(told_apart > values / 10, f"of {values} values only {told_apart} are not 0 or 1")
    say(f"I, rho, P: {values} values of {len(chosen)} of {len(candidates)} undisturbed jobs agree second by second, {told_apart} of them between 0 and 1; largest difference {worst:.1e}")


# --- volumes ----------------------------------------------------------------------------------------------------------


def criteria(store, link):
    thresholds = ",".join(map(str, THRESHOLDS))
    done = run("criteria", store, "--min-runtime", 0, "--require-io", "any", "--no-keep", "--link", link, "--threshold", thresholds, "--format", "csv")
    rows = collections.defaultdict(dict)
    for row in csv.DictReader(io.StringIO(done.stdout)):
        rows[row["job_id"]][row["threshold"]] = row
    return rows


class Verdict(collections.namedtuple("Verdict", "job what truth found lower upper doubts")):
    def __str__(self):
        return f"{self.job} {self.what}: truth {self.truth}, found {self.found:.0f} in [{self.lower:.0f}, {self.upper:.0f}]{' (' + ', '.join(self.doubts) + ')' if self.doubts else ''}"


def doubts_of(machine, job, row):
    """What the program itself says against a value, and what only the truth knows (`restart unseen`, `clock`)."""
    flags = row["flags"].split(";")
    found = [flag for flag in ("reset", "gap") if flag in flags]
    if float(row["coverage"]) < 1:
        found.append("coverage")
    if any(fault["kind"] in ("restart", "unmount") and fault["visible"] == "no" for fault in machine.faults_near(job)):
        found.append("restart unseen")
    if machine.on_the_edge(job):
        found.append("clock")
    return found


def judge(machine, weighted, low, high):
    """One verdict for each complete job and amount. The band is what discard and double-count give; for bytes `weighted` says so itself."""
    verdicts = []
    for job, truth in machine.truth.items():
        if truth["complete"] != "yes" or job not in weighted:
            continue
        row = weighted[job]["0"]
        none = dict.fromkeys(AMOUNTS, 0)  # `discard` may leave nothing of a job, and then leaves the job out
        lower, upper = (rows[job]["0"] if job in rows else none for rows in (low, high))
        doubts = doubts_of(machine, job, row)
        for what in AMOUNTS:
            band = float(lower[what]), float(upper[what])
            if what.endswith("bytes"):
                expect_equal((float(row[f"{what}_lower"]), float(row[f"{what}_upper"])), band, f"{job}: band of {what}")
            verdicts.append(Verdict(job, what, int(truth[what]), float(row[what]), *band, doubts))
    return verdicts


def verdict_of(each):
    if each.found == each.truth:
        return "exact"
    if each.lower <= each.truth <= each.upper and each.lower < each.upper:
        return "in band"
    return "too low" if each.truth > each.upper else "too high"


def insist(verdicts):
    """What the definitions promise, by what is said against an amount."""
    sure = unsure = outside = 0
    for each in verdicts:
        alone, verdict = each.lower == each.upper, verdict_of(each)
        inside = verdict in ("exact", "in band")
        if not each.doubts:
            expect(verdict == "exact" if alone else inside, f"nothing is said against it, but: {each}")
            sure += alone
        if "clock" not in each.doubts:
            expect(each.lower <= each.truth, f"below the lower end of its band: {each}")
        if not {"reset", "gap", "coverage"} & set(each.doubts):  # nothing that the program could know
            unsure += 1
            outside += not inside
    expect(sure >= 20 and unsure >= 1000, f"only {sure} amounts without neighbours and {unsure} in all that can be judged")
    expect(outside <= 0.01 * unsure, f"{outside} of {unsure} amounts that are fully measured are outside their band")
    say(f"fully measured: {unsure - outside} of {unsure} amounts are exact or within their band, {sure} of {sure} without a neighbour and a clock's doubt are exact")


def print_classes(verdicts):
    counts = collections.Counter(("alone" if each.lower == each.upper else "shared", ", ".join(each.doubts) or "none", verdict_of(each)) for each in verdicts)
    for (who, doubts, verdict), count in sorted(counts.items()):
        print(f"    {who:<7}{verdict:<9}{count:>6}  doubts: {doubts}")
    for each in [each for each in verdicts if verdict_of(each).startswith("too")][:40]:
        print(f"    {verdict_of(each)}: {each}")


def print_errors(verdicts, jobs):
    """How far `weighted` is off, by run time: the share of a job in its boundary increments is what it gets wrong."""
    groups = collections.defaultdict(list)
    for each in verdicts:
        length = (jobs[each.job]["finish"] - jobs[each.job]["begin"]) / SECOND
        if each.truth > 0 and each.what.endswith("bytes"):
            groups["below 10 min" if length < 600 else "10 min to 1 h" if length < 3600 else "1 h or more"].append(each)
    for name, group in sorted(groups.items()):
        errors = sorted(abs(each.found - each.truth) / each.truth for each in group)
        median, most = (errors[math.ceil(share * len(errors)) - 1] for share in (0.5, 0.8))
        wrong = sum(abs(each.found - each.truth) for each in group) / sum(each.truth for each in group)
        near = sum(error <= 0.01 for error in errors) / len(errors)
        print(f"    jobs of {name:<14}{len(errors):>5} volumes: off by 1 % or less: {near:.1%}; median {median:.2%}, 80 % value {most:.2%}; of all bytes {wrong:.2%} wrong")


def compare_volumes(machine, store):
    verdicts = judge(machine, *(criteria(store, link) for link in ("weighted", "discard", "double-count")))
    say(f"{len(verdicts)} amounts (bytes and operations, read and written) of {len(verdicts) // len(AMOUNTS)} complete jobs")
    print_classes(verdicts)
    print_errors(verdicts, machine.jobs)
    insist(verdicts)


if __name__ == "__main__":
    with scratch() as folder:
        days = 2 if long_run else 0.25
        logs, store = synth(folder / "logs", "jugene", "--days", days, "--seed", 1), folder / "store"
        run("ingest", store, logs, "--servers", "exclusive")
        machine = Machine(logs)
        say(f"jugene, {days} days: {len(machine.jobs)} jobs, {sum(len(s) for by in machine.samples.values() for s in by.values())} samples")
        compare_volumes(machine, store)
        compare_activity(machine, criteria(store, "weighted"), 400 if long_run else 100)
