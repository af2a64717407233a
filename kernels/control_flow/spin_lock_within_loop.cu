// The same lock, released inside the loop that takes it: the lane that holds it goes on before the others try
// again, so that it works with one program counter a warp as well.
__global__ void spin_lock_within_loop(int *lock, int *count)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            int now = *(volatile int *)count;
            *(volatile int *)count = now + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
