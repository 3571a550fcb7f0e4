#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/draft/call.h"
#include "sim/draft/card.h"
#include "sim/draft/round_shape.h"
#include "sim/draft/tree_text.h"
#include "sim/model/pair_tables.h"
#include "sim/task/tally.h"

namespace draftgauge {

struct Drafting;  // sim/draft/drafting.h

/// The cards of all rules, drafters and policies of draft lengths, in the order of their lists.
std::vector<RuleCard> const& rule_cards();
std::vector<DrafterCard> const& drafter_cards();
std::vector<PolicyCard> const& policy_cards();

/// What a text such as "token" or "lenient:lenience=.5" calls (sim/draft/call.h).
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

/// Whether it keeps a state of its own between rounds of a target with a memory.
bool keeps_state(Call const& rule);

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

}  // namespace draftgauge
