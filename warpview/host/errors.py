"""List the error codes of the CUDA runtime that warpview gives; include/warpview/error_codes.def has all of them."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from pathlib import Path

_TABLE = Path(__file__).parent / "include" / "warpview" / "error_codes.def"


class CudaError(IntEnum):
    """Name the error codes of cudaError_t."""

    SUCCESS = 0
    INVALID_VALUE = 1
    MEMORY_ALLOCATION = 2
    INVALID_PITCH_VALUE = 12
    INVALID_SYMBOL = 13
    INVALID_CHANNEL_DESCRIPTOR = 20
    INVALID_MEMCPY_DIRECTION = 21
    INVALID_FILTER_SETTING = 26
    INVALID_NORM_SETTING = 27
    INVALID_DEVICE_FUNCTION = 98
    INVALID_DEVICE = 101
    UNSUPPORTED_LIMIT = 215
    PEER_ACCESS_UNSUPPORTED = 217
    INVALID_RESOURCE_HANDLE = 400
    NOT_READY = 600
    ILLEGAL_ADDRESS = 700
    LAUNCH_OUT_OF_RESOURCES = 701
    LAUNCH_TIMEOUT = 702
    PEER_ACCESS_NOT_ENABLED = 705
    ASSERT = 710
    HOST_MEMORY_ALREADY_REGISTERED = 712
    HOST_MEMORY_NOT_REGISTERED = 713
    ILLEGAL_INSTRUCTION = 715
    MISALIGNED_ADDRESS = 716
    LAUNCH_FAILURE = 719
    COOPERATIVE_LAUNCH_TOO_LARGE = 720
    NOT_PERMITTED = 800
    NOT_SUPPORTED = 801
    STREAM_CAPTURE_UNSUPPORTED = 900
    STREAM_CAPTURE_UNMATCHED = 903
    GRAPH_EXEC_UPDATE_FAILURE = 910
    INVALID_CLUSTER_SIZE = 912

    @property
    def cuda_name(self) -> str:
        """Return the name in CUDA, "cudaErrorInvalidValue"."""
        return error_table()[self][0]


# After one of these nothing works on the device any more: every call gives the same error, as on hardware.
STICKY = frozenset(
    {
        CudaError.ILLEGAL_ADDRESS,
        CudaError.ILLEGAL_INSTRUCTION,
        CudaError.MISALIGNED_ADDRESS,
        CudaError.ASSERT,
        CudaError.LAUNCH_FAILURE,
        CudaError.LAUNCH_TIMEOUT,
    }
)


@lru_cache(maxsize=1)
def error_table() -> dict[int, tuple[str, str]]:
    """Return name and text of every error, by code."""
    entries = re.findall(r'WV_ERROR\((\w+), (\d+), "(.*)"\)', _TABLE.read_text(encoding="utf-8"))
    return {int(code): (name, text) for name, code, text in entries}
