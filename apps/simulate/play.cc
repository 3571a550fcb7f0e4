#include "apps/simulate/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "analysis/stats/trials.h"
#include "apps/options/number_options.h"
#include "apps/options/task_words.h"
#include "apps/output/interruption.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/play/trial.h"

namespace draftgauge {

Amount amount_from(Invocation const& args, Simulation const& simulation) {
  args.refuse_together("--rounds", {"--range"}, "each says which trials are played");
  Amount amount;
  if (args.has("--time")) amount.time = args.duration("--time");
  if (args.has("--range")) {
    amount.range = args.range("--range");
  } else if (!args.has("--rounds") && (amount.time || args.wants("--precision"))) {
    amount.range = {0, most_trials(simulation)};
    amount.open = true;
  } else {
    amount.range = trials_of_rounds(simulation, static_cast<std::uint64_t>(args.count("--rounds")));
  }
  return amount;
}

std::string_view word(Ending ending) {
  constexpr std::string_view in_order[] = {"rounds", "precision", "time", "interrupt", "store", "rank"};
  return in_order[static_cast<std::size_t>(ending)];
}

std::string_view interrupted_text(Invocation const& args) {
  return args.ranks().size() > 1 ? "Interrupted, by Ctrl-C or since a rank has ended" : "Interrupted by Ctrl-C";
}

void require_played(Play const& play) {
  if (!play.empty()) return;
  if (play.failure) throw NothingPlayed(play.ending, *play.failure);
  if (play.ending == Ending::time)
    throw NothingPlayed(
        play.ending,
        InputError("the time was up before a trial was played (there is nothing to show)", "give --time more"));
  throw NothingPlayed(
      play.ending,
      InputError("the run was interrupted before a trial was played (there is nothing to show)", "run it again"));
}

Deadline::Deadline(std::optional<std::chrono::duration<double>> time, Clock clock)
    : time_(time), clock_(std::move(clock)), start_(clock_()) {}

bool Deadline::reached() {
  if (Interruption::asked()) {
    found_ = Ending::interrupt;
  } else if (time_ && clock_() - start_ >= *time_) {
    found_ = Ending::time;
  }
  return found_.has_value();
}

SharedTime::SharedTime(std::optional<std::chrono::duration<double>> time, std::size_t plays, Clock clock)
    : time_(time), left_(plays), clock_(std::move(clock)), start_(clock_()) {}

std::optional<std::chrono::duration<double>> SharedTime::next() {
  auto const sharing = static_cast<double>(std::max<std::size_t>(left_, 1));
  skip();
  if (!time_) return std::nullopt;
  std::chrono::duration<double> const rest = *time_ - (clock_() - start_);
  return std::max(rest / sharing, rest.zero());
}

Progress progress_of(Invocation const& args, Simulation const& simulation, Amount const& amount, std::uint64_t trials,
                     std::string const& place) {
  Task const& task = simulation.task();
  return args.progress(fmt::format("{}, {}{}", task.rule, shape_text(task), place),
                       trials * longest_trial(simulation), "rounds", amount.time);
}

Play play(Invocation const& args, Simulation const& simulation, Crew& crew, Amount const& amount,
          std::string const& place) {
  auto bar = progress_of(args, simulation, amount, amount.open ? 0 : amount.range.size(), place);
  std::uint64_t const per_trial = longest_trial(simulation);
  Deadline deadline(amount.time);
  Parts parts;
  auto failure = crew.play(
      amount.range,
      [&](std::uint64_t trials) {
        bar.at(trials * per_trial);
        return !deadline.reached();
      },
      [&](std::vector<Played> const& all) { parts.add(all); });
  Play done{.played = parts.empty() ? parts.from(amount.range.begin, simulation.plan().tally) : parts.all()};
  bool const beginning = done.played.range.begin == amount.range.begin && parts.missing().empty();
  if (beginning && done.played.range == amount.range) return done;
  done.ending = failure ? Ending::rank : deadline.ending(Ending::rounds);
  done.failure = std::move(failure);
  if (!beginning)
    done.missing = parts.missing({amount.range.begin, amount.open ? done.played.range.end : amount.range.end});
  return done;
}

Play play_precisely(Invocation const& args, Simulation const& simulation, Crew& crew, Amount const& amount) {
  Precision const wanted{number_of(args, "--precision"), number_of(args, "--confidence")};
  if (!(wanted.half_width > 0))
    throw UsageError(
        fmt::format("--precision {} is out of range (no sample is long enough for an interval without width)",
                    args.text("--precision")),
        "write it like --precision 0.001");
  auto bar = progress_of(args, simulation, amount, 0);
  std::uint64_t const per_trial = longest_trial(simulation);
  Deadline deadline(amount.time);
  auto const shape = trial_shape(simulation.task(), simulation.tables().contexts());
  TallyLayout const& layout = simulation.plan().tally;
  std::optional<InputError> failure;
  PreciseSample got = play_to(wanted, shape, layout, amount.range, [&](Range range, std::uint64_t expected_end) {
    std::uint64_t const before = range.begin - amount.range.begin;
    if (expected_end > 0) bar.expect((expected_end - amount.range.begin) * per_trial);
    Parts parts;
    failure = crew.play(
        range,
        [&](std::uint64_t trials) {
          bar.at((before + trials) * per_trial);
          return !deadline.reached();
        },
        [&](std::vector<Played> const& all) { parts.add(all); });
    return parts.from(range.begin, layout);
  });
  Ending const early = got.sample.range.end == amount.range.end ? Ending::rounds
                       : failure                                ? Ending::rank
                                                                : deadline.ending(Ending::rounds);
  return {.played = std::move(got.sample),
          .ending = got.reached ? Ending::precision : early,
          .pilot = got.pilot,
          .reached = got.reached,
          .failure = std::move(failure)};
}

std::string again(Range range) {
  return fmt::format("--range {}..{} plays these trials again", range.begin, range.end);
}

std::string list_of(std::vector<Range> const& ranges) {
  constexpr std::size_t most = 12;
  std::string const list = joined(ranges | std::views::take(most),
                                  [](Range const& range) { return fmt::format("{}..{}", range.begin, range.end); });
  return ranges.size() > most ? fmt::format("{} and {} more", list, ranges.size() - most) : list;
}

}  // namespace draftgauge
