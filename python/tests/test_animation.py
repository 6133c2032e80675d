"""The page of an animation: complete in itself, with working controls."""

from __future__ import annotations

import html
import re
import shutil
import subprocess

import pytest

import carom

#: A page's script against a picture that notes what is done to it.
_HARNESS = """
const shown = [];
const stub = { setCurrentTime: (t) => shown.push(t), pauseAnimations: () => shown.push("paused") };
const parts = { play: {}, time: {value: 0}, speed: {value: "2"} };
globalThis.document = { querySelector: () => stub, getElementById: (id) => parts[id] };
globalThis.window = { matchMedia: () => ({ matches: false }) };
let next = null;
globalThis.requestAnimationFrame = (f) => { next = f; };
%s
next(1000);
next(1500);
parts.time.value = 0.25;
parts.time.oninput();
next(2000);
parts.play.onclick();
next(2100);
console.log(JSON.stringify([shown, parts.play.textContent]));
"""


def test_the_page_needs_nothing_else(ellipse, tmp_path):
    run = ellipse.simulate()
    animation = run.animate(tmp_path / "ellipse.html")
    page = (tmp_path / "ellipse.html").read_text(encoding="utf-8")
    assert page == animation.html and "<title>Bouncing ellipse</title>" in page
    assert "@" not in re.sub(r"<svg.*</svg>", "", page, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)\s*=|https?://(?!www\.w3\.org)', page)
    assert 'id="play"' in page and 'id="time"' in page and 'id="speed"' in page
    # Two seconds are slowed to three; the end stands for a while.
    assert animation.seconds == 3.6


def test_notebooks_show_it_in_a_frame(ellipse):
    animation = ellipse.simulate().animate()
    shown = animation._repr_html_()
    content = re.search(r'srcdoc="([^"]*)"', shown)
    assert content and html.unescape(content[1]) == animation.html
    assert animation.size[0] == 720 and 'width="730"' in shown


@pytest.mark.skipif(shutil.which("node") is None, reason="scripts are run by node")
def test_controls_set_the_clock_of_the_picture(ellipse):
    page = ellipse.simulate().animate().html
    script = re.search(r"<script>(.*)</script>", page, re.DOTALL)
    done = subprocess.run(["node", "-e", _HARNESS % script[1]], capture_output=True, text=True)
    # Stopped, at 0; half a second at double speed; the slider; then a tenth of a second.
    assert done.stdout.strip() == '[["paused",0,1,0.25,0.45],"Pause"]', done.stderr


def test_models_without_a_drawing_say_so(ball):
    with pytest.raises(carom.SettingsError, match="no drawing.*SystemBuilder.draw"):
        ball.simulate(until=0.1).animate()


def test_the_builder_draws():
    b = carom.SystemBuilder("Slider")
    x = b.coordinate("x", velocity=1.0)
    b.lagrangian = 0.5 * carom.rate(x) ** 2
    b.draw("circle", center=[x, 0.0], radius=0.1, color="firebrick", trace=True)
    assert b.build().simulate(until=1.0).animate().svg.startswith("<svg")
