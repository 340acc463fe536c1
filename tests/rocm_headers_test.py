#!/usr/bin/env python3
"""hiplab's declarations of ROCm against ROCm's real headers, and what a wrong declaration does to that.

Takes Debian's development packages, unpacked into build/rocm and not installed; HIPLAB_ROCM_INCLUDE
names the include folder of an installed ROCm in their place. The last line is `N passed, N failed,
N skipped`; all are skipped, and it says why, where no package source can be reached.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rocm_packages import HEADERS, NoSource, Packages, held, unpack, version_of
from rocm_proof import NATIVE, Proof, missing, versions
from test_run import run_all

BUILD = NATIVE.parent / "build" / "rocm"


def headers():
    """The include folder, and where it comes from."""
    named = os.environ.get("HIPLAB_ROCM_INCLUDE")
    if named:
        return Path(named), named
    with held(BUILD):
        files = Packages(BUILD).download(HEADERS)
        folder = unpack(files.values(), BUILD / "headers")
    return folder / "usr" / "include", ", ".join(f"{name} {version_of(deb)}" for name, deb in files.items())


class Declarations:
    """The project's declarations with something changed, against the real headers."""

    TYPES = "*_types.h"
    FUNCTIONS = "function_lists.h"

    def __init__(self, include):
        self.include = include

    def differing(self, files, change):
        """Names of the claims that fail, by kind, when change(text) was applied to these files."""
        with tempfile.TemporaryDirectory() as scratch:
            native = Path(scratch) / "native"
            shutil.copytree(NATIVE / "driver", native / "driver", ignore=shutil.ignore_patterns("*.cpp", "host"))
            for file in (native / "driver").glob(self.TYPES):
                # A header's own asserts would end the compilation before the proof's.
                file.write_text(re.sub(r"^static_assert\(.*?\);\n", "", file.read_text(encoding="utf-8"),
                                       flags=re.M | re.S), encoding="utf-8")
            changed = 0
            for file in (native / "driver").glob(files):
                before = file.read_text(encoding="utf-8")
                after = change(before)
                changed += before != after
                file.write_text(after, encoding="utf-8")
            assert changed, "the change found nothing to change"
            failed, other = Proof(native).compile(self.include)
        assert not other, other
        found = {}
        for kind, name in failed:
            found.setdefault(kind, set()).add(name)
        return found

    def one(self, old, new, files=TYPES):
        return self.differing(files, lambda text: text.replace(old, new, 1))

    def every(self, pattern, new, files=TYPES):
        return self.differing(files, lambda text: re.sub(pattern, new, text, flags=re.M))


def declarations_are_those_of_the_headers(declarations):
    failed, other = Proof().compile(declarations.include)
    assert not failed and not other, f"{len(failed)} differ, and the compiler says: {other}"


def one_value_that_differs_is_named(declarations):
    found = declarations.one("hipErrorStreamCaptureInvalidated = 901", "hipErrorStreamCaptureInvalidated = 902")
    assert found == {"value": {"hipErrorStreamCaptureInvalidated"}}, found


def one_offset_that_differs_is_named(declarations):
    found = declarations.one("int warpSize;  // 308\n  char reserved2[8];", "char reserved2[8];\n  int warpSize;")
    assert found == {"offset": {"hipDeviceProp_tR0600::warpSize"}}, found


def one_signature_that_differs_is_named(declarations):
    found = declarations.one("(hipStream_t stream, hipEvent_t event, unsigned flags)",
                             "(hipStream_t stream, hipEvent_t event, int flags)", Declarations.FUNCTIONS)
    assert found == {"signature": {"hipStreamWaitEvent"}}, found


def one_overload_that_differs_is_named(declarations):
    found = declarations.one("(void** ptr, size_t bytes, hipStream_t stream)",
                             "(void** ptr, unsigned bytes, hipStream_t stream)", Declarations.FUNCTIONS)
    assert found == {"signature": {"hipMallocAsync"}}, found


def every_value_is_held(declarations):
    found = declarations.every(r" = (\d+|0x[0-9a-f]+)(?=[,; ])", r" = 1000 + \1")
    assert found == {"value": set(Proof().claims["value"])}, found


def every_offset_is_held(declarations):
    found = declarations.every(r"^(struct (?:alignas\(8\) )?\w+ \{)", r"\1 char reserved99[8];")
    claims = Proof().claims
    assert found.get("offset") == set(claims["offset"]), found.get("offset")
    structs = {name.split("::")[0] for name in claims["offset"]}
    assert found.get("size") >= structs, found.get("size")


def every_field_is_held(declarations):
    found = declarations.every(r"^  (?!char reserved)[\w:]+ (\w+(?:\[\d+\])?;)", r"  wchar_t \1")
    assert found.get("field") == set(Proof().claims["field"]), found.get("field")


def every_name_is_held(declarations):
    found = declarations.every(r"^using (\w+) = .*;", r"using \1 = wchar_t**;")
    assert found.get("type") == set(Proof().claims["type"]), found.get("type")


def every_enumeration_is_held(declarations):
    found = declarations.every(r"^enum (\w+) : int", r"enum \1 : long long")
    enumerations = {name for name in Proof().claims["size"]} - {
        name.split("::")[0] for name in Proof().claims["offset"]}
    assert found.get("size", set()) >= enumerations, found


def one_value_of_another_enumeration_is_named(declarations):
    moved = "  hipErrorUnknown = 999,\n"
    start = "enum hipMemcpyKind : int {\n"
    found = declarations.differing(Declarations.TYPES,
                                   lambda text: text.replace(moved, "").replace(start, start + moved))
    assert found == {"enumeration": {"hipErrorUnknown"}}, found


def every_signature_is_held(declarations):
    found = declarations.every(r"(X\([\w ]+\*?, \w+,\s*\\?\s*\()(.)",
                               lambda one: one[1] + ("char more)" if one[2] == ")" else "char more, " + one[2]), Declarations.FUNCTIONS)
    assert found == {"signature": set(Proof().claims["signature"])}, found


def a_declaration_of_a_new_kind_is_an_error(declarations):
    try:
        declarations.one("struct ihipStream_t;", "struct ihipStream_t; int hipForgotten();")
    except ValueError as error:
        assert "hipForgotten" in str(error), error
        return
    raise AssertionError("a function in rocm_types.h went unnoticed")


def called(**environment):
    """This file in a process of its own, with these variables and no others of its kind."""
    other = {name: value for name, value in os.environ.items() if not name.startswith("HIPLAB_")}
    ended = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=False, timeout=300,
                           stdin=subprocess.DEVNULL, env=dict(other, **environment))
    assert ended.stderr == "", ended
    return ended.returncode, ended.stdout.splitlines()


def headers_that_differ_are_named(declarations):
    with tempfile.TemporaryDirectory() as folder:
        include = shutil.copytree(declarations.include, Path(folder) / "include")
        file = include / "hip" / "hip_runtime_api.h"
        text = file.read_text(encoding="utf-8")
        changed = re.sub(r"(hipErrorNotReady\s*=\s*)600", r"\g<1>611", text, count=1)
        assert changed != text
        file.write_text(changed, encoding="utf-8")
        status, said = called(HIPLAB_ROCM_INCLUDE=str(include))
    assert status == 1 and "differs: value of hipErrorNotReady" in said, said
    assert re.fullmatch(r"0 passed, 1 failed, \d+ skipped", said[-1]), said


def a_header_that_is_not_there_is_named_with_its_package(declarations):
    with tempfile.TemporaryDirectory() as folder:
        include = shutil.copytree(declarations.include, Path(folder) / "include")
        shutil.rmtree(include / "rocblas")
        status, said = called(HIPLAB_ROCM_INCLUDE=str(include))
    assert status == 1 and said[-1] == "0 passed, 1 failed", said
    assert "has no rocblas/rocblas.h; install librocblas-dev" in said[0] and len(said) == 2, said


def a_source_that_does_not_answer_is_told(_):
    status, said = called(HIPLAB_DEBIAN_SOURCE="file:/nowhere/debian")
    assert status == 0 and said[0].startswith("skipped, as ROCm's headers cannot be had: apt-get update: E: "), said
    assert re.fullmatch(r"0 passed, 0 failed, \d+ skipped", said[-1]) and len(said) == 2, said


def main():
    changes = [one_value_that_differs_is_named, one_offset_that_differs_is_named, one_signature_that_differs_is_named,
               one_overload_that_differs_is_named, every_value_is_held, every_offset_is_held,
               every_field_is_held, every_name_is_held, every_enumeration_is_held,
               one_value_of_another_enumeration_is_named, every_signature_is_held,
               a_declaration_of_a_new_kind_is_an_error, headers_that_differ_are_named,
               a_header_that_is_not_there_is_named_with_its_package, a_source_that_does_not_answer_is_told]
    tests = [declarations_are_those_of_the_headers, *changes]
    try:
        include, source = headers()
    except NoSource as reason:
        print(f"skipped, as ROCm's headers cannot be had: {' '.join(str(reason).split())}")
        print(f"0 passed, 0 failed, {len(tests)} skipped")
        return 0
    absent = missing(include)
    if absent:
        print(f"FAIL  the headers: {absent}")
        print("0 passed, 1 failed")
        return 1
    proof = Proof()
    claims = ", ".join(f"{len(names)} {kind}" for kind, names in proof.claims.items())
    failed, _ = proof.compile(include)
    print(f"against: {versions(include)}, from {source}")
    print(f"against: {claims}; {len(failed)} differ", flush=True)
    for kind, name in failed:
        print(f"differs: {kind} of {name}")
    if failed:
        # What a change does to the proof can be told only where it holds without one.
        return run_all(tests[:1], Declarations(include), skipped=len(changes))
    return run_all(tests, Declarations(include))


if __name__ == "__main__":
    sys.exit(main())
