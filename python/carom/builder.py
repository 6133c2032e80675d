"""Models by operators: every method fills a section of a model file, whose reader then checks it.

>>> import carom
>>> b = carom.SystemBuilder("Pendulum")
>>> g, l = b.parameter("g", 9.81, unit="m/s^2"), b.parameter("l", 1.0, unit="m")
>>> theta = b.coordinate("theta", initial=1.0, periodic=True)
>>> b.lagrangian = 0.5 * l**2 * carom.rate(theta) ** 2 + g * l * carom.cos(theta)
>>> b.build().coordinates
('theta',)
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

from . import _carom
from ._carom import Expr
from .errors import SettingsError
from .expressions import Formula, rate, text_of
from .system import System
from .toml import write

#: Sections whose formulas may use definitions; long parts of them become such. The others have parameters only.
_SHARING = (
    "lagrangian", "definitions", "energy", "forces", "constraints", "velocity_constraints", "frame", "contacts",
    "inputs", "draw",
)


class SystemBuilder:
    """Collects the parts of a model; ``build()`` makes a ``System`` of them.

    Formulas are expressions (``carom.sin(theta)``), texts as in model files (``"sin(theta)"``) or numbers.
    """

    def __init__(self, name: str = "model", description: Optional[str] = None):
        self._sections: dict[str, Any] = {"name": name}
        if description:
            self._sections["description"] = description

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "lagrangian" and not name.startswith("_"):
            raise AttributeError(f"a builder has no attribute `{name}` to be set; `lagrangian` can be")
        super().__setattr__(name, value)

    def parameter(self, name: str, value: Formula, *, unit: Optional[str] = None, doc: Optional[str] = None) -> Expr:
        """A number with a name; a formula of other parameters may stand for it."""
        return self._add("parameters", name, {"value": value, "unit": unit, "doc": doc}, plain="value")

    def coordinate(
        self,
        name: str,
        initial: Formula = 0.0,
        velocity: Optional[Formula] = None,
        *,
        periodic: Any = None,
        unit: Optional[str] = None,
        doc: Optional[str] = None,
    ) -> Expr:
        """A generalised coordinate with its initial state; ``carom.rate`` gives its rate.

        It begins at rest if neither ``velocity`` nor a field of the frame says otherwise.
        """
        entry = {"initial": initial, "velocity": velocity, "periodic": periodic, "unit": unit, "doc": doc}
        return self._add("coordinates", name, entry)

    def define(self, name: str, formula: Formula) -> Expr:
        """A formula with a name; ``carom.rate`` of it is its rate along the motion, derived exactly."""
        return self._add("definitions", name, formula)

    def input(self, name: str, signal: Formula = 0.0, *, unit: Optional[str] = None, doc: Optional[str] = None) -> Expr:
        """A control input with the signal that drives it in simulations."""
        return self._add("inputs", name, {"signal": signal, "unit": unit, "doc": doc})

    @property
    def time(self) -> Expr:
        """The variable of time."""
        return _carom.variable("t")

    @property
    def lagrangian(self) -> Any:
        """The Lagrangian ``L(q, v, t)``."""
        return self._sections.get("lagrangian")

    @lagrangian.setter
    def lagrangian(self, formula: Formula) -> None:
        self._sections["lagrangian"] = formula

    def energy(self, kinetic: Formula, potential: Formula = 0.0) -> None:
        """The Lagrangian as ``kinetic - potential``."""
        self._sections["energy"] = {"kinetic": kinetic, "potential": potential}

    def force(self, coordinate: Any, formula: Formula) -> None:
        """A generalised force along a coordinate."""
        self._add("forces", _name_of(coordinate), formula)

    def constraint(self, name: str, formula: Formula) -> None:
        """A holonomic constraint ``g(q) = 0``."""
        self._add("constraints", name, formula)

    def velocity_constraint(self, name: str, formula: Formula) -> None:
        """A constraint that is linear in the rates, ``omega(q) . v = 0``."""
        self._add("velocity_constraints", name, formula)

    def field(self, name: str, components: Mapping[Any, Formula], **options: Any) -> None:
        """A vector field of the frame, ``{coordinate: component}``; its quasivelocity has its name."""
        field = {_name_of(coordinate): value for coordinate, value in components.items()}
        self._add("frame", name, {"field": field, **options})

    def contact(self, name: str, gap: Optional[Formula] = None, *, law: str = "elastic", **options: Any) -> None:
        """A unilateral contact ``gap >= 0`` with an impact law; ``carom.LAWS`` has their names.

        Options are the keys of ``[contacts]`` and of the law: ``restitution``, ``friction``, ``tangent``, ...
        """
        self._add("contacts", name, {"gap": gap, "law": law, **options})

    def impact_map(
        self,
        name: str,
        gap: Formula,
        *,
        velocity: Mapping[Any, Formula],
        position: Optional[Mapping[Any, Formula]] = None,
        **options: Any,
    ) -> None:
        """An impact law of your own: formulas of the state before the impact for the state after it.

        ``velocity`` and ``position`` are ``{coordinate: formula}``; what is not named stays as it is.
        """
        law = {"velocity": _by_name(velocity)}
        if position:
            law["position"] = _by_name(position)
        self.contact(name, gap, law="reset", **law, **options)

    def world(self, **options: Any) -> None:
        """Gravity on bodies, ``[0, 0, -9.81]``, and the view of pictures: the keys of ``[world]``."""
        self._sections["world"] = options

    def body(self, name: str, *, joint: Any = None, parent: Optional[str] = None, **options: Any) -> str:
        """A rigid body of a tree: the keys of ``[bodies]``, such as ``mass``, ``inertia`` and ``joint``.

        Returns its name, for bodies that hang on it.
        """
        self._add("bodies", name, {"parent": parent, "joint": joint, **options})
        return name

    def point(self, name: str, body: str, **options: Any) -> str:
        """A point of a body: the keys of ``[points]``; contacts, loops and springs refer to it."""
        self._add("points", name, {"body": body, **options})
        return name

    def loop(self, name: str, **options: Any) -> None:
        """A joint that closes a loop of bodies: the keys of ``[loops]``."""
        self._add("loops", name, options)

    def spring(self, name: str, **options: Any) -> None:
        """A spring or damper between two points: the keys of ``[springs]``."""
        self._add("springs", name, options)

    def draw(self, shape: str, *, color: Optional[str] = None, trace: Optional[bool] = None, **options: Any) -> None:
        """Something to draw: ``draw("circle", center=[x, y], radius=r)``."""
        self._sections.setdefault("draw", []).append(_clean({"type": shape, "color": color, "trace": trace, **options}))

    def section(self, name: str, **entries: Any) -> None:
        """Any section of a model file as it stands there."""
        known = _carom.schema()
        if name not in known:
            raise SettingsError(f"there is no section `{name}`; there are: {', '.join(known)}")
        self._sections.setdefault(name, {}).update(_clean(entries))

    def simulation(self, **settings: Any) -> None:
        """Settings of simulations: ``method``, ``step``, ``until``, ..."""
        self.section("simulation", **settings)

    def rate(self, formula: Expr) -> Expr:
        """The rate of a formula of coordinates and time: ``df/dq . v + df/dt``."""
        total = formula.derivative(self.time)
        for name in self._sections.get("coordinates", {}):
            coordinate = _carom.variable(name)
            total = total + formula.derivative(coordinate) * rate(coordinate)
        return total

    def text(self) -> str:
        """The model file."""
        sections, definitions = _texts(self._sections)
        if definitions:
            own = sections.pop("definitions", {})
            sections = {**sections, "definitions": {**own, **dict(definitions)}}
        return write(sections)

    def build(self, **set: Any) -> System:
        """The system, checked; keyword arguments replace parameters and initial values."""
        return System.from_text(self.text(), name=f"{self._sections['name']}.toml", set=set)

    def _add(self, section: str, name: str, entry: Any, plain: Optional[str] = None) -> Expr:
        if not isinstance(name, str):
            raise SettingsError(f"{name!r} is no name: a text is")
        entries = self._sections.setdefault(section, {})
        if name in entries:
            raise SettingsError(f"there is `{name}` in [{section}] already")
        if isinstance(entry, dict):
            entry = _clean(entry)
            if plain is not None and set(entry) == {plain}:
                entry = entry[plain]
        entries[name] = entry
        return _carom.variable(name)


def _clean(entry: Mapping[str, Any]) -> dict[str, Any]:
    # `from` is a word of Python: `from_` stands for it.
    return {key.rstrip("_"): value for key, value in entry.items() if value is not None}


def _name_of(coordinate: Any) -> str:
    return coordinate if isinstance(coordinate, str) else str(coordinate.name)


def _by_name(formulas: Mapping[Any, Formula]) -> dict[str, Formula]:
    return {_name_of(coordinate): formula for coordinate, formula in formulas.items()}


def _texts(sections: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The same with texts for expressions; long ones share definitions, short ones stand for themselves."""
    shared = [formula for section in _SHARING for formula in _expressions(sections.get(section))]
    definitions, texts = _carom.texts(shared, _unused("part", sections))
    known = dict(zip(shared, texts))
    written = {
        name: _with_texts(section, known.__getitem__ if name in _SHARING else text_of)
        for name, section in sections.items()
    }
    return written, definitions


def _with_texts(value: Any, text: Callable[[Expr], str]) -> Any:
    """A section, a list or a value with texts for its expressions."""
    if isinstance(value, Expr):
        return text(value) if value.value is None else value.value
    if isinstance(value, Mapping):
        return {key: _with_texts(entry, text) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_texts(entry, text) for entry in value]
    return value


def _expressions(value: Any) -> Iterable[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _expressions(entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _expressions(entry)


def _unused(prefix: str, sections: Mapping[str, Any]) -> str:
    """A beginning that no name has."""
    names = [name for section in sections.values() if isinstance(section, Mapping) for name in section]
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix


__all__: Sequence[str] = ["SystemBuilder"]
