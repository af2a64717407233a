"""The recorded history of a multiprocessor, its frames, and the questions that views ask of it."""

from warpview.trace.caption import caption
from warpview.trace.record import record
from warpview.trace.trace import Trace

__all__ = ["Trace", "caption", "record"]
