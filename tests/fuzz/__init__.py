"""Feed random input to everything that warpview reads: kernels, launches, files. See ``__main__``."""
