#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws text from standard input as a picture of a terminal.

    { echo '$ make demo'; build/release/fathom demo demo 2>&1; } | tools/terminal_svg.py > docs/images/demo.svg

Lines longer than --columns are cut and end in an ellipsis. No colours are taken from the input: commands, headings
(the line before a command) and the labels of `fathom info` are told by their form.
"""
import argparse
import html
import re
import sys

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--columns", type=int, default=120)
options.add_argument("--title", default="fathom")
given = options.parse_args()

cell_width, line_height, size = 7.2, 17, 12
margin, bar = 18, 34
background, bar_colour, plain = "#14181f", "#1e242e", "#d5dae3"
heading, command, label, faint = "#ffffff", "#7fd88f", "#82b1ff", "#8a93a3"

lines = [line.rstrip().expandtabs() for line in sys.stdin.read().splitlines()]
lines = [line if len(line) <= given.columns else line[: given.columns - 2].rstrip() + " \u2026" for line in lines]
width = 2 * margin + max(map(len, lines)) * cell_width
height = bar + margin + len(lines) * line_height + margin / 2


def pieces(number):
    """A line as (first column, text, colour) pieces."""
    line = lines[number]
    following = lines[number + 1] if number + 1 < len(lines) else ""
    if re.match(r"\s*\$ ", line):
        return [(0, line, command)]
    if following.startswith("  $ "):
        return [(0, line, heading)]
    if re.match(r"(id|file)  +\w+", line) or line == "sources":
        return [(0, line, faint)]
    labelled = re.match(r"[a-z][a-z ]{0,12} {1,}(?<=.{14})(?=\S)", line)
    if labelled:
        return [(0, labelled[0].rstrip(), label), (labelled.end(), line[labelled.end():], plain)]
    return [(0, line, plain)]


def text(column, content, colour, y):
    indent = len(content) - len(content.lstrip())
    content = content.lstrip()
    if not content:
        return ""
    # The length is given so that columns stay columns in whatever fixed-width font the reader has.
    return (
        f'<text x="{margin + (column + indent) * cell_width:.1f}" y="{y:.1f}" fill="{colour}" '
        f'textLength="{len(content) * cell_width:.1f}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">{html.escape(content)}</text>'
    )


out = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
    f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="{size}">',
    f"<title>{html.escape(given.title)}</title>",
    f'<rect width="100%" height="100%" rx="8" fill="{background}"/>',
    f'<path d="M0 {bar}V8a8 8 0 0 1 8-8H{width - 8:.0f}a8 8 0 0 1 8 8V{bar}z" fill="{bar_colour}"/>',
    f'<text x="{width / 2:.0f}" y="22" fill="{faint}" text-anchor="middle">{html.escape(given.title)}</text>',
]
for number in range(len(lines)):
    y = bar + margin + number * line_height + size / 2
    out += [drawn for piece in pieces(number) if (drawn := text(*piece, y))]
print("\n".join(out + ["</svg>"]))
