"""Rows of JSON to markdown: one table per work and size, then the ratios that matter."""
import math


def number(value, form):
    return "–" if value is None else form % value


def cell(key, form, factor=1.0):
    """A column's cell: a key of the row, scaled and printed."""
    return lambda r: number(None if r.get(key) is None else factor * r[key], form)


TIME, ERROR, COMPILE = cell("wall_s", "%.3g", 1e3), cell("pos_err", "%.1e"), cell("compile_s", "%.3f")

# Columns of the works that are nonlinear programs.
PROGRAM = {
    "solve ms": TIME, "set up ms": cell("compile_s", "%.3g", 1e3), "both ms": lambda r: "%.3g" % ms(both(r)),
    "iterations": cell("iterations", "%d"), "variables": cell("variables", "%d"),
    "constraints": cell("constraints", "%d"), "objective": cell("objective", "%.9g"),
    "its error": cell("obj_err", "%.1e"), "worst row or bound": cell("violation", "%.1e")}

# Per work: what tells its tables apart, their title, and the columns after peer and setting.
TABLES = {
    "W1": ("T", "bouncing ellipse, %g s", {
        "CPU ms": TIME, "impacts": cell("n_impacts", "%d"), "position error": ERROR,
        "impact-time error": cell("t_imp_err", "%.1e"), "steps": cell("steps", "%d"), "compile s": COMPILE}),
    "W2": ("n", "chain of %d rods, 20 s", {
        "CPU ms": TIME, "steps/s": lambda r: "%.2g" % rate(r), "position error": ERROR,
        "energy drift": cell("drift", "%.1e"), "compile s": COMPILE}),
    "W3": ("e", "ball to rest, e = %g", {
        "CPU ms": TIME, "impacts": cell("n_impacts", "%d"), "rest-time error": cell("rest_err", "%.1e"),
        "compile s": COMPILE}),
    "W4": ("T", "sleigh on a round table, %g s", {
        "CPU ms": TIME, "impacts": cell("n_impacts", "%d"), "position error": ERROR,
        "impact-time error": cell("t_imp_err", "%.1e"), "steps": cell("steps", "%d"), "compile s": COMPILE}),
    "W5": ("n", "cart-pole swing-up, %d intervals", PROGRAM),
    "W6": ("n", "step of the planar biped, %d intervals", PROGRAM),
    "bouncer": ("wanted", "%d impacts", {
        "CPU s": cell("wall_s", "%.3g"), "impacts": cell("n_impacts", "%d"), "steps": cell("steps", "%d"),
        "steps/s": lambda r: "%.2g" % rate(r), "largest energy error": cell("drift", "%.1e"),
        "peak memory MB": cell("peak_bytes", "%.1f", 1e-6)}),
}

# Siconos on W1, 2 s, as measured elsewhere: where it cannot be installed, this is all there is. Model
# building is part of it.
PUBLISHED = dict(peer="Siconos", work="W1", T=2.0, wall_s=0.30e-3, pos_err=1.2e-13, n_impacts=2, steps=22,
                 setting="event-driven, grid 0.1 s (published elsewhere, not measured here)")


def tables(rows):
    rows = rows + published(rows)
    for work, (key, title, columns) in TABLES.items():
        measured = [r for r in rows if r["work"] == work and "wall_s" in r]
        for value in sorted({r[key] for r in measured}):
            yield "### %s, " % work + title % value
            yield ""
            yield "| " + " | ".join(["peer", "setting"] + list(columns)) + " |"
            yield "|---" * (2 + len(columns)) + "|"
            for r in (r for r in measured if r[key] == value):
                yield "| " + " | ".join([r["peer"], r["setting"]] + [column(r) for column in columns.values()]) + " |"
            for r in (r for r in rows if r["work"] == work and "wall_s" not in r):
                yield "| " + " | ".join([r["peer"], r["note"]] + ["–"] * len(columns)) + " |"
            yield ""


def published(rows):
    is_asked = any(r["work"] == "W1" for r in rows)
    return [PUBLISHED] if is_asked and not any(r["peer"] == "Siconos" and r["work"] == "W1" for r in rows) else []


def ratios(rows):
    """carom against the peer to beat; a peer's own number stands even where carom is missing."""
    yield from chain_ratios([r for r in rows if r["work"] == "W2" and "wall_s" in r])
    impacts = [r for r in rows + published(rows) if r["work"] in ("W1", "W3", "W4", "bouncer") and "wall_s" in r]
    yield from impact_ratios(impacts)
    yield from program_ratios([r for r in rows if r["work"] in ("W5", "W6") and "wall_s" in r])


def impact_ratios(rows):
    """Targets of the works with impacts: what is compared, both times, and whether the target is met."""
    if not rows:
        return
    yield ""
    yield "| work | carom / peer, time (less is better) | carom | peer | ratio | target | met |"
    yield "|---|---|---|---|---|---|---|"
    for T, error, most in ((2.0, 1e-12, 0.2), (10.0, 1e-8, None)):
        mine = [r for r in rows if r["work"] == "W1" and r["T"] == T]
        if not mine:
            continue
        same = within(mine, error)
        ours = fastest(of(same, "carom"))
        work = "W1, %g s, error < %g" % (T, error)
        for name, match in HEYOKA.items():
            yield target(work, ours, fastest(filter(match, of(same, "heyoka"))), "heyoka, " + name, 1.0)
        yield target(work, ours, fastest(of(same, "SciPy")), "SciPy", None)
        # Siconos is less exact after 10 s, and there is no target.
        for row in of(same, "Siconos"):
            yield target(work, ours, row, "Siconos, " + row["setting"], most)
    for e in sorted({r["e"] for r in rows if r["work"] == "W3"}):
        same = [r for r in rows if r["work"] == "W3" and r["e"] == e]
        ours, work = fastest(of(same, "carom")), "W3, e = %g" % e
        yield target(work, ours, fastest(of(same, "heyoka")), "heyoka and a rest rule", None)
        yield target(work, ours, fastest(of(same, "Siconos")), "Siconos", None)
    yield from sleigh_ratios([r for r in rows if r["work"] == "W4"])
    yield from long_ratios([r for r in rows if r["work"] == "bouncer"])


def program_ratios(rows):
    """Time to solve, and to set up and solve, against every way to write the program with CasADi."""
    if not rows:
        return
    yield ""
    yield "| work | carom / peer, time (less is better) | carom | peer | ratio | target | met |"
    yield "|---|---|---|---|---|---|---|"
    for work, n in sorted({(r["work"], r["n"]) for r in rows}):
        # Another optimum is another work, and so is a point that misses the constraints.
        same = [r for r in rows if (r["work"], r["n"]) == (work, n) and r["obj_err"] < 1e-5 and r["violation"] < 1e-6]
        for label, part in (("solve", dict), ("set up and solve", both)):
            timed = [part(r) for r in same]
            for row in of(timed, "CasADi"):
                yield target("%s, %d intervals, %s" % (work, n, label), fastest(of(timed, "carom")), row,
                             "CasADi, " + row["setting"], None)


def both(row):
    """A row whose time is that to set up and to solve."""
    return dict(row, wall_s=row["wall_s"] + (row["compile_s"] or 0.0))


def sleigh_ratios(rows):
    if not rows:
        return
    # A run that missed an impact is not the same work, however near its end is.
    same = [r for r in within(rows, 1e-11) if r["t_imp_err"] is not None]
    ours, work = fastest(of(same, "carom")), "W4, error < 1e-11"
    for name in ("default", "fast_math"):
        theirs = [r for r in of(same, "heyoka") if ("fast_math" in r["setting"]) == (name == "fast_math")]
        yield target(work, ours, fastest(theirs), "heyoka, reduced by hand, " + name, 3.0)
    yield target(work, ours, fastest(of(same, "SciPy")), "SciPy, reduced by hand", None)
    # Its error is somewhat larger than carom may have, which is in its favour.
    kane = fastest(r for r in of(rows, "SymPy") if r["setting"].endswith("rtol=1e-12"))
    yield target(work, ours, kane, "SymPy and SciPy, rtol=1e-12", 0.01)


# heyoka's settings by what the user has to know: the gap as carom's model file has it, or a function
# with the same roots that suits heyoka; and whether sums may be reordered.
HEYOKA = {
    "the same gap": lambda r: r["setting"].startswith("gap") and "fast_math" not in r["setting"],
    "the same gap, fast_math": lambda r: r["setting"].startswith("gap") and "fast_math" in r["setting"],
    "squared gap": lambda r: r["setting"].startswith("squared") and "fast_math" not in r["setting"],
    "squared gap, fast_math": lambda r: r["setting"].startswith("squared") and "fast_math" in r["setting"],
}


def target(work, ours, theirs, peer, most):
    quotient = ours["wall_s"] / theirs["wall_s"] if ours and theirs else None
    met = "–" if quotient is None or most is None else verdict(quotient / most)
    if theirs and ", tol=" in theirs["setting"]:
        peer += ", tol" + theirs["setting"].split("tol")[1].split()[0]
    return "| %s | against %s | %s | %s | %s | %s | %s |" % (
        work, peer, number(ms(ours), "%.3g ms"), number(ms(theirs), "%.3g ms"), number(quotient, "**%.2g**"),
        number(most, "< %.3g"), met)


def verdict(part):
    """Whether a target is met, from the measured part of it; two runs differ by some percent."""
    return "even" if abs(part - 1.0) < 0.05 else "yes" if part < 1.0 else "**no**"


def long_ratios(rows):
    sizes = sorted({r["wanted"] for r in rows})
    for r in rows:
        if r["wanted"] == 1000000:
            # A jump that changes the energy may leave the particle on the floor.
            is_whole = r["n_impacts"] >= r["wanted"]
            yield "| bouncer | %d impacts, %s%s | %.3g s | – | – | < 30 s | %s |" % (
                r["n_impacts"], r["setting"], "" if is_whole else ": then it stays on the floor", r["wall_s"],
                verdict(r["wall_s"] / 30.0) if is_whole else "–")
    if len(sizes) > 1:
        few, many = (max(r["peak_bytes"] for r in rows if r["wanted"] == size) for size in (sizes[0], sizes[-1]))
        yield "| bouncer | memory, %d impacts against %d | %.1f MB | %.1f MB | **%.2f** | < 1.05 | %s |" % (
            sizes[-1], sizes[0], 1e-6 * many, 1e-6 * few, many / few, "yes" if many < 1.05 * few else "**no**")


def of(rows, peer):
    return [r for r in rows if r["peer"] == peer]


def chain_ratios(chains):
    if not chains:
        return
    yield "| links | carom / peer | carom | peer | ratio |"
    yield "|---|---|---|---|---|"
    for n in sorted({r["n"] for r in chains}):
        carom, heyoka, trep = ([r for r in chains if r["n"] == n and r["peer"] == peer]
                               for peer in ("carom", "heyoka", "trep"))
        for row in trep:
            # The same step means the same number of steps, however each names its setting.
            ours = fastest(r for r in carom if "midpoint" in r["setting"] and r["steps"] == row["steps"])
            yield ratio(n, "midpoint steps/s, %s (more is better)" % row["setting"].split()[-1],
                        rate(ours), rate(row), "%.3g /s", "trep")
        ours = fastest(within(carom, 1e-8))
        # heyoka twice: as it comes, and with the option that helps it most.
        for name in ("default", "fast_math"):
            family = [r for r in heyoka if ("fast_math" in r["setting"]) == (name == "fast_math")]
            yield ratio(n, "time, carom error <= 1e-8, heyoka error <= 1e-7 (less is better)", ms(ours),
                        ms(fastest(within(family, 1e-7))), "%.3g ms", "heyoka %s" % name)
            yield ratio(n, "time, carom error <= 1e-8, heyoka at error 1e-8 (less is better)", ms(ours),
                        time_at(family, 1e-8), "%.3g ms", "heyoka %s, interpolated" % name)


def ratio(n, label, ours, theirs, form, peer):
    quotient = ours / theirs if ours and theirs else None
    return "| %d | %s | %s | %s: %s | %s |" % (n, label, number(ours, form), peer, number(theirs, form),
                                              number(quotient, "**%.2f**"))


def within(rows, error):
    return [r for r in rows if r.get("pos_err") is not None and r["pos_err"] <= error]


def fastest(rows):
    return min(rows, key=lambda r: r["wall_s"], default=None)


def rate(row):
    return row and row["steps"] / row["wall_s"]


def ms(row):
    return row and 1e3 * row["wall_s"]


def time_at(rows, error):
    """Milliseconds at `error`, log time against log error between the two nearest settings.

    Only settings that no other beats in both time and error count: errors at one end time
    wobble, and a lucky or unlucky setting would otherwise bend the line.
    """
    front = []
    for r in sorted(rows, key=lambda r: r["wall_s"]):
        if not front or r["pos_err"] < front[-1]["pos_err"]:
            front.append(r)
    for loose, tight in zip(front, front[1:]):
        if tight["pos_err"] <= error <= loose["pos_err"]:
            share = math.log(loose["pos_err"] / error) / math.log(loose["pos_err"] / tight["pos_err"])
            return ms(loose) * (tight["wall_s"] / loose["wall_s"]) ** share
    return None
