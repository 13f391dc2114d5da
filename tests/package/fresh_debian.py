# SPDX-License-Identifier: Apache-2.0
"""The packages on a Debian 12 that has nothing else, made by debootstrap from the mirror that this machine uses: the .deb installs, its demo ends well, man and completion are there, and it
goes away without a trace; the tarball runs from any folder. Both bring licences, notices and documentation.

fresh_debian.py PACKAGES     exits with 0, with 1 and the reason, or with 77 when it cannot be tried here
"""
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from documents import problems_of, problems_of_bundle

started = time.monotonic()
packages = pathlib.Path(sys.argv[1]).resolve()


def say(text):
    print(f"[{time.monotonic() - started:6.1f} s] {text}", flush=True)


def skip(text):
    print(f"skipped: {text}")
    sys.exit(77)


def fail(text):
    print(f"FAILED: {text}")
    sys.exit(1)


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def one(pattern):
    found = glob.glob(str(packages / pattern))
    if len(found) != 1:
        fail(f"{packages} has {len(found)} of {pattern}; run tools/package")
    return pathlib.Path(found[0])


class Root:
    """A Debian of its own, with what programs want to find mounted."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        for name, kind in {"proc": "proc", "dev/shm": "tmpfs"}.items():
            (self.folder / name).mkdir(exist_ok=True)
            run("mount", "-t", kind, kind, self.folder / name)
        return self

    def __exit__(self, *problem):
        for name in ("dev/shm", "proc"):
            subprocess.run(["umount", "-l", self.folder / name], capture_output=True)

    def do(self, *words, **options):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"} | {key: value for key, value in os.environ.items() if key.endswith("_proxy")}
        return run("chroot", self.folder, *words, env=environment, **options)


def apt_like_here(root):
    """The chroot asks the same mirror in the same way as this machine, whatever that is."""
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*"), *glob.glob("/etc/apt/apt.conf.d/*"), "/etc/apt/apt.conf", *glob.glob("/etc/apt/auth.conf.d/*"), "/etc/resolv.conf", "/etc/hosts"]:
        if os.path.isfile(path) and "docker" not in path:
            os.makedirs(os.path.dirname(f"{root}{path}"), exist_ok=True)
            shutil.copy(path, f"{root}{path}")


if os.geteuid() != 0 or shutil.which("debootstrap") is None:
    skip("needs root and debootstrap")
deb, tarball = one("*.deb"), one("*.tar.gz")
mirror = next((line.split()[0] for line in subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(CREATED_BY)"], capture_output=True, text=True).stdout.splitlines() if " bookworm Packages" in line), None)
if mirror is None:
    skip("this machine's apt does not know Debian 12")
folder = pathlib.Path(tempfile.mkdtemp(prefix="fathom-package-"))
try:
    if subprocess.run(["debootstrap", "--variant=minbase", "bookworm", folder, mirror], capture_output=True, text=True).returncode != 0:
        skip(f"debootstrap could not make a Debian: {(folder / 'debootstrap/debootstrap.log').read_text()[-400:] if (folder / 'debootstrap/debootstrap.log').exists() else ''}")
    say("a Debian with nothing else")
    with Root(folder) as root:
        apt_like_here(folder)
        shutil.copy(deb, folder / "root")
        root.do("apt-get", "update", "-qq")
        before = set(root.do("find", "/usr", "/etc", "-xdev").split())
        root.do("apt-get", "install", "-y", "-qq", "--no-install-recommends", f"/root/{deb.name}")
        say(f"{deb.name} installs: {root.do('fathom', '--version').splitlines()[0]}")
        printed = root.do("fathom", "demo", "/root/demo", "--no-serve", timeout=900)
        for wanted in ("What is known of them", "What they did to each other", "the dashboard"):
            if wanted not in printed:
                fail(f"the demo does not say: {wanted}")
        say("fathom demo --no-serve ends well")
        for path in ("usr/share/man/man1/fathom-ingest.1", "usr/share/bash-completion/completions/fathom", "usr/lib/systemd/system/fathom-collect.service", "usr/lib/fathom/libduckdb.so"):
            if not (folder / path).exists():
                fail(f"{path} is not installed")
        if problems := problems_of(folder / "usr", [root.do("fathom", "--help")]):
            fail("\n".join(problems))
        say("licences, notices, and every page that --help and man name")
        root.do("dpkg", "--purge", "fathom")
        left = [path for path in root.do("find", "/usr", "/etc", "-xdev").split() if path not in before and "fathom" in path]
        if left:
            fail(f"left after it was removed: {left[:5]}")
        say("removed without a trace")
        # The tarball has its own libraries: of the system it needs the C library alone.
        run("tar", "-C", folder / "srv", "-xzf", tarball)
        unpacked = next((folder / "srv").iterdir())
        if problems := problems_of(unpacked) + problems_of_bundle(unpacked):
            fail("\n".join(problems))
        say("the tarball has them too, and the notices of every library that it brings")
        root.do("apt-get", "autoremove", "-y", "-qq")
        root.do(f"/srv/{unpacked.name}/bin/fathom", "demo", "/root/demo2", "--no-serve", "--days", "0.1", timeout=900)
        say("the tarball runs from a folder of its own")
finally:
    shutil.rmtree(folder, ignore_errors=True)
