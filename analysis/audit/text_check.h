#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/audit/audit.h"
#include "analysis/recordings/recorded.h"
#include "analysis/recordings/row_check.h"
#include "analysis/recordings/row_odds.h"
#include "analysis/stats/token_trace.h"
#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// A text that the target wrote is rejected in this share of recordings at most, by all checks together.
inline constexpr double text_alarm = 1e-4;

/// A change to the recording after which nothing speaks against the text: likely what went wrong.
struct TextCause {
  enum class Kind {
    exchanged,     ///< p and q are the wrong way round, or the draft model wrote the text
    row_ahead,     ///< row i is the distribution of token i + 1
    row_behind,    ///< row i is the distribution of token i − 1
    column_late,   ///< log q of a token stands a row below its log p; by `correlation`
    column_early,  ///< a row above it
    temperature,   ///< the text was written at sampling.temperature
    truncation,    ///< what the text was drawn from was cut as in sampling
  };
  Kind kind;
  SamplingParameters sampling = {};              ///< of the last two
  std::optional<FittedTemperature> fitted = {};  ///< of temperature, above 0
  /// Of log p with log q when that is moved by a row, and as it stands. Two models find the same tokens hard.
  double correlation = 0, correlation_before = 0;
};

/// Could the target have written the recorded text? What is found, by tests that share `text_alarm` (Bonferroni):
///
///   audit         martingales of the columns (analysis/audit/audit.h), and tokens that p excludes
///   draft_odds    for q, or a mixture of p and q, having written it: `MixtureOdds`
///   uniform_odds  the same for tokens drawn evenly from 2^20, which any text is that p finds far too unlikely
///   row_odds      for another temperature or a truncation, from full rows: analysis/recordings/row_odds.h
///
/// Each is a bound at every length of text. Texts with a token that p excludes are left out of the odds.
struct TextCheck {
  Audit audit;
  std::optional<double> draft_odds, uniform_odds;  ///< natural logarithms; none without tokens
  std::optional<RowOdds> row_odds;                 ///< none without full rows
  std::string impossible_at;                       ///< "text 0, token 4": the first that p excludes; else empty
  std::string law = {};  ///< "T = 1": at what p and q were taken, where that is not what is measured; else empty
  std::vector<TextCause> causes;  ///< of a rejected text; all that fit
  bool rows_tried = false;        ///< whether causes were looked for in full rows

  double false_alarm() const { return audit.false_alarm; }  ///< of each test
  bool rejected() const;
  bool rejected_by(std::optional<double> const& log_odds) const;
  /// Whether a text of another temperature could be told at all: p at the text's own tokens alone cannot.
  bool sees_temperature() const { return audit.likelihood || audit.top || row_odds; }
  /// Whether a z says something, or any test rejects: else too little of the text could have gone otherwise.
  bool says_something() const;
};

/// By what was scored of each token. A column that is a row off is named where log p goes with log q of another row (a
/// correlation of .5 or more, and .3 more than with its own) over at least 50 tokens.
TextCheck check_text(TokenTrace const& trace);

/// The rows that were scored.
struct RowsOfText {
  std::function<RowPairs()> open;
  SamplingParameters target, draft;
};
/// With the rows as well. Where the text is rejected, on the first rows (as many as 2^26 numbers) each cause is
/// tried: the models exchanged, tokens moved by a row either way, temperature 0 and the one that fits best, the most
/// likely truncation. A cause is named where the text as it is would be rejected on those rows, and is not when so
/// changed, and where no other makes it 10^4 times more likely, judged by the tokens that all of them give a row.
TextCheck check_text(TokenTrace const& trace, RowsOfText const& rows);

/// What the text turned out to be.
enum class TextStanding {
  unjudged,      ///< nothing could be checked, too little of it could have gone otherwise, or another p wrote it
  not_rejected,  ///< the target may have written it
  off_policy,    ///< the target did not write it, and nobody said that it had: what is known of each position holds
  rejected,      ///< the target did not write it, though the recording says so or is of no use otherwise
};
/// rows: full ones, so that β is known at each position whoever wrote the text.
TextStanding text_standing(TextCheck const& check, Policy policy, bool rows);
/// Whether γ or a speed-up may be said of it. Every command goes by this.
constexpr bool is_rejected(TextStanding standing) {
  return standing == TextStanding::off_policy || standing == TextStanding::rejected;
}
/// For a cell of a table: empty of an unjudged one.
std::string_view word(TextStanding standing);

}  // namespace draftgauge
