
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "analysis/counters/format_files.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/log_fields.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view llama_statistics_sign = "#gen drafts";

/// How often drafts were verified, the third number of "#calls(b,g,a) =    2    200    134".
std::optional<std::int64_t> accept_calls(LogPlace const& at, std::string_view line) {
  constexpr std::string_view key = "#calls(b,g,a)";
  std::size_t const found = line.find(key);
  if (found == line.npos) return std::nullopt;
  std::size_t const equals = line.find('=', found);
  std::istringstream numbers(std::string(line.substr(std::min(equals, line.size() - 1) + 1, 100)));
  double begin = 0, generate = 0, accept = -1;
  numbers >> begin >> generate >> accept;
  return at.count(key, accept);
}

constexpr double mean_shown_to = .005;  ///< the mean length has two digits

/// Drafts that were made, or calls that verified one where the mean length is that of these.
std::int64_t rounds_of(LogPlace const& at, std::string_view line, std::int64_t accepted,
                       std::optional<double> mean_length) {
  std::int64_t const made = at.count_in(line, "#gen drafts");
  auto const verified = accept_calls(at, line);
  auto const fits = [&](std::int64_t rounds) {
    return std::abs(static_cast<double>(accepted) - (*mean_length - 1) * static_cast<double>(rounds)) <=
           mean_shown_to * 1.02 * static_cast<double>(rounds);
  };
  return mean_length && verified && !fits(made) && fits(*verified) ? *verified : made;
}

/// Sums since the server's start, of one kind of draft: its last line counts.
void read_llama_statistics(std::string const& file, std::string_view text, EngineCounters& counters) {
  std::map<std::string, CounterSums> kinds;
  double seconds = 0;
  counters.rounding = .0005;
  std::optional<double> mean_length;
  Lines lines(text);
  LogPlace at{file};
  while (lines.next()) {
    std::string_view const line = lines.line();
    if (line.find(llama_statistics_sign) == line.npos) continue;
    at.number = lines.number();
    add_draft_kind(counters, line);
    std::size_t const begin = std::min(line.find("statistics"), line.size());
    CounterSums& sums = kinds[std::string(trimmed(line.substr(begin, line.find('#') - begin)))];
    mean_length = value_of(line, "#mean acc len");
    std::int64_t const accepted = at.count_in(line, "#acc tokens");
    sums = {.rounds = rounds_of(at, line, accepted, mean_length),
            .drafted = at.count_in(line, "#gen tokens"),
            .accepted = accepted};
    sums.by_position = counts_of_shares(at.shares("#acc rate/pos", values_of(line, "#acc rate/pos")), *sums.rounds);
    std::vector<EngineNumber> means;
    if (mean_length && std::isfinite(*mean_length))
      means.push_back({"#mean acc len", *mean_length, Rate::tokens_per_round, mean_shown_to});
    check_record(counters, at.text(), sums, means);
    // Of begin, generate and accept the second is the draft model's.
    if (auto const times = values_of(line, "dur(b,g,a)"); times.size() == 3) seconds = times[1] / 1000;
  }
  // A kind is as good as a request here: what one does not say is unknown of all.
  for (auto& [name, sums] : kinds) take_request(counters, name, std::move(sums));
  counters.sums = total(counters.requests);
  counters.requests.clear();
  if (kinds.size() == 1 && seconds > 0) counters.draft_seconds = seconds;
  if (kinds.size() == 1 && mean_length)
    counters.says.push_back({"#mean acc len", *mean_length, Rate::tokens_per_round, mean_shown_to});
  counters.notes.emplace_back("sums since the server's start (statistics), of rounds that had a draft");
}

}  // namespace

CounterFormat llama_statistics() {
  return {.name = "llama.cpp statistics",
          .engine = "llama.cpp",
          .summary = "llama.cpp's lines \"statistics … #gen drafts = …\" alone, the last of each kind of draft",
          .versions = "llama.cpp of 2026",
          .is_text = [](std::string_view text) { return text.find(llama_statistics_sign) != text.npos; },
          .read = read_llama_statistics,
          .words = {{Rate::cumulative, "acc per pos"}},
          .shares_since_start = true};
}

}  // namespace draftgauge::formats
