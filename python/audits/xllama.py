"""The server of llama.cpp that xllamacpp carries, as a command that drafts two tokens a round:
xllama.py argmax|drawn --model FILE --model-draft FILE --host HOST --port PORT"""

import argparse
import signal

import xllamacpp

parser = argparse.ArgumentParser()
parser.add_argument("drafts", choices=("argmax", "drawn"))
for name in ("--model", "--model-draft", "--host"):
    parser.add_argument(name)
parser.add_argument("--port", type=int)
given = parser.parse_args()

settings = xllamacpp.CommonParams()
settings.model.path, settings.hostnames, settings.port = given.model, [given.host], given.port
settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads, settings.fit_params = 256, 1, 1, False
settings.speculative.types = [xllamacpp.common_speculative_type.COMMON_SPECULATIVE_TYPE_DRAFT_SIMPLE]
draft = settings.speculative.draft
draft.mparams.path, draft.n_max, draft.n_min, draft.p_min = given.model_draft, 2, 0, 0
draft.probabilistic = given.drafts == "drawn"  # --spec-draft-sampling of llama-server
server = xllamacpp.Server(settings)
signal.pause()
