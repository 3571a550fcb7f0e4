#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/counters/estimates.h"
#include "analysis/stats/token_trace.h"
#include "sim/recordings/rows.h"

namespace draftgauge {

/// How far two recordings of one target over one text are apart, in what decides at temperature 0: the
/// log-probability by which argmax p leads the runner-up, or the text's token where that is another.
struct GreedySelfDivergence {
  double largest = 0;  ///< change of that lead, in nats
  /// The largest change over the median of those that are not 0; 1 where all are. Of columns changes of ln p/(1 − p),
  /// which is the lead where there are two tokens: ln p hardly changes where p is near 1, so that its median says
  /// nothing.
  double outlier = 1;
  bool by_token = false;     ///< of columns, which have log p of the text's token alone: twice the change of that
  std::uint64_t tokens = 0;  ///< that were compared
  std::uint64_t flips = 0;   ///< where the two have another argmax
  std::vector<std::uint8_t> again_picks_text = {};  ///< [rows] argmax of the second recording is the text's token

  /// Whether rounding may have made it: the largest is below ln 2, and `outlier` is 20 at most. A token that is half
  /// as likely as argmax p, ln 2 below it, is near no tie, so that a floor as wide could clear any fault. Of n
  /// changes with an exponential tail the largest is about log₂ n medians: 20 of a million. One above stands out of
  /// its own recording, as a token that was recorded wrongly does. Tokens where both recordings have the same number
  /// to the last digit show no rounding, and do not count for the median. A model that is this near to the target
  /// passes, too: no numbers tell them apart.
  bool plausible() const;
};

/// A token of greedy text that is not argmax p.
struct GreedyMismatch {
  std::size_t text, token;  ///< from 0
  std::uint64_t row;
  double margin;  ///< ln p(argmax) − ln p(token), before temperature
  /// The margin is not above the floor's largest, or the target's second recording picks the token; none without a
  /// plausible floor.
  std::optional<bool> tie = {};
};

/// What full rows say of temperature 0: whose argmax is whose, by p and q before temperature.
struct GreedyText {
  std::uint64_t tokens = 0;
  CountEstimate accepted{};  ///< share of positions where argmax p = argmax q
  /// Where KL(p ‖ q) is below greedy_radius, so that no q so near could be rejected; none of columns.
  std::optional<CountEstimate> certified = {};
  std::optional<double> mean_kl = {};  ///< of KL(p ‖ q); infinite where q excludes what p does not
  std::vector<double> radii = {};      ///< greedy_radius of each position, growing; empty of columns
  /// Of greedy text; in the order of the text. Empty of other text.
  std::vector<GreedyMismatch> mismatches = {};
  std::optional<GreedySelfDivergence> floor = {};

  /// Share of positions where no draft model within this KL could be rejected.
  double certified_within(double kl) const;
  std::size_t ties() const;  ///< of the mismatches; 0 without a plausible floor
  /// The first mismatch that is no tie; null where there is none, and without a plausible floor.
  GreedyMismatch const* first_beyond() const;
};

/// greedy: the text was written at temperature 0, so that its tokens are to be argmax p. Intervals are over texts.
/// Throws as walk_rows does.
GreedyText greedy_text(RowPairs& rows, bool greedy, double confidence, int threads,
                       std::function<void(std::uint64_t)> const& done);

/// twice: one target's rows over one text in two recordings, the second in the draft's place. Tokens are those of the
/// text.
GreedySelfDivergence greedy_self_divergence(RowPairs& twice, int threads,
                                            std::function<void(std::uint64_t)> const& done);

/// The same of columns of greedy text as they were written (ColumnOptions::as_written), by ln p of its tokens and max
/// p before temperature. None where they lack a column: max_p, or both beta and argmax_q_hit.
std::optional<GreedyText> greedy_columns(TokenTrace const& as_written, double confidence);

/// Two recordings of one target in such columns. Throws InputError where they are not over the same text.
GreedySelfDivergence greedy_self_divergence(TokenTrace const& once, TokenTrace const& again);

/// Says which mismatches are ties, where the floor is plausible.
void judge_mismatches(GreedyText& text, GreedySelfDivergence floor);

/// Takes each tie as argmax p, which it was to the passes that wrote the text: p gives it all, and a draft token is
/// accepted there where it is the text's. trace: at temperature 0, with its tokens, of the text that was judged.
void resolve_ties(TokenTrace& trace, GreedyText const& judged);

}  // namespace draftgauge
