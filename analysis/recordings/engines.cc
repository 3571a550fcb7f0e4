#include "analysis/recordings/engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/counters/counters.h"
#include "sim/base/contains.h"
#include "sim/base/error.h"
#include "sim/base/names.h"

namespace draftgauge {

std::vector<EngineCard> const& engine_cards() {
  using namespace log_kinds;
  static std::vector<EngineCard> const cards = {
      {.name = "algorithm1",
       .summary = "drafts drawn from q, tested with min(1, p/q), as published",
       .rule = "token",
       .drafter = "sample",
       .counts = "rounds one by one",
       .extra_draft_passes = 0,
       .lossless = true,
       .source = "Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1",
       .kinds = {}},
      {.name = "llama.cpp-server",
       .summary = "drafts argmax q, accepts it where the target's own sample is the same token",
       .rule = "coupled",
       .drafter = "top",
       .counts = "rounds = predicted_n − requests − accepted (a request's first token comes from its prompt's pass); "
                 "num_drafts of its metrics leaves out rounds without room for a draft",
       .extra_draft_passes = 1,
       .lossless = true,
       .source = "llama.cpp, tools/server and common_sampler_sample_and_accept_n",
       .kinds = {server_log, server_timings, server_metrics, server_statistics}},
      {.name = "llama-speculative-simple",
       .summary = "drafts argmax q, accepts it where the target's own sample is the same token",
       .rule = "coupled",
       .drafter = "top",
       .counts = "rounds = n_predict − n_accept",
       .extra_draft_passes = 1,
       .lossless = true,
       .source = "llama.cpp, examples/speculative-simple",
       .kinds = {speculative_simple, speculative_either}},
      {.name = "llama-speculative",
       .summary =
           "drafts argmax q, tests it with min(1, p/q) above temperature 0, and keeps it at 0 where it is argmax p",
       .rule = "faulty/argmax-draft",
       .drafter = "top",
       .counts = "rounds = n_predict − n_accept, the first without a draft: n_drafted = γ·(rounds − 1)",
       .extra_draft_passes = 0,
       .lossless = false,
       .source = "llama.cpp, examples/speculative",
       .kinds = {speculative, speculative_either}},
      {.name = "vllm",
       .summary = "drafts argmax q (its default), accepts it with probability p, else emits from p without it",
       .rule = "one-hot",
       .drafter = "top",
       .counts = "rounds = num_drafts; 1 + accepted/rounds",
       .extra_draft_passes = 0,
       .lossless = true,
       .source = "vLLM, vllm/v1/sample/rejection_sampler.py without draft probabilities; with draft_sample_method "
                 "probabilistic it is algorithm1",
       .kinds = {vllm_metrics, vllm_log, vllm_v0_log, vllm_bench, vllm_response}},
      {.name = "sglang",
       .summary = "drafts the top of q, accepts it with probability p, else emits from p without it (topk 1)",
       .rule = "one-hot",
       .drafter = "top",
       .counts = "rounds = spec_verify_ct; spec_accept_length = completion_tokens/rounds, a prompt's token included",
       .extra_draft_passes = 0,
       .lossless = true,
       .source = "SGLang, tree_speculative_sampling_target_only with both thresholds at 1",
       .kinds = {sglang_response, sglang_log}},
  };
  return cards;
}

EngineCard const& engine_card(std::string_view name) { return entry_named("engine", name, engine_cards()); }

EngineCard const* engine_that_writes(std::string_view kind) {
  for (EngineCard const& card : engine_cards())
    if (contains(card.kinds, kind)) return &card;
  return nullptr;
}

EngineCard const* engine_that_counted(EngineCounters const& counters) {
  // Older logs call a draft model "draft".
  auto const is_model = [](std::string const& kind) { return kind == "draft-simple" || kind == "draft"; };
  if (!counters.draft_kinds.empty() && std::ranges::none_of(counters.draft_kinds, is_model)) return nullptr;
  return engine_that_writes(counters.format);
}

namespace {

double needed(EngineLog const& log, std::optional<double> const& value, std::string_view name) {
  if (value) return *value;
  throw InputError(
      fmt::format("{}: it does not say how many tokens were {} (rounds cannot be counted without)", log.file, name),
      "keep the log's lines of eval time and of acceptance");
}

MeasuredRounds counted(EngineLog const& log, EngineCard const& engine) {
  if (log.kind == log_kinds::rounds) {
    MeasuredRounds all;
    for (EngineRound const& round : log.rounds) all.tokens += static_cast<double>(round.emitted);
    all.rounds = static_cast<double>(log.rounds.size());
    all.as_counted = all.tokens_per_round();
    return all;
  }
  if (log.kind == log_kinds::sglang_log) {
    throw InputError(fmt::format("{}: its lines have means of some time each, {}, and no counters (an average over "
                                 "rounds cannot be had from them)",
                                 log.file,
                                 log.mean_tokens ? fmt::format("{:.3f} on average", *log.mean_tokens)
                                                 : std::string("none of them of a sequence that ran")),
                     "take meta_info of the responses");
  }
  if (log.round_count && !log.accepted && log.emitted && log.requests) {
    return {.rounds = *log.round_count,
            .tokens = *log.emitted - *log.requests,
            .as_counted = *log.emitted / *log.round_count};
  }
  double const accepted = needed(log, log.accepted, "accepted");
  if (log.round_count) {
    MeasuredRounds all{.rounds = *log.round_count, .tokens = *log.round_count + accepted};
    bool const counts_emitted = log.kind == log_kinds::sglang_response && log.emitted;
    all.as_counted = counts_emitted ? *log.emitted / all.rounds : all.tokens_per_round();
    return all;
  }
  double const emitted = needed(log, log.emitted, "emitted");
  if (engine.name == "llama.cpp-server") {
    double const rounds = emitted - needed(log, log.requests, "asked for") - accepted;
    return {.rounds = rounds, .tokens = rounds + accepted, .as_counted = 1 + accepted / rounds};
  }
  double const rounds = emitted - accepted;
  double const without_draft = engine.name == "llama-speculative" ? 1 : 0;
  return {.rounds = rounds - without_draft, .tokens = emitted - without_draft, .as_counted = emitted / rounds};
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
  if (log.kind != log_kinds::rounds && !contains(engine.kinds, log.kind)) {
    throw UsageError(fmt::format("{}: it is of {}, which {} does not write (its counters mean something else)",
                                 log.file, log.kind, engine.name),
                     "name the engine that wrote it");
  }
  MeasuredRounds const all = counted(log, engine);
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
    MeasuredRounds const one = counted({.kind = log.kind,
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
