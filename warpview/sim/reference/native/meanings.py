"""Say which function has each meaning of the table of opcodes, and decode programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from warpview.isa.native import NativeProgram
from warpview.sass import fields as f
from warpview.sass.decoder import decode
from warpview.sass.matrices import MATRIX_MEANINGS
from warpview.sass.operation import SassOperation
from warpview.sim.reference.native import (
    approximations,
    bulk,
    exchange,
    integers,
    matrices,
    moves,
    narrow_numbers,
    real_numbers,
    textures,
)
from warpview.sim.reference.native.lane import Lane

InLane = Callable[[Lane], None]
InWarp = Callable[[exchange.ExchangingWarp, SassOperation, int], None]
# Meanings that ``warp.NativeWarp`` has.
CONTROL = ("memory", "bar", "bra", "ret", "exit", "bsync", "warpsync", "yield", "call", "trap")


def _functions() -> tuple[Mapping[str, InLane], Mapping[str, InWarp]]:
    """Return the functions of the meanings of the table, of a lane and of a warp."""
    in_lane = {
        name: value
        for module in (integers, moves, real_numbers, narrow_numbers, approximations)
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    }
    in_warp = {name: getattr(exchange, name) for name in EXCHANGES} | {"break": exchange.leave}
    in_warp |= {"texture": textures.texture, "bulk": bulk.bulk, "scatter": bulk.scatter}
    return in_lane, in_warp | {name: getattr(matrices, name) for name in (*MATRIX_MEANINGS, "movm")}


EXCHANGES = ("shfl", "vote", "match", "redux", "credux", "r2ur", "elect", "clock", "bssy", "bmov", "bmovclear")
IN_LANE, IN_WARP = _functions()


@lru_cache(maxsize=16)
def _operations(code: bytes, architecture: int) -> Sequence[SassOperation]:
    words = [code[k : k + f.WORD_BYTES] for k in range(0, len(code) - f.WORD_BYTES + 1, f.WORD_BYTES)]
    return [decode(int.from_bytes(word, "little"), k * f.WORD_BYTES, architecture) for k, word in enumerate(words)]


def decoded(native: NativeProgram) -> Sequence[SassOperation]:
    """Return the operations of a program."""
    return _operations(native.code, native.architecture)
