#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analysis/choose/gamma_choice.h"
#include "analysis/sequence/count_bracket.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/gamma_set.h"
#include "analysis/texts/request_counts.h"

namespace draftgauge {

/// How a draft length is chosen by what is known of survival, P(the first i drafts are kept).
struct CountedAsked {
  double confidence = .95;
  bool bonus = true;
  std::optional<int> most = {};  ///< the longest draft; none: as far as anything is known
  std::int64_t replay_to = 0;    ///< rounds are replayed at least so far, where `most` says nothing
  std::size_t draws = 1000;      ///< 0: none, and no intervals of rounds
  std::uint64_t seed = 1;
  bool thorough =
      true;  ///< whether to say what adapting γ could win and test whether rounds depend, which takes longest

  /// Every round drafted as many tokens as its histogram says, and no step went without a draft: rounds follow each
  /// other along the text, so that those of shorter drafts are bounded by CountBrackets.
  bool along_text = true;

  bool bounded() const { return along_text && bonus; }
  /// How far of so many drafts whose survival is known.
  std::size_t depth(std::size_t known) const {
    return most ? std::min(known, static_cast<std::size_t>(*most)) : known;
  }
};

/// A round of γ ≥ 1 drafts, whatever drafts cost.
struct GammaYield {
  std::int64_t gamma;
  double tokens;  ///< E[N]
  double pays;    ///< the c at which S = 1, all other costs being as they are; negative: at no c
  std::optional<Interval> tokens_within = {}, pays_within = {};
};

/// E[N] of γ drafts, no longer than all that ran, as CountBrackets bounds it; γ + 1 at most.
struct TokensBracket {
  double low, high;
  template <class Number>
  static TokensBracket of(CountBracket<Number> const& counts, std::size_t gamma) {
    double const low = counts.low(), most = static_cast<double>(gamma) + 1;
    return {low, counts.exact() ? low : std::min(counts.high(), most)};
  }
  bool exact() const { return low == high; }
};
/// What the survival curve of `ran` drafts gives when it is cut off, tokens[γ], moved to where the brackets, [γ − 1], are
/// exact; between two such γ by as large a share as lies between theirs, within the bracket. Where difficulty persists
/// the curve is off by a share that changes slowly with γ.
std::vector<double> held(std::vector<double> tokens, std::span<TokensBracket const> brackets, std::size_t ran);

/// What drafts of γ = 0, 1, … tokens give at costs, and which γ to set. Intervals, set and runner-up are there where
/// something says how far off the survival may be.
struct CountedGamma {
  std::vector<double> survival = {};    ///< [i − 1]
  std::vector<GammaRow> rows = {};      ///< [γ]; plain decoding is γ = 0, and certain
  std::size_t best = 0;                 ///< the smallest γ of the greatest S
  std::vector<GammaYield> yields = {};  ///< [γ − 1]
  std::optional<GammaSet> set = {};     ///< its members are γ
  std::optional<GammaRunnerUp> runner_up = {};
  std::vector<PolicyRow> policies = {};
  std::vector<std::vector<double>> draws = {};  ///< [draw][γ] S that might as well be the true ones
  std::vector<double> influence = {};           ///< [request] on S of the best γ (text_ratio.h); empty of rounds
  /// The γ that ran, of several the longest. Rounds of another γ begin elsewhere in the text, so that no confidence is
  /// claimed of what it gives by the survival alone: it has no interval, and there is no set, and no P(best). Draws are
  /// of chance alone. None of survival that is said.
  std::optional<std::size_t> ran = {};
  /// [γ − 1] to that γ, where counts bound it: exact of γ that ran alone. E[N] is held to these; intervals are around both ends, a
  /// γ that may be best by one of them is in the set, and P(best) is there where all are exact.
  std::vector<TokensBracket> brackets = {};
  /// S of the best as far as chance moves it, whichever γ ran: it may deny a gain, and shows none.
  std::optional<Interval> by_chance = {};
  bool has_errors = false;  ///< something says how far chance moves the survival

  std::vector<double> speedups() const { return speedups_of(rows); }
  void mark_members();  ///< of the set, which is there, in the rows
  bool bounds(std::size_t gamma) const { return gamma > 0 && gamma <= brackets.size(); }
  bool exact(std::size_t gamma) const { return bounds(gamma) && brackets[gamma - 1].exact(); }
  bool claims(std::size_t gamma) const {
    return !ran || gamma == 0 || (brackets.empty() ? gamma == *ran : exact(gamma));
  }
  bool claims_all() const { return !ran || all([this](std::size_t gamma) { return claims(gamma); }); }
  bool bounds_all() const {
    return !ran || all([this](std::size_t gamma) { return claims(gamma) || bounds(gamma); });
  }
  void claim_only(std::size_t gamma);  ///< that ran; once all else is there
  void claim_no_set();                 ///< nor a P(best)
  /// Takes into the set each γ that may be as fast as the best, whatever is not known.
  void widen_set(std::function<bool(std::size_t gamma)> const& may_be_best);
  /// Whether it is so by its end of a bracket, [γ − 1], where the best is at its low end.
  bool may_reach_best(std::size_t gamma, std::span<TokensBracket const> brackets) const;

 private:
  bool all(auto const& of) const {
    for (std::size_t gamma = 0; gamma < rows.size(); ++gamma)
      if (!of(gamma)) return false;
    return true;
  }
};

/// Rounds that must have drafted as far as two draft lengths reach before these are compared: of fewer the prior
/// decides.
inline constexpr std::uint64_t fewest_compared = 20;

/// By histograms of rounds that are taken to be independent, as kaplan_meier takes them; what is not certain, by
/// draws from the posterior of the rates (survival_draws), for the γ that ran.
struct RoundsGamma {
  CountedGamma choice;
  KaplanMeier counted;
  /// The next best γ, where fewer than fewest_compared rounds drafted as far as the longer of it and the best.
  struct Uncompared {
    std::size_t gamma, deeper;
    std::uint64_t reached;  ///< of those rounds
  };
  std::optional<Uncompared> uncompared = {};
};
RoundsGamma choose_by_rounds(RequestCounts const& rows, Costs const& costs, CountedAsked const& asked);

/// By survival as it is said, which is taken as exact.
CountedGamma choose_by_survival(std::vector<double> survival, Costs const& costs, CountedAsked const& asked);

/// By survival α^i for i = 1 … `most`, and the same at both ends of α's interval, where it has one. S at each γ grows
/// with α, and so does the best γ, whatever rounds cost, as E[N] at a longer draft over that at a shorter one does:
/// ends of α are ends of both. The intervals are Eq. (1)'s: where a γ ran, claim_only leaves that one's.
CountedGamma choose_by_alpha(double alpha, std::optional<Interval> const& within, int most, Costs const& costs,
                             CountedAsked const& asked);

/// By E[N] of γ = 0, 1, …, with its errors over requests that had so many rounds. Survival and policies are left empty.
CountedGamma choose_by_tokens(std::vector<TextEstimate> tokens, double rounds, Costs const& costs,
                              CountedAsked const& asked);

/// By counts of each request, which are independent of each other, as rounds of one need not be.
struct RequestsGamma {
  CountedGamma choice;
  RequestSurvival counted;
  std::optional<RoundDependence> dependence = {};  ///< none where it cannot be tested
  bool dependent = false;                          ///< by that test; there are no policies then
};
RequestsGamma choose_by_requests(LengthCounts const& requests, Costs const& costs, CountedAsked const& asked);

/// p-value below which rounds of one request are called dependent.
inline constexpr double dependent_below = .01;

}  // namespace draftgauge
