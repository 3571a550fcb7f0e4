#include "analysis/counters/every_position.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/sequence/count_bracket.h"
#include "analysis/sequence/every_position.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

std::vector<AcceptedFrom> const& chosen_draft(EngineCounters const& counters, std::string_view draft) {
  auto const& drafts = counters.drafts_from;
  if (draft.empty() && drafts.size() == 1) return drafts.begin()->second;
  std::string const names = joined(drafts, [](auto const& each) { return each.first; });
  if (draft.empty())
    throw UsageError(
        fmt::format("{}: it has {} drafts, {} (one is asked about)", counters.file, drafts.size(), names),
        fmt::format("say which one, as `draft-key` {}", shell_word(drafts.begin()->first)));
  auto const found = drafts.find(std::string(draft));
  if (found == drafts.end())
    throw UsageError(fmt::format("{}: it has no draft {} (there is {})", counters.file, draft, names),
                     "name one of these");
  return found->second;
}

}  // namespace

void play_rounds(EngineCounters& counters, std::string_view draft, std::optional<std::int64_t> length,
                 std::string_view option) {
  std::vector<AcceptedFrom> const texts = chosen_draft(counters, draft);
  std::int64_t const longest = longest_known(texts);
  if (length && *length > std::max<std::int64_t>(longest, 1))
    throw UsageError(fmt::format("{} is {}, and no round of {} would accept more than {} drafts", option, *length,
                                 counters.file, longest),
                     fmt::format("give {} or less", std::max<std::int64_t>(longest, 1)));
  std::int64_t const gamma = length.value_or(std::max<std::int64_t>(longest, 1));
  if (counters.drafts_from.size() > 1) counters.draft_kinds = {std::string(draft)};
  counters.drafts_from.clear();
  counters.draft_length = gamma;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CountedRequest& request = counters.requests[i];
    request.accepted_from = texts[i];
    if (!texts[i].empty()) request.texts = {play_from(texts[i], gamma)};
    std::int64_t drafted = 0, rounds = 0;
    for (OrderedRounds const& text : request.texts)
      for (OrderedRound const& round : text) drafted += round.drafted, rounds += round.drafted > 0;
    request.sums = {.rounds = rounds,
                    .drafted = drafted,
                    .emitted = static_cast<std::int64_t>(texts[i].size()),
                    .histograms = histograms_of(request.texts)};
    complete(request.sums);
  }
  counters.sums = total(counters.requests);
  complete(counters.sums);
  complete_to_length(counters);
  counters.notes = {fmt::format(
      "No engine ran these rounds: they are played, {} drafts each, along what the file has at every token.", gamma)};
}

}  // namespace draftgauge
