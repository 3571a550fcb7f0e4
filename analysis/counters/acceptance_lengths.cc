#include <fmt/format.h>

#include <utility>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "sim/base/lists.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

constexpr std::string_view prefix = "acc_";

/// The lists of a record by the drafts' names: {"acc_eagle": {"acc_len": […]}, "acc_ngram": …}, {"acc": {"acc_len": […]}} or
/// {"acc_len": […]}, of which the last two are called acc.
std::vector<std::pair<std::string, Json const*>> lists_of(Json const& record) {
  std::vector<std::pair<std::string, Json const*>> lists;
  if (!record.is_object()) return lists;
  for (auto const& [key, value] : record.items()) {
    if (key == "acc_len" && value.is_array()) lists.emplace_back("acc", &record);
    if (key != "acc" && !key.starts_with(prefix)) continue;
    Json const* const list = member(value, {"acc_len"});
    if (list && list->is_array()) lists.emplace_back(key == "acc" ? key : key.substr(prefix.size()), &value);
  }
  return lists;
}

/// Each counts the token behind the drafts.
AcceptedFrom accepted_in(std::string const& place, Json const& holds) {
  AcceptedFrom accepted = optional_counts(place, holds, {"acc_len"});
  for (std::int64_t& length : accepted) {
    if (length < 1 || std::cmp_greater(length, most_positions + 1))
      refuse_record(
          place, fmt::format("an acc_len is {}", length),
          fmt::format("expected: accepted drafts and the token behind them, from 1 to {}", most_positions + 1));
    --length;
  }
  return accepted;
}

void take_acceptance_lengths(std::string const& place, Json const& record, EngineCounters& counters) {
  constexpr char const* why = "each record has one list of each draft";
  auto const lists = lists_of(record);
  for (auto const& [name, holds] : lists) {
    std::vector<AcceptedFrom>& texts = counters.drafts_from[name];
    if (texts.size() < counters.requests.size())
      refuse_record(place, fmt::format("records before it have no draft {}", in_quotes(name)), why);
    if (texts.size() > counters.requests.size())
      refuse_record(place, fmt::format("it has two lists of draft {}", in_quotes(name)), why);
    texts.push_back(accepted_in(place, *holds));
  }
  if (lists.size() != counters.drafts_from.size())
    refuse_record(place,
                  fmt::format("it has acceptance lengths of {}, records before it of {}",
                              counted(lists.size(), "draft"), counters.drafts_from.size()),
                  why);
  Json const* const id = member(record, {"id"});
  counters.requests.push_back({.name = !id               ? std::string()
                                       : id->is_string() ? id->get<std::string>()
                                                         : id->dump(),
                               .sums = {}});
}

void note_drafts(EngineCounters& counters) {
  auto const name = [](auto const& draft) { return draft.first; };
  counters.notes.push_back(fmt::format("It says at every token how many drafts are accepted there, of {}.",
                                       joined(counters.drafts_from, name)));
}

}  // namespace

CounterFormat acceptance_lengths() {
  return {
      .name = "acceptance lengths",
      .engine = "",
      .summary = "acc_len at every token of a text, a text a record, of one draft or several (acc_eagle, acc_ngram)",
      .versions = "the data of SpecDecode-Bench's simulator, of 2026",
      .is_record = [](Json const& record) { return !lists_of(record).empty(); },
      .take = take_acceptance_lengths,
      .settle = note_drafts,
      .has_ids = true};
}

}  // namespace draftgauge::formats
