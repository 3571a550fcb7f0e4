#include <fmt/format.h>

#include "analysis/counters/format_files.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view vllm_v0_log_sign = "Speculative metrics",
                           vllm_v0_log_length = "Number of speculative tokens";

/// Some builds have the last word of the key twice.
std::int64_t count_of_tokens(LogPlace const& at, std::string_view line, std::string_view key) {
  auto const value = value_of(line, key);
  return at.count(key, value ? value : value_of(line, std::string(key) + " tokens"));
}

/// Sums since the server's start: the last line counts. A draft token is "accepted" there where it passes its test by
/// itself, also behind one that did not; tokens that came out are in "emitted" alone.
void read_vllm_v0_log(std::string const& file, std::string_view text, EngineCounters& counters) {
  Lines lines(text);
  LogPlace at{file};
  CounterSums& sums = counters.sums;
  while (lines.next()) {
    std::string_view const line = lines.line();
    if (line.find(vllm_v0_log_sign) == line.npos) continue;
    at.number = lines.number();
    std::int64_t const gamma = at.count_in(line, vllm_v0_log_length);
    if (gamma < 1) at.refuse(vllm_v0_log_length, "at least 1");
    std::optional<std::int64_t> const before = sums.drafted;
    counters.passed_alone = at.count_in(line, "Number of accepted tokens");
    sums.drafted = count_of_tokens(at, line, "Number of draft tokens");
    if (before && *sums.drafted < *before)
      throw InputError(fmt::format("{}: the number of draft tokens falls from {} to {} (the server was "
                                   "started anew, or there are several)",
                                   at.text(), *before, *sums.drafted),
                       "give the lines of one server, from one start on");
    sums.emitted = count_of_tokens(at, line, "Number of emitted tokens");
    counters.draft_length = gamma;
    counters.says.clear();
    if (auto const rate = printed_rate(line, "Draft acceptance rate", Rate::independent))
      counters.says.push_back(*rate);
    if (auto const share = printed_rate(line, "System efficiency", Rate::efficiency)) counters.says.push_back(*share);
  }
  sums.rounds = *sums.drafted / *counters.draft_length;
  sums.accepted = *sums.emitted - *sums.rounds;
  if (*sums.accepted < 0)
    throw InputError(file + ": fewer tokens are emitted than rounds were played (each emits one at least)",
                     "correct the log");
  counters.since_start = true;
  counters.notes.emplace_back(
      "Its accepted tokens passed their test by themselves, also behind a rejected one: those that came out are the "
      "emitted ones less one a round.");
}

}  // namespace

CounterFormat vllm_v0_log() {
  return {.name = "vLLM V0 log",
          .engine = "vllm",
          .summary = "the server's line \"Speculative metrics: …\", the last of them",
          .versions = "vLLM V0, to 0.10",
          // The first builds of V1 begin their line so, too, and do not say how many tokens are drafted.
          .is_text =
              [](std::string_view text) {
                return text.find(vllm_v0_log_sign) != text.npos && text.find(vllm_v0_log_length) != text.npos;
              },
          .read = read_vllm_v0_log,
          .words = {{Rate::independent, "Draft acceptance rate"}}};
}

}  // namespace draftgauge::formats
