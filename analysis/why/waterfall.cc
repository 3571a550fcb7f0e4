#include "analysis/why/waterfall.h"

#include <algorithm>
#include <cmath>

#include "analysis/texts/text_limits.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/domain.h"

namespace draftgauge {
namespace {

/// Tokens per round that are known for certain.
RoundTokens certain(double tokens) { return {.value = tokens}; }

bool has_error(RoundTokens const& tokens) { return tokens.over_texts || tokens.interval; }

TextEstimate time_over_texts(TextEstimate const& tokens, double cost) {
  return tokens.through([&](double n) { return cost / n; }, [&](double n) { return -cost / (n * n); });
}

/// Of cost/E[N], which lies between that of the longest round and that of one token.
std::optional<Interval> time_interval(RoundTokens const& tokens, double cost, double longest, double confidence) {
  if (tokens.over_texts)
    return interval_within(time_over_texts(*tokens.over_texts, cost), confidence,
                           {std::min(cost / longest, cost), std::max(cost / longest, cost)});
  if (!tokens.interval) return std::nullopt;
  Interval time = *tokens.interval;
  time.value = cost / tokens.value;
  time.low = cost / tokens.interval->high;
  time.high = cost / tokens.interval->low;
  if (cost < 0) std::swap(time.low, time.high);
  return time;
}

/// Of cost·(1/E[N after] − 1/E[N before]).
std::optional<Interval> difference_interval(RoundTokens const& before, RoundTokens const& after, double cost,
                                            double longest, double confidence) {
  double const value = cost / after.value - cost / before.value;
  if (before.estimated || after.estimated || (!has_error(before) && !has_error(after))) return std::nullopt;
  if (!has_error(before)) {
    auto interval = time_interval(after, cost, longest, confidence);
    if (!interval) return std::nullopt;
    double const shift = cost / before.value;
    return Interval{value, interval->low - shift, interval->high - shift, confidence, interval->asymptotic};
  }
  if (before.over_texts && after.over_texts && !after.other_data)
    return delta_interval(time_over_texts(*after.over_texts, cost) - time_over_texts(*before.over_texts, cost),
                          confidence);
  if (!after.other_data) return std::nullopt;
  auto const of_before = time_interval(before, cost, longest, confidence),
             of_after = time_interval(after, cost, longest, confidence);
  if (!of_before || !of_after) return std::nullopt;
  // Errors that are independent add as squares.
  double const below = std::hypot(of_after->value - of_after->low, of_before->high - of_before->value),
               above = std::hypot(of_after->high - of_after->value, of_before->value - of_before->low);
  return Interval{value, value - below, value + above, confidence, true};
}

double over_lengths(DraftLengths const& lengths, auto const& of_length) {
  double sum = 0;
  for (auto const& [drafts, share] : lengths) sum += share * of_length(drafts);
  return sum;
}

}  // namespace

std::span<CauseCard const> cause_cards() {
  static constexpr CauseCard cards[] = {
      {Cause::acceptance, "acceptance", "rejected drafts", "Eq. (1) at α less a token for each draft and one more"},
      {Cause::dependence, "dependence", "dependence", "rounds along the text, without its end, less Eq. (1)"},
      {Cause::ends, "ends_of_texts", "ends of texts", "rounds along the text less those without end"},
      {Cause::engine, "engine", "the engine's rule and drafts", "its rounds less those of the token rule"},
      {Cause::drafts, "draft_time", "draft time", "(γ + extra·w(γ+1))·c"},
      {Cause::verification, "verification", "verification", "v(γ + 1) − 1"},
      {Cause::overhead, "overhead", "fixed overhead", "o"},
      {Cause::batch, "batch", "batch", "the round's time in the batch less alone"}};
  return cards;
}

std::optional<double> Waterfall::unexplained() const {
  if (!measured) return std::nullopt;
  return *measured - predicted;
}

std::optional<Interval> Waterfall::unexplained_interval() const {
  if (!measured || !predicted_interval) return std::nullopt;
  Interval const& of = *predicted_interval;
  return Interval{*measured - of.value, *measured - of.high, *measured - of.low, of.confidence, of.asymptotic};
}

bool Waterfall::knows(Cause cause) const { return steps[static_cast<std::size_t>(cause)].time.has_value(); }

std::string unknown_text(Waterfall const& of) {
  std::string words;
  for (WaterfallStep const& step : of.steps)
    if (!step.time)
      words += (words.empty() ? "" : ", ") + std::string(cause_cards()[static_cast<std::size_t>(step.cause)].words);
  return words;
}

Waterfall waterfall(WaterfallInput const& input, double confidence) {
  require_domain(input.gamma >= 1, "gamma", static_cast<double>(input.gamma), "a round drafts a token at least",
                 "give 1 or more");
  DraftLengths const lengths = input.lengths.empty() ? DraftLengths{{input.gamma, 1}} : input.lengths;
  double const longest = over_lengths(lengths, [&](std::int64_t drafts) {
    return drafts == 0 ? 1. : static_cast<double>(theory::longest_round(drafts, input.bonus));
  });
  RoundTokens tokens = certain(longest);
  double cost = 1, time = cost / tokens.value;
  bool guessed = false;
  Waterfall result{
      .gamma = input.gamma,
      .mean_drafts = over_lengths(lengths, [](std::int64_t drafts) { return static_cast<double>(drafts); }),
      .tokens = longest,
      .ideal = time,
      .steps = {},
      .predicted = 0,
      .predicted_interval = {},
      .measured = input.measured.value,
      .measured_from = input.measured.from};
  auto const add = [&](Cause cause, double to, std::optional<Interval> interval, std::string const& from) {
    double const step = to - time;
    if (interval) interval->value = step;
    result.steps.push_back({cause, step, interval, from});
    time = to;
  };
  auto const add_tokens = [&](Cause cause, Known<RoundTokens> const& known) {
    if (!known.value) {
      result.steps.push_back({.cause = cause, .from = known.from});
      return;
    }
    require_domain(known.value->value >= 1, "tokens per round", known.value->value, "a round emits a token at least",
                   "give 1 or more");
    auto const interval = difference_interval(tokens, *known.value, cost, longest, confidence);
    tokens = *known.value;
    add(cause, cost / tokens.value, interval, known.from);
  };
  auto const add_cost = [&](Cause cause, Known<double> const& known) {
    if (!known.value) {
      result.steps.push_back({.cause = cause, .from = known.from});
      return;
    }
    cost += *known.value;
    guessed |= known.guessed;
    add(cause, cost / tokens.value,
        known.guessed ? std::nullopt : time_interval(tokens, *known.value, longest, confidence), known.from);
  };
  add_tokens(Cause::acceptance, input.independent);
  add_tokens(Cause::dependence, input.dependent);
  add_tokens(Cause::ends, input.ended);
  add_tokens(Cause::engine, input.engine);
  add_cost(Cause::drafts, input.drafts);
  add_cost(Cause::verification, input.verification);
  add_cost(Cause::overhead, input.overhead);
  add_cost(Cause::batch, input.batch);
  result.tokens = tokens.value;
  result.predicted = time;
  if (!guessed) result.predicted_interval = time_interval(tokens, cost, longest, confidence);
  if (result.predicted_interval) result.predicted_interval->value = time;
  return result;
}

double draft_time(Costs const& costs, DraftLengths const& lengths) {
  return over_lengths(lengths,
                      [&](std::int64_t drafts) { return costs.draft_steps(drafts, drafts + 1) * costs.draft; });
}

double verification_time(Costs const& costs, DraftLengths const& lengths) {
  return over_lengths(lengths, [&](std::int64_t drafts) { return costs.verify_pass(drafts + 1) - 1; });
}

double batch_time(Costs const& alone, Costs const& together, std::int64_t batch, DraftLengths const& lengths) {
  double const step = alone.verify_pass(batch);
  return step * (1 + draft_time(together, lengths) + verification_time(together, lengths)) -
         (1 + draft_time(alone, lengths) + verification_time(alone, lengths));
}

}  // namespace draftgauge
