#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/text_ratio.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// Rounds by how many drafts they kept, counted for each request by itself: [request][i] rounds that kept i of
/// γ = size − 1 drafts.
using RequestCounts = std::vector<std::vector<std::int64_t>>;
/// The same of requests that drafted by several lengths: of each one histogram for each length that it had.
using LengthCounts = std::vector<RequestCounts>;

/// A row a request: JSON lines, each an array of counts or an object with one under "accepted"; else numbers with
/// commas, semicolons, tabs or blanks between them. There a first line is a heading where it begins with a word, or has
/// words behind 0, 1, 2, …, such as "0,1,2 or more"; where its first word is request, prompt, name or id, or its second
/// cell is 0, the first column is left out. Blank lines and those that start with # are left out. Throws InputError
/// with the name, the line, and what is wrong: counts above most_rounds too, a file without a round, and bare 0,1,2
/// before other rows, which may be their heading or a request.
RequestCounts read_request_counts(std::string_view name, std::string_view text);

/// What each round accepted, one after the other, [request].
using RequestRounds = std::vector<std::vector<std::int64_t>>;

/// The same of such rows. Rows behind a heading whose first word begins with request or prompt name their request, whose
/// rounds may stand in several rows. Where each line is one number, all lines are one request. Throws InputError.
RequestRounds read_request_rounds(std::string_view name, std::string_view text);

/// Whether such a row could as well be a list of rounds, each by the drafts that it kept: every entry is the length of
/// a draft that engines run, and there are more of them than a histogram of those lengths has.
bool could_be_rounds(std::vector<std::int64_t> const& row);

/// Survival estimated from such counts, with errors over requests: requests are independent of each other, rounds of
/// one request need not be. The estimate is that of kaplan_meier for all counts together. Up to the shortest of the
/// requests' longest γ E[N] is a mean over all of them. Beyond it a draft's rate is that of the requests that reached
/// the draft: they alone give its error, each by its share of the rounds there, with degrees of freedom by their
/// number, which E[N] then has too, as is enough for two independent errors (Mickey and Brown, Ann. Math. Statist.
/// 37, 1966). Where a single request reached it, or all that did have one rate, that error is not known, and survival
/// ends before.
struct RequestSurvival {
  /// The first draft that is left out so, and how many requests reached it.
  struct Unknown {
    std::size_t draft, requests;
  };
  KaplanMeier pooled;                  ///< as deep as `survival`
  std::vector<TextEstimate> survival;  ///< [i − 1] P(first i kept); a sample of requests, as long as their rounds
  std::optional<Unknown> unknown = {};
  std::size_t requests() const { return survival.front().texts(); }
};
/// Requests without a round are left out. Throws UsageError as kaplan_meier does.
RequestSurvival survival_over_requests(LengthCounts const& requests, std::size_t resamples, std::uint64_t seed);
/// A request for each histogram.
LengthCounts one_length_each(RequestCounts const& counts);
/// All histograms, whichever request they are of.
RequestCounts all_rows(LengthCounts const& requests);

/// E[N] = 1 + Σ survival for γ = 0, 1, …; of γ = 0 it is 1, which all requests agree on.
std::vector<TextEstimate> tokens_over_requests(std::span<TextEstimate const> survival, bool bonus);

/// How dependent the rounds of one request are on each other.
struct RoundDependence {
  double p_value;        ///< of independence, by permutation
  int permutations;      ///< 0: by χ²
  double design_effect;  ///< variance of E[N] at the longest γ over requests, over that of as many independent rounds
};
/// H₀: rounds are independent draws, whichever request they are of. Then every order of the rounds of one γ is as
/// likely, and the statistic Σ_r (K_r − n_r k̄)²/n_r, K_r drafts kept in n_r rounds, is as likely to be any of the
/// values that it has when rounds are dealt to the requests anew: p is the rank of the one seen, exact at every size.
/// It finds requests that differ from each other, and rounds that follow each other alike within one; both make the
/// variance of a request's sum more than that of its rounds. Rounds of one request that drafted by two lengths are
/// two requests to it. Above 500 000 rounds p is by χ², which is the limit of many events in each request, not of
/// many requests: where few rounds reject, requests are looked at together, in the order given, until each group
/// expects 50 that do (else 50 rounds or more), with a degree less than groups for each γ. Memory goes with the
/// rounds up to that, with the requests above. None of a single request, where all rounds kept as many drafts, and
/// where events are too few for two groups.
std::optional<RoundDependence> round_dependence(RequestCounts const& counts, RequestSurvival const& survival,
                                                std::uint64_t seed);

}  // namespace draftgauge
