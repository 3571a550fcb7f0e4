#include "apps/simulate/store_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "analysis/stats/trials.h"
#include "apps/cli/version_command.h"
#include "apps/options/task_words.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

/// The options that --merge leaves a meaning, beside those that all commands share.
constexpr std::string_view with_merge[] = {"--merge", "--id", "--cost", "--ops-cost", "--confidence"};

std::string words_for(StoredTask const& of) {
  TaskText const text = read_task(of.text);
  return fmt::format("--id {} --seed {}, {} at {} on {}", of.id, of.seed, text.task.rule, shape_text(text.task),
                     text.source);
}

/// One row of each task and seed among the rows.
std::vector<StoreRow> tasks_among(std::vector<StoreRow> const& rows) {
  std::vector<StoreRow> tasks;
  for (StoreRow const& row : rows)
    if (std::ranges::none_of(tasks, [&](StoreRow const& known) { return known.of.same(row.of); }))
      tasks.push_back(row);
  return tasks;
}

std::string listed(std::vector<StoreRow> const& tasks) {
  constexpr std::size_t most = 10;
  std::string const list =
      joined(tasks | std::views::take(most), [](StoreRow const& row) { return words_for(row.of); }, "; ");
  return tasks.size() > most ? fmt::format("{}; and {} more", list, tasks.size() - most) : list;
}

/// The stretches that ranges in order make up together.
std::vector<Range> stretches(std::vector<StoreRow> const& rows) {
  std::vector<Range> all;
  for (StoreRow const& row : rows) {
    if (!all.empty() && all.back().end == row.range.begin) {
      all.back().end = row.range.end;
    } else {
      all.push_back(row.range);
    }
  }
  return all;
}

}  // namespace

OptionGroup store_options() {
  return {"Where results are kept",
          {{.name = "--store",
            .kind = Kind::path,
            .summary = "add what is played to this file, row by row, and play only the trials that it lacks"},
           {.name = "--merge",
            .kind = Kind::path,
            .summary = "play nothing: put the rows of these stores together; no SOURCE is needed",
            .many = true},
           {.name = "--id",
            .kind = Kind::text,
            .value = "ID",
            .summary = "the task to take where the stores of --merge hold several, with --seed"}}};
}

Filling::Filling(StoredTask of, std::vector<StoreRow> const& rows, Range asked)
    : of_(std::move(of)), asked_(asked), rows_(rows_inside(rows_of(rows, of_), asked)) {}

std::uint64_t Filling::lacking() const {
  std::uint64_t trials = 0;
  for (Range const& gap : gaps()) trials += gap.size();
  return trials;
}

std::optional<Failure> Filling::play(Crew& crew, Store* store, std::string_view backend, Watch const& told) {
  std::optional<Failure> failure;
  std::uint64_t before = 0;
  bool goes_on = true;
  for (Range const gap : gaps()) {
    auto const of_crew = crew.play(
        gap, [&](std::uint64_t trials) { return goes_on = told(before + trials) && !failure; },
        [&](std::vector<Played> const& parts) {
          std::size_t const known = rows_.size();
          for (Played const& part : parts) rows_.push_back(row_of(of_, part, program_version(), backend));
          if (!store || failure) return;
          try {
            store->append(std::span(rows_).subspan(known));
          } catch (InputError const& error) {
            failure = {error, Ending::store};
          }
        });
    if (of_crew && !failure) failure = {*of_crew, Ending::rank};
    if (!goes_on || failure) break;
    before += gap.size();
  }
  std::ranges::sort(rows_, {}, [](StoreRow const& row) { return row.range.begin; });
  return failure;
}

std::uint64_t Filling::end() const {
  auto const lacks = gaps();
  return lacks.empty() ? asked_.end : lacks.front().begin;
}

Played Filling::played(TallyLayout const& layout) const {
  Played played{Tally(layout), {asked_.begin, end()}};
  add(rows_inside(rows_, played.range), played.tally);
  return played;
}

Parts Filling::parts(TallyLayout const& layout) const {
  Parts parts;
  for (StoreRow const& row : rows_) {
    Played part{Tally(layout), row.range};
    add({&row, 1}, part.tally);
    parts.add(part);
  }
  return parts;
}

namespace {

template <class F>
std::uint64_t trials_of(std::vector<StoreRow> const& rows, F&& is_meant) {
  std::uint64_t trials = 0;
  for (StoreRow const& row : rows)
    if (is_meant(row)) trials += row.range.size();
  return trials;
}

bool is_stored(StoreRow const& row) { return !row.place.empty(); }  // and not played by this run

}  // namespace

std::uint64_t Filling::from_store() const {
  return trials_of(rows_, [end = end()](auto const& row) { return is_stored(row) && row.range.end <= end; });
}

std::uint64_t Filling::played_here() const {
  return trials_of(rows_, [](auto const& row) { return !is_stored(row); });
}

std::uint64_t Filling::apart() const {
  return trials_of(rows_, [end = end()](auto const& row) { return row.range.begin >= end; });
}

StoredPlay play_stored(Invocation const& args, Simulation const& simulation, Source const& source,
                       Backend const& backend, Crew& crew, Amount const& amount) {
  Store store(args.text("--store"));
  Filling filling(stored_task(simulation, source), store.rows(), amount.range);
  auto bar = progress_of(args, simulation, amount, amount.open ? 0 : filling.lacking());
  std::uint64_t const per_trial = longest_trial(simulation);
  Deadline deadline(amount.time);
  auto failure = filling.play(crew, &store, backend.name, [&](std::uint64_t trials) {
    bar.at(trials * per_trial);
    return !deadline.reached();
  });
  StoredPlay done{.play = {.played = filling.played(simulation.plan().tally)},
                  .from_store = filling.from_store(),
                  .played = filling.played_here(),
                  .apart = filling.apart()};
  if (failure) done.play.failure = failure->error;
  if (auto lacks = filling.gaps(); !lacks.empty()) {
    done.play.ending = deadline.ending(failure ? failure->ending : Ending::rounds);
    if (amount.open && lacks.back().end == amount.range.end) lacks.pop_back();
    if (done.apart > 0) done.play.missing = std::move(lacks);
  }
  if (done.play.empty() && done.apart > 0 && !failure)
    throw InputError(fmt::format("the first of the asked trials are missing ({}; the store has {} behind them)",
                                 list_of({filling.gaps().front()}), done.apart),
                     "the same command plays the rest");
  return done;
}

void add_store(Result& result, TallyReport& report, std::string const& path, StoredPlay const& done) {
  auto& notes = result.sections.back().notes;
  report.store = {path, done.from_store, done.played};
  notes.push_back(
      fmt::format("Of the trials {} came from the store {}, {} were played.", done.from_store, path, done.played));
  if (done.apart > 0) {
    report.store->trials_apart = done.apart;
    notes.push_back(
        fmt::format("Trials behind the first that is missing are kept, and are not in this table: {}.", done.apart));
  }
  if (done.played == 0) result.backend.reset();
}

Result merged(Invocation const& args, Command const& command) {
  for (OptionGroup const& group : command.groups)
    for (Option const& option : group.options)
      if (args.has(option.name) && !contains(with_merge, option.name))
        throw UsageError(
            option.name + " has no meaning with --merge (nothing is played, and the task is in the rows)",
            "leave it out");
  std::vector<StoreRow> rows;
  std::vector<Input> inputs;
  for (std::string const& path : args.texts("--merge")) {
    for (StoreRow& row : read_store(path)) rows.push_back(std::move(row));
    inputs.push_back(input_from(path));
  }
  if (rows.empty())
    throw InputError(fmt::format("{}: there is no row (nothing to merge)", fmt::join(args.texts("--merge"), ", ")),
                     "play with --store first");
  auto const all = tasks_among(rows);
  std::erase_if(rows, [&](StoreRow const& row) {
    return (args.has("--id") && row.of.id != args.text("--id")) || (args.has("--seed") && row.of.seed != args.seed());
  });
  auto const tasks = tasks_among(rows);
  if (tasks.empty())
    throw UsageError(fmt::format("no row has that --id and --seed (the stores hold {})", listed(all)),
                     "choose one of these");
  if (tasks.size() > 1)
    throw UsageError(
        fmt::format("the stores hold {} results (only tallies of one task and seed add up)", tasks.size()),
        fmt::format("choose one: {}", listed(tasks)));
  check_disjoint(rows);
  StoredTask const& of = tasks.front().of;
  rows = rows_of(rows, of);
  TaskText text = read_task(of.text);
  Tally tally(tally_layout(text.task, of.contexts.vocab));
  add(rows, tally);
  Counted const counted{std::move(text.task), of.text,     std::move(text.source),
                        of.contexts,          of.rounding, {rows.front().range.begin, rows.back().range.end},
                        std::move(tally)};
  TallyReport report = tally_report(args, counted);
  Result result = tally_result(args, report);
  result.inputs = std::move(inputs);
  result.seed = of.seed;
  auto const parts = stretches(rows);
  report.merged = {rows.size(), trials_of(parts)};
  result.document = document_of(report);
  auto& notes = result.sections.back().notes;
  notes.push_back(fmt::format("Merged from {} rows of seed {}; nothing was played.", rows.size(), of.seed));
  if (parts.size() > 1)
    notes.push_back(fmt::format("{} between the first trial and the last {} missing.",
                                parts.size() == 2 ? "1 stretch" : fmt::format("{} stretches", parts.size() - 1),
                                parts.size() == 2 ? "is" : "are"));
  return result;
}

}  // namespace draftgauge
