#include "apps/gamma/gamma_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/load/batch_choice.h"
#include "analysis/load/request_rate.h"
#include "analysis/load/shared_rounds.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "apps/gamma/gamma_load_words.h"
#include "apps/options/number_options.h"
#include "apps/output/settings_words.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr int longest_iid = 256;          ///< drafts, where --alpha says E[N] of any
constexpr std::int64_t shown_beyond = 8;  ///< the longest that is best anywhere
constexpr double most_asked = 1e18;       ///< tokens a second

/// E[N] of γ = 0, 1, … of one sequence, as far as it is known.
std::vector<double> tokens_in(Json const& document, GammaAsked const& asked) {
  std::vector<double> tokens{1};
  if (document.contains("recordings"))
    throw UsageError("several recordings are given with --load (its answer is of one)", "give one");
  if (document.contains("map") || document.contains("ends"))
    throw UsageError("several α are given with --load (its answer is of one)", "give one");
  if (document.contains("alpha")) {
    for (int gamma = 1; gamma <= asked.most.value_or(longest_iid); ++gamma)
      tokens.push_back(theory::expected_tokens(document["alpha"].get<double>(), gamma, asked.bonus));
    return tokens;
  }
  for (Json const& row : document["curve"])
    if (row["gamma"] == tokens.size()) tokens.push_back(row["mean_tokens"].get<double>());
  return tokens;
}

/// The interval of S at γ, where the data give one.
std::optional<Interval> speedup_in(Json const& document, std::int64_t gamma) {
  for (Json const& row : document["curve"])
    if (Json const& speedup = row["speedup"]; row["gamma"] == gamma && speedup.is_object())
      return Interval{speedup["value"], speedup["low"], speedup["high"], speedup["confidence"]};
  return std::nullopt;
}

/// How sure the best γ of each batch size is, by what is said of that batch alone; empty where nothing says it.
std::vector<BatchDoubt> doubts_of(std::vector<BatchPoint> const& measured, Json const& of_first,
                                  GammaOfBatch const& of_batch) {
  std::vector<BatchDoubt> doubts;
  if (!of_first.contains("confidence_set") || of_first["confidence_set"].empty()) return doubts;
  for (BatchPoint const& point : measured) {
    Json const document = point.batch == measured.front().batch ? of_first : of_batch(point.batch).document;
    BatchDoubt doubt{{}, {}, speedup_in(document, point.gamma)};
    for (Json const& range : document["confidence_set"])
      doubt.set.push_back({range["first"].get<std::int64_t>(), range["last"].get<std::int64_t>()});
    if (Json const& regret = document["expected_regret"]; regret.is_number()) doubt.regret = regret.get<double>();
    doubts.push_back(std::move(doubt));
  }
  return doubts;
}

/// P(the first i drafts are kept) for i = 1, 2, …, of E[N] by γ, whose estimates may gain more by a draft than by the one
/// before.
std::vector<double> survival_of(std::vector<double> const& tokens, bool bonus) {
  std::vector<double> survival;
  double before = 1;
  for (std::size_t i = bonus ? 1 : 2; i < tokens.size(); ++i)
    survival.push_back(before = std::clamp(tokens[i] - tokens[i - 1], 0., before));
  return survival;
}

/// What is accepted, by γ and batch size.
struct Accepted {
  bool by_position = false;  ///< whether `survival` is known, which is empty of one draft without the bonus token
  std::vector<double> survival = {};
  TokensInBatch tokens;
  std::int64_t most;
};

Accepted accepted_by(std::vector<double> tokens, GammaAsked const& asked) {
  auto const most = static_cast<std::int64_t>(tokens.size()) - 1;
  std::vector<double> const survival = survival_of(tokens, asked.bonus);
  if (!asked.lockstep)
    return {
        true, survival,
        [tokens](std::int64_t gamma, std::int64_t) { return std::optional(tokens[static_cast<std::size_t>(gamma)]); },
        most};
  return {true, survival,
          [survival, bonus = asked.bonus](std::int64_t gamma, std::int64_t batch) {
            return std::optional(lockstep_tokens(survival, gamma, batch, bonus));
          },
          most};
}

/// As the file of whole rounds says it: by position, or E[N] of the γ that ran.
Accepted accepted_in(LoadTable const& table, GammaAsked const& asked) {
  if (!table.survival.empty()) {
    std::vector<double> tokens{1};
    for (std::size_t gamma = 1; gamma <= table.survival.size(); ++gamma)
      tokens.push_back(theory::expected_tokens(std::span(table.survival).first(gamma), asked.bonus));
    return accepted_by(std::move(tokens), asked);
  }
  if (asked.lockstep || !asked.bonus)
    throw UsageError(
        fmt::format("{} says how many tokens rounds gave, and not by position ({} asks for what it does not "
                    "hold)",
                    table.file, asked.lockstep ? "--lockstep" : "--no-bonus"),
        "leave it out, or give --alpha or --survival beside");
  std::vector<std::int64_t> const lengths = table.tokens_per_round.lengths();
  return {false,
          {},
          [&table](std::int64_t gamma, std::int64_t batch) -> std::optional<double> {
            auto const found = table.tokens_per_round.at(gamma, batch);
            return found ? std::optional(found->value) : std::nullopt;
          },
          lengths.empty() ? 0 : lengths.back()};
}

/// Each γ at a rate of requests; γ of each batch size last, where that is none of them.
std::vector<RateRow> rate_rows(BatchCosts const& costs, Accepted const& accepted, LoadAnswer const& answer,
                               double asked) {
  std::int64_t const first = costs.batches().front(), last = costs.batches().back();
  std::vector<std::vector<double>> times;  // [γ][b − 1] ms per token; of fewer than the first batch its own
  std::vector<std::int64_t> gammas;
  std::vector<double> best;
  for (std::int64_t batch = 1; batch <= last; ++batch) {
    auto const points = points_in_batch(costs, accepted.tokens, answer.longest, std::max(first, batch));
    times.resize(points.size());
    gammas.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      gammas[i] = points[i].gamma;
      times[i].push_back(points[i].ms_per_token());
    }
    best.push_back(best_of(points).ms_per_token());
  }
  std::vector<RateRow> rows;
  for (std::size_t i = 0; i < times.size(); ++i) rows.push_back({gammas[i], serve(times[i], asked)});
  if (answer.choice.ranges.size() > 1) rows.push_back({std::nullopt, serve(best, asked)});
  return rows;
}

/// The fixed γ of least time per token, else the one that serves most.
RateRow const& best_of(std::vector<RateRow> const& rows) {
  auto const better = [](RateRow const& a, RateRow const& b) {
    if (!a.gamma || !b.gamma) return a.gamma.has_value() && !b.gamma;
    if (a.served.ms_per_token && b.served.ms_per_token)
      return *a.served.ms_per_token < *b.served.ms_per_token * (1 - speedup_tie);
    if (a.served.ms_per_token || b.served.ms_per_token) return a.served.ms_per_token.has_value();
    return a.served.most_tokens_per_second > b.served.most_tokens_per_second * (1 + speedup_tie);
  };
  return *std::ranges::min_element(rows, better);
}

/// Where texts begin together: the γ with which a batch of each measured size is done first.
std::vector<WaitRow> wait_rows(BatchCosts const& costs, Accepted const& accepted, std::int64_t tokens, bool bonus) {
  std::vector<WaitRow> rows;
  for (std::int64_t const batch : costs.batches()) {
    std::optional<WaitRow> best;
    for (BatchPoint const& point : points_in_batch(costs, accepted.tokens, accepted.most, batch)) {
      auto const rounds = rounds_of_longest(accepted.survival, point.gamma, batch, tokens, bonus);
      if (!rounds) return {};
      WaitRow const row{batch,
                        point.gamma,
                        *rounds,
                        *rounds_of_longest(accepted.survival, point.gamma, 1, tokens, bonus),
                        *rounds * point.round_ms,
                        static_cast<double>(tokens) * point.plain_ms};
      if (!best || row.ms < best->ms * (1 - speedup_tie)) best = row;
    }
    rows.push_back(*best);
  }
  return rows;
}

/// The number of sequences at once: as asked, else as the engine says, unless it follows from a rate of requests.
void take_concurrency(LoadAnswer& answer, Invocation const& args, EngineCounters const* counters) {
  std::string said;
  if (args.has("--concurrency")) {
    answer.concurrency = number_of(args, "--concurrency");
    answer.concurrency_from = "--concurrency";
    said = args.text("--concurrency");
  } else if (counters && counters->at_once && !args.has("--request-rate")) {
    answer.concurrency = counters->at_once->mean();
    answer.concurrency_from = counters->at_once->name;
    answer.concurrency_over = counters->at_once->over;
    said = fmt::format("{:g}", *answer.concurrency);
  } else {
    return;
  }
  if (*answer.concurrency > static_cast<double>(most_batch))
    throw UsageError(fmt::format("{} {} is out of range (at most {})", answer.concurrency_from, said, most_batch));
  answer.at = std::max<std::int64_t>(1, std::llround(*answer.concurrency));
}

}  // namespace

Result gamma_of_load(Invocation const& args, Load const& load, GammaAsked const& asked, GammaOfBatch const& of_batch,
                     EngineCounters const* counters) {
  BatchCosts const& costs = load.costs;
  std::int64_t const first = costs.batches().front();
  LoadAnswer answer{.table = load.table, .costs = costs, .lockstep = asked.lockstep, .confidence = asked.confidence};
  Result base;
  Accepted accepted;
  if (of_batch) {
    base = of_batch(first);
    std::vector<double> tokens = tokens_in(base.document, asked);
    if (tokens.size() == 1) return base;  // a recording that does not say
    accepted = accepted_by(std::move(tokens), asked);
    if (load.table.says_acceptance())
      answer.notes.push_back(fmt::format("{} says itself what is accepted: that is not looked at.", load.table.file));
  } else {
    if (!load.table.says_acceptance())
      throw UsageError(
          fmt::format("{} says how long rounds take (and not what is accepted in them)", load.table.file),
          "give --alpha, --survival, a recording or an engine's counters beside it");
    accepted = accepted_in(load.table, asked);
  }
  answer.choice = choose_by_batch(costs, accepted.tokens, accepted.most);
  if (of_batch && !asked.lockstep) answer.doubts = doubts_of(answer.choice.measured, base.document, of_batch);
  answer.at = first;
  for (BatchRange const& range : answer.choice.ranges) answer.longest = std::max(answer.longest, range.gamma);
  if (of_batch && args.has("--alpha") && !asked.most && answer.longest == longest_iid) answer.cap = longest_iid;
  answer.longest = std::min(accepted.most, answer.longest + shown_beyond);
  take_concurrency(answer, args, counters);
  if (args.has("--request-rate")) {
    double const rate = number_of(args, "--request-rate");
    auto const tokens = static_cast<double>(args.count("--tokens-per-request"));
    if (rate * tokens > most_asked)
      throw UsageError(
          fmt::format("--request-rate {} of {} tokens each is out of range (at most {:g} tokens a second)",
                      args.text("--request-rate"), args.text("--tokens-per-request"), most_asked));
    answer.rate = RateAnswer{rate, tokens, rate_rows(costs, accepted, answer, rate * tokens), {}};
    answer.rate->best = best_of(answer.rate->rows);
    ServedRate const& served = answer.rate->best.served;
    answer.at = served.concurrency ? std::max<std::int64_t>(1, std::llround(*served.concurrency)) : served.busiest;
  } else if (args.has("--tokens-per-request")) {
    if (asked.lockstep)
      throw UsageError("--tokens-per-request and --lockstep are two ways to wait (each is a question of its own)",
                       "leave one out");
    if (!accepted.by_position)
      throw UsageError(
          fmt::format(
              "--tokens-per-request asks which text is last (and {} does not say what rounds keep by position)",
              load.table.file),
          "give --alpha or --survival beside it, or --request-rate");
    answer.wait_tokens = args.count("--tokens-per-request");
    answer.waits = wait_rows(costs, accepted, *answer.wait_tokens, asked.bonus);
  }
  answer.points = points_in_batch(costs, accepted.tokens, answer.longest, answer.at);
  BatchPoint const& best = best_point(answer);
  if (of_batch && answer.at != first) base = of_batch(answer.at);
  if (of_batch && !asked.lockstep) answer.speedup = speedup_in(base.document, best.gamma);
  Result result = load_result(answer, std::move(base));
  std::string_view const engine = args.has("--for") ? std::string_view(args.text("--for"))
                                  : counters        ? std::string_view(counters->engine)
                                                    : std::string_view();
  if (!engine.empty())
    add_settings(result, engine,
                 {.gamma = best.gamma,
                  .survival = accepted.survival,
                  .tokens_per_round = best.tokens,
                  .by_batch = answer.choice.ranges,
                  .batch = answer.at,
                  .drawn = of_drawn_drafts(result.document)});
  if (answer.wait_tokens && !engine.empty())
    result.sections.back().notes.emplace_back("Of continuous batching: engines do not wait for the longest text.");
  return result;
}

}  // namespace draftgauge
