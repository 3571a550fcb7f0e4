#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/apps/exact/exact_run.h"

namespace draftgauge {
namespace {

TEST_CASE("exact --for-all: a proof and its figures") {
  Run const got = run_line("exact --for-all --rule token --vocab 2 --format json");
  CHECK(got.status == 0);
  Json const proof = Json::parse(got.out);
  CHECK(proof["verdict"] == "proved");
  CHECK(proof["counterexample"].is_null());
  CHECK(proof["regions"] == 11);
  CHECK(proof["unseen_share"].get<double>() < .02);
  CHECK(proof["error_bound"].get<double>() < 1e-70);
  CHECK(proof["surveys"].size() == 2);
  CHECK(run_line("exact --for-all --rule token --vocab 2 --gamma 3").out.find("for every γ") != std::string::npos);
  std::string const headline = unwrapped(run_line("exact --for-all --rule token --vocab 2").out);
  CHECK(headline.starts_with(
      fmt::format("token, γ = 5, drafts by sample, on all distributions of 2 tokens: proved, but for "
                  "at most {:.2g} % of the distributions (confidence 0.999999) ",
                  100 * proof["unseen_share"].get<double>())));
}

TEST_CASE("exact --for-all: a refutation's own command confirms it") {
  Run const got =
      run_line("exact --for-all --rule recursive --drafter sample-without --gamma 1 --candidates 2 --format json");
  CHECK(got.status == 1);
  Json const shown = Json::parse(got.out)["counterexample"];
  Run const confirmed = run_line(shown["command"].get<std::string>() + " --format json");
  REQUIRE(confirmed.status == 1);  // as the refutation
  Json const law = Json::parse(confirmed.out);
  CHECK(law["tv_to_target"] == shown["tv"]);
  CHECK(law["tv_to_target"] != "0");
  CHECK(law["lossless"] == false);
}

TEST_CASE("exact --for-all: a rule that claims nothing is lossy by design, and exits with 0") {
  std::string const line = "exact --for-all --rule lenient:lenience=.5 --gamma 1 --vocab 2";
  Run const got = run_line(line + " --format json");
  CHECK(got.status == 0);
  Json const shown = Json::parse(got.out);
  CHECK(shown["verdict"] == "refuted");
  CHECK(shown["claims_lossless"] == false);
  std::string const text = unwrapped(run_line(line).out);
  CHECK(text.find("on all distributions of 2 tokens: lossy, by design") != std::string::npos);
  CHECK(text.find(
            "Lossy, by design: there are p and q for which the output does not have the target's distribution.") !=
        std::string::npos);
  Run const wrong = run_line("exact --for-all --rule faulty/residual-from-target --gamma 1 --vocab 2 --format json");
  CHECK(wrong.status == 1);
  CHECK(Json::parse(wrong.out)["claims_lossless"] == true);
}

TEST_CASE("exact --for-all: what cannot be asked") {
  refused(
      "--for-all --vocab 6",
      "--vocab 6 is out of range (1 to 5: the sets of zeros and ties grow like 6^vocab)\nhint: use a smaller one");
  refused("--for-all --p 1 --q 1",
          "--p and --for-all cannot be given together (the statement is about all distributions, and about no "
          "cost)\nhint: keep one");
  refused("--vocab 2 --p 1 --q 1",
          "--vocab needs --for-all (one distribution has its own tokens, and no others are drawn)\nhint: add it");
  refused("--for-all --gamma 1,2",
          "--for-all takes one --gamma and one --rule (it proves one statement)\nhint: run it once for each");
  refused("--for-all --rule recursive-without --candidates 3 --vocab 2",
          "--candidates 3 are more different tokens than the 2 that there are\nhint: draft at most 2");
}

}  // namespace
}  // namespace draftgauge
