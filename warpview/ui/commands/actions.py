"""Everything that the user can do, one row each: the menus, the toolbar, the key table and the tests all read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from warpview.trace.frame import Mark
from warpview.ui.view_list import VIEWS


@dataclass(frozen=True)
class Row:
    """One action. ``keys`` are Qt key sequences, the first is the one shown; ``menu`` '' keeps it out of the menus.
    ``group`` separates the entries of a menu by lines; ``here`` names it in the key table where ``text`` is long."""

    id: str
    menu: str
    group: int
    text: str
    keys: tuple[str, ...]
    tip: str
    checkable: bool = False


# The jump keys of the history, by mark.
JUMPS: dict[str, tuple[Mark, str]] = {
    "B": (Mark.BARRIER, "barrier"),
    "D": (Mark.DIVERGENCE, "divergence"),
    "C": (Mark.CONFLICT, "bank conflict"),
    "G": (Mark.UNCOALESCED, "wasteful global access"),
    "A": (Mark.COLLISION, "atomic collision"),
    "F": (Mark.FINDING, "finding"),
}
TOUCH_KEY = "Ctrl+T"


def _jump_rows() -> list[Row]:
    rows = []
    for key, (mark, words) in JUMPS.items():
        name = mark.name.lower() if mark.name else ""
        rows.append(Row(f"next_{name}", "Jump", 0, f"Next {words}", (key,), f"On to the next {words}"))
        back = f"Back to the previous {words}"
        rows.append(Row(f"previous_{name}", "Jump", 1, f"Previous {words}", (f"Shift+{key}",), back))
    whose = "access of the element that is followed, or selected"
    rows.append(Row("next_touch", "Jump", 0, "Next touch of the element", (TOUCH_KEY,), f"On to the next {whose}"))
    rows.append(Row("previous_touch", "Jump", 1, "Previous touch of the element", ("Ctrl+Shift+T",),
                    f"Back to the previous {whose}"))  # fmt: skip
    return sorted(rows, key=lambda row: row.group)


def _warp_rows() -> list[Row]:
    return [Row(f"warp_{n}", "Warp", 0, f"Warp {n}", (str(n),), f"Select warp {n} of the block") for n in range(10)]


LAYOUTS = 9  # that can be saved, one for each digit


def _layout_rows() -> list[Row]:
    views = [Row(f"show_{v.key}", "Layout", 0, v.title, (), f"Show or hide: {v.about[0].lower()}{v.about[1:]}", True)
             for v in VIEWS]  # fmt: skip
    saved = [Row(f"layout_{n}", "Layout", 3, f"Layout {n}", (f"Ctrl+Alt+{n}",), "The views as they were saved")
             for n in range(1, LAYOUTS + 1)]  # fmt: skip
    return [
        *views,
        Row("hide_view", "Layout", 1, "Hide the view", ("Ctrl+Shift+H",), "The view under the pointer makes way"),
        Row("swap_view", "Layout", 1, "Swap with the next view", ("Ctrl+M",),
            "The view under the pointer; a view is also moved by dragging its title or tab"),
        Row("next_tab", "Layout", 1, "Next tab", ("Ctrl+Tab",), "The next view of a row of tabs"),
        Row("previous_tab", "Layout", 1, "Previous tab", ("Ctrl+Shift+Tab",), "The view before"),
        Row("save_layout", "Layout", 2, "Save the layout as …", ("Ctrl+Shift+L",), "Keep this arrangement by a name"),
        *saved,
        Row("delete_layout", "Layout", 4, "Delete a layout …", (), "Forget a saved arrangement"),
        Row("reset_layout", "Layout", 4, "Layout as it was at first", (), "All views back in their places"),
    ]  # fmt: skip


TABLE: tuple[Row, ...] = (
    Row("next", "Move", 0, "Next instruction", ("Right", "PgDown"),
        "One instruction of the selected warp, or of what is followed"),
    Row("previous", "Move", 0, "Previous instruction", ("Left", "PgUp"),
        "Undo one instruction of the selected warp, or of what is followed"),
    Row("next_any", "Move", 0, "Next instruction of any warp", ("Shift+Right", "Shift+PgDown"),
        "One instruction, whichever warp is next"),
    Row("previous_any", "Move", 0, "Previous instruction of any warp", ("Shift+Left", "Shift+PgUp"),
        "Undo one instruction, whichever warp it was"),
    Row("next_line", "Move", 1, "Next source line", ("Down",), "Until the selected warp is on another line"),
    Row("previous_line", "Move", 1, "Previous source line", ("Up",), "Back to another line of the selected warp"),
    Row("run_to_line", "Move", 1, "Run to the selected line", ("R",), "Until the selected warp executes that line"),
    Row("first", "Move", 2, "First step", ("Home",), "Before anything happened"),
    Row("last", "Move", 2, "Last step", ("End",), "When everything has happened"),
    Row("go_to_step", "Move", 2, "Go to step …", ("J", "Ctrl+J"), "Type the number of a step"),
    Row("bookmark", "Move", 2, "Bookmark this step …", ("M",), "Give the step a name; without a name it goes"),
    Row("next_bookmark", "Move", 2, "Next bookmark", (".",), "On to the next bookmark"),
    Row("previous_bookmark", "Move", 2, "Previous bookmark", (",",), "Back to the previous bookmark"),
    *_jump_rows(),
    Row("next_part", "Move", 5, "Next part of the access", ("U",),
        "One wavefront, or one step of the protocol, after the other"),
    Row("previous_part", "Move", 5, "Previous part of the access", ("Shift+U",), "The one before"),
    Row("follow_warp", "Move", 6, "Follow the warp", ("W",), "Steps and jumps stay with the selected warp", True),
    Row("follow_block", "Move", 6, "Follow the block", ("Shift+W",), "Steps and jumps stay with its block", True),
    Row("follow_lane", "Move", 6, "Follow the lane", ("L",),
        "Steps and jumps stay where the selected lane takes part", True),
    Row("follow_element", "Move", 6, "Follow an element …", ("X",),
        "Type out[17]: steps and jumps go from touch to touch of it", True),
    Row("next_lane", "Warp", 2, "Next lane", ("Q",), "Select the next lane of the warp"),
    Row("previous_lane", "Warp", 2, "Previous lane", ("Shift+Q",), "Select the previous lane of the warp"),
    Row("next_block", "Warp", 1, "Next block", ("N",), "Select the next resident block"),
    Row("previous_block", "Warp", 1, "Previous block", ("Shift+N",), "Select the previous resident block"),
    *_warp_rows(),
    Row("play", "Run", 0, "Run and pause", ("Space",), "Step by itself; stops at breakpoints"),
    Row("slower", "Run", 0, "Slower", ("[",), "Fewer steps a second"),
    Row("faster", "Run", 0, "Faster", ("]",), "More steps a second"),
    Row("predict", "Run", 1, "Hide, then reveal the answer", ("P",),
        "Ask the hall before you show; digits are its guess", True),
    Row("compile", "Run", 2, "Compile and run", ("F5",), "Compile the source as it is in the editor, and run it"),
    Row("cancel", "Run", 2, "Cancel what is running", ("Ctrl+.",), "Stop compiling or simulating; the old run stays"),
    Row("if_converted", "Run", 2, "Predicate short branches", (),
        "As a real compiler does: short branches become predicated instructions", True),
    Row("bypass_l1", "Run", 3, "Global loads around the L1 (CC 2.x)", (),
        "As nvcc's -dlcm=cg: segments of 32 bytes instead of lines of 128", True),
    Row("wide_banks", "Run", 3, "Shared-memory banks of 8 bytes (CC 3.x)", (),
        "As cudaDeviceSetSharedMemConfig does; 4 bytes are usual", True),
    Row("open", "File", 0, "Open …", ("Ctrl+O",), "A .cu file of yours, or a session"),
    Row("save", "File", 0, "Save the source", ("Ctrl+S",), "Into the file it came from; of the library, where you say"),
    Row("save_as", "File", 0, "Save the source as …", ("Ctrl+Shift+S",), "Save the source where you say"),
    Row("save_session", "File", 0, "Save the session as …", ("Ctrl+Alt+S",),
        "Kernel, edit, device, launch, step and layout in one file"),
    Row("revert", "File", 0, "Throw away the edit", (), "Back to the library's source"),
    Row("export_counters", "File", 1, "Export counters …", ("Ctrl+E",), "The whole launch, as CSV or JSON"),
    Row("export_view", "File", 1, "Export the view …", ("Ctrl+Shift+E",), "The view under the pointer"),
    Row("export_steps", "File", 1, "Export steps as an animation …", (), "The window, step by step: GIF or PNGs"),
    Row("export_page", "File", 1, "Export the run as a page …", (), "One HTML file: pictures, counters, source"),
    Row("quit", "File", 2, "Quit", ("Ctrl+Q",), "Close the window; it remembers itself"),
    Row("edit", "Edit", 0, "Edit the source", ("E",), "Type in the source; Esc goes back to stepping", True),
    Row("undo", "Edit", 0, "Undo", ("Ctrl+Z",), "Undo the last edit"),
    Row("redo", "Edit", 0, "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Do it again"),
    Row("find", "Edit", 1, "Find in the source", ("Ctrl+F",), "Find text"),
    Row("replace", "Edit", 1, "Replace in the source", ("Ctrl+H",), "Find text and put another in its place"),
    Row("go_to_line", "Edit", 1, "Go to line …", ("Ctrl+G",), "Type the number of a line"),
    Row("next_problem", "Edit", 1, "Next problem", ("F8",), "Of several that a message is about, the next one"),
    Row("previous_problem", "Edit", 1, "Previous problem", ("Shift+F8",), "The one before"),
    Row("comment", "Edit", 2, "Comment the lines out, or in", ("Ctrl+/",), "The line of the cursor, or those selected"),
    Row("breakpoint", "Edit", 2, "Breakpoint on the line", ("F9",), "Running stops when a warp executes the line"),
    Row("back", "Edit", 3, "Back to where you were", ("Alt+Left",),
        "Undo a choice or a jump: kernel, edit, device, launch, step and selection as they were"),
    Row("forward", "Edit", 3, "Forward again", ("Alt+Right",), "What was gone back from"),
    Row("next_variant", "Kernel", 0, "Next variant", ("Ctrl+Down", "V"), "The next kernel of the family, same place"),
    Row("previous_variant", "Kernel", 0, "Previous variant", ("Ctrl+Up", "Shift+V"), "The one before"),
    Row("choose_kernel", "Kernel", 0, "Choose a kernel", ("K", "Ctrl+L"), "The library, or the kernel menu"),
    Row("choose_device", "Kernel", 0, "Choose a device", ("Shift+K",), "Open the device menu"),
    Row("next_launch", "Kernel", 0, "Next launch", ("Ctrl+Right",), "Of several launches in sequence, the next one"),
    Row("previous_launch", "Kernel", 0, "Previous launch", ("Ctrl+Left",), "The launch before"),
    Row("compare_variants", "Kernel", 1, "Compare the variants", ("Ctrl+K",), "All kernels of the family, as bars"),
    Row("compare_devices", "Kernel", 1, "Compare devices", ("Ctrl+D",), "This kernel on every device, as bars"),
    Row("compare_runs", "Kernel", 1, "Compare earlier runs", ("Ctrl+R",), "The last runs of this session, as bars"),
    Row("next_comparison", "Kernel", 1, "Bars, ladder, roofline", ("Ctrl+Shift+K",), "Another way to compare"),
    Row("pin", "Counters", 0, "Pin the counter", ("T",), "Keep the selected counter on top of the table, or let it go"),
    Row("next_counter", "Counters", 0, "Next counter", ("I",), "Select it: the source is coloured by it"),
    Row("previous_counter", "Counters", 0, "Previous counter", ("Shift+I",), "Select the counter above"),
    Row("sort_counters", "Counters", 0, "Sort the counters", ("S",), "By the next column, and back to their own order"),
    Row("filter_counters", "Counters", 0, "Filter the counters", ("/",),
        "Type words of a name; Esc goes back to stepping"),
    Row("yardstick", "Counters", 0, "Compare the counters with …", ("Y",),
        "Choose the earlier run of the column beside"),
    Row("visual_profiler", "Counters", 1, "As the Visual Profiler counted", (),
        "Counters of one multiprocessor, extrapolated; up to compute capability 3.x"),
    Row("nsight", "Counters", 1, "Beside a report of Nsight Compute …", (), "A CSV that ncu wrote, metric by metric"),
    Row("zoom", "View", 0, "Fill the window, and back", ("Z",), "The view under the pointer, and back"),
    Row("presentation", "View", 0, "Presentation", ("F11",),
        "Full screen, large type, only what this step concerns", True),
    Row("library", "View", 0, "Library", ("Ctrl+B",), "Show or hide the list of kernels", True),
    Row("colours", "View", 0, "Colour the arrays", ("H",), "By warp, lane, block, time or number of touches, or not"),
    Row("what_if", "View", 0, "Try another occupancy", ("O",), "Arrow keys move the sliders of the occupancy view"),
    Row("larger", "View", 2, "Larger type", ("Ctrl++", "Ctrl+="), "Everything one size up"),
    Row("smaller", "View", 2, "Smaller type", ("Ctrl+-",), "Everything one size down"),
    Row("normal_size", "View", 2, "Normal type", ("Ctrl+0",), "The size it was made for"),
    Row("theme_light", "View", 3, "Light", (), "Dark on light, for bright rooms", True),
    Row("theme_dark", "View", 3, "Dark", (), "Light on dark", True),
    Row("theme_contrast", "View", 3, "High contrast", (), "The strongest colours on black", True),
    Row("motion", "View", 4, "Short animations", (), "Show cause and effect by motion", True),
    Row("timeline_in", "View", 4, "Timeline: closer", ("Alt+Up",), "Fewer cycles in sight"),
    Row("timeline_out", "View", 4, "Timeline: farther", ("Alt+Down",), "More cycles in sight"),
    Row("timeline_all", "View", 4, "Timeline: all cycles", ("Alt+Home",), "The whole run in sight"),
    Row("timeline_later", "View", 4, "Timeline: later", ("Alt+PgDown",), "Half of the cycles in sight further on"),
    Row("timeline_earlier", "View", 4, "Timeline: earlier", ("Alt+PgUp",), "Half of the cycles in sight back"),
    *_layout_rows(),
    Row("next_page", "Lessons", 1, "Next page", ("Ctrl+PgDown",), "On to the next page of the lesson"),
    Row("previous_page", "Lessons", 1, "Previous page", ("Ctrl+PgUp",), "Back to the page before"),
    Row("contents", "Lessons", 1, "Contents …", ("Shift+P",), "The pages of the lesson, to go to any of them"),
    Row("open_lesson", "Lessons", 2, "Open a lesson …", (), "A lesson of yours: Markdown with directives"),
    Row("close_lesson", "Lessons", 2, "Close the lesson", (), "Put the page away; the run stays"),
    Row("keys", "Help", 0, "Keys", ("?", "F1"), "This table"),
    Row("about", "Help", 0, "About warpview", (), "Version and licence"),
)  # fmt: skip

MENUS = ("File", "Edit", "Move", "Jump", "Run", "Warp", "Kernel", "Counters", "Lessons", "View", "Layout", "Help")


class Actions:
    """The table made into Qt actions of ``owner``, each calling the handler of its id."""

    def __init__(self, owner: QWidget, handlers: Mapping[str, Callable[[], object]]) -> None:
        missing = {row.id for row in TABLE} ^ set(handlers)
        if missing:
            raise KeyError(f"actions and handlers differ: {', '.join(sorted(missing))}")
        self._actions: dict[str, QAction] = {}
        for row in TABLE:
            action = QAction(row.text, owner)
            action.setObjectName(row.id)
            action.setShortcuts([QKeySequence(key) for key in row.keys])
            action.setToolTip(f"{row.tip} ({shown_key(row)})" if row.keys else row.tip)
            action.setStatusTip(row.tip)
            action.setCheckable(row.checkable)
            action.triggered.connect(lambda _=False, run=handlers[row.id]: run())
            owner.addAction(action)
            self._actions[row.id] = action

    def __getitem__(self, id_: str) -> QAction:
        return self._actions[id_]

    def fill(self, bar: QMenuBar) -> None:
        """Every action in its menu."""
        letters: set[str] = set()
        for title in MENUS:
            menu: QMenu = bar.addMenu(_with_letter(title, letters))
            menu.setToolTipsVisible(True)
            group = 0
            for row in TABLE:
                if row.menu != title:
                    continue
                if row.group != group and not menu.isEmpty():
                    menu.addSeparator()
                group = row.group
                menu.addAction(self._actions[row.id])


def _with_letter(title: str, taken: set[str]) -> str:
    """The title of a menu with its first letter that no menu before it goes by, for Alt and that letter."""
    at = next(n for n, letter in enumerate(title.lower()) if letter not in taken)
    taken.add(title[at].lower())
    return f"{title[:at]}&{title[at:]}"


def shown_key(row: Row, all_keys: bool = False) -> str:
    """The key as people write it: arrows as arrows."""
    names = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓", "PgDown": "Page Down", "PgUp": "Page Up"}

    def one(key: str) -> str:
        parts = key.split("+") if key not in ("+",) and not key.endswith("++") else [*key[:-2].split("+"), "+"]
        return " ".join(names.get(p, p) for p in parts) if len(parts) == 1 else "+".join(names.get(p, p) for p in parts)

    return "  ".join(one(k) for k in (row.keys if all_keys else row.keys[:1]))
