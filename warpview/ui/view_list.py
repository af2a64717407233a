"""List the views, one entry each, in the order of their tabs and of the menu: nothing else needs to know of a view."""

from __future__ import annotations

from warpview.ui.views.arrays import ArraysView
from warpview.ui.views.console import ConsoleView
from warpview.ui.views.counters import CountersView
from warpview.ui.views.diagram_views import (
    AtomicsView,
    BarrierView,
    GlobalMemoryView,
    LanesView,
    MultiprocessorView,
    SharedMemoryView,
    ValuesView,
)
from warpview.ui.views.divergence import DivergenceView
from warpview.ui.views.grid import GridView
from warpview.ui.views.instructions import InstructionsView
from warpview.ui.views.key_counters import KeyCountersView
from warpview.ui.views.occupancy import OccupancyView
from warpview.ui.views.source import SourceView
from warpview.ui.views.timeline import TimelineView
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
