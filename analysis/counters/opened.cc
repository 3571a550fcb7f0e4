#include "analysis/counters/opened.h"

#include <fmt/format.h>

#include <utility>

#include "analysis/counters/difference.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

EngineCounters opened(std::string const& path) {
  TextFile const file(path);
  EngineCounters counters = read_counters(path, file.text());
  require_identities(counters);
  complete_to_length(counters);
  return counters;
}

void require_rounds(EngineCounters const& counters) {
  if (counters.sums.drafted != 0 && counters.sums.rounds != 0) return;
  throw InputError(fmt::format("{}: no round had a draft ({} tokens were drafted in {} rounds)", counters.file,
                               counters.sums.drafted.value_or(0), counters.sums.rounds.value_or(0)),
                   "generate more text, with speculation on");
}

// What the counters do not say and the user does.
void take_length(EngineCounters& counters, std::int64_t length, std::string_view option) {
  CounterSums& sums = counters.sums;
  if (std::cmp_greater(length, most_positions))
    throw UsageError(fmt::format("{} {} is out of range (at most {})", option, length, most_positions));
  if (counters.draft_length && *counters.draft_length != length)
    throw UsageError(fmt::format("{} is {}, and {} says {} (one of the two is wrong)", option, length, counters.file,
                                 *counters.draft_length),
                     "leave it out");
  if (sums.rounds && sums.drafted && *sums.drafted > length * *sums.rounds)
    throw UsageError(fmt::format("{} is {}, and {} counts {} tokens in {} rounds (which is more)", option, length,
                                 counters.file, *sums.drafted, *sums.rounds),
                     "give the length that the engine was set to");
  if (!sums.rounds && sums.drafted) {
    if (*sums.drafted % length != 0)
      throw UsageError(fmt::format("{} is {}, and {} counts {} draft tokens (which are no whole rounds)", option,
                                   length, counters.file, *sums.drafted),
                       "give the length that the engine was set to");
    sums.rounds = *sums.drafted / length;
  }
  counters.draft_length = length;
  complete_to_length(counters);
}

}  // namespace

EngineCounters counters_of(std::vector<std::string> const& files, std::optional<std::int64_t> length,
                           std::string_view option) {
  if (files.size() > 2)
    throw UsageError(
        fmt::format("{} files of counters are given (one, or two scrapes of one server's metrics)", files.size()),
        "give one or two");
  if (files.size() == 2 && files[0] == files[1])
    throw UsageError(fmt::format("{} is given twice (what happened between two scrapes is asked)", files[0]),
                     "give an earlier and a later one");
  EngineCounters counters = opened(files[0]);
  if (files.size() == 2) {
    counters = difference(counters, opened(files[1]));
    require_identities(counters);
    complete_to_length(counters);
  }
  require_rounds(counters);
  if (length) take_length(counters, *length, option);
  return counters;
}

}  // namespace draftgauge
