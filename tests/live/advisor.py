# SPDX-License-Identifier: Apache-2.0
"""What live tests of advice share: disks whose load a test sets, a collector of their counters, the daemon, and a Slurm that asks it."""
import pathlib
import re
import signal
import subprocess
import threading
import time

from live import *

SECTOR = 512
ADVISER = {"user": 990, "group": 990, "extra_groups": []}  # whom daemons run as where Slurm has made it an operator


class SetDisks:
    """Four files like /sys/block/*/stat that count on by themselves at the rate that a test sets."""

    def __init__(self, folder):
        self.root, self.rate, self.written, self.ends = folder, 0.0, 0.0, threading.Event()
        for disk in range(1, 5):
            (folder / f"d{disk}").mkdir(parents=True)
        self.write()
        self.thread = threading.Thread(target=self.count, daemon=True)
        self.thread.start()

    def write(self):
        for disk in range(1, 5):
            stat = self.root / f"d{disk}" / "stat"
            (self.root / f"d{disk}" / "stat.new").write_text(f"0 0 0 0 {int(self.written / 65536)} 0 {int(self.written / SECTOR)} 0 0 0 0\n")
            (self.root / f"d{disk}" / "stat.new").rename(stat)

    def count(self):
        """Until it is told to end, or its folder is gone."""
        last = time.monotonic()
        while not self.ends.wait(0.1):
            now = time.monotonic()
            self.written += self.rate * (now - last)
            last = now
            with contextlib.suppress(FileNotFoundError):
                self.write()

    def set(self, bytes_per_second):
        self.rate = bytes_per_second

    def end(self):
        self.ends.set()
        self.thread.join()


class Program:
    """A fathom that runs until it is told to end; what it says is kept."""

    def __init__(self, log, *words, environment=None, identity=None):
        self.log, self.words, self.environment, self.identity = pathlib.Path(log), [fathom, *map(str, words)], environment, identity or {}
        self.start()

    def start(self):
        with open(self.log, "a") as output:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment, start_new_session=True, **self.identity)

    def said(self):
        return self.log.read_text(errors="replace")

    def running(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """As systemd would; it must end well."""
        if self.running():
            self.process.send_signal(signal.SIGTERM)
        expect_equal(self.process.wait(timeout=60), 0, f"exit code of {' '.join(self.words)}\n{self.said()[-2000:]}")


def collector(folder, store, *sources, interval=0.5, flush=1, name="collector", options=(), identity=None):
    return Program(folder / f"{name}.log", "collect", *sources, "--store", store, "--interval", interval, "--flush", flush, "--host", "login", *options, identity=identity)


def daemon(slurm, folder, store, weights, *options, name="daemon", poll=0.5, lease=6, max_delay=20, stale=8, learn_every=0, identity=None):
    return Program(folder / f"{name}.log", "advise", store, "--slurm", "--state", folder / "state", "--weights", weights, "--poll", poll, "--lease", lease,
                   "--max-delay", max_delay, "--stale", stale, "--learn-every", learn_every, *options, environment=slurm.environment(), identity=identity)


def install_plugin(folder, state):
    """The files of share/slurm as `make install` would leave them, in which only the folders are others."""
    made = folder / "plugin"
    made.mkdir()
    text = (project / "share" / "slurm" / "fathom_advice.lua").read_text()
    expect('"/var/lib/fathom/slurm/applications"' in text, "fathom_advice.lua: the place of the list")
    (made / "fathom_advice.lua").write_text(text.replace("/var/lib/fathom/slurm/applications", f"{state}/applications"))
    text = (project / "share" / "slurm" / "job_submit.lua").read_text()
    expect("@CMAKE_INSTALL_PREFIX@/share/fathom/slurm/" in text, "job_submit.lua: where it was installed")
    return text.replace("@CMAKE_INSTALL_PREFIX@/share/fathom/slurm", str(made))


def note(slurm, job):
    found = re.findall(r"\n   AdminComment=(.*)", slurm.run("scontrol", "show", "job", job).stdout)
    return found[-1].strip() if found else ""


def started(slurm, job):
    """Seconds from submission to start, by Slurm's clock."""
    text = slurm.run("squeue", "--noheader", "--states=all", f"--jobs={job}", "--format=%V %S", SLURM_TIME_FORMAT="%s").stdout.split()
    return int(text[1]) - int(text[0])
