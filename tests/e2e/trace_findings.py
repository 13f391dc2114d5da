# SPDX-License-Identifier: Apache-2.0
"""Findings: each is raised for a program that has the fault and not for one without. RIOT's numbers: data sieving with its hint, bandwidths
recomputed from the list of events, shares that add up to 1."""
from traced import *

KINDS = ["tiny_requests", "many_opens", "repeated_opens", "rereads", "sync_storm", "unaligned_requests", "strided_writes", "rank_imbalance", "shared_file_contention"]


def trace_of(folder, name, command):
    trace = folder / f"{name}.trace"
    done = subprocess.run([fathom, "run", "-o", trace, "--", *map(str, command)], capture_output=True, text=True, timeout=300)
    expect_equal(done.returncode, 0, f"{name}: exit code\n{done.stderr[-2000:]}")
    return trace


def findings(trace):
    return json.loads(run("trace", "findings", trace, "--format", "json").stdout)


def names(trace):
    return {found["finding"] for found in findings(trace)}


def faults(folder, launch, program):
    wrong = []
    for kind in KINDS:
        seen = {}
        for way in ("bad", "good"):
            data = folder / f"{kind}-{way}"
            data.mkdir()
            seen[way] = names(trace_of(folder, f"{kind}-{way}", [*launch, program, data, kind, way]))
            shutil.rmtree(data)
        if kind not in seen["bad"]:
            wrong.append(f"{kind}: not found where it is; found {sorted(seen['bad'])}")
        if kind in seen["good"]:
            wrong.append(f"{kind}: found where it is not")
    expect(not wrong, "\n".join(wrong))
    say(f"{len(KINDS)} findings: each raised for its fault, and not without it")


def data_sieving(folder, launch, program):
    for prefix in ("", "nfs:"):
        trace = trace_of(folder, f"sieving{prefix[:-1]}", [*launch, program, f"{prefix}{folder}/sieved.dat"])
        found = [each for each in findings(trace) if each["finding"] == "data_sieving"]
        expect_equal(len(found), 1, f"data sieving with '{prefix}': findings")
        expect_equal(found[0]["hint"], "romio_ds_write=disable", "the hint")
        expect_equal(found[0]["file"], f"{folder}/sieved.dat", "the file")
    without = trace_of(folder, "disabled", [*launch, program, folder / "plain.dat", "romio_ds_write=disable"])
    expect("data_sieving" not in names(without), "data sieving is found although it is disabled")
    say("data sieving is found with both drivers, and gone with romio_ds_write=disable")
    return trace


def close_to(found, wanted, what):
    expect(abs(found - wanted) <= 1e-6 * max(abs(wanted), 1e-12), f"{what}: {found} instead of {wanted}")


def recomputed(trace, ranks):
    """Bandwidths from the rows of `events` alone."""
    rows = list(csv.DictReader(io.StringIO(run("trace", "events", trace, "--format", "csv").stdout)))
    facts = json.loads(run("trace", "summary", trace, "--format", "json").stdout)
    target = next(row["file"] for row in rows if row["call"] == "MPI_File_write_at")

    def total(interface, calls):
        chosen = [row for row in rows if row["interface"] == interface and row["call"] in calls and row["file"] == target]
        # Digits as text: a double does not hold nanoseconds since 1970.
        time_inside = sum(int(row["end"].replace(".", "")) - int(row["start"].replace(".", "")) for row in chosen) / 1e9
        return sum(int(row["result"]) for row in chosen), time_inside

    mpi_bytes, mpi_time = total("mpiio", {"MPI_File_write_at"})
    posix_bytes, posix_time = total("posix", {"write", "pwrite"})
    close_to(facts["effective_bw"]["mpiio"]["write"], mpi_bytes / mpi_time, "effective MPI-IO bandwidth")
    close_to(facts["effective_bw"]["posix"]["write"], posix_bytes / posix_time, "effective POSIX bandwidth")
    close_to(facts["perceived_bw"]["write"], mpi_bytes / (mpi_time / ranks), "perceived bandwidth")
    # Table 5 of RIOT: perceived = effective MPI x ranks.
    close_to(facts["perceived_bw"]["write"], ranks * facts["effective_bw"]["mpiio"]["write"], "perceived bandwidth, from the effective one")

    shares = json.loads(run("trace", "decompose", trace, "--format", "json").stdout)
    checked = 0
    for row in shares:
        parts = [row[name] for name in row if name.endswith("_share")]
        if row["calls"] and all(part is not None for part in parts):
            expect(abs(sum(parts) - 1) < 1e-9, f"shares of {row['call']} add up to {sum(parts)}")
            checked += 1
    expect(checked > 0, "no shares to add up")
    parents = {row["parent"] for row in rows if row["interface"] == "posix" and row["file"] == target and row["call"] in ("read", "write", "fcntl.lock")}
    writes = {str(number) for number, row in enumerate(rows) if row["call"] == "MPI_File_write_at"}
    expect_equal(parents, writes, "the MPI-IO calls that reads, writes and locks belong to")
    say(f"bandwidths recomputed from {len(rows)} events; {checked} rows of shares add up to 1")


with scratch() as folder:
    flavour = next((each for each in installed_flavours() if each.name == "mpich"), None)
    compiler = "mpicc.mpich"
    if flavour is None or shutil.which(compiler) is None:
        skip("no MPICH is installed: ROMIO's data sieving is what is tested")
    launch = ["mpiexec.mpich", "-n", "2"]
    sieving = build(compiler, "data_sieving.c", folder / "data_sieving")
    trace = data_sieving(folder, launch, sieving)
    recomputed(trace, 2)
    faults(folder, launch, build(compiler, "faults.c", folder / "faults"))
