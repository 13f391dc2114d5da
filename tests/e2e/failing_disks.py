# SPDX-License-Identifier: Apache-2.0
"""Full disks, limits, read-only places, broken inputs, wrong arguments: a clear message, a whole store."""
from fathom_e2e import *


@contextlib.contextmanager
def mounted(place, *options):
    """A tmpfs of its own, or None where mounting is not allowed."""
    place.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", place], capture_output=True, text=True)
    if done.returncode != 0:
        left_out(f"a disk of its own ({', '.join(options)}): no tmpfs can be mounted ({done.stderr.strip()})")
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def first_half_and_all(folder):
    logs = synth(folder / "logs", "small", "--days", 2, "--seed", 5)
    half, rest = write_parts(folder / "parts", cut_evenly(log_lines(logs), 2))
    both = folder / "both"
    ingest(both, half)
    ingest(both, rest)
    return half, rest, both


def failed_or_done(done, store, reason, what):
    """True if the ingest worked; else it must have said which store, and why."""
    if done.returncode == 0:
        return True
    expect_equal(done.returncode, 1, f"{what}: exit code\n{done.stderr}")
    message = done.stderr.strip().splitlines()[-1]
    expect(message.startswith("fathom: "), f"{what}: the message does not start with 'fathom: ': {done.stderr}")
    expect(str(store) in message and reason.lower() in message.lower(), f"{what}: the message names neither the store nor '{reason}': {message}")
    return False


def outline(store):
    return {key: value for key, value in info(store).items() if key not in ("bytes", "segments")}


def run_short(folder, half, rest, both, store, attempts, what, reason):
    """attempts: pairs of (name, function that runs the ingest under that shortage). Then it must work without."""
    failures, worked = 0, 0
    for name, attempt in attempts:
        before = outline(store)
        if failed_or_done(attempt(), store, reason, f"{what}, {name}"):
            worked += 1
        else:
            failures += 1
            now = outline(store)
            if now != before:  # only the moving of files was left to do
                expect_equal(content_of(now), content_info(both), f"{what}, {name}: content after a failed ingest that is neither old nor")
                worked += 1
        if worked:
            break
    expect(failures > 0, f"{what}: no attempt failed, so nothing was tested")
    return failures


def full_disk(folder, half, rest, both):
    with mounted(folder / "disk", "size=64m") as place:
        if place is None:
            return
        store = place / "store"
        ingest(store, half)
        ballast = place / "ballast"

        def with_free(kilobytes):
            def attempt():
                space = os.statvfs(place)
                ballast.write_bytes(b"\0" * max(0, space.f_bavail * space.f_frsize - 1024 * kilobytes))
                try:
                    return subprocess.run([fathom, "ingest", store, rest], capture_output=True, text=True)
                finally:
                    ballast.unlink()

            return attempt

        attempts = [(f"{kb} kB free", with_free(kb)) for kb in (0, 4, 8, 16, 32, 64, 96, 128, 144, 160, 192, 224, 256, 512, 1024)]
        failures = run_short(folder, half, rest, both, store, attempts, "full disk", "no space left")
        ingest(store, rest)
        expect_same_content(store, both, "after a full disk")
        check(store)
        say(f"full disk: {failures} ingests failed with a clear message and left the store as it was; with space it completed")


def few_inodes(folder, half, rest, both):
    """The same for the number of files: fails at the making of each file and folder in turn."""
    failures, prepared = 0, folder / "prepared"
    ingest(prepared, half)
    for spare in range(0, 24):
        with mounted(folder / "inodes", "size=64m") as place:
            if place is None:
                return
            store = place / "store"
            shutil.copytree(prepared, store)
            used = os.statvfs(place)
            subprocess.run(["mount", "-o", f"remount,nr_inodes={used.f_files - used.f_ffree + spare}", place], check=True)
            before = outline(store)
            done = subprocess.run([fathom, "ingest", store, rest], capture_output=True, text=True)
            if failed_or_done(done, store, "no space left", f"{spare} inodes to spare"):
                break
            failures += 1
            if outline(store) != before:
                expect_equal(content_info(store), content_info(both), f"{spare} inodes to spare: neither as before nor as after")
            subprocess.run(["mount", "-o", "remount,nr_inodes=100000", place], check=True)
            ingest(store, rest)
            expect_same_content(store, both, f"after a disk with {spare} inodes to spare")
            check(store)
    expect(failures > 3, f"too few inodes: only {failures} attempts failed")
    say(f"no inodes left, at {failures} places: a clear message each, a whole store, completed afterwards")


def size_limit(folder, half, rest, both):
    store = folder / "limited"
    ingest(store, half)

    def with_limit(kilobytes):
        return lambda: subprocess.run(["bash", "-c", f"ulimit -f {kilobytes}; exec '{fathom}' ingest '{store}' '{rest}'"], capture_output=True, text=True)

    attempts = [(f"limit of {kb} kB", with_limit(kb)) for kb in (0, 1, 2, 4, 8, 12, 16, 32, 64, 128, 256, 512, 1024)]
    failures = run_short(folder, half, rest, both, store, attempts, "file size", "file too large")
    ingest(store, rest)
    expect_same_content(store, both, "after a file-size limit")
    check(store)
    say(f"file-size limits: {failures} ingests failed with a clear message and left the store as it was; then it completed")


def read_only(folder, half, rest):
    with mounted(folder / "readonly", "size=64m") as place:
        if place is None:
            return
        store = place / "store"
        ingest(store, half)
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        for command in (["info"], ["jobs"], ["check"]):
            run(*command, store)
        before = outline(store)
        first = before["sources"][0]["id"]
        for command in (["ingest", store, rest], ["compact", store], ["forget", store, "--before", "2030-01-01"], ["remove", store, first]):
            refused(*command, naming=[store, "Read-only file system"])
        refused("ingest", place / "other", rest, naming=[place / "other", "Read-only file system"])
        expect_equal(outline(store), before, "read-only store after refused commands")
        say("read-only store: info, jobs and check work; ingest, compact, forget and remove are refused")


def broken_archives(folder, half, rest):
    good = write_part(folder / "good.log", half.read_bytes().splitlines(keepends=True)[:4000])
    packed = write_part(folder / "cut.log", [rest.read_bytes()], ".gz").read_bytes()
    cut_gz = folder / "cut.log.gz"
    cut_gz.write_bytes(packed[: len(packed) * 2 // 3])
    damaged = bytearray(write_part(folder / "damaged.log", [rest.read_bytes()], ".zst").read_bytes())
    for at in range(len(damaged) // 2, len(damaged) // 2 + 64):
        damaged[at] ^= 0x5A
    bad_zst = folder / "damaged.log.zst"
    bad_zst.write_bytes(damaged)
    for bad in (cut_gz, bad_zst):
        store = folder / f"store-of-{bad.suffix[1:]}"
        ingest(store, half)
        before = info(store)
        refused("ingest", store, good, bad, naming=[bad])
        expect_equal(info(store), before, f"store after the ingest of {bad.name}")
        check(store)
        fresh = folder / f"fresh-{bad.suffix[1:]}"
        refused("ingest", fresh, bad, good, naming=[bad])
        expect_equal(info(fresh)["sources"], [], f"files of a new store after the ingest of {bad.name}")
    say("a cut .gz and a damaged .zst among good files: named, and nothing half-added")


def strange_inputs(folder, half):
    store = folder / "strange"
    unknown = folder / "mixed" / "letter.txt"
    unknown.parent.mkdir()
    unknown.write_text("Dear all,\nthe machine is down on Monday.\n")
    (unknown.parent / "nothing.log").write_bytes(b"")
    shutil.copy(half, unknown.parent / "zz.log")
    refused("ingest", store, unknown, naming=[unknown, "gpfs_mmpmon", "counters_csv", "slurm_sacct"])
    done = run("ingest", store, unknown.parent)
    expect(str(unknown) in done.stderr and "no known kind" in done.stderr, f"an unknown file in a folder is not named:\n{done.stderr}")
    expect_equal(len(info(store)["sources"]), 1, "files taken from a folder with an unknown and an empty one")
    refused("ingest", store, unknown.parent / "nothing.log", naming=["nothing.log"])
    refused("ingest", store, folder / "missing.log", naming=["missing.log"])
    before = info(store)
    run("ingest", store, unknown.parent)
    expect_equal(info(store), before, "store after the same folder again")
    say("unknown, empty and missing files: refused by name, left alone with a notice in folders")


def wrong_places(folder, half):
    store = folder / "a-file"
    store.write_text("hello\n")
    for command in (["ingest", store, half], ["info", store], ["check", store], ["compact", store]):
        refused(*command, naming=[store])
    expect_equal(store.read_text(), "hello\n", "a file that was named as a store")
    other = folder / "no-store"
    other.mkdir()
    (other / "notes.txt").write_text("mine\n")
    for command in (["ingest", other, half], ["info", other], ["compact", other]):
        refused(*command, naming=[other])
    expect_equal(sorted(os.listdir(other)), ["notes.txt"], "a folder that was named as a store")
    refused("info", folder / "nowhere", naming=["nowhere"])
    refused("jobs", folder / "nowhere", naming=["nowhere"])
    expect(not (folder / "nowhere").exists(), "a reading command created a store")
    say("files and foreign folders as a store: refused and left alone")


def wrong_options(folder, half):
    store = folder / "options"
    for command in (["ingest"], ["ingest", store], ["ingest", store, half, "--no-such"], ["nonsense"], ["info"], ["ingest", store, half, "--as", "nonsense"],
                    ["ingest", store, half, "--servers", "perhaps"], ["forget", store], ["synth", "nonsense", folder / "x"], ["synth", "small"],
                    ["info", store, "--format", "nonsense"]):
        refused(*command, exit_code=2)
    expect(not store.exists(), "a wrong option created a store")
    say("wrong options: exit code 2")


def hostile_names(folder):
    """Names that are no text: they are cleaned on the way in, so that the store can be read, checked and queried by others."""
    logs = folder / "hostile"
    logs.mkdir()
    path = os.fsencode(logs) + b"/counters-\xff.csv"
    with open(path, "wb") as out:
        out.write(b"t,server,filesystem,job,read_bytes,write_bytes\n")
        for i in range(5):
            out.write(b"%d,ost\xff\xfe%d,f\x1b[31ms,\xc3(x,%d,%d\n" % (1_600_000_000 + 10 * i, i % 2, 100 * i, 200 * i))
            out.write(b"%d,good,fs,,%d,%d\n" % (1_600_000_000 + 10 * i, 100 * i, 200 * i))
    (logs / "circle").symlink_to(logs)
    (logs / "round").symlink_to(logs)
    secret = folder / "secret-of-others.csv"
    secret.write_text("t,server,filesystem,read_bytes,write_bytes\n1600000000,secret,fs,1,1\n1600000010,secret,fs,2,2\n")
    (logs / "link.csv").symlink_to(secret)
    store = folder / "hostile-store"
    done = run("ingest", store, logs, timeout=60)
    expect(f"left alone: {logs / 'link.csv'} is a link that leads out" in done.stderr, f"a link to files of others is named:\n{done.stderr}")
    check(store)
    names = {row["server"] for row in sql(f"SELECT DISTINCT server FROM read_parquet('{store}/increments/*/*.parquet')")}
    expect(names >= {"good"} and len(names) == 3 and all(name.isprintable() for name in names), f"servers of the store: {names}")
    run("compact", store)
    run("info", store)
    say("names that are no text, folders that lead in circles: cleaned, read once, checked")


def manifest_that_leads_outside(folder, half):
    store, victim = folder / "leads-outside", folder / "victim.txt"
    ingest(store, half)
    victim.write_text("mine\n")
    manifest = json.loads((store / "manifest.json").read_text())
    for change in ({"removed": ["../victim.txt"]}, {"removed": [str(victim)]}, {"segments": [manifest["segments"][0] | {"path": "../victim.txt"}, *manifest["segments"][1:]]},
                   {"segments": [manifest["segments"][0] | {"staged": "staging/../../victim.txt"}, *manifest["segments"][1:]]}):
        (store / "manifest.json").write_text(json.dumps(manifest | change))
        refused("compact", store, naming=["manifest", "victim.txt"])
        refused("info", store, naming=["manifest"])
        expect_equal(victim.read_text(), "mine\n", "a file outside of the store")
    (store / "manifest.json").write_text(json.dumps(manifest))
    check(store)
    say("a manifest that names files outside of its store is refused")


def damaged_segments(folder):
    """Eight bytes of a segment overwritten: whoever reads it names the store and, where DuckDB does, the segment; `fathom check` lists it."""
    sound = (folder / "sound").resolve()
    ingest(sound, folder / "logs")
    job = next(csv.DictReader(io.StringIO(run("criteria", sound, "--min-runtime", 0, "--format", "csv").stdout)))["job_id"]
    about_jobs = [["jobs"], ["criteria"], ["criteria", "--job", job], ["top"], ["timeline", "--job", job], ["population"], ["summary", "--job", job], ["report", "-o", folder / "no.html"]]
    readers = {"jobs": about_jobs, "increments": [["info"], ["criteria", "--link", "simple"], ["timeline", "--job", job]]}
    places = {"page header": lambda content: 4, "compressed page": lambda content: content.index(b"\x28\xb5\x2f\xfd"),
              "footer": lambda content: len(content) - 8 - int.from_bytes(content[-8:-4], "little")}
    for table_name, commands in readers.items():
        for place, find in places.items():
            store = folder.resolve() / f"damaged-{table_name}-{place.split()[0]}"
            shutil.copytree(sound, store)
            # All segments: some commands read few days.
            segments = list(store.glob(f"{table_name}/*/*.parquet"))
            for segment in segments:
                content = bytearray(segment.read_bytes())
                at = find(content)
                content[at : at + 8] = b"\xff" * 8
                segment.write_bytes(content)
            for command in commands:
                done = refused(command[0], store, *command[1:], naming=[f"fathom: reading store {store}: ", "is damaged: ", f"'fathom check {store}' lists what is damaged"])
                message = done.stderr[done.stderr.index("fathom: reading store") :]
                expect_equal((done.stdout, len(message.splitlines())), ("", 1), f"{command}, {place} of {table_name}: standard output, and lines of the error")
                expect("/proc/" not in message, f"{command}, {place} of {table_name}: a name that says nothing:\n{message}")
                if place == "compressed page":
                    expect(any(message.endswith(f" ({segment})\n") for segment in segments), f"{command}: the segment is not named:\n{message}")
            done = refused("check", store, naming=[f"{len(segments)} problem"])
            expect(all(str(segment.relative_to(store)) in done.stdout for segment in segments), f"check does not list the {place} of {table_name}:\n{done.stdout}")
    say("damaged segments: the error names the store, the segment and what to do; check lists them")


def full_output(folder):
    """Output that cannot be written says why, whatever wrote it."""
    commands = (["jobs", folder / "sound"], ["info", folder / "sound"], ["criteria", folder / "sound", "--min-runtime", 0, "--format", "csv"], ["completion", "bash"], ["--help"], ["--version"])
    for command in commands:
        words = [fathom, *map(str, command)]
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w") as full:
                done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
            expect_equal(done.returncode, 1, f"{command} > /dev/full: exit code\n{done.stderr}")
            expect("fathom: writing to standard output: No space left on device\n" in done.stderr, f"{command} > /dev/full:\n{done.stderr}")
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True)
        os.close(writing)
        expect_equal(done.returncode, 1, f"{command} into a closed pipe: exit code\n{done.stderr}")
        expect("fathom: writing to standard output: it was closed\n" in done.stderr, f"{command} into a closed pipe:\n{done.stderr}")
    say("output to a full disk or a closed pipe: exit code 1, and which of both it was")


with scratch() as folder:
    half, rest, both = first_half_and_all(folder)
    full_disk(folder, half, rest, both)
    few_inodes(folder, half, rest, both)
    size_limit(folder, half, rest, both)
    read_only(folder, half, rest)
    broken_archives(folder, half, rest)
    strange_inputs(folder, half)
    wrong_places(folder, half)
    hostile_names(folder)
    manifest_that_leads_outside(folder, half)
    wrong_options(folder, half)
    damaged_segments(folder)
    full_output(folder)
