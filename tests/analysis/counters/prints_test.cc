#include <catch2/catch.hpp>

#include <algorithm>

#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// Of a table of vLLM's bench, with what stands in it.
std::string bench_table(std::string const& drafts = "300", std::string const& positions =
                                                              "  Position 0: 70.00\n  Position 1: 40.00\n"
                                                              "  Position 2: 20.00\n") {
  return "============ Serving Benchmark Result ============\nAcceptance length:                 2.30\nDrafts:    " + drafts +
         "\nDraft tokens:    900\nAccepted tokens:   390\nPer-position acceptance (%):\n" + positions;
}

double tokens_per_round(EngineCounters const& counters) { return *counter_rates(counters).tokens_per_round; }

std::string sglext(int rounds, int accepted, int tokens) {
  return R"({"id": ")" + std::to_string(tokens) + R"(", "choices": [], "usage": {"completion_tokens": )" +
         std::to_string(tokens) + R"(}, "sglext": {"spec_tokens_details": {"spec_verify_ct": )" + std::to_string(rounds) +
         R"(, "spec_num_proposed_drafts": )" + std::to_string(3 * rounds) + R"(, "spec_num_correct_drafts": )" +
         std::to_string(accepted) + "}}}\n";
}

}  // namespace

TEST_CASE("a print that stands twice counts once, and says so") {
  EngineCounters const once = counters_in(bench_table()), twice = counters_in(bench_table() + bench_table());
  CHECK(twice.sums.rounds == once.sums.rounds);
  CHECK(std::ranges::count(twice.notes, "The same print stands more than once: it is counted once.") == 1);
  CHECK(*counters_in(bench_table() + bench_table("299", "")).sums.rounds == 599);  // another run
}

TEST_CASE("digits go on behind a comma between thousands") {
  EngineCounters const read = counters_in(
      "Drafts: 3,000\nDraft tokens: 9,000\nAccepted tokens: 3,900\nAcceptance length: 2.30\nAcceptance rate (%): 43.33\n");
  CHECK(read.sums.rounds == 3000);
  CHECK(read.sums.accepted == 3900);
}

TEST_CASE("positions that a print leaves out are left out, and the counts stay") {
  for (char const* positions : {"  Position 1: 40.00\n  Position 2: 20.00\n", "  Position 0: 70.00\n  Position 1: 40.00\n"}) {
    CAPTURE(positions);
    EngineCounters const read = counters_in(bench_table("300", positions));
    CHECK(tokens_per_round(read) == Approx(2.3));
    CHECK(read.sums.by_position.empty());
    CHECK(broken_identities(read).empty());
  }
  CHECK(counters_in(bench_table()).sums.by_position == std::vector<std::int64_t>{210, 120, 60});
}

TEST_CASE("an index far away is refused before it takes memory") {
  std::string text = bench_table("300", "");
  for (int i = 0; i < 1000; ++i) text += "  Position 1048574: 1.00\n";
  CHECK(counters_error(text).find("has the index 1048574 behind 0 others") != std::string::npos);
}

TEST_CASE("a text without a round, and one whose last round was cut, are counted") {
  std::string const whole = sglext(10, 13, 24), none = sglext(0, 0, 1), cut = sglext(10, 13, 22);
  CHECK(counters_in(whole + none).sums.rounds == 10);
  CHECK(broken_identities(counters_in(whole + none)).empty());
  CHECK(tokens_per_round(counters_in(cut)) == Approx(2.3));
  CHECK(broken_identities(counters_in(cut)).empty());
  CHECK_FALSE(broken_identities(counters_in(sglext(10, 13, 25))).empty());
}

TEST_CASE("a mean that is NaN says nothing, and the counts beside it stay") {
  std::string const page =
      "lmdeploy:spec_decode_num_drafts_total 10\nlmdeploy:spec_decode_num_draft_tokens_total 30\n"
      "lmdeploy:spec_decode_num_accepted_tokens_total 12\nlmdeploy:spec_decode_mean_accept_rate NaN\n";
  CHECK(counters_in(page).sums.accepted == 12);
}

TEST_CASE("lines of two programs are refused") {
  std::string const sd = "- SD total_tokens: 400\n- SD total_draft_tokens: 610\n- SD accepted_draft_tokens: 224\n";
  CHECK(counters_error(sd + bench_table()).find("it has lines of two engines, ") != std::string::npos);
}

TEST_CASE("of two forms of one engine in a file one is counted, and the other is named") {
  EngineCounters const both = counters_in(counters_text("vllm_log.log") + bench_table());
  CHECK((both.format == "vLLM log" && both.sums.rounds == 129));
  CHECK(both.notes.back() ==
        "The file has vLLM bench table, too. Only vLLM log is counted: give each as a file of its own.");
  // Lines that count the same rounds are one print.
  for (char const* const one : {"llama_server_acceptance_per_position.log", "llama_eagle3.txt"}) {
    CAPTURE(one);
    for (std::string const& note : counters_in(counters_text(one)).notes) CHECK(note.find("The file has") == note.npos);
  }
}

TEST_CASE("a print whose beginning was cut off takes none of the next one's numbers") {
  std::string const whole = bench_table();
  // What `tail` left of a print of 500 rounds; the next one begins with the mean, which this lacks.
  std::string const cut = "Drafts:    500\nDraft tokens:    1500\nAccepted tokens:   600\n";
  EngineCounters const counters = counters_in(cut + whole);
  CHECK((counters.requests.size() == 1 && counters.sums.rounds == 300 && counters.sums.accepted == 390));
  CHECK(counters.notes.back() == "The file begins in the middle of a print: that print is left out.");
  CHECK(counters_in(whole + bench_table("301")).requests.size() == 2);
  // Without any beginning it is all that there is.
  CHECK(counters_in(cut + "Acceptance length: 2.20\n").sums.rounds == 500);
}

TEST_CASE("a share above 1 is refused where it stands") {
  CHECK(counters_error(bench_table("300", "  Position 0: 170.00\n")) ==
        "x, line 2: by_position is 1.7 (expected: a share from 0 to 1) correct the log");
}
