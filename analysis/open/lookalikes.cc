#include "analysis/open/lookalikes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// What people bring that cannot be read, each with the way out.
struct Lookalike {
  std::vector<std::string_view> keys = {};     ///< that its first record has
  std::vector<std::string_view> phrases = {};  ///< that its text has, in any order
  std::string_view begins = {};                ///< its first line
  std::string_view what;                       ///< it is, and why that does not do
  std::string_view hint;                       ///< what would

  void refuse(std::string const& place) const {
    throw InputError(fmt::format("{}: {}", place, what), std::string(hint));
  }
};

constexpr std::string_view score_text =
    "let the target write texts, as benchmarks' answers are not its own, and score them token by token with both "
    "models: "
    "data/record/record_hf.py, docs/real-models.md";
constexpr std::string_view count_rounds =
    "for the speedup, divide by the speed without a draft. For α, count each round's accepted drafts, and give gamma "
    "`accepted-rounds`";

std::vector<Lookalike> const& lookalikes() {
  static std::vector<Lookalike> const all = {
      {.keys = {"doc", "resps", "filtered_resps"},
       .what = "it looks like samples of lm-eval: it has sums of log-likelihoods over whole answers, no "
               "log-probability of a token",
       .hint = score_text},
      {.keys = {"results", "configs", "versions"},
       .what = "it looks like results of lm-eval: it has scores of benchmarks, no log-probability of a token",
       .hint = score_text},
      {.phrases = {"Generation:", "tokens-per-sec"},
       .what = "it looks like a print of mlx_lm: it has speeds alone, no counts of drafts",
       .hint =
           "for the speedup, divide by the speed without --draft-model. For acceptance, give stream_generate's responses as "
           "JSON, a token a line, with from_draft"},
      {.phrases = {"eval rate:", "eval count:"},
       .what = "it looks like ollama's print of its speeds: it counts no drafts",
       .hint = count_rounds},
      {.phrases = {"Output generated in", "tokens/s"},
       .what = "it looks like a print of text-generation-webui: it has speeds alone, no counts of drafts",
       .hint = count_rounds},
      {.phrases = {"tensor("},
       .what = "it looks like a print of PyTorch's tensors, as of scores that transformers' generate returns: its "
               "numbers are rounded, and left out where they are many",
       .hint = "record both models with data/record/record_hf.py, or save both models' logits as .safetensors: "
               "docs/real-models.md"},
      {.phrases = {"| -", "%"},
       .begins = "|",
       .what = "it looks like a print of transformers' transition scores: it has one model's scores of what it "
               "generated, with few digits",
       .hint = "record both models with data/record/record_hf.py, or write columns seq, logp and logq: "
               "docs/real-models.md"},
      {.begins = "data:",
       .what = "it is a stream of events (counts of drafts stand in whole responses)",
       .hint = "ask without streaming, or keep the last event's JSON"},
      {.phrases = {"# TYPE "},
       .what = "it is a page of metrics without known counters of drafts (`draftgauge list counters` has those)",
       .hint = "scrape the engine itself, with speculation on"},
      {.phrases = {"Serving Benchmark Result"},
       .what = "it is a benchmark's table for people (it has means and no counts)",
       .hint = "run the benchmark with --save-result, and give the file that it writes"}};
  return all;
}

}  // namespace

void refuse_lookalike(std::string const& place, nlohmann::json const& record) {
  for (Lookalike const& each : lookalikes())
    if (!each.keys.empty() && std::ranges::all_of(each.keys, [&](auto key) { return record.contains(key); }))
      each.refuse(place);
}

void refuse_lookalike(std::string const& file, std::string_view text, std::string_view first) {
  for (Lookalike const& each : lookalikes())
    if (each.keys.empty() && first.starts_with(each.begins) &&
        std::ranges::all_of(each.phrases, [&](auto phrase) { return text.find(phrase) != text.npos; }))
      each.refuse(file);
}

}  // namespace draftgauge
