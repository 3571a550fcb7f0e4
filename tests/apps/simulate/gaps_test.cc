#include <catch2/catch.hpp>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/parse.h"
#include "apps/simulate/store_options.h"
#include "sim/play/trial.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

using testing::message;

/// Plays some parts of what it is asked, and fails or not: as ranks do that are cut short.
class Parted : public Crew {
 public:
  Parted(Simulation const& simulation, std::vector<Range> parts, std::optional<InputError> failure = {})
      : simulation_(&simulation), parts_(std::move(parts)), failure_(std::move(failure)) {}
  std::optional<InputError> play(Range, Watch const& watch, KeepParts const& keep) override {
    std::vector<Played> played;
    for (Range const& part : parts_) played.push_back(simulate(*simulation_, part, serial_backend(), 1));
    if (!played.empty()) keep(played);
    watch(0);
    return failure_;
  }

 private:
  Simulation const* simulation_;
  std::vector<Range> parts_;
  std::optional<InputError> failure_;
};

struct Example {
  Source source = open_source("markov:vocab=4", {});
  Simulation simulation{{.rule = "token", .shape = {.gamma = 2}, .rounds_per_trial = 2}, source.tables, 1};
  std::ostringstream err;
  Command command = simulate_command();

  Invocation asked(std::vector<std::string_view> const& words) {
    return Invocation(command, parse(command, words), err, nullptr);
  }
  Play played(Parted crew, Amount const& amount) { return play(asked({"markov:vocab=4"}), simulation, crew, amount); }
  StoredPlay stored(Parted crew, Amount const& amount, std::string const& path) {
    return play_stored(asked({"markov:vocab=4", "--store", path}), simulation, source, serial_backend(), crew,
                       amount);
  }
};

TEST_CASE("gaps: what the tally lacks of what was asked is said, where it is not the beginning of it") {
  Example example;
  auto const missing = [&](std::vector<Range> parts, Amount const& amount) {
    return list_of(example.played({example.simulation, std::move(parts)}, amount).missing);
  };
  CHECK(missing({{0, 10}, {20, 30}}, {.range = {0, 100}}) == "10..20, 30..100");
  CHECK(missing({{0, 10}, {20, 30}}, {.range = {0, 100}, .open = true}) == "10..20");
  CHECK(missing({{20, 30}}, {.range = {0, 30}}) == "0..20");
  CHECK(missing({{0, 30}}, {.range = {0, 100}}).empty());  // --range plays these again
  CHECK(list_of(std::vector<Range>(15, Range{1, 2})).ends_with("1..2 and 3 more"));

  InputError const gone("rank 1: it is gone", "look");
  Play const failed = example.played({example.simulation, {{0, 10}}, gone}, {.range = {0, 100}});
  CHECK(failed.ending == Ending::rank);
  CHECK(failed.failure->what() == std::string("rank 1: it is gone look"));
  CHECK_FALSE(
      example.played({example.simulation, {{0, 100}}, gone}, {.range = {0, 100}}).failure);  // nothing is lost
  Play const nothing = example.played({example.simulation, {}, gone}, {.range = {0, 100}});
  CHECK(nothing.empty());
  CHECK(message<NothingPlayed>([&] { require_played(nothing); }) == "rank 1: it is gone look");
}

TEST_CASE("gaps: what is in the store behind one is counted, and not in the table") {
  Example example;
  TemporaryFile const file(".jsonl", "");
  std::string const path = file.path();
  StoredPlay done = example.stored({example.simulation, {{0, 10}, {20, 30}}}, {.range = {0, 100}}, path);
  CHECK(done.play.played.range == Range{0, 10});
  CHECK(list_of(done.play.missing) == "10..20, 30..100");
  CHECK(done.played == 20);
  CHECK(done.apart == 10);
  Result result{.sections = {Section{}}};
  Counted const counted{{}, "", "", {}, {}, {}, done.play.played.tally};
  TallyReport report{.counted = counted, .independent_rounds = true};
  add_store(result, report, "s.jsonl", done);
  CHECK(document_of(*report.store) ==
        Json{{"path", "s.jsonl"}, {"trials_stored", 0}, {"trials_played", 20}, {"trials_apart", 10}});
  CHECK(result.sections[0].notes.back() ==
        "Trials behind the first that is missing are kept, and are not in this table: 10.");

  done = example.stored({example.simulation, {{10, 20}}}, {.range = {0, 30}}, path);
  CHECK(done.play.played.range == Range{0, 30});
  CHECK(done.play.missing.empty());
  CHECK(done.from_store == 20);

  TemporaryFile const other(".jsonl", "");
  std::string const there = other.path();
  CHECK(message<InputError>([&] { example.stored({example.simulation, {{20, 30}}}, {.range = {0, 100}}, there); }) ==
        "the first of the asked trials are missing (0..20; the store has 10 behind them) the same command plays the "
        "rest");
}

}  // namespace
}  // namespace draftgauge
