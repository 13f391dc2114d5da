# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at any moment leaves the store as before or as after, readable at once, and the next run completes it."""
import signal
import threading

from fathom_e2e import *

KILLS_OF_INGEST = 150 if long_run else 16
KILLS_OF_UPKEEP = 40 if long_run else 4
chance = seeded(20110131)


# --- when to kill -----------------------------------------------------------------------------------------------


def after(seconds):
    return lambda store: finished.wait(seconds)


def stamp(path):
    try:
        found = os.stat(path)
        return found.st_mtime_ns, found.st_ino
    except OSError:
        return None


def around_commit(wait_for, commits, delay):
    """Waits until the store's `wait_for` has changed so many times, a little more, and lets the kill happen."""

    def wait(store):
        path = store / wait_for
        seen, last = 0, stamp(path)
        give_up = time.monotonic() + 20
        while time.monotonic() < give_up and not finished.is_set():
            now = stamp(path)
            if now != last:
                seen, last = seen + 1, now
                if seen >= commits:
                    time.sleep(delay)
                    return

    return wait


finished = threading.Event()


def run_and_kill(commands, store, wait):
    """Runs commands one after another in a process group of their own; true if the kill came before their end."""
    finished.clear()
    script = " && ".join(" ".join(f"'{word}'" for word in [fathom, *map(str, command)]) for command in commands)
    group = subprocess.Popen(["sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def reap():
        group.messages = group.stderr.read()
        group.wait()
        finished.set()

    reaper = threading.Thread(target=reap)
    reaper.start()
    wait(store)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group.pid, signal.SIGKILL)
    reaper.join()
    expect(group.returncode in (0, -signal.SIGKILL), f"a command failed before it was killed: {script}\n{group.messages}")
    expect("waiting: another process" not in group.messages, f"a killed process left a lock behind:\n{group.messages}")
    return group.returncode != 0


def some_moment(number, duration, commits):
    """A third around the commits, the others anywhere."""
    if number % 3 == 0:
        what = chance.choice(["manifest.json", "manifest.json", "manifest.json.new", "staging"])
        return around_commit(what, chance.randint(1, commits), chance.choice([0, 0, 0.0005, 0.001, 0.003]))
    return after(chance.uniform(0, 1.05 * duration))


# --- ingest -----------------------------------------------------------------------------------------------------


def expected_states(folder, commands):
    """What info says of the content after each command of an undisturbed run, by the files it lists; and how long they took."""
    store = folder / "undisturbed"
    states, begin, spent = {(): None}, time.monotonic(), 0
    for command in commands:
        run(*[store if word == "STORE" else word for word in command])
        pause = time.monotonic()
        facts = info(store)
        states[tuple(source["name"] for source in facts["sources"])] = whole(facts)
        spent += time.monotonic() - pause
    return store, states, time.monotonic() - begin - spent


def whole(facts):
    """The content, and that each listed file has all of its samples."""
    return content_of(facts), [(source["name"], source["samples"], source["new"], source["jobs"]) for source in facts["sources"]]


def kill_ingests(folder):
    logs = synth(folder / "logs", "jugene", "--days", 0.12 if long_run else 0.03)
    parts = write_parts(folder / "parts", cut(log_lines(logs), 9, chance))
    # Commands of one file and of several; the sixth brings late samples, so that days are written anew.
    order = [[logs / "jobs.csv", parts[0]], [parts[1], parts[2]], [parts[3]], [parts[5]], [parts[6], parts[7], parts[8]], [parts[4]]]
    commands = [["ingest", "STORE", *map(str, files)] for files in order]
    reference, states, duration = expected_states(folder, commands)
    say(f"undisturbed: {len(commands)} commands, {len(states) - 1} states, {duration:.1f} s")

    kills, rounds, between = 0, 0, 0
    while kills < KILLS_OF_INGEST:
        rounds += 1
        store = folder / "killed"
        while True:
            to_run = [[store if word == "STORE" else word for word in command] for command in commands]
            done_before = len(info(store)["sources"]) if (store / "manifest.json").exists() else 0
            share = 1 - done_before / (len(parts) + 1)
            begin = time.monotonic()
            killed = run_and_kill(to_run, store, some_moment(kills, max(0.2, duration * share), max(1, round(len(commands) * share))))
            if not killed:  # the undisturbed run was slower: others may have kept the machine busy
                duration = min(duration, max(0.3, (time.monotonic() - begin) / max(share, 0.2)))
                break
            kills += 1
            if not (store / "manifest.json").exists():
                continue  # killed before there was a store
            facts = info(store)
            listed = tuple(source["name"] for source in facts["sources"])
            expect(listed in states, f"kill {kills}: info lists files that no undisturbed run has together: {listed}")
            if states[listed] is not None:
                expect_equal(whole(facts), states[listed], f"kill {kills}: store after {len(listed)} files")
            else:
                expect_equal(facts["increments"] + facts["jobs"], 0, f"kill {kills}: rows without files")
            between += any((store / "staging").glob("*/*"))
        for command in commands:
            run(*[store if word == "STORE" else word for word in command])
        expect_same_content(store, reference, f"round {rounds}")
        check(store)
        shutil.rmtree(store)
    say(f"ingest: {kills} kills in {rounds} rounds ({between} with work left lying); each left a whole number of commands, each round ended with the same content")
    return reference


# --- compact, forget, remove ------------------------------------------------------------------------------------


def outline(store):
    """All that info says but the bytes, which differ a little each time a segment is written."""
    return {key: value for key, value in info(store).items() if key != "bytes"}


def kill_upkeep(folder, name, base, command):
    """Kills one command on copies of a store: as before, or as after."""
    done = folder / "done"
    shutil.copytree(base, done)
    begin = time.monotonic()
    run(*[done if word == "STORE" else word for word in command])
    duration = time.monotonic() - begin
    before, after_it = outline(base), outline(done)
    kills, left, made = 0, 0, 0
    while kills < KILLS_OF_UPKEEP:
        store = folder / "victim"
        shutil.copytree(base, store)
        begin = time.monotonic()
        if not run_and_kill([[store if word == "STORE" else word for word in command]], store, some_moment(kills, duration, 1)):
            duration = min(duration, time.monotonic() - begin)
            shutil.rmtree(store)
            continue
        kills += 1
        facts = outline(store)
        expect(facts in (before, after_it), f"{name}, kill {kills}: neither as before nor as after:\n{facts}\n{before}\n{after_it}")
        left += facts == before
        made += facts == after_it
        if facts == before:
            run(*[store if word == "STORE" else word for word in command])
        else:
            run("forget", store, "--before", "1970-01-02")  # any writer finishes what was begun
        expect_same_content(store, done, f"{name}, after kill {kills} and another run")
        check(store)
        shutil.rmtree(store)
    shutil.rmtree(done)
    say(f"{name}: {kills} kills, {left} left the store as before, {made} as after, none between")


def upkeep_store(folder):
    """Several days in several segments."""
    logs = synth(folder / "days", "small", "--days", 3, "--seed", 3)
    store = folder / "many"
    ingest(store, logs / "jobs.csv")
    for part in write_parts(folder / "day-parts", cut(log_lines(logs), 8, chance)):
        ingest(store, part)
    return store


with scratch() as folder:
    kill_ingests(folder)
    store = upkeep_store(folder)
    facts = info(store)
    third_day = sql(f"SELECT DISTINCT day FROM {table(store)} ORDER BY day")[2]["day"]
    kill_upkeep(folder, "compact", store, ["compact", "STORE"])
    kill_upkeep(folder, "forget", store, ["forget", "STORE", "--before", third_day])
    kill_upkeep(folder, "remove", store, ["remove", "STORE", str(facts["sources"][4]["id"])])
