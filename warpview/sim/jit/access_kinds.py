"""Number the kinds of access for the race screen, a bit each: reads go with reads and atomics with atomics."""

READ, WRITE, ATOMIC = 1, 2, 4
BLOCK_KINDS = 22  # the first bit of those of other blocks in the state of a byte
