# SPDX-License-Identifier: Apache-2.0
"""What chapter 5 of the dissertation found keeps its shape on a part of a synthetic day of `jugene`; docs/simulation-jugene.md has the whole one."""
from fathom_e2e import *


def scenario(folder, preset, **values):
    """The preset with other values, {component__parameter: value}."""
    path = folder / "scenario.toml"
    run("simulate", "--preset", preset, "-o", path)
    lines, table = [], None
    for line in path.read_text().splitlines():
        if line.startswith("["):
            table = line.strip("[]")
        key = f"{table}__{line.split(' = ')[0]}"
        lines.append(f"{line.split(' = ')[0]} = \"{values.pop(key)}\"" if key in values else line)
    expect_equal(values, {}, f"parameters that {preset} does not have")
    path.write_text("\n".join(lines) + "\n")
    return path


def table(*arguments):
    return list(csv.DictReader(io.StringIO(run("simulate", *arguments, "--format", "csv").stdout)))


def verified(folder, store):
    """Table 5.1: bytes read 0.023 %, read commands 0.45 %, bytes written 0.2 %, write commands 2.08 % on average."""
    jugene = scenario(folder, "jugene")
    for row in table(jugene, "--store", store, "--verify"):
        expect(int(row["increments"]) > 200_000, f"{row['increments']} increments are not much of a machine")
        expect(float(row["average_error"]) <= 0.021, f"{row['counter']}: average error {row['average_error']}")
    # A machine that is too slow for what was done is seen: 100 Mbit/s are 1.4 GiB in an interval.
    slow = {row["counter"]: row for row in table(scenario(folder, "jugene", external_link__bandwidth="100 Mbit/s"), "--store", store, "--verify")}
    expect(float(slow["read_bytes"]["average_error"]) > 0.001 and int(slow["read_bytes"]["with_error"]) > 0, "a link of 100 Mbit/s is not seen")
    say("simulated counters are the real ones within 2.1 %, and a slow link is seen")


def changed(folder, store, size, bandwidth):
    path = scenario(folder, "jugene-burst-buffer", burst_buffer__size=size, external_link__bandwidth=bandwidth)
    found = {row["ratio"]: row for row in table(path, "--store", store, "--summary")}
    text = []
    for name in ("io_ratio", "run_ratio"):
        row = {key: float(value) for key, value in found[name].items() if key != "ratio"}
        expect(row["jobs"] >= 150, f"{name}: {row['jobs']:.0f} jobs are too few")
        found[name] = row
        text.append(f"{name} {row['average']:.3f} ({row['standard_deviation']:.3f}), at most {row['maximum']:.2f}, median {row['median']:.3f}, {row['share_above_1.1']:.1%} above 1.1")
    say(f"{size}, {bandwidth}: " + "; ".join(text))
    return found["io_ratio"], found["run_ratio"]


def main():
    with scratch() as folder:
        store = folder / "store"
        run("synth", "jugene", "--days", "0.2", "--seed", "3", "--into", store)
        verified(folder, store)
        slow, slow_run = changed(folder, store, "64 GiB", "1 Gbit/s")
        fast, fast_run = changed(folder, store, "16 GiB", "4 Gbit/s")
    # Table 5.2: I/O time 8.1 on average, median 9.7, 97 % above 1.1; run time 1.08, median 1.05, 20 %.
    expect(5 < slow["average"] < 10 and 8 < slow["median"] < 10.01 and slow["share_above_1.1"] > 0.85, "most I/O takes nearly ten times as long at 1 Gbit/s")
    expect(slow_run["average"] < 1.15 and slow_run["median"] < 1.06 and slow_run["share_above_1.1"] < 0.25, "most jobs hardly take longer at 1 Gbit/s")
    # Table 5.3: I/O time 2.14 on average, median 2.44, 96 % above 1.1; run time 1.01, median 1.01, 2 %.
    expect(1.6 < fast["average"] < 2.5 and 2 < fast["median"] < 2.51 and fast["share_above_1.1"] > 0.75, "I/O takes about 2.5 times as long at 4 Gbit/s")
    expect(fast_run["average"] < 1.02 and fast_run["median"] < 1.02 and fast_run["share_above_1.1"] < 0.03, "jobs hardly take longer at 4 Gbit/s")
    for io, of_run in ((slow, slow_run), (fast, fast_run)):
        for what in ("average", "median"):
            expect(of_run[what] - 1 < 0.05 * (io[what] - 1), f"run times change much less than I/O times ({what})")
    expect(fast["average"] - 1 < 0.3 * (slow["average"] - 1) and fast_run["average"] - 1 < 0.3 * (slow_run["average"] - 1), "4 Gbit/s and 16 GiB are clearly better than 1 Gbit/s and 64 GiB")


main()
