"""Expressions: operators and ufuncs against NumPy, and texts that are read back."""

from __future__ import annotations

import numpy as np
import pytest

import carom

X, Y = carom.variable("x"), carom.variable("y")

RANDOM = np.random.default_rng(7)
#: Points where all functions below are defined.
POINTS = RANDOM.uniform(0.1, 0.9, (20, 2))

OPERATORS = {
    "sum": lambda x, y: x + y - 3,
    "product": lambda x, y: 2 * x * y,
    "quotient": lambda x, y: (1 + x) / (2 - y),
    "power": lambda x, y: x**y + x**2 + x**-1.5 + 2**x,
    "negative": lambda x, y: -x + abs(-y),
    "reflected": lambda x, y: 1 - (2 / x) * +y,
}

UFUNCS = [
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.exp, np.log, np.sqrt,
    np.square, np.reciprocal, np.negative, np.abs,
]


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_those_of_numbers(name):
    formula = OPERATORS[name](X, Y)
    for x, y in POINTS:
        assert formula.evaluate(x=x, y=y) == pytest.approx(OPERATORS[name](x, y), rel=1e-14)


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda ufunc: ufunc.__name__)
def test_ufuncs_of_expressions_and_arrays(ufunc):
    array = ufunc(np.array([[X, Y], [Y, X]], dtype=object))
    assert ufunc(X) == array[0, 0] and array.shape == (2, 2)
    for x, y in POINTS:
        assert ufunc(X).evaluate(x=x) == pytest.approx(float(ufunc(x)), rel=1e-14)
        assert array[1, 0].evaluate(y=y) == pytest.approx(float(ufunc(y)), rel=1e-14)


@pytest.mark.parametrize("ufunc", [np.arctan2, np.hypot, np.minimum, np.maximum, np.power])
def test_ufuncs_of_two(ufunc):
    for x, y in POINTS:
        assert ufunc(X, Y).evaluate(x=x, y=y) == pytest.approx(float(ufunc(x, y)), rel=1e-14)
        assert ufunc(X, 0.5).evaluate(x=x) == pytest.approx(float(ufunc(x, 0.5)), rel=1e-14)


def test_functions_take_numbers_and_expressions():
    assert carom.sin(0.5) == np.sin(0.5) and carom.atan2(1.0, 2.0) == np.arctan2(1.0, 2.0)
    assert carom.sin(X) == np.sin(X) and carom.maximum(X, 1.0).evaluate(x=3.0) == 3.0
    assert carom.where(X < Y, X, 2 * Y).evaluate(x=3.0, y=1.0) == 2.0
    assert carom.sign(X).evaluate(x=-2.0) == -1.0


def test_arrays_of_expressions_are_multiplied_as_matrices():
    q = np.array([X, Y], dtype=object)
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    form = q @ matrix @ q
    for x, y in POINTS:
        assert form.evaluate(x=x, y=y) == pytest.approx(np.array([x, y]) @ matrix @ [x, y], rel=1e-14)
    mixed = np.array([np.float64(0.5), X], dtype=object)
    assert (mixed * X)[0] == 0.5 * X and np.float64(0.5) * X == 0.5 * X and X / np.int64(2) == X / 2
    assert (2.0 * X == X * 2.0) and (np.array([1.0, 2.0]) * X)[1] == 2.0 * X


def test_derivatives_are_exact():
    formula = np.sin(X * Y) / X
    for x, y in POINTS:
        exact = np.cos(x * y) * y / x - np.sin(x * y) / x**2
        assert formula.derivative(X).evaluate(x=x, y=y) == pytest.approx(exact, rel=1e-12)
    with pytest.raises(ValueError, match="variables"):
        formula.derivative(X * Y)


def test_expressions_are_no_numbers():
    with pytest.raises(TypeError, match="carom.where"):
        bool(X < 1)
    with pytest.raises(TypeError, match="evaluate"):
        float(X)
    with pytest.raises(TypeError, match="floor"):
        np.floor(X)
    with pytest.raises(TypeError, match="define"):
        carom.rate(X * Y)
    with pytest.raises(carom.SettingsError, match="`y` has no value"):
        (X + Y).evaluate(x=1.0)
    assert (X < Y).variables == ["x", "y"] and X.name == "x" and (X - X + 2).value == 2


LAGRANGIAN = "0.5*m*(x'^2 + y'^2*cos(x)^2) - k*sqrt(1 + x^2 + y^2)/3 + x'*exp(-y)*atan2(y, 1.5) - min(x, y)*1e-3"


def _by_operators() -> carom.System:
    b = carom.SystemBuilder("Formulas")
    m, k = b.parameter("m", 1.3), b.parameter("k", 0.7)
    x, y = b.coordinate("x", 0.2), b.coordinate("y", 0.4)
    dx, dy = carom.rate(x), carom.rate(y)
    kinetic = 0.5 * m * (dx**2 + dy**2 * carom.cos(x) ** 2)
    potential = k * carom.sqrt(1 + x**2 + y**2) / 3
    b.lagrangian = kinetic - potential + dx * carom.exp(-y) * carom.atan2(y, 1.5) - carom.minimum(x, y) * 1e-3
    return b.build()


def test_operators_and_texts_are_the_same_to_the_bit():
    text = carom.System.from_text(
        f'lagrangian = "{LAGRANGIAN}"\n[parameters]\nm = 1.3\nk = 0.7\n[coordinates]\nx = 0.2\ny = 0.4\n'
    )
    q, v = RANDOM.uniform(-1, 1, (2, 100, 2))
    mine = _by_operators()
    assert np.array_equal(mine.function("lagrangian")(q, v), text.function("lagrangian")(q, v))
    again = carom.System.from_text(mine.text)
    assert np.array_equal(mine.function("lagrangian")(q, v), again.function("lagrangian")(q, v))


def test_numbers_are_kept_to_the_bit():
    for number in (0.1, 1 / 3, 1e-300, 6.02214076e23, np.nextafter(1.0, 2.0)):
        b = carom.SystemBuilder()
        x = b.coordinate("x", number)
        b.lagrangian = 0.5 * carom.rate(x) ** 2 - number * x
        system = b.build()
        assert system.initial[0][0] == number and system.function("lagrangian")([1.0], [0.0]) == -number


def test_long_chains_keep_small_texts():
    """Every formula uses the one before it twice: without shared parts the text doubles each time."""
    b = carom.SystemBuilder("Chain")
    x = b.coordinate("x", 0.3)
    formula = x
    for _ in range(60):
        formula = carom.sin(formula) + 0.5 * formula
    b.lagrangian = 0.5 * carom.rate(x) ** 2 - formula
    assert len(b.text()) < 10_000
    value = 0.3
    for _ in range(60):
        value = np.sin(value) + 0.5 * value
    assert b.build().function("lagrangian")([0.3], [0.0]) == pytest.approx(-value, rel=1e-13)
