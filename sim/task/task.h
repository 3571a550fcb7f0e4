#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/draft/round_shape.h"
#include "sim/model/pair_tables.h"
#include "sim/play/tally.h"
#include "sim/task/call.h"
#include "sim/task/card.h"
#include "sim/trees/tree_text.h"

namespace draftgauge {

struct Drafting;   // sim/draft/drafting.h
struct TrialPlan;  // sim/play/trial.h

/// The cards of all rules, drafters and policies of draft lengths, in the order of their lists.
std::vector<RuleCard> const& rule_cards();
std::vector<DrafterCard> const& drafter_cards();
std::vector<PolicyCard> const& policy_cards();

/// What a text such as "token" or "lenient:lenience=.5" calls (sim/task/call.h).
Call rule_call(std::string_view text);
Call drafter_call(std::string_view text);
Call policy_call(std::string_view text);

/// The card of the rule, or policy, that a text calls.
RuleCard const& rule_card(std::string_view text);
PolicyCard const& policy_card(std::string_view text);
/// Whether a rule's author says that, with these parameters, the output's law is the reference's, rightly or wrongly.
bool claims_lossless(Call const& rule);
/// Whether it needs memory of no fixed size, which a device has not.
bool host_only(Call const& rule);

/// The card of the drafter that a text calls.
DrafterCard const& drafter_card(std::string_view text);

/// What to simulate, apart from the laws, the seed and the trials.
struct Task {
  std::string rule = "token";  ///< with its parameters: "lenient:lenience=1/2"
  std::string drafter = {};    ///< empty: the one that the rule is made for
  std::string policy = {};     ///< of draft lengths, with its parameters; empty: "fixed"
  RoundShape shape = {};
  TreeShape tree = {};                      ///< what shape.tree is a view of; the root alone: the tree is even
  std::uint32_t rounds_per_trial = 0;       ///< 0: one where rounds are independent, else 64
  std::optional<std::uint32_t> start = {};  ///< the row where every trial starts; else any row, equally likely
  int positions = 0;                        ///< histograms of the first so many tokens of a trial
  int gram = 0;                             ///< joint counts of so many consecutive tokens of a trial
  bool firsts = false;                      ///< a histogram of the first token of every round
  std::uint32_t gram_from = 0;              ///< tokens of the trial before those of the gram; 0 without a gram
};

/// Makes a task's rounds draft this tree.
void draft_tree(Task& task, ParsedTree tree);

/// The task with the drafter named that its rule is made for, and the policy "fixed", where it names none itself.
Task with_own_drafting(Task task);
/// What draws a task's drafts, its own or its rule's.
Drafting drafting_of(Task const& task);

/// Where the counts of a task's tally stand, its defaults filled in. `vocab` is that of its laws.
TallyLayout tally_layout(Task const& task, std::uint32_t vocab);

/// Half-open range of trial numbers.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
  friend bool operator==(Range const&, Range const&) = default;
};

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
