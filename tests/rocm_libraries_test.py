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

from rocm_packages import LIBRARIES, OLD_LIBRARIES, NoSource, Packages, held, unpack, version_of
from rocm_proof import Proof
from rocm_root import Root
from test_run import run_all

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "rocm"
JAR = Path(os.environ.get("HIPLAB_JAR", ROOT / "toolkit" / "target" / "toolkit.jar")).resolve()
LIB = Path("usr/lib/x86_64-linux-gnu")
AWAY = "away"  # where libraries are that a test has taken away
# Whose functions a library of the driver table holds, by the beginning of their names.
FAMILIES = {"libamdhip64.so.6": r"hip(?!rtc|blas)", "libhiprtc.so.6": "hiprtc", "librocblas.so.4": "rocblas",
            "libhipblaslt.so.1": "hipblasLt"}
# The number that each has in a code object's flags (LLVM's documentation of AMDGPU).
ARCHITECTURES = {"gfx1151": 0x4a, "gfx942": 0x4c, "gfx1201": 0x4e}
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
        self._undo_what_is_left()

    def _undo_what_is_left(self):
        """A test that was killed left what it had changed."""
        for file in (self.old / LIB).glob("libamdhip64.so.*"):
            self.library(file.name).unlink(missing_ok=True)
        away = self.root.folder / AWAY
        if away.exists():
            for file in away.iterdir():
                file.rename(self.library(file.name))
            away.rmdir()
        for place in ("dev/kfd", "dev/dri/renderD128"):
            (self.root.folder / place).unlink(missing_ok=True)
        shutil.rmtree(self.root.folder / "sys", ignore_errors=True)

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

    @contextmanager
    def with_gpu(self, version):
        """A GPU of this architecture as the kernel's driver would tell it, and its render node."""
        properties = f"simd_count 80\ngfx_target_version {version}\ndrm_render_minor 128\n"
        with self.with_node(), self.with_file("dev/dri/renderD128"), \
                self.with_file("sys/class/kfd/kfd/topology/nodes/1/properties", properties):
            yield

    @contextmanager
    def without(self, pattern):
        """Libraries taken away, links and files."""
        away = self.root.folder / AWAY
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


def the_functions_about_solutions_are_exported(box):
    """By their C++ names, which native/driver/rocm/solutions.cpp holds as text."""
    names = re.findall(r'"(_Z\w+)"', (ROOT / "native/driver/rocm/solutions.cpp").read_text())
    listed = subprocess.run(["readelf", "-W", "--dyn-syms", box.library("libhipblaslt.so.1")], capture_output=True,
                            text=True, check=True).stdout
    exported = set(re.findall(r"FUNC +(?:GLOBAL|WEAK) +DEFAULT +\d+ (\w+)", listed))
    assert len(names) == 2 and set(names) <= exported, set(names) - exported


def no_node_is_told(box):
    told = box.devices()
    assert told.startswith("no /dev/kfd"), told


def a_node_without_permission_is_told(box):
    with box.with_node(0o000):
        told = box.devices(capable=False)
    assert told.startswith("no permission to open /dev/kfd"), told


def a_topology_without_a_gpu_is_told(box):
    with box.with_node():
        told = box.devices()
    assert "topology" in told and "gfx" not in told, told


def an_architecture_that_hip_has_no_device_for_is_told(box):
    with box.with_gpu(110501):
        told = box.devices()
    assert "gfx1151" in told and "offers no device" in told, told


def a_variable_that_hides_devices_is_told(box):
    with box.with_gpu(110501):
        told = box.devices(environment={"HIP_VISIBLE_DEVICES": "-1"})
    assert 'HIP_VISIBLE_DEVICES="-1"' in told, told


def a_library_that_is_not_there_is_told(box):
    with box.with_node(), box.without("libamdhip64.so*"):
        told = box.devices()
    assert "libamdhip64" in told and "not found" in told, told


def a_library_that_does_not_load_is_told_with_its_reason(box):
    with box.with_node(), box.without("libhsa-runtime64.so*"):
        told = box.devices()
    assert "libamdhip64" in told and "libhsa-runtime64.so.1: cannot open shared object file" in told, told


def a_version_that_is_too_old_is_told(box):
    with box.with_node(), box.with_old_hip():
        told = box.devices()
    assert "only an older libamdhip64 is there" in told and "libamdhip64.so.5" in told, told


def each_reason_is_told_apart(box):
    """The cases above, and no two alike."""
    told = []
    with box.with_node(0o000):
        told.append(box.devices(capable=False))
    told.append(box.devices())
    with box.with_node():
        told.append(box.devices())
        for pattern in ("libamdhip64.so*", "libhsa-runtime64.so*"):
            with box.without(pattern):
                told.append(box.devices())
        with box.with_old_hip():
            told.append(box.devices())
    with box.with_gpu(110501):
        told.append(box.devices())
    assert len(set(told)) == len(told) == 7, told


def a_driver_that_is_insisted_on_is_refused_with_the_reason(box):
    ended = box.java("-jar", "/toolkit.jar", "devices", "--driver", "rocm")
    assert ended.returncode != 0 and ended.stdout == "", ended
    assert "driver rocm was asked for and is not usable: no /dev/kfd" in ended.stderr, ended
    assert ended.stderr.endswith("; doctor --rocm tells what to do\n"), ended
    assert len(ended.stderr.splitlines()) == 1 and "libamdhip64" not in ended.stderr, ended
    assert "install" not in ended.stderr and "HIPLAB_ROCM_PATH" not in ended.stderr, ended


def raw_calls_name_the_library_that_they_lack(box):
    ended = box.program("CompileKernels", "gfx1151")
    said = ended.stdout.splitlines()[0]
    assert said.startswith("rocm: ROCm's libraries without a device (") and "no /dev/kfd" in said, ended
    assert "install" not in said and "use the software device" not in said, ended
    for pattern, library, package in (("libamdhip64.so*", "libamdhip64 not found", "libamdhip64-6 of Debian sid"),
                                      ("libhiprtc.so*", "no hiprtc; install libhiprtc", "HIPLAB_ROCM_PATH")):
        with box.without(pattern):
            ended = box.program("CompileKernels", "gfx1151")
        told = ended.stderr
        assert ended.returncode != 0 and library in told and package in told, ended
        assert "/dev/kfd" not in told[:told.index(library)], ended


def the_next_driver_runs_a_campaign(box):
    ended = box.java("-jar", "/toolkit.jar", "reproduce", "rocblas.first-gemm", "--runs", "2", "--way", "natural",
                     "--out", "/tmp/runs")
    shutil.rmtree(box.root.folder / "tmp" / "runs", ignore_errors=True)
    assert ended.returncode == 0, ended
    assert "host: software device" in ended.stdout + ended.stderr, ended
    assert re.search(r"FIXED: 2 runs: 2 EXACT", ended.stdout), ended


def every_raw_call_is_survived(box):
    ended = box.program("AllCalls")
    lines = ended.stdout.splitlines()
    made = [line.split()[1] for line in lines if line.startswith("call ")]
    done = dict(line.split(" ", 2)[1:] for line in lines if line.startswith("done "))
    assert ended.returncode == 0 and lines[-1] == "all made", (ended.returncode, lines[-12:], ended.stderr)
    assert sorted(made) == sorted(Proof().claims["signature"]), set(made) ^ set(Proof().claims["signature"])
    # With no device, as the libraries themselves say it.
    assert done["hipGetDeviceCount"] == "100" and done["hipMalloc"] == "100", done
    assert done["rocblas_create_handle"] == "6" and done["hipblasLtCreate"] == "1", done
    assert done["hiprtcVersion"] == "0" and done["hipblasLtMatmulDescCreate"] == "0", done
    assert not [name for name, said in done.items() if "Exception" in said], done


def hiprtc_misused_is_survived(box):
    ended = box.program("HiprtcMisuse")
    assert ended.returncode == 0 and ended.stdout.splitlines()[-1] == "all said", ended
    said = dict(line.split(" -> ") for line in ended.stdout.splitlines() if " -> " in line)
    assert said["null program"] == "4" and said["no architecture"] == "5", said
    unknown = {name: status for name, status in said.items() if name.startswith("architecture ")}
    assert len(unknown) == 6 and set(unknown.values()) == {"5"}, unknown
    assert said["wrong option"] == said["wrong source"] == "6", said
    assert "unknown argument: '--no-such-option'" in ended.stdout, ended
    assert "use of undeclared identifier 'y'" in ended.stdout, ended
    assert said["right"] == said["eight threads"] == "0", said


def every_kernel_of_the_project_compiles(box):
    ended = box.program("CompileKernels", *ARCHITECTURES)
    lines = ended.stdout.splitlines()
    assert ended.returncode == 0 and lines[0].startswith("rocm: ROCm's libraries without a device"), ended
    compiled = [line.split()[1:] for line in lines if line.startswith("compiled ")]
    assert len(compiled) == 5 * len(ARCHITECTURES), compiled
    for name, arch, magic, machine, processor, size, named in compiled:
        assert (magic, int(machine), named) == ("ELF", EM_AMDGPU, "named"), (name, arch, magic, machine, named)
        assert int(processor) == ARCHITECTURES[arch] and int(size) > 1000, (name, arch, processor, size)
    # None is forgotten: CompileKernels knows those of these files, the others only speak of kernels.
    sources = [file for folder in ("native/backend", "native/forms", "toolkit/src/main")
               for file in (ROOT / folder).rglob("*") if file.suffix in (".cpp", ".h", ".java")]
    written = {file.name for file in sources if re.search(r"__global__ void \w*\(|__global__ void \W",
                                                          file.read_text(encoding="utf-8"))}
    assert written == {"jit_gemm.cpp", "EventUser.java", "ProbeKernel.java", "KernelTrial.java", "Kernel.java"}, written


def the_software_device_compiles_for_itself(box):
    """The same program there, so that what is said above is hiprtc's doing. It needs a compiler."""
    ended = box.program("CompileKernels", "gfx1151", environment={"HIPLAB_DRIVER": "host"})
    assert ended.returncode != 0 and "C++ compiler" in ended.stderr, ended


def doctor_tells_libraries_and_kernels(box):
    ended = box.java("-jar", "/toolkit.jar", "doctor")
    assert ended.returncode == 0, ended
    for line in (r"OK +\S+libamdhip64\.so\.6\S*, libamdhip64\.so\.6, version 6\.",
                 r"OK +\S+libhiprtc\.so\.6", r"OK +\S+librocblas\.so\.4\S*, librocblas\.so\.4, version 4\.",
                 r"OK +\S+libhipblaslt\.so\.1", r"hipblaslt has kernels for .*gfx1151", r"NOTE +no /dev/kfd"):
        assert re.search(line, ended.stdout), (line, ended.stdout)
    ended = box.java("-jar", "/toolkit.jar", "doctor", environment={"HIPLAB_DRIVER": "rocm"})
    assert ended.returncode == 1 and ended.stdout.startswith("no device, for what stands below\n"), ended
    # The node, once, with what makes ROCm work; the compiler is the software device's.
    assert len(re.findall(r"no /dev/kfd", ended.stdout)) == 1 and "unset" not in ended.stdout, ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("1 trouble; hiplab does not run"), ended.stdout
    assert re.search(r"NOTE +no C\+\+ compiler found", ended.stdout), ended.stdout
    with box.with_gpu(110501):
        ended = box.java("-jar", "/toolkit.jar", "doctor", "--rocm")
    assert ended.returncode == 1, ended
    assert re.search(r"TROUBLE +.*gfx1151.*offers no device", ended.stdout), ended.stdout
    assert re.search(r"TROUBLE +rocblas has no kernels for gfx1151", ended.stdout), ended.stdout


def what_a_killed_test_left_is_undone(box):
    away = box.root.folder / AWAY
    away.mkdir()
    taken = box.library("libhsa-runtime64.so.1")
    taken.rename(away / taken.name)
    left = [box.root.folder / place for place in ("dev/kfd", "dev/dri/renderD128", "sys/class/kfd/left")]
    for file in left:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert "libhsa-runtime64" in box.devices(), "nothing was changed"
    again = Box(box.root.folder, box.old)
    assert again.devices() == box.devices() and again.devices().startswith("no /dev/kfd"), again.devices()
    assert taken.exists() and not away.exists() and not any(file.exists() for file in left), left


def main():
    tests = [every_function_is_in_its_library, the_functions_about_solutions_are_exported,
             no_node_is_told, a_node_without_permission_is_told,
             a_topology_without_a_gpu_is_told, an_architecture_that_hip_has_no_device_for_is_told,
             a_variable_that_hides_devices_is_told, a_library_that_is_not_there_is_told,
             a_library_that_does_not_load_is_told_with_its_reason, a_version_that_is_too_old_is_told,
             each_reason_is_told_apart, a_driver_that_is_insisted_on_is_refused_with_the_reason,
             raw_calls_name_the_library_that_they_lack, the_next_driver_runs_a_campaign, every_raw_call_is_survived, hiprtc_misused_is_survived,
             every_kernel_of_the_project_compiles, the_software_device_compiles_for_itself,
             doctor_tells_libraries_and_kernels, what_a_killed_test_left_is_undone]
    with held(BUILD):
        return run(tests)


def run(tests):
    try:
        packages = Packages(BUILD)
        files = packages.download(packages.with_dependencies(LIBRARIES))
        old = packages.download(OLD_LIBRARIES)
    except NoSource as reason:
        return skip(tests, f"ROCm's libraries cannot be had: {' '.join(str(reason).split())}")
    shown = ", ".join(f"{name} {version_of(files[name])}" for name in LIBRARIES)
    print(f"against: {shown}, in a root folder of their own, with no GPU", flush=True)
    if packages.stale:
        print(f"against: the newest as of an earlier call: {packages.stale}", flush=True)
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
