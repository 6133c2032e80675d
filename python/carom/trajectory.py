"""``Trajectory``: a motion as arrays, tables and pictures."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _carom

if TYPE_CHECKING:
    import pandas
    import xarray

    from .system import System

#: Columns with one row per node and one value per name of the list.
_COLUMNS = {
    "q": ("coordinates", "configuration"),
    "v": ("coordinates", "velocity"),
    "p": ("coordinates", "momentum"),
    "w": ("quasivelocities", "quasivelocity"),
    "multipliers": ("constraints", "multiplier of a constraint"),
    "gaps": ("contacts", "gap of a contact"),
    "contact_forces": ("contacts", "normal force of a contact"),
}


class Trajectory:
    """A motion: its nodes as NumPy arrays (not to be written to), and what happened on the way.

    ======================  ==========================================================
    ``t``                   times, shape ``(N,)``
    ``q, v, p``             configurations, velocities, momenta, shape ``(N, n)``
    ``energy``              ``E = v . dL/dv - L``, shape ``(N,)``
    ``gaps``                gaps of the contacts, ``contact_forces`` their normal forces
    ``multipliers``         multipliers of the constraints; ``constraint_error`` their residual
    ``w``                   quasivelocities, if the model has a frame
    ``impacts``             one dictionary per impact; ``modes`` changes of contacts
    ======================  ==========================================================

    ``trajectory["theta"]`` and ``trajectory["theta'"]`` are columns by name.
    """

    def __init__(self, motion: _carom.Motion, system: "System", given: tuple[list, bool] = ([], False)):
        self._motion: Optional[_carom.Motion] = motion
        self.system = system
        self._given = given
        self._arrays: dict[str, Any] = motion.columns
        self.failure: Optional[str] = motion.failure

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """Names of coordinates, constraints, contacts and quasivelocities."""
        return self._core.names

    @cached_property
    def method(self) -> str:
        """The method that computed it."""
        return self._core.method

    @cached_property
    def statistics(self) -> dict[str, Any]:
        """Steps, iterations, seconds."""
        return self._core.statistics

    @cached_property
    def impacts(self) -> list[dict[str, Any]]:
        """One dictionary per impact: time, contacts, law, states and momenta before and after, impulses, energies."""
        return self._core.impacts

    @cached_property
    def modes(self) -> list[dict[str, Any]]:
        """Changes of contacts: when, which, from what, to what, why."""
        return self._core.modes

    @cached_property
    def findings(self) -> list[dict[str, Any]]:
        """What should be looked at: missed or pulling contacts and the like."""
        return self._core.findings

    @property
    def _core(self) -> _carom.Motion:
        if self._motion is None:
            raise TypeError("this trajectory comes from another process: save it there")
        return self._motion

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(f"a trajectory has no `{name}`; its arrays: {', '.join(self._arrays)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self._arrays["invariants"]:
            return self._arrays["invariants"][name]
        for column, suffix in (("q", ""), ("v", "'"), ("p", None), ("w", ""), ("gaps", ""), ("multipliers", "")):
            names = self.names[_COLUMNS[column][0]]
            known = [f"p_{n}" for n in names] if suffix is None else [n + suffix for n in names]
            if name in known:
                return self._arrays[column][:, known.index(name)]
        known = [*self.names["coordinates"], *(n + "'" for n in self.names["coordinates"])]
        raise KeyError(f"there is no column `{name}`; there are {', '.join(known)} and the arrays as attributes")

    def __len__(self) -> int:
        return len(self._arrays["t"])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the run, completed."""
        return json.loads(self.system._core.plan(*self._given))

    @property
    def invariants(self) -> dict[str, np.ndarray]:
        """What should be conserved besides the energy, at each node."""
        return self._arrays["invariants"]

    @property
    def is_complete(self) -> bool:
        """True if the final time was reached."""
        return self.failure is None

    @property
    def energy_error(self) -> float:
        """Largest difference of the energy from that at the start, without what impacts took.

        Where friction, damping, inputs or time do work, that is part of it.
        """
        impacts = sorted((impact["t"], impact["energy_change"]) for impact in self.impacts)
        # Energy that impacts have added before the first one, the second one, ...
        added = np.concatenate([[0.0], np.cumsum([change for _, change in impacts])])
        energy = self.energy - added[np.searchsorted([t for t, _ in impacts], self.t, side="right")]
        return float(np.abs(energy - energy[0]).max()) if len(energy) else 0.0

    def to_xarray(self) -> "xarray.Dataset":
        """An ``xarray.Dataset``: dimensions ``time`` and ``coordinate`` (and more where there are more)."""
        from .tables import to_xarray

        return to_xarray(self)

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row per node, its index the time; columns as in ``nodes.parquet``."""
        from .tables import to_pandas

        return to_pandas(self)

    def impacts_to_pandas(self) -> "pandas.DataFrame":
        """A table with one row per impact."""
        from .tables import impacts_to_pandas

        return impacts_to_pandas(self)

    def plot(self, names: Any = None, *, ax: Any = None, impacts: bool = True, **options: Any) -> Any:
        """Coordinates over time on a matplotlib axis (a new one if none is given); see ``carom.plots``."""
        from .plots import plot

        return plot(self, names, ax=ax, impacts=impacts, **options)

    def plot_energy(self, *, ax: Any = None, **options: Any) -> Any:
        """The energy over time, with what impacts took."""
        from .plots import plot_energy

        return plot_energy(self, ax=ax, **options)

    def plot_phase(self, name: Any = None, *, ax: Any = None, **options: Any) -> Any:
        """A coordinate against its rate; impacts are jumps, drawn dotted."""
        from .plots import plot_phase

        return plot_phase(self, name, ax=ax, **options)

    def animate(self, path: Union[str, os.PathLike, None] = None) -> Any:
        """An animation of the model's drawing: a page without a server; notebooks show it, ``path`` gets it."""
        from .animation import animate

        return animate(self, path)

    def save(self, folder: Union[str, os.PathLike], *, csv: bool = False, plots: bool = True) -> list[Path]:
        """Writes tables, a manifest and pictures as ``carom simulate`` does; the files."""
        settings = json.dumps({**self.settings, "model_file": Path(self.system._core.parts[1]).name})
        files = self._core.write(self.system._core, os.fspath(folder), settings, csv, plots)
        return [Path(file) for file in files]

    def __getstate__(self) -> dict[str, Any]:
        told = ("names", "method", "statistics", "impacts", "modes", "findings")
        return {**self.__dict__, **{name: getattr(self, name) for name in told}, "_motion": None}

    def __repr__(self) -> str:
        end = f"t = {self.t[0]:g} .. {self.t[-1]:g}" if len(self) else "empty"
        impacts = f", {len(self.impacts)} impacts" if self.impacts else ""
        failure = "" if self.is_complete else f", ended early: {self.failure}"
        what = f"{self.system.name!r} by {self.method}"
        return f"<carom.Trajectory of {what}: {len(self)} nodes, {end}{impacts}{failure}>"
