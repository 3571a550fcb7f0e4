#!/usr/bin/env python3
"""Makes a draft model out of its target: a GGUF quantised further, or one without some of its layers.

usage: make_draft.py TARGET.gguf OUTPUT.gguf [--type Q2_K] [--drop-layers 14,17]

Such drafts share the target's tokenizer, which speculative decoding needs, and cost nothing to train; how well they
do is what a recording tells. --type is a type of llama-quantize (without it the tensors keep the target's type);
layers count from 0. llama.cpp requantises what is quantised already, which is worse than quantising the original.
"""
import argparse
import ctypes
import pathlib

from errors import InputError, UsageError, require_numpy, run

require_numpy()
from draftgauge.record.texts import sha256_of  # noqa: E402

FILE_TYPES = ("F32 F16 BF16 Q8_0 Q6_K Q5_K_M Q5_K_S Q5_1 Q5_0 Q4_K_M Q4_K_S Q4_1 Q4_0 Q3_K_L Q3_K_M Q3_K_S "
              "Q2_K").split()


def layer_list(text: str) -> list[int]:
    try:
        layers = [int(item) for item in text.split(",")]
    except ValueError:
        layers = [-1]
    if min(layers) < 0 or len(set(layers)) < len(layers):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of layers (each once, counted from 0): 14,17 would be")
    return layers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("target", type=pathlib.Path, metavar="TARGET.gguf")
    parser.add_argument("output", type=pathlib.Path, metavar="OUTPUT.gguf")
    parser.add_argument("--type", choices=FILE_TYPES, help="quantise to this type (default: that of the target)")
    parser.add_argument("--drop-layers", type=layer_list, default=[], metavar="LIST",
                        help="layers to leave out, from 0")
    arguments = parser.parse_args()
    if not arguments.type and not arguments.drop_layers:
        raise UsageError("neither --type nor --drop-layers is given (the draft would be its target)")
    if not arguments.target.is_file():
        raise InputError(f"{arguments.target} is not there (it is the model to make a draft of)")
    make(arguments.target, arguments.output, arguments.type, arguments.drop_layers)


def make(target: pathlib.Path, output: pathlib.Path, type_name: str | None, dropped: list[int]) -> None:
    import record_llama

    llama = record_llama.library()
    model = record_llama.LlamaModel(target, context=32, threads=1, largest_pass=1)
    if dropped and max(dropped) >= model.layers:
        raise UsageError(f"--drop-layers names layer {max(dropped)} (the model has 0 to {model.layers - 1})")
    parameters = llama.llama_model_quantize_default_params()
    parameters.ftype = getattr(llama, file_type(type_name)) if type_name else model.file_type
    parameters.allow_requantize = True
    layers = (ctypes.c_int32 * (len(dropped) + 1))(*dropped, -1)  # llama.cpp reads up to the -1
    if dropped:
        parameters.prune_layers = ctypes.cast(layers, ctypes.POINTER(ctypes.c_int32))
    partial = output.with_name(output.name + ".partial")
    if llama.llama_model_quantize(bytes(target), bytes(partial), ctypes.byref(parameters)) != 0:
        partial.unlink(missing_ok=True)
        raise InputError(f"{target}: llama.cpp could not quantise it (its own message is above)")
    partial.replace(output)
    print(f"{output}  sha256 {sha256_of(output)}")


def file_type(name: str) -> str:
    """Its constant in llama.h; plain types are spelt otherwise there."""
    return {"F32": "LLAMA_FTYPE_ALL_F32"}.get(name, f"LLAMA_FTYPE_MOSTLY_{name}")


if __name__ == "__main__":
    run(main)
