"""Debian's ROCm packages, unpacked below a folder and never installed.

The package source is the one that this machine's apt uses for Debian, read with apt's own tools into
lists of our own, so that nothing of the system changes; HIPLAB_DEBIAN_SOURCE names another one, as
the URI of a `deb` line. What was downloaded is kept and used again when it is still the newest.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tarfile
from contextlib import contextmanager
from pathlib import Path

SUITE = "sid"  # the one with hipBLASLt
OLD_SUITE = "trixie"  # the one whose HIP is too old for us
HEADERS = ("libamdhip64-dev", "librocblas-dev", "libhipblaslt-dev", "libhipblas-common-dev")
LIBRARIES = ("libamdhip64-6", "libhiprtc6", "librocblas4", "libhipblaslt1")
OLD_LIBRARIES = ("libamdhip64-5",)
# Gigabytes of device code: without a GPU their names are all that is asked for.
DEVICE_CODE = re.compile(r"/(rocblas|hipblaslt)/.*library/.*\.(co|hsaco|dat)$")


class NoSource(Exception):
    """No package source can be reached, and why."""


def _lines(*command, **more):
    ended = subprocess.run(command, capture_output=True, text=True, check=False,
                           stdin=subprocess.DEVNULL, **more)
    if ended.returncode != 0:
        # The first error is the cause of the others.
        errors = [line for line in ended.stderr.splitlines() if line.startswith(("E: ", "Err:"))] or \
            ended.stderr.splitlines()
        raise NoSource(f"{' '.join(map(str, command[:2]))}: {' '.join(errors[:1])[:300]}")
    return ended.stdout.splitlines()


def _source():
    """The URI of Debian's packages as this machine has it."""
    named = os.environ.get("HIPLAB_DEBIAN_SOURCE")
    if named:
        return named
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise NoSource(f"there is no {tool} here")
    said = _lines("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages")
    for origin, _, uri in (line.partition(" ") for line in said):
        if origin == "Debian" and "security" not in uri:
            return uri
    raise NoSource("apt knows no source of Debian's packages (HIPLAB_DEBIAN_SOURCE names one)")


@contextmanager
def held(folder):
    """The folder for one process at a time; another waits."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Packages:
    """The packages of SUITE and OLD_SUITE. Raises NoSource where they cannot be had."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.debs = self.folder / "debs"
        self.debs.mkdir(parents=True, exist_ok=True)
        self._configure(_source())
        self.stale = ""  # why the lists could not be renewed, where those of an earlier call serve
        self._update()

    def _configure(self, source):
        apt = self.folder / "apt"
        for part in ("state/lists/partial", "cache/archives/partial", "none"):
            (apt / part).mkdir(parents=True, exist_ok=True)
        (apt / "state/status").touch()
        (apt / "sources.list").write_text("".join(
            f"deb [arch=amd64 target=Packages] {source} {suite} main\n" for suite in (SUITE, OLD_SUITE)),
            encoding="utf-8")
        settings = {
            "Dir::State": apt / "state", "Dir::State::status": apt / "state/status",
            "Dir::Cache": apt / "cache", "Dir::Etc::sourcelist": apt / "sources.list",
            "Dir::Etc::sourceparts": apt / "none", "Dir::Etc::preferences": "/dev/null",
            "Dir::Etc::preferencesparts": apt / "none", "APT::Architecture": "amd64",
            "APT::Install-Recommends": "false", "APT::Sandbox::User": "",
            "Acquire::Languages": "none", "Acquire::Retries": "2", "APT::Default-Release": SUITE,
        }
        (apt / "apt.conf").write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()),
                                      encoding="utf-8")
        self.environment = dict(os.environ, APT_CONFIG=str(apt / "apt.conf"), LC_ALL="C")

    def _update(self):
        try:
            # Else apt ends well when nobody answers.
            self._apt("update", "-o", "APT::Update::Error-Mode=any")
        except NoSource as reason:
            if not any((self.folder / "apt/state/lists").glob("*_Packages*")):
                raise
            self.stale = str(reason)

    def _apt(self, *arguments, within="apt"):
        try:
            return _lines("apt-get", *arguments, env=self.environment, cwd=self.folder / within,
                          timeout=1200)
        except NoSource as reason:
            # Lists that are another source's, or too old for it: that they could not be renewed is why.
            raise NoSource(self.stale or str(reason)) from reason

    def with_dependencies(self, names):
        """The names and the packages that they need, as on a machine with none."""
        return sorted(_offered(self._apt("install", "--print-uris", "-y", *names)))

    def download(self, names):
        """The files of these packages, name by name, in the newest version of the suite."""
        # Not among the files: it tells none that is there.
        offered = _offered(self._apt("download", "--print-uris", *names))
        files = {name: self.debs / offered[name][0] for name in names}
        missing = [name for name, file in files.items()
                   if not file.exists() or file.stat().st_size != offered[name][1]]
        if missing:
            self._apt("download", *missing, within="debs")
        for name, file in files.items():
            for old in self.debs.glob(f"{name}_*.deb"):
                if old != file:
                    old.unlink()
        return files


def _offered(uris):
    """{name: (file name, bytes)} of lines `'URI' FILE BYTES HASH`."""
    files = [line.split()[1:3] for line in uris if line.startswith("'")]
    return {file.split("_")[0]: (file, int(size)) for file, size in files}


def version_of(deb):
    """The package's version, from its file's name."""
    return deb.name.split("_")[1].replace("%3a", ":")


def unpack(debs, folder, only=None):
    """Unpacks these files below a new folder; of device code only names. Skips what is unpacked."""
    folder = Path(folder)
    stamp = folder / ".unpacked"
    wanted = "\n".join(sorted(deb.name for deb in debs))
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    # A merged /usr, as every Debian has it.
    for name in ("bin", "sbin", "lib", "lib64"):
        (folder / "usr" / name).mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(Path("usr") / name)
    for deb in debs:
        _unpack_one(deb, folder, only)
    stamp.write_text(wanted, encoding="utf-8")
    return folder


def _unpack_one(deb, folder, only):
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as packed:
        with tarfile.open(fileobj=packed.stdout, mode="r|") as archive:
            for member in archive:
                if only is not None and not re.search(only, member.name):
                    continue
                member.mode |= 0o200
                if member.isfile() and DEVICE_CODE.search(member.name):
                    empty = folder / member.name
                    empty.parent.mkdir(parents=True, exist_ok=True)
                    empty.touch()
                elif member.isfile() or member.issym() or member.islnk() or member.isdir():
                    archive.extract(member, folder, set_attrs=not member.isdir())
        packed.stdout.read()
    if packed.returncode != 0:
        raise NoSource(f"dpkg-deb cannot read {deb.name}")
