"""Programs as a course has them print on the simulated device what they printed on an H200 (see h200_outputs.json)."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from support.tiers import leaving_out

import warpview as wv

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
RECORDED = json.loads((HERE / "h200_outputs.json").read_text(encoding="utf-8"))["programs"]

# These use nothing that others do not: each name of CUDA, header and word of C++ in them is in a program that is always
# run as well, or in a test beside; and so are the kinds of kernels, stencils, sorting, graphs, matrices and the others.
REPEATING = [
    "aes_chacha", "atomics_zoo", "attention", "backtracking", "bfs", "bfs_queues", "bitonic_sort", "block_barriers",
    "caesar", "cavity_flow", "cg_tiles", "child_launch_errors", "child_launches", "ciphers", "clusters",
    "complex_numbers", "compression", "convolution_constant", "cooperative_sum", "cpp_classes", "cpp_details",
    "cub_blocks", "device_bezier", "device_buffers", "device_heap", "device_quadtree", "device_query",
    "device_quicksort", "device_variables", "dot_product", "edge_pipeline", "evolution", "expression_templates",
    "finite_differences", "floyd_warshall", "fluids", "function_pointers", "functors", "game_objects", "game_of_life",
    "gaussian", "graph_algorithms", "graph_capture", "graph_nodes", "grayscale", "group_functions", "group_objects",
    "group_partitions", "group_parts", "hash_table", "heat_pitched", "histogram", "image_filters", "inheritance",
    "inline_ptx", "intervals", "jacobi", "kernel_lambdas", "kernel_printf", "kmeans", "language_model",
    "launch_objects", "lcs", "long_numbers", "managed_list", "managed_memory", "managed_objects", "mandelbrot",
    "matmul_naive", "matmul_tiled", "merge_tiles", "message_digest", "minmax_cas", "monte_carlo", "nbody",
    "nbody_templates", "neural_network", "occupancy", "option_prices", "overloads", "particle_cells", "pitched_kernel",
    "pointers_and_bits", "primes", "puzzles", "radix_sort", "ray_tracer", "raytracer", "recursion", "reduction_shuffle",
    "reduction_templates", "registered_memory", "saxpy", "scan_blelloch", "scan_blocks", "scope_guards",
    "shared_arrays", "signed_distances", "spmv", "static_constants", "static_variables", "stream_events", "streams",
    "templates17", "tensor_cores", "texture_image", "texture_modes", "thrust_course", "thrust_pairs", "transpose",
    "type_traits", "vector_add", "virtual_destructors", "volatile_variables", "warp_intrinsics", "warp_words",
    "wide_integers", "worker_threads", "zero_copy",
]  # fmt: skip
FEATURE = re.compile(
    r"\bcu(?:da|blas|fft|rand)[A-Z]\w+|\b__\w+|\b(?:thrust|cg|cub|cooperative_groups|cuda|wmma)::[\w:]+|\batomic\w+"
    r"|\b(?:tex|surf)\w+|<\w+/[\w/.]+>|<\w+_\w+\.h>|\b(?:template|virtual|union|operator|constexpr|enum|class|namespace"
    r"|static|volatile|extern|friend|switch|goto|new|delete|override|assert|printf)\b"
)
# Names of this form that programs give to functions, classes and variables of their own.
OWN = {
    "__TOptionData",
    "__atomic",
    "__smem",
    "__smem_d",
    "atomicAddDouble",
    "atomicMaxFloat",
    "cudaCheck",
    "cudaCheck_",
}


def files_of(name):
    """The files of a program: one of its name, or those of a folder of its name."""
    folder = PROGRAMS / name
    return [folder / "main.cu", folder / "kernels.cu"] if folder.is_dir() else [PROGRAMS / f"{name}.cu"]


def features_in(files):
    """The names of CUDA and the words of C++ that some files have, without comments."""
    texts = (re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in files)
    return {found for text in texts for found in FEATURE.findall(text)} - OWN


def test_every_program_was_recorded():
    found = {p.stem for p in PROGRAMS.glob("*.cu")} | {p.name for p in PROGRAMS.iterdir() if p.is_dir()}
    assert found == set(RECORDED)
    assert len(found) >= 40


@cache
def features_beside():
    """What the library and other tests of kernels and programs use."""
    tests = HERE.parent
    python = [path for path in tests.glob("*/**/*.py") if path.name != Path(__file__).name]
    kernels = [*tests.glob("programs/*/*.cu"), *tests.parent.glob("kernels/*/*.cu")]
    return frozenset(features_in([*python, *kernels, *tests.glob("agreement/cpp_snippets/*.txt")]))


def test_programs_that_are_left_out_repeat_others():
    always = [name for name in RECORDED if name not in REPEATING]
    known = features_beside() | features_in([path for name in always for path in files_of(name)])
    assert len(known) > 500
    assert {name: new for name in REPEATING if (new := features_in(files_of(name)) - known)} == {}


@pytest.mark.parametrize("name", leaving_out(sorted(RECORDED), REPEATING))
def test_a_program_prints_what_the_hardware_printed(name, record_property):
    for feature in sorted(features_in(files_of(name)) - features_beside()):
        record_property("tries", feature)
    result = wv.run_program(files_of(name), compiler=RECORDED[name].get("compiler", "warpview"))
    assert result.output == RECORDED[name]["output"]
    assert result.exit_code == RECORDED[name]["exit_code"]
    assert not [f for f in result.host_findings if f.kind in ("crash", "missing synchronisation")]
