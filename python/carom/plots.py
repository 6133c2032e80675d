"""Pictures by matplotlib, in the style that is set there.

Every function draws on the axis that it is given, or on a new one, and returns it. Other keywords go to
``ax.plot``. Names are those of ``trajectory["..."]`` (``"theta"``, ``"theta'"``, a contact for its gap), ``"energy"``,
or formulas of the model (``"l*sin(theta)"``). Curves have both sides of every impact, so that jumps are where they
happened and not between nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

import numpy as np

from .pieces import Piece, pieces, states, times
from .tables import library, unit_of

if TYPE_CHECKING:
    from .trajectory import Trajectory

Names = Union[str, Sequence[str], None]

#: Columns that impacts know both sides of, with the ends and beginnings of names.
_KNOWN = (("q", "", "", "q", "q_plus"), ("v", "", "'", "v_minus", "v_plus"), ("p", "p_", "", "p_minus", "p_plus"))


#: Share of the energy below which a change is not worth a picture.
_ROUNDING = 1e-9


def plot(trajectory: "Trajectory", names: Names = None, *, ax: Any = None, impacts: bool = True, **options: Any) -> Any:
    """Columns or formulas over time: all coordinates if no ``names`` are given; thin lines where impacts are."""
    ax = _axis(ax)
    names = _listed(names) or list(trajectory.names["coordinates"])
    units = {unit_of(trajectory, name) for name in names}
    for name in names:
        text = name if len(units) == 1 else _label(trajectory, name)
        t, values = curve(trajectory, name)
        ax.plot(t, values, **{"label": text, **options})
    if impacts:
        _mark(trajectory, ax)
    shared = next(iter(units)) if len(units) == 1 else None
    ax.set_ylabel(_label(trajectory, names[0]) if len(names) == 1 else f"({shared})" if shared else "")
    ax.set_xlabel(_label(trajectory, "t"))
    if len(names) > 1:
        ax.legend()
    return ax


def plot_energy(trajectory: "Trajectory", *, ax: Any = None, impacts: bool = True, **options: Any) -> Any:
    """The energy over time; what impacts take is a jump.

    A new axis does not show rounding: ``trajectory.energy_error`` tells it.
    """
    fresh = ax is None
    ax = plot(trajectory, "energy", ax=ax, impacts=impacts, **options)
    if fresh and len(trajectory):
        scale = np.abs(trajectory.energy).max()
        if np.ptp(trajectory.energy) < _ROUNDING * scale:
            ax.set_ylim(trajectory.energy[0] - 0.1 * scale, trajectory.energy[0] + 0.1 * scale)
    return ax


def plot_phase(trajectory: "Trajectory", name: Optional[str] = None, *, ax: Any = None, **options: Any) -> Any:
    """A coordinate (the first one if none is named) against its rate; impacts are jumps, drawn dotted."""
    name = name or trajectory.names["coordinates"][0]
    return _plane(trajectory, name, name + "'", _axis(ax), options)


def plot_path(trajectory: "Trajectory", x: str, y: str, ax: Any = None, **options: Any) -> Any:
    """One column or formula against another, such as the path of a point; jumps are drawn dotted.

    A new axis has the same scale both ways if the units do not speak against it.
    """
    fresh = ax is None
    ax = _plane(trajectory, x, y, _axis(ax), options)
    if fresh and unit_of(trajectory, x) == unit_of(trajectory, y):
        ax.set_aspect("equal", adjustable="datalim")
    return ax


def curve(trajectory: "Trajectory", name: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of a column or of a formula, with two values at every impact: before and after it.

    Where a column is not known at impacts (forces, multipliers), not-a-number interrupts it.
    """
    parts = _parts(trajectory, name)
    if not parts:
        return np.empty(0), np.empty(0)
    return np.concatenate([t for t, _ in parts]), np.concatenate([values for _, values in parts])


def _parts(trajectory: "Trajectory", name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    values = _values(trajectory, name)
    return [(times(trajectory, piece), values(piece)) for piece in pieces(trajectory)]


def _values(trajectory: "Trajectory", name: str) -> Callable[[Piece], np.ndarray]:
    """The values of a column or of a formula on a piece."""
    if name == "t":
        return lambda piece: times(trajectory, piece)
    if name == "energy":
        return lambda piece: piece.joined(
            trajectory.energy, lambda i: i["energy_minus"] + i["energy_change"], lambda i: i["energy_minus"]
        )
    for column, begin, end, minus, plus in _KNOWN:
        for k, coordinate in enumerate(trajectory.names["coordinates"]):
            if name == begin + coordinate + end:
                return _column(getattr(trajectory, column)[:, k], minus, plus, k)
    for k, contact in enumerate(trajectory.names["contacts"]):
        if name == contact:
            return _formula(trajectory, "gap", k)
    try:
        column_values = trajectory[name]
    except KeyError:
        return _formula(trajectory, name)
    return lambda piece: piece.joined(column_values, lambda _: np.nan, lambda _: np.nan)


def _column(values: np.ndarray, minus: str, plus: str, k: int) -> Callable[[Piece], np.ndarray]:
    return lambda piece: piece.joined(values, lambda impact: impact[plus][k], lambda impact: impact[minus][k])


def _formula(trajectory: "Trajectory", name: str, k: Optional[int] = None) -> Callable[[Piece], np.ndarray]:
    function = trajectory.system.function(name)

    def values(piece: Piece) -> np.ndarray:
        found = function(*states(trajectory, piece), times(trajectory, piece))
        return found if k is None else found[:, k]

    return values


def _plane(trajectory: "Trajectory", x: str, y: str, ax: Any, options: dict[str, Any]) -> Any:
    across, up = _parts(trajectory, x), _parts(trajectory, y)
    color, label = options.pop("color", None), options.pop("label", None)
    # The smooth parts are one line, interrupted; all of it takes one colour of the cycle.
    gap = np.array([np.nan])
    smooth = [np.concatenate([part for _, piece in parts for part in (piece, gap)]) for parts in (across, up)]
    (line,) = ax.plot(*smooth, **({} if color is None else {"color": color}), label=label, **options)
    jumps: list[list[float]] = [[], []]
    for axis, parts in enumerate((across, up)):
        for (_, before), (_, after) in zip(parts, parts[1:]):
            jumps[axis] += [before[-1], after[0], np.nan]
    if jumps[0]:
        width = 0.5 * line.get_linewidth()
        ax.plot(*jumps, color=line.get_color(), linestyle=":", linewidth=width, zorder=line.get_zorder())
    ax.set_xlabel(_label(trajectory, x))
    ax.set_ylabel(_label(trajectory, y))
    return ax


def _mark(trajectory: "Trajectory", ax: Any) -> None:
    """Thin vertical lines at impacts, behind everything else."""
    at = [impact["t"] for impact in trajectory.impacts]
    if not at:
        return
    style = library("matplotlib").rcParams
    width, color = 0.5 * style["lines.linewidth"], style["grid.color"]
    ax.vlines(at, 0, 1, transform=ax.get_xaxis_transform(), colors=color, linewidths=width, zorder=0.5)


def _axis(ax: Any) -> Any:
    return library("matplotlib.pyplot").subplots()[1] if ax is None else ax


def _listed(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names or [])


def _label(trajectory: "Trajectory", name: str) -> str:
    unit = unit_of(trajectory, name)
    return f"{name} ({unit})" if unit else name


__all__: Sequence[str] = ["curve", "plot", "plot_energy", "plot_path", "plot_phase"]
