"""trep: midpoint variational integrator on trees of frames, one call from Python per step."""
import numpy as np
import trep
from trep import ry, tz

import common as c

STEPS = (1e-2, 1e-3)


def make_chain(n):
    frames = []
    for i in reversed(range(n)):
        rod = tz(-0.5, mass=(1.0, 1.0 / 12.0, 1.0 / 12.0, 0.0))
        frames = [ry("th%d" % i), [rod, tz(-1.0), frames]]
    system = trep.System()
    system.import_frames(frames)
    trep.potentials.Gravity(system, (0, 0, -c.CHAIN_G))
    # 1e-10 is trep's default; it is absolute in momentum, and 1e-13 does not converge at
    # h = 1e-3. One thread, because its default of one per core is slower on these chains.
    return trep.MidpointVI(system, tolerance=1e-10, num_threads=1)


def start_chain(mvi, n):
    mvi.initialize_from_state(0.0, np.array(c.relative(c.CHAIN_START[n])), np.zeros(n))


def run_chain(mvi, n, h):
    start_chain(mvi, n)
    for k in range(int(round(c.CHAIN_T / h))):
        mvi.step((k + 1) * h)
    return mvi.q2


def sample_chain(mvi, n, h):
    """States at the nodes; rates are M(q)^-1 p, with p the discrete momentum."""
    coef = np.array(c.chain_coefficients(n)[0])
    # Rows of `total` sum joint angles to absolute ones: th = total q, p_q = total^T p_th.
    total = np.tril(np.ones((n, n)))
    every = int(round(c.SAMPLE / h))
    start_chain(mvi, n)
    for k in range(int(round(c.CHAIN_T / h))):
        mvi.step((k + 1) * h)
        if (k + 1) % every == 0:
            th = total @ mvi.q2
            mass = coef * np.cos(th[:, None] - th)
            yield th, np.linalg.solve(mass, np.linalg.solve(total.T, mvi.p2))


def chains():
    for n in c.CHAIN_START:
        for h in STEPS:
            mvi = make_chain(n)
            wall_s, q = c.best(lambda: run_chain(mvi, n, h))
            steps = int(round(c.CHAIN_T / h))
            yield c.chain_row("midpoint h=%g" % h, n, wall_s, steps, c.absolute(q), sample_chain(mvi, n, h))


if __name__ == "__main__":
    c.run_peer("trep", {"W2": chains})
