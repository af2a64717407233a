"""List the actions: every command of the window in one row, read by the menus, the key table and the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from warpview.trace.frame import Mark
from warpview.trace.presentation import MARKS
from warpview.ui.moving.parties import FOLLOW_FINDING
from warpview.ui.view_list import VIEWS


@dataclass(frozen=True)
class Action:
    """Describe one action of the window.

    ``keys`` are Qt key sequences, of which the first is shown; ``menu`` is a path such as "View/Layout"; ``group``
    numbers the parts of a menu between two separators; ``tip`` is the tool tip.
    """

    id: str
    menu: str
    group: int
    text: str
    keys: tuple[str, ...]
    tip: str
    checkable: bool = False


# The events that a key jumps to: mark and words by key.
JUMPS: dict[str, tuple[Mark, str]] = {shown.key: (mark, shown.name) for mark, shown in MARKS.items()}
ACCESS_KEY = "Ctrl+T"
LAYOUTS = 9  # layouts that can be saved, one for each digit


def _jumps() -> list[Action]:
    rows = []
    for key, (mark, words) in JUMPS.items():
        name = (mark.name or "").lower()
        rows.append(Action(f"next_{name}", "Go/Event", 0, f"Next {words}", (key,), f"Jump to the next {words}"))
        tip = f"Jump back to the previous {words}"
        rows.append(Action(f"previous_{name}", "Go/Event", 1, f"Previous {words}", (f"Shift+{key}",), tip))
    element = "access to the selected array element"
    rows += [
        Action("next_access", "Go/Event", 0, "Next access to the element", (ACCESS_KEY,),
               f"Jump to the next {element}"),
        Action("previous_access", "Go/Event", 1, "Previous access to the element", ("Ctrl+Shift+T",),
               f"Jump back to the previous {element}"),
        Action("last_write", "Go/Event", 1, "Last write of the element", ("Ctrl+Alt+T",),
               "Who wrote this? Jump back to the step that last wrote the selected array element"),
    ]  # fmt: skip
    rows.append(Action("other_party", "Go/Event", 2, "Other access in the race", ("Ctrl+Shift+F",),
                       "Go from one access of a race to the other; both lanes are marked"))  # fmt: skip
    rows.append(Action("follow_finding", "Go/Event", 2, "Multiprocessor of the finding", (FOLLOW_FINDING,),
                       "Step through the multiprocessor of a finding that is not on the recorded one"))  # fmt: skip
    return sorted(rows, key=lambda row: row.group)


def _warps() -> list[Action]:
    return [
        Action(f"warp_{n}", "Go/Warp", 0, f"Warp {n}", (str(n),), f"Select warp {n} of the block") for n in range(10)
    ]


def _layouts() -> list[Action]:
    menu = "View/Layout"
    shown = [
        Action(f"show_{v.key}", "View/Views", 0, v.title, (), f"Show or hide the view. {v.about}", True) for v in VIEWS
    ]
    saved = [
        Action(f"layout_{n}", menu, 2, f"Layout {n}", (f"Ctrl+Alt+{n}",), "Restore the saved layout")
        for n in range(1, LAYOUTS + 1)
    ]
    return [
        *shown,
        Action("hide_view", "View/Views", 1, "Hide view", ("Ctrl+Shift+H",), "Hide the view under the pointer"),
        Action("swap_view", "View/Views", 1, "Swap with next view", ("Ctrl+M",),
            "Swap the view under the pointer with the next; a view also moves by dragging its title"),
        Action("next_tab", "View/Views", 2, "Next tab", ("Ctrl+Tab",), "Show the next tab of the group"),
        Action("previous_tab", "View/Views", 2, "Previous tab", ("Ctrl+Shift+Tab",), "Show the previous tab"),
        Action("everything", "View", 0, "Everything", ("F6",), "Show all views at once, or the one of this step", True),
        Action("save_layout", menu, 1, "Save layout as …", ("Ctrl+Shift+L",), "Save this layout under a name"),
        *saved,
        Action("delete_layout", menu, 3, "Delete layout …", (), "Delete a saved layout"),
        Action("reset_layout", menu, 3, "Reset layout", (), "Return all views to their default places"),
    ]  # fmt: skip


TABLE: tuple[Action, ...] = (
    Action("new", "File", 0, "New kernel", ("Ctrl+N",), "Start your own kernel from a template"),
    Action("open", "File", 0, "Open …", ("Ctrl+O",), "Open a .cu, .cubin or .ptx file, or a session"),
    Action("save", "File", 1, "Save source", ("Ctrl+S",), "Save to the open file; for a library kernel, choose where"),
    Action("save_as", "File", 1, "Save source as …", ("Ctrl+Shift+S",), "Save the source to another file"),
    Action("save_session", "File", 1, "Save session as …", ("Ctrl+Alt+S",),
        "Save kernel, edit, device, launch, step and layout in one file"),
    Action("revert", "File", 1, "Revert", (), "Discard the edit and return to the original source"),
    Action("export_counters", "File", 2, "Export counters …", ("Ctrl+E",), "Write the counters to a CSV or JSON file"),
    Action("export_view", "File", 2, "Export view …", ("Ctrl+Shift+E",), "Write the view under the pointer (PNG, SVG)"),
    Action("export_steps", "File", 2, "Export animation …", (), "Write a range of steps as GIF or PNG files"),
    Action("export_page", "File", 2, "Export report …", (), "Write one HTML page: steps, pictures, source, counters"),
    Action("quit", "File", 3, "Quit", ("Ctrl+Q",), "Close the window; the session is restored at the next start"),
    Action("edit", "Edit", 0, "Edit source", ("E",), "Type in the source; Esc returns to stepping", True),
    Action("undo", "Edit", 0, "Undo", ("Ctrl+Z",), "Undo the last edit"),
    Action("redo", "Edit", 0, "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo the edit"),
    Action("find", "Edit", 1, "Find", ("Ctrl+F",), "Find text in the source"),
    Action("replace", "Edit", 1, "Replace", ("Ctrl+H",), "Find text and replace it"),
    Action("go_to_line", "Edit", 1, "Go to line …", ("Ctrl+G",), "Edit at a line: type its number, or leave it empty"),
    Action("comment", "Edit", 2, "Toggle comment", ("Ctrl+/",), "Comment or uncomment the selected lines"),
    Action("breakpoint", "Edit", 2, "Toggle breakpoint", ("F9",), "Stop running when a warp executes the line"),
    Action("next_problem", "Edit", 3, "Next problem", ("F8",), "Show the next error or warning"),
    Action("previous_problem", "Edit", 3, "Previous problem", ("Shift+F8",), "Show the previous error or warning"),
    Action("choose_kernel", "Kernel", 0, "Choose kernel …", ("K", "Ctrl+L"), "Search the kernels of the library"),
    Action("choose_device", "Kernel", 0, "Choose device …", ("Shift+K",), "Search the devices"),
    Action("next_variant", "Kernel", 1, "Next variant", ("Ctrl+Down", "V"),
        "Switch to the next kernel of the family, at the same place"),
    Action("previous_variant", "Kernel", 1, "Previous variant", ("Ctrl+Up", "Shift+V"),
        "Switch to the previous kernel of the family"),
    Action("next_launch", "Kernel", 1, "Next launch", ("Ctrl+Right",), "Step through the next launch of the series"),
    Action("previous_launch", "Kernel", 1, "Previous launch", ("Ctrl+Left",), "Step through the previous launch"),
    Action("by_nvidia", "Kernel", 2, "As compiled by NVIDIA", ("Ctrl+Shift+N",),
        "Run the machine code (SASS) of NVIDIA's compiler instead of the code as written", True),
    Action("if_converted", "Kernel", 2, "Predicate short branches", (),
        "If-conversion, as a compiler does it: short branches become predicated instructions", True),
    Action("bypass_l1", "Kernel", 2, "Bypass L1 (CC 2.x)", (),
        "Global loads bypass L1, as with nvcc -Xptxas -dlcm=cg: 32-byte segments, not 128-byte lines", True),
    Action("wide_banks", "Kernel", 2, "8-byte shared-memory banks (CC 3.x)", (),
        "Set the bank width as cudaDeviceSetSharedMemConfig does; the default is 4 bytes", True),
    Action("why", "Kernel", 3, "Why is it slow?", ("Shift+Y",),
        "What limits the launch, its costly lines, and the speedup without each of its costs"),
    Action("compare_variants", "Kernel", 3, "Compare variants", ("Ctrl+K",), "Compare all kernels of the family"),
    Action("compare_devices", "Kernel", 3, "Compare devices", ("Ctrl+D",), "Compare this kernel on every device"),
    Action("compare_runs", "Kernel", 3, "Compare earlier runs", ("Ctrl+R",), "Compare the runs of this session"),
    Action("side_by_side", "Kernel", 3, "Step alongside another run …", ("Ctrl+2",),
        "Two runs side by side, stepped together: the previous run, another kernel or device"),
    Action("both_codes", "Kernel", 3, "Written and compiled code side by side", ("Ctrl+Alt+N",),
        "The kernel as written and as compiled side by side, and what the compiler did; again: the next line"),
    Action("next_comparison", "Kernel", 3, "Bars, ladder, roofline", ("Ctrl+Shift+K",), "Show another chart"),
    Action("comparison_launch", "Kernel", 3, "Compare at another launch", ("Ctrl+Alt+K",),
        "Switch the comparison between the large launch and the chosen one"),
    Action("compile", "Run", 0, "Compile and run", ("F5",), "Compile the source in the editor and run it"),
    Action("run_program", "Run", 0, "Run program", ("Ctrl+F5",),
        "Execute the whole program from its own main on this computer, with its kernels simulated"),
    Action("run_program_with", "Run", 0, "Run program with arguments …", ("Ctrl+Shift+F5",),
        "Set the arguments, the standard input and the time limit of the program"),
    Action("program", "Run", 0, "Launches of the program", ("Shift+F5",),
        "Show the program's launches, timeline and output, or return to the views"),
    Action("cancel", "Run", 0, "Cancel", ("Ctrl+.",), "Stop compiling or simulating; the earlier run is kept"),
    Action("next", "Run", 1, "Next instruction", ("Right", "PgDown"),
        "Step one instruction of the selected warp, or of what is followed"),
    Action("previous", "Run", 1, "Previous instruction", ("Left", "PgUp"),
        "Undo one instruction of the selected warp, or of what is followed"),
    Action("next_any", "Run", 1, "Next instruction of any warp", ("Shift+Right", "Shift+PgDown"),
        "Step one instruction, whichever warp issues next"),
    Action("previous_any", "Run", 1, "Previous instruction of any warp", ("Shift+Left", "Shift+PgUp"),
        "Undo one instruction, whichever warp issued it"),
    Action("next_line", "Run", 1, "Next source line", ("Down",), "Step until the selected warp is on another line"),
    Action("previous_line", "Run", 1, "Previous source line", ("Up",), "Step back to another line of the warp"),
    Action("run_to_line", "Run", 1, "Run to selected line", ("R",), "Step until the selected warp executes that line"),
    Action("replay", "Run", 3, "Replay the race", ("Ctrl+Shift+R",),
        "Execute the launch in an order in which its races give a different result, and jump to the first difference"),
    Action("play", "Run", 2, "Run or pause", ("Space",), "Step continuously; stops at breakpoints"),
    Action("slower", "Run", 2, "Slower", ("[",), "Take fewer steps per second"),
    Action("faster", "Run", 2, "Faster", ("]",), "Take more steps per second"),
    Action("predict", "Run", 3, "Hide or reveal the answer", ("P",),
        "Let the class guess first; digits enter its guess", True),
    Action("follow_warp", "Run/Follow", 0, "Follow warp", ("W",), "Steps and jumps stay with the selected warp", True),
    Action("follow_block", "Run/Follow", 0, "Follow block", ("Shift+W",), "Steps and jumps stay with the block", True),
    Action("follow_lane", "Run/Follow", 0, "Follow lane", ("L",),
        "Steps and jumps stay with the instructions in which the selected lane is active", True),
    Action("follow_element", "Run/Follow", 0, "Follow array element …", ("X",),
        "Type out[17]: steps and jumps go from access to access", True),
    Action("palette", "Go", 0, "Search …", ("Ctrl+P",),
        "Find kernels, devices, views, actions, lessons, files, lines, arrays, counters, terms"),
    Action("back", "Go", 0, "Back", ("Alt+Left",),
        "Return to the place before: kernel, edit, device, launch, step and selection"),
    Action("forward", "Go", 0, "Forward", ("Alt+Right",), "Go forward again after Back"),
    Action("first", "Go", 1, "First step", ("Home",), "Go to the start of the run"),
    Action("last", "Go", 1, "Last step", ("End",), "Go to the end of the run"),
    Action("go_to_step", "Go", 1, "Go to step …", ("J", "Ctrl+J"), "Type a step number"),
    *_jumps(),
    *_warps(),
    Action("next_lane", "Go/Warp", 1, "Next lane", ("Q",), "Select the next lane of the warp"),
    Action("previous_lane", "Go/Warp", 1, "Previous lane", ("Shift+Q",), "Select the previous lane of the warp"),
    Action("next_block", "Go/Warp", 2, "Next block", ("N",), "Select the next resident block"),
    Action("previous_block", "Go/Warp", 2, "Previous block", ("Shift+N",), "Select the previous resident block"),
    Action("next_part", "Go", 3, "Next wavefront or transaction", ("U",),
        "Highlight the next wavefront, transaction or protocol step of the access"),
    Action("previous_part", "Go", 3, "Previous wavefront or transaction", ("Shift+U",),
        "Highlight the previous wavefront, transaction or protocol step"),
    Action("bookmark", "Go", 4, "Bookmark step …", ("M",), "Name this step; an empty name removes the bookmark"),
    Action("next_bookmark", "Go", 4, "Next bookmark", (".",), "Jump to the next bookmark"),
    Action("previous_bookmark", "Go", 4, "Previous bookmark", (",",), "Jump back to the previous bookmark"),
    Action("zoom", "View", 0, "Maximise view", ("Z",), "Maximise the view under the pointer, or restore it"),
    Action("presentation", "View", 0, "Presentation", ("F11",), "Full screen with large type, for the class", True),
    Action("library", "View", 0, "Library", ("Ctrl+B",), "Show or hide the list of kernels", True),
    *_layouts(),
    Action("filter_counters", "View/Counters", 0, "Filter counters", ("/",), "Type part of a name; Esc returns"),
    Action("sort_counters", "View/Counters", 0, "Sort counters", ("S",), "Sort by another column, or as by default"),
    Action("pin", "View/Counters", 0, "Pin counter", ("T",), "Keep the selected counter at the top, or unpin it"),
    Action("next_counter", "View/Counters", 1, "Next counter", ("I",),
        "Select the next counter; the source is coloured by it"),
    Action("previous_counter", "View/Counters", 1, "Previous counter", ("Shift+I",), "Select the previous counter"),
    Action("baseline", "View/Counters", 2, "Compare with …", ("Y",), "Choose the run to compare the counters with"),
    Action("visual_profiler", "View/Counters", 2, "As in the Visual Profiler", (),
        "Counters of one multiprocessor, extrapolated, for compute capability 1.x to 3.x"),
    Action("nsight", "View/Counters", 2, "Compare with Nsight Compute …", (),
        "Open a CSV report of ncu and compare it metric by metric"),
    Action("timeline_in", "View/Timeline", 0, "Zoom in", ("Alt+Up",), "Show fewer cycles of the timeline"),
    Action("timeline_out", "View/Timeline", 0, "Zoom out", ("Alt+Down",), "Show more cycles of the timeline"),
    Action("timeline_all", "View/Timeline", 0, "All cycles", ("Alt+Home",), "Show the whole run in the timeline"),
    Action("timeline_later", "View/Timeline", 1, "Later", ("Alt+PgDown",), "Scroll the timeline by half a page"),
    Action("timeline_earlier", "View/Timeline", 1, "Earlier", ("Alt+PgUp",), "Scroll the timeline back by half a page"),
    Action("level_in", "View/Grid", 0, "Zoom to block, warp, lane", ("Shift+Down",),
        "Zoom the grid view in by a level: grid, block, warp, lane"),
    Action("level_out", "View/Grid", 0, "Zoom out to warp, block, grid", ("Shift+Up",),
        "Zoom the grid view out by a level"),
    Action("colours", "View", 1, "Colour arrays by …", ("H",), "By warp, lane, block, time or number of accesses"),
    Action("what_if", "View", 1, "Try another occupancy", ("O",), "Move the occupancy sliders with the arrow keys"),
    Action("larger", "View", 2, "Larger type", ("Ctrl++", "Ctrl+="), "Increase the type size"),
    Action("smaller", "View", 2, "Smaller type", ("Ctrl+-",), "Decrease the type size"),
    Action("normal_size", "View", 2, "Default type size", ("Ctrl+0",), "Reset the type size"),
    Action("theme_light", "View/Theme", 0, "Light", (), "Dark text on a light background", True),
    Action("theme_dark", "View/Theme", 0, "Dark", (), "Light text on a dark background", True),
    Action("theme_contrast", "View/Theme", 0, "High contrast", (), "The strongest colours on black", True),
    Action("motion", "View/Theme", 1, "Animations", (), "Animate cause and effect of a step", True),
    Action("next_page", "Lessons", 1, "Next page", ("Ctrl+PgDown",), "Turn to the next page of the lesson"),
    Action("previous_page", "Lessons", 1, "Previous page", ("Ctrl+PgUp",), "Turn back to the previous page"),
    Action("contents", "Lessons", 1, "Contents …", ("Shift+P",), "List the pages of the lesson"),
    Action("open_lesson", "Lessons", 2, "Open lesson …", (), "Open your own lesson: Markdown with directives"),
    Action("close_lesson", "Lessons", 2, "Close lesson", (), "Close the lesson; the run is kept"),
    Action("keys", "Help", 0, "Keyboard shortcuts", ("?", "F1"), "List all keys"),
    Action("documentation", "Help", 0, "Documentation", ("Shift+F1",), "Language, counters, accuracy and more"),
    Action("glossary", "Help", 0, "Glossary", ("Ctrl+F1",), "Terms used in the window, and the marks of each view"),
    Action("about", "Help", 1, "About warpview", (), "Show version and licence"),
)  # fmt: skip

MENUS = ("File", "Edit", "Kernel", "Run", "Go", "View", "Lessons", "Help")


class Actions:
    """Make the table into Qt actions of ``owner``, each of which calls the handler of its id."""

    def __init__(self, owner: QWidget, handlers: Mapping[str, Callable[[], object]]) -> None:
        missing = {row.id for row in TABLE} ^ set(handlers)
        if missing:
            raise KeyError(f"actions and handlers differ: {', '.join(sorted(missing))}")
        self._actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
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
        """Put every action into its menu, and keep the menus by their path."""
        letters: set[str] = set()
        groups: dict[str, int] = {}
        for title in MENUS:
            self.menus[title] = bar.addMenu(_with_letter(title, letters))
        for row in sorted(TABLE, key=lambda row: MENUS.index(row.menu.partition("/")[0])):
            menu = self._menu(row.menu)
            if row.group != groups.setdefault(row.menu, row.group):
                menu.addSeparator()
            groups[row.menu] = row.group
            menu.addAction(self._actions[row.id])
        for menu in self.menus.values():
            menu.setToolTipsVisible(True)

    def _menu(self, path: str) -> QMenu:
        if path not in self.menus:
            above, _, title = path.rpartition("/")
            self.menus[path] = self.menus[above].addMenu(title)
        return self.menus[path]


def _with_letter(title: str, taken: set[str]) -> str:
    """Mark the first letter of a menu's title that no other menu uses, for Alt and that letter."""
    at = next(n for n, letter in enumerate(title.lower()) if letter not in taken)
    taken.add(title[at].lower())
    return f"{title[:at]}&{title[at:]}"


def shown_key(row: Action, all_keys: bool = False) -> str:
    """Return the key as people write it, with arrows for the arrow keys."""
    names = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓", "PgDown": "Page Down", "PgUp": "Page Up"}

    def one(key: str) -> str:
        parts = key.split("+") if key not in ("+",) and not key.endswith("++") else [*key[:-2].split("+"), "+"]
        return " ".join(names.get(p, p) for p in parts) if len(parts) == 1 else "+".join(names.get(p, p) for p in parts)

    return "  ".join(one(k) for k in (row.keys if all_keys else row.keys[:1]))
