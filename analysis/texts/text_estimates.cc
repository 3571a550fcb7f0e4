#include "analysis/texts/text_estimates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "analysis/stats/counted.h"
#include "analysis/texts/eq1_estimate.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"
#include "sim/rules/token.h"

namespace draftgauge {
namespace {

std::string blame(TokenTrace const& trace, TextTrace const& text, std::size_t t) {
  return fmt::format("{}, text {}, token {}", trace.name, text.name, t + 1);
}

void require_sizes(TokenTrace const& trace) {
  for (TextTrace const& text : trace.texts) {
    if (text.size() == 0)
      throw InputError(
          fmt::format("{}, text {} has no tokens (every text counts as a sample)", trace.name, text.name),
          "leave it out");
    auto const fits = [&](auto const& column) { return column.empty() || column.size() == text.size(); };
    if (!(fits(text.log_p) && fits(text.log_q) && fits(text.beta) && fits(text.beta_low) && fits(text.beta_high) &&
          fits(text.argmax_match)))
      throw std::logic_error("a column of a text has not one entry a token");
  }
}

void require_probabilities(TokenTrace const& trace, std::vector<double> TextTrace::* field, std::string_view what) {
  for (TextTrace const& text : trace.texts)
    for (std::size_t t = 0; t < (text.*field).size(); ++t)
      if (double const x = (text.*field)[t]; !(x >= 0 && x <= 1))
        throw InputError(fmt::format("{}: {} is {} (it is a probability)", blame(trace, text, t), what, x),
                         "expected a number from 0 to 1");
}

std::vector<double> as_numbers(std::vector<std::uint8_t> const& argmax_matches) {
  return {argmax_matches.begin(), argmax_matches.end()};
}

/// ln q − ln p; none where p excludes a token. Domain: both columns are there.
std::optional<std::vector<double>> log_ratios(TokenTrace const& trace, TextTrace const& text) {
  std::vector<double> ratios;
  for (std::size_t t = 0; t < text.size(); ++t) {
    double const p = text.log_p[t], q = text.log_q[t];
    for (auto const& [value, what] : {std::pair(p, "log p"), std::pair(q, "log q")})
      if (!(value <= 0))
        throw InputError(
            fmt::format("{}: {} is {} (it is the logarithm of a probability)", blame(trace, text, t), what, value),
            "expected 0 or less");
    if (std::isinf(p)) return std::nullopt;
    ratios.push_back(q - p);
  }
  return ratios;
}

}  // namespace

std::vector<int> gammas_to(int longest) {
  std::vector<int> gammas(static_cast<std::size_t>(longest));
  std::iota(gammas.begin(), gammas.end(), 1);
  return gammas;
}

void require_resamples(std::size_t resamples, std::string_view made) {
  if (resamples > 0 && resamples < fewest_resamples)
    throw UsageError(fmt::format("`resamples` is {} ({} of so few would be mostly chance)", resamples, made),
                     fmt::format("give {} or more, or 0 for none", fewest_resamples));
}

TextEstimates::TextEstimates(TokenTrace const& trace, EstimateOptions const& options)
    : name_(trace.name), options_(options) {
  if (trace.texts.empty())
    throw InputError(fmt::format("{} holds no text (there is nothing to estimate from)", trace.name), "record some");
  for (int const gamma : options.gammas) require_drafted(gamma);
  require_sizes(trace);
  require_probabilities(trace, &TextTrace::beta, "beta");
  require_probabilities(trace, &TextTrace::beta_low, "the lower bound of beta");
  require_probabilities(trace, &TextTrace::beta_high, "the upper bound of beta");
  std::vector<double> lengths;
  for (TextTrace const& text : trace.texts) lengths.push_back(static_cast<double>(text.size()));
  sample_ = std::make_shared<TextSample const>(std::move(lengths), options.resamples, options.seed);
  if (all_have(trace, &TextTrace::argmax_match))
    for (TextTrace const& text : trace.texts) argmax_matches_.push_back(as_numbers(text.argmax_match));
  read_acceptance(trace);
  estimate_alpha(trace);
  if (why_no_a_.empty()) estimate_survival();
  for (Estimator const estimator : estimators()) {
    if (!why_not(estimator).empty()) continue;
    auto tokens = estimator.card->tokens(*this);
    for (std::size_t g = 0; g < tokens.size(); ++g)
      if (tokens[g]) tokens_per_round_.insert_or_assign({estimator, options.gammas[g]}, std::move(*tokens[g]));
  }
}

void TextEstimates::read_acceptance(TokenTrace const& trace) {
  acceptance_.resize(trace.texts.size());
  if (all_have(trace, &TextTrace::beta))
    for (std::size_t i = 0; i < trace.texts.size(); ++i) acceptance_[i].beta = trace.texts[i].beta;
  if (!all_have(trace, &TextTrace::log_p) || !all_have(trace, &TextTrace::log_q)) {
    why_no_a_ = "needs log p and log q of the tokens";
    return;
  }
  for (std::size_t i = 0; i < trace.texts.size(); ++i) {
    auto ratios = log_ratios(trace, trace.texts[i]);
    if (!ratios) {
      for (TextAcceptance& text : acceptance_) text.a.clear(), text.log_ratio.clear();
      why_no_a_ = "needs text of the distribution p itself: p excludes a token of it";
      return;
    }
    for (double const ratio : *ratios) acceptance_[i].a.push_back(rules::TokenRule::Replay().kept(ratio));
    acceptance_[i].log_ratio = std::move(*ratios);
  }
}

void TextEstimates::estimate_alpha(TokenTrace const& trace) {
  auto const mean = [&](auto TextAcceptance::* field) -> std::optional<TextEstimate> {
    std::vector<std::vector<double>> columns;
    for (TextAcceptance const& text : acceptance_) columns.push_back(text.*field);
    if (columns.front().empty()) return std::nullopt;
    return mean_over_tokens(columns);
  };
  mean_a_ = mean(&TextAcceptance::a);
  alpha_ = mean(&TextAcceptance::beta);
  auto const bounds = [&](std::vector<double> TextTrace::* field) {
    std::vector<std::vector<double>> columns;
    for (TextTrace const& text : trace.texts) columns.push_back(text.*field);
    return mean_over_tokens(columns);
  };
  if (!alpha_ && all_have(trace, &TextTrace::beta_low) && all_have(trace, &TextTrace::beta_high))
    alpha_bounds_ = Bounds{bounds(&TextTrace::beta_low), bounds(&TextTrace::beta_high)};
  if (!alpha_ && mean_a_) {
    alpha_ = mean_a_;
    alpha_from_beta_ = false;
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
}

TextEstimate const* TextEstimates::tokens_per_round(Estimator estimator, int gamma) const {
  auto const found = tokens_per_round_.find({estimator, gamma});
  return found == tokens_per_round_.end() ? nullptr : &found->second;
}

std::optional<TextEstimate> TextEstimates::survival(int i) const {
  if (i < 1 || static_cast<std::size_t>(i) > survival_.size()) return std::nullopt;
  return survival_[static_cast<std::size_t>(i - 1)];
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
    for (TextTrace text : recording.texts) {
      text.name = recording.name + "/" + text.name;
      all.texts.push_back(std::move(text));
    }
    all.files.insert(all.files.end(), recording.files.begin(), recording.files.end());
    all.notes.insert(all.notes.end(), recording.notes.begin(), recording.notes.end());
  }
  return all;
}

}  // namespace draftgauge
