#!/usr/bin/env python3
"""The Maven profile `sdk` on a folder of ROCm's headers: `sdk_presets_test.py INCLUDE_DIR`.

Parses the headers, compiles the classes and builds their JNI library in a temporary folder, without
linking ROCm's libraries, which need not be there. Needs Maven, CMake and a C++ compiler; MAVEN_ARGS
gives Maven more arguments. The last line is `N passed, N failed`.
"""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from test_run import run_all

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "dev/hiplab/rocm/sdk"


def build(include, target, link=""):
    """Maven's exit code and what it said, with javac's own warnings."""
    command = ["mvn", "-B", *os.environ.get("MAVEN_ARGS", "").split(), "-Psdk", "-pl", "sdk", "package",
               f"-Drocm.include={include}", f"-Drocm.link={link}", f"-Dsdk.target={target}",
               "-Dmaven.compiler.showWarnings=true"]
    ended = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=900, check=False)
    return ended.returncode, re.sub(r"\x1b\[[0-9;]*m", "", ended.stdout)


class Built:
    """What the profile made of the headers."""

    def __init__(self, include, target):
        self.include = include
        self.target = Path(target)
        self.status, self.said = build(include, target)

    def text(self, name):
        source = self.target / "generated-sources" / "javacpp" / PACKAGE / f"{name}.java"
        return source.read_text(encoding="utf-8")

    def functions(self, name):
        """Names of a class's native functions, each once whatever its overloads."""
        found = set()
        for declared in re.findall(r"public static native ([^;]*);", self.text(name)):
            plain = re.sub(r'@\w+(\((?:"[^"]*"|[^()"])*\))?', "", declared)
            found.add(re.search(r"(\w+)\s*\(", plain).group(1))
        return found

    def enums(self, name):
        return len(re.findall(r"^/\*\* enum ", self.text(name), re.M))


def the_build_succeeds(built):
    assert built.status == 0, built.said[-4000:]


def javac_has_nothing_to_say(built):
    told = [line for line in built.said.splitlines()
            if re.search(r"^\[(WARNING|ERROR)\].*\.java", line)]
    assert not told, told[:10]


def the_functions_of_hip_and_hiprtc_are_there(built):
    """HIP 6.4 has 437, of which its libraries export all but 3 inline ones, and 62 enumerations."""
    functions = built.functions("Hip")
    assert 380 <= len(functions) <= 700, len(functions)
    assert {name for name in functions if name.startswith("make_hip")} == {
        "make_hipExtent", "make_hipPitchedPtr", "make_hipPos"}
    assert not [name for name in functions if not re.match("hip|__hip|make_hip", name)]
    wanted = {"hipGetDeviceCount", "hipMalloc", "hipMemcpyAsync", "hipStreamBeginCapture",
              "hipGraphLaunch", "hipModuleLaunchKernel", "hiprtcCompileProgram"}
    assert wanted <= functions, wanted - functions
    assert 50 <= built.enums("Hip") <= 120, built.enums("Hip")
    assert re.search(r"\bhipErrorNoDevice += 100\b", built.text("Hip"))
    assert (built.target / "classes" / PACKAGE / "hipDeviceProp_tR0600.class").exists()


def the_functions_of_hipblaslt_are_there(built):
    """hipBLASLt 1.1 has 24, and 13 enumerations with those of the two headers before it."""
    functions = built.functions("HipBlasLt")
    assert 20 <= len(functions) <= 60, functions
    assert {"hipblasLtCreate", "hipblasLtMatmul", "hipblasLtMatmulAlgoGetHeuristic"} <= functions
    assert 10 <= built.enums("HipBlasLt") <= 30, built.enums("HipBlasLt")
    assert re.search(r"\bHIPBLAS_OP_T += 112\b", built.text("HipBlasLt"))


def the_jni_library_is_in_the_jar_and_has_a_stub_for_each(built):
    entry = f"{PACKAGE}/linux-x86_64/libjniRocmSdk.so"
    with zipfile.ZipFile(built.target / "hiplab-rocm-sdk.jar") as jar:
        assert f"{PACKAGE}/Hip.class" in jar.namelist()
        library = jar.read(entry)
    assert library[:4] == b"\x7fELF" and len(library) > 500_000, len(library)
    for name in ("Hip", "HipBlasLt"):
        for function in built.functions(name):
            # JNI writes an underscore as _1.
            stub = f"Java_dev_hiplab_rocm_sdk_{name}_{function.replace('_', '_1')}"
            assert stub.encode() in library, stub


def a_folder_without_headers_is_one_sentence(built):
    with tempfile.TemporaryDirectory(prefix="hiplab-sdk-") as empty:
        status, said = build(empty, Path(empty) / "target")
        assert status != 0
        assert f'rocm.include is "{empty}"' in said and "-Drocm.include=/opt/rocm/include" in said, said


def a_library_that_is_not_there_is_one_sentence(built):
    with tempfile.TemporaryDirectory(prefix="hiplab-sdk-") as target:
        status, said = build(built.include, target, link="m:hiplab_is_not_there")
        assert status != 0 and not list(Path(target).iterdir()), said[-4000:]
    said = re.sub(r"\s+", " ", said)
    assert "finds no libhiplab_is_not_there.so" in said, said[-4000:]
    assert "-Drocm.lib=/opt/rocm/lib" in said and "-Drocm.link= to look" in said, said[-4000:]


TESTS = [the_build_succeeds, javac_has_nothing_to_say, the_functions_of_hip_and_hiprtc_are_there,
         the_functions_of_hipblaslt_are_there,
         the_jni_library_is_in_the_jar_and_has_a_stub_for_each,
         a_folder_without_headers_is_one_sentence,
         a_library_that_is_not_there_is_one_sentence]


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        print(f"usage: {sys.argv[0]} INCLUDE_DIR, a folder with hip/ and hipblaslt/ in it", file=sys.stderr)
        return 2
    include = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="hiplab-sdk-") as target:
        built = Built(include, target)
        return run_all(TESTS, built)


if __name__ == "__main__":
    sys.exit(main())
