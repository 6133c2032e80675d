"""Pictures: what is drawn, where, and how it is labelled."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import carom  # noqa: E402
from carom import plots  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_curves_have_both_sides_of_impacts(ball):
    run = ball.simulate(until=0.8, step=0.1)
    t, v = plots.curve(run, "y'")
    (impact,) = run.impacts
    before, after = np.flatnonzero(t == impact["t"])
    assert after == before + 1
    assert v[before] == impact["v_minus"][1] and v[after] == impact["v_plus"][1]
    assert len(t) == len(run) + 2 and (np.diff(t) >= 0).all()


def test_energies_jump_by_what_impacts_take(ball):
    run = ball.simulate(until=0.8)
    t, energy = plots.curve(run, "energy")
    (before, after) = energy[t == run.impacts[0]["t"]]
    assert after - before == pytest.approx(run.impacts[0]["energy_change"])
    assert energy[0] == pytest.approx(before) and energy[-1] == pytest.approx(after)


def test_backward_runs_are_drawn_in_the_order_of_time(root):
    elastic = carom.System.from_file(root / "examples/bouncing-ball.toml")
    end = elastic.simulate(until=0.8)
    run = elastic.simulate(until=0.8, q=end.q[-1], v=end.v[-1], backward=True)
    t, y = plots.curve(run, "y")
    assert (np.diff(t) >= 0).all() and t[-1] == 0 and y[0] == pytest.approx(1.0)


def test_formulas_gaps_and_columns_without_sides(ball, sleigh):
    run = ball.simulate(until=0.8)
    t, double = plots.curve(run, "2*y")
    assert np.array_equal(double, 2 * plots.curve(run, "y")[1])
    assert plots.curve(run, "floor")[1][t == run.impacts[0]["t"]] == pytest.approx([0, 0], abs=1e-12)
    assert np.isnan(plots.curve(sleigh, "omega")[1]).sum() == 2 * len(sleigh.impacts)
    with pytest.raises(carom.SettingsError, match="`z` is neither"):
        plots.curve(run, "z")


def test_plot_labels_and_marks(ellipse):
    run = ellipse.simulate()
    ax = run.plot()
    assert [line.get_label() for line in ax.lines] == ["theta (rad)", "x (m)", "y (m)"]
    assert ax.get_xlabel() == "t (s)" and len(ax.collections[0].get_segments()) == len(run.impacts)
    _, own = plt.subplots()
    assert run.plot("y'", ax=own, impacts=False, linestyle="--") is own
    assert own.get_ylabel() == "y' (m/s)" and own.lines[0].get_linestyle() == "--" and not own.collections
    assert run.plot(["x", "y"]).get_ylabel() == "(m)"


def test_style_is_that_of_matplotlib(ellipse):
    run = ellipse.simulate()
    with plt.rc_context({"lines.linewidth": 3.5, "axes.prop_cycle": plt.cycler(color=["#123456", "#654321"])}):
        ax = run.plot(["x", "y"])
        phase = run.plot_phase("y")
    assert [line.get_color() for line in ax.lines] == ["#123456", "#654321"]
    assert {line.get_color() for line in phase.lines} == {"#123456"} and ax.lines[0].get_linewidth() == 3.5


def test_phase_and_path(ellipse):
    run = ellipse.simulate()
    phase = run.plot_phase("y", label="height")
    smooth, jumps = phase.lines
    assert smooth.get_label() == "height" and jumps.get_linestyle() == ":"
    # One interruption after each of the three pieces.
    assert np.isnan(smooth.get_xdata()).sum() == 3 and len(jumps.get_xdata()) == 3 * len(run.impacts)
    assert phase.get_xlabel() == "y (m)" and phase.get_ylabel() == "y' (m/s)"
    assert run.plot_phase().get_xlabel() == "theta (rad)"
    path = plots.plot_path(run, "x", "y")
    assert path.get_aspect() == 1.0


def test_all_pictures_can_be_written(ellipse, tmp_path):
    run = ellipse.simulate()
    for number, draw in enumerate((run.plot, run.plot_energy, run.plot_phase)):
        draw().figure.savefig(tmp_path / f"{number}.png")
        assert (tmp_path / f"{number}.png").stat().st_size > 5000


def test_rounding_of_the_energy_is_not_drawn_large(ellipse, ball):
    low, high = ellipse.simulate().plot_energy().get_ylim()
    assert high - low > 1
    _, top = ball.simulate(until=0.8).plot_energy().get_ylim()
    assert top == pytest.approx(20.62, rel=0.2)
