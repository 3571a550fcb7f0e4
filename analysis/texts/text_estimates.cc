#include "analysis/texts/text_estimates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "analysis/replay/replay.h"
#include "analysis/stats/counted.h"
#include "analysis/texts/eq1_estimate.h"
#include "analysis/theory/closed_form.h"
#include "sim/base/error.h"
#include "sim/rules/token.h"

namespace draftgauge {
namespace {

bool all_have(TokenTrace const& scores, auto TextScores::* field) {
  return std::ranges::all_of(scores.texts, [&](TextScores const& text) { return !(text.*field).empty(); });
}

std::string blame(TokenTrace const& scores, TextScores const& text, std::size_t t) {
  return fmt::format("{}, text {}, token {}", scores.name, text.name, t + 1);
}

void require_sizes(TokenTrace const& scores) {
  for (TextScores const& text : scores.texts) {
    if (text.size() == 0)
      throw InputError(
          fmt::format("{}, text {} has no tokens (every text counts as a sample)", scores.name, text.name),
          "leave it out");
    auto const fits = [&](auto const& column) { return column.empty() || column.size() == text.size(); };
    if (!(fits(text.log_p) && fits(text.log_q) && fits(text.beta) && fits(text.beta_low) && fits(text.beta_high) &&
          fits(text.hit)))
      throw std::logic_error("a column of a text has not one entry a token");
  }
}

void require_probabilities(TokenTrace const& scores, std::vector<double> TextScores::* field, std::string_view what) {
  for (TextScores const& text : scores.texts)
    for (std::size_t t = 0; t < (text.*field).size(); ++t)
      if (double const x = (text.*field)[t]; !(x >= 0 && x <= 1))
        throw InputError(fmt::format("{}: {} is {} (it is a probability)", blame(scores, text, t), what, x),
                         "expected a number from 0 to 1");
}

std::vector<double> as_numbers(std::vector<std::uint8_t> const& hits) { return {hits.begin(), hits.end()}; }

/// ln q − ln p; none where p excludes a token. Domain: both columns are there.
std::optional<std::vector<double>> log_ratios(TokenTrace const& scores, TextScores const& text) {
  std::vector<double> ratios;
  for (std::size_t t = 0; t < text.size(); ++t) {
    double const p = text.log_p[t], q = text.log_q[t];
    for (auto const& [value, what] : {std::pair(p, "log p"), std::pair(q, "log q")})
      if (!(value <= 0))
        throw InputError(
            fmt::format("{}: {} is {} (it is the logarithm of a probability)", blame(scores, text, t), what, value),
            "expected 0 or less");
    if (std::isinf(p)) return std::nullopt;
    ratios.push_back(q - p);
  }
  return ratios;
}

}  // namespace

std::string_view name(Estimator estimator) {
  switch (estimator) {
    case Estimator::iid: return "iid";
    case Estimator::survival: return "survival";
    case Estimator::replay: return "replay";
    case Estimator::replay_block: return "replay_block";
    case Estimator::simulated: return "simulated";
    case Estimator::replay_argmax: break;
  }
  return "replay_argmax";
}

TextEstimates::TextEstimates(TokenTrace const& scores, EstimateOptions const& options)
    : name_(scores.name), options_(options) {
  if (scores.texts.empty())
    throw InputError(fmt::format("{} holds no text (there is nothing to estimate from)", scores.name), "record some");
  for (int const gamma : options.gammas)
    if (gamma < 1)
      throw UsageError(fmt::format("`gamma` is {} (a round drafts a token at least)", gamma), "give 1 or more");
  require_sizes(scores);
  require_probabilities(scores, &TextScores::beta, "beta");
  require_probabilities(scores, &TextScores::beta_low, "the lower bound of beta");
  require_probabilities(scores, &TextScores::beta_high, "the upper bound of beta");
  std::vector<double> lengths;
  for (TextScores const& text : scores.texts) lengths.push_back(static_cast<double>(text.size()));
  sample_ = std::make_shared<TextSample const>(std::move(lengths), options.resamples, options.seed);
  if (all_have(scores, &TextScores::hit))
    for (TextScores const& text : scores.texts) hits_.push_back(as_numbers(text.hit));
  read_acceptance(scores);
  estimate_alpha(scores);
  estimate_tokens();
}

void TextEstimates::read_acceptance(TokenTrace const& scores) {
  acceptance_.resize(scores.texts.size());
  if (all_have(scores, &TextScores::beta))
    for (std::size_t i = 0; i < scores.texts.size(); ++i) acceptance_[i].beta = scores.texts[i].beta;
  if (!all_have(scores, &TextScores::log_p) || !all_have(scores, &TextScores::log_q)) {
    why_no_a_ = "needs log p and log q of the tokens";
    return;
  }
  for (std::size_t i = 0; i < scores.texts.size(); ++i) {
    auto ratios = log_ratios(scores, scores.texts[i]);
    if (!ratios) {
      for (TextAcceptance& text : acceptance_) text.a.clear(), text.log_ratio.clear();
      why_no_a_ = "needs text of the distribution p itself: p excludes a token of it";
      return;
    }
    for (double const ratio : *ratios) acceptance_[i].a.push_back(rules::TokenRule::Replay().kept(ratio));
    acceptance_[i].log_ratio = std::move(*ratios);
  }
}

void TextEstimates::estimate_alpha(TokenTrace const& scores) {
  auto const mean = [&](auto TextAcceptance::* field) -> std::optional<TextEstimate> {
    std::vector<std::vector<double>> columns;
    for (TextAcceptance const& text : acceptance_) columns.push_back(text.*field);
    if (columns.front().empty()) return std::nullopt;
    return mean_over_tokens(columns);
  };
  mean_a_ = mean(&TextAcceptance::a);
  alpha_ = mean(&TextAcceptance::beta);
  alpha_from_ = "beta";
  auto const bounds = [&](std::vector<double> TextScores::* field) {
    std::vector<std::vector<double>> columns;
    for (TextScores const& text : scores.texts) columns.push_back(text.*field);
    return mean_over_tokens(columns);
  };
  if (!alpha_ && all_have(scores, &TextScores::beta_low) && all_have(scores, &TextScores::beta_high))
    alpha_bounds_ = Bounds{bounds(&TextScores::beta_low), bounds(&TextScores::beta_high)};
  if (!alpha_ && mean_a_) {
    alpha_ = mean_a_;
    alpha_from_ = "a";
  }
}

std::size_t TextEstimates::tokens() const {
  return static_cast<std::size_t>(std::accumulate(sample_->lengths().begin(), sample_->lengths().end(), 0.0));
}

bool TextEstimates::has_room(int gamma) const {
  double const longest = static_cast<double>(theory::longest_round(gamma, options_.bonus));
  double all = 0, long_enough = 0;
  for (double const length : sample_->lengths()) {
    all += length;
    if (length >= longest) long_enough += length;
  }
  return 2 * long_enough >= all;
}

TextEstimate TextEstimates::mean_over_tokens(std::span<std::vector<double> const> per_token) const {
  std::vector<double> sums;
  for (std::vector<double> const& text : per_token) sums.push_back(std::accumulate(text.begin(), text.end(), 0.0));
  return mean_over_texts(sums, sample_) / mean_over_texts(sample_->lengths(), sample_);
}

void TextEstimates::estimate_survival() {
  int const deepest = options_.gammas.empty() ? 0 : std::ranges::max(options_.gammas);
  auto const depth = static_cast<std::size_t>(deepest);
  std::vector<std::vector<double>> sums(depth), starts(depth);  // [i − 1][text]
  for (TextAcceptance const& text : acceptance_) {
    std::vector<double> const& last = text.beta.empty() ? text.a : text.beta;
    std::vector<double> sum(depth);
    for (std::size_t t = 0; t < text.a.size(); ++t) {
      double reached = 1;
      for (std::size_t i = 0; i < depth && t + i < text.a.size(); ++i) {
        sum[i] += reached * last[t + i];
        reached *= text.a[t + i];
      }
    }
    for (std::size_t i = 0; i < depth; ++i) {
      sums[i].push_back(sum[i]);
      starts[i].push_back(text.a.size() > i ? static_cast<double>(text.a.size() - i) : 0);
    }
  }
  for (std::size_t i = 0; i < depth && std::ranges::max(starts[i]) > 0; ++i)
    survival_.push_back(mean_over_texts(sums[i], sample_) / mean_over_texts(starts[i], sample_));
  for (int const gamma : options_.gammas) {
    auto const drafts = static_cast<std::size_t>(theory::longest_round(gamma, options_.bonus) - 1);
    if (drafts > survival_.size()) continue;
    TextEstimate sum = survival_.front() * 0. + 1.;
    for (std::size_t i = 0; i < drafts; ++i) sum = sum + survival_[i];
    set(Estimator::survival, gamma, std::move(sum));
  }
}

void TextEstimates::replay_rule(Estimator estimator, auto const& rounds_of_text) {
  for (int const gamma : options_.gammas) {
    if (!has_room(gamma)) continue;
    std::vector<double> rounds;
    for (std::size_t i = 0; i < texts(); ++i)
      rounds.push_back(rounds_of_text(i, RoundShape{gamma, 1, options_.bonus}));
    set(estimator, gamma, mean_over_texts(sample_->lengths(), sample_) / mean_over_texts(rounds, sample_));
  }
}

void TextEstimates::toss_coins() {
  std::vector<std::vector<double>> rounds(options_.gammas.size(), std::vector<double>(texts()));
  for (std::size_t i = 0; i < texts(); ++i)
    for (std::size_t k = 0; k < options_.coin_runs; ++k) {
      CoinRun const run(acceptance_[i].a, options_.seed, i * options_.coin_runs + k);
      for (std::size_t g = 0; g < rounds.size(); ++g)
        rounds[g][i] += static_cast<double>(run.rounds({options_.gammas[g], 1, options_.bonus}));
    }
  auto const runs = static_cast<double>(options_.coin_runs);
  for (std::size_t g = 0; g < rounds.size(); ++g)
    if (has_room(options_.gammas[g]))
      set(Estimator::simulated, options_.gammas[g],
          mean_over_texts(sample_->lengths(), sample_) * runs / mean_over_texts(rounds[g], sample_));
}

void TextEstimates::estimate_tokens() {
  if (alpha_)
    for (int const gamma : options_.gammas) set(Estimator::iid, gamma, through_eq1(*alpha_, gamma, options_.bonus));
  if (!hits_.empty())
    replay_rule(Estimator::replay_argmax,
                [&](std::size_t i, RoundShape const& shape) { return token_rounds(hits_[i], shape).mean.front(); });
  if (!why_no_a_.empty()) return;
  estimate_survival();
  replay_rule(Estimator::replay, [&](std::size_t i, RoundShape const& shape) {
    return token_rounds(acceptance_[i].a, shape).mean.front();
  });
  replay_rule(Estimator::replay_block, [&](std::size_t i, RoundShape const& shape) {
    return block_rounds(acceptance_[i].log_ratio, shape).mean.front();
  });
  if (options_.coin_runs > 0) toss_coins();
}

void TextEstimates::set(Estimator estimator, int gamma, TextEstimate estimate) {
  tokens_per_round_.insert_or_assign({estimator, gamma}, std::move(estimate));
}

TextEstimate const* TextEstimates::tokens_per_round(Estimator estimator, int gamma) const {
  auto const found = tokens_per_round_.find({estimator, gamma});
  return found == tokens_per_round_.end() ? nullptr : &found->second;
}

std::optional<TextEstimate> TextEstimates::survival(int i) const {
  if (i < 1 || static_cast<std::size_t>(i) > survival_.size()) return std::nullopt;
  return survival_[static_cast<std::size_t>(i - 1)];
}

std::string TextEstimates::why_not(Estimator estimator) const {
  switch (estimator) {
    case Estimator::iid:
      if (alpha_) return "";
      return alpha_bounds_ ? "has only bounds of beta" : "needs beta, or " + why_no_a_.substr(sizeof "needs");
    case Estimator::survival: return why_no_a_.empty() ? why_short(0) : why_no_a_;
    case Estimator::replay_argmax: return hits_.empty() ? "needs the hits of argmax q" : why_short(1);
    case Estimator::simulated:
      if (options_.coin_runs == 0) return "was not asked for any run";
      [[fallthrough]];
    default: return why_no_a_.empty() ? why_short(1) : why_no_a_;
  }
}

std::string TextEstimates::why_short(int beyond) const {
  if (options_.gammas.empty()) return "";
  int const gamma = std::ranges::min(options_.gammas);
  auto const least = theory::longest_round(gamma, options_.bonus) - 1 + beyond;
  bool const one_fits = std::ranges::max(sample_->lengths()) >= static_cast<double>(least);
  if (beyond > 0 ? has_room(gamma) : one_fits) return "";
  return fmt::format("{} of {}, which a round of {} may {}",
                     one_fits ? "has fewer than half of its tokens in texts" : "needs a text",
                     counted(static_cast<std::uint64_t>(least), "token"),
                     counted(static_cast<std::uint64_t>(gamma), "draft"), beyond > 0 ? "emit" : "accept");
}

std::optional<TextEstimates::Bounds> TextEstimates::iid_bounds(int gamma) const {
  if (!alpha_bounds_) return std::nullopt;
  return Bounds{through_eq1(alpha_bounds_->low, gamma, options_.bonus),
                through_eq1(alpha_bounds_->high, gamma, options_.bonus)};
}

std::optional<BoundedInterval> bounded_interval(TextEstimates::Bounds const& bounds, double confidence) {
  if (bounds.low.texts() < 2) return std::nullopt;
  auto const low = delta_interval(bounds.low, confidence), high = delta_interval(bounds.high, confidence);
  return BoundedInterval{low ? low->low : bounds.low.value, high ? high->high : bounds.high.value, confidence};
}

TokenTrace pooled(std::span<TokenTrace const> recordings, std::string name) {
  TokenTrace all;
  all.name = std::move(name);
  if (!recordings.empty()) {
    all.temperature = recordings.front().temperature;
    all.top_k = recordings.front().top_k;
    all.top_p = recordings.front().top_p;
    all.estimated_as = recordings.front().estimated_as;
  }
  for (TokenTrace const& recording : recordings) {
    if (recording.temperature != all.temperature) all.temperature.reset();
    for (TextScores text : recording.texts) {
      text.name = recording.name + "/" + text.name;
      all.texts.push_back(std::move(text));
    }
    all.files.insert(all.files.end(), recording.files.begin(), recording.files.end());
    all.notes.insert(all.notes.end(), recording.notes.begin(), recording.notes.end());
  }
  return all;
}

}  // namespace draftgauge
