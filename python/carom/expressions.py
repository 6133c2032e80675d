"""Formulas by operators: ``0.5 * m * x.rate**2 - k * cos(x)``.

Functions take expressions and numbers; NumPy's ufuncs work on expressions, too, and on arrays of them.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Union

import numpy as np

from . import _carom
from ._carom import Expr
from .errors import SettingsError

#: Characters of a formula that still make a model file.
_LONGEST = 100_000

Formula = Union[Expr, float, int, str]

pi = np.pi

#: NumPy's name of a function, where it differs from ours.
_NUMPY_NAMES = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "absolute": "abs",
    "fabs": "abs",
    "minimum": "min",
    "maximum": "max",
}

#: Ufuncs that are operators.
_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "true_divide": lambda a, b: a / b,
    "power": lambda a, b: a**b,
    "float_power": lambda a, b: a**b,
    "negative": lambda a: -a,
    "positive": lambda a: a,
    "square": lambda a: a * a,
    "reciprocal": lambda a: 1.0 / a,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
    "hypot": lambda a, b: _carom.apply("sqrt", [a * a + b * b]),
}


def variable(name: str) -> Expr:
    """The variable called ``name``; the same name gives the same variable."""
    return _carom.variable(name)


def rate(expression: Expr) -> Expr:
    """The rate ``x'`` of a coordinate or of a definition ``x``."""
    name = expression.name
    if name is None:
        raise TypeError("only variables have rates here: name the formula with SystemBuilder.define first")
    return _carom.variable(name + "'")


def where(condition: Any, a: Any, b: Any) -> Expr:
    """``a`` where the condition holds, else ``b``."""
    if isinstance(condition, (bool, np.bool_)):
        raise TypeError("the condition is a plain truth value; `==` of expressions compares formulas: use carom.equal")
    return _carom.apply("if", [condition, a, b])


def text_of(expression: Expr) -> str:
    """The text of an expression that stands for itself: it shares no definitions."""
    prefix = "part"
    while any(name.startswith(prefix) for name in expression.variables):
        prefix += "_"
    definitions, (text,) = _carom.texts([expression], prefix)
    if not definitions:
        return text
    # Definitions use those before them.
    known: dict[str, str] = {}

    def whole(part: str) -> str:
        return re.sub(rf"\b{prefix}\d+\b", lambda found: f"({known[found[0]]})", part)

    for name, part in definitions:
        known[name] = whole(part)
        if len(known[name]) > _LONGEST:
            raise SettingsError("the formula is too long here: name its parts with SystemBuilder.define or parameter")
    return whole(text)


def equal(a: Any, b: Any) -> Any:
    """1 where two expressions have the same value, else 0; ``==`` says whether they are the same formula."""
    return 1.0 - abs(sign(a - b))


def _function(name: str, doc: str) -> Callable[..., Any]:
    def function(*arguments: Any) -> Any:
        if any(isinstance(argument, Expr) for argument in arguments):
            return _carom.apply(name, list(arguments))
        return _numpy(name)(*arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _numpy(name: str) -> Any:
    theirs = {ours: numpy for numpy, ours in reversed(list(_NUMPY_NAMES.items()))}.get(name, name)
    return getattr(np, theirs)


sin = _function("sin", "The sine.")
cos = _function("cos", "The cosine.")
tan = _function("tan", "The tangent.")
asin = _function("asin", "The angle whose sine it is.")
acos = _function("acos", "The angle whose cosine it is.")
atan = _function("atan", "The angle whose tangent it is.")
atan2 = _function("atan2", "The angle of the point ``(x, y)``: ``atan2(y, x)``.")
sinh = _function("sinh", "The hyperbolic sine.")
cosh = _function("cosh", "The hyperbolic cosine.")
tanh = _function("tanh", "The hyperbolic tangent.")
exp = _function("exp", "The exponential function.")
log = _function("log", "The natural logarithm.")
sqrt = _function("sqrt", "The square root.")
sign = _function("sign", "The sign: -1, 0 or 1.")
minimum = _function("min", "The smaller of two.")
maximum = _function("max", "The larger of two.")


def _add_methods() -> None:
    """On arrays of expressions, NumPy asks each element for a method that is called as the ufunc; so does ``copy``."""
    ours = {numpy: name for numpy, name in _NUMPY_NAMES.items() if numpy.startswith("arc")}
    same = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")
    for numpy, name in {**ours, **dict(zip(same, same))}.items():
        setattr(Expr, numpy, _named(name))
    setattr(Expr, "hypot", _OPERATORS["hypot"])
    # Expressions never change: a copy is the same one.
    setattr(Expr, "__copy__", lambda self: self)
    setattr(Expr, "__deepcopy__", lambda self, _: self)


def _ufunc(ufunc: Any, method: str, inputs: tuple, options: Any) -> Any:
    """NumPy's ufuncs on expressions, element by element if there are arrays."""
    if method != "__call__" or options:
        return NotImplemented
    name = ufunc.__name__
    operator = _OPERATORS.get(name)
    one = _plain(operator) if operator else _named(_NUMPY_NAMES.get(name, name))
    if not any(isinstance(x, np.ndarray) for x in inputs):
        return one(*inputs)
    boxed = [x if isinstance(x, np.ndarray) else _box(x) for x in inputs]
    elementwise: Any = np.frompyfunc(one, len(inputs), 1)
    return elementwise(*boxed)


def _named(name: str) -> Callable[..., Expr]:
    return lambda *arguments: _carom.apply(name, [_operand(a) for a in arguments])


def _plain(operator: Callable[..., Any]) -> Callable[..., Any]:
    """An operator on numbers of Python: those of NumPy would ask here again."""
    return lambda *arguments: operator(*(_operand(a) for a in arguments))


def _operand(value: Any) -> Any:
    return value if isinstance(value, Expr) else float(value)


def _box(value: Any) -> np.ndarray:
    """An array of one object: NumPy would ask the expression again."""
    box = np.empty((), dtype=object)
    box[()] = value
    return box


_add_methods()
