#!/usr/bin/env python3
"""What a person sees in JupyterLab: a notebook run in headless Chromium, and one interrupted.

Needs Chromium and its driver, the packages in notebooks/requirements.txt, and the built jar.
Leaves build/jupyterlab.png. The last line is `N passed, N failed`.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import uuid
from pathlib import Path

import nbformat

from browser_tools import ROOT, Browser, Lab, browser, until
from notebook_tools import notebook_of, processes_with

QUICK = "01-quick-start.ipynb"
LONG = "interrupted.ipynb"
SCREENSHOT = ROOT / "build" / "jupyterlab.png"
RUNS = 500

# Nothing is imported: the kernel named hiplab has done so.
LONG_CELLS = (
    'device();',
    f'var stopped = Campaign.of("rocblas.first-gemm").forms("FIXED").ways("natural").runs({RUNS})'
    '\n    .out(OutFolder.fresh("interrupted")).listener(Progress.live()).run();',
    'System.out.println("kept " + stopped.records().size() + ", complete " + stopped.complete());',
)

# Colours of a picture, sampled: a blank one has a single one.
COLOURS = """
const image = arguments[0], canvas = document.createElement('canvas');
canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
const paint = canvas.getContext('2d');
paint.drawImage(image, 0, 0);
const pixels = paint.getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
for (let i = 0; i < pixels.length; i += 4)
  seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
return seen.size;
"""


class Page:
    """A notebook in JupyterLab."""

    def __init__(self, browser, lab, name):
        self.browser = browser
        # A workspace of its own, so that no tab of another notebook is open beside it.
        workspace = name.removesuffix(".ipynb")
        browser.driver.get(lab.url(f"lab/workspaces/{workspace}/tree/{name}", "&reset"))
        until("the notebook is open", lambda: self.script(
            "return document.querySelectorAll('.jp-Notebook .jp-CodeCell').length > 0"))
        # JupyterLab shows no status before the first cell, as it does not count kernel_info.
        until("its kernel is there", lambda: lab.connected(name), limit=90)

    def script(self, source, *arguments):
        return self.browser.script(source, *arguments)

    def menu(self, title, command):
        self.browser.click(".lm-MenuBar-item", title)
        self.browser.click(f'.lm-Menu-item[data-command="{command}"]')

    def stop(self):
        self.browser.click('.jp-NotebookPanel-toolbar [data-jp-item-name="interrupt"]'
                           ' :is(jp-button, button)')

    def prompts(self):
        return self.script("return [...document.querySelectorAll('.jp-Notebook .jp-CodeCell"
                           " .jp-InputArea-prompt')].map(each => each.textContent.trim())")

    def all_ran(self):
        return all(prompt.strip("[]:").isdigit() for prompt in self.prompts())

    def progress(self):
        """Values of the progress elements."""
        return self.script("return [...document.querySelectorAll("
                           "'.jp-OutputArea-output progress')].map(each => each.value)")

    def errors(self):
        return self.script(
            "return [...document.querySelectorAll('.jp-OutputArea-output[data-mime-type$=error],"
            ".jp-OutputArea-output[data-mime-type$=stderr]')].map(each => each.textContent)")

    def text(self):
        return self.script("return [...document.querySelectorAll('.jp-OutputArea-output')]"
                           ".map(each => each.textContent).join('\\n')")


def all_cells_run_and_the_progress_moves(state):
    shutil.copy(ROOT / "notebooks" / QUICK, state.lab.folder)
    notebook = nbformat.read(state.lab.folder / QUICK, as_version=4)
    for cell in notebook.cells:  # as a person finds it before a first run
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, state.lab.folder / QUICK)
    page = state.page = Page(state.browser, state.lab, QUICK)
    assert not page.progress()
    seen = {}  # progress element by place, and its values in the order in which they came

    def looked():
        for place, value in enumerate(page.progress()):
            if value not in seen.setdefault(place, [value]):
                seen[place].append(value)
        return page.all_ran()

    page.menu("Run", "runmenu:run-all")
    until("all cells have run", looked, limit=180, pause=0.05)
    print(f"progress seen: {seen}")
    moved = [values for values in seen.values() if len(values) >= 2]
    assert moved and all(values == sorted(values) for values in seen.values()), seen
    assert not page.errors(), page.errors()


def the_charts_are_visible_and_not_blank(state):
    page = state.page
    images = page.script("return [...document.querySelectorAll('.jp-OutputArea-output img')]")
    assert images
    for image in images:
        page.script("arguments[0].scrollIntoView({block: 'center'})", image)
        size = page.script("return [arguments[0].naturalWidth, arguments[0].naturalHeight]", image)
        assert image.is_displayed() and min(size) > 100, size
        assert page.script(COLOURS, image) > 20, size
        box = page.script("const box = arguments[0].getBoundingClientRect();"
                          "return [box.top, box.bottom, innerHeight]", image)
        assert 0 < box[0] < box[1] < box[2], f"not inside the window: {box}"
    page.script("arguments[0].scrollIntoView({block: 'center'})", images[0])
    time.sleep(0.5)  # the toolbar's busy circle settles
    SCREENSHOT.parent.mkdir(exist_ok=True)
    assert state.browser.driver.save_screenshot(str(SCREENSHOT))
    print(f"screenshot: {SCREENSHOT.relative_to(ROOT)}")


def the_stop_button_ends_a_campaign_and_keeps_what_was_done(state):
    notebook = notebook_of(*LONG_CELLS)
    notebook.metadata["kernelspec"] = {"name": "hiplab", "display_name": "hiplab (Java)",
                                       "language": "java"}
    nbformat.write(notebook, state.lab.folder / LONG)
    earlier = state.logs()
    page = Page(state.browser, state.lab, LONG)
    page.menu("Run", "runmenu:run")
    until("the first cell has run", lambda: page.prompts()[0] == "[1]:", limit=60)
    before = set(processes_with(state.lab.mark))
    page.menu("Run", "runmenu:run")
    until("some runs are done", lambda: max(page.progress(), default=0) >= 3, limit=60)
    assert set(processes_with(state.lab.mark)) - before, "no child runs"
    page.stop()
    begin = time.monotonic()
    until("the children are gone", lambda: not set(processes_with(state.lab.mark)) - before,
          limit=15, pause=0.02)
    gone = time.monotonic() - begin
    until("the cell has ended", lambda: page.prompts()[1] == "[2]:", limit=15)
    print(f"children gone {gone:.2f} s after the stop button, cell ended within"
          f" {time.monotonic() - begin:.2f} s")
    assert gone < 5, gone  # two seconds, and slack for a loaded machine

    page.menu("Run", "runmenu:run")
    until("the next cell answers", lambda: "kept " in page.text(), limit=30)
    kept = [json.loads(line) for log in state.logs() - earlier
            for line in log.read_text("utf-8").splitlines()]
    print(f"runs on disk: {len(kept)}")
    assert 3 <= len(kept) < RUNS, len(kept)
    assert f"kept {len(kept)}, complete false" in page.text(), page.text()


class State:
    def __init__(self, lab, chromium):
        self.lab, self.browser, self.page = lab, chromium, None

    def logs(self):
        """Logs of the campaigns so far; the launcher puts them beside the folder of notebooks."""
        return set((self.lab.folder.parent / "build" / "runs").glob("**/runs.jsonl"))


TESTS = (all_cells_run_and_the_progress_moves, the_charts_are_visible_and_not_blank,
         the_stop_button_ends_a_campaign_and_keeps_what_was_done)


def attempt(test, state):
    begin = time.monotonic()
    try:
        test(state)
    except Exception:  # a failed assertion, or what kept the test from asserting
        print(f"FAIL  {test.__name__}\n{traceback.format_exc()}", flush=True)
        state.browser.driver.save_screenshot(str(ROOT / "build" / f"{test.__name__}.png"))
        return False
    print(f"ok    {test.__name__} ({time.monotonic() - begin:.0f} s)", flush=True)
    return True


def main():
    if not browser():
        print("there is no chromium with a chromedriver: install chromium and chromium-driver\n"
              "0 passed, 1 failed")
        return 1
    # So that the time in which JupyterLab must answer is not spent on a build.
    subprocess.run([ROOT / "hiplab", "build"], check=True, stdin=subprocess.DEVNULL)
    mark = uuid.uuid4().hex
    passed = 0
    with tempfile.TemporaryDirectory(prefix="hiplab-browser-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            with Browser(folder) as chromium, Lab(folder, mark) as lab:
                state = State(lab, chromium)
                passed = sum(attempt(test, state) for test in TESTS)
        except Exception:  # neither browser nor JupyterLab may keep the last line from being told
            print(f"FAIL  setting up\n{traceback.format_exc()}", flush=True)
        left = processes_with(mark)
    failed = len(TESTS) - passed + bool(left)
    if left:
        print(f"FAIL  processes left: {left}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
