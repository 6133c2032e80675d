"""What Python costs: calls of simulate, batches of evaluations, sweeps.

Run with the package installed, with SymPy beside it: python benches/python/overhead.py [--points 100000]
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import os
import signal
import tempfile
import time
from pathlib import Path

import numpy as np

import carom

ELLIPSE = Path(__file__).resolve().parents[2] / "papers" / "004" / "ellipse.toml"


def best(function, count):
    """The shortest of several times."""
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def calls():
    """Simulating the ellipse for 2 s, from Python and without it, in turns."""
    system = carom.System.from_file(ELLIPSE)
    settings = [("simulation.until", "2")]
    system.simulate(until=2)
    rounds = [
        (best(lambda: system.simulate(until=2), 100), system._core.best_seconds(settings, True, 100)) for _ in range(5)
    ]
    python, rust = (min(times) for times in zip(*rounds))
    limit = 1.2 * rust + 20e-6
    print(f"simulate, 2 s of the ellipse: Python {1e6 * python:.0f} us, Rust {1e6 * rust:.0f} us, "
          f"ratio {python / rust:.3f} (limit 1.2 x + 20 us = {1e6 * limit:.0f} us: {'holds' if python <= limit else 'MISSED'})")


def energies(count=100_000):
    """Energies at many states, compiled, and by a function that SymPy has made for NumPy, called state by state."""
    import sympy as sp

    system = carom.System.from_file(ELLIPSE)
    energy = system.function("energy")
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(count, 3)), rng.normal(size=(count, 3))
    ours = best(lambda: energy(q, v), 5)
    theta, x, y, w, vx, vy = sp.symbols("theta x y w vx vy")
    p = system.parameters
    formula = p["m"] * (vx**2 + vy**2) / 2 + p["I"] * w**2 / 2 + p["m"] * p["g"] * y
    lambdified = sp.lambdify((theta, x, y, w, vx, vy), formula, "numpy")
    begin = time.perf_counter()
    theirs_values = np.array([lambdified(*a, *b) for a, b in zip(q, v)])
    theirs = time.perf_counter() - begin
    begin = time.perf_counter()
    lambdified(*q.T, *v.T)
    whole = time.perf_counter() - begin
    assert np.allclose(energy(q, v), theirs_values, rtol=1e-12)
    print(f"{count} energies: {1e3 * ours:.2f} ms, SymPy's function in a loop {1e3 * theirs:.0f} ms, "
          f"ratio {theirs / ours:.0f} (at least 50: {'holds' if theirs >= 50 * ours else 'MISSED'}); "
          f"SymPy's function on whole arrays {1e3 * whole:.2f} ms")


def digest(folder):
    """One hash of all files of a dataset."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    total = hashlib.sha256()
    for path in files:
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:16]


def sweeps(points):
    """A sweep of the ellipse on one thread, on all, and on Dask with a worker that is killed."""
    system = carom.System.from_file(ELLIPSE)
    side = 250
    over = {"theta'": np.linspace(-8, 8, max(points // side, 1)), "y'": np.linspace(-3, 3, side)}
    count = max(points // side, 1) * side
    with tempfile.TemporaryDirectory() as scratch:
        times = {}
        for threads in (1, None, 1, None):
            folder = Path(scratch) / f"threads-{threads}"
            begin = time.perf_counter()
            carom.sweep(system, over, until=2, out=folder, threads=threads, fresh=True, progress=False)
            times[threads] = min(times.get(threads, np.inf), time.perf_counter() - begin)
        cores = os.cpu_count()
        efficiency = times[1] / times[None] / cores
        print(f"{count} runs: 1 thread {times[1]:.1f} s ({count / times[1]:.0f}/s), {cores} cores {times[None]:.1f} s "
              f"({count / times[None]:.0f}/s), parallel efficiency {100 * efficiency:.0f} %")
        with concurrent.futures.ProcessPoolExecutor(cores) as pool:
            begin = time.perf_counter()
            carom.sweep(system, over, until=2, out=Path(scratch) / "pool", executor=pool, progress=False)
            print(f"the same on {cores} processes: {time.perf_counter() - begin:.1f} s")
        dask(system, over, Path(scratch), count)
        hashes = {folder: digest(Path(scratch) / folder) for folder in ("threads-1", "threads-None", "pool", "dask")}
        print(f"datasets: {'identical' if len(set(hashes.values())) == 1 else f'DIFFERENT {hashes}'}")


def dask(system, over, scratch, count):
    """The same on two worker processes, one of which is killed in the middle."""
    import distributed

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  local_directory=str(scratch / "space")) as cluster, distributed.Client(cluster) as client:
        victims = list(client.run(os.getpid).values())[:1]

        def kill_in_the_middle(done):
            if victims and done > count / 2:
                os.kill(victims.pop(), signal.SIGKILL)

        begin = time.perf_counter()
        carom.sweep(system, over, until=2, out=scratch / "dask", executor=client, progress=kill_in_the_middle)
        killed = "one killed in the middle" if not victims else "none killed"
        print(f"the same on Dask, 2 workers, {killed}: {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=100_000)
    wanted = parser.parse_args()
    calls()
    energies()
    sweeps(wanted.points)
