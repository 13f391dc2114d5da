#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a relative link of a Markdown page leads nowhere: no such file, or no such heading in it."""
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1]).resolve()


def text_of(page):
    """The page without code, where brackets are not links and '#' is no heading."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(), flags=re.M | re.S)
    return text


def anchors(page):
    """Headings as GitHub and GitLab name them: lower case, punctuation gone, blanks as dashes."""
    seen, names = {}, set()
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*$", text_of(page), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


listed = subprocess.run(
    ["git", "-C", str(top), "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], capture_output=True, text=True
).stdout.split("\n")
# An unpacked release has no git: then every page outside of build/ and deps/.
pages = [top / name for name in listed if name] or [
    page for page in top.rglob("*.md") if page.relative_to(top).parts[0] not in ("build", "deps", "demo") and "node_modules" not in page.parts
]
problems, links = [], 0
for page in sorted(pages):
    if not page.exists():
        continue
    text = re.sub(r"`[^`\n]*`", "", text_of(page))
    targets = re.findall(r"\[[^\]]*\]\(\s*<?([^)\s>]+)", text)
    targets += re.findall(r"<(?:img|a)[^>]*\b(?:src|href)=\"([^\"]+)\"", text)
    for target in targets:
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        links += 1
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        where = page.relative_to(top)
        if not found.exists():
            problems.append(f"{where}: {target}: no such file")
        elif not found.is_relative_to(top):
            problems.append(f"{where}: {target}: leads out of the project")
        elif anchor and found.suffix == ".md" and anchor not in anchors(found):
            problems.append(f"{where}: {target}: no such heading")
print("\n".join(problems) or f"{links} links in {len(pages)} pages lead somewhere")
sys.exit(bool(problems))
