"""Models that several tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

import carom

#: The folder of the repository: its examples and papers are models to try.
ROOT = Path(__file__).resolve().parents[2]

BALL = """
name = "Ball"
lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y"
[parameters]
m = 2.0
g = 9.81
[coordinates]
x = { initial = 0.0, velocity = 1.0, unit = "m" }
y = { initial = 1.0, unit = "m" }
[contacts.floor]
gap = "y"
law = "newton"
restitution = 0.5
"""


@pytest.fixture
def root() -> Path:
    return ROOT


@pytest.fixture
def ball() -> carom.System:
    return carom.System.from_text(BALL)


@pytest.fixture
def ellipse() -> carom.System:
    return carom.System.from_file(ROOT / "papers/004/ellipse.toml")


@pytest.fixture
def sleigh() -> carom.Trajectory:
    """A frame, a constraint and four contacts."""
    return carom.simulate(ROOT / "examples/chaplygin-sleigh-offset.toml", until=5.0)
