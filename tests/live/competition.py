# SPDX-License-Identifier: Apache-2.0
"""Two MPI programs write to one slow target, with one process and with three, each alone and then side by side: their slices hold what they
wrote to the byte, the overlap is found, and the ratio and the model's prediction are told."""
from live import *

import throttled_target
from throttled_target import ThrottledTarget

enter_machine(throttled_target)

MIB = 1 << 20
RATE = 24e6            # bytes per second
AMOUNT = 72 * MIB      # of each application: 3.1 s alone
BLOCK = 256 << 10
SIZES = {"small": 1, "large": 3}


def command(flavour, program, target, name, trace, *way):
    environment = {key: value for key, value in os.environ.items() if not re.match(r"PMI|OMPI_|FATHOM_|SLURM_", key)}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_oob_tcp_if_include": "lo"}
    words = [fathom, "run", "--slices", "--slice", "0.5", "-o", trace, "--", flavour.mpiexec, *flavour.options, "-n", SIZES[name], program, target.folder / name, AMOUNT, BLOCK, *way]
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finish(running, name):
    """The seconds that the program itself measured."""
    output, errors = running.communicate(timeout=60)
    expect_equal(running.returncode, 0, f"exit code of {name}\n{output}\n{errors}")
    return float(output.split()[1])


def slices(trace):
    return list(csv.DictReader(io.StringIO(run("slices", trace, "--per-process", "--format", "csv").stdout)))


def written_as_counted(trace, name, *way):
    """To the byte, by each rank; through MPI-IO the same once more in its layer."""
    wanted = {str(rank): AMOUNT // SIZES[name] for rank in range(SIZES[name])}
    for counter in ("write_bytes", "mpi_write_bytes") if way else ("write_bytes",):
        by_rank = {}
        for row in slices(trace):
            by_rank[row["rank"]] = by_rank.get(row["rank"], 0) + int(row[counter])
        expect_equal({rank: count for rank, count in by_rank.items() if count}, wanted, f"{name}: {counter} of each rank, in slices")


def check(flavour, folder, *way):
    program = build(f"mpicc.{flavour.name}", "competing.c", folder / "competing")
    if program is None:
        skip("there is no MPI compiler")
    with ThrottledTarget(RATE, 512 << 20) as target:
        alone, beside = {}, {}
        for name in SIZES:
            alone[name] = finish(command(flavour, program, target, name, folder / f"{name}-alone", *way), name)
            written_as_counted(folder / f"{name}-alone", name, *way)
            for file in target.folder.glob(f"{name}.*"):
                file.unlink()
        running = {name: command(flavour, program, target, name, folder / name, *way) for name in SIZES}
        beside = {name: finish(each, name) for name, each in running.items()}
        for name in SIZES:
            written_as_counted(folder / name, name, *way)
    say(f"alone: {alone}, side by side: {beside} (seconds, by the programs' own clocks)")
    told = json.loads(run("compete", f"small={folder / 'small'}", f"large={folder / 'large'}", "--standalone", f"small={folder / 'small-alone'}",
                          "--standalone", f"large={folder / 'large-alone'}", "--share", "process", "--format", "json").stdout)
    found = {row["application"]: row for row in told["applications"]}
    expect_equal({name: (row["processes"], row["bytes"]) for name, row in found.items()}, {name: (size, AMOUNT) for name, size in SIZES.items()}, "processes and bytes")
    # The large one ends first, after some 4 s; both write all the time until then.
    overlap = found["large"]["active_overlap"]
    expect(2 <= overlap <= beside["large"] + 1, f"active overlap of {overlap} s; the large application wrote for {beside['large']} s")
    ratio = found["large"]["overlap_throughput"] / found["small"]["overlap_throughput"]
    expect(1.5 < ratio < 5, f"three processes got {ratio:.2f} times what one got")
    both = sum(row["overlap_throughput"] for row in found.values())
    expect(abs(both / RATE - 1) < 0.25, f"together {both / 1e6:.1f} MB/s in the overlap, the target has {RATE / 1e6:.1f}")
    for name, row in found.items():
        expect(row["slowdown"] > 1.1, f"{name}: slowed down {row['slowdown']:.2f} times")
        expect(abs(row["relative_error"]) < 0.3, f"{name}: predicted {row['predicted']:.2f} s beside the other, wrong by {100 * row['relative_error']:.0f} %")
        say(f"{name}: {row['processes']} processes, alone {row['standalone']:.2f} s, beside the other {row['io_phase']:.2f} s, predicted {row['predicted']:.2f} s "
            f"({100 * row['relative_error']:+.1f} %); {row['overlap_throughput'] / 1e6:.1f} MB/s in the overlap")
    say(f"active overlap {overlap:.1f} s, ratio 1 : {ratio:.2f} for 1 and 3 processes, spread {100 * told['spread']:.1f} %, fairness {told['fairness']}")


for flavour, *way in ((installed_flavours()[0], "mpiio"), (installed_flavours()[-1],)):
    with scratch() as folder:
        say(f"{flavour.name}, {'MPI-IO' if way else 'POSIX'}")
        check(flavour, folder, *way)
