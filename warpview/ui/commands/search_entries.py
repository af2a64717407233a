"""List the entries of the search: kernels, devices, views, actions, lessons, files, source lines, arrays, counters,
words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from warpview.devices import generation
from warpview.profile.counters import counters_of
from warpview.trace.presentation import STALLS
from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.actions import TABLE, Actions, shown_key
from warpview.ui.commands.recent_files import RecentFiles
from warpview.ui.commands.search_model import SearchEntry
from warpview.ui.moving.elements import arrays_of
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.documentation import glossary_words
from warpview.ui.session.catalogue import device_words
from warpview.ui.session.session import Session
from warpview.ui.teaching.lesson_reader import LessonReader

# What else actions are called, by their ids.
SYNONYMS = {
    "why": "bottleneck performance profile optimise limiter throughput",
    "compare_devices": "gpus", "compare_variants": "versions", "side_by_side": "two runs difference",
    "by_nvidia": "assembly disassembly nvcc", "previous": "step back", "previous_any": "step back",
    "play": "start animate slow motion", "slower": "slow motion", "predict": "predict question quiz guess",
    "replay": "race condition", "next_finding": "bug error race condition", "follow_lane": "thread",
    "export_view": "screenshot image", "export_page": "print pdf share", "export_steps": "video",
    "export_counters": "excel table spreadsheet", "presentation": "fullscreen projector lecture",
    "library": "sidebar examples", "larger": "font size bigger text", "smaller": "font size",
    "normal_size": "font size",
    "theme_light": "mode colours", "theme_dark": "mode colours night", "theme_contrast": "mode colours accessibility",
    "keys": "help hotkeys", "documentation": "help manual", "about": "version", "what_if": "registers per thread",
}  # fmt: skip


def kernels(session: Session) -> Iterator[SearchEntry]:
    """Yield the kernels of the library and the files that were opened; one that the device cannot run says why."""
    titles = {family.key: family.title for family in session.catalogue.families}
    for variant in session.catalogue.variants():
        reason = session.incompatibility(variant)
        detail = titles.get(variant.family, "your file") + (f" · {reason}" if reason else "")
        key = variant.key
        keywords = f"{key} {key.replace('/', ' ').replace('_', ' ')} {variant.entry} {variant.teaches}"
        yield SearchEntry("Kernel", variant.title, partial(session.choose, variant.key), detail, keywords)


def devices(session: Session) -> Iterator[SearchEntry]:
    """Yield the devices, with compute capability and year; their chip and architecture are found, too."""
    for device in session.catalogue.devices:
        keywords = f"{device.key} {device.chip} {generation(device)}"
        yield SearchEntry(
            "Device", device.name, partial(session.set_device, device.key), device_words(device), keywords
        )


def views(pages: Pages) -> Iterator[SearchEntry]:
    """Yield the views; choosing one brings it to the front."""
    for key, view in pages.workspace.views.items():
        yield SearchEntry("View", view.title, partial(pages.show_view, key), view.about, view.short_title)


def actions(table: Actions) -> Iterator[SearchEntry]:
    """Yield the actions of the menus, but those that show or hide a view."""
    for row in TABLE:
        action = table[row.id]
        if row.id != "palette" and not row.id.startswith("show_") and action.isVisible():
            keys = shown_key(row) if row.keys else ""
            words = action.text().replace("&&", "&")  # an entry of a menu
            keywords = f"{row.tip} {SYNONYMS.get(row.id, '')}"
            yield SearchEntry("Action", words, action.trigger, row.menu.replace("/", " ▸ "), keywords, keys)


def lessons(reader: LessonReader) -> Iterator[SearchEntry]:
    """Yield the lessons that come with warpview."""
    for action in reader.lessons:
        yield SearchEntry("Lesson", action.text().partition("  ")[2], action.trigger, action.toolTip())


def files(recent: RecentFiles) -> Iterator[SearchEntry]:
    """Yield the files that were opened last."""
    for path in recent.present:
        yield SearchEntry("File", path.name, partial(recent.open_path, path), str(path.parent), "recent")


def lines(session: Session, selection: Selection) -> Iterator[SearchEntry]:
    """Yield the source lines with code on them."""
    for number, text in enumerate(session.setup.text.splitlines(), 1):
        if text.strip(" \t{}"):
            yield SearchEntry(
                "Line", text.strip(), partial(selection.update, line=number), f"line {number}; R runs to it"
            )


def arrays(session: Session, selection: Selection) -> Iterator[SearchEntry]:
    """Yield the arrays of the run; choosing one selects its first element."""
    if session.run is None:
        return
    for array in arrays_of(session.run, selection.now.block):
        if array.count:
            select = partial(selection.update, element=array.element(0))
            yield SearchEntry(
                "Array", array.declared, select, f"{array.space.name.lower()} memory; Ctrl+T: next access"
            )


def words(explain: Callable[[str], object]) -> Iterator[SearchEntry]:
    """Yield the words of the glossary, and the stalls; choosing one opens the glossary at it."""
    stalls = {stall.name: f"The warp {stall.clause}." for stall in STALLS.values()}
    for word, meaning in {**glossary_words(), **stalls}.items():
        yield SearchEntry("Word", word, partial(explain, word), meaning)


def counters(session: Session, selection: Selection, pages: Pages) -> Iterator[SearchEntry]:
    """Yield the counters of the run's device with what they count; choosing one selects it in the table of counters."""
    if session.run is None:
        return

    def show(key: str) -> None:
        selection.update(counter=key)
        pages.show_view("counters")

    for counter in counters_of(session.run.device):
        yield SearchEntry("Counter", counter.title, partial(show, counter.key), counter.description, counter.key)
