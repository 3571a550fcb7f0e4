#include "analysis/greedy/greedy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>

#include "analysis/greedy/certificate.h"
#include "analysis/recordings/row_walk.h"
#include "analysis/texts/compare.h"
#include "analysis/texts/text_limits.h"
#include "analysis/texts/text_ratio.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// The most likely token, of equal ones the smallest, and the one after it.
struct TopTwo {
  std::size_t first, second;
};
TopTwo top_two(std::span<double const> z) {
  TopTwo top{0, z.size() > 1 ? std::size_t{1} : 0};
  if (z.size() > 1 && z[1] > z[0]) std::swap(top.first, top.second);
  for (std::size_t v = 2; v < z.size(); ++v) {
    if (z[v] > z[top.first])
      top = {v, top.first};
    else if (z[v] > z[top.second])
      top.second = v;
  }
  return top;
}

/// ln Σ exp z. At least one entry is finite.
double log_sum(std::span<double const> z) {
  double const most = *std::ranges::max_element(z);
  return most + std::log(std::transform_reduce(z.begin(), z.end(), 0., std::plus(),
                                               [&](double each) { return std::exp(each - most); }));
}

/// KL(p ‖ q) of the distributions that logits z and y give.
double divergence(std::span<double const> z, std::span<double const> y) {
  double const of_p = log_sum(z), of_q = log_sum(y);
  double sum = 0;
  for (std::size_t v = 0; v < z.size(); ++v) {
    double const log_p = z[v] - of_p;
    if (std::isinf(log_p)) continue;
    sum += std::exp(log_p) * (log_p - (y[v] - of_q));
  }
  return std::max(sum, 0.);
}

struct Position {
  double radius, kl;
  bool agree;
  std::optional<double> margin;  ///< of a text's token that is not argmax p
};

CountEstimate share_over_texts(std::vector<double> const& sums, std::shared_ptr<TextSample const> const& sample,
                               double confidence) {
  TextEstimate const of = mean_over_texts(sums, sample) / mean_over_texts(sample->lengths(), sample);
  return {.value = of.value, .interval = interval_within(of, confidence, share)};
}

/// By the column that says it, else by max p, with room for digits that were not written.
bool is_argmax(TextTrace const& text, std::size_t t) {
  constexpr double rounding = 1e-5;
  if (!text.top.empty()) return text.top[t] == 1;
  return text.max_p.empty() || std::log(text.max_p[t]) - text.log_p[t] <= rounding;
}

/// Without those that are not a number: a token that both recordings exclude says nothing of rounding.
double largest_of(std::vector<double> const& changes) {
  double largest = 0;
  for (double const change : changes)
    if (change > largest) largest = change;
  return largest;
}

/// Of changes, the largest over the median, without those that are 0 or infinite.
double outlier_of(std::vector<double> changes) {
  std::erase_if(changes, [](double change) { return change == 0 || !std::isfinite(change); });
  if (changes.empty()) return 1;
  auto const middle = changes.begin() + static_cast<std::ptrdiff_t>((changes.size() - 1) / 2);
  std::ranges::nth_element(changes, middle);
  return largest_of(changes) / *middle;
}

double log_odds(double log_p) { return log_p - std::log(-std::expm1(log_p)); }

}  // namespace

bool GreedySelfDivergence::plausible() const {
  constexpr double most_medians = 20;
  return largest < std::numbers::ln2 && outlier <= most_medians;
}

double GreedyText::certified_within(double kl) const {
  auto const beyond = radii.end() - std::upper_bound(radii.begin(), radii.end(), kl);
  return radii.empty() ? 0 : static_cast<double>(beyond) / static_cast<double>(radii.size());
}

std::size_t GreedyText::ties() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(mismatches, [](GreedyMismatch const& each) { return each.tie.value_or(false); }));
}

GreedyMismatch const* GreedyText::first_beyond() const {
  auto const found =
      std::ranges::find_if(mismatches, [](GreedyMismatch const& each) { return !each.tie.value_or(true); });
  return found == mismatches.end() ? nullptr : &*found;
}

GreedyText greedy_text(RowPairs& rows, bool greedy, double confidence, int threads,
                       std::function<void(std::uint64_t)> const& done) {
  std::vector<Position> positions(rows.target->layout().rows);
  bool const has_text = greedy && !rows.tokens.empty();
  walk_rows(
      rows, threads,
      [&](RowPlace const& at) {
        TopTwo const top = top_two(at.p);
        double const of_p = log_sum(at.p);
        Position& here = positions[at.row];
        double const p1 = std::exp(at.p[top.first] - of_p),
                     p2 = top.second == top.first ? 0 : std::exp(at.p[top.second] - of_p);
        here = {greedy_radius(std::min(p1, 1.), std::min(p2, p1)),
                divergence(at.p, at.q),
                top.first == top_two(at.q).first,
                {}};
        if (!has_text) return;
        auto const token = static_cast<std::size_t>(rows.tokens[at.row]);
        if (token != top.first) here.margin = at.p[top.first] - at.p[token];
      },
      done);
  GreedyText found{.tokens = positions.size()};
  std::vector<double> lengths, agree, certified;
  std::uint64_t row = 0;
  double kl = 0;
  for (std::size_t text = 0; text < rows.sequences.size(); ++text) {
    lengths.push_back(rows.sequences[text]);
    agree.push_back(0);
    certified.push_back(0);
    for (std::size_t t = 0; t < rows.sequences[text]; ++t, ++row) {
      Position const& at = positions[row];
      kl += at.kl;
      agree.back() += at.agree ? 1 : 0;
      certified.back() += at.kl < at.radius ? 1 : 0;
      found.radii.push_back(at.radius);
      if (at.margin) found.mismatches.push_back({text, t, row, *at.margin, {}});
    }
  }
  std::ranges::sort(found.radii);
  found.mean_kl = kl / static_cast<double>(found.tokens);
  auto const sample = std::make_shared<TextSample const>(std::move(lengths), 0, 0);
  found.accepted = share_over_texts(agree, sample, confidence);
  found.certified = share_over_texts(certified, sample, confidence);
  return found;
}

GreedySelfDivergence greedy_self_divergence(RowPairs& twice, int threads,
                                            std::function<void(std::uint64_t)> const& done) {
  std::uint64_t const n = twice.target->layout().rows;
  GreedySelfDivergence floor{.tokens = n};
  floor.again_picks_text.resize(n);
  std::vector<double> changes(n);
  std::vector<std::uint8_t> flips(n);
  walk_rows(
      twice, threads,
      [&](RowPlace const& at) {
        TopTwo const top = top_two(at.p), again = top_two(at.q);
        std::size_t const token = twice.tokens.empty() ? top.first : static_cast<std::size_t>(twice.tokens[at.row]);
        std::size_t const other = token == top.first ? top.second : token;
        changes[at.row] = std::abs((at.p[top.first] - at.p[other]) - (at.q[top.first] - at.q[other]));
        flips[at.row] = top.first != again.first;
        floor.again_picks_text[at.row] = again.first == token;
      },
      done);
  floor.largest = largest_of(changes);
  floor.outlier = outlier_of(std::move(changes));
  floor.flips = static_cast<std::uint64_t>(std::ranges::count(flips, 1));
  return floor;
}

std::optional<GreedyText> greedy_columns(TokenTrace const& as_written, double confidence) {
  GreedyText found;
  std::vector<double> lengths, agree;
  bool any_logarithm = false;
  for (std::size_t i = 0; i < as_written.texts.size(); ++i) {
    TextTrace const& text = as_written.texts[i];
    if (text.max_p.empty() || (text.beta.empty() && text.argmax_match.empty())) return std::nullopt;
    lengths.push_back(static_cast<double>(text.size()));
    agree.push_back(0);
    for (std::size_t t = 0; t < text.size(); ++t, ++found.tokens) {
      agree.back() += text.beta.empty() ? text.argmax_match[t] : text.beta[t];
      any_logarithm |= text.log_p[t] < 0 && std::isfinite(text.log_p[t]);
      if (is_argmax(text, t)) continue;
      double const margin = std::log(text.max_p[t]) - text.log_p[t];
      found.mismatches.push_back({i, t, found.tokens, std::max(margin, 0.), {}});
    }
  }
  // Logarithms of 1 and 0 alone are those of temperature 0 itself, which have no margin.
  if (!any_logarithm) return std::nullopt;
  found.accepted = share_over_texts(agree, std::make_shared<TextSample const>(std::move(lengths), 0, 0), confidence);
  return found;
}

GreedySelfDivergence greedy_self_divergence(TokenTrace const& once, TokenTrace const& again) {
  if (!same_texts(once, again))
    throw InputError(
        fmt::format(
            "{} and {} are not over the same texts (self-divergence compares what one model says of one text twice)",
            once.name, again.name),
        "record the same texts, with their tokens");
  GreedySelfDivergence floor;
  floor.by_token = true;
  std::vector<double> changes, of_odds;
  for (std::size_t i = 0; i < once.texts.size(); ++i)
    for (std::size_t t = 0; t < once.texts[i].size(); ++t, ++floor.tokens) {
      double const log_p = once.texts[i].log_p[t], log_again = again.texts[i].log_p[t];
      changes.push_back(2 * std::abs(log_p - log_again));
      of_odds.push_back(std::abs(log_odds(log_p) - log_odds(log_again)));
      bool const picks = is_argmax(again.texts[i], t);
      floor.again_picks_text.push_back(picks ? 1 : 0);
      floor.flips += picks != is_argmax(once.texts[i], t) ? 1 : 0;
    }
  floor.largest = largest_of(changes);
  floor.outlier = outlier_of(std::move(of_odds));
  return floor;
}

void judge_mismatches(GreedyText& text, GreedySelfDivergence floor) {
  bool const plausible = floor.plausible();
  for (GreedyMismatch& each : text.mismatches)
    each.tie = plausible ? std::optional(each.margin <= floor.largest || floor.again_picks_text[each.row] == 1)
                         : std::nullopt;
  text.floor = std::move(floor);
}

void resolve_ties(TokenTrace& trace, GreedyText const& judged) {
  for (GreedyMismatch const& each : judged.mismatches) {
    if (!each.tie.value_or(false)) continue;
    TextTrace& text = trace.texts[each.text];
    std::size_t const t = each.token;
    bool const argmax_match = text.log_q[t] == 0;  // ln q of argmax q
    text.log_p[t] = 0;
    if (!text.top.empty()) text.top[t] = 1;
    for (auto const column :
         {&TextTrace::beta, &TextTrace::beta_low, &TextTrace::beta_high, &TextTrace::p_of_argmax_q})
      if (!(text.*column).empty()) (text.*column)[t] = argmax_match ? 1 : 0;
    if (!text.agree.empty()) text.agree[t] = argmax_match ? 1 : 0;
    for (auto const column : {&TextTrace::kl_pq, &TextTrace::kl_qp})
      if (!(text.*column).empty()) (text.*column)[t] = argmax_match ? 0 : std::numeric_limits<double>::infinity();
  }
}

}  // namespace draftgauge
