# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one's own: a controller and some nodes, for as long as a `with` block lasts. Only inside a private machine.

    private_machine.enter()
    with SlurmCluster(nodes=2) as slurm:
        slurm.run("srun", "-N", "2", "hostname")
        job = slurm.submit("sleep 60", "--hold")
        slurm.run("scontrol", "release", job)
        slurm.wait_for(job, "RUNNING")

Each node is a slurmd with a host name and a /dev/shm of its own. Only with accounting=True there is a sacct; `scontrol show job` keeps ended jobs anyway.
"""
import contextlib
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time

import private_machine
import slurm_accounting

PROGRAMS = ("munged", "munge", "slurmctld", "slurmd", "srun", "sbatch", "scontrol", "sinfo", "scancel")
LONGEST_START = 30  # seconds, for each server
LONGEST_END = 5     # until a server that was told to end is killed
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")


def possible():
    """None, or why there can be no Slurm here."""
    private_machine.add_server_folders()
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"not installed: {', '.join(missing)}" if missing else private_machine.possible()


class SlurmCluster:
    def __init__(self, nodes=2, cpus=4, accounting=False, plugin=None, **settings):
        """`plugin` is the text of a job_submit.lua. `settings` are lines of slurm.conf, instead of those below or added to them."""
        self.nodes = [f"n{number}" for number in range(1, nodes + 1)]
        self.cpus, self.accounting, self.plugin = cpus, accounting, plugin
        self.settings = ({"JobSubmitPlugins": "lua"} if plugin else {}) | settings
        self.servers = {}  # name -> process, in the order of starting

    # --- its life -----------------------------------------------------------------------------------------------

    def __enter__(self):
        assert private_machine.inside(), "servers are started in a private machine only"
        with contextlib.ExitStack() as undo:
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm-"))
            undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            undo.callback(self.stop)
            self.start()
            self.undo = undo.pop_all()
        return self

    def __exit__(self, *_):
        self.undo.close()

    def start(self):
        for name in ("state", "spool", "log", "tmp"):
            (self.folder / name).mkdir()
        self.write_settings()
        if self.plugin:
            (self.folder / "job_submit.lua").write_text(self.plugin)
        self.start_munge()
        if self.accounting:
            slurm_accounting.start(self)
        self.start_controller()
        for node in self.nodes:
            private_machine.add_host(node)
            (self.folder / "tmp" / node).mkdir()
            own = f"hostname {node} && mount -t tmpfs -o mode=1777 none /dev/shm && exec slurmd -D -N {node}"
            self.serve(f"slurmd-{node}", "unshare", "--uts", "--mount", "sh", "-c", own)
        self.wait_until_idle()

    def start_controller(self):
        self.serve("slurmctld", "slurmctld", "-D")
        self.wait_until("the controller answers", lambda: self.run("scontrol", "ping", exit_code=None).returncode == 0)

    def kill_controller(self):
        """As if it crashed; its state stays. `start_controller` goes on from there."""
        server = self.servers.pop("slurmctld")
        server.kill()
        server.wait()

    def start_munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        self.folder.chmod(0o755)
        socket = self.folder / "munge.socket"
        self.serve("munged", "munged", "--foreground", f"--key-file={key}", f"--socket={socket}", f"--pid-file={self.folder}/munged.pid",
                   f"--seed-file={self.folder}/munge.seed", "--num-threads=4")
        self.wait_until("munge answers", lambda: subprocess.run(["munge", "-n", "-S", socket], capture_output=True).returncode == 0)

    def serve(self, name, *words):
        with open(self.folder / "log" / name, "a") as output:
            # Not in the terminal's group: Ctrl-C ends the test, and the test ends them.
            self.servers[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment(), start_new_session=True)

    def stop(self):
        """Jobs first, then every server by its process id, the last started first."""
        if "slurmctld" in self.servers:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.run("scancel", "--full", "--me", exit_code=None, timeout=LONGEST_END)
        for name in reversed(self.servers):
            server = self.servers[name]
            server.terminate()
            try:
                server.wait(LONGEST_END)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        self.servers.clear()
        for step in steps_left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(step, signal.SIGKILL)

    # --- its settings ---------------------------------------------------------------------------------------------

    def write_settings(self):
        f = self.folder
        settings = {
            "ClusterName": "live", "SlurmctldHost": f"{private_machine.NAME}(127.0.0.1)", "SlurmUser": "root", "SlurmdUser": "root",
            "AuthType": "auth/munge", "AuthInfo": f"socket={f}/munge.socket", "CredType": "cred/munge",
            "StateSaveLocation": f / "state", "SlurmdSpoolDir": f / "spool/%n", "TmpFS": f / "tmp/%n",
            "SlurmctldPidFile": f / "slurmctld.pid", "SlurmdPidFile": f / "slurmd-%n.pid",
            # Neither cgroups nor accounting: both want more of a machine than a test may.
            "ProctrackType": "proctrack/linuxproc", "TaskPlugin": "task/none", "JobAcctGatherType": "jobacct_gather/none",
            "AccountingStorageType": "accounting_storage/none", "SlurmdParameters": "config_overrides", "ReturnToService": "2",
            "SelectType": "select/cons_tres", "SelectTypeParameters": "CR_Core", "MpiDefault": "none",
            # Released and submitted jobs start at once, and ended ones can be asked about.
            "SchedulerParameters": "batch_sched_delay=0,sched_min_interval=0,sched_interval=1,bf_interval=1", "MinJobAge": "3600", "KillWait": "2",
            **(slurm_accounting.settings(f) if self.accounting else {}), **self.settings}
        lines = [f"{key}={value}" for key, value in settings.items() if value is not None]
        for number, node in enumerate(self.nodes):
            lines.append(f"NodeName={node} NodeHostname={node} NodeAddr=127.0.0.1 Port={6820 + number} CPUs={self.cpus} RealMemory=1000 State=UNKNOWN")
        lines.append("PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        (f / "slurm.conf").write_text("\n".join(lines) + "\n")
        (f / "cgroup.conf").write_text("CgroupAutomount=no\n")

    def configure(self, **settings):
        """Changes lines of slurm.conf (None takes one away) and makes all servers read it again."""
        self.settings |= settings
        self.write_settings()
        self.run("scontrol", "reconfigure")

    # --- its users ------------------------------------------------------------------------------------------------

    def environment(self):
        return {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")} | {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def run(self, *words, exit_code=0, timeout=60, **variables):
        """Runs a command that talks to this Slurm, and insists on its exit code unless that is None."""
        words = [str(word) for word in words]
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout, env=self.environment() | variables)
        if exit_code is not None and done.returncode != exit_code:
            raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}\n{self.complaints()}")
        return done

    def submit(self, script, *options, **variables):
        """A batch job of this shell text; its number, as text."""
        path = self.folder / f"job-{time.monotonic_ns()}.sh"
        path.write_text(f"#!/bin/sh\n{script}\n")
        done = self.run("sbatch", "--parsable", f"--output={self.folder}/log/job-%j", *options, path, **variables)
        return done.stdout.strip()

    def output(self, job):
        return (self.folder / "log" / f"job-{job}").read_text()

    def jobs(self, *which):
        """What `scontrol show job` says of all jobs or of one, each a dictionary of text. Times are in UTC."""
        lines = self.run("scontrol", "show", "job", "--oneliner", *which, TZ="UTC").stdout.splitlines()
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines if "JobId=" in line]

    def job(self, job):
        return self.jobs(job)[0]

    def wait_for(self, job, *states, longest=60):
        """Until the job is in one of these states, by default any in which it has ended; gives that state."""
        states = states or ENDED
        self.wait_until(f"job {job} is {' or '.join(states)}", lambda: self.state(job) in states, longest)
        return self.state(job)

    def state(self, job):
        """Without its name, which may be any text."""
        return self.run("squeue", "--noheader", "--states=all", f"--jobs={job}", "--format=%T", exit_code=None).stdout.strip()

    def wait_until_idle(self):
        """Until nothing is left of any job on the nodes."""
        states = lambda: self.run("sinfo", "--noheader", "--Node", "--format=%T", exit_code=None).stdout.split()
        self.wait_until("all nodes are idle", lambda: states() == ["idle"] * len(self.nodes))

    # --- waiting ----------------------------------------------------------------------------------------------------

    def wait_until(self, what, true, longest=LONGEST_START):
        end = time.monotonic() + longest
        while not true():
            ended = [name for name, server in self.servers.items() if server.poll() is not None]
            if ended or time.monotonic() > end:
                why = f"{', '.join(ended)} ended" if ended else f"not within {longest} s"
                raise RuntimeError(f"waiting until {what}: {why}\n{self.complaints()}")
            time.sleep(0.05)

    def complaints(self):
        """The ends of all logs."""
        logs = sorted((self.folder / "log").iterdir())
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-1000:]}" for log in logs)


def steps_left():
    """Process ids of slurmstepds, which outlive their slurmd; whoever asks is in a private machine, so there are no others' among them."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and re.match(r"\d+ \(slurmstepd\) [^Z]", (entry / "stat").read_text()):
                found.append(int(entry.name))
    return found
