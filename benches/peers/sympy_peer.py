"""SymPy: Kane's method takes the blade as a velocity constraint and derives the equations; SciPy's
solve_ivp integrates them, with a terminal event. Gap and jump are the user's, in Python."""
import numpy as np
import sympy
from scipy.integrate import solve_ivp
from sympy.physics import mechanics

import common as c


def derive():
    """Rates of (x, y, theta, speed along the blade, spin, speed across the blade), as a function in Python."""
    position = x, y, theta = mechanics.dynamicsymbols("x y theta")
    along, spin, across = mechanics.dynamicsymbols("along spin across")
    table, sleigh = mechanics.ReferenceFrame("table"), mechanics.ReferenceFrame("sleigh")
    sleigh.orient_axis(table, theta, table.z)
    sleigh.set_ang_vel(table, spin * table.z)
    centre = mechanics.Point("centre")
    centre.set_vel(table, along * sleigh.x + across * sleigh.y)
    inertia = c.SLEIGH_I * mechanics.inertia(sleigh, 0, 0, 1)
    body = mechanics.RigidBody("body", centre, sleigh, c.SLEIGH_M, (inertia, centre))
    velocity = centre.vel(table)
    kinematics = [x.diff() - velocity.dot(table.x), y.diff() - velocity.dot(table.y), theta.diff() - spin]
    kane = mechanics.KanesMethod(table, position, [along, spin], kd_eqs=kinematics, u_dependent=[across],
                                 velocity_constraints=[across])
    kane.kanes_equations([body], [])
    # Functions of the module math: on single numbers they are faster than NumPy's.
    return sympy.lambdify([[*position, along, spin, across]], list(kane.rhs()), modules="math", cse=True)


def wall(_, s):
    return c.SLEIGH_R ** 2 - s[0] ** 2 - s[1] ** 2


wall.terminal, wall.direction = True, -1


def run_sleigh(rates, rtol):
    t, state, times, steps = 0.0, np.array(c.SLEIGH_START + (0.0,)), [], 0
    while t < c.SLEIGH_T:
        piece = solve_ivp(lambda _, s: rates(s), (t, c.SLEIGH_T), state, method="DOP853", events=wall, rtol=rtol,
                          atol=rtol)
        t, state, steps = piece.t[-1], piece.y[:, -1].copy(), steps + len(piece.t) - 1
        if piece.status == 1:
            times.append(t)
            state[3] = -state[3]
    return state, times, steps


def sleigh():
    derive_s, rates = c.once(derive)
    for rtol in c.SLEIGH_RTOL:
        wall_s, (state, times, steps) = c.best(lambda: run_sleigh(rates, rtol), **c.ROUND)
        yield c.sleigh_row("Kane's method, DOP853 rtol=%g" % rtol, wall_s, steps, state[:3], times, derive_s)


if __name__ == "__main__":
    c.run_peer("SymPy", {"W4": sleigh})
