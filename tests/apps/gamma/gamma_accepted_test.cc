#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/gamma/gamma_run.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// 60 rounds of γ = 4, of which 12 accepted each of 0 to 4 drafts.
std::string sixty_rounds(char const* between = ",") {
  std::string all;
  for (int i = 0; i < 60; ++i) all += (i ? between : "") + std::to_string(i * 7 % 5);
  return all;
}

}  // namespace

TEST_CASE("gamma: a list of rounds is not read as a histogram") {
  CHECK(
      gamma_refusal("--accepted " + sixty_rounds() + " --cost .1", 2) ==
      "--accepted … can be read in two ways (as 60 counts of rounds by accepted drafts, γ = 59, or as 60 rounds with "
      "what each accepted)\nhint: write --accepted-histogram … for the first, --accepted-rounds … for the second");
  CHECK(gamma_refusal("--accepted 3,1,0,2,1,0,0,0,4 --cost .1", 2) ==
        "--accepted 3,1,0,2,1,0,0,0,4 can be read in two ways (as 9 counts of rounds by accepted drafts, γ = 8, or "
        "as 9 "
        "rounds with what each accepted)\nhint: write --accepted-histogram 3,1,0,2,1,0,0,0,4 for the first, "
        "--accepted-rounds 3,1,0,2,1,0,0,0,4 for the second");
  // More than engines draft, or no more counts than drafts of that length have, is no list of rounds.
  CHECK(gamma_answer("--accepted 20,4,3,2,1,1,0,0,0 --cost .1")["rounds"] == 31);
  CHECK(gamma_answer("--accepted 2,1,1 --cost .1")["rounds"] == 4);
}

TEST_CASE("gamma: rounds with what each accepted are counted, of one text or of several") {
  nlohmann::json const counted = gamma_answer("--accepted 12,12,12,12,12 --cost .1");
  TemporaryFile const column(".txt", sixty_rounds("\n") + "\n");
  for (std::string const& given : {sixty_rounds(), column.path()}) {
    nlohmann::json const found = gamma_answer("--accepted-rounds " + given + " --cost .1");
    CHECK((found["rounds"] == 60 && found["estimator"] == "replayed_rounds"));
    CHECK(number(found["curve"][4]["mean_tokens"]) == Approx(number(counted["curve"][4]["mean_tokens"])));
  }
  CHECK(gamma_answer("--accepted-rounds 0,0,0 --cost .1")["best_gamma"] == 0);
  nlohmann::json const written = gamma_answer("--accepted-histogram 3,1,0,2,1,0,0,0,4 --cost .1");
  CHECK((written["rounds"] == 11 && written["curve"].size() == 9));

  // Rows of requests: of rounds they differ in length, histograms of one γ do not.
  TemporaryFile const rounds(".csv", "3,0,1,2,0,4,1\n1,2,0\n4,4,0,1,2,3,3,0,1\n"),
      histograms(".csv", "3,0,1,0,0,1\n2,2,1,0,1,0\n");
  CHECK(gamma_answer("--accepted-rounds " + rounds.path() + " --cost .1")["requests"] == 3);
  CHECK(gamma_answer("--accepted-rounds 3,0,1;1,2 --cost .1")["requests"] == 2);
  TemporaryFile const no_histogram(".csv", "3,0,1,2,0,4,1\n1,2,0,1\n4,4,0,1,2,3,3,0,1\n");
  CHECK(gamma_refusal("--accepted " + no_histogram.path() + " --cost .1", 2).find(" can be read in two ways (") !=
        std::string::npos);
  CHECK(gamma_answer("--accepted " + histograms.path() + " --cost .1")["requests"] == 2);

  CHECK(
      gamma_refusal("--accepted-rounds 3,5000", 2) ==
      "--accepted-rounds: a round accepted 5000 drafts (no engine drafts more than 4096)\nhint: give what each round "
      "accepted, from 0 on");
  CHECK(gamma_refusal("--accepted-rounds absent.csv", 3) ==
        "absent.csv: there is no such file (--accepted-rounds takes what each round accepted, such as 3,0,4,1, or a "
        "file with a row of them a request)\nhint: check the path");
  CHECK(gamma_refusal("--accepted-rounds 1,2 --accepted 5,3,1", 2)
            .starts_with("--accepted and --accepted-rounds both say what is accepted"));
}

}  // namespace draftgauge
