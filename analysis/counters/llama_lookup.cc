#include "analysis/counters/format_files.h"
#include "analysis/counters/llama_examples.h"

namespace draftgauge::formats {
namespace {

/// Drafts are what followed the last tokens before: rounds that found none count as those that accepted none.
void read_llama_lookup(std::string const& file, std::string_view text, EngineCounters& counters) {
  read_llama_example(file, text, counters);
  take_first_round_alone(counters);
  counters.draft_kinds = {"ngram-cache"};
  counters.notes.emplace_back("Rounds are those with a draft and those that found none, but for the first.");
}

}  // namespace

CounterFormat llama_lookup() {
  return {
      .name = "llama-lookup",
      .engine = "llama.cpp",
      .summary = "the output of llama-lookup, with t_draft_flat beside n_draft, n_predict, n_drafted and n_accept",
      .versions = "llama.cpp, examples of 2024 and later",
      .is_text = is_llama_lookup,
      .read = read_llama_lookup,
      .own_program = true,
      .words = {{Rate::accepted_per_drafted, "accept"}},
      .times_sequences = true};
}

}  // namespace draftgauge::formats
