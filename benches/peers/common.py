"""The work every peer is given, and the one way every peer reports it.

Standard library only, so each peer's environment can load it. Units: SI.

A peer prints one JSON object per line and measurement, with the keys
  peer, work, setting  what was run
  n, T                 links of the chain, simulated seconds
  wall_s, steps        least CPU seconds of several runs, and the steps one run took
  pos_err              2-norm of (angles - reference) at T, in rad
  drift                max |E(t) - E(0)| over samples every SAMPLE s, over the well depth
  compile_s            CPU seconds spent once, before the first step (null: none)
  note                 anything a reader must know; alone, why there is no number
"""
import json
import math
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent

# W2: planar chains of n uniform rods (m = l = 1) hung from a pivot, released at rest.
# Angles are absolute, from straight down; the motions are regular, so errors stay small.
CHAIN_G, CHAIN_T = 9.8, 20.0
CHAIN_START = {2: (1.0, 0.4), 4: (0.6, 0.5, 0.4, 0.3)}

# Energy is looked at every 0.01 s: the longest step any fixed-step peer takes here.
SAMPLE = 0.01


def chain_coefficients(n):
    """M_ij = c_ij cos(th_i - th_j) and V = -sum_i k_i cos th_i."""
    c = [[n - i - 2.0 / 3.0 if i == j else n - max(i, j) - 0.5 for j in range(n)] for i in range(n)]
    k = [CHAIN_G * (n - i - 0.5) for i in range(n)]
    return c, k


def chain_energy(th, w):
    n = len(th)
    c, k = chain_coefficients(n)
    kinetic = sum(0.5 * c[i][j] * math.cos(th[i] - th[j]) * w[i] * w[j] for i in range(n) for j in range(n))
    return kinetic - sum(k[i] * math.cos(th[i]) for i in range(n))


def chain_drift(n, states):
    """Largest energy error over the (angles, rates) given, over the depth of the well used."""
    start, (_, k) = CHAIN_START[n], chain_coefficients(n)
    depth = sum(k[i] * (1.0 - math.cos(start[i])) for i in range(n))
    e0 = chain_energy(start, [0.0] * n)
    return max(abs(chain_energy(th, w) - e0) for th, w in states) / depth


def absolute(relative):
    """Joint angles to angles from straight down (rates likewise)."""
    return [sum(relative[: i + 1]) for i in range(len(relative))]


def relative(absolute):
    return [a - b for a, b in zip(absolute, (0.0,) + tuple(absolute[:-1]))]


def chain_row(setting, n, wall_s, steps, angles, states, compile_s=None, **more):
    ref = json.loads((HERE / "reference.json").read_text())["W2"][str(n)]["angles"]
    return dict(setting=setting, n=n, T=CHAIN_T, wall_s=wall_s, steps=steps, pos_err=math.dist(angles, ref),
                drift=chain_drift(n, states), compile_s=compile_s, **more)


def best(run, repeats=5, at_least=0.5, at_most=20.0):
    """Least CPU time of several calls, and the last answer.

    CPU time, because the machine may be shared; the least, because every
    disturbance only adds. Short runs are repeated until `at_least` seconds.
    """
    times, answer = [], None
    while (len(times) < repeats or sum(times) < at_least) and sum(times) < at_most:
        start = time.process_time()
        answer = run()
        times.append(time.process_time() - start)
    return min(times), answer


def once(make):
    """CPU time of a call that happens once, such as compiling, and its answer."""
    start = time.process_time()
    answer = make()
    return time.process_time() - start, answer


def run_peer(peer, works):
    """Print the rows of each work named on the command line (none named: all)."""
    for work in sys.argv[1:] or works:
        for row in works[work]():
            print(json.dumps(dict(peer=peer, work=work, **row)), flush=True)
