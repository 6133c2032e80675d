"""``solve_ivp``: runs with the words of ``scipy.integrate.solve_ivp``.

>>> import carom
>>> ball = carom.System.from_text('''
... lagrangian = "0.5*y'^2 - 9.81*y"
... [coordinates]
... y = 1.0
... [contacts]
... floor = { gap = "y", law = "elastic" }
... ''')
>>> solution = carom.solve_ivp(ball, (0, 1), [1.0, 0.0])
>>> solution.t_events[0].round(4)
array([0.4515])
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

import numpy as np

from .errors import RunError, SettingsError
from .pieces import pieces, states, times
from .system import System
from .trajectory import Trajectory


class Interpolant:
    """The motion between its nodes: ``sol(t)`` is the state ``(q, v)``.

    Between two nodes ``q`` is the cubic polynomial that has the configurations and the velocities of both (Hermite),
    and ``v`` its derivative: with nodes ``h`` apart, errors are of the order ``h^4`` and ``h^3`` besides those of the
    run. No polynomial reaches over an impact. At the very instant of an impact, ``sol`` is the state after it. Where a
    contact begins or ends without an impact, the errors are larger.
    """

    def __init__(self, trajectory: Trajectory, shift: float = 0.0):
        found = [(times(trajectory, piece), *states(trajectory, piece)) for piece in pieces(trajectory)]
        # Several impacts at one instant leave pieces without nodes inside; the last one counts.
        self._pieces = [(t + shift, q, v) for t, q, v in found if len(t)]
        self._begins = np.array([t[0] for t, _, _ in self._pieces])
        self.t_min = float(self._pieces[0][0][0]) if self._pieces else np.nan
        self.t_max = float(self._pieces[-1][0][-1]) if self._pieces else np.nan

    def __call__(self, t: Any) -> np.ndarray:
        t = np.asarray(t, dtype=float)
        if t.ndim > 1:
            raise SettingsError("`t` is a number or a list of numbers")
        flat = np.atleast_1d(t)
        if not ((flat >= self.t_min) & (flat <= self.t_max)).all():
            raise SettingsError(f"the motion is known from t = {self.t_min:g} to {self.t_max:g} only")
        place = np.searchsorted(self._begins, flat, side="right") - 1
        width = 2 * self._pieces[0][1].shape[1]
        values = np.empty((width, len(flat)))
        for k in np.unique(place):
            values[:, place == k] = _hermite(self._pieces[k], flat[place == k])
        return values if t.ndim else values[:, 0]


def _hermite(piece: tuple[np.ndarray, np.ndarray, np.ndarray], t: np.ndarray) -> np.ndarray:
    """States at times within one piece, one column per time."""
    nodes, q, v = piece
    if len(nodes) == 1:
        return np.repeat(np.concatenate([q[0], v[0]])[:, None], len(t), axis=1)
    k = np.clip(np.searchsorted(nodes, t, side="right") - 1, 0, len(nodes) - 2)
    h = (nodes[k + 1] - nodes[k])[:, None]
    s = (t - nodes[k])[:, None] / h
    change, v0, v1 = q[k + 1] - q[k], v[k] * h, v[k + 1] * h
    # q = q0 + v0 s + a s^2 + b s^3 with the values and slopes at s = 0 and s = 1.
    a, b = 3 * change - 2 * v0 - v1, v0 + v1 - 2 * change
    position = q[k] + s * (v0 + s * (a + s * b))
    slope = v[k] + s * (2 * a + 3 * s * b) / h
    # At nodes, the values themselves: the polynomial rounds.
    at_end = t == nodes[k + 1]
    position[at_end], slope[at_end] = q[k + 1][at_end], v[k + 1][at_end]
    return np.concatenate([position, slope], axis=1).T


@dataclass
class Solution:
    """What ``solve_ivp`` returns.

    ================  ==================================================================
    ``t``             times: the nodes of the run, or ``t_eval``
    ``y``             states ``(q, v)`` at these times, shape ``(2n, N)``
    ``t_events``      for each contact of the system, the times of its impacts
    ``y_events``      for each contact, the states just before them, shape ``(k, 2n)``
    ``sol``           the state at any time, see ``Interpolant``
    ``status``        0 if the end was reached, -1 if the run ended early
    ``success``       True if the end was reached
    ``message``       why it ended
    ``nfev``          iterations of the run, as its ``statistics`` count them
    ``trajectory``    the run itself, with its impacts, momenta and energies
    ================  ==================================================================

    ``solution["t"]`` works like ``solution.t``.
    """

    t: np.ndarray
    y: np.ndarray
    t_events: list[np.ndarray]
    y_events: list[np.ndarray]
    sol: Optional[Interpolant]
    status: int
    message: str
    nfev: int
    trajectory: Optional[Trajectory] = field(repr=False)

    @property
    def success(self) -> bool:
        """True if the end was reached."""
        return self.status >= 0

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


def solve_ivp(
    system: Union[System, str, os.PathLike],
    t_span: Sequence[float],
    y0: Optional[Sequence[float]] = None,
    method: str = "taylor",
    t_eval: Optional[Sequence[float]] = None,
    *,
    step: Optional[float] = None,
    **options: Any,
) -> Solution:
    """The motion over ``t_span``, with the arguments and results of ``scipy.integrate.solve_ivp``.

    ``y0`` is the state ``(q, v)`` at the beginning, that of the model if it is None. Spans may run back in time; they
    begin at 0 unless the system does not depend on time. ``method`` is one of ``carom.METHODS["method"]``, ``step`` the
    distance of the nodes; other options are those of ``System.simulate``. ``t_eval`` are the times to tell the state
    at: they are interpolated with errors of the order ``step^4`` in ``q`` and ``step^3`` in ``v`` (see
    ``Interpolant``), whatever the method.

    A run that ends early is a solution with ``success`` False, until where it came.
    """
    for name, instead in (("until", "t_span"), ("backward", "t_span"), ("q", "y0"), ("v", "y0")):
        if name in options:
            raise SettingsError(f"solve_ivp has no option `{name}`: `{instead}` says it")
    system = system if isinstance(system, System) else System.from_file(system)
    begin, end = _span(system, t_span)
    q, v = _start(system, y0)
    given = None if t_eval is None else _checked(t_eval, begin, end)
    settings = {"method": method, "step": step, "until": abs(end - begin), **options}
    message = "the end of t_span was reached"
    trajectory: Optional[Trajectory]
    try:
        trajectory, status = system.simulate(q=q, v=v, backward=end < begin, **settings), 0
    except RunError as error:
        trajectory, status, message = error.trajectory, -1, error.message
    events = _events(system, trajectory.impacts if trajectory else [], begin)
    if trajectory is None or not len(trajectory):
        t, y, sol = np.empty(0), np.empty((2 * len(system.coordinates), 0)), None
        return Solution(t, y, *events, sol, status, message, 0, trajectory)
    sol = Interpolant(trajectory, begin)
    t, y = _states(trajectory, sol, begin, given)
    return Solution(t, y, *events, sol, status, message, int(trajectory.statistics["iterations"]), trajectory)


def _states(trajectory: Trajectory, sol: Interpolant, begin: float, t_eval: Optional[np.ndarray]) -> tuple[Any, Any]:
    """Times and states that are told: those of the nodes, or those that were asked for, as far as the run came."""
    if t_eval is None:
        return trajectory.t + begin, np.concatenate([trajectory.q, trajectory.v], axis=1).T
    t = t_eval[(t_eval >= sol.t_min) & (t_eval <= sol.t_max)]
    return t, sol(t)


def _events(system: System, impacts: list[dict[str, Any]], begin: float) -> tuple[list[Any], list[Any]]:
    """Times of the impacts of each contact, and the states before them."""
    t_events, y_events = [], []
    for contact in system.contacts:
        struck = [impact for impact in impacts if contact in impact["contacts"]]
        rows = [np.concatenate([impact["q"], impact["v_minus"]]) for impact in struck]
        t_events.append(np.array([impact["t"] + begin for impact in struck]))
        y_events.append(np.array(rows).reshape(len(rows), 2 * len(system.coordinates)))
    return t_events, y_events


def _span(system: System, t_span: Sequence[float]) -> tuple[float, float]:
    begin, end = (float(t) for t in t_span)
    if not np.isfinite([begin, end]).all() or begin == end:
        raise SettingsError(f"t_span needs two different times, not ({begin:g}, {end:g})")
    if begin != 0 and system.check()["is_time_dependent"]:
        raise SettingsError(f"the system depends on time: t_span must begin at 0, not at {begin:g}")
    return begin, end


def _start(system: System, y0: Optional[Sequence[float]]) -> tuple[Any, Any]:
    if y0 is None:
        return None, None
    names = system.coordinates
    state = np.asarray(y0, dtype=float)
    if state.shape != (2 * len(names),):
        rates = [name + "'" for name in names]
        raise SettingsError(f"y0 needs {2 * len(names)} numbers: {', '.join([*names, *rates])}")
    return state[: len(names)], state[len(names) :]


def _checked(t_eval: Sequence[float], begin: float, end: float) -> np.ndarray:
    times = np.asarray(t_eval, dtype=float)
    low, high = min(begin, end), max(begin, end)
    if times.ndim != 1 or not ((times >= low) & (times <= high)).all():
        raise SettingsError(f"t_eval needs times from {low:g} to {high:g}")
    return times


__all__: Sequence[str] = ["Interpolant", "Solution", "solve_ivp"]
