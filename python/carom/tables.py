"""Trajectories as tables: ``xarray`` and ``pandas``."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

if TYPE_CHECKING:
    import pandas
    import xarray

    from .trajectory import Trajectory

#: Arrays with a value per name: their beginning in ``nodes.parquet``, their list of names, dimension and long name.
_VECTORS = {
    "q": ("q", "coordinates", "coordinate", "configuration"),
    "v": ("v", "coordinates", "coordinate", "velocity"),
    "p": ("p", "coordinates", "coordinate", "momentum"),
    "w": ("w", "quasivelocities", "quasivelocity", "quasivelocity"),
    "multipliers": ("lambda", "constraints", "constraint", "multiplier of a constraint"),
    "gaps": ("gap", "contacts", "contact", "gap of a contact"),
    "contact_forces": ("force", "contacts", "contact", "normal force of a contact"),
}

#: Arrays with one value per node.
_NUMBERS = {"energy": "energy", "constraint_error": "residual of the constraints"}

#: States on both sides of an impact, as ``events.parquet`` has them.
_SIDES = ("q", "q_plus", "v_minus", "v_plus", "p_minus", "p_plus")


def to_xarray(trajectory: "Trajectory") -> "xarray.Dataset":
    """A dataset that shares the arrays of the trajectory.

    Dimensions are ``time`` and, where the model has them, ``coordinate``, ``contact``, ``constraint`` and
    ``quasivelocity``. If all coordinates have one unit it is an attribute of ``q``; if not, ``unit`` and ``rate_unit``
    are coordinates along ``coordinate``. The method and the settings of the run are attributes.
    """
    xarray = library("xarray")
    columns: dict[str, Any] = {}
    labels: dict[str, Any] = {"time": ("time", trajectory.t, {"long_name": "time", "units": "s"})}
    for column, (_, names, dimension, long_name) in _VECTORS.items():
        if trajectory.names[names]:
            labels[dimension] = (dimension, list(trajectory.names[names]))
            columns[column] = (("time", dimension), getattr(trajectory, column), {"long_name": long_name})
    for column, long_name in _NUMBERS.items():
        columns[column] = ("time", getattr(trajectory, column), {"long_name": long_name})
    for name, values in trajectory.invariants.items():
        column = name if name not in columns and name not in labels else f"invariant_{name}"
        columns[column] = ("time", values, {"long_name": f"conserved: {name}"})
    _add_units(trajectory, columns, labels)
    return xarray.Dataset(columns, labels, _attributes(trajectory))


def _add_units(trajectory: "Trajectory", columns: dict[str, Any], labels: dict[str, Any]) -> None:
    names = trajectory.names["coordinates"]
    units = [unit_of(trajectory, name) for name in names]
    rates = [unit_of(trajectory, name + "'") for name in names]
    if len(set(units)) > 1:
        labels["unit"] = ("coordinate", [unit or "" for unit in units])
        labels["rate_unit"] = ("coordinate", [rate or "" for rate in rates])
    elif units and units[0]:
        columns["q"][2]["units"], columns["v"][2]["units"] = units[0], rates[0]


def _attributes(trajectory: "Trajectory") -> dict[str, Any]:
    """What files of datasets can keep: texts and numbers."""
    known: dict[str, Any] = {"title": trajectory.system.name, "method": trajectory.method}
    for name, value in trajectory.settings.items():
        if value is not None and name != "method":
            known[name] = value if isinstance(value, (str, int, float)) else json.dumps(value)
    if trajectory.failure:
        known["failure"] = trajectory.failure
    return known


def to_pandas(trajectory: "Trajectory") -> "pandas.DataFrame":
    """A table with one row per node, its index the time ``t``; columns as in ``nodes.parquet``."""
    pandas = library("pandas")
    columns: dict[str, np.ndarray] = {}
    for column, (prefix, names, _, _) in _VECTORS.items():
        for k, name in enumerate(trajectory.names[names]):
            columns[f"{prefix}.{name}"] = getattr(trajectory, column)[:, k]
    for column in _NUMBERS:
        columns[column] = getattr(trajectory, column)
    columns.update(trajectory.invariants)
    return pandas.DataFrame(columns, index=pandas.Index(trajectory.t, name="t"))


def impacts_to_pandas(trajectory: "Trajectory") -> "pandas.DataFrame":
    """A table with one row per impact; its columns are called as those of ``events.parquet``.

    ``contact`` names all contacts that were struck at once, joined by ``+``. Then ``normal_impulse`` is the sum of
    their impulses; in models of several contacts, ``normal_impulse.floor`` and the like tell them apart.
    Tangential impulses are those of the first contact.
    """
    pandas = library("pandas")
    rows = [_row(trajectory, number, impact) for number, impact in enumerate(trajectory.impacts)]
    table = pandas.DataFrame(rows, columns=_impact_columns(trajectory))
    return table.set_index("event")


def _impact_columns(trajectory: "Trajectory") -> list[str]:
    """All columns, so that a motion without impacts has them, too."""
    contacts = trajectory.names["contacts"]
    impulses = [f"normal_impulse.{name}" for name in contacts] if len(contacts) > 1 else []
    impulses = ["normal_impulse", *impulses, "tangential_impulse_1", "tangential_impulse_2"]
    states = [f"{side}.{name}" for side in _SIDES for name in trajectory.names["coordinates"]]
    return ["event", "t", "contact", "law", *impulses, "energy_minus", "energy_change", "iterations", *states]


def _row(trajectory: "Trajectory", number: int, impact: dict[str, Any]) -> dict[str, Any]:
    row = {"event": number, "contact": "+".join(impact["contacts"]), "normal_impulse": sum(impact["impulses"])}
    row.update({name: impact[name] for name in ("t", "law", "energy_minus", "energy_change", "iterations")})
    for name, impulse in zip(impact["contacts"], impact["impulses"]):
        row[f"normal_impulse.{name}"] = impulse
    tangential = impact["tangential"][0] if impact["tangential"] else []
    for axis in range(2):
        row[f"tangential_impulse_{axis + 1}"] = tangential[axis] if axis < len(tangential) else np.nan
    for side in _SIDES:
        row.update({f"{side}.{name}": x for name, x in zip(trajectory.names["coordinates"], impact[side])})
    return row


def unit_of(trajectory: "Trajectory", name: str) -> Optional[str]:
    """The unit of a coordinate ``x`` or of its rate ``x'``, if it is known."""
    if name == "t":
        return "s"
    if name not in trajectory.names["coordinates"] and not name.endswith("'"):
        return None
    unit = trajectory.system.units.get(name.rstrip("'"))
    return unit + "/s" * (len(name) - len(name.rstrip("'"))) if unit else None


def library(name: str) -> Any:
    """A library that is not needed for computing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f'this needs {package}, which is not installed: pip install "carom[all]"') from error


__all__: Sequence[str] = ["impacts_to_pandas", "to_pandas", "to_xarray"]
