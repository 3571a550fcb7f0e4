#include "apps/ranks/crew_of_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/ranks/follower.h"
#include "analysis/ranks/leader.h"
#include "apps/cli/interruption.h"
#include "apps/cli/version_command.h"
#include "apps/options/rule_options.h"
#include "apps/options/source_options.h"
#include "apps/simulate/play.h"
#include "apps/simulate/simulate_command.h"
#include "sim/base/error.h"
#include "sim/task/task_text.h"

namespace draftgauge {
namespace {

using Clock = std::chrono::steady_clock;

class CrewOfRanks : public Crew {
 public:
  CrewOfRanks(Communicator& ranks, std::string const& how, Simulation const& simulation, StoredTask of,
              Backend const& backend, int threads, Deadline ready_by)
      : leader_(ranks, how, simulation, std::move(of), program_version(), backend, threads,
                [&] { return !ready_by.reached(); }) {}

  void play(Range range, Watch const& watch, Keep const& keep) override {
    Parts parts;  // that neighbours may join, until they are kept
    auto kept = Clock::now();
    auto const hand_on = [&] {
      for (Played const& part : parts.take()) keep(part);
      kept = Clock::now();
    };
    leader_.play(
        range,
        [&](std::uint64_t trials) {
          auto const now = Clock::now();
          if (now - kept > part_interval(now - start_)) hand_on();
          if (watch(trials)) return Leader::Order::go_on;
          return Interruption::asked() ? Leader::Order::stop : Leader::Order::finish;
        },
        [&](Played const& part) { parts.add(part); });
    hand_on();
  }

 private:
  Leader leader_;
  Clock::time_point start_ = Clock::now();
};

/// A source with a simulation on it.
struct Opened {
  Opened(Source opened, Task task, std::uint64_t seed)
      : source(std::move(opened)), simulation(std::move(task), source.laws, seed) {}
  Source source;
  Simulation simulation;
};

}  // namespace

Option mpi_option() {
  return {.name = "--mpi",
          .summary = "play on all ranks that mpirun or srun has started; rank 0 prints and keeps the store"};
}

Given source_words(Invocation const& args) {
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
  std::string const how = Json{{"source", words}, {"task", of.text}}.dump();
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
