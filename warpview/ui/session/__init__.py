"""The kernel, the device and the launch that are looked at: chosen, edited, run in the worker, window_state."""
