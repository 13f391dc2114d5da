# SPDX-License-Identifier: Apache-2.0
"""What a terminal shows: --quiet, --verbose, --no-color before and behind the command; NO_COLOR, TERM=dumb; plain ASCII where the locale is not UTF-8."""
import pty
import re
import select

from fathom_e2e import *

ESCAPE = b"\x1b"


def on_terminal(*words, **variables):
    """All that the program writes to a pseudo terminal: its standard output and error."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG")}
    environment.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | variables)
    master, slave = pty.openpty()
    running = subprocess.Popen([fathom, *map(str, words)], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    written = b""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        ready, _, _ = select.select([master], [], [], 1)
        try:
            piece = os.read(master, 65536) if ready else b""
        except OSError:  # the other end was closed
            break
        if ready and not piece:
            break
        written += piece
    os.close(master)
    expect_equal(running.wait(timeout=60), 0, f"exit code of {words}: {written[-2000:]!r}")
    return written


def is_ascii(text):
    return all(byte < 128 for byte in text)


with scratch() as folder:
    logs = synth(folder / "logs", "small", "--days", 2)
    store = folder / "store"
    ingest(store, logs)
    job = json.loads(run("jobs", store, "--format", "json").stdout)[0]["job_id"]

    # --- plots by the locale ---
    plots = {"timeline": ("timeline", store, "--job", job)}
    model = folder / "model.toml"
    model.write_text('bandwidth = 100e6\n[[application]]\nname = "a"\nprocesses = 4\nvolume = 1e10\nstart = 0\n[[application]]\nname = "b"\nprocesses = 2\nvolume = 1e10\nstart = 10\n')
    plots["compete"] = ("compete", "--model", model)
    series = folder / "series.csv"
    series.write_text("t,value\n" + "".join(f"{t},{1000 if t % 100 < 10 else 1}\n" for t in range(2000)))
    plots["bursts"] = ("bursts", series)
    plots["period"] = ("period", series)
    for name, words in plots.items():
        wide, plain = on_terminal(*words), on_terminal(*words, LC_ALL="C")
        expect(not is_ascii(wide), f"{name}: blocks where the locale is UTF-8")
        wide.decode()
        expect(is_ascii(plain), f"{name}: only ASCII under LC_ALL=C: {[line for line in plain.splitlines() if not is_ascii(line)][:3]}")
        expect_equal(len(plain.splitlines()), len(wide.splitlines()), f"{name}: lines are the same either way")
        expect(is_ascii(on_terminal(*words, LC_ALL="", LANG="de_DE.ISO-8859-1")), f"{name}: ASCII under a locale of Latin-1")
        expect(not is_ascii(on_terminal(*words, LC_ALL="", LANG="de_DE.utf8")), f"{name}: LANG decides where LC_ALL is empty")
    say(f"{', '.join(plots)}: blocks in UTF-8, ASCII elsewhere")
    expect(is_ascii(on_terminal("criteria", store, LC_ALL="C")), "tables are ASCII")

    # --- progress ---
    def long_work(*before, days, **variables):
        shutil.rmtree(folder / "long", ignore_errors=True)
        return on_terminal(*before, "synth", "jugene", folder / "long", "--days", days, **variables)

    def with_bar(**variables):
        """Bars are for what takes longer than a second: work enough for one, however fast the machine is at the moment."""
        days = 0.1
        while b" s left" not in (shown := long_work(days=days, **variables)) and days < 10:
            days *= 2
        return shown, days

    seen = {}
    seen["usual"], days = with_bar()
    seen |= {"plain": with_bar(LC_ALL="C")[0], "dumb": with_bar(TERM="dumb")[0], "no colour": with_bar(NO_COLOR="1")[0], "quiet": long_work("--quiet", days=days)}
    expect("█".encode() in seen["usual"] and ESCAPE in seen["usual"], "a bar of blocks")
    expect(is_ascii(seen["plain"]) and b"#" in seen["plain"] and b" s left" in seen["plain"], "a bar of plain characters")
    expect(ESCAPE not in seen["dumb"] and b" s left" in seen["dumb"], "a dumb terminal gets a bar without escape codes")
    expect("█".encode() in seen["no colour"], "NO_COLOR leaves the bar, which has no colour")
    expect_equal(seen["quiet"], b"", "what --quiet says of a long work")
    say("progress: blocks, plain, without escape codes, none with --quiet")

    # Commands whose work is what a store holds: more days until each of them has had a bar.
    def of_store(large):
        return {"checking": ("check", large), "copying tables": ("export", large, "-o", folder / "for-others", "--anonymise")}

    missing, days = set(of_store("")), 1
    while missing and days <= 16:
        large = folder / f"large-{days}"
        run("synth", "jugene", "--into", large, "--days", days)
        for title in sorted(missing):
            shutil.rmtree(folder / "for-others", ignore_errors=True)
            shown = on_terminal(*of_store(large)[title])
            if title.encode() in shown and b" s left" in shown:
                missing.remove(title)
        shutil.rmtree(large)
        days *= 2
    expect_equal(missing, set(), "bars that were never seen")
    say("progress: check and export too")

    # --- quiet: data as before, nothing else ---
    for words in (("criteria", store), ("jobs", store), ("info", store), ("population", store), ("bursts", series), ("check", store), ("compact", store)):
        usual = run(*words)
        for placed in (("--quiet", *words), (*words, "--quiet")):
            quiet = run(*placed)
            expect_equal((quiet.stdout, quiet.stderr), (usual.stdout, ""), f"{placed}")
    expect(run("criteria", store).stderr != "", "criteria has something to say without --quiet")
    done = refused("--quiet", "info", folder / "none", naming=[folder / "none"])
    expect_equal(len(done.stderr.splitlines()), 1, "an error is said though quiet, and nothing else")
    refused("info", store, "--quiet", "--verbose", exit_code=2, naming=["--quiet", "--verbose"])

    # --- verbose ---
    usual = run("criteria", store, "--format", "csv")
    for placed in (("--verbose", "criteria", store, "--format", "csv"), ("criteria", store, "--format", "csv", "--verbose")):
        done = run(*placed)
        expect_equal(done.stdout, usual.stdout, "data with --verbose")
        for words in (f"reading store {store}", "--format csv (command line)", "--threshold 1M (default)", "fathom criteria: "):
            expect(words in done.stderr, f"--verbose says '{words}':\n{done.stderr}")
        expect(re.search(r"^fathom: characterising: \d+\.\d{3} s$", done.stderr, re.M), f"--verbose tells how long a phase took:\n{done.stderr}")
    done = run("ingest", folder / "second", logs, "--verbose")
    expect(re.search(r"^fathom: reading .*mmpmon.* bytes\)$", done.stderr, re.M), f"--verbose names the files:\n{done.stderr[:2000]}")
    say("quiet and verbose: before and behind the command")

    # --- parts of trace ---
    trace = folder / "traced"
    expect_equal(run("--quiet", "run", "-o", trace, "--", "cp", series, folder / "copy.csv").stderr, "", "a quiet run")
    for placed in (("--quiet", "trace", "summary", trace), ("trace", "--quiet", "summary", trace), ("trace", "summary", trace, "--quiet"), ("trace", "summary", "--no-color", "--quiet", trace)):
        expect_equal(run(*placed).stderr, "", f"{placed}")
    expect(f"reading trace {trace}" in run("trace", "summary", trace, "--verbose").stderr, "the trace is named")

    # --- colours of the map of slices ---
    words = ("slices", trace, "--map")
    expect(b"\x1b[38;5;" in on_terminal(*words), "colours on a terminal that has them")
    expect(b"\x1b[38;5;" in on_terminal(*words, NO_COLOR=""), "an empty NO_COLOR asks for nothing")
    for what, shown in {"NO_COLOR": on_terminal(*words, NO_COLOR="1"), "TERM=dumb": on_terminal(*words, TERM="dumb"), "no TERM": on_terminal(*words, TERM=""), "--no-color": on_terminal(*words, "--no-color"),
                        "--no-color before": on_terminal("--no-color", *words), "LC_ALL=C": on_terminal(*words, LC_ALL="C")}.items():
        expect(ESCAPE not in shown and is_ascii(shown), f"{what}: no colours, and shades of plain characters")
    expect(b"\x1b[38;5;" in on_terminal(*words, "--color", "always", NO_COLOR="1"), "--color always is said by the user: above NO_COLOR")
    say("colours: NO_COLOR, TERM, --no-color, locale")
