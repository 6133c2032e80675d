"""Systems and runs: errors, interruptions, threads, pickling, arrays, functions."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import carom


def test_mistakes_of_models_have_a_place():
    text = 'lagrangian = "0.5*x\'^2 - z"\n[coordinates]\nx = 1.0\n'
    with pytest.raises(carom.ModelError) as caught:
        carom.System.from_text(text, name="mine.toml")
    (found,) = caught.value.diagnostics
    assert (found["file"], found["line"], found["column"]) == ("mine.toml", 1, 26)
    assert found["code"] == "unknown-name" and "known names: t, x" in found["help"]
    assert isinstance(caught.value, (carom.CaromError, ValueError)) and "mine.toml:1:26" in str(caught.value)


def test_mistakes_of_settings_name_the_good_ones(ball, tmp_path):
    with pytest.raises(carom.SettingsError, match="did you mean `step`"):
        ball.simulate(stp=0.1)
    with pytest.raises(carom.SettingsError, match="no coordinate `z`; there are: x, y"):
        ball.simulate(q={"z": 1.0})
    with pytest.raises(carom.SettingsError, match="q needs 2 finite numbers"):
        ball.simulate(q=[1.0])
    with pytest.raises(carom.SettingsError, match="v needs 2 finite numbers"):
        ball.simulate(v=[1.0, np.nan])
    with pytest.raises(carom.ModelError, match="values that can be set: m, g"):
        ball.set(mass=1.0)
    with pytest.raises(carom.SettingsError, match="cannot be read"):
        carom.System.from_file(tmp_path / "none.toml")
    with pytest.raises(carom.SettingsError, match="elastic"):
        ball.simulate(backward=True)


def test_runs_that_end_early_keep_what_they_have(ball):
    with pytest.raises(carom.RunError, match="max_impacts") as caught:
        ball.simulate(until=5.0, max_impacts=1)
    run = caught.value.trajectory
    assert len(run.impacts) == 1 and not run.is_complete and "max_impacts" in run.failure
    assert run.t[-1] == pytest.approx(run.impacts[0]["t"], abs=1.5)
    again = pickle.loads(pickle.dumps(caught.value))
    assert np.array_equal(again.trajectory.q, run.q) and str(again) == str(caught.value)


def test_exceptions_can_be_pickled():
    for error in (
        carom.ModelError("wrong", [{"line": 3}]),
        carom.SettingsError("wrong"),
        carom.CommandError("wrong", (3, {"a": 1})),
        carom.Interrupted("stopped"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error) and again.__dict__ == error.__dict__


_LONG = """
import sys, carom
system = carom.System.from_file(sys.argv[1])
def report(time):
    print("running", flush=True)
try:
    system.simulate(until=1e6, step=1e-4, every=1000, progress=report)
except carom.Interrupted as interrupted:
    run = interrupted.trajectory
    print("kept", len(run) > 1 and run.t[-1] > 0 and isinstance(interrupted, KeyboardInterrupt), interrupted)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_keeps_the_trajectory(root):
    model = root / "examples/double-pendulum.toml"
    call = [sys.executable, "-c", _LONG, str(model)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # The first report comes from the middle of the run.
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        said, complaints = process.communicate(timeout=20)
    assert said.splitlines()[-1].startswith("kept True interrupted at t = "), complaints


def test_what_progress_raises_comes_through(root):
    def report(now):
        raise RuntimeError("enough")

    system = carom.System.from_file(root / "examples/double-pendulum.toml")
    with pytest.raises(RuntimeError, match="enough"):
        system.simulate(until=1e6, step=1e-4, every=1000, progress=report)


def test_other_threads_go_on(root):
    """A run releases the interpreter's lock: another thread counts meanwhile."""
    system = carom.System.from_file(root / "examples/double-pendulum.toml")
    running, counted = threading.Event(), []
    running.set()

    def count():
        while running.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.002)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    system.simulate(until=40.0, step=1e-4, every=1000)
    end = time.perf_counter()
    running.clear()
    thread.join()
    during = [t for t in counted if begin < t < end]
    assert end - begin > 0.05 and len(during) > 10


def test_runs_in_threads_have_the_same_bits(ellipse):
    alone = ellipse.simulate(until=5.0)
    results: list = [None] * 4

    def work(k):
        results[k] = ellipse.simulate(until=5.0)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(run.q, alone.q) for run in results)


def test_pickling(ellipse):
    system = pickle.loads(pickle.dumps(ellipse.set(m=2.0)))
    assert system.parameters["m"] == 2.0 and system.coordinates == ellipse.coordinates
    run = system.simulate()
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.q, run.q) and again.names == run.names and again.settings == run.settings
    assert again.impacts[0]["t"] == run.impacts[0]["t"] and again.to_pandas().equals(run.to_pandas())
    with pytest.raises(TypeError, match="another process"):
        again.save("somewhere")


def test_arrays_are_views_that_cannot_be_written_to(ball):
    run = ball.simulate(until=0.5)
    assert run.q is run.q and run["y"].base is not None and np.shares_memory(run["y"], run.q)
    for name in ("t", "q", "v", "p", "energy", "gaps"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(run, name)[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        run["y"][0] = 1.0
    q = run.q
    del run
    assert q[0, 1] == 1.0


def test_names_of_columns(ball):
    run = ball.simulate(until=0.5)
    assert np.array_equal(run["y'"], run.v[:, 1]) and np.array_equal(run["floor"], run.gaps[:, 0])
    with pytest.raises(KeyError, match="no column `z`; there are x, y, x', y'"):
        run["z"]
    with pytest.raises(AttributeError, match="its arrays: t, q, v"):
        run.nothing


def test_functions_of_batches(root):
    system = carom.System.from_file(root / "examples/double-pendulum.toml")
    q, v = np.random.default_rng(1).uniform(-1, 1, (2, 3, 4, 2))
    energy, mass = system.function("energy"), system.function("mass")
    assert energy(q, v).shape == (3, 4) and mass(q, v).shape == (3, 4, 2, 2)
    assert energy(q[1, 2], v[1, 2]) == energy(q, v)[1, 2] and isinstance(energy(q[0, 0], v[0, 0]), float)
    kinetic = energy(q, v) - energy(q, 0 * v)
    assert kinetic == pytest.approx(0.5 * np.einsum("...i,...ij,...j", v, mass(q), v))
    assert system.function("momentum")(q, v) == pytest.approx(np.einsum("...ij,...j", mass(q), v))
    # A state without axes before it meets many.
    assert energy(q, v[0, 0]).shape == (3, 4)
    with pytest.raises(carom.SettingsError, match="q and v need 2 values"):
        energy([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    with pytest.raises(carom.SettingsError, match="lagrangian, energy"):
        system.function("energie")


@pytest.mark.parametrize("name", ["lagrangian", "momentum", "mass", "x2*theta1'"])
def test_derivatives_against_differences(root, name):
    system = carom.System.from_file(root / "examples/double-pendulum.toml")
    function = system.function(name)
    q, v = np.array([0.3, -0.7]), np.array([1.1, 0.4])
    small = 1e-6
    for k in range(2):
        step = small * np.eye(2)[k]
        by_q = (np.asarray(function(q + step, v)) - function(q - step, v)) / (2 * small)
        by_v = (np.asarray(function(q, v + step)) - function(q, v - step)) / (2 * small)
        assert np.asarray(function.derivative("q")(q, v))[..., k] == pytest.approx(by_q, abs=1e-7)
        assert np.asarray(function.derivative("v")(q, v))[..., k] == pytest.approx(by_v, abs=1e-7)
    assert function.derivative("q").shape == (*function.shape, 2)
    assert function.derivative("t").shape == function.shape


def test_backward_runs_come_back(root):
    system = carom.System.from_file(root / "examples/bouncing-ball.toml")
    there = system.simulate(until=1.5)
    back = system.simulate(until=1.5, q=there.q[-1], v=there.v[-1], backward=True)
    assert back.t[0] == 0 and back.t[-1] == -1.5 and len(back.impacts) == len(there.impacts) == 2
    assert back.q[-1] == pytest.approx(there.q[0], abs=1e-11) and back.v[-1] == pytest.approx(there.v[0], abs=1e-11)


def test_what_is_understood(ellipse):
    known = ellipse.check()
    assert known["degrees_of_freedom"] == 3 and known["contacts"] == ["floor"] and not known["is_time_dependent"]
    assert known["conserved"]["p_x"] == "x'" and ellipse.units["theta"] == "rad"
    assert "Bouncing ellipse" in repr(ellipse) and ellipse.simulate().energy_error < 1e-10


def test_runs_are_the_same_by_interpreter_and_by_machine_code(ellipse):
    compiled, interpreted = ellipse.simulate(), ellipse.simulate(interpret=True)
    assert interpreted.settings["backend"] != compiled.settings["backend"]
    assert interpreted.q == pytest.approx(compiled.q, abs=1e-9)


def test_files_of_systems_and_runs(ellipse, tmp_path):
    assert carom.System.from_file(ellipse.save(tmp_path / "copy.toml")).name == ellipse.name
    names = {file.name for file in ellipse.simulate().save(tmp_path / "run", csv=True)}
    assert {"nodes.parquet", "events.parquet", "manifest.json", "motion.svg", "nodes.csv"} <= names


def test_urdf(root):
    robot = carom.System.from_urdf(root / "examples/two-arms.urdf")
    assert len(robot.coordinates) > 0
    with pytest.raises(carom.SettingsError, match="base `free` is not one of: fixed"):
        carom.System.from_urdf(root / "examples/two-arms.urdf", base="free")


def test_energy_error_leaves_out_what_impacts_take(ball):
    run = ball.simulate(until=1.3)
    assert len(run.impacts) > 1 and run.energy[-1] < 0.5 * run.energy[0] and run.energy_error < 1e-9


def test_a_state_off_the_constraints_is_refused():
    b = carom.SystemBuilder("pendulum")
    x, y = b.coordinate("x", 1.0), b.coordinate("y", 0.0)
    b.lagrangian = 0.5 * (carom.rate(x) ** 2 + carom.rate(y) ** 2) - 9.81 * y
    b.constraint("rod", x**2 + y**2 - 1)
    system = b.build()
    with pytest.raises(carom.SettingsError, match="q is not on the constraints: off by 33"):
        system.simulate(until=0.1, q=[5.0, 3.0])
    with pytest.raises(carom.SettingsError, match="v is not along the constraints: off by 6"):
        system.simulate(until=0.1, v=[3.0, 1.0])
    motion = system.simulate(until=0.1, q=[0.6, 0.8], v={"x'": -0.8, "y": 0.6})
    assert motion.v[0] == pytest.approx([-0.8, 0.6])


def test_values_that_are_none(ball):
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(carom.SettingsError, match="finite"):
            ball.simulate(step=wrong)
    with pytest.raises(carom.SettingsError, match="`step` is -1, but must be positive; write a number"):
        ball.simulate(step=-1)
    with pytest.raises(carom.SettingsError, match="depends on the velocity"):
        ball.function("energy")([0.0, 1.0])
    with pytest.raises(AttributeError, match="lagragian"):
        carom.SystemBuilder().lagragian = 1.0
    with pytest.raises(carom.SettingsError, match="3 is no name"):
        carom.SystemBuilder().parameter(3, 1.0)
    with pytest.warns(UserWarning, match="before `set`: m"):
        ball.set(m=3.0).save(os.devnull)


def test_conditions():
    x = carom.variable("x")
    with pytest.raises(TypeError, match="carom.equal"):
        carom.where(x == 0, 1.0, 2.0)
    formula = carom.where(carom.equal(x, 2.0), 1.0, 2.0)
    assert formula.evaluate(x=2.0) == 1.0 and formula.evaluate(x=2.5) == 2.0
