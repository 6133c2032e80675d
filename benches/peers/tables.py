"""Rows of JSON to markdown: one table per work and size, then the ratios that matter."""
import math

COLUMNS = "| peer | setting | CPU ms | steps/s | position error | energy drift | compile s |"
TITLES = {"W2": "chain of %d rods, %g s"}


def number(value, form):
    return "–" if value is None else form % value


def tables(rows):
    for work, title in TITLES.items():
        measured = [r for r in rows if r["work"] == work and "wall_s" in r]
        for n in sorted({r["n"] for r in measured}):
            same = [r for r in measured if r["n"] == n]
            yield "### %s, " % work + title % (n, same[0]["T"])
            yield ""
            yield COLUMNS
            yield "|---" * COLUMNS.count(" |") + "|"
            yield from map(line, same)
            yield from (absent(r) for r in rows if r["work"] == work and "wall_s" not in r)
            yield ""


def line(r):
    return "| %s | %s | %.3g | %.2g | %s | %s | %s |" % (
        r["peer"], r["setting"], 1e3 * r["wall_s"], r["steps"] / r["wall_s"], number(r.get("pos_err"), "%.1e"),
        number(r.get("drift"), "%.1e"), number(r.get("compile_s"), "%.2f"))


def absent(r):
    return "| %s | %s | – | – | – | – | – |" % (r["peer"], r["note"])


def ratios(rows):
    """carom against the peer to beat; a peer's own number stands even where carom is missing."""
    chains = [r for r in rows if r["work"] == "W2" and "wall_s" in r]
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
