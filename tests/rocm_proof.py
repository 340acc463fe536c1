#!/usr/bin/env python3
"""Writes and compiles the proof that hiplab's declarations of ROCm are those of ROCm's own headers.

    rocm_proof.py INCLUDE_DIRECTORY [FILE]

Every declaration of native/driver/rocm_types.h and every function of native/driver/table.h gets its
static_assert: values, sizes, offsets and types of fields, what a name stands for, signatures. The
declarations are read with libclang, so that none can be forgotten; one of a kind that is not known
here is an error. FILE keeps the proof. Needs the packages in notebooks/requirements.txt and a g++.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from clang.cindex import CursorKind, Diagnostic, Index

NATIVE = Path(__file__).resolve().parent.parent / "native"
HEADERS = ("hip/hip_runtime_api.h", "hip/hiprtc.h", "rocblas/rocblas.h", "hipblaslt/hipblaslt.h",
           "hip/hip_version.h", "hipblaslt/hipblaslt-version.h")
# What has them, of Debian and of AMD.
PACKAGES = {"hip": "libamdhip64-dev, or hip-dev of AMD", "rocblas": "librocblas-dev, or rocblas-dev of AMD",
            "hipblaslt": "libhipblaslt-dev and libhipblas-common-dev, or hipblaslt-dev and hipblas-common-dev of AMD"}
# Templates over the C functions would make their names ambiguous.
# NDEBUG as the product is built.
FLAGS = ("-std=c++20", "-w", "-DNDEBUG", "-fmax-errors=0", "-D__HIP_PLATFORM_AMD__", "-D__HIP_DISABLE_CPP_FUNCTIONS__")
OURS = "hiplab::rocm::"
SPACE = re.compile(r"reserved\d+$")  # what hipDeviceProp_t holds between the fields in use

# How a type of ours reads in ROCm's names.
MAPPING = """
template <typename T> struct Real { using type = T; };
template <typename T> using real = typename Real<T>::type;
template <typename T> struct Real<const T> { using type = const real<T>; };
template <typename T> struct Real<T*> { using type = real<T>*; };
template <typename T, std::size_t n> struct Real<T[n]> { using type = real<T>[n]; };
template <typename R, typename... A> struct Real<R(A...)> { using type = real<R>(real<A>...); };
"""


class Proof:
    """The text of the proof and what it asserts: {"value": [names], "offset": [...], ...}."""

    def __init__(self, native=NATIVE):
        self.native = native
        self.claims = {}
        self._captured = []  # before ROCm's headers, some of whose macros bear our constants' names
        self._mapped = []
        self._asserts = []
        for node in self._namespace("driver/rocm_types.h", "rocm"):
            self._declared(node)
        for node in self._namespace("driver/table.h", "driver"):
            if node.kind == CursorKind.STRUCT_DECL and node.spelling == "Table":
                for member in node.get_children():
                    self._function(member.spelling)

    def _namespace(self, header, name):
        builtin = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True,
                                 check=True).stdout.strip()
        unit = Index.create().parse("all.cpp", args=["-std=c++20", "-DNDEBUG", f"-I{self.native}", f"-isystem{builtin}"],
                                    unsaved_files=[("all.cpp", f'#include "{header}"\n')])
        errors = [str(said) for said in unit.diagnostics if said.severity >= Diagnostic.Error]
        if errors:
            raise ValueError(f"libclang cannot read {header}: {errors[0]}")
        for outer in unit.cursor.get_children():
            if outer.kind == CursorKind.NAMESPACE and outer.spelling == "hiplab":
                for inner in outer.get_children():
                    if inner.kind == CursorKind.NAMESPACE and inner.spelling == name:
                        yield from inner.get_children()

    def _claim(self, kind, name, condition):
        self.claims.setdefault(kind, []).append(name)
        self._asserts.append(f'static_assert({condition}, "{kind} {name}");')

    def _declared(self, node):
        name = node.spelling
        if node.kind == CursorKind.ENUM_DECL and node.is_anonymous():  # ROCm has macros for these
            for value in node.get_children():
                self._value(value.spelling)
        elif node.kind == CursorKind.ENUM_DECL:
            self._map(name)
            self._claim("size", name, f"sizeof({OURS}{name}) == sizeof(::{name})")
            for value in node.get_children():
                self._value(value.spelling)
                self._claim("enumeration", value.spelling, f"std::is_same_v<decltype({value.spelling}), ::{name}>")
        elif node.kind == CursorKind.VAR_DECL:
            self._value(name)
        elif node.kind == CursorKind.STRUCT_DECL:
            self._map(name)
            if node.is_definition():
                self._struct(node)
        elif node.kind == CursorKind.TYPE_ALIAS_DECL:
            self._claim("type", name, f"std::is_same_v<real<{OURS}{name}>, ::{name}>")
        elif node.kind != CursorKind.STATIC_ASSERT:
            raise ValueError(f"rocm_types.h declares {name} ({node.kind.name}), which no proof knows")

    def _map(self, name):
        self._mapped.append(f"template <> struct Real<{OURS}{name}> {{ using type = ::{name}; }};")

    def _value(self, name):
        self._captured.append(f"constexpr long long {name}_ = static_cast<long long>({OURS}{name});")
        self._claim("value", name, f"ours::{name}_ == static_cast<long long>({name})")

    def _struct(self, node):
        name = node.spelling
        self._claim("size", name, f"sizeof({OURS}{name}) == sizeof(::{name})")
        self._claim("alignment", name, f"alignof({OURS}{name}) == alignof(::{name})")
        for field in node.get_children():
            if field.kind != CursorKind.FIELD_DECL or SPACE.match(field.spelling):
                continue
            place = f"{name}, {field.spelling}"
            member = f"{name}::{field.spelling}"
            self._claim("offset", member, f"offsetof({OURS}{place}) == offsetof(::{place})")
            self._claim("field", member, f"std::is_same_v<real<decltype({OURS}{member})>, decltype(::{member})>")

    def _function(self, name):
        # A name may have other overloads in C++; the cast finds the one that is exactly ours.
        self._mapped.append(f"template <typename F> concept is_{name} = requires {{ static_cast<F*>(&::{name}); }};")
        ours = f"real<std::remove_pointer_t<decltype(hiplab::driver::Table::{name})>>"
        self._claim("signature", name, f"is_{name}<{ours}>")

    def text(self):
        rocm = "\n".join(f"#include <{header}>" for header in HEADERS)
        return "\n".join([
            "// Made by tests/rocm_proof.py: hiplab's declarations against ROCm's headers.",
            "#include <cstddef>", "#include <type_traits>", '#include "driver/table.h"',
            "namespace ours {", *self._captured, "}", rocm, MAPPING, *self._mapped, *self._asserts, ""])

    def compile(self, include, keep=None):
        """The claims that do not hold, as (kind, name) in order, and the compiler's other errors."""
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(keep or Path(scratch) / "proof.cpp")
            file.write_text(self.text(), encoding="utf-8")
            ended = subprocess.run(["g++", *FLAGS, f"-I{self.native}", f"-isystem{include}", "-fsyntax-only", file],
                                   capture_output=True, text=True, check=False,
                                   env=environment())
        errors = re.findall(r"error: (.*)", ended.stderr)
        wrong = [re.fullmatch(r"static assertion failed: (\w+) (\S+)", error) for error in errors]
        failed = [match.groups() for match in wrong if match]
        other = [error for error, match in zip(errors, wrong) if not match]
        if ended.returncode != 0 and not errors:
            other.append(ended.stderr[-500:])
        return failed, other


def environment():
    """Without the variables that give g++ other folders, whose headers would then stand in."""
    folders = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
    return dict({name: value for name, value in os.environ.items() if name not in folders}, LC_ALL="C")


def missing(include):
    """What keeps the headers of the folder from being compiled, and what brings them; else empty."""
    absent = [header for header in HEADERS if not (Path(include) / header).is_file()]
    if absent:
        return f"{include} has no {absent[0]}; install {PACKAGES[absent[0].split('/')[0]]}"
    ended = subprocess.run(["g++", *FLAGS, f"-isystem{include}", "-fsyntax-only", "-H", "-xc++", "-"], text=True,
                           input="".join(f"#include <{header}>\n" for header in HEADERS), capture_output=True,
                           check=False, env=environment())
    if ended.returncode != 0:
        errors = [line for line in ended.stderr.splitlines() if "error:" in line] or ended.stderr.splitlines()
        return f"they do not compile: {errors[0]}"
    # -H tells each file that is read; one of ROCm's from elsewhere would be another release's.
    read = [Path(line.lstrip(".").strip()) for line in ended.stderr.splitlines() if re.match(r"\.+ ", line)]
    foreign = [file for file in read if re.search(r"/(hip|rocblas|hipblas\w*|hipblas-common)/", str(file))
               and not file.resolve().is_relative_to(Path(include).resolve())]
    return f"{foreign[0]} would be read, which is not below {include}" if foreign else ""


def versions(include):
    """What the headers say of themselves, in one line."""
    program = "\n".join(f"#include <{header}>" for header in HEADERS) + \
        "\nhip HIP_VERSION_MAJOR HIP_VERSION_MINOR HIP_VERSION_PATCH" \
        "\nrocblas ROCBLAS_VERSION_MAJOR ROCBLAS_VERSION_MINOR ROCBLAS_VERSION_PATCH" \
        "\nhipblaslt HIPBLASLT_VERSION_MAJOR HIPBLASLT_VERSION_MINOR HIPBLASLT_VERSION_PATCH\n"
    ended = subprocess.run(["g++", *FLAGS, f"-isystem{include}", "-E", "-P", "-xc++", "-"], input=program,
                           capture_output=True, text=True, check=True, env=environment())
    found = re.findall(r"^(hip|rocblas|hipblaslt) (\d+) (\d+) (\d+)$", ended.stdout, re.M)
    return ", ".join(f"{name} {'.'.join(numbers)}" for name, *numbers in found)


def main(include, keep=None):
    absent = missing(include)
    if absent:
        print(f"the headers: {absent}", file=sys.stderr)
        return 2
    proof = Proof()
    failed, other = proof.compile(include, keep)
    for kind, name in failed:
        print(f"differs: {kind} of {name}")
    for error in other:
        print(f"error: {error}")
    claims = ", ".join(f"{len(names)} {kind}" for kind, names in proof.claims.items())
    print(f"{claims}: {len(failed)} differ from {include} ({versions(include)})")
    return 1 if failed or other else 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
