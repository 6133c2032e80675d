"""``System``: a mechanical system, what is known of it, and its motions."""

from __future__ import annotations

import difflib
import os
import warnings
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _carom
from .errors import CaromError, Interrupted, ModelError, RunError, SettingsError
from .expressions import text_of
from .function import Function
from .progress import progress_of
from .trajectory import Trajectory

#: What ``simulate`` takes, as ``[simulation]`` of a model file and the command line do.
OPTIONS = ("method", "step", "until", "every", "tolerance", "formulation", "jump", "multiple", "max_impacts")

State = Union[Sequence[float], np.ndarray, Mapping[str, float], None]


class System:
    """A mechanical system: coordinates, a Lagrangian, constraints, forces and contacts.

    It cannot be changed; ``system.set(m=2.0)`` gives another one. Made by ``System.from_file``, ``System.from_text``,
    ``System.from_urdf`` or a ``SystemBuilder``.
    """

    def __init__(self, core: _carom.System):
        self._core = core
        self._functions: dict[str, Function] = {}

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike], *, set: Optional[Mapping[str, Any]] = None) -> "System":
        """Reads a model file; ``set`` replaces parameters and initial values, ``{"m": 2.0, "theta'": "pi/2"}``."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SettingsError(f"`{path}` cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SettingsError(f"`{path}` cannot be read: it is not text in UTF-8") from None
        return cls.from_text(text, name=str(path), set=set)

    @classmethod
    def from_text(cls, text: str, *, name: str = "model.toml", set: Optional[Mapping[str, Any]] = None) -> "System":
        """Reads the text of a model file; ``name`` is what messages call it."""
        return cls(_carom.System.from_text(text, name, overrides(set)))

    @classmethod
    def from_urdf(cls, path: Union[str, os.PathLike], *, base: str = "fixed") -> "System":
        """A robot from a URDF file; ``base`` is ``fixed``, ``planar`` or ``floating``."""
        text = _carom.System.from_urdf(str(path), base)
        return cls.from_text(text, name=Path(path).with_suffix(".toml").name)

    def set(self, values: Optional[Mapping[str, Any]] = None, /, **more: Any) -> "System":
        """The same system with other parameters or initial values."""
        text, file, known = self._core.parts
        given = overrides({**(values or {}), **more})
        names = {name for name, _ in given}
        kept = [pair for pair in known if pair[0] not in names]
        return System(_carom.System.from_text(text, file, kept + given))

    @property
    def name(self) -> str:
        """What it is called."""
        return self._core.name

    @property
    def description(self) -> Optional[str]:
        """What it is, in a sentence or two."""
        return self._core.doc

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates, in order."""
        return tuple(self._core.coordinates)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        return self._core.parameters

    @property
    def contacts(self) -> dict[str, str]:
        """The contacts with their laws."""
        return dict(self._core.contacts)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the control inputs."""
        return tuple(self._core.inputs)

    @property
    def units(self) -> dict[str, str]:
        """Units of coordinates and parameters, where they are known."""
        return self._core.units

    @property
    def initial(self) -> tuple[np.ndarray, np.ndarray]:
        """Initial configuration and velocity ``(q, v)``."""
        q, v = self._core.initial
        return np.array(q), np.array(v)

    @property
    def text(self) -> str:
        """The model file, without what was set afterwards."""
        return self._core.parts[0]

    def save(self, path: Union[str, os.PathLike]) -> Path:
        """Writes the model file. Values that were set afterwards are not part of it, which a warning says."""
        path = Path(path)
        changed = ", ".join(name for name, _ in self._core.parts[2])
        if changed:
            warnings.warn(f"the file has the values before `set`: {changed}", stacklevel=2)
        path.write_text(self.text, encoding="utf-8")
        return path

    def check(self) -> dict[str, Any]:
        """What carom understands of it: degrees of freedom, energy, what is conserved, warnings."""
        return self._core.check()

    def function(self, name: str) -> Function:
        """A compiled function of the state: ``system.function("energy")(q, v)``.

        ``name`` is one of ``carom.FUNCTIONS``, or any formula of the model, such as ``"0.5*m*x'^2"``.
        """
        if name not in self._functions:
            self._functions[name] = Function(self._core.function(name))
        return self._functions[name]

    def simulate(
        self,
        *,
        q: State = None,
        v: State = None,
        interpret: bool = False,
        backward: bool = False,
        inspect: bool = True,
        progress: Union[bool, Callable[[float], Any], None] = None,
        **options: Any,
    ) -> Trajectory:
        """The motion from the initial state, or from ``q`` and ``v``.

        Options are those of ``[simulation]`` and of ``carom simulate``: ``method``, ``step``, ``until``, ``every``,
        ``tolerance``, ``formulation``, ``jump``, ``multiple``, ``max_impacts``; where neither the
        model nor the call says it, ``midpoint`` with steps of 0.01 until 10. ``backward`` runs back in time, which
        only elastic impacts allow; ``inspect`` looks for missed and pulling contacts afterwards; ``progress`` shows a
        bar in runs of several seconds, or is called with the time that was reached.

        A run that ends early raises ``RunError``, Ctrl-C ``Interrupted``: both keep the trajectory until then.
        """
        unknown = [name for name in options if name not in OPTIONS]
        if unknown:
            own = ("q", "v", "interpret", "backward", "inspect", "progress")
            raise SettingsError(unknown_option(unknown[0], [*OPTIONS, *own]))
        settings = [(f"simulation.{name}", as_text(value)) for name, value in options.items() if value is not None]
        q_list, v_list = self._state(q, 0), self._state(v, 1)
        if q_list is not None or v_list is not None:
            self._admit(q_list or self._core.initial[0], v_list or self._core.initial[1])
        try:
            with progress_of(progress, self, settings, interpret) as report:
                run = self._core.simulate(settings, q_list, v_list, interpret, backward, inspect, report)
        except ModelError as error:
            raise _of_options(error) from None
        motion, failure, raised = run
        trajectory = Trajectory(motion, self, (settings, interpret))
        if isinstance(raised, KeyboardInterrupt):
            reached = trajectory.t[-1] if len(trajectory) else 0
            raise Interrupted(f"interrupted at t = {reached:g}", trajectory) from None
        if raised is not None:
            raise raised
        if failure is not None:
            raise RunError(failure, trajectory)
        return trajectory

    def _admit(self, q: list[float], v: list[float]) -> None:
        """Refuses a state that is not on the constraints: a run would move it there without a word."""
        scale = 1.0 + max(map(abs, [*q, *v]), default=0.0)
        wrong = {
            "q is not on the constraints": self.function("constraint")(q),
            "v is not along the constraints": self.function("constraint_jacobian")(q) @ np.array(v),
            "v is not admissible for the velocity constraints": self.function("velocity_constraint")(q, v),
        }
        for what, residuals in wrong.items():
            if residuals.size and np.abs(residuals).max() > 1e-8 * scale**2:
                raise SettingsError(f"{what}: off by {np.abs(residuals).max():.3g}")

    def _state(self, given: State, which: int) -> Optional[list[float]]:
        """Values for the coordinates; those that a dictionary does not name are the initial ones."""
        if given is None:
            return None
        names = self.coordinates
        if isinstance(given, Mapping):
            if which == 1:
                given = {name[:-1] if name.endswith("'") else name: value for name, value in given.items()}
            for name in given:
                if name not in names:
                    raise SettingsError(f"there is no coordinate `{name}`; there are: {', '.join(names)}")
            known = dict(zip(names, self._core.initial[which]))
            known.update(given)
            given = [known[name] for name in names]
        values = np.asarray(given, dtype=float)
        if values.shape != (len(names),) or not np.isfinite(values).all():
            letter = "qv"[which]
            raise SettingsError(f"{letter} needs {len(names)} finite numbers, one for each of: {', '.join(names)}")
        return values.tolist()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._core.parts

    def __repr__(self) -> str:
        contacts = f", contacts: {', '.join(self.contacts)}" if self.contacts else ""
        return f"<carom.System {self.name!r}: {', '.join(self.coordinates)}{contacts}>"


def _restore(text: str, file: str, set: list[tuple[str, str]]) -> System:
    return System(_carom.System.from_text(text, file, set))


def overrides(values: Optional[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Pairs as ``--set`` has them."""
    return [(str(name), as_text(value)) for name, value in (values or {}).items()]


def as_text(value: Any) -> str:
    """A value as the command line has it, to the last bit."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise SettingsError(f"{value} is not a value that can be set: a finite number is")
        return repr(float(value))
    if isinstance(value, _carom.Expr):
        return text_of(value)
    raise SettingsError(f"{value!r} is not a number, a text or an expression")


def _of_options(error: ModelError) -> CaromError:
    """Mistakes in options of a call, without the places that they would have on a command line."""
    if any(found["file"] != "--set" for found in error.diagnostics):
        return error
    told = [f"{found['message']}; {found['help']}" if found["help"] else found["message"] for found in error.diagnostics]
    return SettingsError("\n".join(told))


def unknown_option(name: str, known: Sequence[str]) -> str:
    """What is said of an option that does not exist."""
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    return f"there is no option `{name}`{hint} Options: {', '.join(known)}" if hint else (
        f"there is no option `{name}`; options: {', '.join(known)}"
    )


def simulate(model: Union[System, str, os.PathLike], **options: Any) -> Trajectory:
    """The motion of a system or of a model file; see ``System.simulate``."""
    system = model if isinstance(model, System) else System.from_file(model)
    return system.simulate(**options)
