#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "analysis/exact/exact.h"
#include "sim/schedules/estimates.h"
#include "sim/schedules/schedules.h"

namespace draftgauge {

/// One request of a batch: its p and q, which must outlive this, the row where its text stands, and its drafts a round.
struct BatchRequest {
  ExactModel const* model;
  std::uint32_t start = 0;
  int gamma = 1;
};

/// A round of a batch when all is drafted and nothing is verified.
struct DraftedBatch {
  std::vector<std::vector<Token>> drafts;  ///< [request][place]
  std::vector<std::uint32_t> rows;         ///< [request] where its round starts
  std::vector<Rational> memory;            ///< of the schedule, from the rounds before

  friend auto operator<=>(DraftedBatch const&, DraftedBatch const&) = default;
};

/// A schedule as a map from drafts to lengths: one of the list (exact_schedule), or anybody's.
struct ExactSchedule {
  /// [request] how many of its drafts are verified, at most all.
  std::function<std::vector<int>(DraftedBatch const&)> lengths;
  std::vector<Rational> memory = {};  ///< before the first round
  /// What it remembers of a round in which so many drafts of each request were accepted. None: nothing.
  std::function<std::vector<Rational>(DraftedBatch const&, std::vector<int> const& accepted)> after = {};
};

/// P(draft number `place` from 0 on is accepted, if all before it are), estimated from what stands before it: the
/// request, the row, and the drafts of this round so far.
using SlotEstimate = std::function<Rational(int request, std::uint32_t row, std::vector<Token> const& before)>;
/// Σ min(p, q): what Algorithm 1 accepts there.
SlotEstimate right_estimates(std::vector<BatchRequest> const& requests);
/// The largest q.
SlotEstimate largest_q(std::vector<BatchRequest> const& requests);
/// [place] whatever stands before; of places beyond, the last.
SlotEstimate estimates_by_place(std::vector<Rational> estimates);

/// What a text says of them.
SlotEstimate slot_estimates(EstimateText const& text, std::vector<BatchRequest> const& requests);

/// One of the list, called for requests. times: [slots + 1] of a pass that verifies so many slots; empty: all equal.
/// Throws UsageError where there are more requests than max_requests, or other than one time for each number of slots.
ExactSchedule exact_schedule(ScheduleCall const& schedule, std::vector<BatchRequest> const& requests, SlotEstimate estimate,
                             std::vector<Rational> times);

/// The exact distribution of a round of a batch, each request's text completed from its target to `length` tokens.
struct ExactBatch {
  std::map<std::vector<int>, Rational> lengths;  ///< P(so many drafts of each request are verified)
  std::vector<Rational> tokens;                  ///< [request] E[N]
  std::vector<SequenceLaw> each;                 ///< [request] of its own text
  SequenceLaw joint;                             ///< of all texts, one behind another
  std::vector<Rational> distance_each;           ///< [request] TV from its target
  Rational distance;                             ///< TV of `joint` from the product of the targets
  std::uint64_t paths = 0;                       ///< drafts of the whole batch that were followed
};

/// Every way to draft, decide and verify, by a rule whose drafts are drawn from q. Throws TooManyPaths for more than
/// max_paths ways to draft, NotEnumerable where contexts are drawn at random or the rule takes other drafts.
ExactBatch exact_batch(std::string_view rule, std::vector<BatchRequest> const& requests,
                       ExactSchedule const& schedule, int length, std::uint64_t max_paths = 1'000'000);

/// The joint distribution of the requests' first `length` tokens where rounds follow each other, every request in
/// every round, until each has so many.
SequenceLaw exact_stream(std::string_view rule, std::vector<BatchRequest> const& requests,
                         ExactSchedule const& schedule, int length, std::uint64_t max_paths = 1'000'000);
/// The product of the requests' targets over so many tokens each.
SequenceLaw joint_target(std::vector<BatchRequest> const& requests, int length);

/// Some last tokens of several requests that together change whether their slots are verified.
struct Interaction {
  std::vector<int> requests;              ///< from 0
  std::vector<std::vector<Token>> texts;  ///< [those requests] drafts up to and with the slot
  std::vector<Token> others;              ///< [those requests] in place of the last tokens
  Rational difference;                    ///< the mixed difference of P(all these slots are verified)
};

/// The first interaction of a schedule in one round, by number of requests and then by place. Without one a rule that
/// is lossless stays so for the batch jointly. Where every token has p > 0, with one it does not: of a single request,
/// P(slot verified | drafts up to it) must not depend on the last of them, and of several it must be a sum of functions
/// that each miss one last token (docs/schedules.md).
std::optional<Interaction> first_interaction(std::vector<BatchRequest> const& requests, ExactSchedule const& schedule,
                                             std::uint64_t max_paths = 1'000'000);

}  // namespace draftgauge
