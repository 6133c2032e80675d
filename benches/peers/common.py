"""The work every peer is given, and the one way every peer reports it.

Standard library only, so each peer's environment can load it. Units: SI.

A peer prints one JSON object per line and measurement, with the keys
  peer, work, setting  what was run
  T                    simulated seconds
  wall_s, steps        least CPU seconds of several runs, and the steps one run took
  compile_s            CPU seconds spent once, before the first step (null: none)
  note                 anything a reader must know; alone, why there is no number
W1, the ellipse:
  pos_err              2-norm of ((x, y, theta) - reference) at T, in m and rad
  n_impacts, t_imp_err impacts seen, and the largest error of their times (null: not the right number)
W2, chains:
  n                    links of the chain
  pos_err              2-norm of (angles - reference) at T, in rad
  drift                max |E(t) - E(0)| over samples every SAMPLE s, over the well depth
W3, the ball to rest:
  e                    restitution
  n_impacts, rest_err  impacts before rest, and the error of the time at which rest begins
W4, the sleigh:
  pos_err, n_impacts, t_imp_err  as for W1
W5, the cart-pole, and W6, the step of a biped (wall_s is to solve, compile_s to set up):
  n                    intervals
  variables, constraints, iterations  size of the nonlinear program, and iterations of the solver
  objective, obj_err   integral of the squared control, and its relative error against this program's optimum
  violation            the largest by which a row or a bound is missed
  status               what the solver says of its answer
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


# W1: an ellipse that turns and bounces, without loss or friction, on an even floor; the same numbers
# are in papers/004/ellipse.toml. A state is (x, y, theta) and its rates.
ELLIPSE_M, ELLIPSE_G, ELLIPSE_A, ELLIPSE_B = 1.0, 9.8, 1.0, 0.5
ELLIPSE_I = ELLIPSE_M * (ELLIPSE_A ** 2 + ELLIPSE_B ** 2) / 4.0
ELLIPSE_START = (0.0, 3.5, math.pi / 2.0, 2.0, 0.0, -3.0)
ELLIPSE_T = (2.0, 10.0)


def ellipse_support(theta):
    """Height of the centre over the floor at contact, and its derivative."""
    a2, b2, s, c = ELLIPSE_A ** 2, ELLIPSE_B ** 2, math.sin(theta), math.cos(theta)
    height = math.sqrt(a2 * s * s + b2 * c * c)
    return height, (a2 - b2) * s * c / height


def ellipse_jump(theta, vy, spin):
    """Rates of y and theta after an elastic impact: the impulse along the gap's gradient (1, -h')."""
    slope = ellipse_support(theta)[1]
    impulse = -2.0 * (vy - slope * spin) / (1.0 / ELLIPSE_M + slope * slope / ELLIPSE_I)
    return vy + impulse / ELLIPSE_M, spin - slope * impulse / ELLIPSE_I


def ellipse_row(setting, T, wall_s, steps, q, times, compile_s=None, **more):
    ref = json.loads((HERE / "reference.json").read_text())["W1"]["%g" % T]
    return impact_row(ref, setting, T, wall_s, steps, q, times, compile_s, **more)


def impact_row(ref, setting, T, wall_s, steps, q, times, compile_s, **more):
    """The end and the times of impact beside those of a reference."""
    late = [abs(a - b) for a, b in zip(times, ref["impacts"])] if len(times) == len(ref["impacts"]) else []
    return dict(setting=setting, T=T, wall_s=wall_s, steps=steps, pos_err=math.dist(q, ref["q"]),
                n_impacts=len(times), t_imp_err=max(late, default=None), compile_s=compile_s, **more)


# W3: a ball that falls from BALL_H above the floor and keeps the part e of its speed at every bounce;
# the same numbers are in examples/ball-to-rest.toml.
BALL_H, BALL_G, BALL_T = 1.0, 9.81, 20.0
BALL_E = (0.5, 0.95)


def ball_rest(e):
    """When infinitely many bounces are over."""
    return math.sqrt(2.0 * BALL_H / BALL_G) * (1.0 + e) / (1.0 - e)


def ball_row(setting, e, wall_s, n_impacts, rest, compile_s=None, **more):
    return dict(setting=setting, e=e, T=BALL_T, wall_s=wall_s, n_impacts=n_impacts,
                rest_err=abs(rest - ball_rest(e)), compile_s=compile_s, **more)


# W4: a sleigh whose blade sits under its centre of mass, on a round table with an elastic wall; the same
# numbers are in papers/003/sleigh.toml. A state is (x, y, theta), the speed along the blade and the spin.
SLEIGH_M, SLEIGH_I, SLEIGH_R = 1.0, 1.0, 1.0
SLEIGH_START = (0.0, 0.0, math.pi / 2.0, 0.1, 0.05)
SLEIGH_T = 400.0
# Of the peers that SciPy integrates for, relative and absolute.
SLEIGH_RTOL = (1e-6, 1e-9, 1e-12)

# Between impacts speed and spin are constant. The gap depends on x and y alone, and the blade lets no
# impulse through but along itself: the speed changes its sign, whatever the heading; the spin stays.


def sleigh_row(setting, wall_s, steps, q, times, compile_s=None, **more):
    ref = json.loads((HERE / "reference.json").read_text())["W4"]
    return impact_row(ref, setting, SLEIGH_T, wall_s, steps, q, times, compile_s, **more)


# W5: a cart swings a pole up, from rest to rest at the distance CART_D, with the least integral of u^2. W6: one
# periodic step of a planar biped, likewise. casadi_peer.py says what the programs are.
CART_M1, CART_M2, CART_L, CART_G = 1.0, 0.3, 0.5, 9.81
CART_D, CART_T, CART_X_MAX, CART_U_MAX = 1.0, 2.0, 2.0, 20.0
CART_N = (100, 400)
# Links from the stance foot to the hip and on to the swing foot; J = m l^2/24.
GAIT_M, GAIT_L, GAIT_G = (2.0, 3.0, 3.0, 2.0), (0.5, 0.5, 0.5, 0.5), 9.81
GAIT_STEP, GAIT_T, GAIT_N = 0.56, 0.9, 80
# Angles of the next step from those at the end of this one: the legs change roles.
GAIT_SWAP = ((1, 1, 1, 1), (0, 0, 0, -1), (0, 0, -1, 0), (0, -1, 0, 0))


def program_row(work, setting, n, wall_s, setup_s, iterations, variables, constraints, objective, violation, **more):
    ref = json.loads((HERE / "reference.json").read_text())[work][str(n)]
    return dict(setting=setting, n=n, T=CART_T if work == "W5" else GAIT_T, wall_s=wall_s, compile_s=setup_s,
                iterations=iterations, variables=variables, constraints=constraints, objective=objective,
                obj_err=abs(objective / ref - 1.0), violation=violation, **more)


def best(run, repeats=5, at_least=0.5, at_most=20.0, prepare=lambda: ()):
    """Least CPU time of several calls, and the last answer.

    CPU time, because the machine may be shared; the least, because disturbances add. Short runs are
    repeated until `at_least` seconds. `prepare` makes the arguments of a call, outside the clock.

    The CPU clock of a virtual machine may lose some microseconds when a process is interrupted, so
    calls that were not interrupted (CPU time is wall time) count before all others.
    """
    quiet, times, answer = [], [], None
    while (len(times) < repeats or sum(times) < at_least) and sum(times) < at_most:
        arguments = prepare()
        wall, start = time.perf_counter(), time.process_time()
        answer = run(*arguments)
        times.append(time.process_time() - start)
        if time.perf_counter() - wall < 1.02 * times[-1] + 5e-6:
            quiet.append(times[-1])
    return min(quiet or times), answer


# One round of a work that is measured in rounds: short, because all rounds count together.
ROUND = dict(repeats=20, at_least=0.05, at_most=5.0)


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
