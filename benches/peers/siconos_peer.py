"""Siconos: event-driven, LSODAR between impacts, impacts by a complementarity problem."""
import pathlib
import subprocess
import tempfile

import numpy as np
import siconos.kernel as sk

import common as c

# Steps of its time grid, where it stops as well as at impacts. The tolerance is its own. Some other
# settings take a later root for the ellipse's second impact: a step of 0.05; 1e-12 and a step of 0.1.
STEPS = (0.1, 0.5)
IMPACT = 2  # type of an event of the manager


def compile_plugin(folder):
    """A relation written in Python crashes Siconos 4.4.0, so the gap is written in C."""
    source = pathlib.Path(__file__).with_name("siconos_plugin.c")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-DELLIPSE_A=%r" % c.ELLIPSE_A, "-DELLIPSE_B=%r" % c.ELLIPSE_B,
                    source, "-o", folder + "/CaromPlugin.so", "-lm"], check=True)
    return folder + "/CaromPlugin:"


def simulation(body, relation, restitution, T, h):
    contact = sk.Interaction(sk.NewtonImpactNSL(restitution), relation)
    world = sk.NonSmoothDynamicalSystem(0.0, T)
    world.insertDynamicalSystem(body)
    world.link(contact, body)
    simulation = sk.EventDriven(world, sk.TimeDiscretisation(0.0, h))
    simulation.insertIntegrator(sk.LsodarOSI())
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    # What is not returned is not kept alive by Siconos either.
    return simulation, body, (contact, world)


def make_ellipse(plugin, T, h):
    q, v = list(c.ELLIPSE_START[:3]), list(c.ELLIPSE_START[3:])
    body = sk.LagrangianLinearTIDS(q, v, np.diag([c.ELLIPSE_M, c.ELLIPSE_M, c.ELLIPSE_I]))
    body.setFExtPtr([0.0, -c.ELLIPSE_M * c.ELLIPSE_G, 0.0])
    names = ("ellipse_gap", "ellipse_gradient", "ellipse_gradient_rate")
    return simulation(body, sk.LagrangianScleronomousR(*[plugin + name for name in names]), 1.0, T, h)


def make_ball(e, h):
    body = sk.LagrangianLinearTIDS([c.BALL_H], [0.0], np.eye(1))
    body.setFExtPtr([-c.BALL_G])
    return simulation(body, sk.LagrangianLinearTIR([[1.0]]), e, c.BALL_T, h)


def run(simulation, body, _):
    times, steps, manager = [], 0, simulation.eventsManager()
    while simulation.hasNextEvent():
        simulation.advanceToEvent()
        if manager.nextEvent().getType() == IMPACT:
            times.append(manager.nextEvent().getDoubleTimeOfEvent())
        simulation.processEvents()
        steps += 1
    return body.q().copy(), times, steps


def ellipse():
    with tempfile.TemporaryDirectory() as folder:
        plugin = compile_plugin(folder)
        for T in c.ELLIPSE_T:
            for h in STEPS:
                wall_s, (q, times, steps) = c.best(run, prepare=lambda: make_ellipse(plugin, T, h), **c.ROUND)
                yield c.ellipse_row("event-driven, grid %g s" % h, T, wall_s, steps, q, times)


def ball():
    for e in c.BALL_E:
        for h in STEPS:
            wall_s, (_, times, _) = c.best(run, prepare=lambda: make_ball(e, h), **c.ROUND)
            yield c.ball_row("event-driven, grid %g s" % h, e, wall_s, len(times), times[-1])


if __name__ == "__main__":
    c.run_peer("Siconos", {"W1": ellipse, "W3": ball})
