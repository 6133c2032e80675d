"""heyoka: adaptive Taylor series, compiled by LLVM from a symbolic Lagrangian.

Impacts are terminal events: heyoka expands the event function along with the motion and isolates the
roots of the polynomial. The jump is a Python callback, called once per impact; the rest rule as well.
"""
import heyoka as hy
import numpy as np

import common as c

# heyoka keeps compiled code on disk between processes; a hit would hide the compile time.
hy.llvm_state.set_diskcache_enabled(False)

# 1e-6 to 1e-9 surround a position error of 1e-8; 1e-16 is its best.
TOLERANCES = (1e-6, 1e-7, 1e-8, 1e-9, 1e-16)


def make_chain(n, tol, fast_math):
    coef, k = c.chain_coefficients(n)
    th = hy.make_vars(*["th%d" % i for i in range(n)])
    w = hy.make_vars(*["w%d" % i for i in range(n)])
    lagrangian = sum(k[i] * hy.cos(th[i]) for i in range(n))
    for i in range(n):
        for j in range(n):
            lagrangian += 0.5 * coef[i][j] * hy.cos(th[i] - th[j]) * w[i] * w[j]
    equations = hy.lagrangian(lagrangian, list(th), list(w))
    return hy.taylor_adaptive(equations, start(n), tol=tol, fast_math=fast_math)


def start(n):
    return list(c.CHAIN_START[n]) + [0.0] * n


def run_chain(ta, n):
    ta.time, ta.state[:] = 0.0, start(n)
    steps = ta.propagate_until(c.CHAIN_T)[3]
    return ta.state.copy(), steps


def sample_chain(ta, n):
    ta.time, ta.state[:] = 0.0, start(n)
    grid = np.linspace(0.0, c.CHAIN_T, int(round(c.CHAIN_T / c.SAMPLE)) + 1)
    return [(s[:n], s[n:]) for s in ta.propagate_grid(grid)[-1]]


def chains():
    for n in c.CHAIN_START:
        # fast_math lets LLVM reorder sums: the same error here for about 30 % less time,
        # so leaving it out would flatter whoever is compared with heyoka.
        for fast_math in (False, True):
            for tol in TOLERANCES:
                compile_s, ta = c.once(lambda: make_chain(n, tol, fast_math))
                wall_s, (state, steps) = c.best(lambda: run_chain(ta, n))
                setting = "Taylor tol=%g%s" % (tol, " fast_math" if fast_math else "")
                yield c.chain_row(setting, n, wall_s, steps, state[:n], sample_chain(ta, n), compile_s)


# The gap that carom's model file has, and a smooth function with the same first roots that a user who
# knows how heyoka works would write instead: without the root, steps are three times as long.
GAPS = {"gap": lambda y, height2: y - hy.sqrt(height2), "squared gap": lambda y, height2: y * y - height2}

# 1e-16 is its best; at 1e-11 the ellipse's error is still below 1e-12 after 2 s, at 1e-9 it is not.
EVENT_TOLERANCES = (1e-9, 1e-11, 1e-16)


def make_ellipse(gap, tol, fast_math):
    x, y, th, vx, vy, spin = hy.make_vars("x", "y", "th", "vx", "vy", "spin")
    still = hy.expression(0.0)
    equations = [(x, vx), (y, vy), (th, spin), (vx, still), (vy, still - c.ELLIPSE_G), (spin, still)]
    height2 = c.ELLIPSE_A ** 2 * hy.sin(th) ** 2 + c.ELLIPSE_B ** 2 * hy.cos(th) ** 2
    times = []

    # A function, not a method: heyoka keeps a deep copy of its callback, and of an object that it hangs on.
    def strike(ta, _):
        times.append(ta.time)
        state = ta.state
        state[4], state[5] = c.ellipse_jump(float(state[2]), float(state[4]), float(state[5]))
        return True

    floor = hy.t_event(GAPS[gap](y, height2), direction=hy.event_direction.negative, callback=strike)
    ta = hy.taylor_adaptive(equations, list(c.ELLIPSE_START), t_events=[floor], tol=tol, fast_math=fast_math)
    return ta, times


def run_ellipse(ta, times, T):
    times.clear()
    ta.time, ta.state[:] = 0.0, c.ELLIPSE_START
    ta.reset_cooldowns()
    return ta.propagate_until(T)[3]


def ellipse():
    for gap in GAPS:
        for fast_math in (False, True):
            for tol in EVENT_TOLERANCES:
                compile_s, (ta, times) = c.once(lambda: make_ellipse(gap, tol, fast_math))
                for T in c.ELLIPSE_T:
                    wall_s, steps = c.best(lambda: run_ellipse(ta, times, T), **c.ROUND)
                    setting = "%s, tol=%g%s" % (gap, tol, " fast_math" if fast_math else "")
                    yield c.ellipse_row(setting, T, wall_s, steps, ta.state[:3], times, compile_s)


# The user's rule: a ball that leaves the floor more slowly than this, in m/s, rests.
REST = 1e-6


def make_ball(e):
    y, v = hy.make_vars("y", "v")
    times = []

    def strike(ta, _):
        times.append(ta.time)
        ta.state[1] *= -e
        return bool(ta.state[1] > REST)

    floor = hy.t_event(y, direction=hy.event_direction.negative, callback=strike)
    equations = [(y, v), (v, hy.expression(-c.BALL_G))]
    return hy.taylor_adaptive(equations, [c.BALL_H, 0.0], t_events=[floor], tol=1e-16), times


def run_ball(ta, times):
    times.clear()
    ta.time, ta.state[:] = 0.0, (c.BALL_H, 0.0)
    ta.reset_cooldowns()
    ta.propagate_until(c.BALL_T)
    return ta.time, float(ta.state[1])


def ball():
    for e in c.BALL_E:
        compile_s, (ta, times) = c.once(lambda: make_ball(e))
        wall_s, (stop, v) = c.best(lambda: run_ball(ta, times), **c.ROUND)
        rule = "rests below %g m/s" % REST
        yield c.ball_row(rule, e, wall_s, len(times), stop, compile_s)
        # The bounces that are left are a geometric series; a careful user adds it.
        left = 2.0 * v / (c.BALL_G * (1.0 - e))
        yield c.ball_row(rule + ", series added", e, wall_s, len(times), stop + left, compile_s)


# 1e-16 is its best; the others look for the loosest that keeps the error below 1e-11.
SLEIGH_TOLERANCES = (1e-9, 1e-10, 1e-11, 1e-12, 1e-14, 1e-16)


def make_sleigh(tol, fast_math):
    # heyoka knows no velocity constraints: the user has removed the blade and its multiplier.
    x, y, th, v, spin = hy.make_vars("x", "y", "th", "v", "spin")
    still = hy.expression(0.0)
    equations = [(x, v * hy.cos(th)), (y, v * hy.sin(th)), (th, spin), (v, still), (spin, still)]
    times = []

    def strike(ta, _):
        times.append(ta.time)
        ta.state[3] *= -1.0
        return True

    wall = hy.t_event(c.SLEIGH_R ** 2 - x * x - y * y, direction=hy.event_direction.negative, callback=strike)
    return hy.taylor_adaptive(equations, list(c.SLEIGH_START), t_events=[wall], tol=tol, fast_math=fast_math), times


def run_sleigh(ta, times):
    times.clear()
    ta.time, ta.state[:] = 0.0, c.SLEIGH_START
    ta.reset_cooldowns()
    return ta.propagate_until(c.SLEIGH_T)[3]


def sleigh():
    for fast_math in (False, True):
        for tol in SLEIGH_TOLERANCES:
            compile_s, (ta, times) = c.once(lambda: make_sleigh(tol, fast_math))
            wall_s, steps = c.best(lambda: run_sleigh(ta, times), **c.ROUND)
            setting = "reduced by hand, tol=%g%s" % (tol, " fast_math" if fast_math else "")
            yield c.sleigh_row(setting, wall_s, steps, ta.state[:3], times, compile_s)


if __name__ == "__main__":
    c.run_peer("heyoka", {"W1": ellipse, "W2": chains, "W3": ball, "W4": sleigh})
