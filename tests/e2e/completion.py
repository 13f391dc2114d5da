# SPDX-License-Identifier: Apache-2.0
"""Completion in bash (asked as bash asks), in zsh and fish as far as they are installed; pages for man. All of it names every command and option that --help names."""
import re

from fathom_e2e import *


def commands_of(*words):
    """The commands that --help lists."""
    text = run(*words, "--help").stdout
    listed = text.split("To begin:")[0] if not words else text.split("Commands:")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z][a-z-]*) ", listed, re.M)


COMMON = {"--quiet", "--verbose", "--no-color", "--config"}


def options_of(*words):
    text = run(*words, "--help").stdout
    common = text.split("On every command:")[1].split("\n\n")[0]
    expect(all(option in common for option in COMMON), f"{words}: --help lacks options of every command: {common}")
    return COMMON | set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.split(r"\nOptions:|\nPositionals:", text, maxsplit=1)[-1].split("\n\n")[0]))


def bash(script, *words):
    """What bash would offer after these words."""
    line = " ".join(f"'{word}'" for word in ("fathom", *words))
    done = subprocess.run(["bash", "--norc", "-c", f"source '{script}'; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _fathom; printf '%s\\n' \"${{COMPREPLY[@]}}\""], capture_output=True, text=True, timeout=60)
    expect_equal((done.returncode, done.stderr), (0, ""), f"completion of {words}")
    return set(done.stdout.split())


with scratch() as folder:
    run("docs", "--share", folder)
    script = folder / "share/bash-completion/completions/fathom"
    expect_equal(script.read_text(), run("completion", "bash").stdout, "the installed script")
    commands = commands_of()
    expect(len(commands) > 30, f"few commands: {commands}")
    expect_equal(bash(script, ""), set(commands), "commands")
    expect_equal(bash(script, "cr"), {"criteria"}, "commands that begin with cr")
    expect_equal(bash(script, "trace", ""), set(commands_of("trace")), "commands of trace")
    for words in [(name,) for name in commands if name != "trace"] + [("trace", name) for name in commands_of("trace")]:
        wanted = options_of(*words)
        found = {word for word in bash(script, *words, "--") if word.startswith("--")}
        expect(wanted <= found, f"{words}: not completed: {sorted(wanted - found)}")
    expect(COMMON <= bash(script, "--"), "options before a command")
    expect({"--threshold"} <= bash(script, "--quiet", "--config", "site.toml", "criteria", "--"), "a command behind options of every command")
    expect_equal(bash(script, "ingest", "store", "--servers", ""), {"exclusive", "shared"}, "values of --servers")
    expect({"table", "csv", "json"} <= bash(script, "info", "store", "--format", ""), "values of --format")
    expect_equal(bash(script, "run", "--", "ls", "-"), set(), "after -- it is another program's line")
    say(f"bash: {len(commands)} commands with all of their options")
    for shell, words in {"zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}.items():
        text = folder / f"script.{shell}"
        text.write_text(run("completion", shell).stdout)
        expect(all(name in text.read_text() for name in commands), f"{shell}: commands")
        if shutil.which(shell) is None:
            left_out(f"parsing the script of {shell}: it is not installed")
            continue
        done = subprocess.run([*words, text], capture_output=True, text=True, timeout=60)
        expect_equal((done.returncode, done.stderr), (0, ""), f"what {shell} says of its script")
        say(f"{shell}: the script is one")
    run("completion", "tcsh", exit_code=2)

    pages = folder / "share/man/man1"
    expect_equal({page.name for page in pages.iterdir()}, {"fathom.1"} | {f"fathom-{name}.1" for name in commands}, "pages for man")
    if shutil.which("groff") is None:
        left_out("formatting pages for man: groff is not installed")
    else:
        for page in sorted(pages.iterdir()):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True, timeout=60)
            expect_equal((done.returncode, done.stderr), (0, ""), f"formatting {page.name}")
        say("every page formats without a warning")
    text = (pages / "fathom-ingest.1").read_text()
    for option in options_of("ingest"):  # with those of every command
        expect(option.replace("-", "\\-") in text, f"fathom-ingest.1 lacks {option}")
