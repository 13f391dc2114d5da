# SPDX-License-Identifier: Apache-2.0
"""Cases as data: tests/golden/NAME has input/ to ingest, a command (STORE stands for the store), and expected.csv with what must come out.

Columns that expected.csv does not name may be there too. Numbers may differ by rounding (1e-12).
A file *.txt beside them is another command in its first line, and below it what that prints, to the letter.
"""
from fathom_e2e import *


def agree(found, wanted):
    try:
        return found == wanted or abs(float(found) - float(wanted)) <= 1e-12 * abs(float(wanted))
    except ValueError:
        return False


def compare(case, folder):
    store = folder / f"{case.name}.store"
    ingest(store, case / "input")
    arguments = [str(store) if word == "STORE" else word for word in (case / "command").read_text().split()]
    found = list(csv.DictReader(io.StringIO(run(*arguments).stdout)))
    wanted = read_csv(case / "expected.csv")
    expect_equal(len(found), len(wanted), f"{case.name}: rows")
    for number, (row, expected) in enumerate(zip(found, wanted), 1):
        for name, value in expected.items():
            expect(name in row, f"{case.name}: no column {name}")
            expect(agree(row[name], value), f"{case.name}: {name} in row {number}: expected {value!r}, found {row[name]!r}")
    say(f"{case.name}: {len(wanted)} rows of {len(wanted[0])} columns as expected")
    for page in sorted(case.glob("*.txt")):
        command, text = page.read_text().split("\n", 1)
        arguments = [str(store) if word == "STORE" else word for word in command.split()]
        expect_equal(run(*arguments).stdout, text, f"{case.name}/{page.name}")
        say(f"{case.name}: {page.name} to the letter")


with scratch() as scratch_folder:
    cases = sorted(path.parent for path in (project / "tests" / "golden").glob("*/command"))
    expect(cases, "no cases found")
    for each in cases:
        compare(each, scratch_folder)
