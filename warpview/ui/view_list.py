"""List the views, one entry each; ``arranging.arrangement`` gives their places."""

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
    InstructionsView,
    LanesView,
    DivergenceView,
    SharedMemoryView,
    GlobalMemoryView,
    OccupancyView,
    TimelineView,
    CountersView,
    ConsoleView,
    ArraysView,
    ValuesView,
    BarrierView,
    AtomicsView,
    MultiprocessorView,
    GridView,
    KeyCountersView,
)
