"""CasADi and Ipopt: optimal control by discrete mechanics (DMOC), the same nonlinear programs that carom is given.

Both programs have L_d(q0, q1) = h L(q, v) with q = (q0 + q1)/2, v = (q1 - q0)/h. The control u_k is constant in
interval k and acts by (h/2) u_k at both ends. With L_q and L_v at (q, v), the momenta at the ends of interval k are

    start_k = L_v - (h/2) L_q - (h/2) u_k    and    end_k = L_v + (h/2) L_q + (h/2) u_k,

and the rows of node k are end_{k-1} - start_k = 0, with what the program says in place of the one that is missing at
either end. Variables are q_0 .. q_K, u_0 .. u_{K-1} and what else the program has, in this order, node by node.

W5, a cart swings a pole up. q = (x, theta), theta from hanging, the force u on x, K = N, h = T/N;
    L = (m1 + m2) x'^2/2 + m2 l x' theta' cos(theta) + m2 l^2 theta'^2/2 + m2 g l cos(theta).
Minimise h sum u_k^2. Rows of nodes 0 and N: -start_0 = 0 and end_{N-1} = 0 (rest). Bounds: q_0 = (0, 0) and
q_N = (d, pi) by equal bounds, |x_k| <= 2, |u_k| <= 20. Guess: x and theta linear in k, u = 0.

W6, a step of the planar biped. q = th, phi_i = th_1 + .. + th_i from the upward vertical, counter-clockwise, stance foot
at 0. With e_i = s_i l_i (-sin phi_i, cos phi_i), s = (1, 1, -1, -1), the centre of link i is c_i = e_1 + .. + e_{i-1} +
e_i/2, the swing foot f = e_1 + .. + e_4; J_i = m_i l_i^2/24 and
    L = sum_i m_i |c_i'|^2/2 + J_i phi_i'^2/2 - m_i g c_i,y.
u acts on all four angles. One more variable is v, the rates just before the strike. At (q_K, v) the momenta of angles
and stance foot are p = L_v = M(q_K) v and P = sum_i m_i c_i'; F = df/dq. The new stance foot is held: of the momentum
p - F^T P passes the strike, (3.5.4), and in the next step's angles A q (A A = 1) that is A^T (p - F^T P).
Minimise 1e-2/(W Lstep) h sum |u_k|^2, W the weight in N. Rows:
    node 0        A^T (p - F^T P) - start_0 = 0
    node K        end_{K-1} - p = 0
    periodicity   q_0 - A q_K = 0
    the strike    f(q_K) - (Lstep, 0) = 0       (f(q_0) = (-Lstep, 0) follows)
    clearance     f_y(q_k) >= 0                 (0 < k < K)
No bounds. Guess, with s = k/K, a = asin(Lstep/(2 (l1 + l2))), b = 0.6, B = b sin(pi s): legs straight at both ends, and
the swing knee bent in between,
    q_k = (a (1 - 2 s), 0, -2 a (1 - 2 s) + B/2, -B),  u = 0,  v = (q_K - q_{K-1})/h.
"""
import casadi as ca
import numpy as np

import common as c

# MUMPS and all options as they come; tol is Ipopt's default, too.
IPOPT = dict(print_level=0, sb="yes", tol=1e-8)
# Guesses of W6 for `W6-guesses`: how much the knee bends.
KNEE, KNEES = 0.6, np.arange(0.3, 1.26, 0.05)


class Program:
    """Minimise scale * h * |x[controls]|^2 subject to rows that are sums of placed terms.

    A term is a function of some variables that is used many times: use i reads the variables `reads[i]` and
    adds its outputs to the rows `adds[i]`.
    """

    def __init__(self, scale, h, controls, guess):
        self.scale, self.weight, self.controls, self.terms = scale, scale * h, controls, []
        self.guess = np.concatenate(guess)
        self.bounds = [np.full(len(self.guess), sign * np.inf) for sign in (-1, 1)]
        self.rows = [np.zeros(0), np.zeros(0)]

    def add_rows(self, count, upper=0.0):
        """New rows with values from 0 to `upper`; their numbers."""
        start = len(self.rows[0])
        self.rows = [np.append(old, np.full(count, new)) for old, new in zip(self.rows, (0.0, upper))]
        return np.arange(start, start + count)

    def add_term(self, z, outputs, reads, adds):
        self.terms.append((z, ca.vertcat(*outputs), np.array(reads), np.array(adds)))

    def nlp(self):
        """The program as CasADi differentiates it: every term mapped over its uses."""
        x = ca.MX.sym("x", len(self.guess))
        parts = [ca.Function("term", [z], [r]).map(len(reads))(take(x, reads)) for z, r, reads, _ in self.terms]
        adds = np.concatenate([adds.ravel() for *_, adds in self.terms])
        g = gather(adds, len(self.rows[0])) @ ca.vertcat(*map(ca.vec, parts))
        return dict(x=x, f=self.weight * ca.sumsqr(x[self.controls]), g=g)

    def derivatives(self, nlp):
        """Jacobian and Hessian put together by hand from those of the terms, for Ipopt."""
        x, g, lam_f, lam_g = nlp["x"], nlp["g"], ca.MX.sym("lam_f"), ca.MX.sym("lam_g", len(self.rows[0]))
        jacobian, hessian = Triplets(len(self.rows[0]), len(self.guess)), Triplets(len(self.guess), len(self.guess))
        for z, r, reads, adds in self.terms:
            lam = ca.SX.sym("lam", r.numel())
            first = ca.Function("first", [z], [ca.jacobian(r, z)])
            jacobian.add(first, first.map(len(reads))(take(x, reads)), adds, reads)
            second = ca.Function("second", [z, lam], [ca.triu(ca.hessian(ca.dot(lam, r), z)[0])])
            if second.nnz_out(0):
                hessian.add(second, second.map(len(reads))(take(x, reads), take(lam_g, adds)), reads, reads)
        # The objective's, on the diagonal.
        hessian.values.append(ca.repmat(2.0 * self.weight * lam_f, len(self.controls)))
        hessian.places.append((self.controls, self.controls))
        p = ca.MX.sym("p", 0, 0)
        names = ["x", "p"], ["g", "jac_g_x"]
        return dict(jac_g=ca.Function("nlp_jac_g", [x, p], [g, jacobian.matrix()], *names),
                    hess_lag=ca.Function("nlp_hess_l", [x, p, lam_f, lam_g], [hessian.matrix(upper=True)],
                                         ["x", "p", "lam_f", "lam_g"], ["triu_hess_gamma_x_x"]))

    def solver(self, expand=False, placed=False, **ipopt):
        nlp = self.nlp()
        # There are no parameters, so their multipliers (calc_lam_p) need no function.
        more = self.derivatives(nlp) if placed else {}
        return ca.nlpsol("solver", "ipopt", nlp, dict(more, expand=expand, print_time=False, calc_lam_p=False,
                                                      ipopt=dict(IPOPT, **ipopt)))

    def solve(self, solver):
        return solver(x0=self.guess, lbx=self.bounds[0], ubx=self.bounds[1], lbg=self.rows[0], ubg=self.rows[1])


class Triplets:
    """Values and their places in a sparse matrix; those of one place are added up."""

    def __init__(self, *shape):
        self.shape, self.values, self.places = shape, [], []

    def add(self, function, mapped, rows, columns):
        """The matrices of all uses of a term."""
        local = function.sparsity_out(0)
        self.values.append(ca.vec(mapped.nz[:]))
        self.places.append((rows[:, local.row()].ravel(), columns[:, local.get_col()].ravel()))

    def matrix(self, upper=False):
        rows, columns = (np.concatenate(part) for part in zip(*self.places))
        if upper:
            rows, columns = np.minimum(rows, columns), np.maximum(rows, columns)
        # By columns, as CasADi keeps them.
        places, number = np.unique(columns * self.shape[0] + rows, return_inverse=True)
        pattern = ca.Sparsity.triplet(*self.shape, *(part.tolist() for part in (places % self.shape[0],
                                                                               places // self.shape[0])))
        return ca.MX(pattern, gather(number, len(places)) @ ca.vertcat(*self.values))


def take(x, places):
    """The entries of x at `places`, one column per use."""
    return ca.reshape(x[places.ravel().tolist()], places.shape[1], places.shape[0])


def gather(targets, count):
    """The sparse matrix that adds entry i to entry targets[i] of `count`."""
    pattern = ca.Sparsity.triplet(count, len(targets), targets.tolist(), list(range(len(targets))))
    return ca.DM(pattern, np.ones(len(targets)))


def interval(lagrangian, h, n, forces):
    """Variables q0, q1, u of an interval, and its momenta -start and end; `forces` are the coordinates u acts on."""
    z, q, v = ca.SX.sym("z", 2 * n + len(forces)), ca.SX.sym("q", n), ca.SX.sym("v", n)
    slopes = ca.Function("slopes", [q, v], [ca.gradient(lagrangian(q, v), ca.vertcat(q, v))])
    q0, q1, force = z[:n], z[n:2 * n], ca.SX(n, 1)
    force[forces] = z[2 * n:]
    both = slopes((q0 + q1) / 2.0, (q1 - q0) / h)
    by_q, by_v = both[:n], both[n:]
    return z, [h / 2.0 * (by_q + force) - by_v, h / 2.0 * (by_q + force) + by_v]


def motion(program, lagrangian, h, intervals, n, forces):
    """Rows of all nodes with the terms of all intervals; numbers of the nodes' variables and rows."""
    nodes = np.arange(n * (intervals + 1)).reshape(-1, n)
    rows = program.add_rows(n * (intervals + 1)).reshape(-1, n)
    controls = program.controls.reshape(intervals, -1)
    program.add_term(*interval(lagrangian, h, n, forces), np.hstack([nodes[:-1], nodes[1:], controls]),
                     np.hstack([rows[:-1], rows[1:]]))
    return nodes, rows


def cart_pole(intervals):
    h, n = c.CART_T / intervals, intervals

    def lagrangian(q, v):
        m1, m2, l = c.CART_M1, c.CART_M2, c.CART_L
        kinetic = (m1 + m2) / 2.0 * v[0] ** 2 + m2 * l * v[0] * v[1] * ca.cos(q[1]) + m2 * l ** 2 / 2.0 * v[1] ** 2
        return kinetic + m2 * c.CART_G * l * ca.cos(q[1])

    path = np.linspace((0.0, 0.0), (c.CART_D, np.pi), n + 1)
    program = Program(1.0, h, 2 * (n + 1) + np.arange(n), (path.ravel(), np.zeros(n)))
    nodes, _ = motion(program, lagrangian, h, n, 2, [0])
    for bound, sign in zip(program.bounds, (-1, 1)):
        bound[nodes[:, 0]], bound[program.controls] = sign * c.CART_X_MAX, sign * c.CART_U_MAX
        bound[nodes[0]], bound[nodes[-1]] = path[0], path[-1]
    return program


def biped(th, v):
    """Lagrangian, linear momentum and swing foot of the biped on its stance foot."""
    phi, spin = ca.cumsum(th), ca.cumsum(v)
    joint, speed, momentum, lagrangian = ca.SX(2, 1), ca.SX(2, 1), ca.SX(2, 1), 0.0
    for i, (m, l, sign) in enumerate(zip(c.GAIT_M, c.GAIT_L, (1, 1, -1, -1))):
        link = sign * l * ca.vertcat(-ca.sin(phi[i]), ca.cos(phi[i]))
        turn = spin[i] * ca.vertcat(-link[1], link[0])
        centre, rate = joint + link / 2.0, speed + turn / 2.0
        lagrangian += m / 2.0 * ca.sumsqr(rate) + m * l ** 2 / 48.0 * spin[i] ** 2 - m * c.GAIT_G * centre[1]
        momentum += m * rate
        joint, speed = joint + link, speed + turn
    return lagrangian, momentum, joint


def gait(intervals, knee=KNEE):
    h, n = c.GAIT_T / intervals, intervals
    s = np.linspace(0.0, 1.0, n + 1)
    a, bend = np.arcsin(c.GAIT_STEP / (c.GAIT_L[0] + c.GAIT_L[1]) / 2.0), knee * np.sin(np.pi * s)
    path = np.stack([a * (1 - 2 * s), 0 * s, -2 * a * (1 - 2 * s) + bend / 2, -bend], axis=1)
    scale = 1e-2 / (sum(c.GAIT_M) * c.GAIT_G * c.GAIT_STEP)
    program = Program(scale, h, 4 * (n + 1) + np.arange(4 * n),
                      (path.ravel(), np.zeros(4 * n), (path[-1] - path[-2]) / h))
    nodes, rows = motion(program, lambda q, v: biped(q, v)[0], h, n, 4, [0, 1, 2, 3])

    # The foot strike, and the start of the next step.
    z, swap = ca.SX.sym("z", 12), ca.DM(c.GAIT_SWAP)
    first, last, v = z[:4], z[4:8], z[8:]
    lagrangian, momentum, foot = biped(last, v)
    before = ca.gradient(lagrangian, v)
    after = before - ca.jacobian(foot, last).T @ momentum
    strike = [swap.T @ after, -before, first - swap @ last, foot - ca.DM([c.GAIT_STEP, 0.0])]
    program.add_term(z, strike, [np.hstack([nodes[0], nodes[-1], 8 * n + 4 + np.arange(4)])],
                     [np.hstack([rows[0], rows[-1], program.add_rows(6)])])

    # The swing foot is not below the ground.
    q = ca.SX.sym("q", 4)
    program.add_term(q, [biped(q, ca.SX(4, 1))[2][1]], nodes[1:-1], program.add_rows(n - 1, np.inf)[:, None])
    return program


# What the user writes: the terms only; likewise, for one graph of all operations; the terms' derivatives, too.
SETTINGS = {
    "mapped": {},
    "expanded": dict(expand=True),
    "mapped, derivatives placed by hand": dict(placed=True),
}


def build(make, intervals, **options):
    program = make(intervals)
    return program, program.solver(**options)


def measure(work, make, intervals, check=lambda program, x: {}):
    for setting, options in SETTINGS.items():
        setup_s, (program, solver) = c.best(lambda: build(make, intervals, **options), at_least=0.0)
        wall_s, answer = c.best(lambda: program.solve(solver))
        x, stats = answer["x"].full().ravel(), solver.stats()
        yield c.program_row(work, setting, intervals, wall_s, setup_s, stats["iter_count"], len(program.guess),
                            len(program.rows[0]), float(answer["f"]) / program.scale, violation(program, answer),
                            status=stats["return_status"], **check(program, x))


def violation(program, answer):
    """By how much the worst row or bound is missed."""
    pairs = ((answer["x"], program.bounds), (answer["g"], program.rows))
    return max(max(np.max(low - a), np.max(a - high)) for a, (low, high) in
               ((value.full().ravel(), limits) for value, limits in pairs))


def gait_check(program, x):
    """Largest torque, least normal force at a node, and energy lost at the strike: what makes a gait believable."""
    n = len(program.controls) // 4
    h, q, v = c.GAIT_T / n, x[:4 * (n + 1)].reshape(-1, 4), x[-4:]
    th, w = ca.SX.sym("th", 4), ca.SX.sym("w", 4)
    lagrangian, momentum, foot = biped(th, w)
    mass = ca.Function("mass", [th], [ca.hessian(lagrangian, w)[0]])
    passed = ca.Function("passed", [th, w], [ca.gradient(lagrangian, w) - ca.jacobian(foot, th).T @ momentum])
    upward = ca.Function("upward", [th, w], [momentum[1]]).map(n)((q[:-1] + q[1:]).T / 2.0, (q[1:] - q[:-1]).T / h)
    after = np.array(c.GAIT_SWAP).T @ passed(q[-1], v).full().ravel()
    kept = after @ np.linalg.solve(mass(q[0]).full(), after)
    return dict(largest_torque=np.abs(x[program.controls]).max(), impact_loss=(v @ mass(q[-1]).full() @ v - kept) / 2.0,
                least_normal_force=sum(c.GAIT_M) * c.GAIT_G + np.diff(upward.full().ravel()).min() / h)


def swing_up():
    for intervals in c.CART_N:
        yield from measure("W5", cart_pole, intervals)


def step():
    yield from measure("W6", gait, c.GAIT_N, gait_check)


def guesses():
    """W6 from many guesses: how far iterations and success depend on the guess. Not a part of run.py."""
    for knee in KNEES:
        program, solver = build(lambda n: gait(n, knee), c.GAIT_N, expand=True, max_iter=200)
        wall_s, answer = c.once(lambda: program.solve(solver))
        stats = solver.stats()
        yield dict(setting="b = %.2f" % knee, wall_s=wall_s, iterations=stats["iter_count"],
                   objective=float(answer["f"]) / program.scale, status=stats["return_status"])


if __name__ == "__main__":
    c.run_peer("CasADi", {"W5": swing_up, "W6": step, "W6-guesses": guesses})
