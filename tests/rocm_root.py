"""A command inside a root folder of unpacked packages: their C library, their ROCm, no GPU.

A user namespace of its own (no rights are needed), a few devices and /proc bound into the root, then
chroot. Run as a program it is the part inside: `rocm_root.py ROOT BINDS CAPABLE COMMAND...`.
"""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

DEVICES = ("null", "zero", "full", "random", "urandom")
PR_CAPBSET_DROP = 24
LAST_CAPABILITY = 40


class Root:
    """Commands in a root folder. Files below it can be changed between two commands."""

    def __init__(self, folder, binds):
        """binds: folders and files of this machine, read-only inside: {inside: outside}."""
        self.folder = Path(folder).resolve()
        self.binds = {str(inside): str(Path(outside).resolve()) for inside, outside in binds.items()}
        for inside, outside in self.binds.items():
            place = self.folder / inside.lstrip("/")
            if Path(outside).is_dir():
                place.mkdir(parents=True, exist_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.touch()
        for name in ("proc", "dev", "tmp"):
            (self.folder / name).mkdir(exist_ok=True)
        for name in DEVICES:
            (self.folder / "dev" / name).touch()

    def run(self, *command, environment=None, capable=True, timeout=120):
        """Without capabilities (capable=False) the user is bound by a file's mode, as others are."""
        inside = [sys.executable, __file__, str(self.folder), json.dumps(self.binds),
                  "1" if capable else "0", *map(str, command)]
        return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", *inside],
                              capture_output=True, text=True, timeout=timeout, check=False,
                              stdin=subprocess.DEVNULL,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp",
                                   **(environment or {})})

    def works(self):
        """Why no command can run here; empty when one can."""
        try:
            ended = self.run("/lib64/ld-linux-x86-64.so.2", "--version")
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)
        return "" if ended.returncode == 0 else (ended.stderr.strip() or f"it ends with {ended.returncode}")


def _mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)


def _drop_capabilities():
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def _inside(root, binds, capable, command):
    _mount("--rbind", "/proc", root / "proc")
    for name in DEVICES:
        _mount("--bind", f"/dev/{name}", root / "dev" / name)
    for place, outside in json.loads(binds).items():
        _mount("--bind", outside, root / place.lstrip("/"))
    os.chroot(root)
    os.chdir("/tmp")
    if capable != "1":
        _drop_capabilities()
    os.execv(command[0], command)


if __name__ == "__main__":
    _inside(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
