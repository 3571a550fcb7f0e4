#include "analysis/open/lookalikes.h"

#include <catch2/catch.hpp>

#include "analysis/open/open_text.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string said(std::string const& text) {
  return message<InputError>([&] { text_kind("x", text); });
}

}  // namespace

TEST_CASE("what holds nothing to read is said to be what it looks like, with the way out") {
  std::string const sample =
      R"({"doc_id": 0, "doc": {"question": "removed"}, "target": "A", "arguments": {"gen_args_0": {"arg_0": "removed", "arg_1": " A"}}, "resps": [[["-2.0749", "False"]]], "filtered_resps": [["-7.7795", "False"]], "filter": "none", "metrics": ["acc"], "acc": 0.0})"
      "\n";
  CHECK(
      said(sample + sample) ==
      "x, line 1: it looks like samples of lm-eval: it has sums of log-likelihoods over whole answers, no "
      "log-probability "
      "of a token let the target write texts, as benchmarks' answers are not its own, and score them token by token "
      "with both models: data/record/record_hf.py, docs/real-models.md");
  CHECK(said(R"({"results": {}, "configs": {}, "versions": {}, "n-shot": {}})")
            .starts_with("x, line 1: it looks like results of lm-eval"));
  CHECK(said("==========\nHello\n==========\nPrompt: 14 tokens, 210.3 tokens-per-sec\n"
             "Generation: 256 tokens, 35.6 tokens-per-sec\nPeak memory: 5.1 GB\n") ==
        "x: it looks like a print of mlx_lm: it has speeds alone, no counts of drafts for the speedup, divide by the "
        "speed without --draft-model. For acceptance, give stream_generate's responses as JSON, a token a line, with "
        "from_draft");
  CHECK(said("total duration: 2.1s\neval count: 256 token(s)\neval duration: 2s\neval rate: 128 tokens/s\n")
            .starts_with("x: it looks like ollama's print of its speeds: it counts no drafts"));
  CHECK(said("Output generated in 5.32 seconds (35.60 tokens/s, 190 tokens, context 40, seed 7)\n")
            .starts_with("x: it looks like a print of text-generation-webui"));
  CHECK(said("(tensor([[-1.2043, -0.5000,  ..., -9.1000]], grad_fn=<LogSoftmaxBackward0>),)\n")
            .starts_with("x: it looks like a print of PyTorch's tensors"));
  CHECK(said("|   262 |  the     | -1.414 | 24.33%\n|  1110 |  day     | -2.609 | 7.36%\n")
            .starts_with("x: it looks like a print of transformers' transition scores"));
  CHECK(said("once upon a time\n").starts_with("x: unknown file format"));
}
