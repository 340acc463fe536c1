"""The launcher from outside: what a person types wrong, and two calls at once."""

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

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


def demo_test_and_build_take_no_arguments():
    for verb in ("demo", "test", "build"):
        ended = call(verb, "--fast")
        assert ended.returncode == 1 and f"{verb} takes no arguments, not --fast" in ended.stderr, ended


def help_names_every_verb():
    ended = call("help")
    assert ended.returncode == 0, ended
    for verb in ("demo", "test", "notebook", "shell", "build", "reproduce"):
        assert verb in ended.stdout, ended


def a_built_toolkit_answers_while_another_call_holds_the_checkout():
    with open(ROOT / "build" / "lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ended = call("list", timeout=60)
    assert ended.returncode == 0 and "rocblas.first-gemm" in ended.stdout, ended


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


def main():
    tests = [a_misspelt_verb_is_told_before_anything_is_installed,
             demo_test_and_build_take_no_arguments, help_names_every_verb,
             a_built_toolkit_answers_while_another_call_holds_the_checkout,
             a_call_that_waits_says_so]
    failed = 0
    for test in tests:
        begun = time.monotonic()
        try:
            test()
            print(f"ok    {test.__name__} {time.monotonic() - begun:.1f} s", flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as wrong:
            failed += 1
            print(f"FAIL  {test.__name__}: {wrong}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
