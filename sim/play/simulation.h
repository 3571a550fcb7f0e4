#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/task/task.h"

namespace draftgauge {

struct TrialPlan;  // sim/play/trial.h

/// A task made ready: checked against its laws, names resolved. Refers to the laws, which must outlive it.
class Simulation {
 public:
  /// Throws UsageError for what the task asks wrongly, InputError where these laws cannot carry it.
  Simulation(Task task, PairTables const& tables, std::uint64_t seed);
  ~Simulation();

  Task const& task() const { return task_; }  ///< with its defaults filled in
  PairTables const& tables() const { return *tables_; }
  std::uint64_t seed() const { return seed_; }
  RuleCard const& rule() const { return rule_cards()[static_cast<std::size_t>(rule_.index)]; }
  Call const& rule_called() const { return rule_; }
  TrialPlan const& plan() const { return *plan_; }
  std::vector<std::uint32_t> const& starts() const { return starts_; }
  /// [children][rows] what the rule derives from each row (sim/model/row_constant.h); empty where it does not.
  std::vector<double> const& constants() const { return constants_; }

  /// [rows][top_count] the most likely tokens of q; empty where no drafter asks.
  std::vector<Token> const& tops() const { return tops_; }

  /// Throws UsageError for a range of more than most_trials() trials, and for one that is empty or reversed.
  void check(Range range) const;

  Simulation(Simulation const&) = delete;
  Simulation& operator=(Simulation const&) = delete;

 private:
  Task task_;
  PairTables const* tables_;
  std::uint64_t seed_;
  Call rule_;
  std::vector<std::uint32_t> starts_;
  std::vector<Token> tops_;
  std::vector<double> constants_;
  std::unique_ptr<TrialPlan const> plan_;
};

/// The most trials whose sums are sure to stay below 2^63 (the largest are Σ t² and the positions computed): the
/// longest range that check() lets pass.
std::uint64_t most_trials(Simulation const& simulation);

}  // namespace draftgauge
