#include "analysis/why/counted_tokens.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/counters/estimates.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/kept.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/eq1_estimate.h"
#include "analysis/theory/closed_form.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

RoundTokens rounds_of(CounterEstimates const& found, EngineCounters const& counters) {
  if (!found.tokens_per_round)
    throw InputError(fmt::format("{}: {} has no count of rounds (tokens per round cannot be had from it)",
                                 counters.file, counters.format),
                     counters.sums.drafted ? fmt::format("say with `gamma` how many tokens a round drafts; else {}",
                                                         rounds_advice(counters))
                                           : std::string(rounds_advice(counters)));
  return {.value = found.tokens_per_round->value, .interval = found.tokens_per_round->interval};
}

std::string named(EngineCounters const& counters) { return file_name(counters.file); }

/// Eq. (1), which grows with α.
RoundTokens through_eq1(CountEstimate const& alpha, std::int64_t gamma) {
  RoundTokens tokens{.value = theory::expected_tokens(alpha.value, gamma)};
  if (alpha.interval)
    tokens.interval = Interval{tokens.value, theory::expected_tokens(alpha.interval->low, gamma),
                               theory::expected_tokens(alpha.interval->high, gamma), alpha.interval->confidence,
                               alpha.interval->asymptotic};
  return tokens;
}

/// Tokens per round, α of the draft tokens that were tested, and tokens per round at γ by the rates at each position
/// (none where those of a position are not known), over requests: their errors hang together.
struct OverRequests {
  TextEstimate tokens, alpha;
  std::optional<TextEstimate> at_gamma;
};
/// None below two requests with a round, and where one does not tell which of its draft tokens were tested.
std::optional<OverRequests> over_requests(EngineCounters const& counters, std::int64_t gamma) {
  KeptCounts const counts = kept_counts(counters);
  if (counts.requests.empty() || counts.at_least) return std::nullopt;
  RequestSurvival const survival = survival_over_requests(counts.requests, 0, 0);
  std::vector<double> rounds, tokens, tested, kept;
  for (CountedRequest const& request : counters.requests) {
    CounterSums const& sums = request.sums;
    if (sums.rounds == 0) continue;
    auto const rows = kept_by_length(sums);
    if (!sums.rounds || !sums.accepted) return std::nullopt;
    KaplanMeier const each = kaplan_meier(rows);
    rounds.push_back(static_cast<double>(*sums.rounds));
    tokens.push_back(static_cast<double>(*sums.rounds + *sums.accepted));
    auto const reached = std::accumulate(each.reached.begin(), each.reached.end(), std::uint64_t{0});
    auto const rejected = std::accumulate(each.rejected.begin(), each.rejected.end(), std::uint64_t{0});
    tested.push_back(static_cast<double>(reached));
    kept.push_back(static_cast<double>(reached - rejected));
  }
  auto const sample = survival.survival.front().sample;
  OverRequests found{mean_over_texts(tokens, sample) / mean_over_texts(rounds, sample),
                     mean_over_texts(kept, sample) / mean_over_texts(tested, sample),
                     {}};
  auto const at_gamma = tokens_over_requests(survival.survival, true);
  if (std::cmp_less(gamma, at_gamma.size())) found.at_gamma = at_gamma[static_cast<std::size_t>(gamma)];
  return found;
}

}  // namespace

DraftLengths counted_lengths(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  DraftLengths lengths;
  if (!sums.rounds || *sums.rounds == 0) return lengths;
  auto const rounds = static_cast<double>(*sums.rounds);
  if (!sums.histograms.empty()) {
    for (auto const& [drafts, kept] : sums.histograms)
      for (std::int64_t const count : kept) lengths[drafts] += static_cast<double>(count) / rounds;
    return lengths;
  }
  if (!sums.drafted) return lengths;
  double const mean = static_cast<double>(*sums.drafted) / rounds, below = std::floor(mean);
  lengths[static_cast<std::int64_t>(below)] = 1 - (mean - below);
  if (mean > below) lengths[static_cast<std::int64_t>(below) + 1] = mean - below;
  return lengths;
}

WaterfallInput counted_tokens(EngineCounters const& counters, std::int64_t gamma, double confidence) {
  CounterEstimates const found = counter_estimates(counters, confidence);
  RoundTokens actual = rounds_of(found, counters);
  std::string const file = named(counters);
  WaterfallInput input{.gamma = gamma};
  auto const rows = kept_by_length(counters.sums);
  if (!found.alpha || rows.empty()) {
    input.independent = {actual, fmt::format("{}: tokens per round", file)};
    std::string const why = file + (counters.sums.by_position.empty()
                                        ? ": totals alone; in the step before"
                                        : ": which rounds drafted how far is not counted; in the step before");
    for (auto* each : {&input.dependent, &input.ended, &input.engine}) each->from = why;
    return input;
  }
  input.independent = {through_eq1(*found.alpha, gamma), fmt::format("{}: α = {:.4f}", file, found.alpha->value)};
  auto const requests = over_requests(counters, gamma);
  if (requests) {
    actual.over_texts = requests->tokens;
    input.independent.value->over_texts = through_eq1(requests->alpha, static_cast<int>(gamma), true);
  }
  KaplanMeier const each = kaplan_meier(rows);
  bool const one_length = fixed_length(counters) == gamma;
  if (one_length) {
    input.dependent = {actual, file + ": tokens per round"};
    input.engine.from = file + ": in the steps before, as all was counted so";
  } else if (std::cmp_greater_equal(each.survival.size(), gamma)) {
    std::vector<double> survival(each.survival.begin(), each.survival.begin() + gamma);
    input.dependent = {RoundTokens{.value = theory::expected_tokens(survival), .estimated = true},
                       file + ": rates by position"};
    if (requests && requests->at_gamma) {
      input.dependent.value->over_texts = requests->at_gamma;
      input.dependent.value->estimated = false;
    }
    input.engine = {actual, file + ": shorter drafts than γ"};
  } else {
    input.dependent.from = fmt::format("{}: no round drafted {} tokens", file, gamma);
    input.engine = {actual, file + ": shorter drafts than γ, with dependence"};
  }
  input.ended.from = file + ": counters do not tell";
  return input;
}

void add_counted(WaterfallInput& input, EngineCounters const& counters, double confidence) {
  RoundTokens rounds = rounds_of(counter_estimates(counters, confidence), counters);
  rounds.other_data = true;
  input.engine = {std::move(rounds), named(counters) + ": tokens per round"};
}

std::optional<double> counted_draft_seconds(EngineCounters const& counters) {
  auto const calls = counters.draft_calls ? counters.draft_calls : counters.sums.rounds;
  if (!counters.draft_seconds || !calls || *calls == 0) return std::nullopt;
  return *counters.draft_seconds / static_cast<double>(*calls);
}

std::optional<TokenTime> counted_token_time(EngineCounters const& counters) {
  if (counters.token_time) return counters.token_time;
  CounterFormat const* const format = counter_format(counters.format);
  if (!format || !format->times_sequences || !counters.seconds || !(*counters.seconds > 0)) return std::nullopt;
  std::optional<std::int64_t> emitted = counters.sums.emitted;
  if (!counters.requests.empty()) {  // time is of those that drafted
    emitted = 0;
    for (CountedRequest const& request : counters.requests)
      if (request.sums.rounds != 0) *emitted += request.sums.emitted.value_or(0);
  }
  if (!emitted || *emitted == 0) return std::nullopt;
  return TokenTime{"time of decoding", *counters.seconds / static_cast<double>(*emitted)};
}

}  // namespace draftgauge
