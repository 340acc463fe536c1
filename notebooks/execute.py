#!/usr/bin/env python3
"""Executes notebooks headless with the JJava kernel.

Leaves in the output folder, for each notebook, the executed .ipynb and its .html, and for all of
them: outputs/*.png (pictures that cells made), runs.jsonl and runs.csv (the runs of every campaign)
and kernel.log (what the kernels' processes printed by themselves).
Ends with exit code 1 when a cell failed, after naming the cell and its error; 2 when it could not
begin. Needs the packages in requirements.txt, and the jar.
"""

import argparse
import asyncio
import atexit
import base64
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parent.parent
RUNS = "hiplab-runs"  # below the output folder; a relative path, so that outputs name no machine
COLUMNS = ["scenario", "profile", "form", "way", "run", "outcome", "grade", "wallMillis", "workMillis",
           "exitCode", "signal", "frame", "detail", "device", "driver", "seed", "startedAt",
           "campaign", "command"]


def path_of_java():
    """PATH, with JAVA_HOME's java before all others."""
    path, home = os.environ.get("PATH", ""), os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin") + os.pathsep + path if home else path


def kernel_environment(jar):
    """What the kernel's process gets: the jar, JVM options, and a java that is the right one."""
    environment = dict(os.environ, PATH=path_of_java())
    options = ["-Djava.awt.headless=true", f"-Dhiplab.out={RUNS}"]
    native = "--enable-native-access=ALL-UNNAMED"
    java = shutil.which("java", path=environment["PATH"])
    probe = subprocess.run([java, native, "-version"], capture_output=True, check=False)
    if probe.returncode == 0:
        options.append(native)
    environment["JJAVA_CLASSPATH"] = str(jar)
    environment["JJAVA_JVM_OPTS"] = " ".join(options)
    environment["JUPYTER_PREFER_ENV_PATH"] = "1"  # this venv's kernel, not one in the home folder
    return environment


def kill(groups):
    for pgid in groups:
        try:
            os.killpg(pgid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # ended by itself, as it should


def end_on_signal(groups):
    """Ends the kernel and its children with this process, instead of nbclient's handlers, which
    shut down the kernel under a client that still waits for it."""
    def end(number, _frame):
        kill(groups)
        print("stopped", file=sys.stderr, flush=True)
        os._exit(128 + number)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.remove_signal_handler(number)
        signal.signal(number, end)


class NotStarted(RuntimeError):
    """The kernel did not answer, or ended, before any cell was begun."""


# Each try has ports of its own: they are chosen before the kernel binds them, and a kernel that
# another program starts at the same time may bind one first. Then it ends, or nobody answers.
STARTS = (30, 60, 120)  # seconds to wait for an answer


def execute(notebook, out, environment, timeout):
    """Runs all cells in place. The kernel's process group, children included, is gone afterwards."""
    for limit in STARTS:
        try:
            return execute_once(notebook, out, environment, timeout, limit)
        except NotStarted as failure:
            if limit == STARTS[-1]:
                raise
            print(f"{failure}; starting it again", flush=True)


def execute_once(notebook, out, environment, timeout, limit):
    groups = []

    def started(**_):
        groups.append(client.km.provisioner.pgid)
        end_on_signal(groups)

    client = NotebookClient(
        notebook, kernel_name="java", timeout=timeout, startup_timeout=limit, record_timing=False,
        coalesce_streams=True, resources={"metadata": {"path": str(out)}},
        on_notebook_start=started)
    try:
        with open(out / "kernel.log", "a", encoding="utf-8") as log:
            client.execute(env=environment, stdout=log, stderr=log)
    except RuntimeError as failure:
        if groups:
            raise
        atexit.unregister(client._cleanup_kernel)  # done already; done twice it fails
        why = " ".join(str(failure).split())
        raise NotStarted(f"the kernel did not start: {why}") from failure
    finally:
        kill(groups)


def without_paths(notebook, out):
    """Outputs without folders of this machine, which say nothing to another reader."""
    text = nbformat.writes(notebook)
    for folder, name in [(out, "."), (ROOT, "hiplab"), (Path.home(), "~")]:
        if len(folder.parts) > 1:
            text = re.sub(re.escape(json.dumps(str(folder))[1:-1]) + r"(?![\w-])", name, text)
    return nbformat.reads(text, as_version=4)


def write_html(notebook, file):
    exporter = HTMLExporter(template_name="lab")
    exporter.mathjax_url = ""  # nothing is fetched from elsewhere when the page is read
    exporter.require_js_url = ""
    exporter.embed_images = True
    file.write_text(exporter.from_notebook_node(notebook)[0], encoding="utf-8")


def write_pictures(notebook, folder, stem):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{stem}-*.png"):
        old.unlink()
    count = 0
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", []):
            png = output.get("data", {}).get("image/png")
            if png:
                count += 1
                picture = folder / f"{stem}-cell{number:02d}-{count}.png"
                picture.write_bytes(base64.b64decode(png))


def read(path):
    """A notebook without what earlier executions left: what it holds later is of this one."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def place_of_failure(path, notebook):
    """The notebook, and number, from 1, and first line of the last code cell that was begun."""
    begun = [(n, c) for n, c in enumerate(notebook.cells, 1)
             if c.cell_type == "code" and (c.execution_count or c.outputs)]
    if not begun:
        return path.name
    number, cell = begun[-1]
    return f"{path.name}, cell {number} ({cell.source.strip().splitlines()[0]})"


def run_one(path, out, environment, timeout, save):
    """Executes and writes one notebook; the error in one line, or None."""
    print(f"{path.name}: executing", flush=True)
    begin = time.monotonic()
    notebook = read(path)
    error = None
    try:
        execute(notebook, out, environment, timeout)
    except CellExecutionError as failure:
        error = f"{failure.ename}: {failure.evalue}".strip()
    except CellTimeoutError:
        error = f"no end within {timeout} s"
    except DeadKernelError:
        error = "the kernel's process ended"
    except NotStarted as failure:
        error = f"{failure}; {out}/kernel.log holds what it printed"
    if error:
        error = f"{place_of_failure(path, notebook)}: {error}"
    notebook = without_paths(notebook, out)
    nbformat.write(notebook, out / path.name)
    if save and not error:
        nbformat.write(notebook, path)
    write_html(notebook, out / (path.stem + ".html"))
    write_pictures(notebook, out / "outputs", path.stem)
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    how = "failed after" if error else f"{cells} cells in"
    print(f"{path.name}: {how} {time.monotonic() - begin:.0f} s", flush=True)
    return error


def campaigns(out):
    return {file for file in (out / RUNS).glob("**/runs.jsonl")}


def write_runs(out, files):
    """One JSON Lines file and one CSV of the runs of all campaigns that these notebooks made."""
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    runs = [json.loads(line) for line in lines if line.strip()]
    order = {id(run): place for place, run in enumerate(runs)}
    runs.sort(key=lambda run: (run["startedAt"], order[id(run)]))
    with open(out / "runs.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(run, ensure_ascii=False) + "\n" for run in runs)
    with open(out / "runs.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        for run in runs:
            table.writerow({**run["environment"], **run})
    return len(runs)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "notebooks",
                        help="folder to write (default: build/notebooks in the checkout)")
    parser.add_argument("--jar", type=Path, default=ROOT / "toolkit" / "target" / "toolkit.jar",
                        help="the toolkit's jar (default: toolkit/target/toolkit.jar)")
    parser.add_argument("--save", action="store_true",
                        help="write the executed notebooks over the given ones too")
    parser.add_argument("--timeout", type=int, default=600, metavar="SECONDS",
                        help="limit of one cell (default: 600)")
    chosen = parser.parse_args()
    for notebook in chosen.notebooks:
        if not notebook.is_file():
            parser.error(f"there is no notebook {notebook}")
    if not chosen.jar.is_file():
        parser.error(f"there is no {chosen.jar}; build it with ./hiplab build, or name it with --jar")
    if not shutil.which("java", path=path_of_java()):
        parser.error("there is no java: install a JDK 17 or newer, or point JAVA_HOME at one")
    try:
        KernelSpecManager().get_kernel_spec("java")
    except NoSuchKernel:
        parser.error(f"{sys.executable} has no kernel named java; install notebooks/requirements.txt"
                     " with its pip")
    return chosen


def main():
    chosen = arguments()
    out = chosen.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    environment = kernel_environment(chosen.jar.resolve())
    (out / "kernel.log").unlink(missing_ok=True)
    before = campaigns(out)
    errors = [error for notebook in chosen.notebooks
              if (error := run_one(notebook, out, environment, chosen.timeout, chosen.save))]
    runs = write_runs(out, sorted(campaigns(out) - before))
    print(f"{runs} runs in {chosen.out}/runs.csv, pictures in {chosen.out}/outputs")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
