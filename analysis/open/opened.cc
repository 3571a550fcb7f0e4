#include "analysis/open/opened.h"

#include <fmt/format.h>

#include <utility>

#include "analysis/counters/difference.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/every_position.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/read_counters.h"
#include "analysis/open/open_text.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/piped_input.h"
#include "sim/recordings/row_file.h"

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
  auto const& [rounds, drafted] = std::pair(counters.sums.rounds, counters.sums.drafted);
  throw InputError(
      fmt::format("{}: no round had a draft ({})", counters.file,
                  rounds && drafted ? fmt::format("{} tokens were drafted in {} rounds", *drafted, *rounds)
                  : rounds          ? "0 rounds are counted"
                                    : "0 tokens were drafted"),
      "generate more text, with speculation on");
}

/// Where drafts end early, what rounds gave at least, drafting one token each, and at most.
std::string yields_text(CounterSums const& sums, std::int64_t length) {
  if (!sums.accepted || *sums.drafted == 0) return {};
  double const share = static_cast<double>(*sums.accepted) / static_cast<double>(*sums.drafted);
  return fmt::format("; rounds gave {:.4g} tokens if each drafted one, {:.4g} if {}", 1 + share,
                     1 + share * static_cast<double>(length), length);
}

// What the counters do not say and the user does.
void take_length(EngineCounters& counters, std::int64_t length, std::string_view option) {
  CounterSums& sums = counters.sums;
  if (std::cmp_greater(length, most_positions))
    throw UsageError(fmt::format("{} {} is out of range (at most {})", option, length, most_positions),
                     fmt::format("give {} or less", most_positions));
  if (counters.draft_length && *counters.draft_length != length)
    throw UsageError(fmt::format("{} is {}, and {} says {} (one of the two is wrong)", option, length, counters.file,
                                 *counters.draft_length),
                     "leave it out");
  // Not by a product, which may be more than 64 bits hold.
  if (sums.rounds && sums.drafted && *sums.drafted / length + (*sums.drafted % length != 0) > *sums.rounds)
    throw UsageError(fmt::format("{} is {}, and {} counts {} tokens in {} rounds (which is more)", option, length,
                                 counters.file, *sums.drafted, *sums.rounds),
                     "give the length that the engine was set to");
  if (!sums.rounds && sums.drafted) {
    // Of each request by itself: a sum of uneven drafts may be whole by chance.
    bool whole = *sums.drafted % length == 0;
    for (CountedRequest& request : counters.requests) {
      CounterSums& own = request.sums;
      whole = whole && own.drafted.value_or(0) % length == 0;
      if (!own.rounds && own.drafted) own.rounds = *own.drafted / length;
    }
    if (!whole)
      throw UsageError(fmt::format("{} is {}, and {} counts {} draft tokens (which are no whole rounds{})", option,
                                   length, counters.file, *sums.drafted, yields_text(sums, length)),
                       fmt::format("give the length that the engine was set to; where drafts end early, {}",
                                   rounds_advice(counters)));
    sums.rounds = *sums.drafted / length;
  }
  counters.draft_length = length;
  if (auto const broken = broken_identities(counters); !broken.empty())
    throw UsageError(
        fmt::format("{} is {}, which {} contradicts: {}", option, length, counters.file, to_string(broken.front())),
        "give the length that the engine was set to");
  complete_to_length(counters);
}

/// Whether recordings, costs or logs are read of it: responses may hold log-probabilities in place of counts.
bool is_known_text(std::string const& path, std::string_view text) {
  try {
    static_cast<void>(text_kind(path, text));
    return true;
  } catch (InputError const&) {
    return false;
  }
}

}  // namespace

bool holds_counters(std::string const& path) {
  if (!is_input_file(path) || row_file_kind(path)) return false;
  try {
    TextFile const file(path);
    if (!JsonRecords::looks_like_json(file.text())) return is_counter_text(file.text());
    JsonRecords records(path, file.text());
    constexpr int looked_at = 16;  // responses, of which the first may be an error
    bool bare = false;
    for (int i = 0; i < looked_at && records.next(); ++i) {
      if (is_counter_record(records.value())) return true;
      if (!is_bare_record(records.value())) return false;
      bare = true;
    }
    return bare && !is_known_text(path, file.text());  // what they lack, the reader of counters says
  } catch (InputError const&) {
    return false;  // what is wrong with it, the reader of recordings says
  }
}

EngineCounters counters_of(std::vector<std::string> const& files, std::optional<std::int64_t> length,
                           std::string_view option, std::string_view draft) {
  if (files.size() > 2)
    throw UsageError(
        fmt::format("{} files of counters are given (one, or two scrapes of one server's metrics)", files.size()),
        "give one or two; `draftgauge gamma` compares drafts that `cost` names, as small=.1,large=.05");
  if (files.size() == 2 && files[0] == files[1])
    throw UsageError(fmt::format("{} is given twice (what happened between two scrapes is asked)", files[0]),
                     "give an earlier and a later one");
  EngineCounters counters = opened(files[0]);
  if (!counters.drafts_from.empty()) {
    play_rounds(counters, draft, length, option);
    length.reset();
  } else if (!draft.empty()) {
    throw UsageError(
        fmt::format("{} has no drafts by name, such as {} (it counts rounds of one)", counters.file, draft),
        "leave the name out");
  }
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
