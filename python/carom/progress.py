"""Progress of long runs: tqdm if it is installed, a line on standard error if not."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import Any, Callable, Iterator, Optional, Union

#: It is called with the time that was reached.
Report = Callable[[float], Any]


class Bar:
    """A bar from 0 to ``total``; it appears after a second."""

    def __init__(self, total: float, unit: str, delay: float = 1.0):
        self.total, self.unit, self.delay = total, unit, delay
        self.begin = time.monotonic()
        self.shown: Any = None
        self.last = 0.0

    def __call__(self, value: float) -> None:
        now = time.monotonic()
        if now - self.begin < self.delay or now - self.last < 0.1:
            return
        self.last = now
        if self.shown is None:
            self.shown = _tqdm(self.total, self.unit) or False
        if self.shown:
            self.shown.n = min(value, self.total)
            self.shown.refresh()
        else:
            part = 100 * value / self.total if self.total else 100
            print(f"\r{value:.6g} of {self.total:.6g} {self.unit} ({part:.0f} %)", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leaves it as it is."""
        if self.shown:
            self.shown.close()
        elif self.shown is False:
            print(file=sys.stderr)


def _tqdm(total: float, unit: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    form = "{l_bar}{bar}| {n:.4g}/{total:.4g} {unit} [{elapsed}<{remaining}]"
    return tqdm(total=total, unit=unit, bar_format=form)


@contextlib.contextmanager
def progress_of(
    wanted: Union[bool, Report, None], system: Any, settings: list[tuple[str, str]], interpret: bool
) -> Iterator[Optional[Report]]:
    """What a run reports to; by itself, a bar where somebody looks."""
    if callable(wanted):
        yield wanted
        return
    if wanted is None:
        wanted = is_watched()
    if not wanted:
        yield None
        return
    bar = Bar(json.loads(system._core.plan(settings, interpret))["until"], "s")
    try:
        yield bar
    finally:
        bar.close()


def is_watched() -> bool:
    """True in a notebook, or where standard error is a terminal."""
    try:
        if sys.stderr.isatty():
            return True
    except (AttributeError, ValueError):
        pass
    shell = sys.modules.get("IPython")
    kernel = shell and shell.get_ipython()
    return bool(kernel) and "IPKernelApp" in getattr(kernel, "config", {})
