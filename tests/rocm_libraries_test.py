#!/usr/bin/env python3
"""The jar against ROCm's real libraries on a box without a GPU.

Debian's packages are unpacked into a root folder below build/rocm, with their own C library, and the
jar runs in there (rocm_root.py). Needs the built jar (HIPLAB_JAR names another) and a JDK. The last
line is `N passed, N failed, N skipped`; all are skipped, and it says why, where no package source can
be reached or no user namespace may be made.
"""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from rocm_packages import LIBRARIES, OLD_LIBRARIES, NoSource, Packages, unpack, version_of
from rocm_proof import Proof
from rocm_root import Root
from test_run import run_all

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "rocm"
JAR = Path(os.environ.get("HIPLAB_JAR", ROOT / "toolkit" / "target" / "toolkit.jar")).resolve()
LIB = Path("usr/lib/x86_64-linux-gnu")
# Whose functions a library of the driver table holds, by the beginning of their names.
FAMILIES = {"libamdhip64.so.6": r"hip(?!rtc|blas)", "libhiprtc.so.6": "hiprtc", "librocblas.so.4": "rocblas",
            "libhipblaslt.so.1": "hipblasLt"}
ARCHITECTURES = ("gfx1151", "gfx942", "gfx1201")
EM_AMDGPU = 224


def java_home():
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "javac").exists():
        return Path(home).resolve()
    return Path(shutil.which("javac") or sys.exit("no JDK: set JAVA_HOME")).resolve().parent.parent


class Box:
    """The root folder as a box with ROCm installed and no GPU. What a test changes is undone."""

    def __init__(self, folder, old):
        home = java_home()
        binds = {"/java": home, "/toolkit.jar": JAR, "/programs": ROOT / "tests" / "rocm"}
        # A distribution's JDK keeps its settings there.
        for settings in Path("/etc").glob("java-*-openjdk"):
            binds[str(settings)] = settings
        self.root = Root(folder, binds)
        self.old = old

    def java(self, *arguments, environment=None, capable=True):
        return self.root.run("/java/bin/java", "--enable-native-access=ALL-UNNAMED", *arguments,
                             environment=environment, capable=capable)

    def devices(self, environment=None, capable=True):
        """What `devices` says of rocm. It must end well, on the software device, and say so first."""
        ended = self.java("-jar", "/toolkit.jar", "devices", environment=environment, capable=capable)
        assert ended.returncode == 0 and ended.stderr == "", ended
        lines = ended.stdout.splitlines()
        told = re.fullmatch(r"driver rocm: not usable, (.*)", lines[-2])
        assert told and lines[-1].startswith("driver host: usable, "), lines
        assert lines[0].startswith("host: software device, "), lines
        return told[1]

    def program(self, name, *arguments, environment=None):
        return self.java("-cp", "/toolkit.jar", f"/programs/{name}.java", *arguments,
                         environment=dict({"HIPLAB_DRIVER": "rocm"}, **(environment or {})))

    def library(self, name):
        return self.root.folder / LIB / name

    @contextmanager
    def with_file(self, place, text="", mode=0o600):
        file = self.root.folder / place
        made = [folder for folder in file.parents if not folder.exists()]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(mode)
        try:
            yield
        finally:
            file.unlink()
            for folder in made:
                folder.rmdir()

    def with_node(self, mode=0o600):
        """A /dev/kfd that can be opened, and is none: the runtime finds no GPU behind it."""
        return self.with_file("dev/kfd", mode=mode)

    def with_gpu(self, version):
        """A GPU of this architecture in the topology that the kernel's driver would tell."""
        return self.with_file("sys/class/kfd/kfd/topology/nodes/1/properties",
                              f"cpu_cores_count 0\nsimd_count 80\ngfx_target_version {version}\n")

    @contextmanager
    def without(self, pattern):
        """Libraries taken away, links and files."""
        away = self.root.folder / "away"
        away.mkdir()
        found = list((self.root.folder / LIB).glob(pattern))
        assert found, f"there is no {pattern} to take away"
        for file in found:
            file.rename(away / file.name)
        try:
            yield
        finally:
            for file in found:
                (away / file.name).rename(file)
            away.rmdir()

    @contextmanager
    def with_old_hip(self):
        """Only a HIP of another major version, as a release before has it."""
        with self.without("libamdhip64.so*"):
            copied = []
            for file in (self.old / LIB).glob("libamdhip64.so.*"):
                copied.append(self.library(file.name))
                shutil.copy(file, copied[-1], follow_symlinks=False)
            assert copied
            try:
                yield
            finally:
                for file in copied:
                    file.unlink()


def every_function_is_in_its_library(box):
    functions = Proof().claims["signature"]
    seen = set()
    for library, family in FAMILIES.items():
        listed = subprocess.run(["readelf", "-W", "--dyn-syms", box.library(library)], capture_output=True,
                                text=True, check=True).stdout
        exported = set(re.findall(r"FUNC +(?:GLOBAL|WEAK) +DEFAULT +\d+ (\w+)", listed))
        ours = {name for name in functions if re.match(family, name)}
        assert ours and ours <= exported, (library, ours - exported)
        seen |= ours
    assert seen == set(functions), set(functions) - seen


def no_node_is_told(box):
    told = box.devices()
    assert told.startswith("no /dev/kfd"), told


def a_node_without_permission_is_told(box):
    with box.with_node(0o000):
        told = box.devices(capable=False)
    assert told.startswith("no permission to open /dev/kfd"), told


def a_node_without_a_gpu_is_told(box):
    with box.with_node():
        told = box.devices()
    assert "HIP finds no device" in told, told


def main():
    tests = [every_function_is_in_its_library, no_node_is_told, a_node_without_permission_is_told,
             a_node_without_a_gpu_is_told]
    try:
        packages = Packages(BUILD)
        files = packages.download(packages.with_dependencies(LIBRARIES))
        old = packages.download(OLD_LIBRARIES)
    except NoSource as reason:
        return skip(tests, f"ROCm's libraries cannot be had: {' '.join(str(reason).split())}")
    print(", ".join(f"{name} {version_of(files[name])}" for name in LIBRARIES), flush=True)
    box = Box(unpack(files.values(), BUILD / "root"), unpack(old.values(), BUILD / "old"))
    trouble = box.root.works()
    if trouble:
        return skip(tests, f"nothing can run in a root folder of its own: {trouble}")
    return run_all(tests, box)


def skip(tests, reason):
    print(f"skipped, as {reason}")
    print(f"0 passed, 0 failed, {len(tests)} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
