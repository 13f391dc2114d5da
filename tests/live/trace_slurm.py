# SPDX-License-Identifier: Apache-2.0
"""Tracing under a real Slurm of two nodes: each way of starting gives one trace with every call of every task, and a store links it to its job."""
from live import *

import slurm_cluster

enter_machine(slurm_cluster)

TASKS, COUNT = 4, 40
NODES = ["-N", "2", "-n", str(TASKS)]


# --- what must be in a trace --------------------------------------------------------------------------------------


def writes_of(task):
    """What tests/programs/task_writes.c does to its file: call, offset, bytes, result."""
    size = 1000 + task
    moves = lambda call, count: [(call, i * size, size, size) for i in range(count)]
    return ["open", *moves("pwrite", COUNT), *moves("pread", COUNT // 2)]


def expect_task_calls(trace, what, last="close"):
    """Every task's calls, each once; and totals in which nothing else is counted, neither of launchers nor of shells."""
    rows = events(trace)
    for task in range(TASKS):
        of_task = [row for row in rows if row.file == f"task.{task}"]
        expect_equal({row.rank for row in of_task}, {task}, f"{what}: rank of task {task}")
        seen = [row.what() if row.bytes else row.call.removesuffix("at") for row in of_task]
        expect_equal(seen, writes_of(task) + [last] * bool(last), f"{what}: calls of task {task}")
    facts = json.loads(run("trace", "summary", trace, "--format", "json").stdout)
    posix = {key: facts["interfaces"]["posix"][key] for key in ("write_calls", "write_bytes", "read_calls", "read_bytes", "opens", "closes")}
    bytes_of = lambda count: sum(count * (1000 + task) for task in range(TASKS))
    wanted = {"write_calls": TASKS * COUNT, "write_bytes": bytes_of(COUNT), "read_calls": TASKS * COUNT // 2, "read_bytes": bytes_of(COUNT // 2), "opens": TASKS,
              "closes": TASKS * bool(last)}
    expect_equal((facts["ranks"], facts["files"], posix), (TASKS, TASKS, wanted), f"{what}: ranks, files and totals")


class Cases:
    def __init__(self, slurm, folder):
        self.slurm, self.folder = slurm, folder
        self.data, self.store = folder / "data", folder / "store"
        self.data.mkdir()
        self.links = []
        self.program = [build("gcc", "task_writes.c", folder / "task_writes"), self.data, COUNT]

    def newest_job(self):
        return max(self.slurm.jobs(), key=lambda job: int(job["JobId"]))["JobId"]

    def linked(self, trace, job, what):
        """The store, which knows the job from Slurm itself, takes the trace for that job's."""
        facts = self.slurm.job(job)
        fields = ["JobId", "Partition", "SubmitTime", "StartTime", "EndTime", "JobState", "NumNodes", "NodeList", "JobName"]
        log = self.folder / f"sacct-{job}.txt"
        log.write_text("JobIDRaw|User|Partition|Submit|Start|End|State|NNodes|NodeList|JobName\n" + "|".join([facts[fields[0]], "root", *(facts[field] for field in fields[1:])]) + "\n")
        run("ingest", self.store, log, "--timezone", "UTC")
        said = run("ingest", self.store, trace).stderr
        expect(f"job {job}" in said and "SLURM_JOB_ID" in said, f"{what}: linked to job {job}: {said}")
        self.links.append(job)
        rows = list(csv.DictReader(io.StringIO(run("criteria", self.store, "--traced", "--format", "csv").stdout)))
        expect_equal(sorted(row["job_id"] for row in rows), sorted(self.links), f"{what}: traced jobs of the store")
        posix = json.loads(run("trace", "summary", trace, "--format", "json").stdout)["interfaces"]["posix"]
        mine = [(float(row["write_bytes"]), float(row["write_ops"])) for row in rows if row["job_id"] == job]
        expect((posix["write_bytes"], posix["write_calls"]) in mine, f"{what}: bytes and writes of job {job} in the store: {mine}, of the trace: {posix}")

    # --- ways of starting -----------------------------------------------------------------------------------------

    def outside(self):
        trace = self.folder / "outside"
        self.slurm.run(fathom, "run", "-o", trace, "--", "srun", *NODES, *self.program)
        expect_equal(sorted(path.name for path in trace.glob("*.fathom")), ["login.fathom", "n1.fathom", "n2.fathom"], "a file for each host")
        expect_task_calls(trace, "fathom run -- srun")
        self.linked(trace, self.newest_job(), "fathom run -- srun")
        say("fathom run -- srun: every call of four tasks on two nodes")

    def inside(self):
        trace = self.folder / "inside"
        done = self.slurm.run("srun", "--mpi=none", *NODES, fathom, "run", "-o", trace, "--", *self.program)
        expect_equal(len(own_messages(done)), 3, f"lines at the end, of one task\n{done.stderr}")
        expect_equal(sorted(path.name for path in trace.glob("*.fathom")), ["n1.fathom", "n2.fathom"], "a file for each node")
        expect_task_calls(trace, "srun fathom run")
        self.linked(trace, self.newest_job(), "srun fathom run")
        done = self.slurm.run("srun", *NODES, fathom, "run", "--", *self.program, exit_code=2)
        expect("-o" in done.stderr, f"tasks without a common folder: {done.stderr}")
        say("srun fathom run: the same, and tasks that would not share a trace are refused")

    def prolog(self):
        """The script of docs/tracing.md, in which only the two folders are others."""
        traces = self.folder / "traces"
        traces.mkdir()
        text = (project / "docs" / "tracing.md").read_text()
        script = next(block for block in re.findall(r"```\n(.*?)```", text, re.S) if "SLURM_JOB_ID" in block)
        for written, here in (("/opt/fathom/lib/fathom", pathlib.Path(fathom).parent / "lib"), ("/scratch/traces", traces)):
            expect(written in script, f"docs/tracing.md: {written} is not in the TaskProlog\n{script}")
            script = script.replace(written, str(here))
        task_prolog = self.folder / "task_prolog.sh"
        self.set_prolog(task_prolog, script)
        self.slurm.run("srun", *NODES, *self.program)
        job = self.newest_job()
        expect_task_calls(traces / job, "TaskProlog")
        self.linked(traces / job, job, "TaskProlog")

        job = self.slurm.submit(f"srun {' '.join(map(str, self.program))}", *NODES)
        expect_equal(self.slurm.wait_for(job), "COMPLETED", "a batch job")
        expect_task_calls(traces / job, "TaskProlog and a batch script")
        self.linked(traces / job, job, "TaskProlog and a batch script")

        own = self.folder / "own"
        self.slurm.run(fathom, "run", "-o", own, "--", "srun", *NODES, *self.program)
        expect_task_calls(own, "fathom run -- srun under a TaskProlog")
        say("TaskProlog: the same from srun and from a batch script, and it leaves those alone who use fathom run")

        steps = script.replace("/$SLURM_JOB_ID", "/$SLURM_JOB_ID.$SLURM_STEP_ID").replace("#!/bin/sh\n", '#!/bin/sh\n[ -z "$SLURM_STEP_ID" ] && exit 0\n')
        self.set_prolog(task_prolog, steps)
        job = self.slurm.submit("\n".join([f"srun {' '.join(map(str, self.program))}"] * 2), *NODES)
        expect_equal(self.slurm.wait_for(job), "COMPLETED", "a batch job of two steps")
        expect_equal(sorted(path.name for path in traces.glob(f"{job}.*")), [f"{job}.0", f"{job}.1"], "traces of a job of two steps")
        for step in (0, 1):
            expect_task_calls(traces / f"{job}.{step}", f"TaskProlog, step {step}")
            self.linked(traces / f"{job}.{step}", job, f"TaskProlog, step {step}")
        self.slurm.configure(TaskProlog=None)
        say("TaskProlog: a trace for each step of a job")

    def set_prolog(self, path, script):
        path.write_text(script)
        path.chmod(0o755)
        self.slurm.configure(TaskProlog=path)

    def cancelled(self):
        """Slurm ends all tasks: what they did until then is in the trace, or on their node where nobody of ours was left to write it."""
        waiting = lambda data: f"{self.program[0]} {data} {COUNT} wait"
        trace, job = self.cancel("inside", lambda trace, data: f"srun {fathom} run -o {trace} -- {waiting(data)}")
        expect_task_calls(trace, "a cancelled job", last=None)
        self.linked(trace, job, "a cancelled job")
        trace, _ = self.cancel("outside", lambda trace, data: f"{fathom} run -o {trace} -- srun {waiting(data)}")
        seen = [self.slurm.run("srun", "-N", "1", "-n", "1", "-w", node, fathom, "trace", "events", trace, "--format", "csv").stdout for node in self.slurm.nodes]
        for task in range(TASKS):
            writes = [sum(f"/task.{task}," in line and ",pwrite," in line for line in lines.splitlines()) for lines in seen]
            expect(COUNT in writes, f"a cancelled job without fathom run on its nodes: task {task} wrote {COUNT} times, seen from each node: {writes}")
        say("a job that is cancelled: nothing of what it did is lost")

    def cancel(self, name, script):
        trace, data = self.folder / f"cancelled-{name}", self.folder / f"waiting-{name}"
        data.mkdir()
        job = self.slurm.submit(script(trace, data), *NODES)
        self.slurm.wait_until("all tasks wait", lambda: len(list(data.glob("ready.*"))) == TASKS)
        self.slurm.run("scancel", job)
        expect_equal(self.slurm.wait_for(job), "CANCELLED", "a job that was cancelled")
        self.slurm.wait_until_idle()
        return trace, job

    # --- MPI --------------------------------------------------------------------------------------------------------

    def mpi(self, flavour, protocol, nodes, **variables):
        program = build(f"mpicc.{flavour.name}", "mpi_calls.c", self.folder / f"mpi_calls.{flavour.name}")
        if program is None:
            return
        if protocol not in self.slurm.run("srun", "--mpi=list").stdout.split():
            return left_out(f"Slurm with --mpi={protocol}: it has none")
        srun = ["srun", f"--mpi={protocol}", "-N", nodes, "-n", "2"]
        launches = {f"fathom run -- srun --mpi={protocol}": [fathom, "run", "-o", None, "--", *srun, program, self.data / "mpi"],
                    f"srun --mpi={protocol} fathom run": [*srun, fathom, "run", "-o", None, "--", program, self.data / "mpi"]}
        for number, (what, words) in enumerate(launches.items()):
            trace = self.folder / f"{flavour.name}-{number}"
            self.slurm.run(*[trace if word is None else word for word in words])
            expect_mpi_calls(events(trace), f"{flavour.name}, {what}")
            self.linked(trace, self.newest_job(), what)
        if flavour.mpiexec is not None:
            trace = self.folder / f"{flavour.name}-mpiexec"
            words = [fathom, "run", "-o", trace, "--", flavour.mpiexec, *flavour.options, "-n", 2, program, self.data / "mpi"]
            job = self.slurm.submit(" ".join(map(str, words)), "-N", nodes, "-n", "2", **variables)
            expect_equal(self.slurm.wait_for(job), "COMPLETED", f"{flavour.name}: mpiexec in a batch job\n{self.slurm.output(job)}")
            expect_mpi_calls(events(trace), f"{flavour.name}, mpiexec in a batch job")
            self.linked(trace, job, f"{flavour.name}, mpiexec in a batch job")
        say(f"{flavour.name}: each MPI-IO call once on {nodes} node(s), through srun --mpi={protocol} and mpiexec")


with scratch() as folder, slurm_cluster.SlurmCluster(nodes=2) as slurm:
    say("a Slurm of two nodes is up")
    cases = Cases(slurm, folder)
    cases.outside()
    cases.inside()
    cases.prolog()
    cases.cancelled()
    mpich, openmpi = flavours
    cases.mpi(mpich, "pmi2", 2)
    # On one node: Open MPI refuses to talk between nodes that share one loopback network.
    cases.mpi(openmpi, "pmix", 1, OMPI_MCA_oob_tcp_if_include="lo")
    check(cases.store)
