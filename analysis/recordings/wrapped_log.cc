#include "analysis/recordings/wrapped_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {
namespace {

/// What the record says was printed; null where it is no line of a log.
nlohmann::json const* line_in(nlohmann::json const& record) {
  if (member(record, {"stream"}) && member(record, {"time"})) return member(record, {"log"});
  return member(record, {"__REALTIME_TIMESTAMP"}) ? member(record, {"MESSAGE"}) : nullptr;
}

/// Docker's lines have their \n, or are continued by the next record; the journal's have none. It lists the bytes of
/// one that is no UTF-8: none of what is read here.
void add_line(nlohmann::json const& record, nlohmann::json const& line, std::string& lines) {
  if (line.is_string()) lines += line.get_ref<std::string const&>();
  if (!record.contains("log")) lines += '\n';
}

}  // namespace

std::optional<std::string> unwrapped_log(std::string const& file, std::string_view text) {
  constexpr std::size_t looked_at = 65536;  // of the text, which may be a recording
  std::string_view const beginning = text.substr(0, looked_at);
  if (!JsonRecords::looks_like_json(text) ||
      (beginning.find("\"stream\"") == text.npos && beginning.find("\"__REALTIME_TIMESTAMP\"") == text.npos))
    return std::nullopt;
  JsonRecords records(file, text);
  std::string lines;
  while (records.next()) {
    nlohmann::json const* const line = line_in(records.value());
    if (line)
      add_line(records.value(), *line, lines);
    else if (lines.empty())
      return std::nullopt;
  }
  return lines;
}

std::optional<std::string> unquoted(std::string_view text) {
  constexpr std::size_t longest = 64;
  std::string_view mark;
  bool any = false;
  auto const is_blank = [](std::string_view line) { return line.find_first_not_of(" \t>") == line.npos; };
  for (Lines lines(text); lines.next();) {
    std::string_view const line = lines.line();
    if (is_blank(line)) continue;
    if (!any) mark = line.substr(0, std::min(line.find_first_not_of(" >"), longest));
    any = true;
    auto const same = std::ranges::mismatch(mark, line).in1 - mark.begin();
    mark = mark.substr(0, static_cast<std::size_t>(same));
    if (mark.size() < 2) return std::nullopt;
  }
  if (!any) return std::nullopt;
  std::string plain;
  for (Lines lines(text); lines.next();)
    plain.append(is_blank(lines.line()) ? std::string_view() : lines.line().substr(mark.size())) += '\n';
  return plain;
}

}  // namespace draftgauge
