#!/usr/bin/env python3
"""The doors of the toolkit on every JDK that is installed: command line, jshell, Jupyter's kernel.

Needs the packages in notebooks/requirements.txt and the built jar (HIPLAB_JAR names another).
Nothing may be on standard error but what is said here. The last line is `N passed, N failed`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from notebook_tools import HtmlTable, Kernel
from png import colours

ROOT = Path(__file__).resolve().parent.parent
JAR = Path(os.environ.get("HIPLAB_JAR", ROOT / "toolkit" / "target" / "toolkit.jar")).resolve()
VENV = Path(sys.prefix)
OLDEST = 17
NATIVE_ACCESS_WARNS = 24  # JEP 472

SESSION = """
import static dev.hiplab.Lab.*;
import dev.hiplab.*;
import dev.hiplab.race.*;
import dev.hiplab.report.*;
var d = device();
System.out.println("device " + d);
var s = d.stream();
var a = matrix(new float[][] {{1, 2}, {3, 4}});
var c = s.matmul(a, a);
System.out.println("gemm " + Arrays.toString(c.floats()));
show(heuristics(Gemm.NT, bf16, 64, 64, 64));
show(WorkspacePlot.of(heuristics(Gemm.NT, bf16, 64, 64, 64)));
var result = reproduce("rocblas.first-gemm", 1);
show(result);
System.out.println("complete " + result.complete());
import org.bytedeco.javacpp.IntPointer;
var n = new IntPointer(1);
System.out.println("raw " + dev.hiplab.rocm.Hip.hipGetDeviceCount(n) + " " + n.get());
/exit
"""


class Jdk:
    """A JDK, and an environment in which its java is the one on PATH."""

    def __init__(self, home, major):
        self.home, self.major = home, major

    def environment(self, folder):
        other = {key: value for key, value in os.environ.items()
                 if key not in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "HIPLAB_DRIVER")}
        return dict(other, JAVA_HOME=str(self.home), HIPLAB_OUT=str(folder / "out"),
                    PATH=f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}")

    def call(self, folder, tool, *arguments):
        return subprocess.run([self.home / "bin" / tool, *map(str, arguments)], cwd=folder,
                              env=self.environment(folder), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)

    def quiet(self, folder, tool, *arguments):
        """Its output; it must end well and say nothing on standard error."""
        ended = self.call(folder, tool, *arguments)
        assert ended.returncode == 0 and ended.stderr == "", ended
        return ended.stdout


def major_of(home):
    try:
        said = subprocess.run([home / "bin" / "javac", "-version"], capture_output=True, text=True,
                              timeout=60, check=False)
    except OSError:
        return 0
    found = re.search(r"^javac (\d+)", said.stdout + said.stderr, re.M)
    return int(found.group(1)) if found else 0


def installed():
    """One JDK of each major version: JAVA_HOME's, the one on PATH, then any in /usr/lib/jvm."""
    places = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if javac := shutil.which("javac"):
        places.append(Path(javac).resolve().parent.parent)
    places += sorted(Path("/usr/lib/jvm").glob("*"))
    found = {}
    for home in places:
        major = major_of(home)
        if major >= OLDEST:
            found.setdefault(major, Jdk(home.resolve(), major))
    return [found[major] for major in sorted(found)]


def plots(text):
    return [Path(path) for path in re.findall(r"^plot: (.*\.png)$", text, re.M)]


def devices(jdk, folder):
    said = jdk.quiet(folder, "java", "-jar", JAR, "devices")
    assert re.search(r"^driver host: usable", said, re.M), said


def doctor(jdk, folder):
    """From a folder that cannot be written, as an installed jar's."""
    installed_jar = folder / "installed" / "toolkit.jar"
    installed_jar.parent.mkdir()
    shutil.copy(JAR, installed_jar)
    installed_jar.parent.chmod(0o555)
    said = jdk.quiet(installed_jar.parent, "java", "-jar", "toolkit.jar", "doctor")
    installed_jar.parent.chmod(0o755)
    assert said.startswith("host: ") or said.startswith("rocm: "), said
    assert re.search(rf"^  OK       Java {jdk.major}\b", said, re.M), said
    assert re.search(r"^  OK       a GEMM on the software device is right$", said, re.M), said
    assert re.search(r"^(no trouble|\d+ troubles?); hiplab runs on ", said.splitlines()[-1]), said


def reproduce(jdk, folder):
    said = jdk.quiet(folder, "java", "-jar", JAR, "reproduce", "rocblas.first-gemm", "--runs", 1,
                     "--way", "natural", "--out", folder / "campaign")
    assert "FILED" in said and "FIXED" in said and "EXACT" in said, said
    assert len((folder / "campaign" / "runs.jsonl").read_text("utf-8").splitlines()) == 3
    said = jdk.quiet(folder, "java", "-jar", JAR, "report", folder / "campaign")
    assert re.search(r"^wrote .*\.png$", said, re.M), said


def jshell(jdk, folder):
    script = folder / "session.jsh"
    script.write_text(SESSION, encoding="utf-8")
    flags = ["-R--enable-native-access=ALL-UNNAMED"] if jdk.major >= NATIVE_ACCESS_WARNS else []
    said = jdk.quiet(folder, "jshell", *flags, "--class-path", JAR, script)
    assert not re.search(r"^\| +(Error|Exception|Warning)", said, re.M), said
    assert "device Device 0" in said and "gemm [7.0, 10.0, 15.0, 22.0]" in said, said
    assert "complete true" in said and "rocblas.first-gemm" in said, said
    assert re.search(r"^raw 0 [1-9]", said, re.M), said
    drawn = plots(said)
    assert len(drawn) >= 2, said
    for picture in drawn:
        assert len(colours(picture.read_bytes())[2]) > 20, picture


def kernel(jdk, folder):
    """The kernel that the verb sets up: jar, imports and flags are there without a word of ours."""
    prefix = folder / "pre fix"
    base = VENV / "share" / "jupyter" / "kernels" / "java"
    said = jdk.quiet(folder, "java", "-jar", JAR, "kernel", "--prefix", prefix, "--java", base)
    kernels = prefix / "share" / "jupyter" / "kernels"
    lines = said.splitlines()
    assert lines[0] == f"found JJava: kernel java in {base.parent}", said
    assert lines[1].startswith(f"wrote {kernels / 'hiplab' / 'kernel.json'}"), said
    with Kernel(folder, jdk.environment(folder), "hiplab", kernels) as cells:
        java = cells.result('Runtime.version().feature() + ", " + System.getProperty("java.awt.headless")')
        assert java["text/plain"] == f"{jdk.major}, true", java
        # Before anything of hiplab is called.
        table = cells.result('tech.tablesaw.api.Table.create("t")')
        assert table["text/html"].startswith("<table"), table
        chart = cells.result('WorkspacePlot.of(List.of(new Candidate("f32 8x8x8 NN", 0, 4096, 1, -1, "")))')
        assert "image/png" in chart, chart.keys()
        assert HtmlTable(cells.result("device()")["text/html"]).rows
        gemm = cells.result("var a = matrix(new float[][] {{1, 2}, {3, 4}});"
                            "Arrays.toString(device().stream().matmul(a, a).floats())")
        assert gemm["text/plain"] == "[7.0, 10.0, 15.0, 22.0]", gemm
        ran = cells.run('var result = reproduce("rocblas.first-gemm", 1); show(result);')
        shown = [content["data"] for kind, content in ran if kind == "display_data"]
        assert sum("image/png" in each for each in shown) == 2, [each.keys() for each in shown]
        said_to = [content for kind, content in ran if kind == "stream" and content["name"] == "stderr"]
        assert not said_to and not [kind for kind, _ in ran if kind == "error"], ran
    # What the process itself printed: JJava's log of what it does, and what the backend found once.
    log = (folder / "kernel.log").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"\[I \d|\[hipBLASLt caps\] ", line) for line in log), log
    removing = jdk.quiet(folder, "java", "-jar", JAR, "kernel", "--prefix", prefix, "--remove")
    assert removing == f"removed {kernels / 'hiplab'}\n" and not list(kernels.iterdir()), removing


def attempt(test, jdk):
    begin = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="hiplab-jdks-") as name:
            test(jdk, Path(name).resolve())
    except Exception:  # a failed assertion, or what kept the test from asserting
        print(f"FAIL  {test.__name__} on JDK {jdk.major}\n{traceback.format_exc()}", flush=True)
        return False
    print(f"ok    {test.__name__} on JDK {jdk.major} ({time.monotonic() - begin:.0f} s)", flush=True)
    return True


def main():
    jdks = installed()
    for jdk in jdks:
        print(f"JDK {jdk.major}: {jdk.home}")
    print(f"{len(jdks)} JDKs from {OLDEST} on are installed; those are what is tested", flush=True)
    results = [attempt(test, jdk) for jdk in jdks for test in (devices, doctor, reproduce, jshell, kernel)]
    passed = sum(results)
    failed = len(results) - passed if jdks else 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
