# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: running a command, its time and its memory; and what they tell `tools/bench`, which makes one table of it."""
import json
import os
import subprocess
import sys
import threading
import time


def peak_anonymous(process):
    """Highest RssAnon (bytes) of a process, sampled every 5 ms until it ends."""
    peak = 0
    while process.poll() is None:
        try:
            for line in open(f"/proc/{process.pid}/status"):
                if line.startswith("RssAnon:"):
                    peak = max(peak, int(line.split()[1]) * 1024)
        except OSError:
            pass
        time.sleep(0.005)
    return peak


def run(command, cores=None):
    """Wall seconds, processor seconds and peak RssAnon of a command."""
    if cores is not None:
        command = ["taskset", "-c", cores, *command]
    before = os.times()
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = [0]
    watcher = threading.Thread(target=lambda: peak.__setitem__(0, peak_anonymous(process)))
    watcher.start()
    process.wait()
    wall = time.monotonic() - begin
    watcher.join()
    after = os.times()
    if process.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))} failed with {process.returncode}")
    return wall, after.children_user - before.children_user + after.children_system - before.children_system, peak[0]


def best(results, what):
    return min(result[what] for result in results)


def tell(**found):
    """One line for tools/bench, where it listens."""
    if (path := os.environ.get("FATHOM_BENCH_ROWS")) is not None:
        with open(path, "a") as out:
            out.write(json.dumps(found) + "\n")


def row(what, seen, compared="", limit="", met=None):
    """A row of the table of all benchmarks: what was measured, what was seen, what it is compared with, the limit and whether it holds."""
    tell(kind="row", what=what, seen=seen, compared=compared, limit=limit, met=met)


def growth(what, size_unit, cost_unit, points):
    """How cost grows with size: points of (size, cost), smallest first. Says so in one line; within 1 a doubling of the size doubles the cost."""
    tell(kind="growth", what=what, size_unit=size_unit, cost_unit=cost_unit, points=points)
    each = [cost / size for size, cost in points]
    print(f"{what}: " + ", ".join(f"{cost:.3g} {cost_unit} for {size:,.4g} {size_unit}" for size, cost in points) + f"; cost of one within {max(each) / min(each) - 1:.0%}")


def conclude(verdicts):
    """Prints which limits hold, and ends the program: 1 if one does not."""
    for what, met in verdicts.items():
        print(f"{'met' if met else 'NOT MET':8}{what}")
    sys.exit(0 if all(verdicts.values()) else 1)
