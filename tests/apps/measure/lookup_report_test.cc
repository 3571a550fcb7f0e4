#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const greedy = "measure data/smollm2/prune2_T0.tsv ", sampled = "measure data/smollm2/prune2_T1.tsv ";

Json lookup(std::string const& line) { return document(line)["lookup"]; }

/// Two texts of one token a line.
std::string columns(std::vector<std::vector<int>> const& texts) {
  std::string text = "# temperature: 1\nseq\ttoken\tlogp\tlogq\n";
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (int const x : texts[i]) text += std::to_string(i) + "\t" + std::to_string(x) + "\t-1\t-1.1\n";
  return text;
}

TEST_CASE("measure --drafter: the answer comes first, with its interval over texts") {
  Run const got = run_line(greedy + "--drafter pld --verify-cost 1:1,11:1.2");
  REQUIRE(got.status == 0);
  CAPTURE(got.out);
  CHECK(
      unwrapped(got.out).starts_with("pld: S = 1.6799 [1.3942, 1.9656] with 1.8335 [1.5189, 2.1481] tokens per round "
                                     "(prune2_T0.tsv, 6012 tokens in 28 "
                                     "texts, looking in the text itself)"));
  CHECK(got.out.find("45.7 % of 3279 rounds find a match; these have 10.0 drafts in the mean.") != std::string::npos);
  CHECK(unwrapped(run_line(greedy + "--drafter pld").out)
            .starts_with("pld: 1.8335 [1.5189, 2.1481] tokens per round ("));
}

TEST_CASE("measure --drafter: rounds and tokens add up") {
  for (std::string const& line : {greedy + "--drafter pld", greedy + "--drafter ngram",
                                  sampled + "--drafter pld --suffix 2 --draft-tokens 4", sampled + "--drafter rest",
                                  greedy + "--drafter pool", sampled + "--drafter pool --guesses 2 --draft-tokens 2",
                                  sampled + "--drafter rest --prefixes 8 --suffix 4"}) {
    CAPTURE(line);
    Json const found = lookup(line);
    std::int64_t rounds = 0, emitted = 0;
    for (std::size_t i = 0; i < found["accepted_histogram"].size(); ++i) {
      rounds += found["accepted_histogram"][i].get<std::int64_t>();
      emitted += static_cast<std::int64_t>(i + 1) * found["accepted_histogram"][i].get<std::int64_t>();
    }
    auto const tokens = found["tokens"].get<std::int64_t>();
    CHECK(found["rounds"] == rounds);
    CHECK(found["tokens_per_round"]["value"].get<double>() ==
          Approx(static_cast<double>(tokens) / static_cast<double>(rounds)));
    // The last round of a text may go beyond it by the token that the target adds.
    CHECK(emitted >= tokens);
    CHECK(emitted <= tokens + found["texts"].get<std::int64_t>());
    CHECK(found["speedup"].is_null());
  }
}

TEST_CASE("measure --drafter: small texts by hand") {
  TemporaryFile const file(".tsv", columns({{1, 2, 3, 7, 1, 2, 3, 7, 1, 9}, {1, 2, 3, 8, 5, 6, 5, 6, 4, 4}}));
  std::string const line = "measure " + std::string(file.path()) + " ";
  // The first text takes 7 rounds (tests/analysis/families/text_lookup_test.cc), the second 9: only before token 7
  // the suffix 5 was seen with two tokens after it, 6 and 5, of which one is accepted.
  Json const pld = lookup(line + "--drafter pld --draft-tokens 2 --verify-cost 1:1,3:2");
  CHECK(pld["rounds"] == 16);
  CHECK(pld["tokens_per_round"]["value"].get<double>() == Approx(20. / 16));
  // Three of them have drafts.
  CHECK(pld["speedup"]["value"].get<double>() == Approx(20. / 19));
  // Rounds of this text in tests/analysis/families/text_lookup_test.cc: two drafts that were all there was, twice.
  TemporaryFile const ends(".tsv", columns({{5, 6, 5, 6, 5, 6, 5, 1}}));
  std::string const short_line = "measure " + std::string(ends.path()) + " --draft-tokens 4 --verify-cost 1:1,5:2 ";
  Json const ngram = lookup(short_line + "--drafter ngram");
  CHECK((ngram["rounds"] == 5 && ngram["accepted_histogram"] == Json({3, 1, 1, 0, 0})));
  CHECK(ngram["speedup"]["value"].get<double>() == Approx(8. / (3 + 2 * 1.5)));
  CHECK(lookup(short_line + "--drafter pld")["rounds"] == 6);
  Json const rest = lookup(line + "--drafter rest --draft-tokens 2 --prefixes 64");
  CHECK(rest["looked_in"] == "the other texts");
  // After 1 2 the other text goes on with 3 and then otherwise: at 2 and, in the first text, at 6.
  CHECK(rest["accepted_histogram"] == Json({14, 3, 0}));
  TemporaryFile const store(".tsv", columns({{1, 2, 3, 7, 1, 2, 3, 7, 1, 9}, {4, 4}}));
  Json const known = lookup(line + "--drafter rest --draft-tokens 2 --datastore " + std::string(store.path()));
  CHECK(known["looked_in"] == std::string(store.path()));
  CHECK(known["rounds"].get<int>() < rest["rounds"].get<int>());
}

TEST_CASE("measure --drafter: what makes no sense is refused in words") {
  check_refused(greedy + "--drafter pld --gamma 4", 2,
                "--gamma has no meaning with --drafter pld (no model drafts)\nhint: leave it out");
  check_refused(greedy + "--drafter pld --datastore x.tsv", 2,
                "--datastore has no meaning with --drafter pld (it looks in the text itself)\nhint: leave it out");
  check_refused(greedy + "--drafter pool --suffix 2", 2,
                "--suffix has no meaning with --drafter pool (it is for pld, ngram, rest)\nhint: leave it out");
  check_refused(greedy + "--drafter pld --guesses 2", 2,
                "--guesses has no meaning with --drafter pld (it is for pool)");
  check_refused(greedy + "--drafter pool --guesses 1000", 2, "--guesses");
  check_refused(greedy + "--drafter rest --suffix 1", 2,
                "--suffix 1 is too short for rest (suffixes down to 2 are tried)");
  for (std::string const option : {"--suffix", "--draft-tokens", "--guesses", "--prefixes", "--datastore"})
    check_refusal(greedy + option + " 4", 2,
                  option + " has no meaning without --drafter (nothing would come of it)\nhint: add --drafter");
  check_refusal(greedy + "--drafter pld --for vllm", 2,
                "--for has no meaning without an engine's counters (a recording's best γ is gamma's to say)\nhint: "
                "draftgauge gamma FILE --cost C --for ENGINE");
  check_refusal(greedy + "--drafter pld --draft-length 4", 2,
                "--draft-length has no meaning without an engine's counters (nothing would come of it)\nhint: leave "
                "it out");
  check_refused(greedy + "--drafter pld --cost .1", 2, "--cost is a number (that is c, of a draft model");
  check_refused(
      greedy + "data/smollm2/prune8_T1.tsv --drafter pld", 2,
      "--drafter takes one recording at one setting, not 2 (its result is one figure)\nhint: run it once for "
      "each");
  TemporaryFile const one(".tsv", columns({{1, 2, 3}}));
  check_refused(
      "measure " + std::string(one.path()) + " --drafter rest", 3,
      "it holds one text (others are the datastore of rest)\nhint: give --datastore FILE, another recording of "
      "the same tokens");
  TemporaryFile const bare(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-1.1\n1\t-1\t-1.1\n");
  check_refused("measure " + std::string(bare.path()) + " --drafter pld", 3,
                "it holds no token ids (drafts are looked up by them)\nhint: record them: a column token");
}

}  // namespace
}  // namespace draftgauge
