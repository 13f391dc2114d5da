# SPDX-License-Identifier: Apache-2.0
"""Whatever the cuts, the order, the overlap and the packing of the files: the store is that of the plain ingest."""
from fathom_e2e import *


def overlapping(pieces, chance):
    """As log rotation does now and then: a piece begins with the last lines of the one before."""
    result = [pieces[0]]
    for before, piece in zip(pieces, pieces[1:]):
        repeated = chance.randint(1, min(400, len(before))) if chance.random() < 0.5 else 0
        result.append(before[len(before) - repeated :] + piece)
    return result


def jumbled_ingest(store, logs, folder, chance, pieces):
    folder.mkdir()
    parts = []
    for i, piece in enumerate(overlapping(cut(log_lines(logs), pieces, chance), chance)):
        parts.append(write_part(folder / f"part-{i:03}.log", piece, chance.choice(["", "", ".gz", ".zst"])))
    parts.append(logs / "jobs.csv")
    chance.shuffle(parts)
    commands = 0
    while parts:
        taken = chance.randint(1, 4)
        ingest(store, *parts[:taken])
        del parts[:taken]
        commands += 1
    return commands


def compare_jumbled(folder, seed, preset, *options, pieces):
    logs, plain, jumbled = folder / "logs", folder / "plain", folder / "jumbled"
    synth(logs, preset, "--seed", seed, *options)
    ingest(plain, logs)
    commands = jumbled_ingest(jumbled, logs, folder / "parts", seeded(seed), pieces)
    name = f"{preset} {' '.join(map(str, options))} seed {seed}, {pieces} parts in {commands} commands"
    expect_same_content(jumbled, plain, name)
    check(jumbled)
    say(f"{name}: same content as the plain ingest")
    for each in (logs, plain, jumbled, folder / "parts"):
        shutil.rmtree(each)


with scratch() as folder:
    for seed in range(1, 31 if long_run else 7):
        compare_jumbled(folder, seed, "small", pieces=5 + 3 * (seed % 7))
    compare_jumbled(folder, 7, "small", "--days", 3, pieces=14)
    compare_jumbled(folder, 8, "jugene", "--days", 0.3 if long_run else 0.05, pieces=8)
