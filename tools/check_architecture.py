#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a file includes a module it may not use, is missing from its folder's list, has no licence line, when ARCHITECTURE.md names what is not there, or says that it is unfinished."""
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
root = top / "src"
uses = {
    name: {name, *(allowed or "").split()}
    for name, allowed in re.findall(
        r"^ *add_(?:module|preload)\((\w+)(?:\s+USES\s+([\w ]+?))?(?:\s+(?:LINKS|OPTIMISED_TESTS)[^)]*)?\)", (root / "CMakeLists.txt").read_text(), re.M
    )
}
if not uses:
    sys.exit("no add_module lines found in src/CMakeLists.txt")
problems = []
for path in sorted(root.rglob("*")):
    module = path.relative_to(root).parts[0]
    if path.suffix not in (".h", ".cpp") or module not in uses:
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        included = re.match(r'#include "(\w+)/', line)
        for_tests = included and path.stem.endswith("_test") and line.startswith('#include "tests/support/')
        if included and included[1] not in uses[module] and not for_tests:
            problems.append(f"{path}:{number}: {module} may not include {included[1]}")
        if re.search(r'#include [<"]duckdb\.h', line) and module != "store":
            problems.append(f"{path}:{number}: only store may see DuckDB")

# readers/readers.cpp names every thing in readers/, and so on for each folder with a list; a module is no such folder.
for listing in sorted(root.rglob("*.cpp")):
    if listing.stem != listing.parent.name or listing.parent.parent == root:
        continue
    text = listing.read_text()
    for thing in sorted(listing.parent.glob("*.cpp")):
        if not re.search(r"_(test|fuzz|bench)$", thing.stem) and not re.search(rf"\b{thing.stem}\b", text):
            problems.append(f"{listing}: does not list {thing.stem}")

# ARCHITECTURE.md puts each module into a layer, and names no file of src/ that is not there.
page = (top / "ARCHITECTURE.md").read_text()
layers = page[page.index("## Layers") : page.index("## Where to look first")]
problems += [f"ARCHITECTURE.md: no layer has {module}" for module in sorted(uses) if f"`{module}`" not in layers]
for named in re.findall(r"`(src/[\w/]+(?:\.\w+)?)/?`", page):
    if not (top / named).exists() and not re.search(r"NAME|WORD", named):
        problems.append(f"ARCHITECTURE.md: there is no {named}")

# Module headers are included by path from src/, never relatively across folders.
tracked = subprocess.run(["git", "-C", str(top), "ls-files"], capture_output=True, text=True).stdout.split("\n")
# A line on the licence in every file that can have one: not JSON and images, not the licence itself, not data of tests, which is compared byte by byte or read as it is.
without_licence_line = (".json", ".png", ".svg")
data_of_tests = ("tests/corpus/", "tests/golden/", "tests/kept/")
for name in tracked:
    path = top / name
    if not path.is_file() or name == "LICENSE" or path.suffix in without_licence_line or (name.startswith(data_of_tests) and path.suffix not in (".py", ".md")):
        continue
    if "SPDX-License-Identifier: Apache-2.0" not in path.read_text(errors="replace")[:300]:
        problems.append(f"{name}: no SPDX line")

# What is in here is finished; what is missing stands in the documentation as a gap or a limit.
unfinished = re.compile(r"\b(todo|fixme|xxx|stubs?|simplified|for now(?!,))\b", re.I)
texts = (".h", ".cpp", ".c", ".S", ".F90", ".lua", ".py", ".sh", ".cmake", ".ts", ".mjs", ".svelte", ".css", ".md", ".txt", "")
for name in tracked:
    path = top / name
    if path.suffix not in texts or not path.is_file() or {"corpus", "kept", "golden"} & set(path.parts) or name == "tools/check_architecture.py":
        continue
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if found := unfinished.search(line):
            problems.append(f"{name}:{number}: '{found[0]}'")
print("\n".join(problems) or f"architecture holds: {len(uses)} modules")
sys.exit(bool(problems))
