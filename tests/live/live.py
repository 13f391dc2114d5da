# SPDX-License-Identifier: Apache-2.0
"""What the live tests share: the helpers of the end-to-end tests, and a private machine, or a notice that there can be none.

A live test is a script like the others, NAME.py FATHOM PARQUET_QUERY; it is skipped (exit code 77, with the reason) where a machine cannot run it.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from traced import *

import private_machine


def enter_machine(*helpers):
    """Goes on in a private machine if each of these modules says that it is possible."""
    for helper in helpers:
        if reason := helper.possible():
            skip(f"no {helper.__name__.replace('_', ' ')}: {reason}")
    private_machine.enter()
