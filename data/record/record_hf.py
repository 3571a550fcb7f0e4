#!/usr/bin/env python3
"""Records a target and its drafts with Hugging Face's transformers: any causal language models of one tokenizer.

  record_hf.py --target org/large --draft small=org/small --prompts prompts.txt --temperature 1,0.6,0 --out FOLDER

writes the files of record_llama.py. A model is the name of one on the hub (which transformers downloads), a folder
that has one, or a GGUF file (which is turned into floats). Needs numpy, torch and transformers; for GGUF files also
gguf and accelerate.
"""
import argparse

from errors import require_numpy, run

require_numpy()
import arguments  # noqa: E402
from draftgauge.record import hugging_face  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_options(parser)
    parser.add_argument("--dtype", choices=["float32", "float16", "bfloat16"], default="float32",
                        help="of the models' arithmetic (default float32)")
    parser.add_argument("--device", default="cpu", help="as torch names it: cpu (default), cuda, cuda:1, mps")
    given = parser.parse_args()
    asked, drafts = arguments.read_options(given), arguments.read_drafts(given.draft)
    torch, transformers = hugging_face.packages()
    target, *models = [hugging_face.load(name, word, given.dtype, given.device)
                       for name, word in [("target", given.target), *drafts.items()]]
    arguments.record_from(given, asked, target, models, [f"transformers {transformers.__version__}", f"torch {torch.__version__}"])


if __name__ == "__main__":
    run(main)
