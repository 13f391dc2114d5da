# SPDX-License-Identifier: Apache-2.0
"""Programs of tests/programs under the tracer: built here, run with and without it, and every call that was recorded."""
from launchers import *

programs = project / "tests" / "programs"


def installed_flavours():
    """Those with a launcher: traced programs need nothing else of this project."""
    installed = [flavour for flavour in flavours if flavour.mpiexec is not None]
    if not installed:
        skip("no MPI is installed")
    return installed


def build(compiler, source, target, *options, after=(), through=None, may_fail=False):
    """The built program, or None if the compiler is not there. `through` is one of Fathom's compiler wrappers, and the variable that names its compiler."""
    if shutil.which(compiler) is None:
        left_out(f"{source}: there is no {compiler}")
        return None
    command, environment = compiler, dict(os.environ)
    if through is not None:
        command, environment[through[1]] = str(pathlib.Path(fathom).parent / "bin" / through[0]), compiler
    words = [command, "-O1", "-w", *options, str(programs / source), "-o", str(target), *after]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode != 0 and may_fail:
        return None
    expect_equal(done.returncode, 0, f"{compiler} {source}\n{done.stderr}")
    return target


class Row:
    """One recorded call; numbers as numbers, None where there is none."""

    def __init__(self, number, columns):
        self.number = number
        self.call, self.interface = columns["call"], columns["interface"]
        self.file = os.path.basename(columns["file"])
        for name in ("rank", "offset", "bytes", "result", "parent"):
            setattr(self, name, int(columns[name]) if columns[name] else None)
        self.start, self.end = float(columns["start"]), float(columns["end"])
        self.inside = []

    def __repr__(self):
        return f"{self.call}(rank {self.rank}, {self.file}, offset {self.offset}, bytes {self.bytes}) = {self.result}"

    def what(self):
        return self.call, self.offset, self.bytes, self.result

    def calls(self, *names):
        """Calls right inside this one, of these names (of every name if there are none)."""
        return [row for row in self.inside if not names or row.call in names]


def events(trace):
    table = run("trace", "events", trace, "--format", "csv").stdout
    rows = [Row(number, columns) for number, columns in enumerate(csv.DictReader(io.StringIO(table)))]
    for row in rows:
        if row.parent is not None:
            rows[row.parent].inside.append(row)
    return rows


def writes(trace):
    """Write calls and bytes by file name."""
    rows = json.loads(run("trace", "files", trace, "--format", "json").stdout)
    return {pathlib.Path(row["file"]).name: (row["write_calls"], row["write_bytes"]) for row in rows}


def start(command, variables):
    environment = {key: value for key, value in os.environ.items() if not re.match(r"PMI|OMPI_|FATHOM_|SLURM_|LD_PRELOAD", key)}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **variables}
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LONGEST * 2, env=environment)


def traced(folder, command, **variables):
    """Runs a command as it is and under the tracer, insists that nobody could tell, and gives all calls."""
    trace = folder / "traced"
    shutil.rmtree(trace, ignore_errors=True)
    plain = start(command, variables)
    watched = start([fathom, "run", "--trace", "-o", trace, "--", *command], variables)
    what = " ".join(map(str, command))
    expect_equal(watched.returncode, plain.returncode, f"exit code of {what}\n{watched.stderr[-3000:]}")
    expect_equal(sorted(watched.stdout.splitlines()), sorted(plain.stdout.splitlines()), f"output of {what}")
    return events(trace)


def of_rank(rows, rank, interface):
    """Calls of one rank that are not inside others of the same interface, in order."""
    chosen = [row for row in rows if row.rank == rank and row.interface == interface]
    return [row for row in chosen if row.parent is None or rows[row.parent].interface != interface]


def mpi_calls_of(rank):
    """What tests/programs/mpi_calls.c does: call, offset, bytes, result."""
    mine = rank * 65536
    here = lambda call, offset: (f"MPI_File_{call}", mine + offset, 1024, 1024)
    none = lambda call, offset=None, bytes=None: (f"MPI_File_{call}", offset, bytes, 0)
    waits = lambda call, offset: (call, mine + offset, 1024, 1024)
    seeks = ("MPI_File_seek", mine + 2048, None, mine + 2048)
    return [
        ("MPI_Init", None, None, 0), none("open"), none("set_size", 0), none("preallocate", 4096),
        here("write_at", 0), here("write_at_all", 1024), here("read_at", 0), here("read_at_all", 0), here("write_at", 0), here("read_at_all", 0),
        seeks, here("write", 2048), here("write_all", 3072), seeks, here("read", 2048), here("read_all", 3072),
        here("iwrite_at", 8192), waits("MPI_Wait", 8192),
        here("iwrite_at", 8192), here("iread_at", 0), ("MPI_Wait", None, 2048, 2048),
        here("iread_at", 8192), waits("MPI_Test", 8192), here("iwrite_at_all", 12288), waits("MPI_Wait", 12288),
        here("write_at_all_begin", 16384), here("write_at_all_end", 16384), here("read_at_all_begin", 16384), here("read_at_all_end", 16384),
        none("set_view", 4096, 4096), ("MPI_File_read_at", 6656, 512, 512), none("set_view", 0, 1),
        none("sync"), none("read_at", 1 << 30, 1024), none("close"),
        none("open"), ("MPI_File_write_shared", None, 1024, 1024), ("MPI_File_write_ordered", None, 1024, 1024), none("close"),
        ("MPI_File_open", None, None, "fails"), *([none("delete")] if rank == 0 else []), ("MPI_Finalize", None, None, 0)]


def expect_mpi_calls(rows, what, ranks=2):
    """Every rank of tests/programs/mpi_calls.c made its calls, each once and with the right numbers."""
    for rank in range(ranks):
        found = of_rank(rows, rank, "mpiio")
        # A test that found nothing is told only if the library worked meanwhile.
        found = [row for row in found if not (row.call == "MPI_Test" and row.bytes == 0)]
        seen = [row.what() if row.result >= 0 else (*row.what()[:3], "fails") for row in found]
        expect_equal(seen, mpi_calls_of(rank), f"{what}: calls of rank {rank}")
