#include <catch2/catch.hpp>

#include "tests/apps/answers.h"

namespace draftgauge {
namespace {

TEST_CASE("simulate --schedule: a schedule that decides slot by slot holds, and one that peeks is found") {
  std::string const line = "simulate markov:vocab=2 --gamma 2 --rounds 400k --pass-times 1,1.8,1.9 --schedule ";
  for (char const* const right : {"fixed", "top:slots=2", "descent", "lagged", "threshold", "average"}) {
    Json const found = document(line + right);
    CHECK(found["joint"]["verdict"] == "holds");
    CHECK(found["joint"]["tokens"] == 3);
  }
  // Each is off by a TV of 1/8 or more, of which 12 500 batches leave no doubt.
  std::string const table = "simulate --gamma 1 --rounds 400k --p 2/3,1/3 --q 2/3,1/3 --schedule ";
  for (char const* const wrong : {"faulty/neighbour", "faulty/parity", "faulty/drop", "faulty/own-rank"}) {
    INFO(wrong);
    CHECK(document(table + wrong, 1)["joint"]["verdict"] == "fails");
  }
}

TEST_CASE("simulate --schedule: what too few batches cannot show is not said to hold") {
  std::string const table = "simulate --gamma 1 --p 2/3,1/3 --q 2/3,1/3 --schedule faulty/drop --requests ";
  CHECK(document(table + "12")["joint"] == nullptr);
  CHECK(holds(unwrapped(run_line(table + "12").out), "Not tested: too many combinations of first tokens"));
}

TEST_CASE("simulate --schedule: intervals are over batches, whose requests a schedule couples") {
  // All 64 requests are verified or none, so that 3/2 tokens come of two values. Of 20 intervals of 95 % at least 14 cover it: of an
  // interval that is right fewer would do so once in 10 000; one that takes requests as independent covers it in a fifth.
  std::string const line =
      "simulate --schedule faulty/parity --requests 64 --rounds 64k --p 1/2,1/2 --q 1/2,1/2 --gamma 1 --seed ";
  int covered = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    Json const mean = document(line + std::to_string(seed))["mean_tokens"];
    covered += mean["low"].get<double>() <= 1.5 && 1.5 <= mean["high"].get<double>();
  }
  CHECK(covered >= 14);
}

TEST_CASE("simulate --schedule: with all drafts verified a batch is so many trials") {
  Json const batch = document("simulate zipf:vocab=50 --gamma 4 --schedule fixed --requests 8 --range 0..100");
  Json const alone = document("simulate zipf:vocab=50 --gamma 4 --range 0..800 --rounds-per-trial 16");
  CHECK(batch["rounds"] == alone["rounds"]);
  CHECK(batch["tokens"] == alone["tokens"]);
  CHECK(batch["mean_tokens"]["value"] == alone["mean_tokens"]["value"]);
  CHECK(batch["joint"] == nullptr);
  CHECK(batch["slots_histogram"][32] == 1600);
}

}  // namespace
}  // namespace draftgauge
