# SPDX-License-Identifier: Apache-2.0
"""Tables of a page that a program writes: what stands between two markers is replaced, the rest is left alone."""
import csv
import io
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
real_logs = root.parent / "shared" / "data"  # logs of real sites, where they are at hand


def run(fathom, *arguments):
    """Standard output of a command of the program; the reason and the end if it fails."""
    done = subprocess.run([str(fathom), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"fathom {' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def rows(fathom, *arguments):
    return list(csv.DictReader(io.StringIO(run(fathom, *arguments, "--format", "csv"))))


def markdown(head, lines):
    ruler = ["---"] * len(head)
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in [head, ruler, *lines])


def put(page, name, text):
    """Between <!-- NAME --> and <!-- end of NAME -->."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    old = page.read_text()
    if old.count(begin) != 1 or old.count(end) != 1:
        sys.exit(f"{page}: needs one line '{begin}' and one line '{end}'")
    page.write_text(old[: old.index(begin)] + f"{begin}\n{text.strip()}\n" + old[old.index(end) :])
