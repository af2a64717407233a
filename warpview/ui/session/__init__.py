"""Choose, edit and run the kernel, the device and the launch that are looked at, and keep them between starts."""
