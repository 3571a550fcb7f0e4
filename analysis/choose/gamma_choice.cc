#include "analysis/choose/gamma_choice.h"

#include <algorithm>
#include <tuple>

#include "analysis/adapting/gains.h"
#include "analysis/adapting/recorded.h"
#include "analysis/texts/text_limits.h"

namespace draftgauge {
namespace {

/// Rows with their speed-ups, whose differences the texts' own luck cancels in.
struct Curve {
  std::vector<GammaRow> rows;
  std::vector<TextEstimate> speedups;
  std::size_t best = 0;
};

/// As far as S is known without a gap; γ as asked for, growing.
Curve curve_of(Study const& of, double confidence) {
  Curve curve{{row_of(0, 1, of.costs)}, {}, 0};
  for (int const gamma : of.gammas()) {
    auto priced = of.speedup_at(gamma);
    if (!priced) break;
    if (curve.speedups.empty()) curve.speedups.push_back(certain(1, priced->speedup.sample));  // of plain decoding
    GammaRow row = row_of(gamma, of.tokens_per_round(of.main, gamma)->value, of.costs);
    row.speedup = priced->speedup.value;  // to the last digit what it is elsewhere
    row.interval = interval_within(priced->speedup, confidence, priced->speedup_limits);
    if (gamma == of.best->gamma) curve.best = curve.rows.size();
    curve.rows.push_back(row);
    curve.speedups.push_back(std::move(priced->speedup));
  }
  for (std::size_t g = 0; g < curve.rows.size(); ++g) {
    GammaRow& row = curve.rows[g];
    auto const gamma = static_cast<int>(row.gamma);
    if (g != curve.best) row.lead = delta_interval(curve.speedups[curve.best] - curve.speedups[g], confidence);
    if (of.estimates.options().resamples > 0 && of.estimates.texts() > 1) {
      auto const won = of.best->p_best.find(gamma);
      row.p_best = won == of.best->p_best.end() ? 0 : won->second;
    }
    if (of.gamma_set) row.may_be_best = std::ranges::binary_search(of.gamma_set->gammas, gamma);
  }
  return curve;
}

/// β in each context, of an argmax draft p(argmax q); empty where it is not recorded, and at T = 0, where it says
/// whether the text's own draft is kept.
std::vector<std::vector<double>> beta_of(Study const& of) {
  std::vector<std::vector<double>> all;
  if (of.recorded.trace.temperature == 0.) return all;
  for (TextTrace const& text : of.recorded.trace.texts) {
    all.push_back(of.main.card->drafts_argmax ? text.p_of_argmax_q : text.beta);
    if (all.back().empty()) return {};
  }
  return all;
}

std::vector<PolicyRow> policies_of(Study const& of, double confidence) {
  if (!of.main.card->kept) return {};
  RecordedTexts const recorded(of.recorded.trace, of.estimates, *of.main.card);
  auto const context = beta_of(of);
  TextPolicyOptions const how{of.costs, of.gammas().back(), of.estimates.options().bonus};
  std::vector<PolicyRow> rows =
      adapting_rows(recorded.at(of.costs, of.best->gamma), of.estimates.sample(), confidence);
  // Of one text policies have no intervals: the best γ beside them is that of the whole, without the errors of parts.
  auto const whole = text_speedup(of.estimates, of.main, of.best->gamma, of.costs);  // none of plain decoding
  TextEstimate const best = whole ? whole->speedup : certain(1, of.estimates.sample());
  for (TextPolicyGain const& gain : text_policies(of.estimates, recorded.accepted(), context, how, best))
    rows.push_back({words_of(gain.policy),
                    gain.speedup.value,
                    {},
                    interval_within(gain.speedup, confidence, positive),
                    delta_interval(gain.over_best, confidence)});
  return rows;
}

}  // namespace

GammaRow row_of(std::int64_t gamma, double tokens, Costs const& costs) {
  double const time = time_of_round(costs, gamma);
  return {gamma, tokens, time, tokens / time, costs.extrapolates(gamma + 1)};
}

std::vector<GammaRow> rows_of(std::span<double const> tokens, Costs const& costs) {
  std::vector<GammaRow> rows;
  for (std::size_t g = 0; g < tokens.size(); ++g)
    rows.push_back(row_of(static_cast<std::int64_t>(g), tokens[g], costs));
  return rows;
}

std::vector<double> speedups_of(std::span<GammaRow const> rows) { return speedups_of(rows, &GammaRow::speedup); }

std::optional<GammaRunnerUp> runner_up_in(std::span<GammaRow const> rows, std::size_t best,
                                          std::span<TextEstimate const> speedups, double have) {
  auto const second = runner_up(speedups_of(rows), best);
  if (!second || !rows[*second].lead) return std::nullopt;
  TextEstimate const lead = speedups[best] - speedups[*second];
  return runner_up_of(static_cast<int>(rows[*second].gamma), *rows[*second].lead, lead.standard_error(), have);
}

std::vector<PolicyRow> adapting_rows(AdaptingTexts const& texts, std::shared_ptr<TextSample const> const& sample,
                                     double confidence) {
  std::vector<PolicyRow> rows;
  for (AdaptingGain const& gain : adapting_gains(texts, sample)) {
    PolicyRow& row =
        rows.emplace_back(PolicyRow{{gain.policy->name, gain.policy->summary}, gain.speedup.value, gain.mean_drafts});
    if (gain.range) std::tie(row.low, row.high) = *gain.range;
    if (gain.by_order) continue;
    row.interval = interval_within(gain.speedup, confidence, positive);
    row.over_best = delta_interval(gain.over_best, confidence);
  }
  return rows;
}

std::vector<PolicyRow> long_run_policies(std::span<double const> survival, Costs const& costs, bool bonus) {
  std::vector<PolicyRow> rows;
  for (DraftPolicy const policy : draft_policies) {
    if (policy == DraftPolicy::renewal_reward || policy == DraftPolicy::per_round_oracle) continue;
    PolicyGain const gain = long_run(policy, survival, costs, bonus);
    rows.push_back({words_of(policy), gain.speedup, gain.mean_drafts});
  }
  return rows;
}

std::optional<GammaChoice> choose_gamma(Study const& study, double confidence, double near_optimal) {
  if (!study.best_at_costs()) return std::nullopt;
  Curve curve = curve_of(study, confidence);
  std::vector<double> const speedups = speedups_of(curve.rows);
  auto runner_up =
      runner_up_in(curve.rows, curve.best, curve.speedups, static_cast<double>(study.estimates.tokens()));
  return GammaChoice{std::move(curve.rows), curve.best, near_best(speedups, near_optimal), std::move(runner_up),
                     policies_of(study, confidence)};
}

}  // namespace draftgauge
