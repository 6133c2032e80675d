#!/usr/bin/env python3
"""Measure the peers and carom on the same work, one after another on one core.

Writes every measurement to results.jsonl next to this file (the last run only) and prints
tables and ratios. Run install.py first; a peer that is not there is named and left out.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import tables

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEERS = ("heyoka", "trep", "mujoco", "carom")
CAROM = ["--release", "-q", "-p", "carom-bench", "--bin", "chains"]
WORKS = ("W2",)


def say(text):
    """Progress goes to stderr, so that stdout holds nothing but the result."""
    print(text, file=sys.stderr, flush=True)


def run(command, **more):
    """Standard output of a command, or the reason why there is none."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    try:
        done = subprocess.run(command, text=True, capture_output=True, env=environment, **more)
    except OSError as error:
        return None, str(error)
    if done.returncode:
        # The last line of a Python error, the first "error" line of a Rust one.
        lines = done.stderr.strip().splitlines() or ["exit code %d" % done.returncode]
        return None, next((line for line in lines if line.startswith("error")), lines[-1])
    return done.stdout, None


def measure(peer):
    if peer == "carom":
        output, reason = run(["cargo", "run"] + CAROM + ["--", "--json"], cwd=ROOT)
    else:
        python = HERE / ".env" / peer / "bin" / "python"
        if not python.exists():
            return missing(peer, "run install.py")
        output, reason = run([python, HERE / (peer + "_peer.py")] + list(WORKS))
    if reason:
        return missing(peer, reason)
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def missing(peer, reason):
    say("%s: not available: %s" % (peer, reason))
    return [dict(peer=peer, work=work, note="not available: " + reason.replace("|", "/")) for work in WORKS]


def calibrate(when):
    """A fixed Python loop: if it takes longer at the end than at the start, the machine was not quiet."""
    least = 1e9
    for _ in range(10):
        start, total = time.process_time(), 0
        for i in range(1000000):
            total += i
        least = min(least, time.process_time() - start)
    return dict(peer="machine", work="calibration", setting=when, wall_s=least, cpu=cpu_model(),
                load=os.getloadavg()[0], python=platform.python_version())


def cpu_model():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        return next(line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def pin():
    """Children inherit it. The last core, because the first often serves interrupts."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PEERS), help="what to measure, by comma (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the JSON lines instead of tables")
    args = parser.parse_args()
    chosen = args.only.split(",")
    for peer in chosen:
        if peer not in PEERS:
            parser.error("no peer %r; there are %s" % (peer, ", ".join(PEERS)))

    # Compile on all cores before pinning; if it fails, measuring will say why.
    if "carom" in chosen:
        say("carom: building")
        run(["cargo", "build"] + CAROM, cwd=ROOT)
    pin()
    rows = [calibrate("start")]
    for peer in chosen:
        say("%s: measuring" % peer)
        rows += measure(peer)
    rows.append(calibrate("end"))

    lines = [json.dumps(r, sort_keys=True) for r in rows]
    (HERE / "results.jsonl").write_text("\n".join(lines) + "\n")
    if args.json:
        print("\n".join(lines))
        return
    for line in tables.tables(rows):
        print(line)
    for line in tables.ratios(rows):
        print(line)
    slow, fast = sorted((rows[0]["wall_s"], rows[-1]["wall_s"]), reverse=True)
    print("\n%s, load %.1f; a fixed loop took %.1f ms at the start and %.1f ms at the end%s." % (
        rows[0]["cpu"], rows[0]["load"], 1e3 * rows[0]["wall_s"], 1e3 * rows[-1]["wall_s"],
        ": not a quiet machine, run again" if slow > 1.2 * fast else ""))


if __name__ == "__main__":
    main()
