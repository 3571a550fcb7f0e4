#include "apps/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "analysis/figures/spec.h"
#include "analysis/report/tally.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/tally_ratio.h"
#include "apps/cli/written_values.h"
#include "apps/options/number_options.h"
#include "apps/simulate/play.h"
#include "apps/sweep/sweep_file.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

bool is_switch(std::string const& axis) {
  auto const axes = sweep_axes();
  auto const found = std::ranges::find(axes, axis, &Option::name);
  return found != axes.end() && found->kind == Kind::flag;
}

/// What a reader is told of a task on an axis: of a switch not "true", but what is on or off.
std::string label(SweptTask const& task, std::string const& axis) {
  std::string const value = value_in(task.given, axis);
  return is_switch(axis) ? (value.empty() ? "no " : "") + key_of(axis) : value;
}

std::string header_of(std::string const& axis) {
  if (axis == "--gamma") return "γ";
  if (axis == "--candidates") return "k";
  if (axis == "--temperature") return "T";
  return key_of(axis);
}

bool is_numeric(std::string const& axis) {
  return axis == "--gamma" || axis == "--temperature" || axis == "--candidates";
}

double number_in(SweptTask const& task, std::string const& option) {
  std::string const text = value_in(task.given, option);
  return text.empty() ? 0 : parse_written_number(text).value;
}

/// "block, γ 4": how a task differs from the others.
std::string to_string(SweptTask const& task, std::vector<std::string> const& axes) {
  std::string words;
  for (std::string const& axis : axes) {
    std::string const value = label(task, axis);
    if (value.empty()) continue;
    words += fmt::format("{}{}{}", words.empty() ? "" : ", ", is_numeric(axis) ? header_of(axis) + " " : "", value);
  }
  return words;
}

struct Estimates {
  std::optional<Interval> acceptance = {}, mean_accepted = {}, mean_tokens = {}, speedup = {}, operations = {};
};

/// Whether some task of the sweep has a --cost, or an --ops-cost.
bool any_has(std::vector<SweptTask> const& tasks, std::string const& cost) {
  return std::ranges::any_of(tasks, [&](SweptTask const& task) { return task.given.contains(cost); });
}

/// Of what some task of the sweep has a cost. Then one without has no estimate that could stand beside theirs; else
/// drafts are free.
struct AnyPriced {
  explicit AnyPriced(std::vector<SweptTask> const& tasks)
      : time(any_has(tasks, "--cost")), operations(any_has(tasks, "--ops-cost")) {}
  bool time, operations;
};

Estimates estimates_of(Invocation const& args, SweptTask const& task, AnyPriced const& any) {
  if (!task.played) return {};
  Tally const& tally = task.played->tally;
  TrialShape const shape = trial_shape(task.task, task.of.contexts);
  double const confidence = number_of(args, "--confidence");
  auto const ratio = [&](TallyLayout::Field field) { return tally_ratio(shape, tally, field, confidence); };
  Estimates all{ratio(TallyLayout::started), ratio(TallyLayout::drafts_accepted), ratio(TallyLayout::tokens)};
  if (!all.mean_tokens) return all;
  auto const costs = priced(tally, *all.mean_tokens, number_in(task, "--cost"), number_in(task, "--ops-cost"));
  if (!any.time || task.given.contains("--cost")) all.speedup = costs.speedup;
  if (!any.operations || task.given.contains("--ops-cost")) all.operations = costs.operations;
  return all;
}

/// "S at c=0.05", where that holds for all tasks; none where no task has this cost.
std::optional<std::string> priced_header(std::vector<SweptTask> const& tasks, std::string const& what,
                                         std::string_view symbol, std::string const& option) {
  if (!any_has(tasks, option)) return std::nullopt;
  std::string const cost = value_in(tasks.front().given, option);
  bool const same =
      std::ranges::all_of(tasks, [&](SweptTask const& task) { return value_in(task.given, option) == cost; });
  return same ? fmt::format("{} at {}={}", what, symbol, cost) : what;
}

Json settings_of(SweptTask const& task, std::vector<std::string> const& axes) {
  Json settings = Json::object();
  for (std::string const& axis : axes)
    if (std::string const value = value_in(task.given, axis); !value.empty())
      settings[key_of(axis)] = value;
    else if (is_switch(axis))
      settings[key_of(axis)] = "false";
  return settings;
}

struct SweepRow {
  SweptTask const& task;
  Estimates estimates = {};
};

/// A column for each axis, which say of a row what its task is; the task itself for programs.
Fields<SweepRow> task_fields(std::vector<std::string> const& axes) {
  Fields<SweepRow> fields;
  for (std::string const& axis : axes) {
    auto const said = [axis](SweepRow const& row) { return label(row.task, axis); };
    Align const align = is_numeric(axis) ? Align::right : Align::left;
    fields.push_back({key_of(axis), header_of(axis), said, {.align = align, .table_only = true}});
  }
  fields.push_back({"id", [](SweepRow const& row) { return row.task.of.id; }});
  fields.push_back({"task", [](SweepRow const& row) { return Json::parse(row.task.of.text); }});
  fields.push_back({"asked", [](SweepRow const& row) { return Json{row.task.part.begin, row.task.part.end}; }});
  return fields;
}

/// With the columns of what came of it; speedup, operations: their headings, where tasks have such costs.
Fields<SweepRow> swept_fields(std::vector<std::string> const& axes, std::optional<std::string> const& speedup,
                              std::optional<std::string> const& operations) {
  using Row = SweepRow const&;
  auto const count = [](TallyLayout::Field field) {
    return [field](Row row) { return row.task.played ? row.task.played->tally[field] : 0; };
  };
  auto const played = [rounds = count(TallyLayout::rounds)](Row row) {
    return given(row.task.played.has_value(), rounds(row));
  };
  auto const cost = [](std::string const& option) {
    return [option](Row row) { return given(row.task.given.contains(option), number_in(row.task, option)); };
  };
  auto const estimate = [](auto member) { return inner(&SweepRow::estimates, member); };
  Fields<SweepRow> fields = task_fields(axes);
  auto const add = [&](Field<SweepRow> field) { fields.push_back(std::move(field)); };
  add({"settings", [axes](Row row) { return settings_of(row.task, axes); }});
  add({"missing", [](Row row) { return trials_of(row.task.missing); }});
  add({"trials", count(TallyLayout::trials)});
  add({"rounds", count(TallyLayout::rounds)});
  add({"rounds", "rounds", played, for_people});
  add({"tokens", count(TallyLayout::tokens)});
  add({"cost", cost("--cost")});
  add({"ops_cost", cost("--ops-cost")});
  add({"acceptance", "P(τ ≥ 1)", estimate(&Estimates::acceptance), {.detail = speedup.has_value()}});
  add({"mean_accepted", estimate(&Estimates::mean_accepted)});
  add({"mean_tokens", "E[N]", estimate(&Estimates::mean_tokens)});
  add({"speedup", estimate(&Estimates::speedup)});
  if (speedup) add({"speedup", *speedup, estimate(&Estimates::speedup), for_people});
  add({"operations", estimate(&Estimates::operations)});
  if (operations) add({"operations", *operations, estimate(&Estimates::operations), for_people});
  add({"id", "id", [](Row row) { return row.task.of.id; }, {.detail = true, .table_only = true}});
  return fields;
}

}  // namespace

Result sweep_report(Invocation const& args, std::vector<SweptTask> const& tasks,
                    std::vector<std::string> const& axes) {
  AnyPriced const any(tasks);
  bool const costs = any.time;
  std::vector<SweepRow> rows;
  std::vector<std::string> lacking;
  SweptTask const* best = nullptr;
  std::optional<Interval> most;
  for (SweptTask const& task : tasks) {
    Estimates const estimates = estimates_of(args, task, any);
    auto const& judged = costs ? estimates.speedup : estimates.mean_tokens;
    if (judged && (!most || judged->value > most->value)) best = &task, most = judged;
    rows.push_back({task, estimates});
    if (!task.missing.empty())
      lacking.push_back(fmt::format("{}{}", to_string(task, axes).empty() ? "" : to_string(task, axes) + ": ",
                                    list_of(task.missing)));
  }
  auto const fields = swept_fields(axes, priced_header(tasks, "S", "c", "--cost"),
                                   priced_header(tasks, "operations", "ĉ", "--ops-cost"));
  Result result{.document = {{"estimator", "ratio over rounds or trials"}, {"tasks", rows_of(fields, rows).array()}}};
  Section section{.table = rows_of(fields, rows).table()};
  std::string const which = best ? to_string(*best, axes) : "";
  result.title = most
                     ? fmt::format("{} is {}{:.4f}{}{}{}", costs ? "S" : "E[N]", tasks.size() > 1 ? "greatest, " : "",
                                   most->value, bounds_text(most), which.empty() ? "" : ", with ", which)
                     : std::string("No task has an estimate");
  result.title += fmt::format(": {}{}{}", counted(tasks.size(), "task"),
                              args.has("--shard") ? fmt::format(", shard {} of all", args.text("--shard")) : "",
                              lacking.empty() ? "" : fmt::format(", trials missing of {}", lacking.size()));
  section.note(fmt::format("{:g}% intervals, each by itself: the greatest of many is likely to be lucky.",
                           100 * number_of(args, "--confidence")));
  if (!lacking.empty()) {
    constexpr std::size_t most_shown = 8;
    std::string list = fmt::format("{}", fmt::join(lacking | std::views::take(most_shown), "; "));
    if (lacking.size() > most_shown) list += fmt::format("; and of {} more", lacking.size() - most_shown);
    section.note(fmt::format("Trials are missing, which the same command with --store plays: {}.", list));
  }
  result.document["complete"] = lacking.empty();
  if (!lacking.empty()) result.status = Status::inconclusive;
  result.sections = {std::move(section)};
  return result;
}

Result sweep_plan(std::vector<SweptTask> const& tasks, std::vector<std::string> const& axes) {
  std::vector<SweepRow> rows;
  for (SweptTask const& task : tasks) rows.push_back({task});
  auto const trials = [](SweepRow const& row) {
    return fmt::format("{}..{}", row.task.part.begin, row.task.part.end);
  };
  Fields<SweepRow> fields = task_fields(axes);
  fields.push_back({"trials", "trials", trials, for_people});
  fields.push_back({"id", "id", [](SweepRow const& row) { return row.task.of.id; }, for_people});
  return {.document = {{"tasks", rows_of(fields, rows).array()}},
          .title = counted(tasks.size(), "task"),
          .sections = {{.table = rows_of(fields, rows).table()}}};
}

Figure sweep_figure(Invocation const& args, std::vector<SweptTask> const& tasks,
                    std::vector<std::string> const& axes) {
  AnyPriced const any(tasks);
  bool const costs = any.time;
  std::string along = axes.empty() ? "--rule" : axes.back();
  for (std::string const axis : {"--candidates", "--temperature", "--gamma"})
    if (contains(axes, axis)) along = axis;
  std::vector<std::string> others;
  std::ranges::copy_if(axes, std::back_inserter(others), [&](std::string const& axis) { return axis != along; });

  Table table{{"series", "task", Align::left}, {"x", header_of(along)}, {"y", costs ? "S" : "E[N]"}};
  for (SweptTask const& task : tasks) {
    Estimates const estimates = estimates_of(args, task, any);
    auto const& y = costs ? estimates.speedup : estimates.mean_tokens;
    if (!y) continue;
    std::string const value = label(task, along);
    table.add({to_string(task, others),
               is_numeric(along) && !value.empty() ? Cell(Number{number_in(task, along)}) : Cell(value),
               Estimate{*y}});
  }
  std::string const type = is_numeric(along) ? "quantitative" : "nominal";
  Spec spec = {{"encoding", {{"x", {{"field", "x"}, {"type", type}, {"title", header_of(along)}}}}}};
  if (is_numeric(along)) spec["encoding"]["x"]["scale"] = {{"zero", false}};
  if (is_numeric(along) && along != "--temperature")
    spec["encoding"]["x"]["axis"] = {{"tickMinStep", 1}, {"format", "d"}};
  if (!others.empty())
    spec["encoding"]["color"] = {{"field", "series"},
                                 {"type", "nominal"},
                                 {"sort", nullptr},
                                 {"legend", {{"title", nullptr}, {"columns", 1}, {"labelLimit", 0}}}};
  Spec const low = {{"field", "y_low"}, {"type", "quantitative"}, {"scale", {{"zero", false}}}};
  Spec const y = {{"field", "y"},
                  {"type", "quantitative"},
                  {"scale", {{"zero", false}}},
                  {"title", costs ? "speed-up S" : "E[N]"}};
  spec["layer"] = Spec::array();
  spec["layer"].push_back({{"mark", {{"type", "rule"}}}, {"encoding", {{"y", low}, {"y2", {{"field", "y_high"}}}}}});
  if (is_numeric(along)) spec["layer"].push_back({{"mark", {{"type", "line"}}}, {"encoding", {{"y", y}}}});
  spec["layer"].push_back(
      {{"mark", {{"type", "point"}, {"filled", true}, {"opacity", 1}}}, {"encoding", {{"y", y}}}});
  std::string caption = fmt::format("{} of {}, simulated; lines up and down are {:g} % intervals.",
                                    costs ? "Speed-up over plain decoding" : "Tokens a round emits",
                                    counted(tasks.size(), "task"), 100 * number_of(args, "--confidence"));
  return {"sweep", costs ? "Speed-up of the tasks of a sweep" : "Tokens per round of the tasks of a sweep",
          std::move(caption), spec_of(spec.dump(), table), std::move(table)};
}

}  // namespace draftgauge
