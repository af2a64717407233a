"""warpview shows how a GPU executes a CUDA kernel, warp by warp."""
