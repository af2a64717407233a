"""List the views, one entry each, in the order of their tabs and of the menu: nothing else needs to know of a view."""

from __future__ import annotations

from warpview.ui.views.arrays.arrays import ArraysView
from warpview.ui.views.console import ConsoleView
from warpview.ui.views.counters.counters import CountersView
from warpview.ui.views.counters.key_counters import KeyCountersView
from warpview.ui.views.diagram_views import (
    AtomicsView,
    BarrierView,
    DivergenceView,
    GlobalMemoryView,
    LanesView,
    MultiprocessorView,
    SharedMemoryView,
    ValuesView,
)
from warpview.ui.views.instructions.instructions import InstructionsView
from warpview.ui.views.machine.grid import GridView
from warpview.ui.views.machine.occupancy import OccupancyView
from warpview.ui.views.source.source import SourceView
from warpview.ui.views.timeline.timeline import TimelineView
from warpview.ui.views.view import View

VIEWS: tuple[type[View], ...] = (
    SourceView,
    LanesView,
    KeyCountersView,
    DivergenceView,
    SharedMemoryView,
    GlobalMemoryView,
    AtomicsView,
    BarrierView,
    ValuesView,
    ArraysView,
    GridView,
    MultiprocessorView,
    OccupancyView,
    TimelineView,
    InstructionsView,
    CountersView,
    ConsoleView,
)
