// Every lane takes a lock, counts, and releases it. With one program counter a warp (up to compute capability
// 6.x) the lane that holds the lock never gets to release it, because the others spin: the warp hangs.
__global__ void spin_lock(int *lock, int *count)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    int now = *(volatile int *)count;
    *(volatile int *)count = now + 1;
    __threadfence();
    atomicExch(lock, 0);
}
