# SPDX-License-Identifier: Apache-2.0
"""Programs without a dynamic linker: fathom-cc puts the tracer into them. A program that has it twice is traced once."""
import signal

from fathom_e2e import *
from traced import writes

compiler = pathlib.Path(fathom).parent / "bin" / "fathom-cc"


def linked(folder, name, *options):
    program = folder / name
    done = subprocess.run([compiler, "-O2", "-pthread", *options, project / "tests/programs/end_badly.c", "-o", program], capture_output=True, text=True)
    expect_equal(done.returncode, 0, f"fathom-cc {' '.join(options)}\n{done.stderr}")
    return program


with scratch() as folder:
    if shutil.which("cc") is None:
        skip("there is no C compiler")
    for name, options in (("static", ["-static"]), ("dynamic", [])):
        program = linked(folder, name, *options)
        about = subprocess.run(["readelf", "-l", program], capture_output=True, text=True).stdout
        expect_equal("INTERP" in about, name == "dynamic", f"{name}: has an interpreter")
        files = folder / f"{name}-files"
        files.mkdir()
        # Without the variable it is a program like any other.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("FATHOM_")}
        expect_equal(subprocess.run([program, files, "exit", "1000", "1"], env=environment).returncode, 7, f"{name}: exit code by itself")
        trace = folder / f"{name}.trace"
        done = subprocess.run([fathom, "run", "-o", trace, "--", program, files, "exit", "20000", "1"], capture_output=True, text=True)
        expect_equal(done.returncode, 7, f"{name}: exit code ({done.stderr})")
        expect_equal(writes(trace)["count.0"][0], 20000, f"{name}: writes")
        (files / "count.0").unlink()
        running = subprocess.Popen([fathom, "run", "-o", folder / f"{name}-killed", "--", program, files, "kill", "0", "1"], stderr=subprocess.PIPE, text=True)
        child = begun(files / "count.0", running)
        time.sleep(0.3)
        os.kill(child, signal.SIGKILL)
        words = running.communicate(timeout=60)[1]
        made = int.from_bytes((files / "count.0").read_bytes(), sys.byteorder)
        found = writes(folder / f"{name}-killed")
        expect(found["count.0"][0] in (made, made - 1), f"{name}: the killed program made {made} writes, the trace has {found} ({words})")
        say(f"{name} program: 20,000 writes, each once; killed: {made}")
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True)
    expect_equal(done.returncode, 0, "fathom-cc --version")
