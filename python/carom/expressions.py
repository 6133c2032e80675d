"""Formulas by operators: ``0.5 * m * x.rate**2 - k * cos(x)``.

Functions take expressions and numbers; NumPy's ufuncs work on expressions, too, and on arrays of them.
"""

from __future__ import annotations

from typing import Any, Callable, Union

import numpy as np

from . import _carom
from ._carom import Expr

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
    return _carom.apply("if", [condition, a, b])


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


def _ufunc(ufunc: Any, method: str, inputs: tuple, options: Any) -> Any:
    """NumPy's ufuncs on expressions, element by element if there are arrays."""
    if method != "__call__" or options:
        return NotImplemented
    name = ufunc.__name__
    one = _OPERATORS.get(name) or _named(_NUMPY_NAMES.get(name, name))
    if not any(isinstance(x, np.ndarray) for x in inputs):
        return one(*inputs)
    boxed = [x if isinstance(x, np.ndarray) else _box(x) for x in inputs]
    elementwise: Any = np.frompyfunc(one, len(inputs), 1)
    return elementwise(*boxed)


def _named(name: str) -> Callable[..., Expr]:
    return lambda *arguments: _carom.apply(name, [a if isinstance(a, Expr) else float(a) for a in arguments])


def _box(value: Any) -> np.ndarray:
    """An array of one object: NumPy would ask the expression again."""
    box = np.empty((), dtype=object)
    box[()] = value
    return box
