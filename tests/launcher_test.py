"""The launcher from outside: what a person types wrong, two calls at once, what a build tells."""

import fcntl
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from test_run import run_all

ROOT = Path(__file__).resolve().parent.parent
LAUNCHER = ROOT / "hiplab"


def call(*arguments, timeout=20):
    return subprocess.run([LAUNCHER, *arguments], capture_output=True, text=True, timeout=timeout,
                          cwd="/", stdin=subprocess.DEVNULL)


def a_misspelt_verb_is_told_before_anything_is_installed():
    ended = call("reprodcue", "2198")
    assert ended.returncode == 1, ended
    assert "there is no verb reprodcue" in ended.stderr and "reproduce" in ended.stderr, ended
    assert len(ended.stderr.splitlines()) == 1, ended


def demo_test_and_build_take_no_other_arguments():
    for verb, takes in (("demo", "takes no arguments"), ("test", "takes --rocm or nothing"),
                        ("build", "takes no arguments")):
        ended = call(verb, "--fast")
        assert ended.returncode == 1 and f"{verb} {takes}, not --fast" in ended.stderr, ended


def help_names_every_verb():
    ended = call("help")
    assert ended.returncode == 0, ended
    for verb in ("demo", "test", "notebook", "shell", "build", "reproduce", "survey", "tune", "doctor", "kernel"):
        assert verb in ended.stdout, ended


def a_built_toolkit_answers_while_another_call_holds_the_checkout():
    with open(ROOT / "build" / "lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ended = call("list", timeout=60)
    assert ended.returncode == 0 and "rocblas.first-gemm" in ended.stdout, ended


def ending_the_launcher_ends_what_it_runs():
    with tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen([LAUNCHER, "reproduce", "rocblas.first-gemm", "--runs", "500", "--out", folder + "/runs"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              stdin=subprocess.DEVNULL) as running:
            try:
                first = running.stdout.readline()
                name = Path(f"/proc/{running.pid}/comm").read_text(encoding="utf-8").strip()
            finally:
                running.terminate()
            assert "host" in first or "rocm" in first, first
            assert name == "java", name
            running.stdout.read()  # ends when nobody has it open any more
            assert running.wait(60) != 0


def a_call_that_waits_says_so():
    with open(ROOT / "build" / "lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with subprocess.Popen([LAUNCHER, "demo"], stderr=subprocess.PIPE, text=True,
                              start_new_session=True, stdin=subprocess.DEVNULL) as waiting:
            try:
                line = waiting.stderr.readline()
            finally:
                os.killpg(waiting.pid, 15)
    assert "waiting for another hiplab" in line, line


class Checkout:
    """A checkout of nothing but the launcher, on a machine whose Maven and Java only pretend."""

    MAVEN = r"""#!/bin/sh
line() { echo "[INFO] --- $1 @ $2 ---"; }
line "exec-maven-plugin:3.5.0:exec (cmake)" hiplab-native
printf '[INFO] --- javacpp:1.5.13:parse (def'
sleep 1.3
echo 'ault) @ hiplab-native ---'
line "maven-compiler-plugin:3.13.0:compile (preset)" hiplab-native
echo "[ERROR] something the compiler said"
line "compiler:3.13.0:compile (default-compile)" hiplab-toolkit
line "shade:3.6.0:shade (default)" hiplab-toolkit
mkdir -p "$ROOT/toolkit/target" && echo jar >"$ROOT/toolkit/target/toolkit.jar"
exit ${MAVEN_ENDS_WITH:-0}
"""

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hiplab-launcher-"))
        shutil.copy(LAUNCHER, self.folder)
        for name in ("pom.xml", "LICENSE", "native/source", "toolkit/source"):
            file = self.folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(name, encoding="utf-8")
        # All that the launcher looks for, so that it installs nothing.
        tools = {name: "#!/bin/sh\n" for name in ("g++", "cmake", "make", "java")}
        tools["mvn"] = self.MAVEN
        tools["javac"] = "#!/bin/sh\necho javac 17.0.1\n"
        tools["fc-list"] = "#!/bin/sh\necho a font\n"
        (self.folder / "bin").mkdir()
        for name, text in tools.items():
            file = self.folder / "bin" / name
            file.write_text(text, encoding="utf-8")
            file.chmod(0o755)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def environment(self, **more):
        return dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", ROOT=str(self.folder),
                    JAVA_HOME=str(self.folder), HIPLAB_JUPYTER="no", **more)

    def call(self, verb, **more):
        return subprocess.run([self.folder / "hiplab", verb], capture_output=True, text=True,
                              timeout=60, stdin=subprocess.DEVNULL, env=self.environment(**more))

    def on_a_terminal(self, verb):
        """What a terminal is given."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([self.folder / "hiplab", verb], stdin=subprocess.DEVNULL,
                              stdout=theirs, stderr=theirs, env=self.environment()) as called:
            os.close(theirs)
            told = b""
            try:
                while piece := os.read(ours, 4096):
                    told += piece
            except OSError:  # how Linux says that the other side is closed
                pass
            os.close(ours)
        assert called.returncode == 0, told
        return told.decode()


STEPS = ["1 of 5: what Maven needs", "2 of 5: the C++ backend", "3 of 5: the Java bindings",
         "4 of 5: the toolkit", "5 of 5: toolkit.jar"]


def a_build_tells_its_steps_a_line_each():
    with Checkout() as checkout:
        ended = checkout.call("build")
        assert ended.returncode == 0, ended
        told = re.findall(r"^hiplab: step (.*), after \d+ s$", ended.stderr, re.M)
        # The first is over before it is told where Maven begins at once.
        assert told[told[0] == STEPS[0]:] == STEPS[1:], ended.stderr
        assert "\n[ERROR] something the compiler said\n" in ended.stderr, ended.stderr
        assert "[INFO]" not in ended.stderr and "\r" not in ended.stderr, ended.stderr
        again = checkout.call("build")
        assert again.returncode == 0 and again.stderr == "", again


def a_build_on_a_terminal_shows_the_time_in_one_line():
    with Checkout() as checkout:
        told = checkout.on_a_terminal("build")
    drawn = [piece.rstrip() for piece in told.split("\r")]
    seconds = {line.split(", ")[1] for line in drawn if STEPS[1] in line}
    assert len(seconds) >= 2, told  # it went on while nothing was said
    assert "\n[ERROR] something" in told.replace("\r", "\n") and "[INFO]" not in told, told


def a_build_that_fails_says_so_and_is_built_again():
    with Checkout() as checkout:
        ended = checkout.call("build", MAVEN_ENDS_WITH="1")
        assert ended.returncode == 1 and "the build failed" in ended.stderr, ended
        assert STEPS[1] in checkout.call("build").stderr


def a_second_demo_begins_without_the_first():
    with Checkout() as checkout:
        assert "removing" not in checkout.call("demo").stderr
        old = checkout.folder / "build" / "demo" / "hiplab-runs" / "old" / "runs.jsonl"
        old.parent.mkdir(parents=True)
        old.write_text("{}\n", encoding="utf-8")
        ended = checkout.call("demo")
        assert "removing what the last demo left in build/demo" in ended.stderr, ended
        assert not old.exists() and (checkout.folder / "build" / "demo").is_dir(), ended


def main():
    tests = [a_misspelt_verb_is_told_before_anything_is_installed, ending_the_launcher_ends_what_it_runs,
             demo_test_and_build_take_no_other_arguments, help_names_every_verb,
             a_built_toolkit_answers_while_another_call_holds_the_checkout,
             a_call_that_waits_says_so, a_build_tells_its_steps_a_line_each,
             a_build_on_a_terminal_shows_the_time_in_one_line,
             a_build_that_fails_says_so_and_is_built_again, a_second_demo_begins_without_the_first]
    return run_all(tests)


if __name__ == "__main__":
    sys.exit(main())
