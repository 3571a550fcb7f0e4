#include "analysis/adapting/confident.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "analysis/adapting/halves.h"
#include "analysis/theory/draft_policies.h"

namespace draftgauge {
namespace {

/// A text whose drafts are ended so.
class StoppedText {
 public:
  StoppedText(AdaptingText const& text, ConfidenceRule const& rule, double threshold, std::int64_t most)
      : accepted_(text.accepted),
        of_text_(rule.of_text(text)),
        of_other_(rule.of_other == rule.of_text ? std::vector<double>() : rule.of_other(text)),
        rule_(rule),
        threshold_(threshold),
        most_(static_cast<std::size_t>(std::min(most, rule.most))) {}

  bool known() const { return !of_text_.empty() && (alike() || !of_other_.empty()); }

  /// Adds the text's rounds: their time is returned.
  double play(std::vector<double> const& times, double step, bool bonus, PolicyTimes& sums) const {
    std::size_t const tokens = accepted_.size();
    std::vector<double> starts(tokens + most_ + 2);
    starts[0] = 1;
    double time = 0;
    for (std::size_t t = 0; t < tokens; ++t) {
      if (starts[t] == 0) continue;
      auto const add = [&](double chance, Draft const& draft, std::size_t next) {
        starts[next] += chance;
        time += chance * (times[draft.length] + (draft.dropped ? step : 0));
        sums.rounds += chance;
        sums.drafts += chance * static_cast<double>(draft.length);
      };
      double reached = starts[t], sure = 1;
      Draft const whole = rest(t, 0, 1, of_text_);
      std::size_t const drafted = std::min(whole.length, tokens - t);
      for (std::size_t i = 0; i < drafted && reached > 0; ++i) {
        double const a = accepted_[t + i];
        if (a < 1) add(reached * (1 - a), alike() ? whole : rest(t, i, sure, of_other_), t + i + 1);
        reached *= a;
        sure = next_sure(sure, of_text_[t + i]);
      }
      if (reached > 0) add(reached, whole, std::min(tokens, t + whole.length + (bonus || whole.length == 0)));
    }
    return time;
  }

 private:
  struct Draft {
    std::size_t length;
    bool dropped;  ///< a step of the draft model more was made
  };

  bool alike() const { return rule_.of_other == rule_.of_text; }
  double next_sure(double sure, double here) const { return rule_.product ? sure * here : here; }

  /// The draft of a round from t whose first `made` are made.
  Draft rest(std::size_t t, std::size_t made, double sure, std::vector<double> const& confidence) const {
    for (; made < most_; ++made) {
      sure = next_sure(sure, confidence[(t + made) % confidence.size()]);
      if (sure < threshold_) return {made + !rule_.drops, rule_.drops};
    }
    return {made, false};
  }

  std::span<double const> accepted_;
  std::vector<double> of_text_, of_other_;
  ConfidenceRule const& rule_;
  double threshold_;
  std::size_t most_;
};

}  // namespace

std::optional<PolicyTimes> stopped_below(AdaptingTexts const& texts, ConfidenceRule const& rule, double threshold) {
  std::vector<double> const times = round_times(texts.costs, static_cast<int>(texts.most));
  PolicyTimes found;
  for (auto const& request : texts.requests) {
    double& time = found.time.emplace_back(0);
    for (AdaptingText const& text : request) {
      StoppedText const stopped(text, rule, threshold, texts.most);
      if (!stopped.known()) return std::nullopt;
      time += stopped.play(times, texts.costs.draft, texts.bonus, found);
    }
  }
  return found;
}

std::optional<PolicyTimes> stopped_at_best(AdaptingTexts const& texts, ConfidenceRule const& rule) {
  for (auto const& request : texts.requests)
    for (AdaptingText const& text : request)
      if (rule.of_text(text).empty()) return std::nullopt;
  auto const fit = [&](AdaptingTexts const& half) {
    double best = 0, least = HUGE_VAL;
    for (int tenths = 1; tenths <= 9; ++tenths) {
      double const threshold = tenths / 10., time = [&] {
        std::vector<double> const all = stopped_below(half, rule, threshold)->time;
        return std::accumulate(all.begin(), all.end(), 0.);
      }();
      if (time < least) least = time, best = threshold;
    }
    return best;
  };
  return fitted_on_other_half(
      texts, fit, [&](AdaptingTexts const& half, double threshold) { return *stopped_below(half, rule, threshold); });
}

}  // namespace draftgauge
