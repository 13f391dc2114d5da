# SPDX-License-Identifier: Apache-2.0
"""Many ranks: what barriers put in order stands in order in the trace, for both MPIs; every call of every rank is there, in few files."""
from fathom_e2e import *

flavours = {
    "mpich": ("mpicc.mpich", ["mpiexec.mpich"]),
    "openmpi": ("mpicc.openmpi", ["mpiexec.openmpi", "--oversubscribe", "--allow-run-as-root"]),
}


def check_order(folder, flavour, ranks, turns, files, calls):
    compiler, launch = flavours[flavour]
    if not shutil.which(compiler):
        left_out(f"order of many ranks with {flavour}: there is no {compiler}")
        return False
    program = folder / f"phases.{flavour}"
    done = subprocess.run([compiler, "-O2", project / "tests/programs/phases.c", "-o", program], capture_output=True, text=True)
    expect_equal(done.returncode, 0, f"compiling: {done.stderr}")
    data, trace = folder / f"data-{flavour}-{ranks}-{calls}", folder / f"trace-{flavour}-{ranks}-{calls}"
    data.mkdir()
    command = [fathom, "run", "-o", trace, "--", *launch, "-n", str(ranks), program, data, str(turns), str(files), str(calls)]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    expect_equal(done.returncode, 0, f"{flavour}, {ranks} ranks: exit code\n{done.stderr[-2000:]}")
    traces = list(trace.glob("*.fathom"))
    expect_equal(len(traces), 1, "files of one node")

    turn, own, last_start, row_number = 0, 0, 0.0, 0
    listing = subprocess.Popen([fathom, "trace", "events", trace, "--format", "csv"], stdout=subprocess.PIPE, text=True)
    header = listing.stdout.readline().rstrip("\n").split(",")
    expect_equal(header, "rank,thread,interface,call,file,offset,bytes,start,end,result,parent".split(","), "columns of events")
    for row in csv.reader(listing.stdout):
        rank, _, _, call, file, offset, size, start, end, result, parent = row
        expect(float(start) >= last_start, f"row {row_number}: starts before the row above it")
        expect(parent == "" or int(parent) < row_number, f"row {row_number}: its parent stands below it")
        last_start = float(start)
        row_number += 1
        if call != "pwrite":
            continue
        if file.endswith("/turns"):
            expect_equal((int(offset), int(rank)), (turn, turn % ranks), f"{flavour}, {ranks} ranks: the next turn")
            turn += 1
        elif "/own." in file:
            expect_equal(result, "16", "result")
            own += 1
    expect_equal(listing.wait(), 0, "exit code of trace events")
    expect_equal(turn, turns, "turns")
    expect_equal(own, ranks * (calls // files) * files, "writes to the ranks' own files")
    facts = json.loads(run("trace", "summary", trace, "--format", "json").stdout)
    expect_equal(facts["ranks"], ranks, "ranks")
    expect_equal(facts["interfaces"]["posix"]["write_calls"], turns + own, "writes in the summary")
    say(f"{flavour}, {ranks} ranks: {turns} turns in order, {own} other writes, {row_number} rows, one file")
    return True


os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
with scratch() as folder:
    tried = [check_order(folder, "mpich", 4, 200, 4, 8000), check_order(folder, "openmpi", 4, 200, 4, 8000), check_order(folder, "mpich", 24, 48, 10, 1000)]
    if long_run:
        # The size asked for: 64 ranks, 10,000 files, 10 million calls.
        tried.append(check_order(folder, "mpich", 64, 64, 157, 156250))
    if not any(tried):
        skip("no MPI here")
