"""Find out whether textures and surfaces can be as large as an array: the limits are those of cudaDeviceProp."""

from __future__ import annotations

from warpview.host.api.device_properties import by_capability

LAYERED, SURFACE, CUBEMAP, GATHER = 1, 2, 4, 8  # of cudaArrayDefault and its like


def array_fits(capability: tuple[int, int], extent: tuple[int, int, int], flags: int) -> bool:
    """Return whether an array of ``extent`` (width, height, depth or layers; 0 where it lacks a dimension) can be
    fetched from by textures, and accessed by surfaces where ``flags`` ask for it."""
    kinds = ["Texture", *(["Surface"] if flags & SURFACE else [])]
    return all(_fits(capability, kind, extent, flags) for kind in kinds)


def _fits(capability: tuple[int, int], kind: str, extent: tuple[int, int, int], flags: int) -> bool:
    width, height, depth = extent
    layers = "Layered" if flags & LAYERED else ""
    sizes: tuple[int, ...] = extent if height and depth else (width, height or depth) if height or depth else (width,)
    if flags & CUBEMAP:
        shape, sizes = f"Cubemap{layers}", (width, depth) if layers else (width,)
    elif layers:
        shape = "2DLayered" if height else "1DLayered"
    else:
        shape = f"{len(sizes)}D"
    if flags & GATHER and kind == "Texture" and shape == "2D":
        shape = "2DGather"
    names = [f"max{kind}{shape}", *(["maxTexture3DAlt"] if (kind, shape) == ("Texture", "3D") else [])]
    limits = [_numbers(by_capability(capability)[name]) for name in names]
    return any(all(size <= most for size, most in zip(sizes, limit, strict=True)) for limit in limits)


def _numbers(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else value
