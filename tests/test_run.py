"""Runs the tests of a file one by one; the last line is what the launcher counts."""

import time
import traceback


def run_all(tests, *given, skipped=0):
    """Calls each test with what is given. 1 when one failed, else 0. skipped: tests that are left out."""
    failed = 0
    for test in tests:
        begun = time.monotonic()
        try:
            test(*given)
            print(f"ok    {test.__name__} {time.monotonic() - begun:.1f} s", flush=True)
        except Exception:  # a failed assertion, or what kept the test from asserting
            failed += 1
            print(f"FAIL  {test.__name__}\n{traceback.format_exc()}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0
