#!/usr/bin/env python3
"""Measure the peers and carom on the same work, by turns on one core.

Writes every measurement to results.jsonl next to this file (the last run only) and prints
tables and ratios. Run install.py first; a peer that is not there is named and left out.
"""
import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import bouncer
import common
import tables

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEERS = ("heyoka", "trep", "mujoco", "scipy", "sympy", "siconos", "casadi", "carom")
# Who does which work. Works of one group are measured together, in as many rounds as it says: in
# every round each peer has its turn, and the best of all rounds counts.
GROUPS = (
    (1, {"W2": ("heyoka", "trep", "mujoco", "carom")}),
    (10, {"W1": ("heyoka", "scipy", "siconos", "carom"), "W3": ("heyoka", "siconos", "carom"),
          "W4": ("heyoka", "scipy", "sympy", "carom")}),
    (3, {"W5": ("casadi", "carom"), "W6": ("casadi", "carom")}),
    (1, {"bouncer": ("carom",)}),
)
WORKS = tuple(work for _, works in GROUPS for work in works)
# The program of carom that does a work.
PROGRAMS = {"W1": "impacts", "W2": "chains", "W3": "impacts", "W4": "impacts", "W5": "optimal", "W6": "optimal",
            "bouncer": "bouncer"}
# Those that take names of works.
TAKES_WORKS = ("impacts", "optimal")


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


def build(folder):
    """Compiles carom's programs and copies them: whoever compiles meanwhile does not change what is measured."""
    command = ["cargo", "build", "--release", "-q", "-p", "carom-bench", "--message-format=json-render-diagnostics"]
    output, reason = run(command, cwd=ROOT)
    if reason:
        say("carom: " + reason)
        return {}
    built = [json.loads(line).get("executable") for line in output.splitlines() if line.startswith("{")]
    return {name: shutil.copy(path, folder) for name in set(PROGRAMS.values())
            for path in filter(None, built) if pathlib.Path(path).stem == name}


def measure(peer, works, programs):
    """Rows of one peer for some works of a group, in one process."""
    if peer == "carom":
        program = programs.get(PROGRAMS[works[0]])
        if not program:
            return missing(peer, works, "it does not compile")
        if works == ["bouncer"]:
            try:
                return list(bouncer.rows(program, ROOT))
            except OSError as error:
                return missing(peer, works, str(error))
        command = [program] + (works if PROGRAMS[works[0]] in TAKES_WORKS else ["--json"])
    else:
        python = HERE / ".env" / peer / "bin" / "python"
        if not python.exists():
            return missing(peer, works, "run install.py")
        command = [python, HERE / (peer + "_peer.py")] + works
    output, reason = run(command, cwd=ROOT)
    if reason:
        return missing(peer, works, reason)
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    # carom also follows the ellipse for longer, where there is nothing to compare it with.
    return [row for row in rows if row["work"] in works and (row["work"] != "W1" or row["T"] in common.ELLIPSE_T)]


def missing(peer, works, reason):
    say("%s: not available: %s" % (peer, reason))
    return [dict(peer=peer, work=work, note="not available: " + reason.replace("|", "/")) for work in works]


def rounds(count, works, chosen, programs):
    """Best rows of a group of works, the peers by turns."""
    best = {}
    for turn in range(count):
        for peer in chosen:
            mine = [work for work, peers in works.items() if peer in peers]
            if not mine or any(key[0] == peer and "wall_s" not in row for key, row in best.items()):
                continue
            say("%s: %s, round %d of %d" % (peer, " ".join(mine), turn + 1, count))
            for row in measure(peer, mine, programs):
                key = (peer,) + tuple(row.get(name) for name in ("work", "setting", "n", "T", "e", "wanted"))
                old = best.get(key)
                setups = [r["compile_s"] for r in (old, row) if r and r.get("compile_s") is not None]
                if not old or row.get("wall_s", 0.0) < old["wall_s"]:
                    best[key] = row
                # What happens once before the runs has its own best round.
                if setups and "wall_s" in best[key]:
                    best[key]["compile_s"] = min(setups)
    return list(best.values())


def calibrate(when):
    """A fixed Python loop: if it takes longer at the end than at the start, the machine was not quiet."""
    least = 1e9
    for _ in range(10):
        start, total = time.process_time(), 0
        for i in range(1000000):
            total += i
        least = min(least, time.process_time() - start)
    return dict(peer="machine", work="calibration", setting=when, wall_s=least, cpu=cpu_model(),
                cores=os.cpu_count(), load=os.getloadavg()[0], python=platform.python_version())


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


def chosen_from(parser, text, all_of_them, kind):
    chosen = text.split(",")
    for name in chosen:
        if name not in all_of_them:
            parser.error("no %s %r; there are %s" % (kind, name, ", ".join(all_of_them)))
    return chosen


def write_page(rows):
    """The scoreboard of the book: all tables of one run, losses included."""
    machine = rows[0]
    head = [
        "<!-- Written by `python3 benches/peers/run.py`; do not edit. -->",
        "# Scoreboard",
        "",
        "The same work, one run, carom and its peers by turns: error and time side by side. `benches/peers/README.md` says what the",
        "work is, how each peer is run and how to read the tables; `python3 benches/peers/install.py` and then `python3 benches/peers/run.py`",
        "measure everything again and write this page. Machine: %d cores, %s, load %.1f. Times are CPU times, the best of several rounds;" % (
            machine["cores"], machine["cpu"], machine["load"]),
        "setting up is listed beside them. Where a target is not met, the table says so.",
        ""]
    (HERE.parent.parent / "docs/book/src/scoreboard.md").write_text(
        "\n".join(head + list(tables.tables(rows)) + ["## Ratios"] + list(tables.ratios(rows))) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PEERS), help="what to measure, by comma (default: %(default)s)")
    parser.add_argument("--works", default=",".join(WORKS), help="on which work, by comma (default: %(default)s)")
    parser.add_argument("--rounds", type=int, help="rounds of W1, W3, W4 (default: 10) and of W5, W6 (3)")
    parser.add_argument("--json", action="store_true", help="print the JSON lines instead of tables")
    parser.add_argument("--page", action="store_true", help="only write the page of the book again, from results.jsonl")
    args = parser.parse_args()
    if args.page:
        write_page([json.loads(line) for line in (HERE / "results.jsonl").read_text().splitlines()])
        return
    chosen = chosen_from(parser, args.only, PEERS, "peer")
    wanted = chosen_from(parser, args.works, WORKS, "work")

    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        # Compile on all cores before pinning.
        if "carom" in chosen:
            say("carom: building")
            programs = build(folder)
        pin()
        rows = [calibrate("start")]
        for count, works in GROUPS:
            works = {work: peers for work, peers in works.items() if work in wanted}
            rows += rounds(args.rounds or count if count > 1 else 1, works, chosen, programs)
        rows.append(calibrate("end"))

    lines = [json.dumps(r, sort_keys=True) for r in rows]
    (HERE / "results.jsonl").write_text("\n".join(lines) + "\n")
    write_page(rows)
    if args.json:
        print("\n".join(lines))
        return
    for line in tables.tables(rows):
        print(line)
    for line in tables.ratios(rows):
        print(line)
    slow, fast = sorted((rows[0]["wall_s"], rows[-1]["wall_s"]), reverse=True)
    print("\n%d cores, %s, load %.1f; a fixed loop took %.1f ms at the start and %.1f ms at the end%s." % (
        rows[0]["cores"], rows[0]["cpu"], rows[0]["load"], 1e3 * rows[0]["wall_s"], 1e3 * rows[-1]["wall_s"],
        ": not a quiet machine, run again" if slow > 1.2 * fast else ""))


if __name__ == "__main__":
    main()
