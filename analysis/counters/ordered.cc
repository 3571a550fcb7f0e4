#include "analysis/counters/ordered.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counters/json_fields.h"
#include "analysis/stats/counted.h"

namespace draftgauge {

OrderedCounts ordered_counts(EngineCounters const& counters) {
  OrderedCounts found;
  std::int64_t all = 0, unlisted = 0, undrafted = 0, longest = 0;
  bool listed = false, missing = false, unknown = false;
  for (CountedRequest const& request : counters.requests) {
    if (request.texts.empty() && request.sums.rounds == 0) continue;
    (request.texts.empty() ? missing : listed) = true;
    auto& texts = found.requests.emplace_back(request.texts);
    if (!request.accepted_from.empty()) found.accepted_from.push_back(request.accepted_from);
    std::int64_t tokens = 0;
    for (OrderedRounds& text : texts) {
      // A text's last round may have had no token left to draft.
      undrafted += std::ranges::count(text.begin(), text.end() - !text.empty(), 0, &OrderedRound::drafted);
      for (OrderedRound& round : text) {
        unknown = unknown || round.drafted == length_unknown;
        if (round.drafted == length_unknown) round.drafted = counters.draft_length.value_or(0);
        longest = std::max(longest, round.accepted - round.drafted);
        tokens += round.accepted + 1;
      }
    }
    all += tokens;
    // A text's first token may come of its prompt, before any round.
    auto const others = request.sums.emitted.value_or(tokens) - tokens;
    if (std::cmp_greater(others, texts.size())) unlisted += others;
  }
  if (!listed) return {};
  auto const no = [](std::string why) { return OrderedCounts{.why_not = std::move(why)}; };
  if (missing) return no("Some requests do not list their rounds, so their order is unknown.");
  if (unknown && !counters.draft_length)
    return no("The file lists rounds but not how many tokens each drafted. Say the length to replay them.");
  if (longest > 0) return no("A round accepted more tokens than the length that was set, so full rounds are unknown.");
  if (unlisted > 0)
    return no(fmt::format("{} tokens came from steps that the file does not list, so the order of rounds has gaps.",
                          unlisted));
  if (undrafted > 0)
    return no(fmt::format("{} drafted nothing, so what drafts would have given there is unknown.",
                          counted(static_cast<std::uint64_t>(undrafted), "step")));
  if (all > most_replayed)
    return no(fmt::format("{} tokens are too many to replay (at most {}): give fewer requests.", all, most_replayed));
  return found;
}

EngineCounters counters_of_histograms(RequestCounts const& rows, bool requests) {
  EngineCounters counters{.format = "accepted drafts", .unit = requests ? "request" : "run"};
  for (std::vector<std::int64_t> const& row : rows)
    take_request(counters, {}, {.histograms = {{std::ssize(row) - 1, row}}});
  counters.sums = total(counters.requests);
  complete_to_length(counters);
  return counters;
}

EngineCounters counters_of_rounds(RequestRounds const& requests, std::int64_t drafted) {
  EngineCounters counters{.format = "accepted rounds", .draft_length = drafted, .emitted_by = EmittedBy::rounds};
  for (auto const& accepted : requests) {
    CounterSums sums{.emitted = 0};
    OrderedRounds rounds;
    for (std::int64_t const kept : accepted) {
      rounds.push_back({kept, drafted});
      *sums.emitted += kept + 1;
    }
    take_request(counters, {}, std::move(sums), {}, {std::move(rounds)});
  }
  counters.sums = total(counters.requests);
  complete_to_length(counters);
  return counters;
}

}  // namespace draftgauge
