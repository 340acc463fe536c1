#!/usr/bin/env python3
"""Executes the notebooks with the real JJava kernel, and checks what a reader would see.

Needs the packages in notebooks/requirements.txt and the built jar. HIPLAB_JAR names another jar.
The last line is `N passed, N failed`.
"""

import base64
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import uuid
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager

from notebook_tools import HtmlTable, Kernel, data, notebook_of, outputs, processes_with, texts
from png import colours

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
JAR = Path(os.environ.get("HIPLAB_JAR", ROOT / "toolkit" / "target" / "toolkit.jar"))
QUICK = "01-quick-start"
FINDING = "2200-hipblaslt-gemm-state"

sys.path.insert(0, str(NOTEBOOKS))
import execute  # noqa: E402  (the script under test, for its kernel environment)


# ---- helpers ------------------------------------------------------------------------------------

def execute_py(out, *notebooks, **variables):
    """Runs execute.py from a folder that has nothing to do with the checkout."""
    command = [sys.executable, str(NOTEBOOKS / "execute.py"), "--jar", str(JAR), "--out", str(out)]
    return subprocess.run(command + [str(n) for n in notebooks], cwd=tempfile.gettempdir(),
                          env={**os.environ, **variables}, capture_output=True, text=True,
                          timeout=900, check=False)


# Show.install() stands for the first call of Lab or of a table, which does the same.
IMPORTS = "import static dev.hiplab.Lab.*; import dev.hiplab.*; import dev.hiplab.race.*; " \
          "import dev.hiplab.report.*; Show.install();"


def has_marks(seen):
    """Whether a picture holds more than axes and texts, which are black and grey on white: dots and
    boxes in colours, however few runs they stand for, or bars, some of which are grey."""
    total = sum(seen.values())
    coloured = sum(count for colour, count in seen.items()
                   if max(channels := colour.to_bytes(3, "big")) - min(channels) > 40)
    return coloured >= 150 or seen[0xFFFFFF] / total < 0.8


# ---- the notebooks ------------------------------------------------------------------------------

class Executed:
    """Every notebook, executed once for all tests, two at a time, each into a folder of its own."""

    def __init__(self, folder):
        self.folder = folder / "out"
        self.names = sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb"))
        with ThreadPoolExecutor(2) as pool:
            runs = pool.map(lambda name: execute_py(self.out(name), NOTEBOOKS / f"{name}.ipynb"),
                            self.names)
            self.ended = dict(zip(self.names, runs))

    def out(self, name):
        return self.folder / name

    def notebook(self, name):
        return nbformat.read(self.out(name) / f"{name}.ipynb", as_version=4)

    def runs(self, name):
        with open(self.out(name) / "runs.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def findings(self):
        """Those about one finding; the others begin with a number of two digits."""
        return [name for name in self.names if not name.startswith("0")]


def test_every_notebook_executes_without_error(executed):
    assert len(executed.names) == 9, executed.names
    for name, ended in executed.ended.items():
        assert ended.returncode == 0, ended.stdout + ended.stderr
        errors = [o.evalue for o in outputs(executed.notebook(name)) if o.output_type == "error"]
        assert not errors, errors
        noise = [o.text for o in outputs(executed.notebook(name))
                 if o.output_type == "stream" and o.name == "stderr"]
        assert not noise, (name, noise)


def test_the_committed_notebooks_have_outputs_and_the_same_cells(executed):
    for name in executed.names:
        committed = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
        assert [c.source for c in committed.cells] == [c.source for c in executed.notebook(name).cells]
        assert data(committed, "image/png") and data(committed, "text/html"), name
        assert not [o for o in outputs(committed) if o.output_type == "error"], name
        for cell in committed.cells:
            if cell.cell_type == "code":
                assert cell.execution_count, f"{name}: a cell that was not executed: {cell.source}"


def test_pictures_are_there_and_not_blank(executed):
    for name in executed.names:
        pictures = data(executed.notebook(name), "image/png")
        assert len(pictures) >= 2, (name, len(pictures))
        for picture in pictures:
            width, height, seen = colours(base64.b64decode(picture))
            assert width == 900 and 150 <= height <= 2500, (name, width, height)
            assert len(seen) > 20, f"{name}: a picture of {len(seen)} colours"
            assert has_marks(seen), f"{name}: a picture of axes and texts alone"
        files = list((executed.out(name) / "outputs").glob(f"{name}-*.png"))
        assert len(files) == len(pictures)


def test_outcomes_are_painted_in_their_colours(executed):
    """The second picture of the quick start: outcomes, cell for cell."""
    palette = {"EXACT": 0x009E73, "WRONG_RESULT": 0xD55E00}
    runs = [r for r in executed.runs(QUICK) if r["scenario"] == "rocblas.first-gemm"]
    counts = Counter(r["outcome"] for r in runs)
    seen = colours(base64.b64decode(data(executed.notebook(QUICK), "image/png")[1]))[2]
    area = sum(seen[palette[o]] for o in palette)
    for outcome, colour in palette.items():
        share = counts[outcome] / sum(counts[o] for o in palette)
        assert abs(seen[colour] / area - share) < 0.03, (outcome, counts, seen[colour] / area)


def test_tables_are_html(executed):
    for name in executed.names:
        assert any("<table" in html for html in data(executed.notebook(name), "text/html")), name
    rows = HtmlTable(data(executed.notebook(FINDING), "text/html")[-1]).rows
    assert rows[0][:5] == ["scenario", "profile", "form", "way", "runs"], rows[0]


def test_the_last_table_agrees_with_the_runs_on_disk(executed):
    """Each finding closes with a summary of all its runs, but those that were only traced."""
    for name in executed.findings():
        rows = HtmlTable(data(executed.notebook(name), "text/html")[-1]).rows
        of_disk = Counter((r["scenario"], r["profile"], r["form"], r["way"], r["outcome"])
                          for r in executed.runs(name) if "--trace" not in r["command"])
        of_table = Counter()
        for row in rows[1:]:
            for outcome, count in zip(rows[0][5:], row[5:]):
                if outcome.isupper() and count != "0":
                    of_table[(*row[:4], outcome)] = int(count)
        assert of_table == of_disk, (name, of_table - of_disk, of_disk - of_table)


CONCLUSION = re.compile(r"^(\S+) on (\S+): (.*?)\.? (Failed|Runs): (.*)\.$", re.M)


def counted(runs):
    """What a conclusion must say of runs of one scenario and profile: ways, forms, counts."""
    ways = {}
    for r in runs:
        ways.setdefault(r["way"], {}).setdefault(r["form"], []).append(r["outcome"])
    parts = []
    for way, forms in ways.items():
        told = []
        for form, outcomes in forms.items():
            absent, excluded = outcomes.count("NOT_APPLICABLE"), outcomes.count("EXCLUDED")
            failed = sum(outcome not in PASSES for outcome in outcomes)
            if absent == len(outcomes):
                told.append(f"{form} not applicable in {absent}")
                continue
            notes = [f"{excluded} excluded"] * (excluded > 0) + [f"{absent} not applicable"] * (absent > 0)
            told.append(f"{form} {failed} of {len(outcomes) - absent}"
                        + (f" ({', '.join(notes)})" if notes else ""))
        parts.append(f"{way} {', '.join(told)}")
    return "; ".join(parts)


PASSES = {"EXACT", "WITHIN_BOUND", "PASSED", "EXCLUDED", "NOT_APPLICABLE"}


def test_conclusions_hold_of_the_runs_on_disk(executed):
    """Counts and verdict of every sentence, worked out again from the rows."""
    for name in executed.names:
        said = {match.group(1, 2): match.group(3, 5)
                for match in CONCLUSION.finditer(texts(executed.notebook(name)))}
        assert said, name
        for (scenario, profile), (verdict, counts) in said.items():
            runs = [r for r in executed.runs(name) if "--trace" not in r["command"]
                    and (r["scenario"], r["profile"]) == (scenario, profile)]
            assert counts == counted(runs), (name, counts, counted(runs))
            fixed = [r for r in runs if r["form"] == "FIXED"]
            assert not [r for r in runs if r["grade"] == "FORBIDDEN"], (name, runs)
            if all(r["outcome"] == "NOT_APPLICABLE" for r in runs):
                assert verdict.startswith("not applicable: " + runs[0]["detail"]), verdict
            elif any(r["outcome"] not in PASSES and r["grade"] == "EXPECTED" for r in runs):
                assert verdict.startswith("reproduced"), verdict
                assert ("the fix holds" in verdict) == bool(fixed), verdict
            else:
                assert verdict.startswith(("not reproduced here", "right in every run")), verdict
        told = {scenario for scenario, _ in said}
        if name in executed.findings():
            assert told == {r["scenario"] for r in executed.runs(name)}, (name, told)
            assert name == "2206-residue" or any(v.startswith("reproduced") for v, _ in said.values())


def test_no_path_of_this_machine_is_written(executed):
    for name in executed.names:
        out = executed.out(name)
        for file in (out / f"{name}.ipynb", out / f"{name}.html", NOTEBOOKS / f"{name}.ipynb"):
            text = file.read_text(encoding="utf-8")
            for path in (ROOT, out, Path.home(), Path(tempfile.gettempdir())):
                found = re.search(rf"{re.escape(str(path))}(?=[/\"\\\s])", text)
                assert not found, f"{file.name} holds {path}: ...{text[found.start() - 40:][:120]}"


# ---- the jar ------------------------------------------------------------------------------------

def test_the_jar_holds_no_class_of_a_kernel(folder):
    """Kernels bring their own; ours are compiled against IJava in Java's tests alone."""
    with zipfile.ZipFile(JAR) as jar:
        names = jar.namelist()
    assert "dev/hiplab/Lab.class" in names
    foreign = [n for n in names if any(w in n.lower() for w in ("spencerpark", "zeromq", "jjava"))]
    assert not foreign, foreign


# ---- failures -----------------------------------------------------------------------------------

def test_a_failing_cell_is_named_and_the_exit_code_tells(folder):
    file = folder / "failing.ipynb"
    failing = notebook_of("int fine = 1;", 'throw new RuntimeException("on purpose");', "6 * 9")
    failing.cells[2].execution_count = 3  # as it was committed: of an earlier execution
    failing.cells[2].outputs = [nbformat.v4.new_output("stream", text="54")]
    nbformat.write(failing, file)
    fine = folder / "fine.ipynb"
    nbformat.write(notebook_of("6 * 7"), fine)
    run = execute_py(folder / "failed", file, fine)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "failing.ipynb, cell 2 (throw new" in run.stderr, run.stderr
    assert "on purpose" in run.stderr, run.stderr
    ended = nbformat.read(folder / "failed" / "failing.ipynb", as_version=4)
    assert not ended.cells[2].outputs and not ended.cells[2].execution_count, ended.cells[2]
    assert (folder / "failed" / "fine.html").is_file(), "the next notebook was not executed"


STUBBORN = """
import os, pathlib, sys
tries = pathlib.Path(__file__).with_name("tries")
count = int(tries.read_text()) + 1 if tries.exists() else 1
tries.write_text(str(count))
if count <= {ends}:
    sys.exit("in use, on purpose")
os.execvp({argv}[0], [part.replace("{{connection_file}}", sys.argv[1]) for part in {argv}])
"""


def stubborn_kernel(folder, ends):
    """A kernel named java whose process ends as often at its start, as where a port is taken."""
    kernel = folder / "kernels" / "java"
    kernel.mkdir(parents=True)
    real = KernelSpecManager().get_kernel_spec("java")
    argv = [part.replace("{resource_dir}", real.resource_dir) for part in real.argv]
    (kernel / "start.py").write_text(STUBBORN.format(ends=ends, argv=argv), encoding="utf-8")
    spec = {"argv": [sys.executable, str(kernel / "start.py"), "{connection_file}"],
            "display_name": "stubborn", "language": "java", "env": real.env,
            "interrupt_mode": real.interrupt_mode}
    (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    return str(folder)


def test_a_kernel_that_does_not_start_is_started_again(folder):
    """Ports are chosen before the kernel binds them: two programs that start one may collide."""
    fine = folder / "again.ipynb"
    nbformat.write(notebook_of("6 * 7"), fine)
    run = execute_py(folder / "again", fine, JUPYTER_PATH=stubborn_kernel(folder / "twice", 2))
    assert run.returncode == 0 and not run.stderr, run.stdout + run.stderr
    assert run.stdout.count("the kernel did not start") == 2, run.stdout
    ended = nbformat.read(folder / "again" / "again.ipynb", as_version=4)
    assert [o["data"]["text/plain"] for o in outputs(ended)] == ["42"], outputs(ended)
    run = execute_py(folder / "again", fine, JUPYTER_PATH=stubborn_kernel(folder / "ever", 9))
    assert run.returncode == 1, run.stdout + run.stderr
    assert run.stderr.startswith("again.ipynb: the kernel did not start: "), run.stderr
    assert run.stderr.count("\n") == 1 and "kernel.log" in run.stderr, run.stderr


def test_a_missing_notebook_is_one_sentence(folder):
    run = execute_py(folder / "none", folder / "nowhere.ipynb")
    assert run.returncode == 2
    assert "there is no notebook" in run.stderr and "Traceback" not in run.stderr, run.stderr


# Values that throw an Error when they are rendered, each in a way of its own.
BROKEN = {
    "Rich": """Rich brokenRich = () -> { throw new StackOverflowError("deep"); };""",
    "toString": """class Hopeless { public String toString() { throw new StackOverflowError("deep"); } }
        var brokenToString = new Hopeless();""",
    "chart": """var brokenChart = new org.knowm.xchart.XYChart(200, 100) {
          public void paint(java.awt.Graphics2D g, int width, int height) {
            throw new StackOverflowError("deep");
          }
        };""",
    "column": """var numbers = new tech.tablesaw.api.DoubleColumn("a") {
          public Double get(int row) { throw new StackOverflowError("deep"); }
        };
        numbers.append(1);
        var brokenColumn = tech.tablesaw.api.Table.create("t", numbers);""",
}


def test_an_error_while_rendering_does_not_end_the_kernel(kernel):
    kernel.run(IMPORTS)
    for kind, source in BROKEN.items():
        name = "broken" + kind[0].upper() + kind[1:]
        errors = [content for what, content in kernel.run(source) if what == "error"]
        assert not errors, errors
        shown = kernel.result(name)
        assert "StackOverflowError: deep" in shown["text/plain"], (kind, shown)
        assert "text/html" not in shown and "image/png" not in shown, (kind, shown)
        assert kernel.result("6 * 7")["text/plain"] == "42", kind
        displayed = [content["data"] for what, content in kernel.run(f"show({name});")
                     if what == "display_data"]
        assert len(displayed) == 1, (kind, displayed)
        assert "StackOverflowError: deep" in displayed[0]["text/plain"], (kind, displayed)
        assert kernel.result("6 * 7")["text/plain"] == "42", kind


def test_the_examples_of_the_page_on_notebooks_run(kernel):
    kernel.run(IMPORTS)
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    rich, campaign = re.findall(r"^```java\n(.*?)^```", page, re.M | re.S)
    shown = kernel.result(rich)
    assert shown["text/html"] == "<b>2.00 times as fast</b>", shown
    assert kernel.result(campaign)["text/plain"] == "true"


def test_last_expressions_render_richly(kernel):
    kernel.run(IMPORTS)
    table = kernel.result(
        'tech.tablesaw.api.Table.create("t", tech.tablesaw.api.StringColumn.create("a", "<x>"))')
    assert "&lt;x&gt;" in table["text/html"], table
    chart = kernel.result('WorkspacePlot.of(List.of(new Candidate("f32 8x8x8 NN", 0, 4096, 1, -1, "")))')
    assert base64.b64decode(chart["image/png"]).startswith(b"\x89PNG"), chart.keys()
    assert "<th" in kernel.result("device()")["text/html"]
    offered = kernel.result("heuristics(Gemm.NT, bf16, 64, 64, 64)")
    assert len(HtmlTable(offered["text/html"]).rows) == 9, offered  # a header and 8 candidates
    assert kernel.result('List.of("a", 1)')["text/plain"] == "[a, 1]"


def test_interrupting_a_cell_stops_its_campaign(kernel):
    kernel.run(IMPORTS)
    mark = os.environ["HIPLAB_TEST_MARK"]
    before = set(processes_with(mark))
    gone = []

    def children():
        return set(processes_with(mark)) - before

    def three_runs_are_done():
        logs = list(kernel.folder.glob("interrupted/runs.jsonl"))
        return logs and len(logs[0].read_bytes().splitlines()) >= 3 and children()

    def watch():
        begin = time.monotonic()
        while children() and time.monotonic() - begin < 20:
            time.sleep(0.02)
        gone.append(time.monotonic() - begin)

    kernel.run('var stopped = Campaign.of("rocblas.first-gemm").forms("FIXED").ways("natural").runs(500)'
               '.out(java.nio.file.Path.of("interrupted")).listener(Progress.live()).run();',
               interrupt_when=three_runs_are_done, then=watch)
    print(f"children gone {gone[0]:.2f} s after the interrupt")
    assert gone[0] < 5, gone  # two seconds, and slack for a loaded machine
    kept = len((kernel.folder / "interrupted" / "runs.jsonl").read_bytes().splitlines())
    value = kernel.result('stopped.records().size() + " " + stopped.complete()')["text/plain"]
    assert 3 <= kept < 500 and value == f"{kept} false", (kept, value)


def test_progress_is_one_display_that_is_updated(kernel):
    kernel.run(IMPORTS)
    published = kernel.run('Campaign.of("rocblas.first-gemm").forms("FIXED").ways("natural").runs(3)'
                           '.listener(Progress.live()).run();')
    shown = [c for kind, c in published if kind == "display_data"]
    updates = [c for kind, c in published if kind == "update_display_data"]
    assert len(shown) == 1 and updates, [kind for kind, _ in published]
    assert updates[-1]["transient"]["display_id"] == shown[0]["transient"]["display_id"]
    assert updates[-1]["data"]["text/plain"].startswith("3 of 3 runs"), updates[-1]


# ---- runner -------------------------------------------------------------------------------------

def attempt(test, argument, failures):
    begin = time.monotonic()
    try:
        test(argument)
        print(f"ok    {test.__name__} ({time.monotonic() - begin:.0f} s)", flush=True)
        return True
    except Exception:  # a failed assertion, or what kept the test from asserting
        failures.append(test.__name__)
        print(f"FAIL  {test.__name__}\n{traceback.format_exc()}", flush=True)
        return False


def tests_of(argument):
    return [test for name, test in globals().items()
            if name.startswith("test_") and test.__code__.co_varnames[0] == argument]


def main():
    if not JAR.is_file():
        print(f"there is no {JAR}; build it first: ./hiplab build\n0 passed, 1 failed")
        return 1
    failures, passed = [], 0
    mark = uuid.uuid4().hex
    os.environ["HIPLAB_TEST_MARK"] = mark
    with tempfile.TemporaryDirectory(prefix="hiplab-notebooks-") as name:
        folder = Path(name)
        executed = Executed(folder)
        for ended in executed.ended.values():
            print(ended.stdout + ended.stderr, flush=True)
        passed += sum(attempt(test, executed, failures) for test in tests_of("executed"))
        passed += sum(attempt(test, folder, failures) for test in tests_of("folder"))
        with Kernel(folder, execute.kernel_environment(JAR)) as kernel:
            passed += sum(attempt(test, kernel, failures) for test in tests_of("kernel"))

        def test_no_process_is_left(_):
            limit = time.monotonic() + 10
            while left := [pid for pid in processes_with(mark) if pid != os.getpid()]:
                assert time.monotonic() < limit, f"processes left: {left}"
                time.sleep(0.2)

        passed += attempt(test_no_process_is_left, None, failures)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
