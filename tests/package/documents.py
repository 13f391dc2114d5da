# SPDX-License-Identifier: Apache-2.0
"""What an installation must have of licences, notices and documentation; used by installed.py and fresh_debian.py."""
import pathlib
import re

project = pathlib.Path(__file__).resolve().parents[2]
ALWAYS = ("LICENSE", "THIRD_PARTY.md", "copyright", "README.md", "CHANGELOG.md", "web/LICENSES.md", "docs/guide.md", "docs/images/demo.svg")


def pages_named(texts):
    """docs/NAME.md of each text; a page for man has its hyphens with a backslash."""
    return {name for text in texts for name in re.findall(r"docs/[a-z0-9_/-]+\.md", text.replace("\\-", "-"))}


def problems_of(prefix, helps=()):
    """What an installation below this prefix lacks; `helps`: what --help of its commands says."""
    documents = pathlib.Path(prefix) / "share/doc/fathom"
    problems = [f"{documents / name} is missing" for name in ALWAYS if not (documents / name).is_file()]
    if problems:
        return problems
    man = [page.read_text() for page in (pathlib.Path(prefix) / "share/man/man1").glob("fathom*.1")]
    units = [unit.read_text() for unit in (pathlib.Path(prefix) / "lib/systemd/system").glob("fathom-*")]
    named = pages_named([*man, *units, *helps])
    if len(named) < 10:
        problems.append(f"only {len(named)} pages are named by {len(man)} pages for man: {sorted(named)}")
    problems += [f"{name} is named by --help or man, and is not below {documents}" for name in sorted(named) if not (documents / name).is_file()]
    for name in ("LICENSE", "THIRD_PARTY.md", "web/LICENSES.md"):
        if (documents / name).read_bytes() != (project / name).read_bytes():
            problems.append(f"{documents / name} is not that of the source")
    return problems


def problems_of_bundle(prefix):
    """Of the tarball: every library that it brings is DuckDB's, our own, or has its Debian package's notice and a line of versions."""
    lib, bundled = pathlib.Path(prefix) / "lib/fathom", pathlib.Path(prefix) / "share/doc/fathom/bundled"
    if not (bundled / "PACKAGES").is_file():
        return [f"{bundled}/PACKAGES is missing"]
    lines = [line.split() for line in (bundled / "PACKAGES").read_text().splitlines() if not line.startswith("#")]
    packages = {words[0]: words for words in lines}
    problems = []
    for library in sorted(path.name for path in lib.glob("lib*.so.*")):
        if len(packages.get(library, ())) != 5:
            problems.append(f"{library} has no whole line in {bundled}/PACKAGES")
        elif not (bundled / f"{packages[library][1]}.copyright").is_file():
            problems.append(f"{library}: {packages[library][1]}.copyright is missing")
        elif f"{library.split('.so')[0]}.so" not in (project / "THIRD_PARTY.md").read_text():
            problems.append(f"{library} is not in THIRD_PARTY.md")
    if not packages:
        problems.append(f"{bundled}/PACKAGES is empty")
    texts = "".join(path.read_text(errors="replace") for path in bundled.glob("*.copyright"))
    for licence in {"LGPL-2.1", "GPL-3"} | set(re.findall(r"common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", texts)):
        if not (bundled / "common-licenses" / licence).is_file():
            problems.append(f"{bundled}/common-licenses/{licence} is missing")
    return problems
