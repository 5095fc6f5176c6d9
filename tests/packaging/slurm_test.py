#!/usr/bin/env python3
"""A Slurm of one node in a temporary folder, and programs started by its srun with PMIx: each rank finds the others.

usage: slurm_test.py PROGRAM...      (ends with 77 where Slurm, its PMIx plugin or munge are missing, or without root)
"""
import glob
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={base}/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd.pid
SlurmctldLogFile={base}/slurmctld.log
SlurmdLogFile={base}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/linear
ReturnToService=2
MpiDefault=pmix
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    """munged, slurmctld and slurmd of this test alone, in the foreground, so that they end with it."""

    def __init__(self, base):
        self.base, self.daemons = base, []
        self.environment = {**os.environ, "SLURM_CONF": str(base / "slurm.conf"), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OPENBLAS_NUM_THREADS": "1"}
        for folder in ("munge", "state", "spool"):
            (base / folder).mkdir(mode=0o755)
        (base / "munge/key").write_bytes(os.urandom(128))
        (base / "munge/key").chmod(0o400)
        (base / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], port=free_port(), node_port=free_port(), base=base, cores=os.cpu_count()))

    def start(self, *words):
        log = open(self.base / f"{words[0]}.out", "w")
        self.daemons.append(subprocess.Popen([str(w) for w in words], env=self.environment, stdout=log, stderr=log))

    def __enter__(self):
        munge = self.base / "munge"
        self.start("munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                   f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.start("slurmctld", "-D", "-f", self.base / "slurm.conf")
        self.start("slurmd", "-D", "-f", self.base / "slurm.conf")
        for _ in range(120):
            time.sleep(0.5)
            try:
                if "idle" in run("sinfo", "-h", "-o", "%T", env=self.environment):
                    return self
            except RuntimeError:
                pass
        raise RuntimeError("the node does not come up\n" + "".join(
            f"--- {log}\n{pathlib.Path(log).read_text()[-2000:]}" for log in glob.glob(f"{self.base}/*.*o*")))

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def srun(self, ranks, *words):
        return run("srun", "--mpi=pmix", f"--ntasks={ranks}", "--overcommit", *words, env=self.environment)


def main():
    needed = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
    if os.geteuid() != 0 or not all(map(shutil.which, needed)) or not glob.glob("/usr/lib/*/slurm*/mpi_pmix.so"):
        print("Slurm with PMIx and munge are not installed, or this is not root")
        return 77
    cairn = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="slurm") as folder:
        base = pathlib.Path(folder)
        base.chmod(0o755)
        with Cluster(base) as cluster:
            said = cluster.srun(3, cairn, "multiply", "-N", "300", "--objective", "words")
            print(said)
            if "3 ranks" not in said:
                sys.exit("srun started ranks that do not know each other")
            if len(sys.argv) > 2:
                print(cluster.srun(4, *sys.argv[2:]))
    print("ok")
    return 0


sys.exit(main())
