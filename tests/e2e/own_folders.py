# SPDX-License-Identifier: Apache-2.0
"""What is somebody else's is left alone, and what was damaged is found: folders of synth and demo, segments under `fathom check`."""
import shlex

from fathom_e2e import *


def content(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def synth_into_nothing_of_others(folder):
    mine = folder / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work\n")
    before = content(mine)
    refused("synth", "small", mine, naming=[mine, "not empty"])
    expect_equal(content(mine), before, "a folder that synth refused")
    (folder / "empty").mkdir()
    run("synth", "small", folder / "empty", "--days", "0.2")
    expect((folder / "empty/truth").is_dir(), "an empty folder is taken")
    refused("synth", "small", folder / "empty", naming=["not empty"])
    say("synth: an empty folder is taken, another one refused as it is")


def demo_in_nothing_of_others(folder):
    """The mark is what tells: the same folder without it is somebody else's."""
    for name, files in (("mine", {"thesis.tex": "years of work\n"}), ("unmarked", {"logs/jobs.csv": "job_id,start,end\n", "store/manifest.json": "{}\n"})):
        other = folder / name
        for path, text in files.items():
            (other / path).parent.mkdir(parents=True, exist_ok=True)
            (other / path).write_text(text)
        before = content(other)
        refused("demo", other, "--no-serve", naming=[other, "not of an earlier demo"])
        expect_equal(content(other), before, f"the folder {name} that demo refused")
    # A link is no folder of a demo, wherever it leads.
    linked = folder / "linked"
    linked.symlink_to(folder / "mine")
    refused("demo", linked, "--no-serve", naming=["not of an earlier demo"])
    expect(linked.is_symlink() and (folder / "mine/thesis.tex").exists(), "what a link leads to")
    say("demo: what has no mark of an earlier one stays as it is")


def demo_in_a_folder_with_blanks(folder):
    """Its first three commands ran in that folder when the fourth is shown, as lines that a shell understands."""
    place = folder / "it's a demo"
    with subprocess.Popen([fathom, "demo", place, "--no-serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        shown = []
        for line in demo.stdout:
            if line.startswith("  $ "):
                shown.append(shlex.split(line[4:]))
            if len(shown) == 4:
                demo.terminate()
        if len(shown) < 4:
            fail(f"the demo ended after {shown}: {demo.stderr.read()}")
    store = str(place / "harbour/store")
    expect_equal([words[:3] for words in shown], [["fathom", "synth", "harbour"], ["fathom", "ingest", store], ["fathom", "top", store], ["fathom", "top", store]], "commands that the demo shows")
    expect(info(store)["jobs"] > 0, "what the demo ingested")
    done = subprocess.run([fathom, "demo", "--no-serve", "--", "-demo"], cwd=folder, capture_output=True, text=True, timeout=120)
    expect_equal((done.returncode, done.stderr.splitlines()[0].startswith("fathom: running fathom synth harbour -demo/harbour/logs: ")), (2, True), f"a folder that looks like an option: {done.stderr}")
    say("demo: a folder with blanks and a quote is a folder like any other")


def damage_is_found(folder):
    """A byte of a segment is flipped, a segment is cut, one is missing: each is named, and whole again nothing is."""
    store = folder / "store"
    ingest(store, synth(folder / "logs", "small", "--days", "0.3"))
    check(store)
    chance = seeded(11)
    segments = sorted(path for path in store.rglob("*.parquet"))
    for segment in segments:
        whole = segment.read_bytes()
        at = chance.randrange(len(whole))
        segment.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
        done = refused("check", store, naming=["problem"])
        expect(segment.name in done.stdout, f"{segment.name} with a changed byte {at} is not named: {done.stdout}")
        segment.write_bytes(whole[: len(whole) // 2])
        expect(segment.name in refused("check", store).stdout, f"{segment.name} cut in half is not named")
        segment.unlink()
        expect(segment.name in refused("check", store).stdout, f"{segment.name} is missing and not named")
        segment.write_bytes(whole)
    check(store)
    say(f"check: a changed byte, a cut and a missing file found in each of {len(segments)} segments")


with scratch() as folder:
    synth_into_nothing_of_others(folder)
    for name, part in (("damage", damage_is_found), ("demo", demo_in_nothing_of_others), ("blanks", demo_in_a_folder_with_blanks)):
        (folder / name).mkdir()
        part(folder / name)
