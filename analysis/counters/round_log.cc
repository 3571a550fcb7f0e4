#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/counters/engine_rounds.h"
#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/recordings/text_file.h"
#include "analysis/sequence/count_bracket.h"

namespace draftgauge::formats {
namespace {

/// A text's rounds, which follow each other, are a request's.
void read_round_log(std::string const& file, std::string_view text, EngineCounters& counters) {
  EngineLog const log = read_engine_rounds(file, text);
  counters.temperature = log.temperature;
  std::map<std::string_view, std::size_t> at;  // of each text: its request, in the order of the file
  for (EngineRound const& round : log.rounds) {
    if (std::cmp_greater(round.drafts(), most_positions))
      refuse_record(file,
                    fmt::format("the round of {} at token {} drafted {} tokens", in_quotes(round.text), round.start,
                                round.drafts()),
                    fmt::format("expected: at most {}", most_positions));
    auto const [place, is_new] = at.try_emplace(round.text, counters.requests.size());
    if (is_new)
      counters.requests.push_back(
          {.name = round.text, .sums = {.rounds = 0, .drafted = 0, .emitted = 0}, .texts = {{}}});
    CountedRequest& request = counters.requests[place->second];
    // Where the text ends within a round, its last token may be a draft's: it counts as the one behind the drafts.
    request.texts.front().push_back({round.emitted - 1, round.drafts()});
    *request.sums.rounds += round.drafts() > 0;
    *request.sums.drafted += round.drafts();
    *request.sums.emitted += round.emitted;
    counters.draft_length = std::max(counters.draft_length.value_or(0), round.gamma);
  }
  if (counters.draft_length == 0) counters.draft_length.reset();
  for (CountedRequest& request : counters.requests) {
    request.sums.histograms = histograms_of(request.texts);
    complete(request.sums);
  }
}

}  // namespace

CounterFormat round_log() {
  return {.name = "round log",
          .engine = "",
          .summary = "one round a line: prompt, start, gamma or drafted, emitted",
          .versions = "logs of rounds, as an audit takes them",
          .is_record = is_engine_round,
          .read = read_round_log};
}

}  // namespace draftgauge::formats
