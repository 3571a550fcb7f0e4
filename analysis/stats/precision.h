#pragma once
#include <functional>
#include <optional>

#include "analysis/stats/tally_ratio.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// An interval of tokens per round that is to be no wider than value ± half_width.
struct Precision {
  double half_width;  ///< above 0, in tokens per round
  double confidence;  ///< in (0, 1)
};

/// Trials of a new sample whose `tally_ratio` is within ± half_width, from what the trials of a pilot show of the
/// spread; none below two trials or without a round, and where 2^62 are too few. A sample of so many misses the width
/// with probability below about 2 `width_doubt`.
///
/// Proof, where every trial has as many rounds (else it is the delta method's approximation). Let D = t − ρr with
/// range R. The deviation s of a sample of n is within R√(2L/(n − 1)) of D's own on either side with probability ≥ 1
/// − e^−L each (Maurer and Pontil 2009, arXiv 0907.3740, Theorem 10). Once for the pilot and once for the sample, L =
/// ln(1/width_doubt), this bounds the deviation that the sample will show, of which both of tally_ratio's intervals
/// are increasing functions; the normal one is counted on only where the spread is sure to suffice for it.
std::optional<std::uint64_t> trials_for(Precision const& wanted, TrialShape const& shape, Tally const& pilot);
inline constexpr double width_doubt = 1e-3;

/// What play_to ended with.
struct PreciseSample {
  Played sample;  ///< to report; where play was cut short before there was one, the pilot
  Range pilot;    ///< trials that only set the size of the sample; empty where the pilot, or all, is what there is
  bool reached;   ///< the interval is within ± half_width
};

/// Plays the trials of `most` from its first on until tokens per round are known to ± half_width. `play` plays a
/// range, or less of it where somebody stops it (then that is all that is played), and is told the trial at which all
/// is expected to end, 0 where nothing is known yet; `layout` is its tallies'.
///
/// The rule. A pilot is played first, 1024 trials, then as many again until a sample of trials_for(), or all of
/// `most`, is at most 16 times as long (of fewer than 16 · 1024 trials it is a sixteenth). Then that sample is
/// played, of new trials, and it alone is the result. Where its interval turns out too wide (probability below about
/// 2 `width_doubt`) it becomes a part of the pilot and a new one is played. Fewer than 100 trials are all played and
/// counted, whatever they show: no pilot of a sixteenth of them could tell their spread.
///
/// Why not stop as soon as the running interval is narrow: samples that show too little spread by luck stop first,
/// and the same luck moves their mean (near α = 1 a short sample without a rejection shows no spread at all), as it
/// does where one plays until the k-th failure. Here the size of the sample is a function of the pilot, which the
/// sample is independent of: given the pilot it is a constant, and the sample's interval covers as often as that of
/// any fixed range of trials. It is Stein's method (Ann. Math. Stat. 16, 1945) less its pooling of both stages, which
/// needs normal values. As a sample is thrown away with probability w = 2 `width_doubt` or less, the one reported
/// misses the truth with probability at most (1 + w + w² + …) times that of a fixed range. The result depends on the
/// simulation, `wanted` and `most` only, not on how fast or in which pieces it is played, unless it is cut short.
PreciseSample play_to(Precision const& wanted, TrialShape const& shape, TallyLayout const& layout, Range most,
                      std::function<Played(Range, std::uint64_t)> const& play);

}  // namespace draftgauge
