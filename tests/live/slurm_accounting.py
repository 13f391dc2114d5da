# SPDX-License-Identifier: Apache-2.0
"""Accounting for a Slurm of one's own: a MariaDB and a slurmdbd on loopback, so that there is a sacct. Only inside a private machine."""
import secrets
import shutil
import subprocess

import private_machine

PROGRAMS = ("mariadbd", "mariadb-install-db", "mariadb", "slurmdbd", "sacct", "sacctmgr")
DATABASE_PORT = 6815


def possible():
    """None, or why there can be no accounting here."""
    private_machine.add_server_folders()
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"not installed: {', '.join(missing)}" if missing else private_machine.possible()


def settings(folder):
    """Lines of slurm.conf."""
    return {"AccountingStorageType": "accounting_storage/slurmdbd", "AccountingStorageHost": "127.0.0.1",
            "AccountingStoragePass": folder / "munge.socket", "AccountingStoreFlags": "job_comment", "AccountingStorageEnforce": None}


def start(slurm):
    """Before the controller, after munge."""
    folder = slurm.folder
    socket, data = folder / "database.socket", folder / "database"
    run("mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal", "--skip-test-db", "--user=root")
    slurm.serve("mariadbd", "mariadbd", "--no-defaults", "--user=root", f"--datadir={data}", f"--socket={socket}", f"--pid-file={folder}/mariadbd.pid",
                "--bind-address=127.0.0.1", f"--port={DATABASE_PORT}", "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=8M", "--innodb-lock-wait-timeout=900",
                "--innodb-flush-log-at-trx-commit=0", "--skip-log-bin", "--character-set-server=utf8mb4")
    ask = lambda text: subprocess.run(["mariadb", "--no-defaults", "-S", str(socket), "-e", text], capture_output=True, text=True)
    slurm.wait_until("the database answers", lambda: ask("SELECT 1").returncode == 0)
    password = secrets.token_hex(16)
    done = ask(f"CREATE DATABASE slurm_acct_db; CREATE USER 'slurm'@'127.0.0.1' IDENTIFIED BY '{password}'; CREATE USER 'slurm'@'localhost' IDENTIFIED BY '{password}';"
               "GRANT ALL ON slurm_acct_db.* TO 'slurm'@'127.0.0.1'; GRANT ALL ON slurm_acct_db.* TO 'slurm'@'localhost';")
    if done.returncode != 0:
        raise RuntimeError(f"making Slurm's database: {done.stderr}")
    lines = {"AuthType": "auth/munge", "AuthInfo": f"socket={folder}/munge.socket", "DbdHost": private_machine.NAME, "DbdAddr": "127.0.0.1", "SlurmUser": "root",
             "StorageType": "accounting_storage/mysql", "StorageHost": "127.0.0.1", "StoragePort": DATABASE_PORT, "StorageUser": "slurm",
             "StoragePass": password, "StorageLoc": "slurm_acct_db", "PidFile": folder / "slurmdbd.pid", "CommitDelay": 0}
    file = folder / "slurmdbd.conf"
    file.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))
    file.chmod(0o600)
    slurm.serve("slurmdbd", "slurmdbd", "-D")
    slurm.wait_until("accounting answers", lambda: slurm.run("sacctmgr", "--noheader", "show", "cluster", exit_code=None).returncode == 0)
    slurm.run("sacctmgr", "--immediate", "add", "cluster", "live", exit_code=None)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
