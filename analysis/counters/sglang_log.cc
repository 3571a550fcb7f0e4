#include <fmt/format.h>

#include <cmath>

#include "analysis/counters/format_files.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view sglang_log_sign = "accept len:", sglang_running = "#running-req";

void read_sglang_log(std::string const& file, std::string_view text, EngineCounters& counters) {
  Lines lines(text);
  LogPlace at{file};
  TimedLines timed;
  bool weighed = true;  // each line says how many sequences it is of
  while (lines.next()) {
    std::string_view const line = lines.line();
    if (line.find(sglang_log_sign) == line.npos) continue;
    at.number = lines.number();
    timed.take(at, line, sglang_log_sign);
    auto const length = value_of(line, "accept len");
    if (!length || !(*length >= 0 && *length <= 1e6)) at.refuse("accept len", "a number ≥ 0");
    if (auto const rate = printed_rate(line, "accept rate", Rate::accepted_per_drafted))
      check_record(counters, at.text(), {}, {*rate});
    double sequences = 1;
    if (auto const running = value_of(line, sglang_running)) {
      sequences = static_cast<double>(at.count(sglang_running, running));
      add_at_once(counters, sglang_running, "a mean over lines", sequences);
    } else {
      weighed = false;
    }
    if (*length >= 1 && sequences > 0) counters.stretches.push_back({sequences, *length});  // else none ran
  }
  if (!weighed)
    for (MeanOfStretch& each : counters.stretches) each.sequences = 1;
  if (counters.stretches.empty()) return;
  double tokens = 0, sequences = 0;
  for (MeanOfStretch const& each : counters.stretches) {
    tokens += each.sequences * each.tokens_per_round;
    sequences += each.sequences;
  }
  counters.says.push_back({"accept len", tokens / sequences, Rate::tokens_per_round, HUGE_VAL});
  counters.notes.push_back(
      fmt::format("The mean of {} lines, each of as many steps (decode-log-interval){}.", counters.stretches.size(),
                  weighed ? ", weighted by the sequences that ran" : "; how many sequences ran is not said"));
}

}  // namespace

CounterFormat sglang_log() {
  return {.name = "SGLang log",
          .engine = "sglang",
          .summary = "the server's lines \"Decode batch. … accept len: …\": a mean over time, no counters",
          .versions = "SGLang 0.4 and later",
          .is_text = [](std::string_view text) { return text.find(sglang_log_sign) != text.npos; },
          .read = read_sglang_log,
          .at_once = sglang_running};
}

}  // namespace draftgauge::formats
