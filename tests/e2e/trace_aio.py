# SPDX-License-Identifier: Apache-2.0
"""Asynchronous calls under the tracer: what is queued, and the bytes inside the call by which the program learns that they moved."""
from traced import *


def inside(rows, parent, call):
    """(offset, asked, moved) of the transfers in calls of one name."""
    return [row.what()[1:] for each in rows if each.call == parent for row in each.calls(call)]


def posix_and_libaio(folder):
    program = build("gcc", "aio_io.c", folder / "aio_io", after=["-laio", "-lrt"])
    rows = [row for row in traced(folder, [program, folder / "data"]) if row.file == "data"]
    names = [row.call for row in rows if row.parent is None and row.call != "aio_suspend"]
    wanted = ["open", "aio_write", "aio_return", "aio_read", "aio_return", "lio_listio", "aio_return", "aio_return", "io_submit"]
    expect_equal(names[:len(wanted)], wanted, "calls in order")
    expect_equal(inside(rows, "aio_return", "aio.write"), [(0, 10000, 10000), (20000, 10000, 10000)], "aio_write")
    expect_equal(inside(rows, "aio_return", "aio.read"), [(6000, 10000, 4000), (0, 10000, 10000)], "aio_read")
    expect_equal(inside(rows, "io_getevents", "aio.write"), [(0, 4096, 4096), (40000, 4000, 4000)], "libaio's writes")
    expect_equal(inside(rows, "io_getevents", "aio.read"), [(28000, 8192, 2000)], "libaio's reads")
    expect_equal([row.result for row in rows if row.call == "io_submit"], [2, 1], "requests taken by io_submit")
    say("aio_read, aio_write, lio_listio; io_submit and io_getevents as functions and by number")


def by_uring(folder):
    if not pathlib.Path("/usr/include/liburing.h").exists():
        return left_out("io_uring: there is no liburing")
    program = build("gcc", "uring_io.c", folder / "uring_io", after=["-luring"])
    if subprocess.run([program, folder / "data"], capture_output=True).returncode == 77:
        return left_out("io_uring: this kernel does not let programs use it")
    rows = traced(folder, [program, folder / "data"])
    moved = lambda call: sorted(row.what()[1:] for row in rows if row.call == call)
    expect_equal(moved("aio.write"), [(i * 4096, 4096, 4096) for i in range(8)], "io_uring's writes")
    expect_equal(moved("aio.read"), [(i * 4096 + 100, 4096, 4096 - (100 if i == 7 else 0)) for i in range(8)], "io_uring's reads")
    expect_equal({row.file for row in rows if row.call.startswith("aio.")}, {"data"}, "file of io_uring's requests")
    say("io_uring through liburing")


def by_fio(folder):
    if shutil.which("fio") is None:
        return left_out("asynchronous calls of fio: it is not installed")
    words = ["--name=job", "--iodepth=8", "--rw=randwrite", "--bs=4k", "--size=4m", "--randseed=7", f"--filename={folder / 'data'}", "--output=/dev/null"]
    for engine, parent in (("libaio", "io_getevents"), ("posixaio", "aio_return")):
        rows = traced(folder, ["fio", f"--ioengine={engine}", *words])
        blocks = sorted(row.what()[1:] for row in rows if row.call == "aio.write" and row.file == "data")
        expect_equal(blocks, [(i * 4096, 4096, 4096) for i in range(1024)], f"fio --ioengine={engine}: every block once")
        expect_equal({rows[row.parent].call for row in rows if row.call == "aio.write"}, {parent}, f"fio --ioengine={engine}: where transfers are told")
    say("fio with libaio and with POSIX calls: 1,024 blocks, each once")


with scratch() as folder:
    for check in (posix_and_libaio, by_uring, by_fio):
        check(folder)
