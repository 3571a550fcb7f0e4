#include "apps/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "analysis/figures/spec.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/tally_ratio.h"
#include "apps/cli/written_values.h"
#include "apps/options/number_options.h"
#include "apps/simulate/play.h"
#include "apps/sweep/sweep_file.h"

namespace draftgauge {
namespace {

std::string value_of(SweptTask const& task, std::string const& axis) {
  auto const found = task.given.find(axis);
  return found == task.given.end() ? std::string() : found->second.front();
}

bool is_switch(std::string const& axis) {
  auto const axes = sweep_axes();
  auto const found = std::ranges::find(axes, axis, &Option::name);
  return found != axes.end() && found->kind == Kind::flag;
}

/// What a reader is told of a task on an axis: of a switch not "true", but what is on or off.
std::string label_of(SweptTask const& task, std::string const& axis) {
  std::string const value = value_of(task, axis);
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
  std::string const text = value_of(task, option);
  return text.empty() ? 0 : parse_written_number(text).value;
}

/// "block, γ 4": how a task differs from the others.
std::string words_of(SweptTask const& task, std::vector<std::string> const& axes) {
  std::string words;
  for (std::string const& axis : axes) {
    std::string const value = label_of(task, axis);
    if (value.empty()) continue;
    words += fmt::format("{}{}{}", words.empty() ? "" : ", ", is_numeric(axis) ? header_of(axis) + " " : "", value);
  }
  return words;
}

struct Estimates {
  std::optional<Interval> acceptance, mean_accepted, mean_tokens, speedup;
};

/// costs: some task of the sweep has one. Then one without has no speed-up that could stand beside theirs; else drafts are free.
Estimates estimates_of(Invocation const& args, SweptTask const& task, bool costs) {
  if (!task.played) return {};
  Tally const& tally = task.played->tally;
  TrialShape const shape = trial_shape(task.task, task.of.contexts);
  double const confidence = number_of(args, "--confidence");
  auto const ratio = [&](TallyLayout::Field field) { return tally_ratio(shape, tally, field, confidence); };
  Estimates all{ratio(TallyLayout::started), ratio(TallyLayout::drafts_accepted), ratio(TallyLayout::tokens), {}};
  if (all.mean_tokens && (!costs || task.given.contains("--cost")))
    all.speedup = priced(tally, *all.mean_tokens, number_in(task, "--cost"), number_in(task, "--ops-cost")).speedup;
  return all;
}

bool are_priced(std::vector<SweptTask> const& tasks) {
  return std::ranges::any_of(tasks, [](SweptTask const& task) { return task.given.contains("--cost"); });
}

/// "S at c=0.05", where that holds for all tasks.
std::string speedup_header(std::vector<SweptTask> const& tasks) {
  std::string const cost = value_of(tasks.front(), "--cost");
  bool const same =
      std::ranges::all_of(tasks, [&](SweptTask const& task) { return value_of(task, "--cost") == cost; });
  return same ? "S at c=" + cost : "S";
}

/// A column for each axis, which say of a row what its task is.
std::vector<Column> axis_columns(std::vector<std::string> const& axes) {
  std::vector<Column> columns;
  for (std::string const& axis : axes)
    columns.push_back({key_of(axis), header_of(axis), is_numeric(axis) ? Align::right : Align::left});
  return columns;
}
std::vector<Cell> axis_cells(SweptTask const& task, std::vector<std::string> const& axes) {
  std::vector<Cell> cells;
  for (std::string const& axis : axes) {
    std::string const value = label_of(task, axis);
    cells.push_back(value.empty() ? Cell() : Cell(value));
  }
  return cells;
}

Cell cell_of(std::optional<Interval> const& interval) { return interval ? Cell(Estimate{*interval}) : Cell(); }
Json field_of(std::optional<Interval> const& interval) { return interval ? to_json(*interval) : Json(nullptr); }

Json document_of(SweptTask const& task, Estimates const& estimates, std::vector<std::string> const& axes) {
  Json settings = Json::object();
  for (std::string const& axis : axes)
    if (std::string const value = value_of(task, axis); !value.empty())
      settings[key_of(axis)] = value;
    else if (is_switch(axis))
      settings[key_of(axis)] = "false";
  auto const count = [&](TallyLayout::Field field) { return task.played ? task.played->tally[field] : 0; };
  return {{"settings", std::move(settings)},
          {"id", task.of.id},
          {"task", Json::parse(task.of.text)},
          {"asked", {task.part.begin, task.part.end}},
          {"missing", json_of(task.missing)},
          {"trials", count(TallyLayout::trials)},
          {"rounds", count(TallyLayout::rounds)},
          {"tokens", count(TallyLayout::tokens)},
          {"cost", value_of(task, "--cost").empty() ? Json(nullptr) : Json(number_in(task, "--cost"))},
          {"acceptance", field_of(estimates.acceptance)},
          {"mean_accepted", field_of(estimates.mean_accepted)},
          {"mean_tokens", field_of(estimates.mean_tokens)},
          {"speedup", field_of(estimates.speedup)}};
}

}  // namespace

Result sweep_report(Invocation const& args, std::vector<SweptTask> const& tasks,
                    std::vector<std::string> const& axes) {
  bool const costs = are_priced(tasks);
  std::vector<Column> columns = axis_columns(axes);
  columns.push_back({"rounds", "rounds"});
  columns.push_back({.key = "acceptance", .header = "P(τ ≥ 1)", .detail = costs});
  columns.push_back({"mean_tokens", "E[N]"});
  if (costs) columns.push_back({"speedup", speedup_header(tasks)});
  columns.push_back({.key = "id", .header = "id", .align = Align::left, .detail = true});

  Result result{.document = {{"estimator", "ratio over rounds or trials"}, {"tasks", Json::array()}}};
  Section section{.table = Table(std::move(columns))};
  std::vector<Range> missing;
  std::vector<std::string> lacking;
  SweptTask const* best = nullptr;
  std::optional<Interval> most;
  for (SweptTask const& task : tasks) {
    Estimates const estimates = estimates_of(args, task, costs);
    auto const& judged = costs ? estimates.speedup : estimates.mean_tokens;
    if (judged && (!most || judged->value > most->value)) best = &task, most = judged;
    std::vector<Cell> row = axis_cells(task, axes);
    row.push_back(task.played ? Cell(static_cast<std::int64_t>(task.played->tally[TallyLayout::rounds])) : Cell());
    row.push_back(cell_of(estimates.acceptance));
    row.push_back(cell_of(estimates.mean_tokens));
    if (costs) row.push_back(cell_of(estimates.speedup));
    row.push_back(task.of.id);
    section.table.add(std::move(row));
    result.document["tasks"].push_back(document_of(task, estimates, axes));
    if (!task.missing.empty())
      lacking.push_back(fmt::format("{}{}", words_of(task, axes).empty() ? "" : words_of(task, axes) + ": ",
                                    list_of(task.missing)));
  }
  std::string const which = best ? words_of(*best, axes) : "";
  result.title = most ? fmt::format("{} is {}{:.4f} [{:.4f}, {:.4f}]{}{}", costs ? "S" : "E[N]",
                                    tasks.size() > 1 ? "greatest, " : "", most->value, most->low, most->high,
                                    which.empty() ? "" : ", with ", which)
                      : std::string("No task has an estimate");
  result.title += fmt::format(": {}{}{}", counted(tasks.size(), "task"),
                              args.has("--shard") ? fmt::format(", shard {} of all", args.text("--shard")) : "",
                              lacking.empty() ? "" : fmt::format(", trials missing of {}", lacking.size()));
  section.notes.push_back(fmt::format("{:g}% intervals, each by itself: the greatest of many is likely to be lucky.",
                                      100 * number_of(args, "--confidence")));
  if (!lacking.empty()) {
    constexpr std::size_t most_shown = 8;
    std::string list = fmt::format("{}", fmt::join(lacking | std::views::take(most_shown), "; "));
    if (lacking.size() > most_shown) list += fmt::format("; and of {} more", lacking.size() - most_shown);
    section.notes.push_back(fmt::format("Trials are missing, which the same command with --store plays: {}.", list));
  }
  result.document["complete"] = lacking.empty();
  if (!lacking.empty()) result.status = Status::inconclusive;
  result.sections = {std::move(section)};
  return result;
}

Result sweep_plan(std::vector<SweptTask> const& tasks, std::vector<std::string> const& axes) {
  std::vector<Column> columns = axis_columns(axes);
  columns.push_back({"trials", "trials", Align::left});
  columns.push_back({"id", "id", Align::left});
  Table table(std::move(columns));
  Result result{.document = {{"tasks", Json::array()}}, .title = counted(tasks.size(), "task")};
  for (SweptTask const& task : tasks) {
    std::vector<Cell> row = axis_cells(task, axes);
    row.emplace_back(fmt::format("{}..{}", task.part.begin, task.part.end));
    row.emplace_back(task.of.id);
    table.add(std::move(row));
    result.document["tasks"].push_back(
        {{"id", task.of.id}, {"task", Json::parse(task.of.text)}, {"asked", {task.part.begin, task.part.end}}});
  }
  result.sections.push_back({.table = std::move(table)});
  return result;
}

Figure sweep_figure(Invocation const& args, std::vector<SweptTask> const& tasks,
                    std::vector<std::string> const& axes) {
  bool const costs = are_priced(tasks);
  std::string along = axes.empty() ? "--rule" : axes.back();
  for (std::string const axis : {"--candidates", "--temperature", "--gamma"})
    if (std::ranges::find(axes, axis) != axes.end()) along = axis;
  std::vector<std::string> others;
  std::ranges::copy_if(axes, std::back_inserter(others), [&](std::string const& axis) { return axis != along; });

  Table table{{"series", "task", Align::left}, {"x", header_of(along)}, {"y", costs ? "S" : "E[N]"}};
  for (SweptTask const& task : tasks) {
    Estimates const estimates = estimates_of(args, task, costs);
    auto const& y = costs ? estimates.speedup : estimates.mean_tokens;
    if (!y) continue;
    std::string const value = label_of(task, along);
    table.add({words_of(task, others),
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
