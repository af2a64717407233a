"""List the special registers, which S2R, S2UR and CS2R read."""

from __future__ import annotations

from warpview.isa.bank_places import bank_places
from warpview.sass.encoding import encoding_of

TID_X, TID_Y, TID_Z, CTAID_X, CTAID_Y, CTAID_Z = 0x21, 0x22, 0x23, 0x25, 0x26, 0x27
LANEID, CLOCKLO, CLOCKHI, GLOBALTIMERLO, GLOBALTIMERHI, CGA_CTA_ID, ZERO = 0x00, 0x50, 0x51, 0x52, 0x53, 0x88, 0xFF
CGA_SIZE = 0x8A  # from 10.0 on: says which of several copies of the driver's words in bank 0 holds; here there is one
SHARED_WINDOW_HIGH, VIRTUAL_SMID = 0x2F, 0x43
VIRTUAL_CONFIGURATION, VIRTUAL_ID, SHARED_SIZE = 0x02, 0x03, 0x32
STACK_LIMIT = 0x37  # the lowest address of the stack, 0 here: code for debuggers looks whether there is room
WARP_BIT = 8  # of VIRTUAL_ID: where the number of the warp begins
EQMASK, LTMASK, LEMASK, GTMASK, GEMASK = 0x38, 0x39, 0x3A, 0x3B, 0x3C

SPECIAL_REGISTERS = {
    LANEID: "SR_LANEID", TID_X: "SR_TID.X", TID_Y: "SR_TID.Y", TID_Z: "SR_TID.Z", CTAID_X: "SR_CTAID.X",
    CTAID_Y: "SR_CTAID.Y", CTAID_Z: "SR_CTAID.Z", EQMASK: "SR_EQMASK", LTMASK: "SR_LTMASK", LEMASK: "SR_LEMASK",
    GTMASK: "SR_GTMASK", GEMASK: "SR_GEMASK", CLOCKLO: "SR_CLOCKLO", CLOCKHI: "SR_CLOCKHI", CGA_CTA_ID: "SR_CgaCtaId",
    GLOBALTIMERLO: "SR_GLOBALTIMERLO", GLOBALTIMERHI: "SR_GLOBALTIMERHI", SHARED_WINDOW_HIGH: "SR_SWINHI", ZERO: "SRZ",
    VIRTUAL_SMID: "SR_VIRTUALSMID", CGA_SIZE: "SR_CgaSize",
    VIRTUAL_CONFIGURATION: "SR_VIRTCFG", VIRTUAL_ID: "SR_VIRTID", SHARED_SIZE: "SR_SMEMSZ",
    STACK_LIMIT: "SR_LMEMHIOFF",
}  # fmt: skip
# Those that are refused, by nvdisasm's names.
REFUSED_REGISTERS = {
    0x28: "SR_NTID", 0x30: "SR_SWINLO",
    0x31: "SR_SWINSZ", 0x3D: "SR_REGALLOC", 0x44: "SR_VIRTUALENGINEID",
    0x64: "SR_PM0 (%pm0)", 0x87: "SR_WARPGROUPID", 0x89: "SR_GpcLocalCgaId",
}  # fmt: skip
FIRST_TO_RESERVE = 80  # the architecture from which on devices reserve shared memory, and these are known
OF_LAUNCH = (VIRTUAL_CONFIGURATION, SHARED_SIZE)  # that a launch decides, in the order of their words
TIMERS = (GLOBALTIMERLO, GLOBALTIMERHI)  # count nanoseconds
CLOCKS = (CLOCKLO, CLOCKHI, *TIMERS)
UPPER_WORDS = (CLOCKHI, GLOBALTIMERHI)


def unknown_word(architecture: int, offset: int) -> str | None:
    """Return the name of a word before the parameters in constant bank 0 whose contents no launch here has; None for
    others. Environment registers are looked at elsewhere (grid_barrier.py)."""
    encoding = encoding_of(architecture)
    start, count = encoding.environment_place, encoding.environment_words
    is_known = start <= offset < start + 4 * count or offset == encoding.driver_shared_place
    if is_known or bank_places(architecture).is_filled(offset):
        return None
    return f"the word at {offset:#x} of constant bank 0, which the driver fills in,"
