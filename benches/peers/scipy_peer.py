"""SciPy: solve_ivp with a terminal event; dynamics, gap and jump are the user's, in Python."""
import math

import numpy as np
from scipy.integrate import solve_ivp

import common as c

# max_step, because an event is only seen as a change of sign between two steps: without it most
# tolerances pass over the second impact, where the gap is negative for a moment only.
TOLERANCE, MAX_STEP = 1e-12, 0.05


def fly(_, s):
    return s[3], s[4], s[5], 0.0, -c.ELLIPSE_G, 0.0


def gap(_, s):
    return s[1] - c.ellipse_support(s[2])[0]


gap.terminal, gap.direction = True, -1


def run_ellipse(T):
    t, state, times, steps = 0.0, np.array(c.ELLIPSE_START), [], 0
    while t < T:
        piece = solve_ivp(fly, (t, T), state, method="RK45", events=gap, rtol=TOLERANCE, atol=TOLERANCE,
                          max_step=MAX_STEP)
        t, state, steps = piece.t[-1], piece.y[:, -1].copy(), steps + len(piece.t) - 1
        if piece.status == 1:
            times.append(t)
            state[4:] = c.ellipse_jump(state[2], state[4], state[5])
            # Rounding may leave the ellipse below the floor, where the next event would be lost.
            state[1] = max(state[1], c.ellipse_support(state[2])[0])
    return state, times, steps


def ellipse():
    for T in c.ELLIPSE_T:
        wall_s, (state, times, steps) = c.best(lambda: run_ellipse(T), **c.ROUND)
        yield c.ellipse_row("RK45 rtol=%g max_step=%g" % (TOLERANCE, MAX_STEP), T, wall_s, steps, state[:3], times)


def glide(_, s):
    """The sleigh after the user has removed the blade and its multiplier."""
    return s[3] * math.cos(s[2]), s[3] * math.sin(s[2]), s[4], 0.0, 0.0


def wall(_, s):
    return c.SLEIGH_R ** 2 - s[0] ** 2 - s[1] ** 2


wall.terminal, wall.direction = True, -1


def run_sleigh(rtol):
    t, state, times, steps = 0.0, np.array(c.SLEIGH_START), [], 0
    while t < c.SLEIGH_T:
        piece = solve_ivp(glide, (t, c.SLEIGH_T), state, method="DOP853", events=wall, rtol=rtol, atol=rtol)
        t, state, steps = piece.t[-1], piece.y[:, -1].copy(), steps + len(piece.t) - 1
        if piece.status == 1:
            times.append(t)
            state[3] = -state[3]
    return state, times, steps


def sleigh():
    for rtol in c.SLEIGH_RTOL:
        wall_s, (state, times, steps) = c.best(lambda: run_sleigh(rtol), **c.ROUND)
        yield c.sleigh_row("reduced by hand, DOP853 rtol=%g" % rtol, wall_s, steps, state[:3], times)


if __name__ == "__main__":
    c.run_peer("SciPy", {"W1": ellipse, "W4": sleigh})
