#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/batch/batch_plan.h"
#include "sim/play/simulation.h"

namespace draftgauge {

/// What to simulate of a batch, apart from the laws, the seed and the range. Trials are batches.
struct BatchTask {
  Task task = {};  ///< of each request; its policy is "fixed", since the schedule decides
  int requests = 1;
  std::string schedule = "fixed";   ///< with its parameters: "top:slots=8"
  std::string estimates = "right";  ///< as parse_estimates reads it
  std::vector<double> times = {};   ///< [slots + 1] of a pass that verifies so many slots; empty: all equal
  int joint = 0;                    ///< the requests' first so many tokens are counted jointly
};

/// A batch's task made ready. Refers to the laws, which must outlive it.
class BatchSimulation {
 public:
  /// Throws UsageError for what is asked wrongly, InputError where these laws cannot carry it.
  BatchSimulation(BatchTask task, PairTables const& tables, std::uint64_t seed);

  BatchTask const& task() const { return task_; }  ///< with its defaults filled in
  Simulation const& each() const { return each_; }
  ScheduleCall const& schedule_called() const { return schedule_; }
  BatchPlan const& plan() const { return plan_; }
  /// [rows], or of estimates by place [γ].
  std::vector<double> const& estimates() const { return estimates_; }
  std::vector<double> const& times() const { return times_; }

  /// Throws UsageError for a range that is empty, reversed, or too long for 64-bit sums.
  void check(Range range) const;

  BatchSimulation(BatchSimulation const&) = delete;
  BatchSimulation& operator=(BatchSimulation const&) = delete;

 private:
  BatchTask task_;
  Simulation each_;
  ScheduleCall schedule_;
  std::vector<double> estimates_, times_;
  BatchPlan plan_;
};

/// What happened in batches, in integers that add.
class BatchTally {
 public:
  explicit BatchTally(BatchTallyLayout const& layout) : layout_(layout), counts_(layout.size(), 0) {}

  BatchTallyLayout const& layout() const { return layout_; }
  /// Of all requests together: a trial is a request of a batch.
  Tally each() const;
  /// [slots + 1] rounds of batches by the slots that were verified.
  std::span<std::uint64_t const> slots() const {
    return {counts_.data() + layout_.slots(0), static_cast<std::size_t>(layout_.most_slots()) + 1};
  }
  /// Rounds of requests of which so many drafts were verified, and so many accepted.
  std::uint64_t verified(int length, int accepted) const { return counts_[layout_.verified(length, accepted)]; }
  /// [vocab^(joint·requests)] batches by the requests' first tokens.
  std::span<std::uint64_t const> joint() const {
    return {counts_.data() + layout_.joint_cell(0), static_cast<std::size_t>(layout_.joint_cells())};
  }

  std::span<std::uint64_t> counts() { return counts_; }
  std::span<std::uint64_t const> counts() const { return counts_; }
  BatchTally& operator+=(BatchTally const& other);
  friend bool operator==(BatchTally const&, BatchTally const&) = default;

 private:
  BatchTallyLayout layout_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace draftgauge
