# SPDX-License-Identifier: Apache-2.0
"""A store in which some applications are known, without waiting for them to run: two days of made counters and a job log, mined. And weights that go with it."""
import random
import time

STEP, DAYS, DAY = 10, 2, 86400
SERVERS = [f"login:d{number}" for number in range(1, 5)]
PERIOD, LENGTH, VOLUME, FOOTPRINT = 300, 30, 240e6, 2  # of the first application: 4 MB/s on two of the four servers, for a tenth of the time; others are slower and move more


def make(folder, run, names, user="root", nodes=1):
    """`run` runs fathom. Ends yesterday, so that what tests do today does not touch it. Applications take turns, so that each has time without it."""
    chance = random.Random(17)
    start = (int(time.time()) // DAY - DAYS - 1) * DAY
    slots = DAYS * DAY // STEP
    written = [[chance.randrange(20_000, 60_000) for _ in range(slots)] for _ in SERVERS]
    jobs, t, number = [], 600.0, 0
    while t < DAYS * DAY - 16 * PERIOD:
        which, periods = number % len(names), chance.randrange(8, 12)
        name, period, volume = names[which], PERIOD * (1 + 0.4 * which), VOLUME * (1 + 1.5 * which)
        number += 1
        jobs.append((number, name, start + int(t), start + int(t + periods * period + 30)))
        for k in range(periods):
            begin = t + period * (k + 0.3 + chance.gauss(0, 0.01))
            for server in chance.sample(range(len(SERVERS)), FOOTPRINT):
                for slot in range(round(begin / STEP), round((begin + LENGTH) / STEP)):
                    written[server][slot] += int(volume / FOOTPRINT / (LENGTH / STEP) * chance.uniform(0.98, 1.02))
        t += periods * period + chance.uniform(5, 8) * PERIOD
    lines, totals = ["t,server,filesystem,read_bytes,write_bytes"], [0] * len(SERVERS)
    for slot in range(slots + 1):
        lines += [f"{start + slot * STEP},{name},block,0,{total}" for name, total in zip(SERVERS, totals)]
        if slot < slots:
            totals = [total + row[slot] for total, row in zip(totals, written)]
    (folder / "past.csv").write_text("\n".join(lines) + "\n")
    head = "JobIDRaw|User|Partition|Submit|Start|End|State|NNodes|Timelimit|NodeList|JobName\n"
    (folder / "past.sacct").write_text(head + "".join(f"{1_000_000 + number}|{user}|batch|{begin}|{begin}|{end}|COMPLETED|{nodes}|UNLIMITED|n1|{name}\n" for number, name, begin, end in jobs))
    run("ingest", folder / "store", folder / "past.csv", folder / "past.sacct", "--servers", "shared")
    run("mine", folder / "store")
    return folder / "store"


def make_weights(folder, run):
    """Ten bands of 1 MB/s over the last ten seconds: a server at 9 MB/s or more scores 3, an idle one 1; with an impact of 1.5 the limit lies where a quarter of the time is busy."""
    lines = ["throughput,io_to_compute,normalised," + ",".join(f"band_{band}" for band in range(10))]
    for i in range(60):
        busy = i / 59
        lines.append(f"8e6,0.1,{1 + 2 * busy}," + ",".join(str(share) for share in [1 - busy, *[0] * 8, busy]))
    (folder / "runs.csv").write_text("\n".join(lines) + "\n")
    run("train", folder / "runs.csv", "--band-width", 1e6, "--peak", 10e6, "--window", 10, "--windows", 1, "-o", folder / "weights.toml")
    return folder / "weights.toml"
