"""The command line from Python: ``carom.optimise("problem.toml", solver="pounce")`` is ``carom optimise``.

Every command runs in a process of its own, so that Ctrl-C, progress and memory are as on the command line. Options
are keyword arguments: ``max_seconds=60`` is ``--max-seconds 60``, ``no_plots=True`` is ``--no-plots``, and
``set={"m": 2}`` is ``--set m=2``.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from .errors import CommandError, ModelError, SettingsError
from .system import System, as_text, unknown_option
from .tables import library

#: Options that are given in other ways.
_OWN = {"json", "help", "quiet", "verbose"}

_known: dict[str, list[str]] = {}


class Result:
    """What a command has computed: ``summary`` is the object of ``--json``, ``files`` what it wrote."""

    def __init__(self, summary: dict[str, Any], folder: Optional[Path]):
        self.summary = summary
        self.folder = folder
        self.files = [Path(file) for file in summary.get("files", [])]

    def __getitem__(self, key: str) -> Any:
        return self.summary[key]

    def keys(self) -> Any:
        """What the summary has."""
        return self.summary.keys()

    def table(self, name: str) -> Any:
        """A table that the command wrote, by the name of its file (``"nodes"``), as ``pandas.DataFrame``."""
        pandas = library("pandas")
        for file in self.files:
            if file.stem == name and file.suffix == ".parquet":
                return pandas.read_parquet(file)
        tables = sorted(file.stem for file in self.files if file.suffix == ".parquet")
        raise KeyError(f"there is no table `{name}`; there are: {', '.join(tables) or 'none'}")

    def __repr__(self) -> str:
        return f"<carom.Result in {self.folder}: {', '.join(self.summary)}>"


def command(name: str, file: Any = None, *, out: Union[str, os.PathLike, None] = None, **options: Any) -> Result:
    """Runs a command; ``carom COMMAND --help`` tells its options.

    Results go to the folder ``out``; to a new folder among the temporary files if none is given.
    """
    words = [name]
    known = options_of(name)
    with tempfile.TemporaryDirectory() as scratch:
        if isinstance(file, System):
            file = _written(file, Path(scratch), options)
        words += [] if file is None else [os.fspath(file)]
        for option, value in options.items():
            words += _words(option, value, known)
        folder = None
        if "out" in known:
            folder = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix=f"carom-{name}-"))
            words += ["--out", str(folder)]
        elif out is not None:
            raise SettingsError(f"carom {name} writes no results: leave `out` away")
        return _run([*words, "--json"], folder)


def _written(system: System, scratch: Path, options: dict[str, Any]) -> Path:
    """A system as a file for another process; what was set goes to the options."""
    text, file, set = system._core.parts
    path = scratch / (Path(file).stem + ".toml")
    path.write_text(text, encoding="utf-8")
    options["set"] = {**dict(set), **options.get("set", {})}
    return path


def _run(words: list[str], folder: Optional[Path]) -> Result:
    call = [sys.executable, "-m", "carom", *words]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        said, complaints = process.communicate()
    except KeyboardInterrupt:
        # The command ends by itself with what it has, whether it has heard it already or not.
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    summary = json.loads(said) if said.strip() else {}
    if process.returncode:
        kind = {1: SettingsError, 2: ModelError}.get(process.returncode, CommandError)
        extra = (process.returncode, summary) if kind is CommandError else summary.get("diagnostics")
        raise kind(complaints.strip() or f"`carom {' '.join(words)}` failed", extra)
    return Result(summary, folder)


def _words(option: str, value: Any, known: list[str]) -> list[str]:
    if option not in known:
        raise SettingsError(unknown_option(option, known))
    flag = "--" + option.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, Mapping):
        return [word for name, entry in value.items() for word in (flag, f"{name}={as_text(entry)}")]
    if isinstance(value, (list, tuple)):
        return [word for entry in value for word in (flag, as_text(entry))]
    return [flag, as_text(value)]


def options_of(name: str) -> list[str]:
    """Names of the options of a command."""
    if name not in _known:
        call = [sys.executable, "-m", "carom", name, "--help"]
        done = subprocess.run(call, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            raise SettingsError(done.stderr.strip())
        found = re.findall(r"^\s+(?:-\w, )?--([a-z-]+)", done.stdout, re.MULTILINE)
        # Texts may begin with an option, too.
        _known[name] = list(dict.fromkeys(option.replace("-", "_") for option in found if option not in _OWN))
    return _known[name]


def optimise(problem: Union[str, os.PathLike], **options: Any) -> Result:
    """Solves an optimal control problem and audits it: ``carom optimise``."""
    return command("optimise", problem, **options)


def design(study: Union[str, os.PathLike], **options: Any) -> Result:
    """Searches the best design of a study: ``carom design``."""
    return command("design", study, **options)


def orbit(model: Any, **options: Any) -> Result:
    """Finds a periodic motion and its multipliers: ``carom orbit``."""
    return command("orbit", model, **options)


def feedback(problem: Any, **options: Any) -> Result:
    """Stabilises an optimal motion: ``carom feedback``."""
    return command("feedback", problem, **options)


def derive(model: Any, **options: Any) -> Result:
    """Differentiates the end of a run through its impacts: ``carom derive``."""
    return command("derive", model, **options)


def check(model: Any, **options: Any) -> Any:
    """What carom understands of a model or of a problem file."""
    return model.check() if isinstance(model, System) and not options else command("check", model, **options).summary
