#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/stats/counted.h"
#include "analysis/stats/trials.h"
#include "analysis/store/store.h"
#include "apps/figure/figure_files.h"
#include "apps/options/confidence.h"
#include "apps/options/source_options.h"
#include "apps/output/interruption.h"
#include "apps/simulate/crew_of_ranks.h"
#include "apps/simulate/play.h"
#include "apps/simulate/shard.h"
#include "apps/simulate/store_options.h"
#include "apps/sweep/sweep_file.h"
#include "apps/sweep/sweep_report.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

/// What one task of the sweep asks of simulate, by its own options and those that are for all.
Invocation invocation(Invocation const& args, Given given) {
  static Command const task = [] {
    Command simulate = simulate_command();
    simulate.name = "sweep";
    return simulate;
  }();
  for (char const* shared : {"--seed", "--threads", "--backend", "--quiet", "--memory", "--confidence"})
    if (auto const found = args.given().find(shared); found != args.given().end()) given.insert(*found);
  return args.with(task, std::move(given));
}

/// Opens the sources of tasks, one at a time: neighbours in a sweep mostly have the same.
class Sources {
 public:
  /// That of a task.
  Source const& of(Invocation const& task) {
    Given key = source_text(task);
    key.erase("--start");
    if (!source_ || key != key_) {
      source_.reset();  // before memory is taken for another
      source_.emplace(source_from(task));
      key_ = std::move(key);
      for (Input& input : inputs_of(*source_))
        if (seen_.insert(input.path).second) inputs_.push_back(std::move(input));
    }
    return *source_;
  }
  std::vector<Input> inputs() && { return std::move(inputs_); }

 private:
  Given key_;
  std::optional<Source> source_;
  std::set<std::string> seen_;
  std::vector<Input> inputs_;
};

Task task_of(Invocation const& task) {
  auto const gammas = gammas_from(task);
  return sampled_task_from(task, task.text("--rule"), gammas.front());
}

/// Of two tasks that play the same bits: that they ask for as many of them, at the same costs. Throws InputError.
void check_same(SweptTask const& first, SweptTask const& second) {
  auto const differ = [&](char const* option) {
    return value_in(first.given, option) != value_in(second.given, option);
  };
  bool const priced_apart = differ("--cost") || differ("--ops-cost");
  if (first.asked == second.asked && !priced_apart) return;
  throw InputError(fmt::format("it is an earlier task with other {} (a task stands in one row)",
                               priced_apart ? "costs" : "rounds"),
                   "ask for it once, or write two files");
}

/// Every task that the file asks for, once, with its trials; each has been tried on its source. notes: which of all
/// rules are left out.
std::vector<SweptTask> tasks_of(Invocation const& args, SweepFile const& file, Sources& sources,
                                std::vector<std::string>& notes) {
  std::vector<SweptTask> tasks;
  std::map<std::string, std::size_t> seen;  // ids, each with its place among the tasks
  std::size_t number = 0;
  for (Given const& each : file.tasks) {
    ++number;
    try {
      for (std::string const& rule : rules_from(invocation(args, each))) {
        SweptTask task{.given = each};
        task.given["--rule"] = {rule};
        Invocation const asked = invocation(args, task.given);
        Source const& source = sources.of(asked);
        Task const drafted = task_of(asked);
        if (std::string const why = value_in(each, "--rule") == "all" ? left_out(drafted, source.tables) : "";
            !why.empty()) {
          add_once(notes, why);
          continue;
        }
        Simulation const simulation(drafted, source.tables, args.seed());
        task.of = stored_task(simulation, source);
        task.task = simulation.task();
        task.asked = amount_from(asked, simulation).range;
        auto const [known, is_new] = seen.try_emplace(task.of.id, tasks.size());
        if (!is_new) {
          check_same(tasks[known->second], task);
          continue;
        }
        task.per_trial = longest_trial(simulation);
        simulation.check(task.asked);
        tasks.push_back(std::move(task));
      }
    } catch (Error const& error) {
      throw InputError(fmt::format("{}: task {}", args.text("FILE"), number), error);
    }
  }
  Shard const shard = shard_from(args);
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].part = part_of(tasks[i].asked, shard, i, tasks.size());
  std::uint64_t trials = 0;
  for (SweptTask const& task : tasks) trials += task.asked.size();
  std::erase_if(tasks, [](SweptTask const& task) { return task.part.size() == 0; });
  if (tasks.empty() && args.has("--shard")) refuse_empty(args, trials);
  return tasks;
}

/// What is played of each task, and what stores hold of it.
class Sweep {
 public:
  Sweep(Invocation const& args, std::vector<SweptTask>& tasks) : args_(&args), tasks_(&tasks) {
    if (args.has("--store")) store_.emplace(args.text("--store"));
    std::vector<StoreRow> rows = store_ ? store_->rows() : std::vector<StoreRow>();
    for (std::string const& path : args.texts("--merge")) {
      for (StoreRow& row : read_store(path)) rows.push_back(std::move(row));
      inputs_.push_back(input_from(path));
    }
    check_disjoint(rows);
    std::map<std::pair<std::string, std::uint64_t>, std::vector<StoreRow>> rows_by_task;  // a sweep has very many
    for (StoreRow& row : rows) rows_by_task[{row.of.id, row.of.seed}].push_back(std::move(row));
    for (SweptTask const& task : tasks)
      fillings_.emplace_back(task.of, rows_by_task[{task.of.id, task.of.seed}], task.part);
  }

  /// Returns why it ended.
  Ending play(Sources& sources, Backend const& backend) {
    std::uint64_t rounds = 0, done = 0;
    std::size_t open = 0;
    for (std::size_t i = 0; i < tasks_->size(); ++i) {
      open += fillings_[i].lacking() > 0;
      rounds += fillings_[i].lacking() * (*tasks_)[i].per_trial;
    }
    auto const limit = args_->has("--time") ? std::optional(args_->duration("--time")) : std::nullopt;
    Progress bar = args_->progress(counted(open, "task"), rounds, "rounds", limit);
    SharedTime time(limit, open);
    Ending ending = Ending::rounds;
    for (std::size_t i = 0; i < tasks_->size() && ending != Ending::interrupt; ++i) {
      SweptTask const& task = (*tasks_)[i];
      Filling& filling = fillings_[i];
      std::uint64_t const lacking = filling.lacking();
      if (lacking == 0) continue;
      Invocation const asked = invocation(*args_, task.given);
      Source const& source = sources.of(asked);
      Simulation const simulation(task_of(asked), source.tables, args_->seed());
      auto share = time.next();
      Deadline deadline(share);
      auto const crew = crew_for(*args_, simulation, source, source_text(asked), backend, share);
      failure_ = filling.play(*crew, store_ ? &*store_ : nullptr, backend.name, [&](std::uint64_t trials) {
        bar.at(done + trials * task.per_trial);
        return !deadline.reached();
      });
      if (failure_) return failure_->ending;
      if (filling.lacking() > 0) ending = deadline.ending(ending);
      done += lacking * task.per_trial;
    }
    return ending;
  }

  void tell() {
    for (std::size_t i = 0; i < tasks_->size(); ++i) {
      SweptTask& task = (*tasks_)[i];
      Parts const parts = fillings_[i].parts(tally_layout(task.task, task.of.contexts.vocab));
      if (!parts.empty()) task.played = parts.all();
      task.missing = fillings_[i].gaps();
    }
  }

  std::vector<Input> inputs() const { return inputs_; }
  /// Why the store could not be written, or a rank failed.
  std::optional<Failure> const& failure() const { return failure_; }

 private:
  Invocation const* args_;
  std::vector<SweptTask>* tasks_;
  std::optional<Failure> failure_;
  std::optional<Store> store_;
  std::vector<Filling> fillings_;
  std::vector<Input> inputs_;
};

/// Throws InputError where it cannot be drawn or written.
void draw(Invocation const& args, Result& result, std::vector<SweptTask> const& tasks,
          std::vector<std::string> const& axes) {
  Figure const figure = sweep_figure(args, tasks, axes);
  FigureTexts const made = figure_texts({&figure, 1}, figure_files(args.text("--figure"), "", 1), FigureStyle::paper);
  write_whole(made.files);
  result.document["figure"] = made.files.front().path;
  result.sections.back().note(fmt::format("Figure: {}.", made.files.front().path));
  require_drawn(made);
}

Result run(Invocation const& args) {
  args.refuse_together("--merge", {"--store", "--time", "--shard", "--mpi"},
                       "--merge plays nothing, and shows all tasks");
  args.refuse_together("--plan", {"--merge", "--figure", "--store", "--time", "--mpi", "--confidence"},
                       "--plan plays nothing and has no results");
  if (args.has("--figure")) require_writable(figure_files(args.text("--figure"), "", 1).file);
  static_cast<void>(confidence_from(args));  // before anything is played
  Interruption const interruption(args.has("--mpi"));
  SweepFile const file = read_sweep(args.text("FILE"));
  Sources sources;
  std::vector<std::string> notes;
  std::vector<SweptTask> tasks = tasks_of(args, file, sources, notes);
  std::vector<std::string> axes = file.axes;
  auto const rule_differs = [&](SweptTask const& task) { return task.task.rule != tasks.front().task.rule; };
  if (!contains(axes, "--rule") && std::ranges::any_of(tasks, rule_differs))  // of `all`
    axes.insert(contains(axes, "SOURCE") ? axes.begin() + 1 : axes.begin(), "--rule");
  Result result;
  if (args.has("--plan")) {
    result = sweep_plan(tasks, axes);
  } else {
    Backend const backend = backend_from(args);
    Sweep sweep(args, tasks);
    Ending ending = Ending::rounds;
    if (!args.has("--merge")) ending = sweep.play(sources, backend);
    sweep.tell();
    if (sweep.failure() && std::ranges::none_of(tasks, [](SweptTask const& task) { return task.played.has_value(); }))
      throw InputError(sweep.failure()->error);
    result = sweep_report(args, tasks, axes);
    if (!args.has("--merge")) result.backend = std::string(backend.name);
    if (args.ranks().size() > 1) result.document["ranks"] = args.ranks().size();
    result.document["ended_by"] = word(ending);
    if (ending == Ending::interrupt) result.status = Status::interrupted;
    if (sweep.failure()) result.failure = sweep.failure()->error;
    if (args.has("--figure")) try {
        draw(args, result, tasks, axes);
      } catch (InputError const& error) {  // the table took long
        if (!result.failure) result.failure = error;
      }
    result.inputs = sweep.inputs();
  }
  result.sections.back().note(notes);
  result.inputs.insert(result.inputs.begin(), input_from(args.text("FILE")));
  for (Input& input : std::move(sources).inputs()) result.inputs.push_back(std::move(input));
  return result;
}

}  // namespace

Command sweep_command() {
  OptionGroup tables = source_options();
  std::erase_if(tables.options, [](Option const& option) { return option.name != "--memory"; });
  tables.heading = "Limits";
  for (Option& option : sampling_options().options)
    if (option.name == "--time") {
      option.summary = "stop after this long: each task has an equal share of what is left";
      tables.options.insert(tables.options.begin(), option);
    }
  OptionGroup store = without(store_options(), {"--id"});
  store.options[1].summary = "play nothing: show what the rows of these stores say of the tasks";
  store.options.push_back(shard_option());
  store.options.push_back(mpi_option());
  std::vector<std::string> keys;
  for (auto const& options : {sweep_axes(), sweep_constants()})
    for (Option const& option : options) keys.push_back(option.name);
  auto const keys_of = [](std::vector<Option> const& options) {
    return joined(options, [](Option const& option) { return key_of(option.name); });
  };
  return {
      .name = "sweep",
      .summary = "many tasks from one file: played, resumed, in one table and one figure",
      .description =
          {fmt::format(
               "FILE is TOML or JSON. Its keys are options of simulate without dashes. Each of these may be a "
               "list, which stands for a task with each of its values, and lists multiply: {}. These have one "
               "value: {}; rounds are of each task. Of several [[grid]] tables each is a sweep of its own, "
               "which takes what it does not say from the keys above them.",
               keys_of(sweep_axes()), keys_of(sweep_constants())),
           "With --store every part that was played is a row of one file: a run that was killed goes on where it "
           "was. A task is the same as that of simulate, so that their stores can be mixed.",
           "--shard 3/8 plays the third of eight equal parts: tasks are laid end to end and cut, so that a part has "
           "whole tasks but for those at its ends; one without trials is wrong usage. --shard slurm and --shard sge "
           "read which part it is from the array job. When all are done, --merge shows them together. Exit status 4: "
           "trials are missing.",
           "The figure shows E[N], or the speed-up where the file has a cost, along γ, else the temperature or k, "
           "with a line for each combination of the others."},
      .groups = {{"What is played",
                  {{.name = "FILE", .kind = Kind::path, .summary = "the tasks, as TOML or JSON", .required = true},
                   {.name = "--plan", .summary = "list the tasks, and play none"},
                   {.name = "--figure", .kind = Kind::path, .summary = "draw the results: " + endings_text()},
                   confidence_option()}},
                 tables,
                 store},
      .examples = {{"draftgauge sweep data/sweeps/rules.toml", "two rules, eight draft lengths, two sources"},
                   {"draftgauge sweep data/sweeps/rules.toml --shard 1/4", "the first quarter of it"},
                   {"draftgauge sweep data/sweeps/rules.toml --plan", "which tasks those are"}},
      .run = run,
      .in_file = std::move(keys)};
}

}  // namespace draftgauge
