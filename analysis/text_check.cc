#include "analysis/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "analysis/recordings/score_rows.h"
#include "analysis/wager.h"

namespace draftgauge {
namespace {

using Kind = TextCause::Kind;

std::string first_impossible(Scores const& scores) {
  for (TextScores const& text : scores.texts)
    if (auto const at = std::ranges::find(text.log_p, -HUGE_VAL); at != text.log_p.end())
      return fmt::format("{}token {}", text.name.empty() ? "" : fmt::format("text {}, ", text.name),
                         at - text.log_p.begin() + 1);
  return {};
}

TextCheck tests_of(Scores const& scores, std::optional<RowOdds> row_odds) {
  TextCheck check;
  check.draft_odds = mixture_odds(scores, [](TextScores const& text, std::size_t t) { return text.log_q[t]; });
  check.uniform_odds = mixture_odds(scores, [](TextScores const&, std::size_t) { return -log_greatest_vocabulary; });
  check.row_odds = std::move(row_odds);
  std::size_t odds = 0;
  for (bool const made : {check.draft_odds.has_value(), check.uniform_odds.has_value(), check.row_odds.has_value()})
    odds += made;
  check.audit = audit(scores, EngineLog{}, {.false_alarm = text_alarm, .other_checks = odds});
  check.impossible_at = first_impossible(scores);
  return check;
}

/// Judged by what is the same with the models exchanged.
bool fits_exchanged(Scores const& scores) {
  Scores exchanged;
  for (TextScores const& text : scores.texts)
    exchanged.texts.push_back({.log_p = text.log_q,
                               .log_q = text.log_p,
                               .beta = text.beta,
                               .entropy_p = text.entropy_q,
                               .max_p = text.max_q,
                               .top = text.hit});
  TextCheck const check = tests_of(exchanged, {});
  return check.draft_odds && !check.rejected();
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

  /// The mean of ln p over the text, where it is not rejected.
  std::optional<double> accepts(Fold const& target, Fold const& draft, auto const& change) const {
    RowPairs pairs = first_rows();
    change(pairs);
    Scores scores = score_rows(pairs, target, draft, 1);
    std::erase_if(scores.texts, [](TextScores const& text) { return text.name == std::to_string(edge); });
    bool const moved = std::ranges::find(pairs.names, edge) != pairs.names.end();
    // Moved tokens have edges, of which row_odds would have to know; entropies judge their temperature well enough.
    if (scores.texts.empty() || tests_of(scores, moved ? std::nullopt : row_odds(pairs, target)).rejected())
      return std::nullopt;
    double sum = 0;
    for (TextScores const& text : scores.texts) sum = std::accumulate(text.log_p.begin(), text.log_p.end(), sum);
    return sum / static_cast<double>(scores.tokens());
  }
  std::uint64_t tokens() const { return count_; }

 private:
  RowsOfText const& of_;
  std::uint64_t count_ = 1;
};

/// None where the first rows alone do not reject the text.
std::optional<std::vector<TextCause>> causes_in(RowsOfText const& of, std::optional<RowOdds> const& odds) {
  Retrial const retrial(of);
  auto const as_it_is = [](RowPairs&) {};
  if (retrial.accepts(of.target, of.draft, as_it_is)) return std::nullopt;
  std::vector<std::pair<double, TextCause>> found;
  auto const add = [&](std::optional<double> const& log_p, TextCause cause) {
    if (log_p) found.emplace_back(*log_p, std::move(cause));
  };
  add(retrial.accepts(of.draft, of.target,
                      [](RowPairs& pairs) {
                        std::swap(pairs.target, pairs.draft);
                        std::swap(pairs.target_name, pairs.draft_name);
                      }),
      {Kind::exchanged});
  for (bool const from_next : {true, false})
    add(retrial.accepts(of.target, of.draft, [&](RowPairs& pairs) { move_tokens(pairs, from_next); }),
        {from_next ? Kind::row_ahead : Kind::row_behind});
  auto const try_fold = [&](TextCause cause) {
    Fold draft = of.draft;
    draft.temperature = cause.fold.temperature;
    add(retrial.accepts(cause.fold, draft, as_it_is), std::move(cause));
  };
  Fold greedy = of.target;
  greedy.temperature = 0;
  if (of.target.temperature > 0) try_fold({.kind = Kind::temperature, .fold = greedy});
  RowPairs pairs = retrial.first_rows();
  auto const fitted = fitted_temperature(*pairs.target, pairs.tokens, pairs.tokens.size());
  if (fitted && !fitted->at_end) {
    Fold other = of.target;
    other.temperature = fitted->temperature;
    try_fold({.kind = Kind::temperature, .fold = other, .fitted = fitted});
  }
  if (odds && odds->likeliest.truncates()) try_fold({.kind = Kind::truncation, .fold = odds->likeliest});
  // A flat distribution passes for many a text: a cause under which the text is 10^4 times less likely is none.
  double best = -HUGE_VAL;
  for (auto const& [log_p, cause] : found) best = std::max(best, log_p);
  std::vector<TextCause> causes;
  for (auto& [log_p, cause] : found)
    if ((best - log_p) * static_cast<double>(retrial.tokens()) <= -std::log(text_alarm))
      causes.push_back(std::move(cause));
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
  for (auto const* one : {&audit.lean, &audit.surprisal, &audit.top})
    if (*one && (*one)->normal) return true;
  return rejected();
}

TextCheck check_text(Scores const& scores) {
  TextCheck check = tests_of(scores, {});
  // Of what else rejects a text, that the draft model would have done it says nothing.
  if ((check.rejected_by(check.draft_odds) || drifts_up(check.audit.lean)) && fits_exchanged(scores))
    check.causes.push_back({Kind::exchanged});
  return check;
}

TextCheck check_text(Scores const& scores, RowsOfText const& rows) {
  RowPairs pairs = rows.open();
  TextCheck check = tests_of(scores, row_odds(pairs, rows.target));
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
