"""Write the report's interactive part: a slider over a range of steps, with the pictures of each and the source linked.

All steps are in the page; a script shows one of them. Without scripts the page shows them one below the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from warpview.trace.trace import Trace

MOST_FRAMES = 60  # steps in a page: about 80 KB each

CONTROLS = (
    '<div class="controls"><button type="button" id="back" aria-label="Previous step">◀</button>'
    '<input type="range" id="slider" min="0" max="{last}" value="0" aria-label="Step"/>'
    '<button type="button" id="next" aria-label="Next step">▶</button><output id="which" for="slider"></output></div>'
)
STYLE = """
.walk .controls { display: flex; gap: .6rem; align-items: center; position: sticky; top: 0; background: var(--panel);
                  padding: .4rem 0; }
.walk input { flex: 1; accent-color: var(--accent); } .walk button { font: inherit; padding: .1rem .7rem; }
.walk output { font-variant-numeric: tabular-nums; white-space: nowrap; }
.source tr[id] td.line { cursor: pointer; } .source tr.now td.line { background: var(--accent); color: var(--panel); }
.source tr.now td.code { outline: 2px solid var(--accent); outline-offset: -2px; }
"""
SCRIPT = """
(function () {
  const frames = Array.from(document.querySelectorAll('.frame')), slider = document.getElementById('slider');
  if (!slider) return;
  let at = 0;
  function show(n) {
    at = Math.max(0, Math.min(frames.length - 1, n));
    frames.forEach((frame, k) => { frame.hidden = k !== at; });
    slider.value = at;
    document.getElementById('which').textContent = 'step ' + frames[at].dataset.step;
    document.querySelectorAll('.source tr.now').forEach(row => row.classList.remove('now'));
    const row = document.getElementById('L' + frames[at].dataset.line);
    if (row) row.classList.add('now');
  }
  slider.addEventListener('input', () => show(+slider.value));
  document.getElementById('back').addEventListener('click', () => show(at - 1));
  document.getElementById('next').addEventListener('click', () => show(at + 1));
  document.addEventListener('keydown', event => {
    if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowRight') { show(at + 1); event.preventDefault(); }
    if (event.key === 'ArrowLeft') { show(at - 1); event.preventDefault(); }
  });
  document.querySelectorAll('.source tr[id] td.line').forEach(cell => cell.addEventListener('click', () => {
    const line = cell.parentElement.id.slice(1);
    const later = frames.findIndex((frame, k) => k > at && frame.dataset.line === line);
    const found = later >= 0 ? later : frames.findIndex(frame => frame.dataset.line === line);
    if (found >= 0) { show(found); document.querySelector('.walk').scrollIntoView(); }
  }));
  show(0);
})();
"""


def walk_steps(trace: Trace, wanted: Sequence[int]) -> list[int]:
    """Return the steps of the walk: those of one warp, from the first wanted step on (or from its first one).

    At most MOST_FRAMES steps; the warp is the one that issued the wanted step.
    """
    start = next((step for step in wanted if 0 < step <= trace.steps), 0)
    event = trace.event(start or 1)
    own = [int(step) for step in trace.steps_of_warp(event.block, event.warp) if step >= start]
    return own[:MOST_FRAMES]


def walk(steps: Sequence[int], frame: Callable[[int], tuple[int, str]]) -> Iterator[str]:
    """Yield the section piece by piece. ``frame`` returns the source line and the HTML of a step."""
    if not steps:
        return
    yield (
        f'<section class="walk"><h2>Step by step</h2><p class="dim">{len(steps)} steps of one warp. Move the slider, '
        "press ← and →, or click a line number of the source.</p>" + CONTROLS.format(last=len(steps) - 1)
    )
    for step in steps:
        line, content = frame(step)
        link = f'<a href="#L{line}">line {line}</a>' if line else ""
        opening = f'<div class="frame" data-step="{step}" data-line="{line}">'
        yield f'{opening}<p class="dim">step {step}, {link}</p>{content}</div>'
    yield "</section>"
