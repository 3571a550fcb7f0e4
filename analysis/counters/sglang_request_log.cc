#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/counters/format_files.h"
#include "analysis/counters/log_fields.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/python_literal.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view request_sign = "Finish: obj=", json_sign = "\"event\": \"request.finished\"";

/// The response's beginning in a line of the log, or of --log-requests-format json the whole object; nullopt in others.
/// Later builds have the request's headers before the response.
std::optional<std::string_view> response_in(std::string_view line) {
  if (std::size_t const brace = line.find('{'); brace != line.npos && line.find(json_sign) != line.npos)
    return line.substr(brace);
  std::size_t const sign = line.find(request_sign);
  if (sign == line.npos) return std::nullopt;
  std::size_t out = line.find("), out={", sign);
  if (std::size_t const headers = line.find("), headers={", sign); headers < out)
    out = line.find("}, out={", headers);
  if (out == line.npos) return std::nullopt;
  return line.substr(line.find('{', out));
}

bool is_sglang_request_log(std::string_view text) {
  Lines lines(text);
  while (lines.next())
    if (response_in(lines.line())) return true;
  return false;
}

/// What --log-requests prints at a request's end: its response as Python shows it.
void read_sglang_request_log(std::string const& file, std::string_view text, EngineCounters& counters) {
  CounterFormat const& responses = *counter_format("SGLang meta_info");
  std::uint64_t bare = 0;
  Lines lines(text);
  while (lines.next()) {
    auto const response = response_in(lines.line());
    if (!response) continue;
    LogPlace const at{file, lines.number()};
    bool const is_json = lines.line().find(json_sign) != std::string_view::npos;
    std::optional<std::string> const json =
        is_json ? std::optional<std::string>(*response) : json_of_python(*response);
    auto record = nlohmann::json::parse(json.value_or(""), nullptr, false);
    if (record.is_discarded()) at.refuse("out", "a dictionary that ends on its line");
    if (nlohmann::json const* const out = is_json ? member(record, {"out"}) : nullptr) record = nlohmann::json(*out);
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
