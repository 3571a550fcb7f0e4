#include "apps/simulate/crew_of_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/ranks/follower.h"
#include "analysis/ranks/leader.h"
#include "apps/cli/commands.h"
#include "apps/cli/version_command.h"
#include "apps/options/source_options.h"
#include "apps/output/interruption.h"
#include "apps/simulate/play.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/play/task_text.h"

namespace draftgauge {
namespace {

using Clock = std::chrono::steady_clock;

class CrewOfRanks : public Crew {
 public:
  CrewOfRanks(Communicator& ranks, std::string const& how, Simulation const& simulation, StoredTask of,
              Backend const& backend, int threads, Deadline ready_by) {
    failure_ = failure([&] {
      leader_.emplace(ranks, how, simulation, std::move(of), program_version(), backend, threads,
                      [&] { return !ready_by.reached(); });
    });
  }

  std::optional<InputError> play(Range range, Watch const& watch, KeepParts const& keep) override {
    Checkpoints checkpoints(keep);
    auto const told = [&](std::uint64_t trials) {
      checkpoints.look(Clock::now() - start_);
      if (watch(trials)) return Leader::Order::go_on;
      return Interruption::asked() ? Leader::Order::stop : Leader::Order::finish;
    };
    if (!failure_)
      failure_ = failure([&] { leader_->play(range, told, [&](Played const& part) { checkpoints.add(part); }); });
    checkpoints.finish();
    return failure_;
  }

 private:
  /// What a rank, or MPI, throws: it is no reason to lose what the others have played.
  template <class F>
  static std::optional<InputError> failure(F&& f) {
    try {
      f();
    } catch (InputError const& error) {
      return error;
    }
    return std::nullopt;
  }

  std::optional<Leader> leader_;
  std::optional<InputError> failure_;  ///< for good: a rank that failed is not asked again
  Clock::time_point start_ = Clock::now();
};

/// The options that each rank may have as it likes: what its machine has, what rank 0 alone prints and keeps, and the
/// seed, which is compared by itself.
constexpr std::string_view may_differ[] = {"--threads", "--memory",  "--backend", "--format", "--table", "--output",
                                           "--quiet",   "--verbose", "--store",   "--figure", "--seed"};

/// A command line's words that say what is played: those of all ranks are the same.
Json line_of(Invocation const& args) {
  Given said{{"command", {args.command()}}};
  for (auto const& [name, values] : args.given())
    if (!contains(may_differ, name)) said[name] = values;
  return said;
}

/// Throws InputError where this rank was started for something else than rank 0, which would be played all the same.
void check_line(Json const& of_rank_0, Json const& here) {
  auto const words = [](Json const& line, std::string const& name) {
    if (!line.contains(name)) return std::string("none");
    return fmt::format("{}", fmt::join(line[name].get<std::vector<std::string>>(), " "));
  };
  auto const require_same = [&](std::string const& name) {
    if (words(of_rank_0, name) != words(here, name))
      throw InputError(fmt::format("its command line has another {} ({} instead of rank 0's {})", name,
                                   words(here, name), words(of_rank_0, name)),
                       "start the same program with the same options on all ranks");
  };
  require_same("command");  // of another one all options may be others
  for (Json const* line : {&of_rank_0, &here})
    for (auto const& [name, values] : line->items()) require_same(name);
}

/// A source with a simulation on it.
struct Opened {
  Opened(Source opened, Task task, std::uint64_t seed)
      : source(std::move(opened)), simulation(std::move(task), source.tables, seed) {}
  Source source;
  Simulation simulation;
};

}  // namespace

Option mpi_option() {
  return {.name = "--mpi",
          .summary = "play on all ranks that mpirun or srun has started; rank 0 prints and keeps the store"};
}

Given source_text(Invocation const& args) {
  Given words;
  for (Option const& option : source_options().options)
    if (auto const found = args.given().find(option.name); found != args.given().end()) words.insert(*found);
  return words;
}

std::unique_ptr<Crew> crew_for(Invocation const& args, Simulation const& simulation, Source const& source,
                               Given const& words, Backend const& backend,
                               std::optional<std::chrono::duration<double>>& time) {
  if (args.ranks().size() == 1) return crew_here(args, simulation, backend);
  StoredTask of = stored_task(simulation, source);
  std::string const how = Json{{"line", line_of(args)}, {"source", words}, {"task", of.text}}.dump();
  auto const start = Clock::now();
  auto crew = std::make_unique<CrewOfRanks>(args.ranks(), how, simulation, std::move(of), backend, args.threads(),
                                            Deadline(time ? std::optional(*time / 2) : time));
  if (time) *time = std::max<std::chrono::duration<double>>(*time - (Clock::now() - start), time->zero());
  return crew;
}

void serve_rank_0(Invocation const& args) {
  Unheard const signals;  // rank 0 hears them, and says when to stop
  Backend const backend = backend_from(args);
  follow(args.ranks(), args.seed(), program_version(), [&](std::string const& how) {
    Json const said = Json::parse(how);
    check_line(said.at("line"), line_of(args));
    static Command const simulate = simulate_command();
    Given words = said.at("source").get<Given>();
    for (char const* name : {"--memory", "--threads"})  // this machine's
      if (auto const found = args.given().find(name); found != args.given().end()) words[name] = found->second;
    TaskText text = read_task(said.at("task").get<std::string>());
    auto const opened =
        std::make_shared<Opened>(source_from(args.with(simulate, words)), std::move(text.task), args.seed());
    return RankWork{opened, &opened->simulation, stored_task(opened->simulation, opened->source), backend,
                    args.threads()};
  });
}

}  // namespace draftgauge
