"""Animations: the moving picture of a run in a page with a slider, which needs no server and no network."""

from __future__ import annotations

import html
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Sequence, Union

from .errors import SettingsError

if TYPE_CHECKING:
    from .trajectory import Trajectory

#: The picture that ``Trajectory.save`` writes.
_PICTURE = "animation.svg"

#: Pixels that the controls take below the picture.
_CONTROLS = 60

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>@TITLE@</title>
<style>
body { margin: 0; font: 14px sans-serif; background: white; color: #262a30; }
main { max-width: @WIDTH@px; margin: auto; }
svg { display: block; width: 100%; height: auto; }
form { display: flex; gap: 0.8em; align-items: center; padding: 0.5em; }
input { flex: 1; }
button { min-width: 5em; }
</style>
</head>
<body>
<main>
@PICTURE@
<form onsubmit="return false">
<button type="button" id="play">Pause</button>
<input type="range" id="time" min="0" max="@LAST@" step="any" value="0" aria-label="time">
<select id="speed" aria-label="speed">
<option value="0.1">0.1 x</option>
<option value="0.25">0.25 x</option>
<option value="0.5">0.5 x</option>
<option value="1" selected>1 x</option>
<option value="2">2 x</option>
<option value="4">4 x</option>
</select>
</form>
</main>
<script>
// The picture has a clock of its own, which knows one speed: it is stopped, and set frame by frame.
const picture = document.querySelector("svg");
const [play, time, speed] = ["play", "time", "speed"].map((id) => document.getElementById(id));
const period = @PERIOD@;
let playing = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
let last = null;
function show(now) {
  time.value = now;
  picture.setCurrentTime(now);
}
function label() {
  play.textContent = playing ? "Pause" : "Play";
}
function frame(stamp) {
  if (playing && last !== null) {
    show((Number(time.value) + Number(speed.value) * (stamp - last) / 1000) % period);
  }
  last = stamp;
  requestAnimationFrame(frame);
}
play.onclick = () => { playing = !playing; label(); };
time.oninput = () => { playing = false; label(); show(Number(time.value)); };
picture.pauseAnimations();
label();
show(0);
requestAnimationFrame(frame);
</script>
</body>
</html>
"""


class Animation:
    """A page that plays a motion: notebooks show it, ``save`` writes it."""

    def __init__(self, svg: str, title: str):
        self.svg = svg
        self.title = title

    @property
    def html(self) -> str:
        """The page."""
        period = self.seconds
        # At the end of the period the picture would begin again.
        values = {"PERIOD": f"{period:g}", "LAST": f"{0.9999 * period:.6g}", "WIDTH": f"{self.size[0]:.0f}"}
        page = _PAGE.replace("@TITLE@", html.escape(self.title))
        for name, value in values.items():
            page = page.replace(f"@{name}@", value)
        return page.replace("@PICTURE@", self.svg)

    @property
    def seconds(self) -> float:
        """How long it takes at its own speed."""
        return max((float(text) for text in re.findall(r'dur="([0-9.]+)s"', self.svg)), default=1.0)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture in pixels."""
        width, height = (re.search(rf'<svg[^>]*\s{name}="([0-9.]+)', self.svg) for name in ("width", "height"))
        return (float(width[1]), float(height[1])) if width and height else (720.0, 540.0)

    def save(self, path: Union[str, os.PathLike]) -> Path:
        """Writes the page."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        # A frame of its own: notebooks keep their style, and the page its script.
        width, height = self.size
        page = html.escape(self.html, quote=True)
        style = "border: 0; max-width: 100%"
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="{style}" '
            f'width="{width + 10:.0f}" height="{height + _CONTROLS:.0f}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<carom.Animation of {self.title!r}: {self.seconds:g} s>"


def animate(trajectory: "Trajectory", path: Union[str, os.PathLike, None] = None) -> Animation:
    """The motion of the model's drawing as a page, written to ``path`` if there is one."""
    if path is not None and Path(path).suffix.lower() not in (".html", ".htm"):
        raise SettingsError(f"the animation is a page of HTML: `{path}` should end with .html")
    with tempfile.TemporaryDirectory() as folder:
        pictures = [file for file in trajectory.save(folder) if file.name == _PICTURE]
        if not pictures:
            raise SettingsError(
                "there is nothing to animate: the model has no drawing, or nothing in it moves; "
                "[[draw]] in a model file and SystemBuilder.draw say what is drawn"
            )
        animation = Animation(pictures[0].read_text(encoding="utf-8"), trajectory.system.name)
    if path is not None:
        animation.save(path)
    return animation


__all__: Sequence[Any] = ["Animation", "animate"]
