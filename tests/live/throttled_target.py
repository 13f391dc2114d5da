# SPDX-License-Identifier: Apache-2.0
"""A storage target that is slow on purpose: a folder whose writes reach its disk at a given rate and no faster. Only inside a private machine.

    private_machine.enter()
    with ThrottledTarget(20e6) as target:  # bytes per second
        write_to(target.folder)
        target.limit(None)                 # as fast as it can

The disk is a loop device on a file in memory, and the kernel's block throttle (cgroup v1, blkio) delays what is written to it: O_DIRECT writes
themselves, others when they are written back (fsync). Reads are not delayed.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import private_machine

RULES = pathlib.Path("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device")
LOOP_MAJOR = 7
SECTOR = 512


def possible():
    """None, or why writes cannot be throttled here."""
    private_machine.add_server_folders()
    missing = [program for program in ("mkfs.ext4", "mount", "umount") if shutil.which(program) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if reason := private_machine.possible():
        return reason
    if not os.access(RULES, os.W_OK):
        return f"there is no {RULES} (block throttling of cgroup v1)"
    return None if os.path.exists("/dev/loop-control") else "there are no loop devices"


class ThrottledTarget:
    def __init__(self, bytes_per_second, size=256 << 20, journal=False):
        self.rate, self.size, self.journal = bytes_per_second, size, journal

    def __enter__(self):
        assert private_machine.inside(), "disks are mounted in a private machine only"
        clear_abandoned()
        with contextlib.ExitStack() as undo:
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="target-"))
            undo.callback(self.folder.rmdir)
            with tempfile.NamedTemporaryFile(prefix="disk-") as image:  # once mounted it needs no name
                image.truncate(self.size)
                # No journal, unless asked for, and nothing written later in the background: what the disk gets is what the test writes.
                subprocess.run(["mkfs.ext4", "-q", "-O", "has_journal" if self.journal else "^has_journal", "-E", "lazy_itable_init=0,root_owner=0:0", image.name], check=True)
                private_machine.mount("-o", "loop,noatime", image.name, self.folder)
            undo.callback(subprocess.run, ["umount", str(self.folder)], check=True)
            device = os.stat(self.folder).st_dev
            self.device = f"{os.major(device)}:{os.minor(device)}"
            undo.callback(self.limit, None)
            self.limit(self.rate)
            self.undo = undo.pop_all()
        return self

    def __exit__(self, *_):
        self.undo.close()

    def limit(self, bytes_per_second):
        """From now on; None is no limit."""
        RULES.write_text(f"{self.device} {int(bytes_per_second or 0)}\n")

    def written_bytes(self):
        """What the disk has got so far, as the kernel counts it."""
        return SECTOR * int(pathlib.Path(f"/sys/dev/block/{self.device}/stat").read_text().split()[6])


def clear_abandoned():
    """Takes limits off loop devices that nobody uses: a test that is killed frees its device, but not its limit."""
    for rule in RULES.read_text().splitlines():
        device = rule.split()[0]
        if device.startswith(f"{LOOP_MAJOR}:") and not os.path.exists(f"/sys/dev/block/{device}/loop"):
            RULES.write_text(f"{device} 0\n")
