"""Commands of the command line: options, results, and what is raised if they fail."""

from __future__ import annotations

import tempfile

import pytest

import carom
from carom.commands import options_of


@pytest.fixture(autouse=True)
def keep_results_here(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_results_have_a_summary_and_tables(root, tmp_path):
    model = root / "examples/bouncing-ball.toml"
    done = carom.command("simulate", model, step=0.1, until=1.0, no_plots=True, set={"r": 0.2}, out=tmp_path / "run")
    assert done["model"] == "Bouncing ball" and "impacts" in done.keys() and done.folder == tmp_path / "run"
    nodes = done.table("nodes")
    run = carom.System.from_file(model, set={"r": 0.2}).simulate(step=0.1, until=1.0)
    assert nodes.set_index("t").equals(run.to_pandas())
    with pytest.raises(KeyError, match="no table `node`; there are: events, modes, nodes"):
        done.table("node")


def test_systems_are_taken_with_what_was_set(root):
    walker = carom.System.from_file(root / "examples/compass-gait.toml").set(slope=2.0)
    gait = carom.orbit(walker)
    assert gait["stability"] == "stable" and gait["period"] == pytest.approx(0.71965, abs=1e-5)


def test_mistakes(root, tmp_path):
    known = options_of("simulate")
    assert "max_impacts" in known and "json" not in known and len(known) == len(set(known))
    with pytest.raises(carom.SettingsError, match="did you mean `max_impacts`"):
        carom.command("simulate", root / "examples/bouncing-ball.toml", max_impact=1)
    with pytest.raises(carom.SettingsError, match="simulate"):
        carom.command("simulat")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("lagrangian = \"0.5*x'^2 - z\"\n[coordinates]\nx = 1.0\n")
    with pytest.raises(carom.ModelError, match="unknown name `z`"):
        carom.command("simulate", wrong)
    with pytest.raises(carom.ModelError) as checked:
        carom.check(wrong)
    assert checked.value.diagnostics[0]["line"] == 1
    with pytest.raises(carom.CommandError, match="the limit of 1 impacts") as caught:
        carom.command("simulate", root / "examples/bouncing-ball.toml", max_impacts=1, no_plots=True)
    assert caught.value.code == 3
