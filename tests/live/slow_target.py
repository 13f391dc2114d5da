# SPDX-License-Identifier: Apache-2.0
"""The throttled target keeps its promise: 40 MiB at 20 MB/s take about two seconds, and nothing of it is left, also after a failure."""
from live import *

import mmap

import throttled_target
from throttled_target import RULES, ThrottledTarget

enter_machine(throttled_target)

MIB = 1 << 20
AMOUNT, RATE = 40 * MIB, 20e6
WANTED = AMOUNT / RATE  # 2.097 s


def write(target, name, flags, sync):
    """Seconds until 40 MiB are on the disk, which must have got them all."""
    before = target.written_bytes()
    block = mmap.mmap(-1, MIB)  # O_DIRECT wants whole pages
    begin = time.monotonic()
    file = os.open(target.folder / name, os.O_CREAT | os.O_WRONLY | flags)
    for _ in range(AMOUNT // MIB):
        os.write(file, block)
    if sync:
        os.fsync(file)
    seconds = time.monotonic() - begin
    os.close(file)
    written = target.written_bytes() - before
    expect(AMOUNT <= written < AMOUNT + MIB, f"{name}: {AMOUNT} bytes were written, the disk got {written}")
    return seconds


def expect_nothing_left(folder):
    expect_equal(RULES.read_text(), rules_before, "limits")
    expect(not folder.exists(), f"{folder} is still there")
    expect(str(folder) not in pathlib.Path("/proc/mounts").read_text(), f"{folder} is still mounted")


throttled_target.clear_abandoned()
rules_before = RULES.read_text()
with ThrottledTarget(RATE) as target:
    for name, flags, sync in (("direct", os.O_DIRECT, False), ("fsync", 0, True)):
        seconds = write(target, name, flags, sync)
        expect(abs(seconds / WANTED - 1) < 0.25, f"{name}: 40 MiB at 20 MB/s took {seconds:.2f} s instead of {WANTED:.2f} s")
        say(f"{name}: 40 MiB at 20 MB/s in {seconds:.2f} s, {WANTED:.2f} s expected")
    target.limit(None)
    seconds = write(target, "unlimited", os.O_DIRECT, True)
    expect(seconds < WANTED / 2, f"without a limit 40 MiB took {seconds:.2f} s")
    say(f"without a limit in {seconds:.2f} s")
expect_nothing_left(target.folder)

with contextlib.suppress(ZeroDivisionError), ThrottledTarget(RATE) as target:
    (target.folder / "held").write_bytes(bytes(MIB))
    1 / 0
expect_nothing_left(target.folder)
say("nothing is left of it, also after a failure")
