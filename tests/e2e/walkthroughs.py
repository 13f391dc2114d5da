# SPDX-License-Identifier: Apache-2.0
"""docs/extending.md, followed to the letter: every block goes where the page says, into a copy of the source that is then built, and the page's commands run."""
import re

from fathom_e2e import *

PAGE = project / "docs/extending.md"
# With these the objects of unchanged files are in the compiler's cache already, because the build that is tested has them.
SAME_AS_THIS_BUILD = ("CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS_RELEASE", "CMAKE_INTERPROCEDURAL_OPTIMIZATION", "DUCKDB_ROOT")
FETCHED = ("deps/node_modules", "deps/simgrid", "web/node_modules", "web/.tools")


def copy_source(copy):
    listed = subprocess.run(["git", "-C", project, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode != 0:
        skip("the source is not in git, so what belongs to it is not known")
    for name in filter(None, listed.stdout.split("\0")):
        if (project / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(project / name, copy / name)
    for name in FETCHED:
        if (project / name).exists():
            (copy / name).symlink_to((project / name).resolve())


def blocks():
    """(section, what to do, text) of each fenced block: ("file", path), ("after", path, line), ("instead of", path, line) or ("run",)."""
    section, before = "", ""
    for piece in re.split(r"^(```.*?^```$)", PAGE.read_text(), flags=re.M | re.S):
        fence = re.match(r"```(\w*) ?(\S*)\n(.*)```$", piece, re.S)
        if not fence:
            headings = re.findall(r"^## (.+)$", piece, re.M)
            section, before = (headings[-1] if headings else section), piece.rstrip()
            continue
        language, path, text = fence.groups()
        place = re.search(r"In `([^`]+)`, (after|instead of) `([^`]+)`:$", before)
        if language == "sh":
            yield section, ("run",), text
        elif path:
            yield section, ("file", path), text
        elif language == "cpp":
            expect(place is not None, f"a block of {section} does not say where it goes")
            yield section, (place[2], place[1], place[3]), text


def apply(copy, action, text):
    kind, path = action[:2]
    if kind == "file":
        expect(not (copy / path).exists(), f"{path} is there already")
        (copy / path).write_text(text)
        return
    lines = (copy / path).read_text().splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if line.strip() == action[2]]
    expect_equal(len(found), 1, f"lines `{action[2]}` of {path}")
    lines[found[0] : found[0] + 1] = [lines[found[0]], text] if kind == "after" else [text]
    (copy / path).write_text("".join(lines))


def settings():
    """As this build was configured."""
    cache = pathlib.Path(fathom).parent / "CMakeCache.txt"
    found = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M)) if cache.exists() else skip("the program does not stand in its build folder")
    return [f"-D{name}={found[name]}" for name in SAME_AS_THIS_BUILD if name in found]


def build(copy):
    for command in (["cmake", "-G", "Ninja", "-S", copy, "-B", copy / "build/walk", "-DFATHOM_UNIT_TESTS=OFF", *settings()],
                    ["cmake", "--build", copy / "build/walk", "--target", "fathom", "-j", str(os.cpu_count())]):
        # In the language of the build that is tested: the compiler's cache tells languages of messages apart.
        done = subprocess.run(command, capture_output=True, text=True, env=environment_of_user)
        expect(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
    return copy / "build/walk/fathom"


WARNINGS = ("-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror")


def unit_tests(copy, paths):
    """Those of the page alone, against the modules of the copy; all tests of a module would have to be compiled anew."""
    modules = sorted((copy / "build/walk/src").glob("lib*.a"))
    lib = copy / "build/walk/lib"
    program = copy / "page_test"
    command = ["g++", *WARNINGS, f"-I{copy / 'src'}", f"-I{copy}", *(copy / path for path in paths), "-o", program, "-Wl,--start-group", *modules, "-Wl,--end-group",
               f"-L{lib}", "-lduckdb", f"-Wl,-rpath,{lib}", *(f"-l{name}" for name in ("sqlite3", "fmt", "zstd", "xxhash", "z", "gtest", "gtest_main", "pthread", "dl"))]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    expect(done.returncode == 0, f"compiling {paths}:\n{done.stderr[-4000:]}")
    done = subprocess.run([program], capture_output=True, text=True)
    expect(done.returncode == 0 and "[  PASSED  ] " in done.stdout, f"{paths}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def fuzz_targets(copy, paths):
    if shutil.which("clang++") is None:
        return left_out("compiling the fuzz target of the page: there is no clang++")
    for path in paths:
        done = subprocess.run(["clang++", *WARNINGS, "-fsyntax-only", f"-I{copy / 'src'}", f"-I{copy}", copy / path], capture_output=True, text=True)
        expect(done.returncode == 0, f"{path} with clang:\n{done.stderr[-4000:]}")
    say(f"{len(paths)} fuzz target of the page compiles")


def run_page(folder, program, pieces):
    """What the commands of each section print."""
    path = f"{program.parent}:{os.environ['PATH']}"
    said = {}
    for section, text in pieces:
        done = subprocess.run(["bash", "-euc", text], cwd=folder, capture_output=True, text=True, env=os.environ | {"PATH": path}, timeout=120)
        expect(done.returncode == 0, f"{section}: exit code {done.returncode}\n{text}\n{done.stdout}\n{done.stderr}")
        said[section] = done.stdout
    return said


def check_reader(said, program):
    # 3 MiB read and 8 KiB written between the first sample and the last.
    for line in ("increments,2", "read_bytes,3145728", "write_bytes,8192"):
        expect(f"\n{line}\n" in said, f"the reader: no {line} in\n{said}")
    kinds = subprocess.run([program, "ingest", "x", "/dev/null", "--as", "nothing"], capture_output=True, text=True).stderr
    expect("volume_log" in kinds, f"the kinds that ingest knows: {kinds}")


def check_criterion(said):
    # 4 MiB read, 1 MiB written, 8 opens: 512 KiB, 128 KiB, 640 KiB for each.
    row = next((line for line in said.splitlines() if "bytes_per_open" in line), "")
    expect(re.search(r"1\.9 +Bytes per open +bytes_per_open +512\.0 KiB +128\.0 KiB +640\.0 KiB", row) is not None, f"the criterion in the analysis map: {row!r} of\n{said}")
    ids = re.findall(r"^(\d\.\d+) ", said, re.M)
    expect_equal(ids[ids.index("1.9") + 1], "2.1", "the criterion after 1.9")


def check_component(said):
    ends = [int(line.split(",")[5]) for line in said.splitlines() if re.match(r"\d+,\d+,write,", line)]
    expect_equal(len(ends), 2, f"last completions with and without the component in\n{said}")
    expect_equal(ends[0] - ends[1], 4 * 250 * 10**6, "picoseconds that the last of four writes ends later")


def check_command(said, program):
    expect_equal(said.splitlines(), ["server,increments,read_bytes,write_bytes", "oss1,2,3145728,8192"], "the command's table")
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    expect(re.search(r"^  servers +The servers of a store", help_text, re.M) is not None, "the command in --help")


if shutil.which("ccache") is None:
    skip("without ccache the whole program would be compiled once more")
with scratch() as folder:
    copy = folder / "source"
    copy_source(copy)
    pieces, commands = list(blocks()), []
    for section, action, text in pieces:
        if action[0] == "run":
            commands.append((section, text))
        else:
            apply(copy, action, text)
    say(f"{len(pieces) - len(commands)} blocks of {PAGE.name} are in a copy of the source")
    program = build(copy)
    say("it builds, without a warning")
    files = [action[1] for _, action, _ in pieces if action[0] == "file"]
    tests, targets = ([path for path in files if path.endswith(end)] for end in ("_test.cpp", "_fuzz.cpp"))
    expect(tests and targets, f"the page has a test and a fuzz target: {files}")
    unit_tests(copy, tests)
    say(f"{len(tests)} unit test of the page passes")
    fuzz_targets(copy, targets)
    said = run_page(folder, program, commands)
    expect_equal(sorted(said), sorted(["A reader", "A criterion", "A component of the simulation", "A command"]), "sections with commands")
    check_reader(said["A reader"], program)
    check_criterion(said["A criterion"])
    check_component(said["A component of the simulation"])
    check_command(said["A command"], program)
    pages = folder / "pages"
    subprocess.run([program, "docs", pages], check=True, capture_output=True)
    for page in ("formats/volume_log.md", "commands/servers.md"):
        expect((pages / page).exists(), f"{page} is not written")
    expect("## 1.9 Bytes per open" in (pages / "criteria.md").read_text(), "the criterion in its page")
    architecture = subprocess.run([sys.executable, "-B", copy / "tools/check_architecture.py", copy], capture_output=True, text=True)
    expect(architecture.returncode == 0, f"architecture of the copy: {architecture.stdout}")
    say("reader, criterion, component and command work, and have their pages")
