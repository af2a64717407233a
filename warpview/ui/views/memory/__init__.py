"""Show what an access asks of memory: banks, transactions, broadcasts, atomics."""
