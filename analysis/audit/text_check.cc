#include "analysis/audit/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "analysis/recordings/score_rows.h"
#include "analysis/stats/betting_test.h"

namespace draftgauge {
namespace {

using Kind = TextCause::Kind;

std::string first_impossible(TokenTrace const& trace) {
  for (TextTrace const& text : trace.texts)
    if (auto const at = std::ranges::find(text.log_p, -HUGE_VAL); at != text.log_p.end())
      return fmt::format("{}token {}", text.name.empty() ? "" : fmt::format("text {}, ", text.name),
                         at - text.log_p.begin() + 1);
  return {};
}

TextCheck tests(TokenTrace const& trace, std::optional<RowOdds> row_odds) {
  TextCheck check;
  check.draft_odds = mixture_odds(trace, [](TextTrace const& text, std::size_t t) { return text.log_q[t]; });
  check.uniform_odds = mixture_odds(trace, [](TextTrace const&, std::size_t) { return -log_greatest_vocabulary; });
  check.row_odds = std::move(row_odds);
  std::size_t odds = 0;
  for (bool const made : {check.draft_odds.has_value(), check.uniform_odds.has_value(), check.row_odds.has_value()})
    odds += made;
  check.audit = audit(trace, EngineLog{}, {.false_alarm = text_alarm, .other_checks = odds});
  check.impossible_at = first_impossible(trace);
  return check;
}

/// Judged by what is the same with the models exchanged.
bool fits_exchanged(TokenTrace const& trace) {
  return std::ranges::any_of(std::array{Exchange::all, Exchange::logs}, [&](Exchange which) {
    TextCheck const check = tests(exchanged(trace, which), {});
    return check.draft_odds && !check.rejected();
  });
}

/// Pearson's, of log p with log q `late` rows below; none of fewer than 50 pairs, of what is infinite, or where one
/// of them is constant.
std::optional<double> correlation_of_logs(TokenTrace const& trace, int late) {
  double n = 0, p = 0, q = 0, pp = 0, qq = 0, pq = 0;
  for (TextTrace const& text : trace.texts) {
    if (text.log_p.size() != text.log_q.size()) return std::nullopt;
    auto const size = static_cast<std::ptrdiff_t>(text.log_p.size());
    for (std::ptrdiff_t t = std::max(0, -late); t < std::min(size, size - late); ++t) {
      double const x = text.log_p[static_cast<std::size_t>(t)], y = text.log_q[static_cast<std::size_t>(t + late)];
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      n += 1, p += x, q += y, pp += x * x, qq += y * y, pq += x * y;
    }
  }
  double const spread = (n * pp - p * p) * (n * qq - q * q);
  if (n < 50 || !(spread > 0)) return std::nullopt;
  return (n * pq - p * q) / std::sqrt(spread);
}

std::optional<TextCause> column_off(TokenTrace const& trace) {
  auto const here = correlation_of_logs(trace, 0);
  for (auto const& [late, kind] : {std::pair(1, Kind::column_late), std::pair(-1, Kind::column_early)})
    if (auto const there = correlation_of_logs(trace, late); here && there && *there >= .5 && *there >= *here + .3)
      return TextCause{.kind = kind, .correlation = *there, .correlation_before = *here};
  return std::nullopt;
}

bool drifts_up(std::optional<MartingaleCheck> const& check) { return check && check->rejected && check->z > 0; }

/// The first of another's rows.
class FirstRows : public RowBytes {
 public:
  FirstRows(std::unique_ptr<RowBytes> all, std::uint64_t count)
      : RowBytes({all->layout().encoding, count, all->layout().vocab}), all_(std::move(all)) {}
  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    return all_->rows(begin, count);
  }
  std::uint64_t file_row(std::uint64_t row) const override { return all_->file_row(row); }

 private:
  std::unique_ptr<RowBytes> all_;
};

void cut_to(RowPairs& pairs, std::uint64_t count) {
  if (count >= pairs.target->layout().rows) return;
  pairs.target = std::make_unique<FirstRows>(std::move(pairs.target), count);
  pairs.draft = std::make_unique<FirstRows>(std::move(pairs.draft), count);
  pairs.tokens.resize(count);
  std::uint64_t left = count;
  for (std::size_t i = 0; i < pairs.sequences.size(); ++i) {
    pairs.sequences[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(pairs.sequences[i], left));
    left -= pairs.sequences[i];
  }
}

/// A row whose token is not known once tokens are moved.
constexpr std::int64_t edge = std::numeric_limits<std::int64_t>::min();

/// Each row gets the token of the next row of its sequence, or of the one before. Rows that get none become texts named
/// `edge`, with a token that is not to be looked at.
void move_tokens(RowPairs& pairs, bool from_next) {
  std::vector<std::uint32_t> sequences;
  std::vector<std::int64_t> names;
  std::size_t begin = 0;
  auto const add = [&](std::uint32_t length, std::int64_t name) {
    if (length == 0) return;
    sequences.push_back(length);
    names.push_back(name);
  };
  for (std::size_t i = 0; i < pairs.sequences.size(); ++i) {
    std::uint32_t const length = pairs.sequences[i];
    if (length == 0) continue;
    auto const first = pairs.tokens.begin() + static_cast<std::ptrdiff_t>(begin), last = first + length;
    if (from_next) {
      std::rotate(first, first + 1, last);
      add(length - 1, pairs.names[i]);
      add(1, edge);
    } else {
      std::rotate(first, last - 1, last);
      add(1, edge);
      add(length - 1, pairs.names[i]);
    }
    begin += length;
  }
  pairs.sequences = std::move(sequences);
  pairs.names = std::move(names);
}

/// The check of the first rows, changed.
class Retrial {
 public:
  explicit Retrial(RowsOfText const& of) : of_(of) {
    RowLayout const layout = of.open().target->layout();
    constexpr std::uint64_t most = std::uint64_t{1} << 26;
    count_ = std::clamp<std::uint64_t>(most / layout.vocab, 1, layout.rows);
  }

  RowPairs first_rows() const {
    RowPairs pairs = of_.open();
    cut_to(pairs, count_);
    return pairs;
  }

  /// ln p of each token, where the text is not rejected. ahead: row i gets token i + ahead, −1, 0 or 1; a token that
  /// comes to no row has NaN.
  std::optional<std::vector<double>> accepts(SamplingParameters const& target, SamplingParameters const& draft,
                                             int ahead, bool exchanged = false) const {
    RowPairs pairs = first_rows();
    if (exchanged) {
      std::swap(pairs.target, pairs.draft);
      std::swap(pairs.target_name, pairs.draft_name);
    }
    if (ahead != 0) move_tokens(pairs, ahead > 0);
    TokenTrace trace = score_rows(pairs, target, draft, 1);
    auto const is_edge = [](TextTrace const& text) { return text.name == std::to_string(edge); };
    std::vector<double> log_p(count_, NAN);
    std::size_t row = 0;
    for (TextTrace const& text : trace.texts) {
      if (!is_edge(text)) std::ranges::copy(text.log_p, log_p.begin() + static_cast<std::ptrdiff_t>(row) + ahead);
      row += text.size();
    }
    std::erase_if(trace.texts, is_edge);
    // Moved tokens have edges, of which row_odds would have to know; entropies judge their temperature well enough.
    if (trace.texts.empty() || tests(trace, ahead != 0 ? std::nullopt : row_odds(pairs, target)).rejected())
      return std::nullopt;
    return log_p;
  }

 private:
  RowsOfText const& of_;
  std::uint64_t count_ = 1;
};

struct FoundCause {
  TextCause cause;
  std::vector<double> log_p;  ///< of each token; NaN where it has no row
};

/// ln p of the text by each cause, over the tokens that all of them give a row: what a shift leaves out at the ends
/// of sequences is no evidence against those that have to explain it.
std::vector<double> log_p_of_common(std::vector<FoundCause> const& found) {
  std::vector<double> sums(found.size(), 0);
  for (std::size_t t = 0; !found.empty() && t < found.front().log_p.size(); ++t) {
    if (std::ranges::any_of(found, [&](FoundCause const& each) { return std::isnan(each.log_p[t]); })) continue;
    for (std::size_t i = 0; i < found.size(); ++i) sums[i] += found[i].log_p[t];
  }
  return sums;
}

/// None where the first rows alone do not reject the text.
std::optional<std::vector<TextCause>> causes_in(RowsOfText const& of, std::optional<RowOdds> const& odds) {
  Retrial const retrial(of);
  if (retrial.accepts(of.target, of.draft, 0)) return std::nullopt;
  std::vector<FoundCause> found;
  auto const add = [&](std::optional<std::vector<double>> log_p, TextCause cause) {
    if (log_p) found.push_back({std::move(cause), std::move(*log_p)});
  };
  add(retrial.accepts(of.draft, of.target, 0, true), {Kind::exchanged});
  add(retrial.accepts(of.target, of.draft, 1), {Kind::row_ahead});
  add(retrial.accepts(of.target, of.draft, -1), {Kind::row_behind});
  auto const try_sampling = [&](TextCause cause) {
    SamplingParameters draft = of.draft;
    draft.temperature = cause.sampling.temperature;
    add(retrial.accepts(cause.sampling, draft, 0), std::move(cause));
  };
  SamplingParameters greedy = of.target;
  greedy.temperature = 0;
  if (of.target.temperature > 0) try_sampling({.kind = Kind::temperature, .sampling = greedy});
  RowPairs pairs = retrial.first_rows();
  auto const fitted = fitted_temperature(*pairs.target, pairs.tokens, pairs.tokens.size());
  if (fitted && !fitted->at_end) {
    SamplingParameters other = of.target;
    other.temperature = fitted->temperature;
    try_sampling({.kind = Kind::temperature, .sampling = other, .fitted = fitted});
  }
  if (odds && odds->most_likely.truncates()) try_sampling({.kind = Kind::truncation, .sampling = odds->most_likely});
  // A flat distribution passes for many a text: a cause under which the text is 10^4 times less likely is none.
  std::vector<double> const log_p = log_p_of_common(found);
  std::vector<TextCause> causes;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::ranges::max(log_p) - log_p[i] <= -std::log(text_alarm)) causes.push_back(std::move(found[i].cause));
  return causes;
}

}  // namespace

bool TextCheck::rejected_by(std::optional<double> const& log_odds) const {
  return log_odds && *log_odds > -std::log(false_alarm());
}

bool TextCheck::rejected() const {
  return audit.verdict == Verdict::fails || rejected_by(draft_odds) || rejected_by(uniform_odds) ||
         (row_odds && rejected_by(row_odds->log_odds));
}

bool TextCheck::says_something() const {
  for (auto const* one : {&audit.draft_bias, &audit.likelihood, &audit.top})
    if (*one && (*one)->normal) return true;
  return rejected();
}

TextCheck check_text(TokenTrace const& trace) {
  TextCheck check = tests(trace, {});
  if (check.rejected())
    if (auto cause = column_off(trace)) {
      check.causes = {*std::move(cause)};
      return check;
    }
  // Of what else rejects a text, that the draft model would have done it says nothing.
  if ((check.rejected_by(check.draft_odds) || drifts_up(check.audit.draft_bias)) && fits_exchanged(trace))
    check.causes.push_back({Kind::exchanged});
  return check;
}

TextCheck check_text(TokenTrace const& trace, RowsOfText const& rows) {
  RowPairs pairs = rows.open();
  TextCheck check = tests(trace, row_odds(pairs, rows.target));
  if (!check.rejected() || pairs.tokens.empty()) return check;
  auto causes = causes_in(rows, check.row_odds);
  check.rows_tried = causes.has_value();
  if (causes) check.causes = std::move(*causes);
  return check;
}

TextStanding text_standing(TextCheck const& check, Policy policy, bool rows) {
  if (policy == Policy::off) return TextStanding::unjudged;
  if (check.rejected()) return policy == Policy::unknown && rows ? TextStanding::off_policy : TextStanding::rejected;
  return check.says_something() ? TextStanding::not_rejected : TextStanding::unjudged;
}

std::string_view word(TextStanding standing) {
  switch (standing) {
    case TextStanding::unjudged: return "";
    case TextStanding::not_rejected: return "not rejected";
    case TextStanding::off_policy: return "not the target's";
    case TextStanding::rejected: return "rejected";
  }
  return {};
}

}  // namespace draftgauge
