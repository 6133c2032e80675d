"""Compiled functions of the state."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _carom
from .errors import SettingsError


class Function:
    """A compiled function ``f(q, v, t)``, for one state or for arrays of states.

    The last axis of ``q`` and ``v`` is that of the coordinates; axes before it are kept:
    ``v`` may be left away where the function does not depend on it.
    ``energy(q, v)`` of shapes ``(1000, n)`` has the shape ``(1000,)``.
    """

    def __init__(self, core: _carom.Function):
        self._core = core
        self.name: str = core.name
        self.shape: tuple[int, ...] = tuple(core.shape)

    def __call__(self, q: Any, v: Any = None, t: Any = 0.0) -> Any:
        q = np.asarray(q, dtype=float)
        if v is None and self._core.needs_velocity:
            raise SettingsError(f"`{self.name}` depends on the velocity: give q and v")
        v = np.zeros_like(q) if v is None else np.asarray(v, dtype=float)
        if q.shape != v.shape:
            q, v = np.broadcast_arrays(q, v)
        batch = q.shape[:-1]
        count = int(np.prod(batch))
        t = np.ascontiguousarray(np.broadcast_to(np.asarray(t, dtype=float), batch)).reshape(count)
        flat = self._core.evaluate(np.ascontiguousarray(q).reshape(-1), np.ascontiguousarray(v).reshape(-1), t)
        values = flat.reshape(batch + self.shape)
        return values if values.ndim else float(values)

    def derivative(self, with_respect_to: str) -> "Function":
        """The derivative by ``"q"``, ``"v"`` or ``"t"``, exact: a function with one more axis (none for ``t``)."""
        return Function(self._core.derivative(with_respect_to))

    @property
    def operations(self) -> int:
        """Number of instructions per evaluation."""
        return self._core.operations

    def __repr__(self) -> str:
        return f"<carom.Function {self.name}: shape {self.shape}>"
