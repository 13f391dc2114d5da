# SPDX-License-Identifier: Apache-2.0
"""What `make install` puts into its prefix: the program runs there, licences, notices and documentation are there, every docs/ page that --help or man names is; THIRD_PARTY.md has what is linked and pinned.

installed.py BUILD     exits with 0, or with 1 and the reason
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from documents import problems_of, project

build = pathlib.Path(sys.argv[1]).resolve()


def fail(text):
    print(f"FAILED: {text}")
    sys.exit(1)


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=os.environ | {"FATHOM_CONFIG": "/dev/null", "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        fail(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def helps_of(program):
    """--help of every command and part."""
    def listed(text):
        return re.findall(r"^  ([a-z][a-z-]*) ", text, re.M)

    overview = run(program, "--help")
    helps = [overview]
    for name in listed(overview.split("To begin:")[0]):
        text = run(program, name, "--help")
        helps.append(text)
        if "\nCommands:\n" in text:
            helps += [run(program, name, part, "--help") for part in listed(text.split("\nCommands:\n")[1].split("\n\n")[0])]
    return helps


with tempfile.TemporaryDirectory(prefix="fathom-installed-") as folder:
    prefix = pathlib.Path(folder) / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    helps = helps_of(prefix / "bin/fathom")
    if problems := problems_of(prefix, helps):
        fail("\n".join(problems))
    print(f"{sum(path.is_file() for path in prefix.rglob('*'))} files below a prefix; {len(helps)} pages of --help name only documents that are there")

listed = (project / "THIRD_PARTY.md").read_text()
linked = [library for library in re.findall(r"^\s*(\S+) => /", run("ldd", build / "fathom"), re.M) if not re.match(r"lib(c|m|dl|pthread|rt|resolv|duckdb)\.so", library)]
if missing := [library for library in linked if library.split(".so")[0] + ".so" not in listed]:
    fail(f"THIRD_PARTY.md lacks what the program is linked to: {missing}")
pinned = json.loads((project / "deps/package-lock.json").read_text())["packages"]["node_modules/duckdb"]["version"]
if f"DuckDB {pinned} " not in listed:
    fail(f"THIRD_PARTY.md does not name DuckDB {pinned}, which deps/package-lock.json pins")
inside = project / "deps/node_modules/duckdb/src/duckdb/third_party"
if inside.is_dir():
    if missing := [part.name for part in inside.iterdir() if part.is_dir() and not re.search(rf"^\|[^|]*\b{part.name}\b", listed, re.M)]:
        fail(f"THIRD_PARTY.md lacks parts of DuckDB: {missing}")
else:
    print("left out here: DuckDB's parts against THIRD_PARTY.md: its source is not in deps/")
print(f"THIRD_PARTY.md has {len(linked)} linked libraries, DuckDB {pinned} and its parts")
