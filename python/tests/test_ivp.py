"""``solve_ivp``: against exact motions, and against runs."""

from __future__ import annotations

import numpy as np
import pytest

import carom

G = 9.81


def test_a_bouncing_ball_is_exact(ball):
    """Parabolas are cubic polynomials: nodes far apart do no harm."""
    solution = carom.solve_ivp(ball, (0, 1.0), [0.0, 1.0, 1.0, 0.0], step=0.25)
    fall = np.sqrt(2 / G)
    t = np.linspace(0, 1.0, 101)
    t = t[(t < fall) | (t < 2 * fall)]
    after = t - fall
    height = np.where(t < fall, 1 - G * t**2 / 2, 0.5 * G * fall * after - G * after**2 / 2)
    speed = np.where(t < fall, -G * t, 0.5 * G * fall - G * after)
    assert np.abs(solution.sol(t) - [t, height, np.ones_like(t), speed]).max() < 1e-12
    assert solution.t_events[0][0] == pytest.approx(fall, rel=1e-13)
    assert solution.y_events[0][0] == pytest.approx([fall, 0, 1, -G * fall], abs=1e-12)
    assert solution.success and solution.status == 0 and solution.nfev > 0


def test_nodes_are_those_of_simulate(ellipse):
    solution = carom.solve_ivp(ellipse, (0, 2), method="midpoint")
    run = ellipse.simulate(method="midpoint", until=2.0)
    assert np.array_equal(solution.t, run.t) and np.array_equal(solution.y, np.hstack([run.q, run.v]).T)
    assert np.array_equal(solution.sol(run.t), solution.y)
    assert solution["t"] is solution.t and solution.trajectory.method == "midpoint"
    with pytest.raises(KeyError):
        solution["nothing"]


def test_t_eval_is_interpolated_to_the_order_that_is_told(root):
    pendulum = carom.System.from_file(root / "examples/double-pendulum.toml")
    t = np.linspace(0, 1, 37)
    exact = carom.solve_ivp(pendulum, (0, 1), step=1e-4, t_eval=t).y
    errors = []
    for step in (0.02, 0.01):
        found = carom.solve_ivp(pendulum, (0, 1), step=step, t_eval=t)
        assert np.array_equal(found.t, t)
        errors.append([np.abs(found.y - exact)[rows].max() for rows in (slice(0, 2), slice(2, 4))])
    (q_far, v_far), (q_near, v_near) = errors
    assert 12 < q_far / q_near < 20 and 6 < v_far / v_near < 11


def test_at_impacts_the_state_is_that_after_them(ball):
    solution = carom.solve_ivp(ball, (0, 0.8))
    at = solution.t_events[0][0]
    (impact,) = solution.trajectory.impacts
    assert np.array_equal(solution.sol(at), [*impact["q_plus"], *impact["v_plus"]])
    assert solution.sol(np.nextafter(at, 0))[3] == pytest.approx(impact["v_minus"][1])


def test_spans_back_in_time_and_shifted(root, ball):
    elastic = carom.System.from_file(root / "examples/bouncing-ball.toml")
    there = carom.solve_ivp(elastic, (0, 0.7), method="gauss2", step=0.05)
    back = carom.solve_ivp(elastic, (0.7, 0), there.y[:, -1], method="gauss2", step=0.05)
    assert back.t[0] == 0.7 and back.t[-1] == pytest.approx(0, abs=1e-15)
    assert back.y[:, -1] == pytest.approx(there.y[:, 0], abs=1e-12)
    assert back.t_events[0] == pytest.approx(there.t_events[0])
    t = np.linspace(0, 0.7, 30)
    assert back.sol(np.clip(t, back.sol.t_min, None)) == pytest.approx(there.sol(t), abs=1e-11)
    later = carom.solve_ivp(ball, (10, 10.8))
    assert later.t_events[0] == pytest.approx(10 + np.sqrt(2 / G)) and later.sol(10.0)[1] == 1.0


def test_time_dependent_systems_begin_at_zero(root):
    driven = root / "examples/driven-cart-pole.toml"
    assert carom.solve_ivp(driven, (0, 0.1)).success
    with pytest.raises(carom.SettingsError, match="depends on time"):
        carom.solve_ivp(driven, (1, 2))


def test_early_ends_are_solutions(ball):
    solution = carom.solve_ivp(ball, (0, 5), max_impacts=1, t_eval=[0.1, 0.2, 4.0])
    assert not solution.success and solution.status == -1 and "max_impacts" in solution.message
    assert list(solution.t) == [0.1, 0.2] and solution.y.shape == (4, 2)


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (((0, 1), [1.0]), "y0 needs 4 numbers: x, y, x', y'"),
        (((1, 1),), "two different times"),
        (((0, 1), None, "taylor", [2.0]), "t_eval needs times from 0 to 1"),
        (((0, 1), None, "rk45"), "rk45"),
    ],
)
def test_mistakes_are_told(ball, arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        carom.solve_ivp(ball, *arguments)
    with pytest.raises(carom.SettingsError, match="`t_span` says it"):
        carom.solve_ivp(ball, (0, 1), until=2.0)
    with pytest.raises(carom.SettingsError, match="known from t = 0 to 1"):
        carom.solve_ivp(ball, (0, 1)).sol(1.1)
