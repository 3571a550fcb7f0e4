#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/stats/interval.h"
#include "analysis/texts/text_ratio.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// Why a token takes longer than it might, in the order in which the causes are added.
enum class Cause { acceptance, dependence, ends, engine, drafts, verification, overhead, batch };

struct CauseCard {
  Cause cause;
  std::string_view name;     ///< in documents: "acceptance"
  std::string_view words;    ///< for readers: "drafts are rejected"
  std::string_view meaning;  ///< what is compared with what
};
/// Every cause, in that order.
std::span<CauseCard const> cause_cards();

/// Tokens per round, with what is known of their error: over texts, else an interval, else nothing.
struct RoundTokens {
  double value;
  std::optional<TextEstimate> over_texts = {};
  std::optional<Interval> interval = {};
  bool other_data = false;  ///< its error is independent of that of the causes before it
  bool estimated = false;   ///< it has an error, of which nothing is known
};

/// A number as far as it is known, and what it is from or why it is not known.
template <class T>
struct Known {
  std::optional<T> value = {};
  std::string from = {};
  bool guessed = false;  ///< of a time: carried on beyond what was measured, so that no interval holds it
};

/// Rounds by how many tokens they draft: shares that sum to 1.
using DraftLengths = std::map<std::int64_t, double>;

/// What is known of rounds of at most γ drafts. Times are in plain steps of the target for one sequence.
struct WaterfallInput {
  std::int64_t gamma = 1;
  DraftLengths lengths = {};  ///< of the rounds that ran, where drafts end early; empty: all draft γ
  bool bonus = true;
  /// Tokens per round: as if acceptances were independent (Eq. (1)); with their dependence; with rounds that the ends
  /// of texts cut short; under the engine's own rule and drafts. Each holds what those before it do.
  Known<RoundTokens> independent = {}, dependent = {}, ended = {}, engine = {};
  /// Of a round: the draft model's time; what verification takes beyond one plain step; what is neither; and what the
  /// round takes longer for being one of a batch.
  Known<double> drafts = {}, verification = {}, overhead = {}, batch = {};
  Known<double> measured = {};  ///< time per token
};

struct WaterfallStep {
  Cause cause;
  std::optional<double> time = {};  ///< per token; none: not known, and 0 in every sum
  std::optional<Interval> interval = {};
  std::string from;
};

/// The time per token of plain steps that the rounds would take if every draft were accepted, and what makes it longer. A cause's
/// time is what it adds once those before it are there, so that ideal + Σ time = predicted, and measured = predicted
/// + unexplained. In units of a plain step of the target; negative where a cause saves time.
struct Waterfall {
  std::int64_t gamma;
  double mean_drafts;                ///< of a round
  double tokens;                     ///< of a round, as far as it is known
  double ideal;                      ///< 1/(drafts of a round + 1), without the bonus token 1/drafts
  std::vector<WaterfallStep> steps;  ///< one for each cause
  double predicted;
  std::optional<Interval> predicted_interval;  ///< none where a part is guessed
  std::optional<double> measured;
  std::string measured_from;

  std::optional<double> unexplained() const;
  /// measured is taken as exact.
  std::optional<Interval> unexplained_interval() const;
  /// To be explained: measured less ideal; predicted less ideal where nothing was measured, or less than the ideal.
  double distance() const { return (below_ideal() ? predicted : measured.value_or(predicted)) - ideal; }
  bool below_ideal() const { return measured && *measured < ideal; }
  bool knows(Cause cause) const;
};

/// The steps whose time is not known, by their words: "the draft model's time, fixed overhead of a round".
std::string unknown_text(Waterfall const& of);

/// gamma ≥ 1; tokens per round ≥ 1, else UsageError. An unknown cause is a part of the next one that is known, or of
/// what is unexplained. Intervals over texts are the delta method's, of a difference with what its sides share.
Waterfall waterfall(WaterfallInput const& input, double confidence);

/// Time of a round's drafts, and of verification beyond a plain step, at these lengths.
double draft_time(Costs const& costs, DraftLengths const& lengths);
double verification_time(Costs const& costs, DraftLengths const& lengths);
/// What the same round takes longer where `batch` sequences are decoded together: `together` are its costs in units
/// of the batch's plain step (in_batch), `alone` those of one sequence.
double batch_time(Costs const& alone, Costs const& together, std::int64_t batch, DraftLengths const& lengths);

}  // namespace draftgauge
