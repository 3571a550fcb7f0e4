#pragma once
#include <string_view>

namespace draftgauge {

/// What a rule decides on: one position at a time (the round walks down from the root), or the whole draft at once.
enum class Shape { node, path };

/// What people and programs read about a rule. Commands, docs and tests take all they say from here.
struct RuleCard {
  std::string_view name;      ///< as typed after --rule
  std::string_view summary;   ///< one sentence
  std::string_view source;    ///< paper and equation
  std::string_view drafter;   ///< the drafter that the rule is made for (its name in the list of drafters)
  bool lossless;              ///< claims that the output's law is p when drafts come from that drafter
  bool many_candidates;       ///< takes more than one candidate per position
};

/// What people and programs read about a drafter.
struct DrafterCard {
  std::string_view name;
  std::string_view summary;
  bool distinct;  ///< a position's candidates are different tokens, so that there are no more of them than tokens
};

}  // namespace draftgauge
