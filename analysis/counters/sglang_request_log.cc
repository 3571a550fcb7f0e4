#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/counters/format_files.h"
#include "analysis/counters/log_fields.h"
#include "analysis/recordings/python_literal.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view request_sign = "Finish: obj=", out_key = "), out={";

/// The response's beginning in a line of the log; nullopt in others.
std::optional<std::string_view> response_in(std::string_view line) {
  std::size_t const sign = line.find(request_sign), out = line.find(out_key, sign);
  if (sign == line.npos || out == line.npos) return std::nullopt;
  return line.substr(out + out_key.size() - 1);
}

bool is_sglang_request_log(std::string_view text) {
  Lines lines(text);
  while (lines.next())
    if (response_in(lines.line())) return true;
  return false;
}

/// What --log-requests prints at a request's end: its response as Python shows it.
void read_sglang_request_log(std::string const& file, std::string_view text, EngineCounters& counters) {
  CounterFormat const responses = sglang_responses();
  std::uint64_t bare = 0;
  Lines lines(text);
  while (lines.next()) {
    auto const response = response_in(lines.line());
    if (!response) continue;
    LogPlace const at{file, lines.number()};
    auto const json = json_of_python(*response);
    auto const record = nlohmann::json::parse(json.value_or(""), nullptr, false);
    if (record.is_discarded()) at.refuse("out", "a dictionary that ends on its line");
    if (responses.is_record(record))
      responses.take(at.text(), record, counters);
    else
      ++bare;
  }
  if (counters.requests.empty())
    throw InputError(
        fmt::format("{}: {}, and none counts drafts (the server did not speculate)", file, counted(bare, "request")),
        "start it with --speculative-algorithm");
  if (bare > 0) counters.notes.push_back(fmt::format("Requests without counts of drafts are left out: {}.", bare));
}

}  // namespace

CounterFormat sglang_request_log() {
  return {.name = "SGLang request log",
          .engine = "sglang",
          .summary = "the server's lines \"Finish: obj=…, out={'meta_info': …}\" (--log-requests), a request each",
          .versions = "SGLang 0.5 and later",
          .is_text = is_sglang_request_log,
          .read = read_sglang_request_log,
          .has_ids = true,
          .words = {{Rate::accepted_per_drafted, "spec_accept_rate"}}};
}

}  // namespace draftgauge::formats
