# SPDX-License-Identifier: Apache-2.0
"""The site's configuration: which file holds, [all], [COMMAND] and the command line in that order; what is refused, with its line; what is in force."""
from fathom_e2e import *


def fathom_with(environment, *words, exit_code=0):
    done = subprocess.run([fathom, *map(str, words)], capture_output=True, text=True, timeout=600, env={k: v for k, v in os.environ.items() if k != "FATHOM_CONFIG"} | {k: str(v) for k, v in environment.items()})
    expect_equal(done.returncode, exit_code, f"exit code of {words} with {environment}\n{done.stderr}")
    return done


with scratch() as folder:
    store = folder / "store"
    ingest(store, synth(folder / "logs", "small", "--days", 2))
    site = folder / "site.toml"
    site.write_text('# what we want\n[machine]\nname = "our machine"\npeak = "66G"\n\n[all]\nformat = "csv"\n\n[criteria]\nthreshold = ["128K", "1M"]\nmin-runtime = 60\n\n[jobs]\nformat = "json"\n\n[trace.summary]\nformat = "json"\n')
    plain = run("criteria", store, "--format", "csv", "--threshold", "128K,1M", "--min-runtime", 60).stdout

    # [all] gives the format, [criteria] the rest: as if it stood on the command line.
    for how in (("--config", site, "criteria", store), ("criteria", store, "--config", site)):
        expect_equal(run(*how).stdout, plain, f"{how}")
    expect_equal(fathom_with({"FATHOM_CONFIG": site}, "criteria", store).stdout, plain, "FATHOM_CONFIG")
    (folder / "config/fathom").mkdir(parents=True)
    shutil.copy(site, folder / "config/fathom/site.toml")
    expect_equal(fathom_with({"XDG_CONFIG_HOME": folder / "config"}, "criteria", store).stdout, plain, "XDG_CONFIG_HOME")
    (folder / "home/.config/fathom").mkdir(parents=True)
    shutil.copy(site, folder / "home/.config/fathom/site.toml")
    expect_equal(fathom_with({"XDG_CONFIG_HOME": "", "HOME": folder / "home"}, "criteria", store).stdout, plain, "~/.config")
    # The command line is stronger than [criteria], [jobs] stronger than [all], --config stronger than the environment.
    expect_equal(run("criteria", store, "--config", site, "--threshold", "1M", "--min-runtime", "3600").stdout, run("criteria", store, "--format", "csv").stdout, "the command line wins")
    json.loads(run("jobs", store, "--config", site).stdout)
    expect_equal(fathom_with({"FATHOM_CONFIG": site}, "--config", "/dev/null", "jobs", store).stdout, run("jobs", store).stdout, "--config wins")
    say("defaults: [all], [COMMAND], command line")

    verbose = run("criteria", store, "--config", site, "--verbose", "--min-runtime", "600").stderr
    for words in (f"--threshold 128K,1M ({site}:10)", f"--format csv ({site}:7)", "--min-runtime 600 (command line)", "--link weighted (default)"):
        expect(words in verbose, f"--verbose says '{words}':\n{verbose}")

    # fathom config
    rows = {(row["command"], row["option"]): row for row in json.loads(run("config", "--config", site, "--format", "json").stdout)}
    expect_equal(rows["criteria", "--threshold"], {"command": "criteria", "option": "--threshold", "value": "128K,1M", "source": f"{site}:10"}, "a setting")
    expect_equal((rows["jobs", "--format"]["value"], rows["jobs", "--format"]["source"]), ("json", f"{site}:14"), "the stronger one")
    expect_equal((rows["population", "--peak"]["value"], rows["info", "--format"]["value"], rows["trace summary", "--format"]["value"]), ("66G", "csv", "json"), "[machine], [all] and a part")
    expect(all(row["source"] != "default" for row in rows.values()), "only what files set")
    one = json.loads(run("config", "criteria", "--format", "json").stdout)
    expect({"option": "--threshold", "value": "1M", "source": "default", "command": "criteria"} in one, "a command's defaults")
    expect_equal(run("config", "--check", site).stderr, f"{site}: 7 settings, all known\n", "checked")
    refused("config", "no-such", exit_code=2, naming=["no-such"])

    # What is refused, with file and line
    wrong = folder / "wrong.toml"
    for text, naming in {
        "[critera]\nthreshold = 1\n": ["critera", "did you mean 'criteria'?", f"({wrong}:1)"],
        "[criteria]\nthreshhold = 1\n": ["--threshhold", "did you mean 'threshold'?", f"({wrong}:2)"],
        "[all]\nno-such-option = 1\n": ["--no-such-option", f"({wrong}:2)"],
        "\n[criteria]\nlink = \"wieghted\"\n": ["wieghted", f"({wrong}:3)"],
        "[criteria]\nmin-runtime = \"long\"\n": ["min-runtime", f"({wrong}:2)"],
        "[criteria]\nno-keep = 3\n": ["true or false", f"({wrong}:2)"],
        "[trace]\nformat = \"csv\"\n": ["[trace.PART]", f"({wrong}:1)"],
        "[trace.sumary]\nformat = \"csv\"\n": ["did you mean 'summary'?", f"({wrong}:1)"],
        "[machine]\nsize = 3\n": ["name and peak", f"({wrong}:2)"],
        "[criteria]\nconfig = \"x\"\n": ["--config", f"({wrong}:2)"],
        "[criteria]\nSTORE = \"x\"\n": ["STORE", f"({wrong}:2)"],
        "[criteria\n": [f"({wrong}:1)"],
        "format = \"csv\"\n": ["outside of a table", f"({wrong}:1)"],
    }.items():
        wrong.write_text(text)
        refused("config", "--check", wrong, naming=["fathom: reading the site's configuration: ", *naming])
        refused("jobs", store, "--config", wrong, naming=naming)
    expect("Usage:" in run("--config", wrong, "jobs", "--help").stdout, "help with a broken configuration")
    refused("jobs", store, "--config", folder / "none.toml", naming=[folder / "none.toml"])
    # quiet, by the configuration
    site.write_text("[criteria]\nquiet = true\n")
    expect_equal(run("criteria", store, "--config", site).stderr, "", "quiet by configuration")
    expect("fathom criteria: " in run("criteria", store, "--config", site, "--verbose").stderr, "--verbose is stronger")
    expect_equal(run("population", store, "--config", site).stderr, run("population", store).stderr, "of another command")
    say("refused with file and line; what is in force")

    example = project / "share/fathom/site.toml"
    run("config", "--check", example)
    text = "".join(line[2:] if line.startswith("# ") and (" = " in line or line.startswith("# [")) else line for line in example.read_text().splitlines(keepends=True))
    (folder / "uncommented.toml").write_text(text)
    run("config", "--check", folder / "uncommented.toml")
    say("the example that is installed, also with its comments taken away")
