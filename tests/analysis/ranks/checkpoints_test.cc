#include "analysis/ranks/checkpoints.h"

#include <catch2/catch.hpp>

#include "sim/play/trial.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

struct Example {
  Source source = open_source("markov:vocab=4", {});
  Simulation simulation{{.rule = "token", .shape = {.gamma = 2}, .rounds_per_trial = 2}, source.tables, 1};
  Played played(Range range) const { return simulate(simulation, range, serial_backend(), 1); }
};

bool same(std::vector<Range> const& a, std::vector<Range> const& b) {
  return std::ranges::equal(a, b, [](Range x, Range y) { return x == y; });
}

TEST_CASE("checkpoints: a stretch behind a gap waits for the next one, and then is one with its neighbours") {
  Example const example;
  std::vector<std::vector<Range>> kept;
  Checkpoints checkpoints([&](std::vector<Played> const& parts) {
    kept.emplace_back();
    for (Played const& part : parts) {
      kept.back().push_back(part.range);
      CHECK(part.tally == example.played(part.range).tally);
    }
  });
  using Seconds = Checkpoints::Seconds;
  checkpoints.add(example.played({0, 10}));
  checkpoints.add(example.played({20, 30}));
  checkpoints.look(Seconds(.1));  // no checkpoint yet
  checkpoints.look(Seconds(.3));  // all of it is new
  CHECK(kept.empty());
  checkpoints.add(example.played({10, 20}));
  checkpoints.add(example.played({30, 40}));
  checkpoints.add(example.played({60, 70}));
  checkpoints.look(Seconds(.6));
  REQUIRE(kept.size() == 1);
  CHECK(same(kept[0], {{0, 40}}));
  checkpoints.look(Seconds(100));  // the gap before it is still there: it waits no longer
  REQUIRE(kept.size() == 2);
  CHECK(same(kept[1], {{60, 70}}));
  checkpoints.add(example.played({50, 60}));
  checkpoints.add(example.played({80, 90}));
  checkpoints.look(Seconds(100.9));  // less than a hundredth later
  CHECK(kept.size() == 2);
  checkpoints.finish();
  REQUIRE(kept.size() == 3);
  CHECK(same(kept[2], {{50, 60}, {80, 90}}));
  checkpoints.finish();
  CHECK(kept.size() == 3);
}

TEST_CASE("parts: what is missing of what was asked, at its ends too") {
  Example const example;
  Parts parts;
  CHECK(same(parts.missing({5, 9}), {{5, 9}}));
  parts.add({example.played({10, 20}), example.played({30, 40})});
  CHECK(same(parts.missing(), {{20, 30}}));
  CHECK(same(parts.missing({0, 50}), {{0, 10}, {20, 30}, {40, 50}}));
  CHECK(same(parts.missing({10, 40}), {{20, 30}}));
}

}  // namespace
}  // namespace draftgauge
