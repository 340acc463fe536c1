"""Helpers of the notebook tests: reading outputs, and a kernel that runs one cell at a time."""

import queue
import time
from html.parser import HTMLParser
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager


def outputs(notebook):
    return [o for cell in notebook.cells for o in cell.get("outputs", [])]


def texts(notebook):
    return "".join(o.text for o in outputs(notebook) if o.output_type == "stream")


def data(notebook, mime):
    return [o.data[mime] for o in outputs(notebook) if mime in o.get("data", {})]


def notebook_of(*cells):
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "java", "display_name": "Java", "language": "java"}
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    return notebook


def processes_with(mark):
    """Ids of live processes that inherited the environment variable HIPLAB_TEST_MARK=mark."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            environment = (entry / "environ").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if f"HIPLAB_TEST_MARK={mark}".encode() in environment.split(b"\0"):
            found.append(int(entry.name))
    return found


class HtmlTable(HTMLParser):
    """Rows of the tables in a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.cell = [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.cell)
            self.cell = None

    def handle_data(self, text):
        if self.cell is not None:
            self.cell += text


class Kernel:
    """A JJava kernel that runs one cell at a time."""

    def __init__(self, folder, environment, name="java", kernels=None):
        """kernels: the folder that the kernelspec lies in, in place of Jupyter's own."""
        self.folder = folder
        specs = KernelSpecManager(kernel_dirs=[str(kernels)]) if kernels else KernelSpecManager()
        self.manager = KernelManager(kernel_name=name, kernel_spec_manager=specs)
        self.log = open(folder / "kernel.log", "w", encoding="utf-8")
        self.manager.start_kernel(env=environment, cwd=str(folder), stdout=self.log,
                                  stderr=self.log)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)

    def run(self, source, interrupt_when=None, then=None):
        """Messages that the cell published, by type. It is interrupted once interrupt_when() is
        true, and then() is called."""
        published = []
        request = self.client.execute(source)
        begin = time.monotonic()
        while time.monotonic() - begin < 120:
            if interrupt_when and interrupt_when():
                interrupt_when = None
                self.manager.interrupt_kernel()
                then()
            try:
                message = self.client.get_iopub_msg(timeout=0.1)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            published.append((message["msg_type"], message["content"]))
            if published[-1][0] == "status" and published[-1][1]["execution_state"] == "idle":
                return published
        raise AssertionError(f"no end within 120 s: {source}")

    def result(self, source):
        """Data of the cell's result."""
        found = [content["data"] for kind, content in self.run(source) if kind == "execute_result"]
        assert found, f"no result of: {source}"
        return found[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        self.manager.shutdown_kernel()
        self.log.close()
