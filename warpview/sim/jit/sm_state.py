"""Define the state of the cycle-level multiprocessor as records; see state.py for how they are used.

What each number means is said in sim/timing/model.py and sim/reference/multiprocessor.py, whose model this is.
"""

from __future__ import annotations

from enum import IntEnum

from warpview.sim.history.events import EVENT_COLUMNS, N_STALL, MemoryBusy, MemoryTraffic
from warpview.sim.jit.state import record
from warpview.sim.rules.bulk import SLOTS
from warpview.sim.timing.instruction_costs import QUEUE
from warpview.sim.timing.model import COPY_GROUPS, FLIGHTS, GAP_ENTRIES, OWN_SPREAD, QUEUE_RING, SPREAD

MAX_WARPS = 256  # of a scheduler
NOT_RUNNABLE = -1  # TIMED.pc; its ``ready`` is then NEVER
# A scoreboard entry is one int64: the cycle in which the row can be read, times this, plus the Stall of its readers.
BOARD_SCALE = 16


LOAD, STORE, ATOMIC = range(3)  # COST.access
L1, READ_ONLY, L2 = range(3)  # the caches of a multiprocessor, in this order
NO_CACHE = -1
# Of a row of sim/timing/l2_share.py: first sector, end, sectors left, when none was; left to store to; the first and
# the last that were missed; sectors in all.
SHARE_BYTES = 64
WAY_BYTES = 56  # of a cache: line number + 1 (0: empty), bits of the sectors that are
# filled and, from bit 32 on, of those that differ from memory, time of the last use,
# cycle in which the data that were asked for last are there; STORES_SCALE times the stored sectors of a scheduler up to
# the last one that was stored here, plus the scheduler; the halves of words of its sectors that were stored to; of the
# L2, BROUGHT_SCALE times what had been brought in when it was used last, plus OWN and REPLACED
MAX_SCHEDULERS = 8
STORES_SCALE = MAX_SCHEDULERS


class SmStatus(IntEnum):
    """Name the reasons why ``sm_advance`` returned."""

    MORE = 0  # the number of issues asked for is reached
    FINISHED = 1
    ABORTED = 2


# What an instruction costs (Timing's arrays, one record an instruction). ``uses_at`` and ``sets_at`` int32 rows.
COST = record(
    "pipe", "occupancy", "handing", "latency", "following", "pause", "held", "held_in_turn", "wait", "throttle",
    "queues",
    "uses_at", "n_uses", "sets_at", "n_sets", "constant", "barrier", "awaits_cluster", "writes_global", "polls",
    "sector_cost", "pass_cost", "pass_part", "pass_again", "pass_apart", "same_line", "l2_cost", "line_cost",
    "releases", "reads_later",
    "even", "odd",  # registers that it reads from the two banks, and where another warp has read since
    "even_alone", "odd_alone",
    "room",  # accesses in the queue of a scheduler, at most, or 0
    "beyond",  # loads that have left it and wait for the pipe, of which the instruction is one
    "waited",  # warp cycles up to its issues
    "first_cycle",  # of its first issue, NEVER before
    "access", "first_level",  # as caches.py has them
    "constant_line", "loads_constant", "fences", "drops_l1", "spins", "shared", "shared_times", "slots", "side_slots",
    "loop", "together", "copies", "begins", "counter", "bound", "step", "inclusive", "n_carried", "free", "n_awaited",
    "renames", "owes", "settles", "copied", "closes", "groups_left", "tells_barrier",
    "asks_barrier",
    "joined", "joined_trips", "merged_bytes", "merged_later",
    "free_issues",  # that took no time, as another instruction does it, or another trip of an unrolled loop
    # of a store: one more than the sector of all its accesses, -1 of several; one more than the warp (of the grid) that
    # issued it, -1 of several
    "one_sector", "one_warp",
)  # fmt: skip

# A cache. Sectors of 32 bytes: 2 ** line_shift in a line; 2 ** part_shift are filled together. Lines that were used
# last when the clock was ``invalid`` or less are not there any more. ``held`` of the ``lines`` are there; the set
# ``turn`` is the next that makes room for a line of another one; a set keeps ``kept`` lines that were used again.
CACHE = record("sets", "ways", "hashed", "line_shift", "part_shift", "part_mask", "clock", "invalid", "ways_at", "kept",
               "lines", "held", "turn")  # fmt: skip

# A warp slot. ``block_slot`` is the index of its RESIDENT_BLOCK; ``board_at`` int64[rows].
# ``drained`` is when the stores of the warp have left the multiprocessor, ``turn_free`` when the data of its accesses
# have been moved, ``returned`` when those of its last load with further passes are there.
# ``taken`` is SCHEDULER.taken as it was in the cycle ``since``. ``loop`` is that of ``pc``, ``trip`` counts its trips
# up to the ``copies`` that are written out, and ``owed`` is the scoreboard entry of all that has not been waited for.
# ``copied`` is that of all asynchronous copies so far, ``groups`` what it was when each of the ``closed`` groups was.
TIMED = record("warp_at", "slot", "block_slot", "scheduler", "since", "ready", "wait", "pc", "board_at", "drained",
               "turn_free", "returned", "loop", "trip", "copies", "owed", "copied", "closed", ("groups", COPY_GROUPS),
               ("taken", QUEUE + 1))  # fmt: skip

# A block slot. ``block`` -1 before its first, ``order`` its number among the started; ``due`` when the next one
# comes (NEVER: none does); ``fresh`` 1 until it has issued; ``opens`` is when its warps go on from the barrier of the
# cluster that was complete last; ``partners_go_on`` 1 where not all of its partners wait or have ended (partners.py).
# ``told_place`` are one more than the places of barriers in shared memory, ``told`` the scoreboard entries of the
# copies of which they are told.
RESIDENT_BLOCK = record("block", "order", "due", "fresh", "live_warps", "opens", "partners_go_on",
                        ("told_place", SLOTS), ("told", SLOTS))  # fmt: skip

# ``order`` lists the slots with a living warp, the preferred one first; ``visit`` is when it can issue next.
SCHEDULER = record(
    "port_free",
    "last",
    "visit",
    "n_order",
    ("order", MAX_WARPS),
    ("pipe_free", QUEUE + 1),
    ("taken", QUEUE + 1),  # cycles in which each was taken, or the queue full, while the scheduler could have issued
    ("stalls", N_STALL),
    "even_free",
    "odd_free",  # when the banks of registers have been read
    "read_free",  # when another instruction can begin to read, behind the last one
    "reader",  # one more than the slot of the warp that has read last
    "held_up",  # for how many cycles none is issued behind the last instruction, as it waits to read its own
    "handing_free",  # when the queue hands on the next access
    "accesses",
    ("left", QUEUE_RING),  # accesses up to now; when the last ones have left the queue
    ("served", QUEUE_RING),  # when the pipe has served them
)

SM = record(
    "machine_at", "costs_at", "timed_at", "resident_blocks_at", "schedulers_at",
    # Timing's numbers
    "schedulers", "last_warp_first", "dispatch", "port", "shared_slot", "ideal_passes", "wavefront",
    "wavefront_busy", "l1_pass", "l1_wavefront", "constant_pass", "replay", "reads_sources",
    "constant_latency", "global_latency", "l1_latency", "l2_latency", "atomic_later", "atomic_backlog",
    # 1: the load at hand finds a word changed since its warp loaded it; how many have
    "changed_later", "has_changed", "changed",
    "distributed_load", "distributed_wavefront", "distributed_store", "distributed_atomic", "distributed_later",
    "fence_distributed", "distributed_free",  # when what was sent to other multiprocessors has been moved
    "shared_backlog", "memory_backlog", "barrier", "cluster_barrier", "barrier_per_warp", "path_change", "block_start",
    "block_interval",
    "first_interval",
    # the blocks: all that will run, and how many have started; ``started_*`` int64, one a started block
    "queue_at", "n_queue", "n_started", "started_step_at", "started_slot_at", "started_cycle_at", "ended_cycle_at",
    "resident", "warps", "rows",
    # of each followed block, its partners: how many; int64, their numbers for each block of the queue; their machine
    "partners", "partners_at", "partners_machine_at",
    # where the run stands; ``turn`` is the scheduler whose turn it is in this cycle, ``pause_at`` that in which it
    # returns, ``next_due`` when the next block comes, ``next_launch`` when the device can start the next one here
    "cycle", "turn", "pause_at", "next_due", "next_launch", "drained", "shared_free", "side_free", "memory_free",
    "barrier_free",
    # when all stores and atomics so far have left the multiprocessor; what the next fence takes from then on, by the
    # lines that the L2 was asked for since the last one, or 0; when the last round of fences begins, what it takes, and
    # from when on the next one may begin
    "all_left", "fence_trip", "fence_begin", "fence_takes", "fence_free", "fence", "fence_interval",
    ("fence_trips", SPREAD),
    "issued",
    "last_cycle", "last_pipe", "status",
    # caches: L1, read-only and L2; ``sectors_at`` int64, those of the access at hand; where these were served
    "caches_at", "has_l1", "has_l2", "stores_evict", "l1_caches_global", "local_bytes", "sectors_at",
    "halves_at",  # int64, the halves of words of each of these sectors that are stored to
    "from_l2", "dram",
    # lines of the access; its passes in L1, and those of its data beyond the ideal; 1 if its data come from DRAM; when
    # its sources were read; accesses of its scheduler before it when they are, at most, and when there are no more
    "lines", "passes", "turns", "far", "sources_read", "queue_read", "read_from",
    "handed",  # when the queue hands the instruction at hand on
    "dram_sectors", *MemoryTraffic._fields,  # of all accesses
    "l1_sectors_before", "l1_hits_before",  # of all but the access at hand
    # when what an access needs is there that others have asked for; int64, the ways whose data it asks for, how many
    "pending", "missed_at", "n_missed", "dram_free",
    "touched",  # the line that the access at hand has looked up last in L1, or -1
    # lines of the access that L2 is asked for; its sectors that others read, too, what they take of the L2; when L2
    # or DRAM have served it; its pieces in DRAM, the first and the last, those whose line had been read in part; by how
    # much the last of its lines is later than the mean
    "l2_lines", "near", "near_cost", "near_line", "port_cost", "last_line", "served", "pieces",
    "first_piece", "last_piece", "paired", "merged", "read", "undone", ("l2_spread", SPREAD),
    "l2_later", "dram_later", "dram_far_later", ("dram_own_spread", OWN_SPREAD),
    ("dram_shared_spread", OWN_SPREAD), "late_pairs",
    "store_port", "partial_port", ("scattered", GAP_ENTRIES), ("partial_stores", GAP_ENTRIES),
    # sectors that the schedulers have sent to the L2; those that are merged with; warp cycles until stores left
    # loads that wait for what L1 lacks, at most; lines of L1, and those that wait for data; loads that wait, the first
    # and the end; when their data are there, and how many lines
    "loads_in_flight", "l1_lines", "in_flight", "first_flight", "end_flight", ("flight_until", FLIGHTS),
    ("flight_lines", FLIGHTS),
    ("stored", MAX_SCHEDULERS), "store_merge", "draining", "store_drain",
    "active_until",  # when the last stores of warps that have ended have left
    # when the access has left the multiprocessor; when the L2 and DRAM would have taken up the stores if there were
    # nothing else, and the units for atomics those
    "left_at", "stores_free", "stores_dram_free", "atomics_free",
    # the line that the access stores to, and whether it is merged with the last store to it; 1 where all blocks store
    # to the same sector, and what that costs
    "stored_line", "merge_window", "merging", "met", "met_cost",
    "loaded",  # when all that loads have asked the L2 for is there
    # until the first bytes of a bulk load are there, bytes of it in a cycle, from one copy to the next; when it begins
    "bulk_cycles", "bulk_bytes", "bulk_interval", "bulk_free",
    # lines of machine code: int64, when each is there (0: not asked for); when the last one that was asked for is there
    "code_at", "code_free", "cold_start", "cold_line",
    # the same of constants; when the first one is there that was asked for
    "constants_at", "first_constant", "cold_constant", "cold_constant_line",
    # rows of sim/timing/l2_share.py, and what the L2 can hold of stores (StoresHeld); the sectors that it holds, those
    # stored to and those read; 1 while the block is of the first on the device
    "shares_at", "n_shares", "room_alone", "room_mixed", "room_part", "held", "dirty", "clean", "first_wave",
    "dram_sectors_together",
    "l2_brought", ("l2_kept", SPREAD),  # sectors brought into the L2 so far: see l2_lines.py
    # events.MemoryBusy, those of L2, DRAM and atomics in 1/FRACTION cycles; 1 where every access is coalesced
    *(f"busy_{name}" for name in MemoryBusy._fields), "coalesced",
    # how busy memory is: timing.LOAD_WINDOW
    "partial_cost", "dram_queue", "window_end", "window_work", "load",
    # recording: columns of sim/history/events.py
    "recording", "n_events", *(f"{name}_at" for name in EVENT_COLUMNS),
    # words of global memory that changed: uint32 word, old, new; ``mirror_at`` is global memory as last recorded
    "n_changes", "change_word_at", "change_old_at", "change_new_at", "change_end_at", "first_event", "mirror_at",
)  # fmt: skip

CACHE_BYTES, COST_BYTES, TIMED_BYTES, RESIDENT_BLOCK_BYTES, SCHEDULER_BYTES = (
    d.itemsize for d in (CACHE, COST, TIMED, RESIDENT_BLOCK, SCHEDULER)
)
