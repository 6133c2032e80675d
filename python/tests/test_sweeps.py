"""Sweeps: the same table whoever computes it, and whatever happens on the way."""

import concurrent.futures
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas
import pytest

import carom
from carom import on_dask

ELLIPSE = Path(__file__).parents[2] / "papers" / "004" / "ellipse.toml"
OVER = {"theta'": np.linspace(0.0, 10.0, 20), "y'": [-1.0, 0.0, 2.5]}


def digests(folder):
    """Every file of a dataset with its hash."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def ellipse():
    return carom.System.from_file(ELLIPSE)


def run(ellipse, out, **options):
    return carom.sweep(ellipse, OVER, measures={"top": "largest y"}, until=2, part_rows=4, out=out, **options)


@pytest.fixture(scope="module")
def reference(ellipse, tmp_path_factory):
    return run(ellipse, tmp_path_factory.mktemp("sweep") / "reference")


def test_a_row_is_what_simulate_gives(ellipse, reference):
    table = reference.to_pandas()
    assert len(table) == len(reference) == 60 and reference.summary["failed"] == 0
    row = table.iloc[37]
    assert (row["theta'"], row["y'"]) == (OVER["theta'"][12], 0.0)
    motion = ellipse.set({"theta'": row["theta'"], "y'": row["y'"]}).simulate(until=2)
    for k, name in enumerate(ellipse.coordinates):
        assert row[f"q.{name}"] == motion.q[-1, k] and row[f"p.{name}"] == motion.p[-1, k]
    assert row["energy"] == motion.energy[-1] and row["impacts"] == len(motion.impacts)
    assert row["top"] == motion["y"].max()


def test_a_grid_has_its_axes(reference):
    grid = reference.to_xarray()
    assert dict(grid.sizes) == {"theta'": 20, "y'": 3}
    assert float(grid["top"].sel({"y'": 2.5}).min()) > float(grid["top"].sel({"y'": -1.0}).min())


def test_threads_and_processes_give_the_same_files(ellipse, reference, tmp_path):
    run(ellipse, tmp_path / "one", threads=1)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        run(ellipse, tmp_path / "processes", executor=pool)
    assert digests(reference.folder) == digests(tmp_path / "one") == digests(tmp_path / "processes")


def test_what_is_missing_is_completed(ellipse, reference, tmp_path):
    folder = tmp_path / "broken"
    first = run(ellipse, folder)
    parts = sorted(first.table.iterdir())
    parts[1].unlink()
    parts[5].write_bytes(b"not a table")
    assert len(first.missing) == 2
    run(ellipse, folder)
    assert digests(folder) == digests(reference.folder)


class Breaks(concurrent.futures.ThreadPoolExecutor):
    """An executor that loses every third piece of work."""

    count = 0

    def submit(self, function, *arguments):
        self.count += 1
        return super().submit(_broken if self.count % 3 == 0 else function, *arguments)


def _broken(*_arguments):
    raise OSError("the worker is gone")


def test_a_worker_that_fails_costs_its_part_only(ellipse, reference, tmp_path):
    with Breaks(2) as pool, pytest.raises(OSError, match="gone"):
        run(ellipse, tmp_path, executor=pool)
    assert len(list((tmp_path / "points").glob("*.parquet"))) == 10
    run(ellipse, tmp_path)
    assert digests(tmp_path) == digests(reference.folder)


def test_a_killed_worker_of_dask_costs_nothing(ellipse, reference, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as cluster, distributed.Client(cluster) as client:
        victims = list(client.run(os.getpid).values())
        seen = []

        def kill_once(done):
            seen.append(done)
            if victims:
                os.kill(victims.pop(), signal.SIGKILL)
                victims.clear()

        run(ellipse, tmp_path / "out", executor=client, progress=kill_once)
        assert seen[-1] == 60 and not victims
    assert digests(tmp_path / "out") == digests(reference.folder)


class Part:
    """A future of Dask whose result is lost on the way, as often as told."""

    def __init__(self, key, value, losses):
        self.key, self.value, self.losses = key, value, losses
        self.status = "finished" if value is not None else "pending"

    def result(self, timeout):
        if self.losses:
            raise TimeoutError(timeout)
        return self.value


class Loses:
    """A client of Dask whose part 1 is lost as often as told, and the end of whose part 2 is never heard of at first."""

    def __init__(self, losses):
        self.losses, self.begun, self.cancelled = losses, [], []

    def submit(self, function, text, part, key, pure):
        self.begun.append(part)
        is_lost = part == 1 and self.begun.count(1) <= self.losses
        future = Part(key, function(text, part), is_lost)
        future.status = "pending" if part == 2 else "finished"
        return future

    def who_has(self, futures):
        return {future.key: ("somewhere",) for future in futures}

    def cancel(self, futures):
        self.cancelled += futures


def test_parts_that_dask_loses_are_computed_again(monkeypatch):
    monkeypatch.setattr(on_dask, "_SILENCE", 0.05)
    client = Loses(losses=2)
    parts = dict(on_dask.computed(client, lambda text, part: f"{text}{part}".encode(), "p", [0, 1, 2]))
    assert parts == {0: b"p0", 1: b"p1", 2: b"p2"} and client.begun.count(1) == 3 and not client.cancelled


def test_a_part_that_is_always_lost_is_an_error(monkeypatch):
    monkeypatch.setattr(on_dask, "_SILENCE", 0.05)
    parts = dict(on_dask.computed(Loses(losses=99), lambda text, part: b"x", "p", [0, 1]))
    assert parts[0] == b"x" and "did not arrive" in str(parts[1])


SCRIPT = """
import carom, numpy as np, sys
system = carom.System.from_file(sys.argv[1])
carom.sweep(system, {"theta'": np.linspace(0, 10, 400)}, until=200, part_rows=4, out=sys.argv[2], threads=1)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_sweep_is_completed(how, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("400", "24"))
    call = [sys.executable, str(script), str(ELLIPSE)]
    process = subprocess.Popen([*call, str(tmp_path / "cut")], stderr=subprocess.DEVNULL)
    points = tmp_path / "cut" / "points"
    while not list(points.glob("part-*.parquet")) and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(how)
    process.wait()
    assert process.returncode != 0, "it was over before"
    assert 0 < len(list(points.glob("part-*.parquet"))) < 6
    subprocess.run([*call, str(tmp_path / "cut")], check=True)
    subprocess.run([*call, str(tmp_path / "whole")], check=True)
    assert digests(tmp_path / "cut") == digests(tmp_path / "whole")


def test_random_points_depend_on_the_seed_and_their_number(ellipse):
    def table(count, seed):
        return carom.sweep(ellipse, {"m": (1.0, 3.0)}, random=count, seed=seed, until=0.1).to_pandas()

    small, large, other = table(5, 1), table(9, 1), table(5, 2)
    assert small["m"].between(1, 3).all()
    assert (large["m"][:5] == small["m"]).all() and (other["m"] != small["m"]).any()


def test_a_table_of_points(ellipse):
    points = pandas.DataFrame({"m": [1.0, 2.0], "y": [3.0, 4.0]})
    table = carom.sweep(ellipse, points=points, until=0.1).to_pandas()
    assert table["m"].tolist() == [1.0, 2.0] and table["energy"][0] < table["energy"][1]


def test_points_that_fail_are_rows(ellipse):
    table = carom.sweep(ellipse, {"y": [3.0, -1.0]}, until=0.1).to_pandas()
    assert table["ending"][0] == "completed" and table["ending"][1] != "completed" and table["message"][1]


def test_optimisations_can_be_swept():
    # The least squared force that moves a mass by one unit in one second costs 12 m^2.
    problem = Path(__file__).parents[2] / "examples" / "optimal" / "block-move.toml"
    table = carom.sweep(problem, {"m": [0.5, 1.0, 2.0]}).to_pandas()
    assert table["cost"].to_numpy() == pytest.approx(12 * table["m"].to_numpy() ** 2, rel=1e-6)


@pytest.mark.parametrize(
    "arguments, options, says",
    [
        (({"foo": [1.0]},), {}, "no parameter, coordinate or setting `foo`"),
        (({"m": [1.0]},), {"untl": 2}, "did you mean `until`"),
        ((), {}, "needs `over`"),
        (({"m": [1.0]},), {"measures": {"a": "zz"}}, "unknown name `zz`"),
        (({"m": [np.nan]},), {}, "finite"),
        (({"m": 1.0},), {"random": 3}, "range"),
    ],
)
def test_mistakes(ellipse, arguments, options, says):
    with pytest.raises(carom.CaromError, match=says):
        carom.sweep(ellipse, *arguments, **options)


def test_another_sweep_in_the_folder_is_refused(ellipse, reference):
    with pytest.raises(carom.SettingsError, match="another sweep"):
        carom.sweep(ellipse, {"m": [1.0]}, out=reference.folder)


def test_other_peoples_files_are_left_alone(ellipse, tmp_path):
    (tmp_path / "sweep.json").write_text('{"my": 1}')
    with pytest.raises(carom.SettingsError, match="is not a sweep"):
        carom.sweep(ellipse, {"m": [1.0]}, out=tmp_path, fresh=True)
    assert (tmp_path / "sweep.json").read_text() == '{"my": 1}'


def test_a_table_with_missing_parts_is_none(ellipse, tmp_path):
    result = carom.sweep(ellipse, {"m": [1.0, 2.0]}, until=0.1, part_rows=1, out=tmp_path)
    next(iter(result.table.iterdir())).unlink()
    with pytest.raises(carom.SettingsError, match="1 of 2 parts are missing"):
        result.to_pandas()
