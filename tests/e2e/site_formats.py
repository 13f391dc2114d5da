# SPDX-License-Identifier: Apache-2.0
"""What sites have besides the usual logs: mmperfmon, LLview, Darshan, HDF5 files of TOKIO and LMT. A few lines of each, and what they must come to."""
import ctypes
import ctypes.util

from fathom_e2e import *

MIB = 1 << 20


def totals(store, columns="sum(read_bytes) AS read, sum(write_bytes) AS written", where="true"):
    return {name: int(value or 0) for name, value in sql(f"SELECT {columns} FROM {table(store)} WHERE {where}")[0].items()}


def criteria(store, *options):
    return list(csv.DictReader(io.StringIO(run("criteria", store, *options, "--format", "csv").stdout)))


# --- mmperfmon --------------------------------------------------------------------------------------------------


def check_mmperfmon(folder):
    log = folder / "query.txt"
    log.write_text(
        "\nLegend:\n 1:\tn1|GPFSFilesystem|c|work|gpfs_fs_bytes_read\n 2:\tn2|GPFSFilesystem|c|work|gpfs_fs_bytes_read\n"
        " 3:\tn1|GPFSFilesystem|c|work|gpfs_fs_bytes_written\n 4:\tn2|GPFSFilesystem|c|work|gpfs_fs_bytes_written\n \n"
        "Row           Timestamp gpfs_fs_bytes_read gpfs_fs_bytes_read \n"
        "  1 2024-05-01-13:10:00 100 7 \n  2 2024-05-01-13:20:00 200 null \n  3 2024-05-01-13:30:00 400 null \n\n"
        "Row           Timestamp gpfs_fs_bytes_written gpfs_fs_bytes_written \n"
        "  1 2024-05-01-13:10:00 1000 10 \n  2 2024-05-01-13:20:00 2000 20 \n  3 2024-05-01-13:30:00 4000 40 \n")
    store = folder / "mmperfmon"
    done = ingest(store, log)
    expect("left out: 2 x value that was not measured (null)\n" in done.stderr and "UTC" in done.stderr, f"what is left out and assumed is said:\n{done.stderr}")
    # n1 read 100 + 200 + 400 and wrote 7000; n2 read 7, and 20 minutes are unknown; it wrote 70.
    expect_equal(totals(store, where="server = 'n1'"), {"read": 700, "written": 7000}, "n1")
    expect_equal(totals(store, where="server = 'n2'"), {"read": 7, "written": 70}, "n2")
    facts = info(store)
    expect_equal((facts["read_bytes"], facts["write_bytes"], facts["increments"]), (707, 7070, 6), "what info says")
    # The first bucket has the length of the others: it begins at 13:00, and a row's time is its end.
    first = sql(f"SELECT min(start_time)::VARCHAR AS first, max(end_time)::VARCHAR AS last, count(*) AS rows FROM {table(store)}")[0]
    expect_equal((first["first"][:19], first["last"][:19], first["rows"]), ("2024-05-01 13:00:00", "2024-05-01 13:30:00", "6"), "extent")
    expect_equal(sql(f"SELECT count(*) AS n FROM {table(store)} WHERE read_bytes IS NULL")[0]["n"], "2", "null is unknown, not zero")
    check(store)
    berlin = folder / "berlin"
    run("ingest", berlin, log, "--timezone", "Europe/Berlin")
    expect_equal(sql(f"SELECT min(start_time)::VARCHAR AS t FROM {table(berlin)}")[0]["t"][:19], "2024-05-01 11:00:00", "summer time in Berlin")
    say("mmperfmon: tables that were cut are put together, buckets end at their time, null is unknown")


def check_mmperfmon_twice(folder):
    """Rows of the same moment: two that differ contradict each other; those of the hour that clocks show twice are two moments."""
    legend = "Legend:\n 1: n1|GPFSFilesystem|c1|work|gpfs_fs_bytes_read\n 2: n1|GPFSFilesystem|c1|work|gpfs_fs_bytes_written\n\nRow Timestamp gpfs_fs_bytes_read gpfs_fs_bytes_written\n"
    twice = folder / "twice.txt"
    twice.write_text(legend + "".join(f"{i} 2019-01-08-{row}\n" for i, row in enumerate(["13:00:00 10 20", "13:01:00 30 40", "13:01:00 5 6", "13:02:00 7 8"], 1)))
    store = folder / "mmperfmon-twice"
    ingest(store, twice)
    # Of 13:01 the larger is kept: 10 + 30 + 7.
    expect_equal({name: info(store)[name] for name in ("rejected", "conflicts", "read_bytes")}, {"rejected": 1, "conflicts": 1, "read_bytes": 47}, "rows that contradict each other")
    # 2021-10-31 in Berlin: 01:00, 01:20 ... 02:40, again 02:00 ... 02:40, 03:00: 10 buckets of 20 minutes, with 1, 2, 4 ... 512 bytes.
    clock = [f"{h:02}:{m:02}:00" for h, m in [(1, 0), (1, 20), (1, 40), (2, 0), (2, 20), (2, 40), (2, 0), (2, 20), (2, 40), (3, 0)]]
    autumn = folder / "autumn.txt"
    autumn.write_text(legend + "".join(f"{i} 2021-10-31-{time} {2 ** (i - 1)} 0\n" for i, time in enumerate(clock, 1)))
    store = folder / "mmperfmon-autumn"
    run("ingest", store, autumn, "--timezone", "Europe/Berlin", "--servers", "exclusive")
    facts = info(store)
    expect_equal((facts["read_bytes"], facts["gaps"], facts["conflicts"]), (1023, 0, 0), "bytes, gaps and conflicts of a night with 25 hours")
    # Counters with times of the same clock, and a job from 02:50 to 02:20.
    counters, jobs = folder / "autumn.csv", folder / "autumn-jobs.csv"
    counters.write_text("t,server,read_bytes\n" + "".join(f"2021-10-31T{time},s,{100 * i}\n" for i, time in enumerate(clock)))
    jobs.write_text("job_id,start,end\nnight,2021-10-31T02:50:00,2021-10-31T02:20:00\n")
    store = folder / "csv-autumn"
    run("ingest", store, counters, jobs, "--timezone", "Europe/Berlin", "--servers", "exclusive")
    facts = info(store)
    expect_equal((facts["increments"], facts["read_bytes"], facts["gaps"], facts["jobs"], facts["rejected"]), (9, 900, 0, 1, 0), "counters and a job in a night with 25 hours")
    row = sql(f"SELECT epoch(end_time - start_time)::BIGINT AS seconds FROM {table(store, 'jobs')}")[0]
    expect_equal(row["seconds"], "1800", "seconds from 02:50 to the second 02:20")
    say("rows of the same moment contradict each other; the hour that clocks show twice is two hours")


# --- counters_csv -----------------------------------------------------------------------------------------------
def check_csv_limits(folder):
    """The first row of amounts per interval has no length; a counter beyond 2^63 is none."""
    amounts = folder / "amounts.csv"
    amounts.write_text("t,server,read_bytes\n60,s,10\n120,s,10\n60,u,5\n")
    store = folder / "amounts"
    done = run("ingest", store, amounts, "--per-interval", "--servers", "exclusive")
    expect("the first rows of 2 series have no length" in done.stderr, f"no word of the first rows:\n{done.stderr}")
    expect_equal(info(store)["read_bytes"], 10, "amounts whose interval is known")
    done = run("ingest", folder / "with-step", amounts, "--per-interval", "--step", "60", "--servers", "exclusive")
    expect("no length" not in done.stderr, f"the step was given:\n{done.stderr}")
    expect_equal(info(folder / "with-step")["read_bytes"], 25, "amounts with --step")
    large = folder / "large.csv"
    large.write_text(f"t,server,read_bytes\n0,s,0\n60,s,{2 ** 63 - 1}\n120,s,{2 ** 63}\n180,s,{2 ** 64 - 1}\n")
    done = run("ingest", folder / "large", large, "--servers", "exclusive")
    expect("2^63" in done.stderr, f"no word of the large counters:\n{done.stderr}")
    facts = info(folder / "large")
    expect_equal((facts["read_bytes"], facts["rejected"]), (2 ** 63 - 1, 2), "the largest counter that is one, and two that are none")
    say("counters_csv: first rows without a length and counters beyond 2^63 are told")


# --- LLview -----------------------------------------------------------------------------------------------------


def check_llview(folder):
    log = folder / "FSusage_71_scratch_node.dat"
    log.write_text("jobid              ts       nodeid     MbwR     MbrR      ocR\n"
                   "71 1700000060 a 1.000000 0.500000 1.000000e+00\n"
                   "71 1700000060 b 0.000000 0.250000 0.000000e+00\n"
                   "71 1700000120 b 2.000000 0.000000 0.000000e+00\n"
                   "71 1700000180 a 1.000000 0.000000 3.000000e+00\n")
    jobs = folder / "jobs.csv"
    jobs.write_text("job_id,start,end,user,name\n71,1700000000,1700000240,ana,solver\n")
    store = folder / "llview"
    done = run("ingest", store, log, jobs)
    expect("2 x row whose interval is not known" in done.stderr, f"the first moment needs --step:\n{done.stderr}")
    expect_equal(totals(store), {"read": 0, "written": (2 + 1) * 60 * MIB}, "without a step")
    store = folder / "llview_step"
    run("ingest", store, log, jobs, "--step", "60", "--servers", "shared")
    # a wrote 1 MiB/s for two minutes, b 2 MiB/s for one; they read 0.5 and 0.25 MiB/s for a minute. a opened and closed 60 + 180 times, half of each.
    expect_equal(totals(store), {"read": 45 * MIB, "written": 240 * MIB}, "with a step of a minute")
    expect_equal(totals(store, "sum(opens) AS opens, sum(closes) AS closes"), {"opens": 120, "closes": 120}, "opens and closes")
    expect_equal({row["job"] for row in sql(f"SELECT DISTINCT job FROM {table(store)}")}, {"71"}, "the job is the tag")
    expect_equal({row["filesystem"] for row in sql(f"SELECT DISTINCT filesystem FROM {table(store)}")}, {"scratch"}, "the file system is in the file's name")
    row = criteria(store, "--job", "71")[0]
    expect_equal((float(row["read_bytes"]), float(row["write_bytes"])), (45.0 * MIB, 240.0 * MIB), "criteria of the job")
    check(store)
    say("LLview: rates of nodes become amounts of the job")


# --- Darshan ----------------------------------------------------------------------------------------------------

HEADER = ("# darshan log version: 3.41\n# compression method: ZLIB\n# exe: /home/ana/solver --steps 10\n# uid: 999999998\n# jobid: {job}\n# start_time: 1700000000\n"
          "# start_time_asci: Tue Nov 14 22:13:20 2023\n# end_time: 1700000020\n# nprocs: 2\n# run time: 20.0000\n\n# mounted file systems (mount point and fs type)\n"
          "# mount entry:\t/scratch\tlustre\n")
DXT = ("\n# DXT_POSIX module data\n# DXT, file_id: 1, file_name: /scratch/out\n# DXT, rank: 0, hostname: node7\n"
       "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)\n"
       " X_POSIX       0  write        0               0         8388608      2.0000     10.0000\n"
       " X_POSIX       0  write        1         8388608         4194304     12.0000     14.0000\n"
       "\n# DXT, file_id: 1, file_name: /scratch/out\n# DXT, rank: 1, hostname: node8\n"
       " X_POSIX       1   read        0               0         1048576     11.5000     11.6000  [12]\n")


def posix(rank, **counters):
    return "".join(f"POSIX\t{rank}\t77\tPOSIX_{name}\t{value}\t/scratch/out\t/scratch\tlustre\n" for name, value in counters.items())


def check_darshan(folder):
    dxt = folder / "job.dxt.txt"
    dxt.write_text(HEADER.format(job=4711) + DXT)
    store = folder / "darshan"
    done = run("ingest", store, dxt)
    expect("run of job 4711 (known by Darshan)" in done.stderr, f"what became of it is said:\n{done.stderr}")
    jobs = json.loads(run("jobs", store, "--format", "json").stdout)
    expect_equal([(job["job_id"], job["name"], job["user"]) for job in jobs], [("4711", "solver", "999999998")], "the job, as the log tells it")
    # Slices of 4 s from 1700000000. Rank 0 writes 8 MiB from second 2 to 10: 2, 4 and 2 MiB; 4 MiB from 12 to 14: all in slice 3. Rank 1 reads 1 MiB in slice 2.
    rows = sql(f"SELECT host, process, slice - 425000000 AS slice, read_bytes, write_bytes, read_calls, write_calls, write_time FROM {table(store, 'slices')} ORDER BY process, slice")
    found = [(row["host"], row["process"], int(row["slice"]), int(row["read_bytes"]), int(row["write_bytes"]), int(row["read_calls"]), int(row["write_calls"]), float(row["write_time"]))
             for row in rows]
    expect_equal(found, [("node7", "rank 0", 0, 0, 2 * MIB, 0, 0, 2.0), ("node7", "rank 0", 1, 0, 4 * MIB, 0, 0, 4.0), ("node7", "rank 0", 2, 0, 2 * MIB, 0, 1, 2.0),
                         ("node7", "rank 0", 3, 0, 4 * MIB, 0, 1, 2.0), ("node8", "rank 1", 2, MIB, 0, 1, 0, 0.0)], "slices")
    row = criteria(store, "--sliced")[0]
    expect_equal((row["job_id"], row["name"], int(row["units"]), float(row["read_bytes"]), float(row["write_bytes"]), float(row["write_ops"]), row["sampling_step"]),
                 ("4711", "solver", 2, float(MIB), 12.0 * MIB, 2.0, "4"), "criteria of the slices")
    # DXT knows reads and writes alone. A call counts where it ended, its bytes where they moved: 12 MiB in 2 calls are 6 MiB each, whatever single slices have.
    expect_equal([row[name] for name in ("opens", "closes", "dirs", "inode_updates", "metadata_ops")], [""] * 5, "what DXT does not know")
    expect_equal((float(row["write_mean_request"]), float(row["read_mean_request"]), float(row["total_mean_request"])), (6.0 * MIB, float(MIB), 13.0 * MIB / 3), "mean requests of the slices")
    refused("criteria", store, "--traced", naming=("traced",))  # there is no trace to look into
    expect("known: 1" in run("ingest", store, dxt).stderr, "the same file again adds nothing")
    expect_equal(sql(f"SELECT count(*) AS n FROM {table(store, 'slices')}")[0]["n"], "5", "slices after the same file again")

    # Where the batch system's log knows the job, it is that one; in any order.
    log = folder / "jobs_4711.csv"
    log.write_text("job_id,start,end,user,name\n4711,1699999990,1700000030,bob,nightly\n4711,1600000000,1600000100,bob,older\n")
    linked = folder / "linked"
    run("ingest", linked, dxt, log)
    row = criteria(linked, "--sliced")[0]
    expect_equal((row["job_id"], row["user"], row["name"]), ("4711", "bob", "nightly"), "linked to the batch system's job")
    expect_equal(len(json.loads(run("jobs", linked, "--format", "json").stdout)), 2, "no job is added")

    # Totals: 8 MiB from second 2 to 10 by rank 0; a shared file of 3 MiB read from 4 to 16.
    text = folder / "job.parser.txt"
    text.write_text(HEADER.format(job=4712) + "\n# description of columns:\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n" +
                    posix(0, OPENS=1, WRITES=8, BYTES_WRITTEN=8 * MIB, F_WRITE_START_TIMESTAMP="2.000000", F_WRITE_END_TIMESTAMP="10.000000", F_WRITE_TIME="4.0") +
                    posix(-1, OPENS=2, READS=6, WRITES=-1, BYTES_READ=3 * MIB, F_READ_START_TIMESTAMP="4.000000", F_READ_END_TIMESTAMP="16.000000"))
    done = run("ingest", store, text)
    expect("spread evenly" in done.stderr, f"that totals are spread is said:\n{done.stderr}")
    rows = sql(f"SELECT process, slice - 425000000 AS slice, read_bytes, write_bytes, read_calls, write_calls FROM {table(store, 'slices')} "
               "WHERE job_id = '4712' AND read_bytes + write_bytes > 0 ORDER BY process, slice")
    expect_equal([tuple(row.values()) for row in rows],
                 [("all ranks", "1", str(MIB), "0", "2", "0"), ("all ranks", "2", str(MIB), "0", "2", "0"), ("all ranks", "3", str(MIB), "0", "2", "0"),
                  ("rank 0", "0", "0", str(2 * MIB), "0", "2"), ("rank 0", "1", "0", str(4 * MIB), "0", "4"), ("rank 0", "2", "0", str(2 * MIB), "0", "2")], "slices of totals")
    row = next(row for row in criteria(store, "--sliced") if row["job_id"] == "4712")
    expect_equal((float(row["read_bytes"]), float(row["write_bytes"]), float(row["read_ops"]), float(row["write_ops"]), float(row["opens"])), (3.0 * MIB, 8.0 * MIB, 6.0, 8.0, 3.0), "criteria of totals")
    expect_equal(next(row for row in criteria(store, "--sliced") if row["job_id"] == "4711")["opens"], "", "opens of the other log, beside it")

    run("remove", store, str(text))
    expect_equal({row["job_id"] for row in criteria(store, "--sliced")}, {"4711"}, "a log that was removed takes its slices along")
    check(store)
    refused("ingest", folder / "none", write_part(folder / "headless.txt", [b"# darshan log version: 3.41\n# DXT, \n"]), naming=("start_time", "headless.txt"))
    say("Darshan: single calls and totals become slices of the job, which is found or added")


# --- HDF5 -------------------------------------------------------------------------------------------------------


class Hdf5:
    """Writes small HDF5 files, through libhdf5 itself."""

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        for name in ("H5Fcreate", "H5Gcreate2", "H5Screate_simple", "H5Screate", "H5Dcreate2", "H5Acreate2", "H5Tcopy"):
            getattr(self.lib, name).restype = ctypes.c_int64
        self.lib.H5open()

    def type(self, name):
        return ctypes.c_int64(ctypes.c_int64.in_dll(self.lib, f"H5T_{name}_g").value)

    def space(self, shape):
        return ctypes.c_int64(self.lib.H5Screate_simple(len(shape), (ctypes.c_uint64 * len(shape))(*shape), None))

    def write(self, path, content):
        """content: {"group/name": (shape, "NATIVE_DOUBLE", values, {attribute: [texts]})}"""
        zero = ctypes.c_int64(0)
        file = ctypes.c_int64(self.lib.H5Fcreate(str(path).encode(), 2, zero, zero))
        groups = sorted({name.split("/")[0] for name in content})
        handles = [ctypes.c_int64(self.lib.H5Gcreate2(file, group.encode(), zero, zero, zero)) for group in groups]
        for handle in handles:
            self.lib.H5Gclose(handle)
        for name, (shape, kind, values, attributes) in content.items():
            space = self.space(shape)
            dataset = ctypes.c_int64(self.lib.H5Dcreate2(file, name.encode(), self.type(kind), space, zero, zero, zero))
            c_type = ctypes.c_double if "DOUBLE" in kind else ctypes.c_int64
            self.lib.H5Dwrite(dataset, self.type(kind), zero, zero, zero, (c_type * len(values))(*values))
            for attribute, texts in attributes.items():
                self.attribute(dataset, attribute, texts)
            self.lib.H5Dclose(dataset)
            self.lib.H5Sclose(space)
        expect_equal(self.lib.H5Fclose(file), 0, f"writing {path}")
        return path

    def attribute(self, dataset, name, texts):
        size = max(map(len, texts))
        kind = ctypes.c_int64(self.lib.H5Tcopy(self.type("C_S1")))
        self.lib.H5Tset_size(kind, ctypes.c_size_t(size))
        space = self.space([len(texts)])
        attribute = ctypes.c_int64(self.lib.H5Acreate2(dataset, name.encode(), kind, space, ctypes.c_int64(0), ctypes.c_int64(0)))
        self.lib.H5Awrite(attribute, kind, b"".join(text.encode().ljust(size, b"\0") for text in texts))
        self.lib.H5Aclose(attribute)
        self.lib.H5Sclose(space)


def check_hdf5(folder):
    library = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")
    if library is None or not any((pathlib.Path(fathom).parent / way / "fathom-hdf5.so").exists() for way in ("lib", "../lib/fathom", "../lib")):
        left_out("HDF5 files: there is no libhdf5, or the build is without it")
        return
    hdf5 = Hdf5(library)
    osts = {"columns": ["fs-OST0000", "fs-OST0001"]}
    times = [1517126400, 1517126405, 1517126410]
    tokio = hdf5.write(folder / "day.hdf5", {
        "datatargets/timestamps": ([3], "NATIVE_INT64", times, {}),
        "datatargets/readbytes": ([3, 2], "NATIVE_DOUBLE", [10, 20, -0.0, 40, 50, 60], osts),
        "datatargets/writebytes": ([3, 2], "NATIVE_DOUBLE", [1, 2, -0.0, 4, 5, 6], osts),
        "mdtargets/timestamps": ([3], "NATIVE_INT64", times, {}),
        "mdtargets/opens": ([3, 1], "NATIVE_DOUBLE", [7, 8, 9], {"columns": ["fs-MDT0000"]})})
    store = folder / "tokio"
    ingest(store, tokio)
    # -0.0 is unknown: OST0000 has 10 + 50 read and 1 + 5 written, in two rows of which the second follows a gap.
    expect_equal(totals(store, where="server = 'fs-OST0000'"), {"read": 60, "written": 6}, "OST0000")
    expect_equal(totals(store, where="server = 'fs-OST0001'"), {"read": 120, "written": 12}, "OST0001")
    expect_equal(totals(store, "sum(opens) AS opens", "server = 'fs-MDT0000'"), {"opens": 24}, "MDT0000")
    rows = sql(f"SELECT epoch(start_time)::BIGINT - 1517126400 AS a, epoch(end_time)::BIGINT - 1517126400 AS b, read_bytes FROM {table(store)} WHERE server = 'fs-OST0001' ORDER BY a")
    expect_equal([tuple(row.values()) for row in rows], [("0", "5", "20"), ("5", "10", "40"), ("10", "15", "60")], "intervals begin at their times")
    check(store)

    # H5LMT: the same in bytes per second, at the ends of intervals; OST0000 was not measured in the second one.
    lmt = hdf5.write(folder / "day.h5lmt", {
        "FSStepsGroup/FSStepsDataSet": ([4], "NATIVE_INT64", [*times, 1517126415], {}),
        "FSMissingGroup/FSMissingDataSet": ([2, 4], "NATIVE_INT64", [0, 0, 1, 0, 0, 0, 0, 0], {}),
        "OSTReadGroup/OSTBulkReadDataSet": ([2, 4], "NATIVE_DOUBLE", [0, 2, 0, 10, 0, 4, 8, 12], {"OSTNames": osts["columns"]}),
        "OSTWriteGroup/OSTBulkWriteDataSet": ([2, 4], "NATIVE_DOUBLE", [0, 0.2, 0, 1, 0, 0.4, 0.8, 1.2], {"OSTNames": osts["columns"]}),
        "MDSOpsGroup/MDSOpsDataSet": ([2, 4], "NATIVE_DOUBLE", [0, 5, 5, 5, 0, 1.4, 1.6, 1.8], {"OpNames": ["getattr", "open"]})})
    other = folder / "lmt"
    ingest(other, lmt)
    difference = sql(f"SELECT count(*) AS n FROM (SELECT start_time, end_time, server, filesystem, read_bytes, write_bytes FROM {table(store)} WHERE server LIKE '%OST%' EXCEPT "
                     f"SELECT start_time, end_time, server, filesystem, read_bytes, write_bytes FROM {table(other)} WHERE server LIKE '%OST%')")[0]["n"]
    expect_equal(difference, "0", "rows that TOKIO has and H5LMT has not")
    expect_equal(totals(other, "sum(opens) AS opens", "server = 'fs-MDS'"), {"opens": 24}, "opens of the MDS")
    check(other)

    # What is wrong is told by name: no such data, a cut file, a process that dies.
    refused("ingest", folder / "none", hdf5.write(folder / "else.hdf5", {"a/b": ([1], "NATIVE_INT64", [1], {})}), naming=("else.hdf5", "TOKIO"))
    cut_file = folder / "cut.hdf5"
    cut_file.write_bytes(tokio.read_bytes()[:-500])
    refused("ingest", folder / "none", cut_file, naming=("cut.hdf5",))
    chance = seeded(5)
    for _ in range(15):  # changed bytes: read, or refused by name, never a crash of the program itself
        data = bytearray(tokio.read_bytes())
        for _ in range(20):
            data[chance.randrange(8, len(data))] = chance.randrange(256)
        (folder / "changed.hdf5").write_bytes(data)
        done = subprocess.run([fathom, "ingest", folder / "changed", folder / "changed.hdf5"], capture_output=True, text=True, timeout=120)
        expect(done.returncode in (0, 1) and (done.returncode == 0 or "changed.hdf5" in done.stderr), f"a changed file: {done.returncode}\n{done.stderr}")
    say("HDF5: TOKIO and H5LMT give the same intervals; files that are wrong are refused by name")


with scratch() as folder:
    check_mmperfmon(folder)
    check_mmperfmon_twice(folder)
    check_csv_limits(folder)
    check_llview(folder)
    check_darshan(folder)
    check_hdf5(folder)
