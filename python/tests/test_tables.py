"""Tables agree with the arrays, and with the files that a run writes."""

from __future__ import annotations

import builtins
import importlib

import numpy as np
import pandas
import pytest

import carom


def test_dataset_has_the_dimensions_of_the_model(sleigh):
    data = sleigh.to_xarray()
    assert dict(data.sizes) == {"time": len(sleigh), "coordinate": 3, "quasivelocity": 2, "constraint": 1, "contact": 4}
    assert float(data.v.sel(coordinate="theta")[0]) == sleigh["theta'"][0]
    assert (data.gaps.sel(contact="east") == sleigh["east"]).all()
    assert list(data.quasivelocity.values) == ["v", "omega"]


def test_dataset_shares_the_arrays(sleigh):
    data = sleigh.to_xarray()
    for name in ("q", "v", "p", "w", "gaps", "contact_forces", "multipliers", "energy"):
        assert np.shares_memory(data[name].values, getattr(sleigh, name)), name


def test_dataset_knows_units_and_settings(ellipse, root):
    data = ellipse.simulate().to_xarray()
    assert data.unit.sel(coordinate="theta") == "rad" and data.rate_unit.sel(coordinate="y") == "m/s"
    assert data.time.attrs["units"] == "s" and data.q.attrs["long_name"] == "configuration"
    assert data.attrs["method"] == "midpoint" and data.attrs["step"] == 0.01
    assert "p_x" in data and "constraint" not in data.sizes
    one_unit = carom.simulate(root / "examples/bouncing-ball.toml").to_xarray()
    assert one_unit.q.attrs["units"] == "m" and one_unit.v.attrs["units"] == "m/s" and "unit" not in one_unit


MODELS = ["papers/004/ellipse.toml", "examples/rigid-body.toml", "examples/pendulum-cartesian.toml"]


@pytest.mark.parametrize("model", MODELS)
def test_nodes_are_those_of_the_file(root, tmp_path, model):
    run = carom.simulate(root / model)
    run.save(tmp_path, plots=False)
    written = pandas.read_parquet(tmp_path / "nodes.parquet").set_index("t")
    pandas.testing.assert_frame_equal(run.to_pandas(), written, check_exact=True)


def test_nodes_of_the_sleigh_are_those_of_the_file(sleigh, tmp_path):
    sleigh.save(tmp_path, plots=False)
    written = pandas.read_parquet(tmp_path / "nodes.parquet").set_index("t")
    pandas.testing.assert_frame_equal(sleigh.to_pandas(), written, check_exact=True)


@pytest.mark.parametrize("model", ["papers/004/ellipse.toml", "examples/ball-on-slope.toml"])
def test_impacts_are_those_of_the_file(root, tmp_path, model):
    run = carom.simulate(root / model)
    run.save(tmp_path, plots=False)
    written = pandas.read_parquet(tmp_path / "events.parquet").set_index("event")
    table = run.impacts_to_pandas()
    pandas.testing.assert_frame_equal(
        table, written[list(table.columns)], check_dtype=False, check_index_type=False, check_exact=True
    )


def test_impacts_of_several_contacts_are_one_row(root):
    run = carom.simulate(root / "examples/newtons-cradle.toml", until=1.0)
    table = run.impacts_to_pandas()
    assert len(table) == len(run.impacts) == 1
    assert table.contact[0] == "first+second+third+fourth"
    assert table["normal_impulse.third"][0] == run.impacts[0]["impulses"][2]
    assert table.normal_impulse[0] == sum(run.impacts[0]["impulses"])


def test_no_impacts_leave_an_empty_table_with_all_columns(root):
    table = carom.simulate(root / "examples/kepler.toml", until=0.1).impacts_to_pandas()
    assert table.empty and {"t", "law", "energy_change"} <= set(table.columns)


def test_missing_libraries_say_how_to_get_them(ball, monkeypatch):
    run = ball.simulate(until=0.1)
    known = importlib.import_module

    def without(name, *rest):
        if name.partition(".")[0] in ("pandas", "xarray", "matplotlib"):
            raise builtins.ImportError(name)
        return known(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without)
    for ask in (run.to_pandas, run.to_xarray, run.impacts_to_pandas, run.plot):
        with pytest.raises(ImportError, match=r'pip install "carom\[all\]"'):
            ask()
