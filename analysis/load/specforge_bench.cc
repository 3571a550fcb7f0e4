#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/load/load_reading.h"
#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/json_records.h"

namespace draftgauge::time_forms {
namespace {

using Json = nlohmann::json;

/// The runs of a benchmark: [{batch_size, steps, topk, num_draft_tokens, metrics}].
bool are_runs(Json const& list) {
  return list.is_array() && !list.empty() && std::ranges::all_of(list, [](Json const& run) {
           Json const* metrics = member(run, {"metrics"});
           return member(run, {"batch_size"}) && member(run, {"steps"}) && metrics && metrics->is_array();
         });
}

bool has_runs(Json const& record) { return record.is_object() && std::ranges::any_of(record, are_runs); }

/// A tree of drafts, which has no place in a table of chains.
struct Tree {
  std::int64_t batch, steps, topk, drafts;
  double tokens, ms;  ///< of a round
};

/// A server that generates R tokens a second in all, N of them a round of each of its B sequences, takes N B/R for it.
double round_ms(MeasuredRow const& metrics, double tokens, std::int64_t batch) {
  double const rate = metrics.real("output_throughput");
  if (!(rate > 0 && std::isfinite(rate)))
    metrics.refuse("output_throughput", fmt::format("{}", rate), "tokens a second, above 0");
  return ms_per_second * tokens * static_cast<double>(batch) / rate;
}

void take_run(MeasuredRow const& run, LoadReading& into, std::vector<Tree>& trees) {
  std::int64_t const gamma = drafts_in(run, "steps"), batch = batch_in(run, "batch_size");
  // As SGLang does, of which it starts a server: a chain where topk is 1, and the root counts as a draft token.
  std::int64_t const topk = gamma > 0 ? run.count("topk", 1) : 1,
                     drafts = gamma > 0 ? run.count("num_draft_tokens", 1) : 0;
  Json const& all = run.object().at("metrics");
  for (std::size_t i = 0; i < all.size(); ++i) {
    MeasuredRow const metrics(fmt::format("{}.metrics[{}]", run.place(), i), all[i]);
    double const tokens = gamma > 0 ? metrics.real("accept_length") : 1;
    if (gamma > 0 && (topk > 1 || drafts != gamma + 1)) {
      if (!(tokens >= 1 && tokens <= static_cast<double>(gamma + 1)))
        metrics.refuse("accept_length", fmt::format("{}", tokens), fmt::format("a number from 1 to {}", gamma + 1));
      trees.push_back({batch, gamma, topk, drafts, tokens, round_ms(metrics, tokens, batch)});
      continue;
    }
    LoadReading::Sum& sum = into.runs[{gamma, batch}];
    sum.ms += round_ms(metrics, tokens, batch);
    ++sum.runs;
    if (gamma == 0) continue;
    LoadReading once;
    once.add_tokens(metrics, "accept_length", gamma, batch);
    sum.tokens += tokens;
    ++sum.with_tokens;
  }
}

/// What trees have in place of a line in the table: their rounds beside the chains', in plain steps.
void note_tree(Tree const& tree, LoadReading& into) {
  auto const plain = into.runs.find({0, tree.batch});
  std::string const name = fmt::format("a tree of {} tokens (steps {}, topk {})", tree.drafts, tree.steps, tree.topk);
  if (plain == into.runs.end())
    return into.note(
        fmt::format("{} is passed over: γ is of chains, and batch size {} has no plain run", name, tree.batch));
  auto const mean_ms = [](LoadReading::Sum const& sum) { return sum.ms / static_cast<double>(sum.runs); };
  double const steps = tree.ms / mean_ms(plain->second);
  std::string note = fmt::format("At batch size {} a round takes, in plain steps: ", tree.batch);
  for (auto const& [at, sum] : into.runs)
    if (at.first > 0 && at.second == tree.batch)
      note += fmt::format("{:.4g} at γ={}, ", mean_ms(sum) / mean_ms(plain->second), at.first);
  into.note(note +
            fmt::format("{:.4g} with {}. Its {:.4g} tokens per round give S = {:.4g}. γ is chosen among chains",
                        steps, name, tree.tokens, tree.tokens / steps));
}

void take_specforge(MeasuredRow const& row, LoadReading& into) {
  std::vector<Tree> trees;
  std::vector<std::string> benchmarks;
  for (auto const& [name, runs] : row.object().items()) {
    if (!are_runs(runs)) continue;
    benchmarks.push_back(name);
    for (std::size_t i = 0; i < runs.size(); ++i)
      take_run(MeasuredRow(fmt::format("{}, {}[{}]", row.place(), name, i), runs[i]), into, trees);
  }
  if (benchmarks.size() > 1)
    into.note(fmt::format("times and tokens are means over {}", fmt::join(benchmarks, ", ")));
  for (Tree const& tree : trees) note_tree(tree, into);
  into.note("accept_length counts each request's first token as a round's, so that E[N] is slightly too high");
}

}  // namespace

// {"model": …, "mtbench": [{batch_size, steps, topk, num_draft_tokens, metrics: [{output_throughput, accept_length}]}],
// …}: SpecForge, benchmarks/bench_eagle3.py
TimeFormat specforge_bench() {
  return {.name = "SpecForge bench_eagle3",
          .fields = {"model"},
          .load = true,
          .is = has_runs,
          .take_load = take_specforge,
          .whole_rounds = true};
}

}  // namespace draftgauge::time_forms
