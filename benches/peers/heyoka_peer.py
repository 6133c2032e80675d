"""heyoka: adaptive Taylor series, compiled by LLVM from a symbolic Lagrangian."""
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


if __name__ == "__main__":
    c.run_peer("heyoka", {"W2": chains})
