#include "analysis/load/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "analysis/load/load_reading.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/costs/measured_lines.h"
#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// Those that say more than passes of one sequence.
auto batch_formats() { return time_formats() | std::views::filter(&TimeFormat::load); }

TimeFormat const* format_of(nlohmann::json const& record) {
  for (TimeFormat const& format : batch_formats())
    if (std::ranges::all_of(format.fields, [&](std::string_view name) { return record.contains(name); }) &&
        (!format.is || format.is(record)))
      return &format;
  return nullptr;
}

std::string fields_of(auto&& formats) {
  return joined(
      formats,
      [](TimeFormat const& each) { return fmt::format("{} of {}", fmt::join(each.fields, ", "), each.name); }, "; ");
}

/// What one of llama.cpp's programs, or passes of one sequence, say.
LoadTable of_costs(std::string const& file, std::string_view text) {
  CostTable const costs = read_costs(file, text);
  LoadTable table{.file = file, .format = costs.format, .notes = costs.notes};
  for (auto const& [name, model] : costs.models) {
    LoadTable::Model& into = table.models[name];
    into.parameters = model.parameters;
    for (auto const& [tokens, seconds] : model.seconds) into.ms.add(tokens, 1, seconds * 1e3);
  }
  return table;
}

/// A pass of more tokens, or of more sequences, that takes less time than a smaller one by more than a twentieth: as
/// a rule the two were measured in different ways, and the speed-up that follows is none that an engine has.
void note_contradictions(LoadReading& reading) {
  for (auto const& [name, model] : reading.table.models) {
    BatchGrid const& times = model.ms;
    std::vector<std::int64_t> const lengths = times.lengths();
    auto const words = [&](std::int64_t length, std::int64_t batch) {
      return fmt::format("{} of {} take {:.4g} ms", counted(static_cast<std::uint64_t>(length), "token"),
                         counted(static_cast<std::uint64_t>(batch), "sequence"), times.at(length, batch)->value);
    };
    for (std::int64_t const length : lengths) {
      std::vector<std::int64_t> const batches = times.batches(length), shortest = times.batches(lengths.front());
      for (std::size_t i = 0; i < batches.size(); ++i) {
        std::int64_t const batch = batches[i];
        std::optional<std::pair<std::int64_t, std::int64_t>> smaller;
        if (std::ranges::binary_search(shortest, batch)) smaller = {lengths.front(), batch};
        if (smaller && times.at(length, batch)->value >= .95 * times.at(smaller->first, batch)->value)
          smaller.reset();
        if (!smaller && i > 0 && times.at(length, batch)->value < .95 * times.at(length, batches[i - 1])->value)
          smaller = {length, batches[i - 1]};
        if (!smaller) continue;
        reading.note(fmt::format("Times contradict each other: {}, {}. Were both measured in one way?",
                                 words(smaller->first, smaller->second), words(length, batch)));
        return;
      }
    }
  }
}

void take(TimeFormat const& format, MeasuredRow const& row, LoadReading& into) {
  if (!format.pass) return format.take_load(row, into);
  std::optional<TimedPass> const pass = format.pass(row, into.table.notes);
  if (!pass) return;
  std::string const model = pass->model.empty() ? only_model : pass->model;
  into.add_pass(row, model, pass->tokens, format.batch.empty() ? 1 : batch_in(row, format.batch),
                ms_per_second * pass->seconds / pass->passes);
  if (pass->parameters) into.table.models[model].parameters = *pass->parameters;
  if (!pass->caveat.empty()) into.note(std::string(pass->caveat));
}

void finish(LoadReading& reading) {
  for (auto const& [at, sum] : reading.runs) {
    auto const& [gamma, batch] = at;
    reading.table.models[only_model].ms.add(gamma + 1, batch, sum.ms / static_cast<double>(sum.runs));
    if (sum.with_tokens > 0)
      reading.table.tokens_per_round.add(gamma, batch, sum.tokens / static_cast<double>(sum.with_tokens));
    if (sum.runs > 1) reading.note("what was run several times counts with its mean");
  }
  note_contradictions(reading);
  if (!reading.table.models.empty()) return;
  throw InputError(reading.table.file + ": there is no time of a step in it (one is expected for each batch size)",
                   "measure steps of 1, 2, 4, … sequences");
}

}  // namespace

LoadTable read_load(std::string const& file, std::string_view bytes) {
  std::string_view const text = text_of(file, bytes);
  LoadReading reading{.table = {.file = file}};
  TimeFormat const* format = nullptr;
  MeasuredLines lines(file, text, Markdown::read);
  while (lines.next()) {
    std::string const& place = lines.place();
    nlohmann::json const& record = lines.row();
    TimeFormat const* const of = format_of(record);
    if (!format && !of && is_cost_record(record)) return of_costs(file, text);
    if (!of)
      throw InputError(fmt::format("{}: it has {} (known: {}; and what `cost` reads)", place, keys_of(record),
                                   fields_of(batch_formats())),
                       "write one of these");
    if (!format) {
      format = of;
      reading.table.format = of->name;
      reading.table.whole_rounds = of->whole_rounds;
    }
    if (of != format) refuse_second_kind(place, of->name, format->name);
    take(*of, MeasuredRow(place, record), reading);
  }
  finish(reading);
  return std::move(reading.table);
}

bool holds_load(std::string const& file, std::string_view text) {
  try {
    static_cast<void>(read_load(file, text));
    return true;
  } catch (InputError const&) {
    return false;
  }
}

bool is_load_record(nlohmann::json const& record) { return format_of(record) != nullptr; }

bool are_load_columns(std::vector<std::string> const& names) {
  return std::ranges::any_of(batch_formats(), [&](TimeFormat const& format) {
    return !format.is &&
           std::ranges::all_of(format.fields, [&](std::string_view name) { return contains(names, name); });
  });
}

TimeFormat const* load_format(std::string const& file, std::string_view bytes) {
  MeasuredLines lines(file, text_of(file, bytes), Markdown::read);
  return lines.next() ? format_of(lines.row()) : nullptr;
}

std::string load_format_names() { return joined(time_formats(), &TimeFormat::name); }

std::string load_formats_with_acceptance() {
  return joined(time_formats() | std::views::filter(&TimeFormat::says_acceptance), &TimeFormat::name);
}

}  // namespace draftgauge
