"""Models by operators are those of model files."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import carom

RANDOM = np.random.default_rng(11)


def _same(a: carom.System, b: carom.System, names=("lagrangian", "energy", "mass")) -> None:
    """Two systems have the same values at random states."""
    assert a.coordinates == b.coordinates
    q, v = RANDOM.uniform(-1, 1, (2, 30, len(a.coordinates)))
    for name in names:
        assert a.function(name)(q, v) == pytest.approx(b.function(name)(q, v), rel=1e-12, abs=1e-12), name


def double_pendulum() -> carom.SystemBuilder:
    """Two rods without mass that carry a body each; angles from straight down, the second one from the first."""
    b = carom.SystemBuilder("Double pendulum")
    m, l, g = b.parameter("m", 1.0, unit="kg"), b.parameter("l", 1.0, unit="m"), b.parameter("g", 9.81)
    b.world(gravity=[0, 0, -g])
    ends = {"mass": m, "centre": [0, 0, -l], "inertia": [0, 0, 0]}
    upper = b.body("upper", joint="revolute", axis="-y", coordinates="theta1", **ends)
    b.body("lower", parent=upper, at=[0, 0, -l], joint="revolute", axis="-y", coordinates="theta2", **ends)
    b.coordinate("theta1", 1.0, unit="rad")
    b.coordinate("theta2", 0.5, unit="rad")
    return b


def test_a_tree_of_bodies_is_the_model_by_formulas(root):
    tree = double_pendulum().build()
    formulas = carom.System.from_file(root / "examples/double-pendulum.toml")
    q, v = RANDOM.uniform(-1, 1, (2, 50, 2))
    # In the file, both angles are from straight down.
    total = np.cumsum(q, axis=1), np.cumsum(v, axis=1)
    ours, theirs = tree.function("energy")(q, v), formulas.function("energy")(*total)
    assert np.ptp(ours - theirs) < 1e-12
    mine = tree.simulate(q=[0.4, 0.2], v=[0, 0], until=1.0, method="taylor")
    file = formulas.simulate(q=[0.4, 0.6], v=[0, 0], until=1.0, method="taylor")
    assert np.cumsum(mine.q[-1]) == pytest.approx(file.q[-1], abs=1e-11)


def test_a_tree_that_was_built_is_the_same_as_its_text():
    b = double_pendulum()
    b.point("tip", "lower", at=[0, 0, "-l"])
    b.contact("wall", point="tip", plane={"normal": [-1, 0, 0], "offset": -1.9}, law="newton", restitution=0.8)
    system = b.build()
    assert system.contacts == {"wall": "newton"}
    _same(system, carom.System.from_text(system.text), ("lagrangian", "mass", "gap"))


def test_contacts_and_their_laws(ball):
    b = carom.SystemBuilder("Ball")
    m, g = b.parameter("m", 2.0), b.parameter("g", 9.81)
    x, y = b.coordinate("x", velocity=1.0, unit="m"), b.coordinate("y", 1.0, unit="m")
    b.energy(0.5 * m * (carom.rate(x) ** 2 + carom.rate(y) ** 2), m * g * y)
    b.contact("floor", y, law="newton", restitution=0.5)
    mine, text = b.build().simulate(until=1.0), ball.simulate(until=1.0)
    assert np.array_equal(mine.q, text.q) and mine.impacts[0]["t"] == text.impacts[0]["t"]


def test_an_impact_law_of_ones_own():
    """A floor that moves things on by a metre and throws them up with two metres per second."""
    b = carom.SystemBuilder("Springboard")
    x, y = b.coordinate("x", 0.0, 1.0), b.coordinate("y", 1.0)
    b.lagrangian = 0.5 * (carom.rate(x) ** 2 + carom.rate(y) ** 2) - 9.81 * y
    b.impact_map("board", y, velocity={y: 2.0, "x": 0.5 * carom.rate(x)}, position={x: x + 1})
    run = b.build().simulate(until=0.6)
    (impact,) = run.impacts
    assert impact["law"] == "reset" and impact["t"] == pytest.approx(np.sqrt(2 / 9.81))
    assert impact["v_plus"] == pytest.approx([0.5, 2.0]) and impact["q_plus"] - impact["q"] == pytest.approx([1, 0])


def test_velocity_constraints_and_frames(root):
    b = carom.SystemBuilder("Sleigh")
    x, y, theta = b.coordinate("x"), b.coordinate("y"), b.coordinate("theta", 0.4)
    b.lagrangian = 0.5 * (carom.rate(x) ** 2 + carom.rate(y) ** 2) + 0.1 * carom.rate(theta) ** 2
    b.velocity_constraint("blade", carom.sin(theta) * carom.rate(x) - carom.cos(theta) * carom.rate(y))
    b.field("speed", {x: carom.cos(theta), y: carom.sin(theta)}, initial=1.0)
    b.field("turning", {"theta": 1.0}, initial=2.0)
    system = b.build()
    run = system.simulate(until=2.0, method="gauss2")
    assert run.names["quasivelocities"] == ["speed", "turning"] and run.names["constraints"] == ["blade"]
    # The blade runs round a circle with the radius 1/2.
    assert run["speed"] == pytest.approx(1.0) and run["turning"] == pytest.approx(2.0)
    centre = np.array([-0.5 * np.sin(0.4), 0.5 * np.cos(0.4)])
    assert np.linalg.norm(run.q[:, :2] - centre, axis=1) == pytest.approx(0.5, abs=1e-6)


def test_holonomic_constraints_forces_and_inputs():
    b = carom.SystemBuilder("Pendulum")
    x, y = b.coordinate("x", 1.0), b.coordinate("y", 0.0)
    push = b.input("push", 0.5, unit="N")
    b.lagrangian = 0.5 * (carom.rate(x) ** 2 + carom.rate(y) ** 2) - 9.81 * y
    b.constraint("rod", x**2 + y**2 - 1)
    b.force(x, push - 0.1 * carom.rate(x))
    system = b.build()
    assert system.inputs == ("push",) and system.units == {"push": "N"}
    assert system.function("force")([1.0, 0.0], [2.0, 0.0]) == pytest.approx([0.3, 0.0])
    assert np.abs(system.simulate(until=1.0).constraint_error).max() < 1e-10


def test_definitions_and_rates():
    b = carom.SystemBuilder("Pendulum")
    theta = b.coordinate("theta", 1.0)
    height = b.define("height", -carom.cos(theta))
    b.lagrangian = 0.5 * (carom.rate(height) ** 2 + b.rate(carom.sin(theta)) ** 2) - 9.81 * height
    energy = b.build().function("energy")
    assert energy([0.3], [2.0]) == pytest.approx(2.0 - 9.81 * np.cos(0.3))


def test_unknown_keys_name_the_good_ones():
    b = double_pendulum()
    b.body("third", parent="lower", joint="revolute", coordinates="theta3", mas=1.0)
    with pytest.raises(carom.ModelError, match="did you mean `mass`.*allowed keys: parent, at"):
        b.build()
    with pytest.raises(carom.SettingsError, match="no section `simulations`; there are: .*simulation"):
        b.section("simulations", step=0.1)
    with pytest.raises(carom.SettingsError, match="`theta1` in .coordinates. already"):
        b.coordinate("theta1")
    bad = carom.SystemBuilder()
    x = bad.coordinate("x")
    bad.lagrangian = 0.5 * carom.rate(x) ** 2
    bad.contact("wall", x, law="elastisch")
    with pytest.raises(carom.ModelError, match="elastisch") as caught:
        bad.build()
    assert "elastic, newton" in str(caught.value)


def test_a_copy_goes_its_own_way():
    b = double_pendulum()
    other = copy.deepcopy(b)
    other.parameter("damping", 0.1)
    other.force("theta1", -0.1 * carom.rate(carom.variable("theta1")))
    assert "damping" not in b.text() and other.build().parameters["damping"] == 0.1


def test_values_can_be_set_while_building():
    b = double_pendulum()
    system = b.build(m=3.0)
    assert system.parameters["m"] == 3.0 and system.set({"theta1": "pi/2"}).initial[0][0] == np.pi / 2
    b.simulation(method="gauss2", step=0.05, until=1.0)
    run = b.build().simulate()
    assert run.method == "gauss2" and len(run) == 21


def _chain(formula: carom.Expr, length: int) -> carom.Expr:
    for _ in range(length):
        formula = carom.sin(formula) + 0.5 * formula
    return formula


def test_long_formulas_can_stand_everywhere():
    """Also where no definition may be used, and where the Lagrangian has the same parts."""
    b = carom.SystemBuilder("Chains")
    a = b.parameter("a", 0.3)
    c = b.parameter("c", _chain(a, 8))
    x, y = b.coordinate("x", _chain(a, 8)), b.coordinate("y", 0.1)
    b.lagrangian = 0.5 * (carom.rate(x) ** 2 + carom.rate(y) ** 2) - _chain(a, 8) - _chain(x, 20) - c
    push = b.input("push", _chain(b.time, 20))
    b.force(x, push)
    b.field("along", {x: 2 + _chain(y, 20)})
    b.field("across", {y: 1})
    b.contact("wall", 5 - _chain(x, 3))
    b.draw("point", at=[_chain(x, 20), y])
    system = b.build()
    value = 0.3
    for _ in range(8):
        value = np.sin(value) + 0.5 * value
    assert system.parameters["c"] == value == system.initial[0][0]
    assert system.simulate(until=0.1).is_complete
    b.parameter("d", _chain(a, 40))
    with pytest.raises(carom.SettingsError, match="too long here"):
        b.build()
