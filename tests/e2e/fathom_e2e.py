# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: running the program, making and cutting logs, comparing stores, saying what was checked.

A test is a script: NAME.py FATHOM PARQUET_QUERY [--long]. It exits with 0, with 1 and the reason, or with 77 when skipped.
"""
import contextlib
import csv
import gzip
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

fathom = os.path.abspath(sys.argv[1])
parquet_query = os.path.abspath(sys.argv[2])
long_run = "--long" in sys.argv[3:]
project = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
# Whatever the user has: the plots' characters and the defaults of options are those that the tests expect.
environment_of_user = dict(os.environ)
os.environ.update(LC_ALL="C.UTF-8", FATHOM_CONFIG="/dev/null")
os.environ.pop("NO_COLOR", None)
COUNTERS = ["read_bytes", "write_bytes", "read_ops", "write_ops", "opens", "closes", "dirs", "inode_updates"]  # that GPFS counts one by one


# --- saying and insisting ---------------------------------------------------------------------------------------


def say(text):
    print(f"[{time.monotonic() - started:6.1f} s] {text}", flush=True)


started = time.monotonic()


def fail(text):
    print(f"FAILED: {text}", flush=True)
    sys.exit(1)


def skip(text):
    print(f"skipped: {text}", flush=True)
    sys.exit(SKIPPED)


def left_out(text):
    """A part of a test that cannot be tried here, while the rest is; `make test` lists them at its end."""
    print(f"left out here: {text}", flush=True)


def expect(condition, text):
    if not condition:
        fail(text)


def expect_equal(found, wanted, what):
    if found != wanted:
        fail(f"{what}: expected {wanted!r}, found {found!r}")


@contextlib.contextmanager
def scratch():
    """A folder that goes away whatever happens."""
    folder = tempfile.mkdtemp(prefix="fathom-e2e-")
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# --- the program ------------------------------------------------------------------------------------------------


def run(*arguments, exit_code=0, timeout=600):
    """Runs fathom and insists on its exit code; gives what it wrote (stdout, stderr)."""
    done = subprocess.run([fathom, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)
    if done.returncode != exit_code:
        command = " ".join(["fathom", *map(str, arguments)])
        fail(f"{command}: exit code {done.returncode} instead of {exit_code}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done


def begun(file, running):
    """The process that a running `fathom run` started, once it has written something to the file: the machine may be busy."""
    for _ in range(6000):
        if file.exists() and file.stat().st_size > 0:
            return int(subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, text=True).stdout)
        time.sleep(0.01)
    fail(f"{file.name} was not written in a minute")


def refused(*arguments, exit_code=1, naming=()):
    """Runs fathom on something it must refuse: exit code, a message that begins with its name and has every word of `naming`."""
    done = run(*arguments, exit_code=exit_code)
    message = next((line for line in done.stderr.splitlines() if line.startswith("fathom: ")), None)
    command = " ".join(["fathom", *map(str, arguments)])
    expect(message is not None, f"{command}: no message that starts with 'fathom: '\n{done.stderr}")
    for word in naming:
        expect(str(word) in done.stderr, f"{command}: the message does not name '{word}':\n{done.stderr}")
    return done


def synth(folder, preset, *options):
    run("synth", preset, folder, *options)
    return pathlib.Path(folder)


def ingest(store, *inputs):
    return run("ingest", store, *inputs)


def info(store):
    return json.loads(run("info", store, "--format", "json").stdout)


def check(store):
    run("check", store)


def manifest(store):
    return (pathlib.Path(store) / "manifest.json").read_text()


def content_info(store):
    """What info says of the content: nothing that depends on how the samples were cut into files and segments."""
    return content_of(info(store))


def content_of(facts):
    ignored = {"sources", "segments", "bytes", "duplicates", "left_out", "rejected"}
    return {key: value for key, value in facts.items() if key not in ignored}


# --- plain SQL --------------------------------------------------------------------------------------------------


def sql(text):
    """Rows as dictionaries of text, through DuckDB and not through the program."""
    done = subprocess.run([parquet_query, text], capture_output=True, text=True)
    expect(done.returncode == 0, f"{text}\n{done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def table(store, name="increments"):
    return f"read_parquet('{store}/{name}/*/*.parquet', hive_partitioning = true)"


def has_rows(store, name):
    return any(pathlib.Path(store).glob(f"{name}/*/*.parquet"))


def expect_same_content(store, wanted, what):
    """Both stores hold the same increments, marks and jobs, row by row, whatever files they came from."""
    expect_equal(content_info(store), content_info(wanted), f"{what}: info")
    differences = {}
    for name in ("increments", "marks", "jobs"):
        expect_equal(has_rows(store, name), has_rows(wanted, name), f"{what}: there are {name}")
        if has_rows(store, name):
            a, b = (f"SELECT * EXCLUDE (source) FROM {table(each, name)}" for each in (store, wanted))
            differences[f"too many in {name}"] = f"(({a}) EXCEPT ALL ({b}))"
            differences[f"missing in {name}"] = f"(({b}) EXCEPT ALL ({a}))"
    if not differences:
        return
    counts = sql(" UNION ALL ".join(f"SELECT '{text}' AS text, count(*) AS rows FROM {rows}" for text, rows in differences.items()))
    for row in counts:
        if row["rows"] != "0":
            fail(f"{what}: {row['rows']} rows {row['text']}, such as {sql('SELECT * FROM ' + differences[row['text']] + ' LIMIT 3')}")


# --- logs -------------------------------------------------------------------------------------------------------


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def counter_log(logs):
    return next(pathlib.Path(logs).glob("mmpmon-*.log"))


def log_lines(logs):
    """All lines of a synthetic GPFS machine's counter logs, in order of days."""
    lines = []
    for path in sorted(pathlib.Path(logs).glob("mmpmon-*.log")):
        lines += path.read_bytes().splitlines(keepends=True)
    return lines


def cut(lines, pieces, chance):
    """Cuts at random lines into so many pieces."""
    places = sorted(chance.sample(range(1, len(lines)), pieces - 1))
    return [lines[a:b] for a, b in zip([0, *places], [*places, len(lines)])]


def cut_evenly(lines, pieces):
    size = -(-len(lines) // pieces)
    return [lines[at : at + size] for at in range(0, len(lines), size)]


def write_part(path, lines, packing=""):
    """Writes lines to path, or packed to path.gz or path.zst."""
    path = pathlib.Path(f"{path}{packing}")
    data = b"".join(lines)
    if packing == ".gz":
        data = gzip.compress(data, 1)
    if packing == ".zst":
        data = subprocess.run(["zstd", "-q", "-1", "-c"], input=data, capture_output=True, check=True).stdout
    path.write_bytes(data)
    return path


def write_parts(folder, pieces):
    folder.mkdir()
    return [write_part(folder / f"part-{i:03}.log", piece) for i, piece in enumerate(pieces)]


def seeded(seed):
    return random.Random(seed)
