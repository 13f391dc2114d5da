# SPDX-License-Identifier: Apache-2.0
"""Files of every format of our own, as they were written once (tests/kept): still read, with the same numbers; and those of another version refused, both versions named."""
import ctypes
import ctypes.util
import re
import struct

from fathom_e2e import *

kept = project / "tests/kept"
HEADER = struct.Struct("<IBBHIIQIIQIIQQQQ")  # of a block, as docs/trace-format.md says; the checksum is last
VERSION_AT, CHECKSUM_AT = 5, 72


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def copied(folder, name):
    target = folder / name
    if (kept / name).is_dir():
        shutil.copytree(kept / name, target)
    else:
        shutil.copy(kept / name, target)
    return target


def checksum(block):
    """XXH3 of the payload, with that of the header (checksum zero) as its seed."""
    library = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
    library.XXH3_64bits.restype = library.XXH3_64bits_withSeed.restype = ctypes.c_uint64
    head = block[:CHECKSUM_AT] + bytes(8)
    seed = library.XXH3_64bits(head, ctypes.c_size_t(HEADER.size))
    return library.XXH3_64bits_withSeed(block[HEADER.size :], ctypes.c_size_t(len(block) - HEADER.size), ctypes.c_uint64(seed))


def with_version(bytes_of_file, version, every=True):
    """The same blocks under another version, each with its checksum; without `every` the last one alone."""
    blocks, at = [], 0
    while at < len(bytes_of_file):
        payload = HEADER.unpack_from(bytes_of_file, at)[4]
        blocks.append(bytes_of_file[at : at + HEADER.size + payload])
        expect_equal(checksum(blocks[-1]), HEADER.unpack_from(blocks[-1])[-1], "checksum of a kept block")
        at += HEADER.size + payload
    for i in range(0 if every else len(blocks) - 1, len(blocks)):
        changed = blocks[i][:VERSION_AT] + bytes([version]) + blocks[i][VERSION_AT + 1 :]
        blocks[i] = changed[:CHECKSUM_AT] + struct.pack("<Q", checksum(changed)) + changed[HEADER.size :]
    return b"".join(blocks)


def trace(folder):
    """`slices FOLDER steady 20 1000 1000`: 20 writes of 1000 bytes, then 20 reads of as much, one open and one close."""
    source = kept / "trace-2"
    calls = rows("trace", "events", source)
    names = [row["call"] for row in calls]
    expect_equal((names.count("write"), names.count("read"), names.count("open") + names.count("openat")), (20, 20, 1), "calls of the kept trace")
    expect_equal(sum(int(row["bytes"]) for row in calls if row["call"] in ("write", "read")), 40_000, "its bytes")
    slices = rows("slices", source)
    expect_equal((sum(float(row["write_bytes"]) for row in slices), sum(float(row["read_bytes"]) for row in slices)), (20_000.0, 20_000.0), "bytes of its slices")

    other = copied(folder, "trace-2")
    file = next(other.glob("*.fathom"))
    whole = file.read_bytes()
    file.write_bytes(with_version(whole, 2))
    expect_equal(file.read_bytes(), whole, "blocks with their own version, put together again")
    for version in (1, 3):
        file.write_bytes(with_version(whole, version))
        for command in (("trace", "summary"), ("slices",)):
            refused(*command, other, naming=[other, f"format {version}", "knows format 2"])
    file.write_bytes(with_version(whole, 3, every=False))
    done = run("trace", "summary", other)
    expect("it has format 3, this program knows format 2" in done.stdout + done.stderr, f"one block of another version is told:\n{done.stdout}{done.stderr}")
    say("trace and slices: format 2 is read, 1 and 3 are refused")


def truth(folder):
    """`fathom bench --tasks 2 --size 1K --count 3`: 2 tasks, each 3 writes and 3 reads of 1 KiB."""
    scenario = folder / "machine.toml"
    scenario.write_text("[[io_nodes]]\ncompute_nodes = 2\n")
    completions = folder / "completions.csv"
    run("simulate", scenario, "--bench", kept / "truth-1.csv", "--completions", completions)
    found = read_csv(completions)
    expect_equal((len(found), sum(int(row["bytes"]) for row in found)), (12, 12 * 1024), "requests of the kept truth file")
    other = copied(folder, "truth-1.csv")
    other.write_text(other.read_text().replace("bench truth 1\n", "bench truth 2\n", 1))
    refused("simulate", scenario, "--bench", other, naming=["format 2", "knows format 1", f"{other}:1"])
    say("truth of the benchmark: format 1 is read, 2 is refused")


def weights(folder):
    store = folder / "store"
    (folder / "counters.csv").write_text("t,server,read_bytes,write_bytes\n" + "".join(f"{1_700_000_000 + 60 * i},oss1,{i * 600_000_000},0\n" for i in range(30)))
    ingest(store, folder / "counters.csv")
    with_kept = json.loads(run("load", store, "--weights", kept / "weights-1.toml", "--format", "json").stdout)
    expect(len(with_kept) > 0, "load with the kept weights")
    # Its training runs took 1 + 2 x (share of time in the second band of 100 MB/s) times as long as alone: weights 1 and 3. Here 10 MB/s all the time.
    expect(abs(with_kept[0]["score"] - 1) < 1e-9, f"score {with_kept[0]['score']} in the first band")
    other = copied(folder, "weights-1.toml")
    text = other.read_text()
    other.write_text(text.replace("format = 1\n", "format = 2\n", 1))
    refused("load", store, "--weights", other, naming=["format 2", "knows format 1", f"{other}:"])
    other.write_text(text.replace("format = 1\n", "", 1))  # as before it was said
    expect_equal(json.loads(run("load", store, "--weights", other, "--format", "json").stdout), with_kept, "load with weights that say no format")
    say("weights: format 1 is read, and none; 2 is refused")


def daemon(folder):
    """What is remembered of jobs is read before Slurm is asked anything; that it is read well is a unit test (SlurmMemory, Decisions)."""
    store, state = folder / "store", folder / "state"
    shutil.copytree(kept / "daemon", state)
    text = (state / "jobs").read_text()
    (state / "jobs").write_text(text.replace("fathom jobs 1", "fathom jobs 2", 1))
    refused("advise", store, "--slurm", "--once", "--state", state, naming=["format 2", "knows format 1", f"{state}/jobs:1"])
    expect_equal((state / "jobs").read_text().splitlines()[0], "# fathom jobs 2", "what was refused stays as it is")
    say("memory of the daemon: format 2 is refused")


def memory(folder):
    """What `end_badly FOLDER pause 20 1` left in memory when it was killed: an open, then 20 writes of 8 bytes."""
    packed = kept / "memory-1/left.memory.gz"
    place = folder / "memory"
    place.mkdir()
    whole = gzip.decompress(packed.read_bytes())
    file = place / "left.memory"
    file.write_bytes(whole)
    calls = [(row["call"], row["offset"], row["bytes"]) for row in rows("trace", "events", place)]
    expect_equal(calls, [("open", "", "")] + [("pwrite", "0", "8")] * 20, "calls of the kept memory file")
    expect_equal(sum(float(row["write_bytes"]) for row in rows("slices", place)), 160.0, "bytes of its slices")
    expect_equal(struct.unpack_from("<4sI", whole), (b"FTMM", 1), "magic and format of the memory file")
    for version in (0, 2):
        file.write_bytes(whole[:4] + struct.pack("<I", version) + whole[8:])
        for command in (("trace", "summary"), ("slices",)):
            refused(*command, place, naming=["left.memory", f"it has format {version}, this program knows format 1"])
    say("memory of a traced process: format 1 is read, 0 and 2 are refused")


def stores():
    """One of every format a store has had, all of the same logs (store_1_logs.py): the same numbers."""
    current = {what: int(found) for what, found in re.findall(r"(stores|traces) of format (\d+)", run("--version").stdout)}
    expect((kept / f"trace-{current['traces']}").is_dir(), f"no trace of format {current['traces']} is kept")
    said = json.loads((kept / "store-1.json").read_text())["info"]
    for number in range(1, current["stores"] + 1):
        source = kept / f"store-{number}"
        expect(source.is_dir(), f"no store of format {number} is kept: this program writes {current['stores']}")
        expect_equal(json.loads((source / "manifest.json").read_text())["format"], number, f"format of {source.name}")
        with scratch() as place:
            copy = copied(place, source.name)
            found = info(copy)
            expect_equal({name: found[name] for name in said}, said, f"info of {source.name}")
            # Three GPFS nodes' worth of 16 each step, and of the MDT 5 opens, 4 closes, 100 others, which format 1 did not keep.
            expect_equal(found["metadata_ops"], 16 * 3 * 89 + (109 * 89 if number > 1 else 0), f"metadata operations of {source.name}")
            expect_equal(len(rows("criteria", copy, "--min-runtime", 0)), 3, f"jobs of {source.name}")
            check(copy)
    newer = copied(folder, f"store-{current['stores']}")
    manifest = json.loads((newer / "manifest.json").read_text())
    manifest["format"] += 1
    (newer / "manifest.json").write_text(json.dumps(manifest))
    refused("info", newer, naming=[f"format {manifest['format']}", f"{current['stores']}"])
    say(f"stores: formats 1 to {current['stores']} are read with the same numbers, {manifest['format']} is refused")


with scratch() as folder:
    trace(folder)
    truth(folder)
    weights(folder)
    daemon(folder)
    memory(folder)
    stores()
