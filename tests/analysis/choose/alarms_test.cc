#include "analysis/choose/alarms.h"

#include <catch2/catch.hpp>

namespace draftgauge {
namespace {

TEST_CASE("a draft that was tested often and never accepted is found, and its words name it") {
  std::vector<std::vector<std::int64_t>> const rows{{44, 56, 0}};
  auto const found = never_accepted(kaplan_meier(rows));
  REQUIRE(found);
  CHECK((found->draft == 2 && found->tests == 56));
  Alarm const alarm = broken_alarm(*found);
  CHECK((alarm.kind == Alarm::Kind::broken && alarm.forbids(0) && alarm.forbids(3)));
  CHECK(alarm.words ==
        "BROKEN: draft 2 was never accepted, though 56 rounds accepted all drafts before it. The drafts or their "
        "verification are wrong from there on: check positions and caches.");
  CHECK(broken_alarm({1, 40}).words.starts_with("BROKEN: draft 1 was never accepted, in 40 rounds. "));
  auto const of = [](std::vector<std::int64_t> kept) {
    std::vector<std::vector<std::int64_t>> const one{std::move(kept)};
    return never_accepted(kaplan_meier(one));
  };
  CHECK_FALSE(of({44, 29, 0}));  // 29 failures are chance in one case of a thousand where one in five passes
  CHECK(of({44, 30, 0}));
  CHECK_FALSE(of({44, 56, 1}));
  // A first draft may be bad and not broken.
  CHECK(of({300, 0, 0})->draft == 1);
  CHECK_FALSE(of({299, 0, 0}));
  // A round that drafted less never came to it.
  std::vector<std::vector<std::int64_t>> const uneven{{44, 56}, {10, 20, 0}};
  CHECK_FALSE(never_accepted(kaplan_meier(uneven)));
}

TEST_CASE("a loss is said with its number, its interval, where it is, and what to do") {
  auto const words = [](DraftSpeed const& ran, std::optional<DraftSpeed> const& instead = {}) {
    auto const alarm = slower_alarm(ran, instead);
    return alarm ? alarm->words : "";
  };
  CHECK(words(speed_at(3, .56, Interval{.56, .51, .61, .95})) ==
        "SLOWER than decoding without drafts: 0.56× [0.51, 0.61] at γ = 3. Switch drafting off.");
  CHECK(words(speed_at(3, .95, Interval{.95, .8, 1.1, .95})) ==
        "Probably SLOWER than decoding without drafts: 0.95× [0.80, 1.10] at γ = 3. Switch drafting off.");
  // A sample without an interval is not sure either; what is exact is.
  CHECK(words(speed_at(3, .5)).starts_with("Probably SLOWER"));
  CHECK(words(speed_at(3, .5, {}, false)) ==
        "SLOWER than decoding without drafts: 0.50× at γ = 3. Switch drafting off.");
  CHECK(words(speed_at(3, .9996, {}, false)).find(": 0.9996× at γ") != std::string::npos);
  CHECK((words(speed_at(3, 1)).empty() && words(speed_at(3, 2)).empty() && words(speed_at(3, NAN)).empty()));
  CHECK(words(speed_at(8, .9, {}, false), speed_at(2, 1.12)) ==
        "SLOWER than decoding without drafts: 0.90× at γ = 8. Faster by the same counts: 1.12× at γ = 2.");
  CHECK(words(speed_at(8, .9, {}, false), speed_at(2, 1)).ends_with("Switch drafting off."));
  // Where another length pays, that may be set, and no other may where none pays.
  CHECK((slower_alarm(speed_at(8, .9), speed_at(2, 1.1))->forbids(8) &&
         !slower_alarm(speed_at(8, .9), speed_at(2, 1.1))->forbids(2) &&
         slower_alarm(speed_at(8, .9), {})->forbids(2)));
  CHECK(slower_at_best(speed_at(1, .94, {}, false))->words ==
        "SLOWER than decoding without drafts: 0.94× at best, at γ = 1. Switch drafting off.");
  CHECK(slower_at_best(speed_at(9, .94, {}, false), compare_shorter)->words.ends_with(" Compare shorter drafts."));
  CHECK_FALSE((slower_at_best(std::nullopt) || slower_at_best(speed_at(1, 1.01))));
}

TEST_CASE("of rows of γ broken drafts are said first, and none is recommended of them") {
  Costs const costs{.draft = .1};
  std::vector<GammaRow> const rows{row_of(0, 1, costs), row_of(1, 1.3, costs), row_of(8, 1.5, costs)};
  auto const ran = speed_of(rows, 8);
  REQUIRE((ran && ran->speedup == Approx(1.5 / 1.8) && !speed_of(rows, 5) && !speed_of(rows, std::nullopt)));
  CHECK(fastest_draft(rows)->gamma == 1);
  auto const well = alarms_of({}, rows, ran);
  REQUIRE(well.size() == 1);
  CHECK(well[0].words.ends_with("Faster by the same counts: 1.18× at γ = 1."));
  auto const broken = alarms_of(NeverAccepted{2, 99}, rows, ran);
  REQUIRE(broken.size() == 2);
  CHECK((broken[0].kind == Alarm::Kind::broken && broken[1].words.find("Switch") == std::string::npos));
  CHECK(alarms_of({}, rows, speed_of(rows, 1)).empty());
  CHECK(alarms_of({}, rows, {}).empty());
  CHECK(alarms_of({}, std::span(rows).first(1), {}).empty());
  CHECK(named(well, "small")[0].words.starts_with("small: Probably SLOWER than "));
}

}  // namespace
}  // namespace draftgauge
