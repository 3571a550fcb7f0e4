#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/counters/estimates.h"
#include "analysis/stats/token_trace.h"
#include "sim/draft/round_shape.h"

namespace draftgauge {

/// Draft tokens that are alike in one way, over rounds along recorded texts. Intervals are over texts; a group that
/// is in one text has none, as it does not know what other texts would say.
struct LostGroup {
  std::string name;
  double tested;             ///< draft tokens that were tested: expected, given the texts
  CountEstimate acceptance;  ///< of those that were tested
  CountEstimate share;       ///< of all tokens that rejections cost rounds
};

/// One way to tell draft tokens apart.
struct LostBy {
  std::string_view name;   ///< "draft_position"
  std::string_view words;  ///< "position in the draft"
  std::vector<LostGroup> groups;
};

/// Where rounds of γ drafts lose what they might have emitted, along recorded texts. A rejection of draft i costs its
/// round the tokens that would have followed: γ + 1 − i, without the bonus token γ − i. Each is the loss of one draft
/// token, so that whichever way these are told apart the shares sum to 1.
struct LostDrafts {
  double rounds, tested, rejected, lost;  ///< expected, given the texts
  std::vector<LostBy> by;
};

/// keep: [text][token] P(a draft there is kept | text). Drafts are told apart by position in the draft and in the
/// text, by what their token is where the recording has its text, by how sure the target is, by the part of the
/// text's name before a slash (a domain), and by text: each where the recording says it and there is more than one
/// group. A rejection behind the end of a text is none. Throws UsageError as token_rounds does.
LostDrafts lost_drafts(TokenTrace const& trace, std::span<std::vector<double> const> keep, RoundShape const& shape,
                       double confidence);

/// The same of rounds that an engine counted, by position in the draft, where histograms by draft length say which
/// tokens were tested; γ is the longest draft. None elsewhere.
std::optional<LostDrafts> lost_drafts(EngineCounters const& counters, double confidence);

/// What kind of token this text is, for readers: "line break or blank", "digits", "punctuation", "start of a word",
/// "rest of a word", "other". Blanks before it may be as tokenizers write them, Ġ or ▁.
std::string_view token_kind(std::string_view piece);

}  // namespace draftgauge
