# SPDX-License-Identifier: Apache-2.0
"""Writes the logs of which tests/kept/store-1 was made: three hours of two GPFS nodes, a Lustre OST and an MDT, and three jobs. store_1_logs.py FOLDER

Nothing is by chance: amounts are simple functions of the time.
"""
import pathlib
import sys

START = 1_700_006_400  # 2023-11-15 00:00 UTC
STEP, SAMPLES = 120, 90
NODES = ("ion1", "ion2")


def mmpmon(node, sample):
    t, n = START + STEP * sample, sample * (1 + NODES.index(node))
    opens = (2**32 - 100 + 7 * n) % 2**32  # wraps
    return (f"_fs_io_s_ _n_ 10.0.0.{1 + NODES.index(node)} _nn_ {node} _rc_ 0 _t_ {t} _tu_ 0 _cl_ gpfs.site _fs_ work _d_ 4 _br_ {10**9 + 4096 * n * n} "
            f"_bw_ {5 * 10**8 + 10**6 * n} _oc_ {opens} _cc_ {1000 + 6 * n} _rdc_ {2000 + 3 * n} _wc_ {3000 + n} _dir_ {40 + n} _iu_ {50 + 2 * n}\n")


def lustre(sample):
    t = START + STEP * sample
    return (f"obdfilter.fs-OST0000.stats=\nsnapshot_time {t}.000000 secs.usecs\nread_bytes {sample} samples [bytes] 1 1048576 {sample * 10**6}\n"
            f"write_bytes {2 * sample} samples [bytes] 1 1048576 {sample * 2 * 10**6}\n"
            f"mdt.fs-MDT0000.md_stats=\nsnapshot_time {t}.000000 secs.usecs\nopen {5 * sample} samples [reqs]\nclose {4 * sample} samples [reqs]\ngetattr {100 * sample} samples [reqs]\n")


def write(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mmpmon.txt").write_text("".join(mmpmon(node, sample) for sample in range(SAMPLES) for node in NODES))
    (folder / "lustre.txt").write_text("".join(lustre(sample) for sample in range(SAMPLES)))
    (folder / "jobs.csv").write_text("job_id,user,name,nodes,start,end,servers\n" + "".join(
        f"{number},ada,app{number},2,{START + begin},{START + end},{servers}\n"
        for number, begin, end, servers in ((1, 600, 4300, "ion1;ion2"), (2, 4300, 7777, "ion1"), (3, 1200, 9600, "fs-OST0000;fs-MDT0000"))))


if __name__ == "__main__":
    write(sys.argv[1])
