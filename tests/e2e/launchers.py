# SPDX-License-Identifier: Apache-2.0
"""The MPI launchers of this machine, for tests of what runs on several ranks: every launch ends, and one message is told from the launcher's own."""
import re
import signal

from fathom_e2e import *

LONGEST = 60  # seconds for one launch; each takes about one when the machine is not busy
NO_LEAKS = {"ASAN_OPTIONS": "detect_leaks=0"}  # MPI libraries leak on purpose; and nobody looks for leaks in what strace already traces


class Flavour:
    def __init__(self, name, launcher, options, sizes, variable):
        self.name, self.sizes, self.variable = name, sizes, variable
        self.mpiexec = shutil.which(launcher)
        self.options = options
        self.shim = pathlib.Path(fathom).parent / "lib" / f"fathom-mpi-{name}.so"

    def present(self):
        if self.mpiexec is None:
            left_out(f"{self.name}: there is no mpiexec of it")
        elif not self.shim.exists():
            left_out(f"{self.name}: {self.shim.name} was not built")
        return self.mpiexec is not None and self.shim.exists()

    def launch(self, size, *command, exit_code=0, timeout=LONGEST, **variables):
        """Runs a command on so many ranks and insists on the launcher's exit code; a launch that hangs is ended with all its processes."""
        # Only its own variables: none of a launcher around this test.
        environment = {key: value for key, value in os.environ.items() if not re.match(r"PMI|OMPI_|FATHOM_|SLURM_", key)}
        environment |= NO_LEAKS | variables
        command = [self.mpiexec, *self.options, "-n", str(size), *map(str, command)]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)
        try:
            stdout, stderr = running.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGTERM)  # mpiexec takes its processes with it
            try:
                running.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
            fail(f"{' '.join(command)} hangs")
        if exit_code is not None:
            expect_equal(running.returncode, exit_code, f"exit code of {' '.join(command)}\n{stdout[-2000:]}\n{stderr[-4000:]}")
        return subprocess.CompletedProcess(command, running.returncode, stdout, stderr)


def own_messages(done):
    """What the program said, without the launcher's comments on exit codes."""
    return [line for line in done.stderr.splitlines() if line.startswith("fathom: ")]


def expect_one_message(done, *words):
    messages = own_messages(done)
    expect_equal(len(messages), 1, f"messages of {' '.join(done.args)}: {messages}\n{done.stderr}")
    for word in words:
        expect(str(word) in messages[0], f"{' '.join(done.args)}: the message does not name '{word}': {messages[0]}")


def exit_codes(flavour, size, *command):
    """Of every rank: a shell around each tells."""
    done = flavour.launch(size, "sh", "-c", '"$@"; echo "exit $?" >&2', "sh", *command)
    return re.findall(r"^exit (\d+)$", done.stderr, re.M), done


flavours = [
    Flavour("mpich", "mpiexec.mpich", [], (1, 2, 3, 5), "PMI_RANK"),
    Flavour("openmpi", "mpiexec.openmpi", ["--allow-run-as-root", "--oversubscribe"], (1, 2, 3), "OMPI_COMM_WORLD_RANK"),
]


def present_flavours():
    """Those that are installed; without any the test is skipped."""
    present = [flavour for flavour in flavours if flavour.present()]
    if not present:
        skip("no MPI is installed")
    return present
