#include "apps/verify/verify_play.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/frontier/stated.h"
#include "analysis/stats/trials.h"
#include "analysis/theory/expectation.h"
#include "apps/options/task_words.h"
#include "apps/simulate/crew_of_ranks.h"
#include "apps/task/rule_options.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t shared_rounds = 16'000'000;  // up to here both kinds of trials have as many rounds
constexpr std::uint64_t rounds_per_round_of_texts = 64;
constexpr std::size_t shares = 8;  // of --time, one of them for trials of several rounds
static_assert(share_of_texts * shares == 1);

/// A simulation with what was played of it.
struct Part {
  Part(Task task, PairTables const& tables, std::uint64_t seed) : simulation(std::move(task), tables, seed) {}

  using Recruit = std::function<std::unique_ptr<Crew>(Simulation const&)>;
  void play_with(Recruit const& recruit, Invocation const& args, Amount const& amount, std::string const& place) {
    simulation.check(amount.range);  // before a machine is made ready
    play = draftgauge::play(args, simulation, *recruit(simulation), amount, place);
  }

  std::vector<PlayedCheck> checks(CheckOptions const& options, Claims claims) const {
    std::vector<PlayedCheck> result;
    for (Check& check : check_simulation(simulation, play->played.tally, options, claims))
      result.push_back({.check = std::move(check),
                        .range = play->played.range,
                        .rounds_per_trial = simulation.task().rounds_per_trial,
                        .rounds = count(TallyLayout::rounds),
                        .missing = play->missing});
    return result;
  }
  std::uint64_t count(TallyLayout::Field field) const { return play->played.tally[field]; }
  Range range() const { return play->played.range; }
  /// "of the trials of 4 rounds 0..90 lacks 7..9".
  std::string lacks() const {
    std::uint32_t const rounds = simulation.task().rounds_per_trial;
    return fmt::format("of the {} {}..{} lacks {}",
                       rounds == 1 ? std::string("rounds") : fmt::format("trials of {} rounds", rounds),
                       range().begin, range().end, list_of(play->missing));
  }

  Simulation simulation;
  std::optional<Play> play = {};
};

void append(std::vector<PlayedCheck>& checks, std::vector<PlayedCheck> more) {
  for (PlayedCheck& check : more) checks.push_back(std::move(check));
}

Amount amount_of_texts(Invocation const& args, Simulation const& simulation) {
  Amount amount = amount_from(args, simulation);
  if (args.has("--range") || amount.open) return amount;
  amount.range = trials_of_rounds(simulation, rounds_of_texts(static_cast<std::uint64_t>(args.count("--rounds"))));
  return amount;
}

}  // namespace

std::uint64_t rounds_of_texts(std::uint64_t rounds) {
  std::uint64_t const beyond = rounds - std::min(rounds, shared_rounds);
  return rounds - beyond + beyond / rounds_per_round_of_texts;
}

TaskTime::TaskTime(std::optional<std::chrono::duration<double>> time, SharedTime::Clock clock)
    : shares_(time, shares, std::move(clock)) {}

std::optional<std::chrono::duration<double>> TaskTime::rounds() {
  for (std::size_t i = 2; i < shares; ++i) shares_.skip();
  return shares_.next();
}

double share_of_first_tokens(Task const& task, PairTables const& tables) {
  return counted_for_single_rounds(task, tables) ? 1 - share_of_texts : 1;
}

Verification verify_task(Invocation const& args, Task const& task, Source const& source, Given const& words,
                         Backend const& backend, std::optional<std::chrono::duration<double>> time,
                         CheckOptions const& options, std::string const& place) {
  PairTables const& tables = source.tables;
  TaskTime parts(time);
  auto const single = counted_for_single_rounds(task, tables);
  std::optional<Part> rounds;
  if (single) rounds.emplace(*single, tables, args.seed());
  Part texts(counted_for_checks(task, tables), tables, args.seed());

  Amount amount = single ? amount_of_texts(args, texts.simulation) : amount_from(args, texts.simulation);
  amount.time = single ? parts.texts() : time;
  auto const recruit = [&](Simulation const& simulation) {
    return crew_for(args, simulation, source, words, backend, amount.time);
  };
  texts.play_with(recruit, args, amount, place);
  Ending ending = texts.play->ending;
  std::optional<InputError> failure = texts.play->failure;
  if (rounds && texts.play->cut_short()) {
    rounds.reset();  // they would end before they begin
  } else if (rounds) {
    amount = amount_from(args, rounds->simulation);
    amount.time = parts.rounds();
    rounds->play_with(recruit, args, amount, place);
    if (rounds->play->ending != Ending::rounds) ending = rounds->play->ending;
    failure = rounds->play->failure;
    if (rounds->play->empty()) rounds.reset();
  }
  require_played(*texts.play);

  Part const& main = rounds ? *rounds : texts;
  Verification result{.task = main.simulation.task(),
                      .lossless = claims_lossless(main.simulation.rule_called()),
                      .rounds = main.count(TallyLayout::rounds),
                      .tokens = main.count(TallyLayout::tokens),
                      .checks = main.checks(options, rounds ? Claims::of_rounds : Claims::all),
                      .notes = {},
                      .ending = ending,
                      .failure = std::move(failure)};
  if (rounds) append(result.checks, texts.checks(options, Claims::of_texts));
  for (Check& check : check_exact_law(texts.simulation)) result.checks.push_back({.check = std::move(check)});
  // All rules are asked whether the program plays them right, and not whether their papers are.
  if (args.has("--rule") && args.text("--rule") != "all")
    if (auto check = check_stated_bound(texts.simulation)) result.checks.push_back({.check = *std::move(check)});

  std::string const who = fmt::format("{} at {}", task.rule, shape_text(task));
  std::vector<std::string> lacks;
  for (Part const* part : {rounds ? &*rounds : nullptr, &texts})
    if (part && !part->play->missing.empty()) lacks.push_back(part->lacks());
  if (!lacks.empty())
    result.notes.push_back(
        fmt::format("{}: what was played {} (--range plays whole ranges only).", who, fmt::join(lacks, ", and ")));
  else if (result.ending != Ending::rounds)
    result.notes.push_back(rounds ? fmt::format("{}: --range {}..{} --rounds-per-trial 1 plays these rounds again, "
                                                "and --range {}..{} the trials of {} rounds.",
                                                who, main.range().begin, main.range().end, texts.range().begin,
                                                texts.range().end, texts.simulation.task().rounds_per_trial)
                                  : fmt::format("{}: {}.", who, again(main.range())));
  std::string const contexts = contexts_text(tables.contexts());
  if (plays_token_rule(main.simulation))
    if (auto const long_run = long_run_tokens(tables, task.shape.gamma, task.shape.bonus))
      result.notes.push_back(fmt::format(
          "In the long run of this {} the token rule emits {:.5f} tokens a round at γ = {}, from wherever it starts.",
          contexts, *long_run, task.shape.gamma));
  if (tables.contexts().follow != Follow::independent)
    result.notes.push_back(
        fmt::format("{}: trials of {} rounds in a row at most.", who, main.simulation.task().rounds_per_trial));
  return result;
}

}  // namespace draftgauge
