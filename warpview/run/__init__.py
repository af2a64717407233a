"""Lead from a kernel and its arguments to a ``Run``, for notebooks, the command line and the window alike."""

from warpview.run.compilation import compile
from warpview.run.library_launch import Changes, argument_from_text, launch_entry
from warpview.run.result import Run, Series, SeriesPosition, noted, sample_words
from warpview.run.simulation import Step, simulate, simulate_series

__all__ = [
    "Changes",
    "Run",
    "Series",
    "SeriesPosition",
    "Step",
    "argument_from_text",
    "compile",
    "launch_entry",
    "noted",
    "sample_words",
    "simulate",
    "simulate_series",
]
