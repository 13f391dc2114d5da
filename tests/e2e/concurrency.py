# SPDX-License-Identifier: Apache-2.0
"""Several ingests into one store at a time take turns; readers go on meanwhile and see whole commits only."""
from fathom_e2e import *

LONGEST_READ = 10  # seconds; a read takes a fraction of one when the machine is not busy


class WholeCommits:
    """What info says of every set of files that a reader met, each made once by an ingest of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.known = {}

    def expect(self, facts):
        names = frozenset(source["name"] for source in facts["sources"])
        if not names:
            expect_equal(facts["increments"], 0, "a reader saw increments without files")
            return
        if names not in self.known:
            store = self.folder / f"whole-{len(self.known)}"
            ingest(store, *sorted(names))
            self.known[names] = content_info(store)
        expect_equal(content_of(facts), self.known[names], f"a reader's view of {len(names)} files")


def ingest_at_once(folder, parts, writers, whole):
    store = folder / f"store-{writers}"
    ingest(store, parts[0])
    groups = [parts[1:][i::writers] for i in range(writers)]
    running = [
        subprocess.Popen([fathom, "ingest", store, *group], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for group in groups
    ]
    views, longest = [], 0
    while any(process.poll() is None for process in running):
        begin = time.monotonic()
        views.append(info(store))
        longest = max(longest, time.monotonic() - begin)
    messages = [process.communicate()[1] for process in running]
    for process, text in zip(running, messages):
        expect_equal(process.returncode, 0, f"exit code of one of {writers} ingests at once\n{text}")
    expect(longest < LONGEST_READ, f"a reader waited {longest:.1f} s")
    for view in views:
        whole.expect(view)
    waited = sum("waiting: another process writes" in text for text in messages)
    seen = len({len(view["sources"]) for view in views})
    say(f"{writers} ingests at once: {waited} waited for another; {len(views)} reads, {seen} different states, the longest took {longest:.2f} s")
    check(store)
    return store


with scratch() as folder:
    logs = synth(folder / "logs", "jugene", "--days", 0.08)
    parts = [logs / "jobs.csv", *write_parts(folder / "parts", cut_evenly(log_lines(logs), 8))]
    sequential = folder / "sequential"
    for part in parts:
        ingest(sequential, part)
    whole = WholeCommits(folder)
    for writers in (2, 4):
        store = ingest_at_once(folder, parts, writers, whole)
        expect_same_content(store, sequential, f"{writers} ingests at once")

    # A store that none of them finds: all create it.
    for attempt in range(12):
        fresh = folder / f"fresh-{attempt}"
        running = [subprocess.Popen([fathom, "ingest", fresh, part], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for part in parts[:4]]
        for process in running:
            message = process.communicate()[1]
            expect_equal(process.returncode, 0, f"exit code of an ingest that creates the store together with others\n{message}")
    one_by_one = folder / "one-by-one"
    ingest(one_by_one, *parts[:4])
    expect_same_content(fresh, one_by_one, "a store that four ingests create at once")
    say("four ingests create one store at once: same content")

    # Upkeep while another writes.
    running = [subprocess.Popen([fathom, *command], stderr=subprocess.DEVNULL) for command in (["ingest", fresh, *parts[4:]], ["compact", fresh], ["compact", fresh])]
    for process in running:
        expect_equal(process.wait(), 0, "exit code of an ingest or compact at the same time")
    expect_same_content(fresh, sequential, "compact while an ingest runs")
    check(fresh)
    say("compact while an ingest runs: same content")
