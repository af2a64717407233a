"""Define the counters of the texture unit, each in one row."""

from __future__ import annotations

from warpview.isa.textures import Fetch
from warpview.profile.counter import Counter
from warpview.profile.formulas import fetched
from warpview.sim.raw_counts import Raw


def texture_counters() -> list[Counter]:
    """Return the counters of the texture unit, beside which surfaces of a kernel as written are global memory."""
    group, metric = "textures and surfaces", "l1tex__t_{}_pipe_tex_mem_{}.sum"
    textures = (Fetch.SAMPLE, Fetch.ELEMENT, Fetch.GATHER)
    rows = (
        ("texture", "Texture", "texture", textures,
         "of texture fetches: one for each four neighbouring lanes with one on, for each eight of an element of linear "
         "memory of at most 4 bytes"),
        ("surface_ld", "Surface load", "surface_op_ld", (Fetch.READ,),
         "of surface loads: one for each eight neighbouring lanes with one on"),
        ("surface_st", "Surface store", "surface_op_st", (Fetch.WRITE,),
         "of surface stores: one for each eight neighbouring lanes with one on"),
    )  # fmt: skip
    found = [
        Counter("inst_texture", group, "instructions", "Texture instructions",
                "Warp instructions that fetch from a texture.", fetched(Raw.EXECUTED, *textures),
                "smsp__inst_executed_op_texture.sum"),
    ]  # fmt: skip
    for key, title, name, kinds, text in rows:
        found += [
            Counter(f"{key}_requests", group, "requests", f"{title} requests", f"Requests {text}.",
                    fetched(Raw.REQUESTS, *kinds), metric.format("requests", name)),
            Counter(f"{key}_sectors", group, "sectors", f"{title} sectors",
                    "Sectors of 32 bytes that these accessed; those of an array have 16 bytes of two rows.",
                    fetched(Raw.SECTORS, *kinds), metric.format("sectors", name)),
        ]  # fmt: skip
    return found
