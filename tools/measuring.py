# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: running a command, its time and its memory."""
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
