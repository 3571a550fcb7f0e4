#include "analysis/counters/documents.h"

#include <fmt/format.h>

#include "analysis/counters/printed_rate.h"
#include "analysis/counters/rates.h"

namespace draftgauge {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson optional(auto const& value) { return value ? OrderedJson(*value) : OrderedJson(); }

OrderedJson list_or_null(auto const& values) { return values.empty() ? OrderedJson() : OrderedJson(values); }

OrderedJson histograms_document(CounterSums const& sums) {
  if (sums.histograms.empty()) return nullptr;
  OrderedJson all = OrderedJson::object();
  for (auto const& [length, histogram] : sums.histograms) all[fmt::format("{}", length)] = histogram;
  return all;
}

OrderedJson at_once_document(std::optional<SequencesAtOnce> const& at_once) {
  if (!at_once) return nullptr;
  return {{"value", at_once->mean()}, {"name", at_once->name}, {"over", at_once->over}};
}

/// Data sets or runs, each by itself.
OrderedJson parts_document(EngineCounters const& counters) {
  if (are_requests(counters) || counters.requests.size() < 2) return nullptr;
  OrderedJson parts = OrderedJson::array();
  for (CountedRequest const& part : counters.requests)
    parts.push_back({{"name", part.name},
                     {"rounds", optional(part.sums.rounds)},
                     {"drafted", optional(part.sums.drafted)},
                     {"accepted", optional(part.sums.accepted)},
                     {"mean_tokens", optional(one_and_share_of_counts(part.sums.accepted, part.sums.rounds))}});
  return parts;
}

}  // namespace

OrderedJson counts_document(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  return {{"rounds", optional(sums.rounds)},
          {"drafted", optional(sums.drafted)},
          {"accepted", optional(sums.accepted)},
          {"emitted", optional(sums.emitted)},
          {"by_position", list_or_null(sums.by_position)},
          {"by_draft_length", histograms_document(sums)},
          {"draft_length", optional(counters.draft_length)},
          {"requests", counters.requests.empty() || !are_requests(counters) ? OrderedJson()
                                                                            : OrderedJson(counters.requests.size())},
          {"parts", parts_document(counters)},
          {"seconds", optional(counters.seconds)},
          {"draft_seconds", optional(counters.draft_seconds)},
          {"target_seconds", optional(counters.target_seconds)},
          {"at_once", at_once_document(counters.at_once)}};
}

OrderedJson rates_document(EngineCounters const& counters) {
  CounterRates const rates = counter_rates(counters);
  return {{"accepted_per_drafted", optional(rates.accepted_per_drafted)},
          {"alpha", optional(rates.alpha)},
          {"alpha_from", rates.alpha ? OrderedJson(rates.alpha_from) : OrderedJson()},
          {"conditional", list_or_null(rates.conditional)},
          {"cumulative", list_or_null(rates.cumulative)},
          {"independent", optional(rates.independent)},
          {"per_request_mean", optional(rates.per_request_mean)}};
}

}  // namespace draftgauge
