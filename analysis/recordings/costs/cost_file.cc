#include "analysis/recordings/costs/cost_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>

#include "analysis/recordings/costs/measured_lines.h"
#include "analysis/recordings/costs/model_choice.h"
#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

/// What lines of a file for --cost have, whose `constant` fields need not be there.
auto needed(TimeFormat const& format) {
  return format.fields | std::views::filter([&](std::string_view name) { return !contains(format.constant, name); });
}

auto cost_formats() { return time_formats() | std::views::filter(&TimeFormat::cost); }

/// Null where a line has the fields of none.
TimeFormat const* cost_format_with(auto const& has) {
  for (TimeFormat const& each : cost_formats())
    if (std::ranges::all_of(needed(each), has)) return &each;
  return nullptr;
}

TimeFormat const* cost_format_of(Json const& record) {
  return cost_format_with([&](std::string_view name) { return member(record, {name}) != nullptr; });
}

class CostReader {
 public:
  explicit CostReader(std::string const& file) { table_.file = file; }

  void take(std::string const& place, Json const& object) {
    TimeFormat const* const format = cost_format_of(object);
    if (!format)
      throw InputError(place + ": it has " + keys_of(object) + " (known: " + cost_format_fields() + ")",
                       "write one of these");
    if (!table_.format.empty() && table_.format != format->name)
      refuse_second_kind(place, format->name, table_.format);
    table_.format = format->name;
    MeasuredRow const row(place, object);
    std::optional<TimedPass> pass = format->pass(row, table_.notes);
    if (!pass) return;
    require_constant(row, *format);
    if (format->batch_as_tokens) {
      note("a batch of n texts stands for a pass of n tokens: about the same work, but for attention");
      pass->tokens = row.count(format->batch, 1);
    }
    add(row, *pass);
  }

  CostTable finish() {
    if (table_.models.empty() && generated_.empty()) {
      throw InputError(
          table_.file +
              ": there is no time in it that says what a pass costs (a line for each number of tokens is expected)",
          "measure passes of 1, 2, … tokens");
    }
    for (auto const& [model, seconds] : generated_) {
      bool const two = !table_.models[model].seconds.emplace(1, seconds).second;
      table_.models[model].seconds[1] = seconds;
      if (two) note("T(1) is a generated token's time (n_gen), not that of n_prompt 1");
    }
    for (std::string_view const caveat : caveats_) note(std::string(caveat));
    for (auto const& [name, model] : table_.models) {
      double last = 0;
      for (auto const& [n, seconds] : model.seconds) {
        if (seconds < last)
          table_.notes.push_back(fmt::format("{}: {} tokens take less time than fewer do, as measured", name, n));
        last = seconds;
      }
    }
    return std::move(table_);
  }

 private:
  void note(std::string const& text) { add_once(table_.notes, text); }

  void require_constant(MeasuredRow const& row, TimeFormat const& format) {
    for (std::string_view const name : format.constant) {
      if (!row.has(name)) continue;
      std::int64_t const value = row.count(name, 0);
      auto const [first, is_new] = constant_.emplace(name, value);
      if (!is_new && first->second != value) {
        row.refuse(name, std::to_string(value),
                   fmt::format("{} as in the lines before; v(n) is of one {}", first->second, name));
      }
    }
  }

  void add(MeasuredRow const& row, TimedPass const& pass) {
    std::string const name = pass.model.empty() ? file_name(table_.file, true) : pass.model;
    double const seconds = pass.seconds / pass.passes;
    if (pass.parameters) table_.models[name].parameters = *pass.parameters;
    if (pass.generation) {
      if (!generated_.emplace(name, seconds).second) row.refuse_second("generation of " + name);
      return;
    }
    if (!pass.caveat.empty()) add_once(caveats_, pass.caveat);
    if (!table_.models[name].seconds.emplace(pass.tokens, seconds).second)
      row.refuse_second(fmt::format("T({}) of {}", pass.tokens, name));
  }

  CostTable table_;
  std::map<std::string, double> generated_;                    ///< T(1) by generation
  std::map<std::string, std::int64_t, std::less<>> constant_;  ///< what may not change in a cost.csv
  std::vector<std::string_view> caveats_;
};

std::string target_of(CostTable const& table, std::string const& name) {
  return target_model(table.file, sizes_of(table.models), name);
}

std::string draft_of(CostTable const& table, std::string const& target, std::string const& name) {
  return draft_model(table.file, sizes_of(table.models), target, name);
}

double step_of(CostTable const& table, std::string const& model) {
  auto const& seconds = table.models.at(model).seconds;
  auto const found = seconds.find(1);
  if (found == seconds.end()) {
    throw InputError(fmt::format("{}: T(1) of {} is missing (costs are in units of one step)", table.file, model),
                     "measure a pass of one token, too (llama-bench -p 1, or -n 32)");
  }
  return found->second;
}

std::map<std::int64_t, double> curve_of(CostTable const& table, std::string const& model) {
  double const step = step_of(table, model);
  std::map<std::int64_t, double> costs = table.models.at(model).seconds;
  for (auto& [n, cost] : costs) cost /= step;
  return costs;
}

}  // namespace

CostTable read_costs(std::string const& file, std::string_view bytes) {
  CostReader reader(file);
  MeasuredLines lines(file, text_of(file, bytes), Markdown::refused);
  while (lines.next()) reader.take(lines.place(), lines.row());
  return reader.finish();
}

std::map<std::int64_t, double> verify_costs(CostTable const& table, std::string const& target) {
  return curve_of(table, target_of(table, target));
}

Costs costs_of(CostTable const& table, std::string const& target, std::string const& draft) {
  std::string const of_target = target_of(table, target);
  std::string const of_draft = draft_of(table, of_target, draft);
  return {.draft = step_of(table, of_draft) / step_of(table, of_target),
          .verify = curve_of(table, of_target),
          .draft_curve = curve_of(table, of_draft)};
}

double plain_seconds_of(CostTable const& table, std::string const& target) {
  return step_of(table, target_of(table, target));
}

bool is_cost_record(Json const& record) { return cost_format_of(record) != nullptr; }

bool are_costs(std::vector<std::string> const& names) {
  return cost_format_with([&](std::string_view name) { return contains(names, name); }) != nullptr;
}

std::string cost_format_names() { return joined(cost_formats(), &TimeFormat::name); }

std::string cost_format_fields() {
  return joined(
      cost_formats(),
      [](TimeFormat const& each) {
        std::string const time = each.time.empty() ? "" : fmt::format(", {}", each.time);
        return fmt::format("{}{} of {}", joined(needed(each)), time, each.name);
      },
      "; ");
}

}  // namespace draftgauge
