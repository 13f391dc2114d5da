# SPDX-License-Identifier: Apache-2.0
"""Made tests/kept/memory-1/left.memory.gz: what a traced process that was killed together with `fathom run` leaves in memory. memory_1.py FATHOM TARGET (root: the host is named node1)

`end_badly FOLDER pause 20 1` writes 8 bytes 20 times into one file and waits to be killed.
"""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import time

if "FATHOM_KEPT" not in os.environ:
    os.execvpe("unshare", ["unshare", "--uts", sys.executable, *sys.argv], os.environ | {"FATHOM_KEPT": "1"})
subprocess.run(["hostname", "node1"], check=True)
fathom, target = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
source = pathlib.Path(__file__).resolve().parents[1] / "programs/end_badly.c"
folder = pathlib.Path("/tmp/kept")
folder.mkdir()
subprocess.run(["gcc", "-O2", "-pthread", source, "-o", folder / "end_badly"], check=True)
os.chdir(folder)
before = set(pathlib.Path("/dev/shm").glob("fathom-*/*"))
running = subprocess.Popen([fathom, "run", "-o", "/tmp/kept/trace", "--", "./end_badly", "/tmp/kept", "pause", "20", "1"], env={"PATH": os.environ["PATH"]})
time.sleep(1)
victim = int(subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, text=True, check=True).stdout)
running.kill()
running.wait()
os.kill(victim, 9)
time.sleep(0.2)
(left,) = [path for path in set(pathlib.Path("/dev/shm").glob(f"fathom-{os.getuid()}-*/*")) - before if path.stat().st_size >= 16384]
target.write_bytes(gzip.compress(left.read_bytes(), 9, mtime=0))
shutil.rmtree(left.parent)
shutil.rmtree(folder)
