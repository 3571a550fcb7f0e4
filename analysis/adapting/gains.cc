#include "analysis/adapting/gains.h"

#include "analysis/adapting/played.h"
#include "analysis/sequence/adaptive_lengths.h"

namespace draftgauge {

namespace {

TextEstimate speedup_of(PolicyTimes const& times, std::shared_ptr<TextSample const> const& sample) {
  return mean_over_texts(sample->lengths(), sample) / mean_over_texts(times.time, sample);
}

}  // namespace

TextEstimate fixed_speedup(AdaptingTexts const& texts, std::shared_ptr<TextSample const> const& sample) {
  return speedup_of(played(texts, FixedLength{texts.best}), sample);
}

TextEstimate oracle_speedup(DraftPolicy oracle, AdaptingTexts const& texts,
                            std::shared_ptr<TextSample const> const& sample) {
  TextPolicyOptions const options{.costs = texts.costs, .most = static_cast<int>(texts.most), .bonus = texts.bonus};
  PolicyTimes times;
  for (auto const& request : texts.requests) {
    double& time = times.time.emplace_back(0);
    for (AdaptingText const& text : request) time += text_time(oracle, text.accepted, options);
  }
  return speedup_of(times, sample);
}

std::vector<AdaptingGain> adapting_gains(AdaptingTexts const& texts,
                                         std::shared_ptr<TextSample const> const& sample) {
  TextEstimate const best = fixed_speedup(texts, sample);
  auto const tokens = static_cast<double>(texts.tokens());
  std::vector<AdaptingGain> gains;
  for (AdaptingPolicy const& policy : adapting_policies()) {
    auto const times = policy.play(texts);
    if (!times) continue;
    TextEstimate got = speedup_of(*times, sample), over = got - best;
    gains.push_back({.policy = &policy,
                     .speedup = std::move(got),
                     .over_best = std::move(over),
                     .mean_drafts = times->drafts / times->rounds,
                     .by_order = times->by_order});
    if (auto const& range = times->time_range) gains.back().range = {tokens / range->second, tokens / range->first};
  }
  return gains;
}

}  // namespace draftgauge
