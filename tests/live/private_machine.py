# SPDX-License-Identifier: Apache-2.0
"""A machine inside the machine for tests that start servers and mount things: `enter()` starts the script again in namespaces of its own.

What runs there has its own processes, host name, mounts, /dev/shm and temporary folder, and a network of loopback alone. The script is
the first of these processes: when it ends, however it ends, the kernel ends all others and takes the mounts away.
"""
import atexit
import ctypes
import fcntl
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

NAME = "login"
FOLDER = "FATHOM_LIVE_FOLDER"  # names the temporary folder
UNSHARE = ["unshare", "--fork", "--pid", "--kill-child=KILL", "--mount-proc", "--net", "--uts", "--ipc", "--mount"]
PR_SET_PDEATHSIG = 1
SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1


def possible():
    """None, or why this machine cannot have another one inside."""
    if inside():
        return None
    if os.geteuid() != 0:
        return "it needs root"
    if shutil.which("unshare") is None:
        return "there is no unshare (util-linux)"
    done = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/dev/shm"], capture_output=True, text=True)
    return None if done.returncode == 0 else f"namespaces are not allowed: {done.stderr.strip()}"


def add_server_folders():
    """Servers and mkfs are where the PATH of users often does not look."""
    folders = os.environ["PATH"].split(":")
    os.environ["PATH"] = ":".join(folders + [folder for folder in ("/usr/sbin", "/sbin") if folder not in folders])


def inside():
    return FOLDER in os.environ and os.getpid() == 1


def enter():
    """Goes on in the private machine, from the script's beginning. Only where it is possible()."""
    if not inside():
        # Whoever runs the tests may be killed: then nobody waits for this one.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="fathom-live-")
        sys.stdout.flush()
        os.execvp(UNSHARE[0], [*UNSHARE, *sys.orig_argv])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # a first process has no default actions
    socket.sethostname(NAME)
    raise_loopback()
    folder = os.environ[FOLDER]
    for place in (folder, "/dev/shm"):
        mount("-t", "tmpfs", "-o", "mode=1777", "none", place)
    atexit.register(leave, folder)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    names = pathlib.Path(folder) / "hosts"
    names.write_text(f"127.0.0.1 localhost {NAME}\n")
    mount("--bind", names, "/etc/hosts")


def leave(folder):
    os.chdir("/")
    subprocess.run(["umount", "--lazy", folder])
    os.rmdir(folder)


def add_host(name):
    """Makes a name known, as one of loopback."""
    with open(f"{os.environ[FOLDER]}/hosts", "a") as names:
        names.write(f"127.0.0.1 {name}\n")


def add_user(name, number):
    """Makes a user known, who owns nothing yet."""
    users = pathlib.Path(os.environ[FOLDER]) / "passwd"
    users.write_text(pathlib.Path("/etc/passwd").read_text() + f"{name}:x:{number}:{number}::/:/bin/false\n")
    mount("--bind", users, "/etc/passwd")


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def raise_loopback():
    """With one more address: to getaddrinfo(AI_ADDRCONFIG) a machine that has only 127.0.0.1 has none."""
    address = struct.pack("=H2x4s8x", socket.AF_INET, socket.inet_aton("192.0.2.1"))  # of those for documentation, RFC 5737
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("=16sh22x", b"lo", IFF_UP))
        fcntl.ioctl(any_socket, SIOCSIFADDR, struct.pack("=16s16s8x", b"lo:1", address))
