#include <fmt/format.h>

#include <map>
#include <string>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/log_fields.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view sign = "#gen drafts";

/// Sums since the server's start, of one kind of draft: its last line counts.
void read(std::string const& file, std::string_view text, EngineCounters& counters) {
  std::map<std::string, CounterSums> kinds;
  double seconds = 0;
  Lines lines(text);
  LogPlace at{file};
  while (lines.next()) {
    std::string_view const line = lines.line();
    if (line.find(sign) == line.npos) continue;
    at.number = lines.number();
    std::size_t const begin = std::min(line.find("statistics"), line.size());
    CounterSums& sums = kinds[std::string(trimmed(line.substr(begin, line.find('#') - begin)))];
    sums = {.rounds = at.count("#gen drafts", value_of(line, "#gen drafts")),
            .drafted = at.count("#gen tokens", value_of(line, "#gen tokens")),
            .accepted = at.count("#acc tokens", value_of(line, "#acc tokens"))};
    sums.by_position = counts_of_shares(at.shares("#acc rate/pos", values_of(line, "#acc rate/pos")), *sums.rounds);
    // Of begin, generate and accept the second is the draft model's.
    if (auto const times = values_of(line, "dur(b,g,a)"); times.size() == 3) seconds = times[1] / 1000;
  }
  // A kind is as good as a request here: what one does not say is unknown of all.
  for (auto& [name, sums] : kinds) take_request(counters, name, std::move(sums));
  counters.sums = total(counters.requests);
  counters.requests.clear();
  counters.rounding = .0005;
  if (kinds.size() == 1 && seconds > 0) counters.draft_seconds = seconds;
  counters.notes.emplace_back("sums since the server's start (statistics), of rounds that had a draft");
}

}  // namespace

CounterFormat llama_statistics() {
  return {.name = "llama.cpp statistics",
          .engine = "llama.cpp",
          .summary = "llama.cpp's lines \"statistics … #gen drafts = …\" alone, the last of each kind of draft",
          .versions = "llama.cpp of 2026",
          .is_text = [](std::string_view text) { return text.find(sign) != text.npos; },
          .read = read};
}

}  // namespace draftgauge::formats
