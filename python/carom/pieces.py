"""The smooth pieces of a motion: what lies between two impacts, with the states at both ends.

Nodes know nothing of the instant of an impact: it lies between two of them. Curves and interpolation need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .trajectory import Trajectory


@dataclass
class Piece:
    """A part of a motion without an impact inside; times grow.

    ``nodes`` says which nodes of the trajectory lie in it. ``before`` is the impact that it begins with, ``after``
    the one that it ends with; None at the ends of the motion.
    """

    nodes: np.ndarray
    before: Any
    after: Any

    def joined(self, values: np.ndarray, first: Any, last: Any) -> np.ndarray:
        """The values of a column at the nodes, with those at the impacts around them."""
        parts = [values[self.nodes]]
        if self.before is not None:
            parts.insert(0, np.asarray(first(self.before), dtype=float)[None])
        if self.after is not None:
            parts.append(np.asarray(last(self.after), dtype=float)[None])
        return np.concatenate(parts)


def pieces(trajectory: "Trajectory") -> list[Piece]:
    """The pieces of a motion in the order of time, also of one that was run backward."""
    t = trajectory.t
    # Runs go one way, so that the order of time is that of the nodes or its reverse.
    order = np.arange(len(t))
    if len(t) > 1 and t[-1] < t[0]:
        order = order[::-1]
    impacts = sorted(trajectory.impacts, key=lambda impact: impact["t"])
    if len(t) > 1 and t[-1] < t[0]:
        # Impacts at one instant are told in the order of the run.
        impacts = sorted(reversed(trajectory.impacts), key=lambda impact: impact["t"])
    times = np.array([impact["t"] for impact in impacts])
    # A node at the very instant of an impact is on one of its sides: the impact tells both.
    order = order[~np.isin(t[order], times)]
    ends = np.searchsorted(t[order], times)
    around = [None, *impacts, None]
    return [Piece(part, around[k], around[k + 1]) for k, part in enumerate(np.split(order, ends))]


def times(trajectory: "Trajectory", piece: Piece) -> np.ndarray:
    """The times of a piece."""
    return piece.joined(trajectory.t, lambda impact: impact["t"], lambda impact: impact["t"])


def states(trajectory: "Trajectory", piece: Piece) -> tuple[np.ndarray, np.ndarray]:
    """Configurations and velocities of a piece, one row per time."""
    q = piece.joined(trajectory.q, lambda impact: impact["q_plus"], lambda impact: impact["q"])
    v = piece.joined(trajectory.v, lambda impact: impact["v_plus"], lambda impact: impact["v_minus"])
    return q, v
