"""MuJoCo: joint coordinates, explicit Runge-Kutta or semi-implicit Euler."""
import mujoco

import common as c

SETTINGS = (("RK4", 1e-3), ("Euler", 1e-3))

# The inertia about the rod's own axis plays no part in the plane; MuJoCo only asks that it be positive.
ROD = ('<body pos="0 0 %g"><joint type="hinge" axis="0 1 0"/>'
       '<inertial pos="0 0 -0.5" mass="1" diaginertia="{i} {i} 1e-6"/>').format(i=1.0 / 12.0)


def make_chain(n, integrator, h):
    rods = "".join(ROD % (-1 if j else 0) for j in range(n)) + "</body>" * n
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="%g" gravity="0 0 %g" integrator="%s"><flag contact="disable"/></option>'
        "<worldbody>%s</worldbody></mujoco>" % (h, -c.CHAIN_G, integrator, rods))
    return model, mujoco.MjData(model)


def start_chain(model, data, n):
    mujoco.mj_resetData(model, data)
    data.qpos[:] = c.relative(c.CHAIN_START[n])


def run_chain(model, data, n, steps):
    start_chain(model, data, n)
    mujoco.mj_step(model, data, nstep=steps)
    return data.qpos.copy()


def sample_chain(model, data, n, h):
    start_chain(model, data, n)
    for _ in range(int(round(c.CHAIN_T / c.SAMPLE))):
        mujoco.mj_step(model, data, nstep=int(round(c.SAMPLE / h)))
        yield c.absolute(data.qpos), c.absolute(data.qvel)


def chains():
    for n in c.CHAIN_START:
        for integrator, h in SETTINGS:
            model, data = make_chain(n, integrator, h)
            steps = int(round(c.CHAIN_T / h))
            wall_s, q = c.best(lambda: run_chain(model, data, n, steps))
            yield c.chain_row("%s h=%g" % (integrator, h), n, wall_s, steps, c.absolute(q),
                              sample_chain(model, data, n, h))


if __name__ == "__main__":
    c.run_peer("MuJoCo", {"W2": chains})
