#include "analysis/counters/engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/counters/counters.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {

std::vector<EngineCard> const& engine_cards() {
  static std::vector<EngineCard> const cards = {
      {.name = "algorithm1",
       .summary = "drafts drawn from q, tested with min(1, p/q), as published",
       .rule = "token",
       .drafter = "sample",
       .counts = "rounds one by one",
       .undrafted = 0,
       .mean_counts_all = false,
       .extra_draft_passes = 0,
       .lossless = true,
       .source = "Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1"},
      {.name = "llama.cpp-server",
       .summary = "drafts argmax q, accepts it where the target's own sample is the same token",
       .rule = "coupled",
       .drafter = "top",
       .counts = "rounds = predicted_n − requests − accepted (a request's first token comes from its prompt's pass); "
                 "num_drafts of its metrics leaves out rounds without room for a draft",
       .undrafted = 1,
       .mean_counts_all = false,
       .extra_draft_passes = 1,
       .lossless = true,
       .source = "llama.cpp, tools/server and common_sampler_sample_and_accept_n"},
      {.name = "llama-speculative-simple",
       .summary = "drafts argmax q, accepts it where the target's own sample is the same token",
       .rule = "coupled",
       .drafter = "top",
       .counts = "rounds = n_predict − n_accept",
       .undrafted = 0,
       .mean_counts_all = false,
       .extra_draft_passes = 1,
       .lossless = true,
       .source = "llama.cpp, examples/speculative-simple"},
      {.name = "llama-speculative",
       .summary =
           "drafts argmax q, tests it with min(1, p/q) above temperature 0, and keeps it at 0 where it is argmax p",
       .rule = "faulty/argmax-draft",
       .drafter = "top",
       .counts = "rounds = n_predict − n_accept, the first without a draft: n_drafted = γ·(rounds − 1)",
       .undrafted = 1,
       .mean_counts_all = true,
       .extra_draft_passes = 0,
       .lossless = false,
       .source = "llama.cpp, examples/speculative"},
      {.name = "vllm",
       .summary = "drafts argmax q (its default), accepts it with probability p, else emits from p without it",
       .rule = "one-hot",
       .drafter = "top",
       .counts = "rounds = num_drafts; 1 + accepted/rounds",
       .undrafted = 0,
       .mean_counts_all = false,
       .extra_draft_passes = 0,
       .lossless = true,
       .source = "vLLM, vllm/v1/sample/rejection_sampler.py without draft probabilities; with draft_sample_method "
                 "probabilistic it is algorithm1"},
      {.name = "sglang",
       .summary = "drafts the top of q, accepts it with probability p, else emits from p without it (topk 1)",
       .rule = "one-hot",
       .drafter = "top",
       .counts = "rounds = spec_verify_ct; spec_accept_length = completion_tokens/rounds, a prompt's token included",
       .undrafted = 1,
       .mean_counts_all = true,
       .extra_draft_passes = 0,
       .lossless = true,
       .source = "SGLang, tree_speculative_sampling_target_only with both thresholds at 1"},
  };
  return cards;
}

EngineCard const& engine_card(std::string_view name) { return entry_named("engine", name, engine_cards()); }

EngineCard const* engine_that_counted(EngineCounters const& counters) {
  // Older logs call a draft model "draft".
  auto const is_model = [](std::string const& kind) { return kind == "draft-simple" || kind == "draft"; };
  if (!counters.draft_kinds.empty() && std::ranges::none_of(counters.draft_kinds, is_model)) return nullptr;
  return counters.writers.size() == 1 ? &engine_card(counters.writers.front()) : nullptr;
}

namespace {

double needed(EngineLog const& log, std::optional<double> const& value, std::string_view name) {
  if (value) return *value;
  throw InputError(
      fmt::format("{}: it does not say how many tokens were {} (rounds cannot be counted without)", log.file, name),
      "keep the log's lines of eval time and of acceptance");
}

MeasuredRounds counted_rounds(EngineLog const& log, EngineCard const& engine) {
  if (!log.rounds.empty()) {
    MeasuredRounds all;
    for (EngineRound const& round : log.rounds) all.tokens += static_cast<double>(round.emitted);
    all.rounds = static_cast<double>(log.rounds.size());
    all.as_counted = all.tokens_per_round();
    return all;
  }
  if (!log.round_count && !log.drafted && !log.accepted) {
    throw InputError(fmt::format("{}: it has means of some time each, {}, and no counters (an average over rounds "
                                 "cannot be had from them)",
                                 log.file,
                                 log.mean_tokens ? fmt::format("{:.3f} on average", *log.mean_tokens)
                                                 : std::string("none of them of a sequence that ran")),
                     "take the engine's responses");
  }
  if (log.round_count && !log.accepted && log.emitted && log.requests) {
    return {.rounds = *log.round_count,
            .tokens = *log.emitted - *log.requests,
            .as_counted = *log.emitted / *log.round_count};
  }
  double const accepted = needed(log, log.accepted, "accepted");
  if (log.round_count) {
    MeasuredRounds all{.rounds = *log.round_count, .tokens = *log.round_count + accepted};
    all.as_counted = engine.mean_counts_all && log.emitted ? *log.emitted / all.rounds : all.tokens_per_round();
    return all;
  }
  double const emitted = needed(log, log.emitted, "emitted");
  double const undrafted = engine.undrafted > 0 ? engine.undrafted * needed(log, log.requests, "asked for") : 0;
  MeasuredRounds all{.rounds = emitted - accepted - undrafted, .tokens = emitted - undrafted};
  all.as_counted = engine.mean_counts_all ? emitted / (emitted - accepted) : all.tokens_per_round();
  return all;
}

}  // namespace

std::optional<TokenTrace> argmax_draft_tests(TokenTrace const& trace) {
  TokenTrace tests{.name = trace.name,
                   .texts = {},
                   .temperature = trace.temperature,
                   .files = trace.files,
                   .estimated_as = trace.estimated_as,
                   .notes = {}};
  for (TextTrace const& text : trace.texts) {
    if (text.p_of_argmax_q.empty() || text.max_q.empty()) return std::nullopt;
    TextTrace& tested = tests.texts.emplace_back();
    tested.name = text.name;
    for (std::size_t t = 0; t < text.max_q.size(); ++t) {
      double const p = text.p_of_argmax_q[t], q = text.max_q[t];
      tested.beta.push_back(p < q ? p / q : 1);
    }
  }
  return tests;
}

MeasuredRounds measured_rounds(EngineLog const& log, EngineCard const& engine) {
  if (!log.writers.empty() && !contains(log.writers, engine.name)) {
    throw UsageError(fmt::format("{}: it is of {}, which {} does not write (its counters mean something else)",
                                 log.file, log.kind, engine.name),
                     "name the engine that wrote it");
  }
  MeasuredRounds const all = counted_rounds(log, engine);
  if (!(all.rounds > 0)) {
    throw InputError(fmt::format("{}: it has no round with a draft ({} by its counters)", log.file, all.rounds),
                     "generate more text, with speculation on");
  }
  return all;
}

std::vector<MeasuredRounds> measured_by_text(EngineLog const& log, EngineCard const& engine) {
  std::vector<MeasuredRounds> all;
  std::map<std::string, MeasuredRounds> texts;
  for (EngineRound const& round : log.rounds) {
    texts[round.text].tokens += static_cast<double>(round.emitted);
    texts[round.text].rounds += 1;
  }
  for (auto& [name, text] : texts) {
    text.as_counted = text.tokens_per_round();
    all.push_back(text);
  }
  for (EngineRequest const& request : log.by_request) {
    // What a request leaves out, it has none of: a server that drafted nothing does not write how many it accepted.
    auto const of = [](std::optional<double> const& sum, std::optional<double> const& one) {
      return sum ? std::optional(one.value_or(0)) : std::nullopt;
    };
    MeasuredRounds const one = counted_rounds({.kind = log.kind,
                                        .round_count = of(log.round_count, request.round_count),
                                        .drafted = of(log.drafted, request.drafted),
                                        .accepted = of(log.accepted, request.accepted),
                                        .emitted = of(log.emitted, request.emitted),
                                        .requests = 1,
                                        .file = log.file},
                                       engine);
    if (one.rounds > 0) all.push_back(one);
  }
  return all;
}

}  // namespace draftgauge
