"""Compile, load and decode NVIDIA's machine code (SASS).

==============  ==============================================================================
``nvrtc``       NVRTC, the compiler that the extra ``warpview[nvidia]`` installs
``cubin``       kernels, parameters, constants and lines of a compiled file
``fields``      the bits of an instruction word
``table``       the instruction set: one row an opcode
``decoder``     a 128-bit word to an ``Operation``
``loader``      a cubin to a ``Program``
==============  ==============================================================================
"""
