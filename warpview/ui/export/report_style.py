"""Define the looks of the report: light or dark as the reader's system is, and light on paper."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import fields
from functools import cache

from warpview.resources import assets_dir
from warpview.trace.presentation import STALLS
from warpview.ui.drawing import palette
from warpview.ui.drawing.theme import DARK, LIGHT, Theme

STYLE = """
* { box-sizing: border-box; }
html { background: var(--window); }
body { font: 16px/1.55 system-ui, sans-serif; font-variant-ligatures: no-contextual;
       color: var(--text); max-width: 66rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.25rem; margin: 0 0 .35rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
header p, .dim { color: var(--dim); margin: .3rem 0 0; }
section { background: var(--panel); border: 1px solid var(--faint); border-radius: 10px; padding: 1.1rem 1.25rem;
          margin-top: 1.25rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .6rem; margin: 1.1rem 0 0; }
.facts div { background: var(--panel); border: 1px solid var(--faint); border-radius: 10px; padding: .55rem .8rem; }
.facts dt { color: var(--dim); font-size: .8rem; } .facts dd { margin: 0; font-size: 1.15rem; font-weight: 600; }
.facts dd small { display: block; font-weight: 400; font-size: .8rem; color: var(--dim); }
blockquote { margin: .2rem 0 .8rem; padding: .35rem .8rem; border-left: 4px solid var(--accent);
             background: var(--raised); border-radius: 0 6px 6px 0; font-size: 1.08rem; }
code, pre { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
svg { display: block; width: 100%; height: auto; border: 1px solid var(--faint); border-radius: 6px; margin: .5rem 0; }
image { image-rendering: pixelated; }
text { font-family: Inter, system-ui, sans-serif; white-space: pre; font-variant-ligatures: no-contextual; }
text[font-family*="Mono"] { font-family: "JetBrains Mono", ui-monospace, monospace; }
.findings { border-color: var(--error); } .findings h2 { color: var(--error); }
.findings ul { margin: 0; padding-left: 1.2rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .2rem .6rem; text-align: left; }
th { color: var(--dim); font-weight: 600; font-size: .85rem; border-bottom: 1px solid var(--faint); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--raised); }
tr.group th { padding-top: .9rem; color: var(--text); }
abbr { text-decoration: underline dotted var(--idle); text-underline-offset: 3px; cursor: help; }
.scroll { overflow-x: auto; }
.source td, .source th { padding: 0 .4rem; background: var(--panel); vertical-align: top; }
.source th { font-size: .75rem; white-space: normal; vertical-align: bottom; }
.source td.code { white-space: pre-wrap; font: 14px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
                  width: 100%; }
.source td.line { color: var(--comment); } .source td.n { font-size: .85rem; }
.bar { display: block; height: .8em; border-radius: 2px; background: var(--active); min-width: 1px; }
.steps { columns: 1; font-size: .95rem; } .steps li::marker { color: var(--dim); font-size: .85em; }
summary { cursor: pointer; font-weight: 600; }
footer { color: var(--dim); font-size: .85rem; margin-top: 1.5rem; }
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; } html { background: #fff; }
  section { border: none; padding: 0; } h2, blockquote { break-after: avoid; }
  svg, tr, .facts div { break-inside: avoid; }
  details:not([open]) { display: none; }
}
"""
# What the style itself paints with.
OWN = ("window", "panel", "raised", "text", "dim", "faint", "accent", "active", "idle", "error", "comment")
DRAWN = (
    *(field.name for field in fields(Theme) if field.type == "str" and field.name != "name"),
    *(f"lane{lane}" for lane in range(32)), *(f"heat{shade}" for shade in range(8)),
    *(f"stall_{stall.name.lower()}" for stall in STALLS), "conflict_text", "conflict_dark", "on_conflict", "memory",
)  # fmt: skip
HEX = re.compile(r"#[0-9a-f]{6}\b")


@cache
def _both() -> dict[str, str]:
    """Return for each colour of a picture in the light theme that of the dark one, as '#rrggbb'."""
    return {palette.colour(LIGHT, token).name(): palette.colour(DARK, token).name() for token in reversed(DRAWN)}


def themed(svg: str) -> str:
    """Return a drawing in the light theme as one that follows the reader's light or dark."""
    both = _both()
    return HEX.sub(lambda found: f"var(--c{found[0][1:]})" if found[0] in both else found[0], svg)


@cache
def _face(name: str) -> str:
    return b64encode((assets_dir() / "fonts" / f"{name}.otf").read_bytes()).decode()


def style() -> str:
    """Return the style sheet, with the colours of both themes."""
    light, dark = (
        " ".join(f"--{token}: {palette.colour(theme, token).name()};" for token in OWN) for theme in (LIGHT, DARK)
    )
    light += " ".join(f" --c{name[1:]}: {name};" for name in _both())
    dark += " ".join(f" --c{name[1:]}: {colour};" for name, colour in _both().items())
    faces = "".join(
        f"@font-face {{ font-family: Inter; font-weight: {weight}; src: url(data:font/otf;base64,{_face(name)}); }}\n"
        for weight, name in ((400, "Inter-Regular"), (700, "Inter-Bold"))
    )  # the views are laid out for it
    return faces + (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{STYLE}"
    )
