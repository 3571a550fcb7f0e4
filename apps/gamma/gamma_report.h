#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/choose/counted_gamma.h"
#include "analysis/choose/gamma_choice.h"
#include "analysis/engines/settings.h"
#include "analysis/report/gamma_document.h"
#include "analysis/texts/text_estimates.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// What every way of asking `gamma` shares.
struct GammaAsked {
  GammaAsked() = default;
  explicit GammaAsked(Invocation const& args);

  bool bonus = true;
  bool bars = false;          ///< a column that draws S: for people's eyes, where lines are text
  double ops_cost = 0;        ///< ĉ
  double near_optimal = .01;  ///< share of the best speed-up
  std::int64_t batch = 1;
  double confidence = .95;
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
  bool along_text = true;        ///< as CountedAsked has it
  std::string to_set = {};       ///< the engine whose rounds are asked about; empty: the one that counted
  std::optional<int> most = {};  ///< the largest γ allowed

  /// What is asked of counts.
  CountedAsked counted() const;
  OperationCosts operations() const { return {ops_cost, bonus}; }
};

/// What a way of asking `gamma` found: what is printed, and beside it the numbers that others go on from.
struct GammaAnswer {
  Result result = {};
  std::optional<GammaReport> report = {};  ///< its document, unless there are several
  std::string_view several = {};          ///< "recordings", "α": what there are several of, whose rows are not here
  std::optional<std::int64_t> best = {};  ///< γ; none where none is, or of several nothing is said together
  std::vector<GammaRow> rows = {};        ///< S only where costs are given
  std::string caveat = {};                ///< what must be said before the best, of counts; or nothing
  bool too_few = false;                   ///< rounds to choose by
  bool replayed = false;                  ///< by the order of the rounds that were counted
  std::vector<double> survival = {};      ///< [i − 1] P(first i kept), where that is what was given or counted
  std::optional<double> alpha = {};       ///< of independent drafts, which says E[N] of any γ
  bool drawn = false;                     ///< it is of drafts drawn from q, replayed along a recording
  std::vector<std::string> draft_kinds = {};  ///< as EngineCounters has them

  /// With what programs read, once all is known.
  Result printed() &&;

  /// None where γ has no row.
  GammaRow const* row(std::int64_t gamma) const;
};
/// The lines to paste for an engine, as the last section and the field "settings": of the best γ, or of `otherwise`
/// where there is none. Throws UsageError where neither is known.
EngineSettings add_settings(GammaAnswer& answer, std::string_view engine, std::optional<std::int64_t> otherwise = {});

/// `value` drawn in blocks, `width` columns of them for `most`.
std::string bar(double value, double most, int width);
inline constexpr int bar_width = 12;

/// --resamples; of: "of the texts".
Option resamples_option(std::string_view of);
/// 0, or of the numbers between. Throws UsageError that says what is made of them, "intervals".
std::size_t resamples_from(Invocation const& args, std::string_view made);

/// Throws UsageError for options about a recording, or an engine's counters, where neither is given.
/// rounds: of which --draft-length says how far they drafted.
void refuse_recorded(Invocation const& args, bool rounds = false);
/// The same for those about a sample, where `asked` says acceptance as it is: "--alpha".
void refuse_sampled(Invocation const& args, std::string_view asked);

/// The curve with its best row marked; columns that no row has are left out. ran: a row that is shown, too.
Section curve_section(std::span<GammaRow const> rows, std::optional<std::int64_t> best, GammaAsked const& asked,
                      std::optional<std::int64_t> ran = {});

/// "γ=8, S=3.0921", "γ=0: plain decoding is fastest", "no γ is best: S grows with γ towards 5".
std::string answer(BestGamma const& best);
/// "4 to 7, 9 and more".
std::string gamma_list(std::span<GammaRange const> ranges);
/// "γ = 6 to 11 are within 1 % of the best."
std::string near_text(std::span<GammaRange const> ranges, double share);

/// "the data allow γ=4 to 7": not all of which need be near the best.
std::string set_text(std::span<GammaRange const> set);
/// "With 95 % confidence the best γ is one of 4 to 7. γ=5 is expected to lose 0.2 % of S to it."; the latter where
/// it is known.
std::string set_sentence(std::span<GammaRange const> set, std::int64_t best, std::optional<double> regret,
                         double confidence);

/// At most `most` drafts a round, in words.
std::string most_text(std::size_t most);

/// What to say where the best γ is the last that anything is known of; empty elsewhere.
struct EdgeWords {
  std::string answer;              ///< behind the answer
  std::vector<std::string> notes;  ///< below the curve
};
EdgeWords edge_text(std::size_t best, std::size_t last_known);

/// "At γ = 5 drafting pays up to c = 0.42 [0.40, 0.44]."; `from`: what else it takes, or nothing.
std::string pays_text(std::int64_t gamma, double cost, std::optional<Interval> const& interval,
                      std::string_view from = {});

/// What adapting γ could win over the best fixed γ.
Section policy_section(std::span<PolicyRow const> rows, double best_speedup, std::int64_t best);
/// "γ=5 leads γ=6, the next best, by 0.013 [-0.003, 0.028] in S: not surely, as the 95 % interval reaches below 0;
/// about 12000 tokens in place of these 3000 would tell them apart with probability 90 %."; `unit`: what `have` counts.
std::string runner_up_text(int best, GammaRunnerUp const& runner_up, double have, std::string_view unit);

/// ", v(n) up to n = 16, o = 0.1": what is no cost of drafts; empty where there is nothing.
std::string pass_text(Costs const& costs);
/// "c = 0.05, v(n) up to n = 16, o = 0.1": what rounds were taken to cost.
std::string cost_text(Costs const& costs);

}  // namespace draftgauge
