# SPDX-License-Identifier: Apache-2.0
"""docs/tour.md is true: every command of the page is run, in order and in one folder, and what the page shows of its output is there.

A line `...` stands for lines that the page leaves out. Every other line must be a whole line of the output; lines of one stream come in the order of the page.
"""
import shlex

from fathom_e2e import *


def steps_of(page):
    """Commands of the page's console blocks, each with the lines that it shows."""
    steps, inside = [], False
    for line in page.splitlines():
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            steps.append((line[2:], []))
        elif inside and steps[-1][0].endswith("\\"):
            steps[-1] = (steps[-1][0][:-1].rstrip() + " " + line.strip(), steps[-1][1])
        elif inside:
            steps[-1][1].append(line)
    return steps


def check_lines(command, shown, done):
    streams = [[line.rstrip() for line in text.splitlines()] for text in (done.stdout, done.stderr)]
    at = [0, 0]
    for line in (line.rstrip() for line in shown):
        if line in ("...", ""):
            continue
        for which, lines in enumerate(streams):
            if line in lines[at[which]:]:
                at[which] = lines.index(line, at[which]) + 1
                break
        else:
            fail(f"docs/tour.md: `{command}` does not print this line, or not there:\n{line}\n--- it printed:\n{done.stdout}\n{done.stderr}")


page = (project / "docs" / "tour.md").read_text()
steps = steps_of(page)
expect(len(steps) >= 12, f"docs/tour.md has only {len(steps)} commands")
with scratch() as folder:
    for command, shown in steps:
        words = shlex.split(command)
        expect_equal(words[0], "fathom", f"the program of `{command}`")
        done = subprocess.run([fathom, *words[1:]], capture_output=True, text=True, timeout=600, cwd=folder)
        expect_equal(done.returncode, 0, f"exit code of `{command}`\n{done.stdout}\n{done.stderr}\n")
        expect(any(line.strip() not in ("", "...") for line in shown) or " -o " in command, f"docs/tour.md shows nothing of what `{command}` prints")
        check_lines(command, shown, done)
        say(command)
say(f"{len(steps)} commands of docs/tour.md print what the page says")
