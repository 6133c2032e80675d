"""carom: variational mechanics with impacts.

>>> import carom
>>> ball = carom.System.from_text('''
... lagrangian = "0.5*m*y'^2 - m*g*y"
... [parameters]
... m = 1.0
... g = 9.81
... [coordinates]
... y = 1.0
... [contacts.floor]
... gap = "y"
... law = "newton"
... restitution = 0.8
... ''')
>>> run = ball.simulate(until=1.5, step=0.01)
>>> len(run.impacts)
2
"""

from . import _carom, plots
from ._carom import Expr, __version__
from .builder import SystemBuilder
from .commands import Result, check, command, derive, design, feedback, optimise, orbit
from .errors import CaromError, CommandError, Interrupted, ModelError, RunError, SettingsError
from .expressions import (
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    equal,
    exp,
    log,
    maximum,
    minimum,
    pi,
    rate,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    variable,
    where,
)
from .function import Function
from .ivp import solve_ivp
from .sweeps import SweepResult, sweep
from .system import System, simulate
from .trajectory import Trajectory

#: Names that ``method``, ``formulation``, ``jump``, ``multiple`` and ``law`` take.
METHODS: dict = _carom.methods()
#: Names of impact laws.
LAWS: list = METHODS["law"]
#: Names that ``System.function`` knows; formulas of the model work, too.
FUNCTIONS: list = _carom.System.function_names()

__all__ = [
    "CaromError", "CommandError", "Expr", "FUNCTIONS", "Function", "Interrupted", "LAWS", "METHODS", "ModelError",
    "Result", "RunError", "SettingsError", "SweepResult", "System", "SystemBuilder", "Trajectory", "__version__",
    "acos", "asin", "atan", "atan2", "check", "command", "cos", "cosh", "derive", "design", "equal", "exp", "feedback", "log", "maximum",
    "minimum", "optimise", "orbit", "pi", "plots", "rate", "sign", "simulate", "sin", "sinh", "solve_ivp", "sqrt",
    "sweep", "tan", "tanh", "variable", "where",
]
