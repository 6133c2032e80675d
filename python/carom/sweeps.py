"""Sweeps: one model at many points, on all cores or on a cluster.

A sweep is divided into parts, files of a Parquet dataset. Parts that are there are not computed again: a sweep that
was interrupted is completed by the same call, with the same table, bit for bit.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import json
import operator
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np

from . import _carom, on_dask
from .errors import SettingsError
from .progress import Bar, is_watched
from .system import OPTIONS, System, overrides, unknown_option

if TYPE_CHECKING:
    import pandas
    import xarray

#: Where a measure is taken.
_OVER = ("end", "largest", "smallest")


class SweepResult:
    """A table with one row per point, in a folder of Parquet files."""

    def __init__(self, core: _carom.Sweep, spec: dict[str, Any], folder: Path):
        self._core, self._spec = core, spec
        self.folder = folder

    def __len__(self) -> int:
        return self._core.points

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._core.columns

    @property
    def missing(self) -> list[int]:
        """Parts that are not computed yet."""
        return self._core.missing(self.folder, False)

    @property
    def summary(self) -> dict[str, Any]:
        """Number of points, of those that failed, and the commonest reason."""
        return self._core.summary(self.folder)

    @property
    def table(self) -> Path:
        """The folder that is one Parquet table."""
        return Path(self._core.table(self.folder))

    def to_pandas(self) -> "pandas.DataFrame":
        """The whole table; its rows in the order of the points."""
        self._whole()
        import pandas

        return pandas.read_parquet(self.table).sort_values("point", ignore_index=True)

    def _whole(self) -> None:
        if self.missing:
            raise SettingsError(f"{len(self.missing)} of {self._core.parts} parts are missing: run the same sweep again")

    def to_xarray(self) -> "xarray.Dataset":
        """The table of a grid with a dimension per axis."""
        grid = self._spec["points"].get("grid")
        if not grid:
            raise SettingsError("only grids have axes: use to_pandas()")
        import xarray

        table, names = self.to_pandas(), [axis["name"] for axis in grid]
        shape = [len(axis["values"]) for axis in grid]
        coords = {axis["name"]: axis["values"] for axis in grid}
        data = {name: (names, table[name].to_numpy().reshape(shape)) for name in table if name not in (*names, "point")}
        return xarray.Dataset(data, coords)

    def __repr__(self) -> str:
        missing = f", {len(self.missing)} of {self._core.parts} parts missing" if self.missing else ""
        return f"<carom.SweepResult: {len(self)} points in {self.folder}{missing}>"


def sweep(
    model: Union[System, str, os.PathLike],
    over: Optional[Mapping[str, Any]] = None,
    *,
    measures: Optional[Mapping[str, str]] = None,
    random: Optional[int] = None,
    seed: int = 1,
    points: Optional[Any] = None,
    out: Union[str, os.PathLike, None] = None,
    executor: Optional[Any] = None,
    threads: Optional[int] = None,
    part_rows: Optional[int] = None,
    fresh: bool = False,
    set: Optional[Mapping[str, Any]] = None,
    progress: Union[bool, Callable[[float], Any], None] = None,
    **options: Any,
) -> SweepResult:
    """Runs a model (or solves a problem file, or evaluates a study file) at many points.

    ``over`` are axes of a grid, ``{"e": np.linspace(0, 1, 11), "theta'": [0, 5]}``, the first one slowest; with
    ``random=N``, ranges ``{"e": (0, 1)}`` from which N points are drawn (the point k depends on ``seed`` and k only).
    ``points`` is a table instead: a ``DataFrame``, or a dictionary of columns. Names are those that ``set`` takes:
    parameters, coordinates, rates such as ``theta'``.

    ``measures`` adds columns, formulas of the state: ``{"height": "y", "top": "largest y"}``, at the end of a run,
    or the largest or smallest value on the way.

    Without an ``executor`` all cores of this machine work (or ``threads`` of them). With one, anything that has
    ``submit`` as in ``concurrent.futures``, or a Dask ``Client``, parts are computed there.

    ``out`` is the folder of the dataset. A call with the same arguments completes what is missing there;
    ``fresh=True`` begins again. Options of simulations, such as ``until`` and ``method``, may be given, too.
    """
    spec = _specification(model, {**(dict(set) if set else {})}, options)
    spec["points"] = _points(over, random, seed, points)
    if measures is not None and not hasattr(measures, "items"):
        raise SettingsError("`measures` should be a dictionary of names and formulas")
    if executor is not None and not (hasattr(executor, "submit") or hasattr(executor, "get_executor")):
        raise SettingsError("`executor` should have `submit`, as in concurrent.futures")
    threads = None if threads is None else _count("threads", threads)
    spec["measures"] = [_measure(name, text) for name, text in (measures or {}).items()]
    text = json.dumps({**spec, **({"part_rows": int(part_rows)} if part_rows else {})})
    text = text if part_rows else _carom.Sweep.with_part_rows(text)
    core = _core(text)
    folder = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="carom-sweep-"))
    result = SweepResult(core, json.loads(text), folder)
    report, close = _reporter(progress, core.points)
    try:
        if executor is None:
            _here(core, folder, fresh, threads, report)
        else:
            _elsewhere(core, text, folder, fresh, executor, report)
    finally:
        close()
    return result


def _specification(model: Any, set: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    for name in options:
        if name not in OPTIONS:
            own = ["over", "measures", "random", "seed", "points", "out", "executor", "threads", "part_rows", "fresh", "set"]
            raise SettingsError(unknown_option(name, [*own, *OPTIONS]))
    settings = {f"simulation.{name}": value for name, value in options.items() if value is not None}
    if isinstance(model, System):
        text, file, known = model._core.parts
        given = {**dict(known), **dict(overrides({**set, **settings}))}
        return {"kind": "simulation", "file": Path(file).name, "text": text, "set": given}
    return json.loads(_carom.Sweep.of_file(os.fspath(model), overrides({**set, **settings})))


def _points(over: Optional[Mapping[str, Any]], random: Optional[int], seed: int, points: Any) -> dict[str, Any]:
    if (over is None) == (points is None):
        raise SettingsError("a sweep needs `over` or a table of `points`, and not both")
    if points is not None and not hasattr(points, "keys"):
        raise SettingsError("`points` should be a table: a DataFrame, or a dictionary of columns")
    if points is not None:
        return {"table": [{"name": str(name), "values": _values(name, points[name])} for name in points]}
    assert over is not None
    if random is None:
        return {"grid": [{"name": name, "values": _values(name, values)} for name, values in over.items()]}
    axes = []
    for name, limits in over.items():
        if np.shape(limits) != (2,):
            raise SettingsError(f"random points need a range (from, to) of `{name}`")
        if not float(limits[0]) < float(limits[1]):
            raise SettingsError(f"the range of `{name}` should be (from, to) with from < to")
        axes.append({"name": name, "from": float(limits[0]), "to": float(limits[1])})
    return {"random": {"count": _count("random", random), "seed": _count("seed", seed), "over": axes}}


def _count(option: str, value: Any) -> int:
    try:
        count = operator.index(value)
    except TypeError:
        count = -1
    if count < 1:
        raise SettingsError(f"`{option}` should be a whole number from 1, not {value!r}")
    return count


def _values(name: Any, values: Any) -> list[Any]:
    if str(name) != str(name).strip():
        raise SettingsError(f"`{name}` has spaces around it")
    values = np.asarray(values)
    if values.dtype.kind in "US":
        return [str(value) for value in np.atleast_1d(values)]
    values = np.atleast_1d(values.astype(float))
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise SettingsError(f"`{name}` needs a list of finite numbers")
    return values.tolist()


def _measure(name: str, text: str) -> dict[str, str]:
    first, _, rest = text.partition(" ")
    where, formula = (first, rest) if first in _OVER and rest else ("end", text)
    return {"name": name, "formula": formula, "over": where}


@functools.lru_cache(maxsize=4)
def _core(text: str) -> _carom.Sweep:
    """A sweep that is ready; processes that compute several parts prepare it once."""
    return _carom.Sweep(text)


def compute_part(text: str, part: int) -> bytes:
    """A part of a sweep, in whatever process."""
    return _core(text).part(part)


def _here(core: _carom.Sweep, folder: Path, fresh: bool, threads: Optional[int], report: Any) -> None:
    missing, raised = core.run(folder, fresh, threads, report)
    if raised is not None:
        raise raised
    if missing:
        raise RuntimeError(f"{missing} parts of the sweep are missing")


def _elsewhere(core: _carom.Sweep, text: str, folder: Path, fresh: bool, executor: Any, report: Any) -> None:
    """Parts go to an executor; what comes back is kept at once, whatever happens to the others."""
    missing = core.missing(folder, fresh)
    done = core.points - sum(_size(core, part) for part in missing)
    computed = on_dask.computed if hasattr(executor, "get_executor") else _computed
    failure: Optional[Exception] = None
    with contextlib.closing(computed(executor, compute_part, text, missing)) as results:
        for part, outcome in results:
            try:
                if isinstance(outcome, Exception):
                    raise outcome
                core.store(folder, part, outcome)
            except Exception as error:  # the others go on: what they compute is kept
                failure = failure or error
                continue
            done += _size(core, part)
            if report:
                report(done)
    if failure is not None:
        raise failure


def _computed(
    executor: Any, function: Callable[[str, int], bytes], text: str, parts: list[int]
) -> Iterator[tuple[int, Union[bytes, Exception]]]:
    """Every part with its bytes, or with what went wrong, in the order in which they end."""
    futures = {executor.submit(function, text, part): part for part in parts}
    try:
        for future in concurrent.futures.as_completed(list(futures)):
            try:
                outcome: Union[bytes, Exception] = future.result()
            except Exception as error:
                outcome = error
            yield futures[future], outcome
    finally:
        for future in futures:
            future.cancel()


def _size(core: _carom.Sweep, part: int) -> int:
    first, end = core.range(part)
    return end - first


def _reporter(progress: Any, points: int) -> tuple[Optional[Callable[[float], Any]], Callable[[], None]]:
    if callable(progress):
        return progress, lambda: None
    if progress is False or (progress is None and not is_watched()):
        return None, lambda: None
    bar = Bar(points, "points")
    return bar, bar.close
