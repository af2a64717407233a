"""Lead from a kernel and its arguments to a ``Run``, for notebooks, the command line and the window alike."""

from warpview.run.argument_texts import arguments_from_texts
from warpview.run.compilation import compile
from warpview.run.library_launch import Changes, simulate_preset
from warpview.run.result import Run, Series, SeriesPosition, noted, sample_words
from warpview.run.simulation import Step, simulate, simulate_series

__all__ = [
    "Changes",
    "Run",
    "Series",
    "SeriesPosition",
    "Step",
    "arguments_from_texts",
    "compile",
    "noted",
    "sample_words",
    "simulate",
    "simulate_preset",
    "simulate_series",
]
