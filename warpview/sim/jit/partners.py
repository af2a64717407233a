"""Execute the other blocks of the clusters whose blocks an estimate follows.

An estimate follows the blocks of one multiprocessor, and a cluster has one block there: the others, its partners, run
on other multiprocessors at the same time. They take no time here. Each is executed as far as it goes, until it waits at
the barrier of the cluster or ends: so a followed block always comes to that barrier last, and finds what its partners
have written before it. Where a partner polls what the followed block writes, both go on in turns.
"""

from __future__ import annotations

from warpview.sim.jit.clusters import slot_at
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.profile import advance, start_block
from warpview.sim.jit.raw import address_of, load_i64
from warpview.sim.jit.records import machine_at, resident_block_at, sm_at
from warpview.sim.jit.sm_state import RESIDENT_BLOCK_BYTES
from warpview.sim.jit.state import Status

RAN = int(Status.RAN)
ROUNDS = 64  # of turns for partners that another one or the followed block keeps waiting


@jit
def partner_of(sm, number, k):
    """Return the block of a partner of the block in slot ``number``; their slots are behind those of the followed
    blocks."""
    return slot_at(machine_at(sm.partners_machine_at), sm.resident + number * sm.partners + k)


@jit
def start_partners(sm, number, started):
    """Start the partners of the block that is number ``started`` of the queue, in slot ``number``."""
    for k in range(sm.partners):
        index = load_i64(sm.partners_at + 8 * (started * sm.partners + k))
        start_block(sm.partners_machine_at, address_of(partner_of(sm, number, k)), index)
    resident_block_at(sm.resident_blocks_at + number * RESIDENT_BLOCK_BYTES).partners_go_on = sm.partners > 0


@unit(3)
def run_partners(multiprocessor, number, rounds):
    """Let the partners of the block in slot ``number`` go on until all wait for their cluster or have ended, for so
    many ``rounds`` of turns at most."""
    sm = sm_at(multiprocessor)
    resident_block = resident_block_at(sm.resident_blocks_at + number * RESIDENT_BLOCK_BYTES)
    while resident_block.partners_go_on and rounds:
        resident_block.partners_go_on = 0
        for k in range(sm.partners):
            if advance(machine_at(sm.partners_machine_at), partner_of(sm, number, k)) == RAN:
                resident_block.partners_go_on = 1
        rounds -= 1
    return 0


@unit(1)
def run_all_partners(multiprocessor):
    """Give a turn to all partners that go on."""
    sm = sm_at(multiprocessor)
    for number in range(sm.resident):
        if resident_block_at(sm.resident_blocks_at + number * RESIDENT_BLOCK_BYTES).live_warps:
            run_partners(multiprocessor, number, 1)
    return 0
