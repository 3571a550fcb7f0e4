#include "analysis/texts/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// A difference before the family is known.
struct Pair {
  std::size_t first, second;
  bool paired;
  double value, error, degrees;
  bool agree;

  // Where all texts agree, nothing says how far others would lie apart.
  double p_value() const {
    if (agree) return 1;
    return 2 * student_tail(std::abs(value) / error, degrees);
  }
  double radius(double tail) const { return agree ? HUGE_VAL : error * student_quantile(tail, degrees); }
};

std::optional<Pair> paired(std::size_t i, std::size_t j, TextEstimate const& a, TextEstimate const& b) {
  TextEstimate const difference = b - a;
  return Pair{
      i, j, true, difference.value, difference.standard_error(), a.sample->degrees(), difference.texts_agree()};
}

std::optional<Pair> unpaired(std::size_t i, std::size_t j, TextEstimate const& a, TextEstimate const& b) {
  auto const difference = unpaired_difference(a, b);
  if (!difference) return std::nullopt;
  return Pair{i, j, false, difference->value, difference->error, difference->degrees, false};
}

/// Whether a column of numbers tells a text from others: many must differ, as at temperature 0 every log p is 0, and a
/// text may repeat one token.
template <auto column>
bool tells(TextTrace const& text) {
  auto const& numbers = text.*column;
  return numbers.size() >= 16 && std::set(numbers.begin(), numbers.end()).size() >= 8;
}

/// Texts that were met, told apart by one column.
template <auto column>
class Met {
 public:
  bool has(TextTrace const& text) const { return tells<column>(text) && texts_.contains(&text); }
  /// Whether it is new.
  bool add(TextTrace const& text) { return !tells<column>(text) || texts_.insert(&text).second; }

 private:
  struct Less {
    bool operator()(TextTrace const* a, TextTrace const* b) const { return a->*column < b->*column; }
  };
  std::set<TextTrace const*, Less> texts_;
};

template <auto column>
std::size_t count_shared(TokenTrace const& a, TokenTrace const& b) {
  Met<column> met;
  for (TextTrace const& text : b.texts) met.add(text);
  return static_cast<std::size_t>(std::ranges::count_if(a.texts, [&](auto const& text) { return met.has(text); }));
}

template <auto column>
std::size_t count_repeated(TokenTrace const& trace) {
  Met<column> met;
  return static_cast<std::size_t>(std::ranges::count_if(trace.texts, [&](auto& text) { return !met.add(text); }));
}

bool has_tokens(TokenTrace const& trace) { return all_have(trace, &TextTrace::tokens); }

/// The greatest of (m − k + 1) p_(k) over the ordered p-values up to one's own, at most 1.
void adjust(std::vector<TextComparison>& family) {
  std::vector<std::size_t> order(family.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return family[k].p_value; });
  double greatest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    greatest = std::max(greatest, static_cast<double>(order.size() - k) * family[order[k]].p_value);
    family[order[k]].holm = std::min(1.0, greatest);
  }
}

}  // namespace

std::vector<TextComparison> compare(std::span<TokenTrace const> recordings, std::span<TextEstimates const> estimates,
                                    Estimator estimator, int gamma, double family_confidence) {
  std::vector<TokenTrace const*> trace;
  std::vector<TextEstimate const*> figures;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    trace.push_back(&recordings[i]);
    figures.push_back(estimates[i].tokens_per_round(estimator, gamma));
  }
  return compare(trace, figures, family_confidence);
}

std::vector<TextComparison> compare(std::span<TokenTrace const* const> recordings,
                                    std::span<TextEstimate const* const> figures, double family_confidence) {
  require_confidence(family_confidence);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < figures.size(); ++i)
    for (std::size_t j = i + 1; j < figures.size(); ++j) {
      TextEstimate const *const a = figures[i], *const b = figures[j];
      if (!a || !b || a->texts() < 2 || b->texts() < 2) continue;
      bool const same = same_texts(*recordings[i], *recordings[j]);
      if (!same && shared_texts(*recordings[i], *recordings[j]) > 0) continue;
      auto const pair = same ? paired(i, j, *a, *b) : unpaired(i, j, *a, *b);
      if (pair) pairs.push_back(*pair);
    }
  double const tail = (1 - family_confidence) / 2 / static_cast<double>(std::max<std::size_t>(1, pairs.size()));
  std::vector<TextComparison> family;
  for (Pair const& pair : pairs) {
    family.push_back({pair.first, pair.second, pair.paired,
                      symmetric(pair.value, pair.radius(tail), family_confidence), pair.p_value(), 1});
  }
  adjust(family);
  return family;
}

std::string comparison_text(TextComparison const& comparison, std::span<TextEstimates const> estimates) {
  Interval const& difference = comparison.difference;
  double const radius = difference.high - difference.value;
  return fmt::format("{} over {}: {:+.3f}{} tokens per round", estimates[comparison.second].name(),
                     estimates[comparison.first].name(), difference.value,
                     std::isfinite(radius) ? fmt::format(" ± {:.3f}", radius) : "");
}

bool same_texts(TokenTrace const& a, TokenTrace const& b) {
  bool const by_tokens = has_tokens(a) && has_tokens(b);
  if (!by_tokens && std::ranges::none_of(a.texts, tells<&TextTrace::log_p>)) return false;
  return std::ranges::equal(a.texts, b.texts, [&](TextTrace const& one, TextTrace const& other) {
    return one.name == other.name && (by_tokens ? one.tokens == other.tokens : one.log_p == other.log_p);
  });
}

bool could_be_same_texts(TokenTrace const& a, TokenTrace const& b) {
  if ((has_tokens(a) && has_tokens(b)) || same_texts(a, b)) return false;
  return std::ranges::equal(a.texts, b.texts, [](TextTrace const& one, TextTrace const& other) {
    return one.name == other.name && one.size() == other.size();
  });
}

std::size_t shared_texts(TokenTrace const& a, TokenTrace const& b) {
  return has_tokens(a) && has_tokens(b) ? count_shared<&TextTrace::tokens>(a, b)
                                        : count_shared<&TextTrace::log_p>(a, b);
}

std::size_t repeated_texts(TokenTrace const& trace) {
  return has_tokens(trace) ? count_repeated<&TextTrace::tokens>(trace) : count_repeated<&TextTrace::log_p>(trace);
}

TokenTrace self_pair(TokenTrace const& plain, TokenTrace const& again) {
  if (plain.texts.size() != again.texts.size())
    throw InputError(
        fmt::format(
            "{} has {} texts and {} has {} (self-divergence compares what one model says of the same text twice)",
            plain.name, plain.texts.size(), again.name, again.texts.size()),
        "record the same texts");
  if (plain.temperature == 0.)
    throw InputError(fmt::format("{} is greedy text (self-divergence is a mean over text that p wrote)", plain.name),
                     "sample some at the temperature of the columns");
  TokenTrace pair;
  pair.name = plain.name + ", " + again.name;
  pair.temperature = plain.temperature;
  pair.estimated_as = plain.estimated_as;
  for (TokenTrace const* side : {&plain, &again})
    pair.files.insert(pair.files.end(), side->files.begin(), side->files.end());
  for (std::size_t i = 0; i < plain.texts.size(); ++i) {
    TextTrace const &one = plain.texts[i], &other = again.texts[i];
    if (one.tokens.empty() || other.tokens.empty())
      throw InputError(fmt::format("text {} of {} has no tokens (self-divergence compares what one model says of the "
                                   "same text twice, and without tokens nobody can tell that it is the same)",
                                   one.name, one.tokens.empty() ? plain.name : again.name),
                       "record them");
    if (one.tokens != other.tokens) {
      auto const at = std::ranges::mismatch(one.tokens, other.tokens).in1 - one.tokens.begin();
      throw InputError(fmt::format("text {} of {} and text {} of {} part at token {} (self-divergence compares what "
                                   "one model says of the same text twice)",
                                   one.name, plain.name, other.name, again.name, at + 1),
                       "record the same texts");
    }
    if (one.log_p.empty() || other.log_p.empty())
      throw InputError(fmt::format("text {} of {} has no log p (self-divergence is a mean of p′/p)", one.name,
                                   one.log_p.empty() ? plain.name : again.name),
                       "record it");
    TextTrace text;
    text.name = one.name;
    text.tokens = one.tokens;
    text.log_p = one.log_p;
    text.log_q = other.log_p;
    pair.texts.push_back(std::move(text));
  }
  return pair;
}

TextEstimate floor_distance(TextEstimates const& self) {
  if (!self.alpha())
    throw InputError(
        fmt::format("{}: self-divergence {} (it is 1 − Σ min(p, p′))", self.name(), self.why_not(Estimator::iid)));
  return *self.alpha() * -1. + 1.;
}

}  // namespace draftgauge
