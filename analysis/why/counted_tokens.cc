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
#include "analysis/texts/whole_rounds.h"
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

/// Eq. (1) at α of rounds of these lengths, which grows with α; over requests where their α is known.
RoundTokens through_eq1(CountEstimate const& alpha, std::optional<TextEstimate> const& over_requests,
                        DraftLengths const& lengths) {
  auto const tokens_at = [&](double of) {
    double tokens = 0;
    for (auto const& [drafts, share] : lengths) tokens += share * theory::expected_tokens(of, drafts);
    return tokens;
  };
  RoundTokens tokens{.value = tokens_at(alpha.value)};
  if (alpha.interval)
    tokens.interval = Interval{tokens.value, tokens_at(alpha.interval->low), tokens_at(alpha.interval->high),
                               alpha.interval->confidence, alpha.interval->asymptotic};
  if (!over_requests) return tokens;
  for (auto const& [drafts, share] : lengths) {
    auto const part =
        certain(share, over_requests->sample) * through_eq1(*over_requests, static_cast<int>(drafts), true);
    tokens.over_texts = tokens.over_texts ? *tokens.over_texts + part : part;
  }
  return tokens;
}

/// Tokens per round, and α of the draft tokens that were tested, over requests: their errors hang together.
struct OverRequests {
  TextEstimate tokens, alpha;
};
/// None below two requests with a round, and where one does not tell which of its draft tokens were tested.
std::optional<OverRequests> over_requests(EngineCounters const& counters) {
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
  return OverRequests{mean_over_texts(tokens, sample) / mean_over_texts(rounds, sample),
                      mean_over_texts(kept, sample) / mean_over_texts(tested, sample)};
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
  DraftLengths lengths = counted_lengths(counters);
  if (lengths.empty()) lengths[gamma] = 1;
  WaterfallInput input{.gamma = gamma, .lengths = lengths};
  if (!found.alpha || kept_by_length(counters.sums).empty()) {
    input.independent = {actual, fmt::format("{}: tokens per round", file)};
    std::string const why = file + (counters.sums.by_position.empty()
                                        ? ": totals alone; in the step before"
                                        : ": which rounds drafted how far is not counted; in the step before");
    for (auto* each : {&input.dependent, &input.ended, &input.engine}) each->from = why;
    return input;
  }
  std::optional<TextEstimate> alpha;
  if (auto const requests = over_requests(counters)) {
    actual.over_texts = requests->tokens;
    alpha = requests->alpha;
  }
  input.independent = {through_eq1(*found.alpha, alpha, lengths),
                       fmt::format("{}: α = {:.4f}", file, found.alpha->value)};
  input.dependent = {actual, file + ": tokens per round"};
  input.ended.from = file + ": counters do not tell";
  input.engine.from = file + ": in the steps before, as all was counted so";
  return input;
}

void add_counted(WaterfallInput& input, EngineCounters const& counters, std::optional<TextEstimate> const& past,
                 double length, double confidence) {
  RoundTokens rounds = rounds_of(counter_estimates(counters, confidence), counters);
  rounds.other_data = true;
  if (input.ended.value && past) {
    CounterSums const& sums = counters.sums;
    bool const told = are_requests(counters) && !counters.requests.empty() && sums.rounds;
    if (told) length = rounds.value * static_cast<double>(*sums.rounds) / static_cast<double>(counters.requests.size());
    WholeRounds const whole{*input.dependent.value->over_texts, *past};
    WholeRounds::Nearest const nearest = whole.nearest(rounds.value, length);
    input.ended = {RoundTokens{.value = nearest.tokens.value, .over_texts = nearest.tokens},
                   fmt::format("texts of {:.0f} tokens{}, last rounds {}", length,
                               told ? "" : " as recorded",
                               nearest.whole == 1   ? "whole"
                               : nearest.whole == 0 ? "cut"
                                                    : "whole or cut")};
  }
  input.engine = {std::move(rounds), named(counters) + ": tokens per round"};
}

std::optional<double> counted_draft_seconds(EngineCounters const& counters) {
  auto const calls = counters.draft_calls ? counters.draft_calls : counters.sums.rounds;
  if (!counters.draft_seconds || !calls || *calls == 0) return std::nullopt;
  return *counters.draft_seconds / static_cast<double>(*calls);
}

std::optional<double> counted_target_seconds(EngineCounters const& counters) {
  auto const& rounds = counters.sums.rounds;
  if (!counters.target_seconds || !rounds || *rounds == 0) return std::nullopt;
  return *counters.target_seconds / static_cast<double>(*rounds);
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
