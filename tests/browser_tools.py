"""JupyterLab as ./hiplab notebook starts it, and a headless Chromium that looks at it."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from notebook_tools import processes_with

ROOT = Path(__file__).resolve().parent.parent
SIZE = (1400, 900)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# All cells are in the page at once, and JupyterLab asks nobody for news.
SETTINGS = {
    "@jupyterlab/notebook-extension/tracker.jupyterlab-settings": '{"windowingMode": "none"}',
    "@jupyterlab/apputils-extension/notification.jupyterlab-settings":
        '{"fetchNews": "false", "checkForUpdates": false}',
}


def until(what, condition, limit=60, pause=0.1):
    """What the condition gives, once that is true."""
    begin = time.monotonic()
    while not (value := condition()):
        assert time.monotonic() - begin < limit, f"not within {limit} s: {what}"
        time.sleep(pause)
    return value


def end(pids, group=False):
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in pids:
            try:
                (os.killpg if group else os.kill)(pid, number)
            except ProcessLookupError:
                pass  # it has ended
        time.sleep(0.2)


class Lab:
    """JupyterLab over a folder of notebooks, on a free port of this machine alone."""

    def __init__(self, folder, mark):
        self.folder, self.mark = folder / "notebooks", mark
        self.folder.mkdir(exist_ok=True)
        self.token = secrets.token_hex(16)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        own = folder / "jupyter"
        for file, text in SETTINGS.items():
            (own / "settings" / file).parent.mkdir(parents=True, exist_ok=True)
            (own / "settings" / file).write_text(text, encoding="utf-8")
        environment = dict(
            os.environ, HIPLAB_TEST_MARK=mark, JUPYTER_CONFIG_DIR=str(own / "config"),
            JUPYTER_DATA_DIR=str(own / "data"), JUPYTER_RUNTIME_DIR=str(own / "runtime"),
            JUPYTERLAB_SETTINGS_DIR=str(own / "settings"),
            JUPYTERLAB_WORKSPACES_DIR=str(own / "workspaces"), JUPYTER_PREFER_ENV_PATH="1")
        self.log = open(folder / "jupyterlab.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [ROOT / "hiplab", "notebook", f"--notebook-dir={self.folder}", "--no-browser",
             "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={self.port}",
             "--ServerApp.port_retries=0", f"--IdentityProvider.token={self.token}"],
            env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            start_new_session=True, cwd=folder)

    def __enter__(self):
        try:
            until("JupyterLab answers", self.answers, limit=120)
        except BaseException:
            self.__exit__()
            raise
        return self

    def answers(self):
        assert self.process.poll() is None, f"./hiplab notebook ended:\n{self.said()}"
        try:
            with urllib.request.urlopen(self.url("api/status"), timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def connected(self, notebook):
        """Whether a page is connected to the notebook's kernel, and that has answered."""
        with urllib.request.urlopen(self.url("api/sessions"), timeout=5) as answer:
            kernels = [each["kernel"] for each in json.load(answer) if each["path"] == notebook]
        return any(each["connections"] and each["execution_state"] == "idle" for each in kernels)

    def said(self):
        self.log.flush()
        return Path(self.log.name).read_text(encoding="utf-8")

    def url(self, path, more=""):
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}{more}"

    def __exit__(self, *_):
        """Asks it to end, which ends its kernels too; what is left after that is killed."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        limit = time.monotonic() + 5
        while (left := processes_with(self.mark)) and time.monotonic() < limit:
            time.sleep(0.1)
        end(left)
        self.log.close()


def browser():
    """Path of the browser and of its driver; None where one of them is missing."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (found, driver) if found and driver else None


class Browser:
    """Headless Chromium with a profile of its own."""

    def __init__(self, folder):
        chromium, driver = browser()
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                         "--disable-gpu", "--no-first-run", "--force-device-scale-factor=1",
                         f"--user-data-dir={folder / 'chromium'}"):
            options.add_argument(argument)
        # A group of their own, and paths given: Selenium is to look for nothing elsewhere.
        self.service = Service(driver, log_output=str(folder / "chromedriver.log"),
                               popen_kw={"start_new_session": True})
        self.driver = webdriver.Chrome(options=options, service=self.service)
        self.group = self.service.process.pid
        self.driver.set_script_timeout(30)
        # The page's size; the window's would hold its frame too.
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.driver.quit()
        finally:
            end([self.group], group=True)

    def script(self, source, *arguments):
        return self.driver.execute_script(source, *arguments)

    def click(self, css, text=None, limit=30):
        """Clicks the first visible element; one with that text, when it is given."""
        def found():
            return [each for each in self.driver.find_elements(By.CSS_SELECTOR, css)
                    if each.is_displayed() and (text is None or each.text.strip() == text)]
        until(f"{css} {text or ''}", found, limit)[0].click()
