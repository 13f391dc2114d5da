# SPDX-License-Identifier: Apache-2.0
"""A live test that is interrupted or killed leaves no process, no mount and no folder behind."""
from live import *

import slurm_cluster
import throttled_target


def with_everything():
    """What the test below ends: a Slurm with a running job, and a throttled target if there can be one."""
    enter_machine(slurm_cluster)
    with contextlib.ExitStack() as all_of_it:
        slurm = all_of_it.enter_context(slurm_cluster.SlurmCluster(nodes=1))
        if throttled_target.possible() is None:
            all_of_it.enter_context(throttled_target.ThrottledTarget(1e6))
        slurm.wait_for(slurm.submit("srun sleep 1000"), "RUNNING")
        print("up", os.readlink("/proc/self/ns/net"), os.environ[private_machine.FOLDER], flush=True)
        time.sleep(1000)


def living_in(network):
    """Process ids, by the network that only they have; zombies have none."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{process}/ns/net") == network:
                found.append(int(process))
    return found


def wait_until(true, what):
    end = time.monotonic() + 10
    while not true():
        expect(time.monotonic() < end, what)
        time.sleep(0.05)


def limits():
    """Of disks, without those of devices that are free again."""
    if throttled_target.possible() is not None:
        return ""
    throttled_target.clear_abandoned()
    return throttled_target.RULES.read_text()


def ended(how, folder_stays):
    limits_before = limits()
    running = subprocess.Popen([*sys.orig_argv, "--everything"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    words = running.stdout.readline().split()
    expect_equal(words[:1], ["up"], f"what the test said first: {words}")
    network, folder = words[1:]
    expect(len(living_in(network)) > 5, "too few processes are running")
    how(running)
    running.wait(timeout=30)
    wait_until(lambda: not living_in(network), f"processes left: {living_in(network)}")
    wait_until(lambda: limits() == limits_before, f"limits left: {limits()}")
    if folder_stays:
        os.rmdir(folder)  # the mount on it is gone: it is empty
    expect(not os.path.exists(folder), f"{folder} is still there")


if "--everything" in sys.argv:
    with_everything()
if reason := slurm_cluster.possible():
    skip(f"no slurm cluster: {reason}")
ended(lambda running: os.killpg(running.pid, signal.SIGINT), folder_stays=False)
say("Ctrl-C: nothing is left")
ended(lambda running: running.kill(), folder_stays=True)
say("SIGKILL: nothing is left but an empty folder")
