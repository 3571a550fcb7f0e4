#pragma once
#include "sim/play/trial.h"
#include "sim/schedules/schedules.h"

namespace draftgauge {

/// The most slots of a batch: what is drafted is kept until all lengths are decided.
inline constexpr int max_batch_slots = 4096;

/// Where each count of a batch's tally stands: those of its requests (TallyLayout), then what only a batch has.
struct BatchTallyLayout {
  TallyLayout each;
  int requests = 1;
  int joint = 0;  ///< the requests' first so many tokens are counted jointly: vocab^(joint·requests) cells

  DRAFTGAUGE_HD int most_slots() const { return requests * each.gamma; }
  /// Rounds of the batch in which so many slots were verified.
  DRAFTGAUGE_HD std::size_t slots(int count) const { return each_size() + static_cast<std::size_t>(count); }
  /// Rounds of requests of which so many drafts were verified, and so many accepted.
  DRAFTGAUGE_HD std::size_t verified(int length, int accepted) const {
    return slots(most_slots() + 1) + static_cast<std::size_t>(length * (each.gamma + 1) + accepted);
  }
  /// Batches by all requests' first tokens, the first request's first token most significant.
  DRAFTGAUGE_HD std::size_t joint_cell(std::uint64_t code) const { return verified(each.gamma + 1, 0) + code; }
  std::uint64_t joint_cells() const {
    std::uint64_t cells = joint > 0 ? 1 : 0;
    for (int i = 0; i < joint * requests; ++i) cells *= each.vocab;
    return cells;
  }
  std::size_t size() const { return joint_cell(joint_cells()); }

  friend bool operator==(BatchTallyLayout const&, BatchTallyLayout const&) = default;

 private:
  DRAFTGAUGE_HD std::size_t each_size() const { return each.first(each.firsts ? each.vocab : 0); }
};

/// What a schedule is told of a slot's chance to be accepted: by the row that it stands on, or by its place alone.
struct SlotEstimates {
  double const* by_row = nullptr;    ///< [rows]
  double const* by_place = nullptr;  ///< [γ]; used where there is no by_row

  DRAFTGAUGE_HD double at(std::uint32_t row, int place) const { return by_row ? by_row[row] : by_place[place]; }
};

/// All that a worker on any machine needs to play batches of one task. A trial is a batch that plays so many rounds.
struct BatchPlan {
  TrialPlan each;  ///< of one request
  BatchTallyLayout tally;
  AnySchedule schedule;
  SlotEstimates estimates;
  double const* time = nullptr;  ///< [slots + 1] of a pass that verifies so many slots
};

}  // namespace draftgauge
