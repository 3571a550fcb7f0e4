#include "analysis/recordings/cost_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/measured_row.h"
#include "analysis/recordings/model_choice.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/add_once.h"
#include "sim/base/contains.h"
#include "sim/base/error.h"
#include "sim/base/joined.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

class CostReader {
 public:
  /// A kind of file, by the fields that all its lines have.
  struct Format {
    std::string_view name;
    std::vector<std::string_view> fields;
    void (CostReader::*take)(MeasuredRow const&);
    std::string_view time = {};  ///< for messages, what stands beside these under one name or another
  };
  static std::vector<Format> const& formats() {
    static std::vector<Format> const known = {
        {"llama-bench", {"n_prompt", "n_gen", "avg_ns"}, &CostReader::take_bench},
        {"llama-batched-bench", {"pl", "tg", "t_tg"}, &CostReader::take_batched},
        {"cost.csv", {"phase", "tokens", "mean_s"}, &CostReader::take_cost},
        {"passes", {"model", "n_tokens"}, &CostReader::take_pass, "median_ms or mean_ms"}};
    return known;
  }
  /// Null where a line has the fields of none.
  static Format const* format_with(auto const& has) {
    for (Format const& each : formats())
      if (std::ranges::all_of(each.fields, has)) return &each;
    return nullptr;
  }

  explicit CostReader(std::string const& file) { table_.file = file; }

  void take(std::string const& place, Json const& object) {
    Format const* const format = format_with([&](std::string_view name) { return member(object, {name}); });
    if (!format)
      throw InputError(place + ": it has " + keys_of(object) + " (known: " + cost_format_fields() + ")",
                       "write one of these");
    if (!table_.format.empty() && table_.format != format->name)
      refuse_second_kind(place, format->name, table_.format);
    table_.format = format->name;
    (this->*format->take)(MeasuredRow(place, object));
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
    if (prompts_) note(last_token_note);
    for (auto const& [name, model] : table_.models) {
      double last = 0;
      for (auto const& [n, seconds] : model.seconds) {
        if (seconds < last) note(fmt::format("{}: {} tokens take less time than fewer do, as measured", name, n));
        last = seconds;
      }
    }
    return std::move(table_);
  }

 private:
  void note(std::string const& text) { add_once(table_.notes, text); }

  void add(MeasuredRow const& row, std::map<std::int64_t, double>& seconds, std::string const& model, std::int64_t n,
           double time) {
    if (!seconds.emplace(n, time).second) row.refuse_second(fmt::format("T({}) of {}", n, model));
  }

  void take_bench(MeasuredRow const& row) {
    std::int64_t const prompt = row.count("n_prompt", 0), generated = row.count("n_gen", 0);
    if (prompt > 0 && generated > 0) {
      note("tests of prompt and generation together say nothing of a pass: passed over");
      return;
    }
    if (prompt == 0 && generated == 0) row.refuse("n_prompt", "0 and n_gen 0", "one of them above 0");
    std::string const model = row.has("model_filename") ? file_name(row.text("model_filename")) : "model";
    double const seconds = row.time("avg_ns") * 1e-9;
    if (row.has("model_n_params")) table_.models[model].parameters = row.real("model_n_params");
    if (generated > 0) {
      if (!generated_.emplace(model, seconds / static_cast<double>(generated)).second)
        row.refuse_second("generation of " + model);
    } else {
      prompts_ = true;
      add(row, table_.models[model].seconds, model, prompt, seconds);
    }
  }

  void take_batched(MeasuredRow const& row) {
    std::int64_t const generated = row.count("tg", 0);
    if (generated == 0) return;
    note("a batch of n texts stands for a pass of n tokens: about the same work, but for attention");
    std::string const model = file_name(table_.file, true);
    add(row, table_.models[model].seconds, model, row.count("pl", 1),
        row.time("t_tg") / static_cast<double>(generated));
  }

  void take_cost(MeasuredRow const& row) {
    std::string const phase = row.phase();
    for (std::string_view const name : {"batch", "ctx"}) {
      if (!row.has(name)) continue;
      std::int64_t const value = row.count(name, 0);
      auto const [first, is_new] = constant_.emplace(name, value);
      if (!is_new && first->second != value) {
        row.refuse(name, std::to_string(value),
                   fmt::format("{} as in the lines before; v(n) is of one {}", first->second, name));
      }
    }
    add(row, table_.models[phase].seconds, phase, row.count("tokens", 1), row.time("mean_s"));
  }

  void take_pass(MeasuredRow const& row) {
    std::string const model = row.text("model");
    std::string_view const field = row.has("median_ms") ? "median_ms" : "mean_ms";
    add(row, table_.models[model].seconds, model, row.count("n_tokens", 1), row.time(field) * 1e-3);
  }

  CostTable table_;
  std::map<std::string, double> generated_;                    ///< T(1) by generation
  std::map<std::string, std::int64_t, std::less<>> constant_;  ///< what may not change in a cost.csv
  bool prompts_ = false;
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
  each_measured_row(file, text_of(file, bytes), Markdown::refused,
                    [&](std::string const& place, Json const& object) { reader.take(place, object); });
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

bool is_cost_record(Json const& record) {
  return CostReader::format_with([&](std::string_view name) { return member(record, {name}); }) != nullptr;
}

bool is_bench_markdown(std::string_view line) {
  return trimmed(line).starts_with('|') && line.find("t/s") != line.npos;
}

bool are_costs(std::vector<std::string> const& names) {
  return CostReader::format_with([&](std::string_view name) { return contains(names, name); }) != nullptr;
}

std::string cost_format_names() { return joined(CostReader::formats(), &CostReader::Format::name); }

std::string cost_format_fields() {
  return joined(
      CostReader::formats(),
      [](CostReader::Format const& each) {
        std::vector<std::string_view> fields = each.fields;
        if (!each.time.empty()) fields.push_back(each.time);
        return fmt::format("{} of {}", joined(fields), each.name);
      },
      "; ");
}

}  // namespace draftgauge
