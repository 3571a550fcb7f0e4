#include "apps/gamma/gamma_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/choose/alarms.h"
#include "analysis/load/batch_acceptance.h"
#include "analysis/load/rate_choice.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/gamma_load_words.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr int longest_iid = 256;          ///< drafts, where --alpha says E[N] of any
constexpr std::int64_t shown_beyond = 8;  ///< the longest that is best anywhere
constexpr double most_asked = 1e18;       ///< tokens a second

/// E[N] of γ = 0, 1, … of one sequence, as far as it is known.
std::vector<double> tokens_in(GammaAnswer const& answer, GammaAsked const& asked) {
  if (!answer.several.empty())
    throw UsageError(fmt::format("several {} are given with --load (its answer is of one)", answer.several),
                     "give one");
  std::vector<double> tokens{1};
  if (answer.alpha) {
    for (int gamma = 1; gamma <= asked.most.value_or(longest_iid); ++gamma)
      tokens.push_back(theory::expected_tokens(*answer.alpha, gamma, asked.bonus));
    return tokens;
  }
  for (GammaRow const& row : answer.rows)
    if (std::cmp_equal(row.gamma, tokens.size())) tokens.push_back(row.tokens);
  return tokens;
}

/// The interval of S at γ, where the data give one.
std::optional<Interval> speedup_in(GammaAnswer const& answer, std::int64_t gamma) {
  GammaRow const* const row = answer.row(gamma);
  return row ? row->interval : std::nullopt;
}

/// `longest`, the longest that is best anywhere, where nothing is known beyond: of an α every γ is.
std::optional<std::int64_t> edge_in(GammaAnswer const& answer, GammaAsked const& asked, std::int64_t longest) {
  if (answer.alpha || answer.rows.back().gamma != longest) return std::nullopt;
  if (asked.most && *asked.most <= longest) return std::nullopt;  // more may be known, and is not asked
  return longest;
}

/// How sure the best γ of each batch size is, by what is said of that batch alone; empty where nothing says it.
std::vector<BatchDoubt> doubts_of(std::vector<BatchPoint> const& measured, GammaAnswer const& of_first,
                                  GammaOfBatch const& of_batch) {
  std::vector<BatchDoubt> doubts;
  if (!of_first.report || of_first.report->confidence_set.empty()) return doubts;
  for (BatchPoint const& point : measured) {
    GammaAnswer const there = point.batch == measured.front().batch ? of_first : of_batch(point.batch);
    GammaReport const& report = *there.report;
    doubts.push_back({point, report.confidence_set, report.expected_regret, speedup_in(there, point.gamma)});
  }
  return doubts;
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

/// The best γ at a rate of requests, and the number of sequences at once that it comes to.
void take_rate(LoadAnswer& answer, Invocation const& args, BatchAcceptance const& accepted, bool bonus) {
  Requests const requests{
      .per_second = number_of(args, "--request-rate"),
      .tokens = args.count("--tokens-per-request"),
      .lengths = args.text("--request-lengths") == "geometric" ? TextLengths::geometric : TextLengths::equal};
  if (requests.per_second * static_cast<double>(requests.tokens) > most_asked)
    throw UsageError(fmt::format("--request-rate {} of {} tokens each is out of range (at most {:g} tokens a second)",
                                 args.text("--request-rate"), args.text("--tokens-per-request"), most_asked));
  auto rows =
      serve_by_gamma(answer.costs, accepted, answer.longest, answer.choice.ranges.size() > 1, requests, bonus);
  RateRow const best = best_of(rows);
  answer.rate = RateAnswer{requests, std::move(rows), best};
  if (!accepted.by_position)
    answer.notes.push_back(fmt::format(
        "{} has tokens per round alone: for the rounds of a request, drafts are accepted independently (Eq. (1)).",
        file_name(answer.table.file)));
  ServedRate const& served = best.served;
  std::optional<double> const there = served.poisson_concurrency ? served.poisson_concurrency : served.concurrency;
  answer.at =
      there ? std::clamp<std::int64_t>(std::llround(*there), 1, answer.costs.batches().back()) : served.busiest;
}

/// The alarm of a slow draft is of the batch sizes that are asked about, in place of that of one batch. Schedules of
/// other sizes may still be set.
void add_load_alarm(Result& result, LoadAnswer const& answer, bool sampled) {
  std::erase_if(result.alarms, [](Alarm const& each) { return each.kind == Alarm::Kind::slower; });
  bool const asked = answer.rate || answer.concurrency;
  bool const drafts =
      std::ranges::any_of(answer.choice.ranges, [](BatchRange const& range) { return range.gamma > 0; });
  if (asked ? best_point(answer).gamma > 0 : drafts) return;
  std::vector<GammaRow> rows;
  for (BatchPoint const& each : answer.points)
    rows.push_back({each.gamma, each.tokens, each.round_ms / each.plain_ms, each.speedup(), each.guess});
  auto best = fastest_draft(rows, sampled);
  if (!best) return;
  best->how += fmt::format(" with {} at once", counted(static_cast<std::uint64_t>(answer.at), "sequence"));
  if (auto slower = slower_at_best(best, drafts ? "Switch drafting off with so many." : switch_off)) {
    if (drafts) slower->of_gamma = 0;
    result.alarms.push_back(std::move(*slower));
  }
}

}  // namespace

Result gamma_of_load(Invocation const& args, Load const& load, GammaAsked const& asked, GammaOfBatch const& of_batch,
                     EngineCounters const* counters) {
  BatchCosts const& costs = load.costs;
  std::int64_t const first = costs.batches().front();
  LoadAnswer answer{.table = load.table, .costs = costs, .confidence = asked.confidence};
  GammaAnswer base;
  BatchAcceptance accepted;
  std::vector<double> tokens;  // of one sequence
  if (of_batch) {
    base = of_batch(first);
    tokens = tokens_in(base, asked);
    if (tokens.size() == 1) return std::move(base).printed();  // a recording that does not say
    accepted = acceptance_by_tokens(tokens, asked.bonus);
    if (load.table.says_acceptance())
      answer.notes.push_back(fmt::format("{} says itself what is accepted: that is not looked at.", load.table.file));
  } else {
    if (!load.table.says_acceptance())
      throw UsageError(
          fmt::format("{} says how long rounds take (and not what is accepted in them)", load.table.file),
          "give --alpha, --survival, a recording or an engine's counters beside it");
    accepted = acceptance_in(load.table, asked.bonus);
    if (asked.most) accepted.most = std::min<std::int64_t>(accepted.most, *asked.most);
  }
  answer.choice = choose_by_batch(costs, accepted.tokens, accepted.most);
  if (of_batch) answer.doubts = doubts_of(answer.choice.measured, base, of_batch);
  answer.at = first;
  for (BatchRange const& range : answer.choice.ranges) answer.longest = std::max(answer.longest, range.gamma);
  if (of_batch && args.has("--alpha") && !asked.most && answer.longest == longest_iid) answer.cap = longest_iid;
  bool const recorded = args.has("FILE") && !counters;  // whose own answer says how far its texts go
  if (of_batch && !recorded && answer.longest > 0)
    answer.edge = edge_in(base, asked, answer.longest);
  answer.longest = std::min(accepted.most, answer.longest + shown_beyond);
  take_concurrency(answer, args, counters);
  if (args.has("--request-rate")) {
    take_rate(answer, args, accepted, asked.bonus);
  } else if (args.has("--tokens-per-request")) {
    if (!accepted.by_position)
      throw UsageError(
          fmt::format(
              "--tokens-per-request asks which text is last (and {} does not say what rounds keep by position)",
              load.table.file),
          "give --alpha or --survival beside it, or --request-rate");
    answer.wait_tokens = args.count("--tokens-per-request");
    answer.waits = done_first(costs, accepted, *answer.wait_tokens, asked.bonus);
  }
  answer.points = points_in_batch(costs, accepted.tokens, answer.longest, answer.at);
  BatchPoint const& best = best_point(answer);
  if (of_batch && answer.at != first) base = of_batch(answer.at);
  if (of_batch) answer.speedup = speedup_in(base, best.gamma);
  base = load_result(answer, std::move(base));
  Result& result = base.result;
  if (!base.too_few) add_load_alarm(result, answer, of_batch && !base.alpha);
  std::string const engine = engine_to_set(args, counters);
  if (!engine.empty() && base.too_few && result.alarms.empty()) {
    add_nothing_to_set(result, engine, too_few_to_set());
  } else if (!engine.empty()) {
    SettingsAsked set{.gamma = best.gamma,
                      .survival = accepted.survival,
                      .tokens_per_round = best.tokens,
                      .by_batch = answer.choice.ranges,
                      .batch = answer.at,
                      .drawn = base.drawn,
                      .draft_kinds = base.draft_kinds};
    add_settings(result, engine, set);
  }
  if (answer.wait_tokens && !engine.empty() && !base.too_few)
    result.sections.back().note("Of continuous batching: engines do not wait for the longest text.");
  return std::move(base).printed();
}

}  // namespace draftgauge
