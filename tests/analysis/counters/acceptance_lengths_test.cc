#include <catch2/catch.hpp>

#include "analysis/choose/replay_gamma.h"
#include "analysis/counters/counted_curve.h"
#include "analysis/counters/every_position.h"
#include "analysis/counters/ordered.h"
#include "analysis/open/opened.h"
#include "tests/analysis/counters/fixture.h"

// What SpecDecode-Bench's simulator reads: at every token how many tokens a round gives, of several drafts.
using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string record(std::string const& id, std::string const& lists) {
  return R"({"id": ")" + id + "\", " + lists + "}\n";
}
std::string const path = DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/acceptance_lengths.jsonl";

}  // namespace

TEST_CASE("acceptance lengths count the token behind the drafts, by draft and text") {
  std::string const two = R"("acc_eagle": {"acc_len": [4, 1, 2, 1]}, "acc_ngram": {"acc_len": [1, 1, 1, 1]})";
  EngineCounters const counters =
      counters_in(record("a", two) + record("b", R"("acc_ngram": {"acc_len": [2]}, "acc_eagle": {"acc_len": []})"));
  CHECK(counters.format == "acceptance lengths");
  CHECK((counters.requests.size() == 2 && counters.requests[1].name == "b"));
  REQUIRE(counters.drafts_from.size() == 2);
  CHECK(counters.drafts_from.at("eagle") == std::vector<AcceptedFrom>{{3, 0, 1, 0}, {}});
  CHECK(counters.drafts_from.at("ngram") == std::vector<AcceptedFrom>{{0, 0, 0, 0}, {1}});
  CHECK_FALSE(counters.sums.rounds);
  CHECK(counters.notes.front() == "It says at every token how many drafts are accepted there, of eagle, ngram.");
  for (std::string const lists : {R"("acc": {"acc_len": [2, 1]})", R"("acc_len": [2, 1])"})
    CHECK(counters_in("[" + record("a", lists) + "]").drafts_from.at("acc") == std::vector<AcceptedFrom>{{1, 0}});
}

TEST_CASE("acceptance lengths that cannot be are refused") {
  CHECK(counters_error(record("a", R"("acc_len": [2, 0])")) ==
        "x, line 1: an acc_len is 0 (expected: accepted drafts and the token behind them, from 1 to 4097) correct "
        "the log");
  CHECK(counters_error(record("a", R"("acc_len": [5000])")).starts_with("x, line 1: an acc_len is 5000 "));
  CHECK(counters_error(record("a", R"("acc_len": [1.5])")).starts_with("x, line 1: acc_len "));
  std::string const one = record("a", R"("acc_eagle": {"acc_len": [1]})");
  CHECK(counters_error(one + record("b", R"("acc_ngram": {"acc_len": [1]})"))
            .starts_with("x, line 2: records before it have no draft 'ngram'"));
  CHECK(counters_error(record("a", R"("acc_eagle": {"acc_len": [1]}, "acc_ngram": {"acc_len": [1]})") + one)
            .starts_with("x, line 2: it has acceptance lengths of 1 draft, records before it of 2"));
  CHECK(counters_error(record("a", R"("acc_len": [1], "acc": {"acc_len": [1]})"))
            .starts_with("x, line 1: it has two lists of draft 'acc'"));
  CHECK(counters_error(one + one).find("request 'a' stands twice") != std::string::npos);
}

TEST_CASE("rounds of the draft that is named are played, of the length that is said") {
  EngineCounters const counters = counters_of({path}, 3, "--gamma", "eagle");
  CHECK((counters.draft_length == 3 && counters.draft_kinds == std::vector<std::string>{"eagle"}));
  CHECK((counters.drafts_from.empty() && counters.requests.size() == 6));
  OrderedCounts const ordered = ordered_counts(counters);
  REQUIRE(ordered.accepted_from.size() == 6);
  std::int64_t tokens = 0, rounds = 0;
  for (std::size_t r = 0; r < 6; ++r) {
    CHECK(ordered.requests[r] == std::vector<OrderedRounds>{play_from(ordered.accepted_from[r], 3)});
    tokens += std::ssize(ordered.accepted_from[r]);
    rounds += std::ssize(ordered.requests[r].front());
  }
  CHECK(counters.sums.emitted == tokens);
  // Of the whole list the longest, 8 drafts, where nobody says how many.
  CHECK(counters_of({path}, {}, "--gamma", "ngram").draft_length == 8);
  auto const refused = [](std::optional<std::int64_t> length, std::string_view draft) {
    return message<UsageError>([&] { counters_of({path}, length, "--gamma", draft); });
  };
  CHECK(refused({}, "").find("it has 2 drafts, eagle, ngram (one is asked about)") != std::string::npos);
  CHECK(refused({}, "medusa").find("it has no draft medusa (there is eagle, ngram)") != std::string::npos);
  CHECK(refused(9, "ngram").starts_with("--gamma is 9, and no round of "));
  CHECK(message<UsageError>([] {
          counters_of({DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/vllm_ngram_T0.jsonl"}, {}, "--gamma", "eagle");
        }).find("has no drafts by name") != std::string::npos);
}

TEST_CASE("texts without a token, or without an accepted draft, do no harm") {
  EngineCounters counters = counters_in(record("a", R"("acc_len": [])") + record("b", R"("acc_len": [1, 1, 1])") +
                                        record("c", R"("acc_len": [1])"));
  play_rounds(counters, "", {}, "length");
  OrderedCounts const ordered = ordered_counts(counters);
  REQUIRE((ordered.requests.size() == 2 && ordered.accepted_from.size() == 2));
  ReplayGamma const found = choose_by_replay(ordered.requests, {.draft = .05}, {}, ordered.accepted_from);
  CHECK((found.replayed.size() == 1 && found.replayed[0].tokens == 1 && found.choice.best == 0));
  CHECK(found.depth->places == 0);
}

TEST_CASE("tokens per round are exact at every draft length where acceptance is known at every token") {
  // Rounds played by a script of its own: at γ = 1, 2, … so many cover the texts.
  std::map<std::string, std::vector<int>> const right = {{"eagle", {198, 159, 151, 143, 137, 136, 134, 133}},
                                                         {"ngram", {208, 173, 155, 145, 139, 135, 133, 131}}};
  for (auto const& [draft, rounds] : right)
    for (std::int64_t const played : {2, 8}) {
      OrderedCounts const ordered = ordered_counts(counters_of({path}, played, "--gamma", draft));
      ReplayGamma const found = choose_by_replay(ordered.requests, {.draft = .05}, {}, ordered.accepted_from);
      REQUIRE(found.replayed.size() == rounds.size());
      for (std::size_t g = 0; g < rounds.size(); ++g) {
        ReplayedRow const& row = found.replayed[g];
        CHECK(row.tokens == Approx(static_cast<double>(334) / rounds[g]));
        CHECK((row.low == row.tokens && row.high == row.tokens && row.within && row.replayed));
      }
      CHECK((found.depth && found.choice.policies.empty()));
      CHECK((found.ran == played));
      // n-grams of this file depend on the text alone, so that the replay of rounds is right where it has no holes.
      CHECK((draft == "ngram") == (found.depth->share() > .99));
      double kept = 1;
      for (double const reached : found.choice.survival) kept += reached;
      CHECK(kept == Approx(found.choice.rows[found.choice.best].tokens));
      CHECK(counted_curve(counters_of({path}, played, "--gamma", draft), {.draft = .05}, {})->best ==
            found.choice.best);
    }
}
