# SPDX-License-Identifier: Apache-2.0
"""An application with checkpoints: computes, writes to all targets at once, and again. Its I/O time goes to a file, in seconds for each burst.

    periodic_writer.py RESULT COMPUTE_SECONDS BYTES_PER_TARGET BURSTS FOLDER...
"""
import mmap
import os
import pathlib
import sys
import threading
import time

BLOCK = 1 << 20

result, compute, amount, bursts, *folders = sys.argv[1:]
compute, amount, bursts = float(compute), int(amount), int(bursts)
block = mmap.mmap(-1, BLOCK)  # O_DIRECT wants whole pages
files = [os.open(pathlib.Path(folder) / f"data-{os.getpid()}", os.O_CREAT | os.O_WRONLY | os.O_DIRECT) for folder in folders]


def write(file):
    for offset in range(0, amount, BLOCK):
        os.pwrite(file, block, offset)


times = []
begin = time.time()
for _ in range(bursts):
    time.sleep(compute)
    start = time.monotonic()
    writers = [threading.Thread(target=write, args=(file,)) for file in files]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    times.append(time.monotonic() - start)
if not bursts:
    time.sleep(compute)
for file, folder in zip(files, folders):
    os.close(file)
    os.unlink(pathlib.Path(folder) / f"data-{os.getpid()}")
pathlib.Path(result).write_text(" ".join(f"{each:.4f}" for each in [begin, time.time(), *times]) + "\n")
