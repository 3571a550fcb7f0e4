#include "analysis/verifier/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/stats/goodness.h"
#include "analysis/verifier/tv_lower.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::optional<NearestRule> nearest_of(VerifierGame const& game, std::vector<KnownRule> const& known, bool lossy) {
  std::vector<std::uint64_t> const& counts = game.emitted();
  auto const n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::vector<double> shares;
  for (std::uint64_t const count : counts) shares.push_back(static_cast<double>(count) / n);
  std::optional<NearestRule> nearest;
  KnownRule const* found = nullptr;
  for (KnownRule const& rule : known) {
    if (rule.lossless() == lossy) continue;
    if (found && distance(shares, rule.emitted) >= distance(shares, found->emitted) - KnownRule::rounding) continue;
    double const p_value = g_test(counts, rule.emitted).p_value;
    if (p_value < NearestRule::fits_from) continue;
    found = &rule;
    nearest = {rule.name, p_value, {}};
  }
  for (KnownRule const& rule : known)
    if (found && &rule != found && distance(rule.emitted, found->emitted) < KnownRule::rounding)
      nearest->same.push_back(rule.name);
  return nearest;
}

/// Over all beginnings of texts: the shorter is the more telling where both say as much.
std::optional<VerifierCounterexample> most_unlike(VerifierGame const& game, std::vector<std::uint64_t> counts,
                                                  std::span<double const> target) {
  std::uint32_t const vocab = game.cells().vocab;
  auto const n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::vector<double> law(target.begin(), target.end());
  std::optional<VerifierCounterexample> worst;
  for (int length = game.cells().length; length >= 1; --length) {
    for (std::size_t cell = 0; cell < law.size(); ++cell) {
      double const expected = n * law[cell], observed = static_cast<double>(counts[cell]);
      bool const impossible = law[cell] == 0 && counts[cell] > 0;
      double const z = impossible      ? std::numeric_limits<double>::infinity()
                       : expected >= 5 ? (observed - expected) / std::sqrt(expected * (1 - law[cell]))
                                       : 0;
      bool const worse =
          !worst || std::abs(z) > std::abs(worst->z) ||
          (impossible && std::isinf(worst->z) &&
           (worst->tokens.size() > static_cast<std::size_t>(length) || counts[cell] > worst->observed));
      if (z == 0 || !worse) continue;
      auto [start, tokens] = game.cells().beginning(cell, length);
      worst = {start, std::move(tokens), counts[cell], expected, z};
    }
    drop_last_token(counts, vocab);
    drop_last_token(law, vocab);
  }
  return worst;
}

bool share_noise(VerifierGame const& game, Goodness const& texts, Goodness const& first_rounds, double power) {
  if (texts.impossible || first_rounds.cells < 2 || first_rounds.p_value < NearestRule::fits_from) return false;
  double const above = texts.statistic / texts.correction - static_cast<double>(texts.cells - 1);
  double const hidden = detectable_noncentrality(first_rounds.cells, NearestRule::fits_from, power);
  return above > hidden * std::pow(VerifierVerdict::shared_from, game.cells().rounds - 1);
}

/// Where no round strayed: what is emitted beside the drafts may meet them again, which the ceiling does not allow for.
bool above(double ceiling, VerifierGame const& game, double mean_accepted, double false_alarm) {
  auto const& accepted = game.accepted();
  auto const n = static_cast<double>(std::accumulate(accepted.begin(), accepted.end(), std::uint64_t{0}));
  double const off = game.cells().gamma * std::sqrt(-std::log(false_alarm) / (2 * n));
  return game.strayed() == 0 && mean_accepted - off > ceiling;
}

}  // namespace

VerifierPlan plan_audit(std::span<double const> target, std::vector<KnownRule> const& known,
                        VerifierAsked const& asked) {
  VerifierPlan plan{draws_to_detect(target, asked.tv, asked.false_alarm, asked.power),
                    draws_to_certify(target, asked.tv, asked.power),
                    {}};
  for (KnownRule const& rule : known) {
    if (!rule.name.starts_with("faulty/")) continue;
    plan.faults.push_back({rule.name, rule.summary, rule.tv, std::nullopt});
    if (!rule.lossless())
      plan.faults.back().rounds = draws_to_find(target, rule.texts, asked.false_alarm, asked.power);
  }
  return plan;
}

VerifierVerdict judge_verifier(VerifierGame const& game, std::span<double const> target,
                               std::vector<KnownRule> const& known, VerifierAsked const& asked) {
  std::vector<std::uint64_t> const counts = game.texts();
  Goodness const test = g_test(counts, target);
  if (test.draws == 0) throw UsageError("no round was played (there is nothing to judge)", "play one or more");
  RatioSums sums{};  // a trial is a round
  for (std::size_t kept = 0; kept < game.accepted().size(); ++kept) sums.add(kept, 1, game.accepted()[kept]);
  VerifierVerdict verdict{.lossless = {},
                          .test = test,
                          .certificate = *certify(counts, target, asked.power),
                          .tv_at_least = tv_at_least(game.texts(0), game.texts(1), target, 1 - asked.false_alarm),
                          .detectable = detectable_tv(test, asked.false_alarm, asked.power),
                          .mean_accepted = static_cast<double>(sums.tokens) / static_cast<double>(sums.rounds),
                          .accepted = ratio_interval(sums, .95),
                          .first_rounds = {},
                          .nearest = {},
                          .counterexample = {}};
  verdict.above_ceiling =
      asked.ceiling && above(*asked.ceiling, game, verdict.mean_accepted, asked.false_alarm / 1000);
  bool const lossy = asked.shown_lossy || test.p_value < asked.false_alarm || verdict.above_ceiling;
  bool const near =
      verdict.certificate.tv_at_most <= asked.tv || (verdict.detectable && *verdict.detectable <= asked.tv);
  if (lossy || near) verdict.lossless = !lossy;
  if (game.cells().rounds > 1)
    verdict.first_rounds = g_test(game.first_rounds(), target_texts(game.tables(), game.cells().single()));
  verdict.shares_noise = lossy && verdict.first_rounds && share_noise(game, test, *verdict.first_rounds, asked.power);
  verdict.nearest = nearest_of(game, known, lossy && !verdict.shares_noise);
  if (lossy) verdict.counterexample = most_unlike(game, std::move(counts), target);
  return verdict;
}

}  // namespace draftgauge
