"""Record the history of a multiprocessor, make frames of it, and answer the questions that views ask of it."""

from warpview.trace.caption import caption
from warpview.trace.record import record
from warpview.trace.trace import Trace

__all__ = ["Trace", "caption", "record"]
