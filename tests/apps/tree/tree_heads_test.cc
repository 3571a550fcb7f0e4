#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const line = "tree markov:vocab=6 --drafter heads --heads 3 --nodes 16 ";

TEST_CASE("tree --drafter heads: the answer is what was played, with an interval; the claim stands beside") {
  Json const got = document(line + "--verify-cost 1:1,16:1.3");
  auto const& played = got["mean_tokens"];
  CHECK(played["low"].get<double>() < played["value"].get<double>());
  CHECK(got["accuracies"].size() == 3);
  CHECK(got["depth"].get<int>() <= 3);
  CHECK(got["claimed"]["mean_tokens"].get<double>() > 1);
  // Heads that have not seen the last token guess worse.
  CHECK(got["as_coded"]["mean_tokens"]["high"].get<double>() < played["low"].get<double>());
  CHECK(got["played"]["rounds"] == 65536);
  Run const text = run_line(line);
  CHECK(text.out.find("Medusa's construction takes heads as independent and claims") != std::string::npos);
  CHECK(text.out.find("(markov:vocab=6") != std::string::npos);
}

TEST_CASE("tree --drafter heads: where every token is certain all heads are right") {
  TemporaryFile const file(".json", R"({"p": [[0, 1], [1, 0]], "q": [[0, 1], [1, 0]]})");
  Json const got = document("tree " + file.path() + " --drafter heads --heads 3 --nodes 8");
  CHECK(got["parents"] == Json({-1, 0, 1, 2}));
  CHECK(got["mean_tokens"]["value"] == 4);
  CHECK(got["claimed"]["mean_tokens"] == 4);
  CHECK(got["as_coded"]["mean_tokens"]["value"] == 4);
}

TEST_CASE("tree --drafter heads: what makes no sense is refused in words") {
  check_refused(
      line + "--accept .5", 2,
      "--accept has no meaning with --drafter heads (the source's contexts say what heads can guess, --heads "
      "how far)\nhint: leave it out");
  check_refused("tree markov:vocab=6 --heads 2", 2,
                "--heads has no meaning with --drafter sample-without (it is for heads)\nhint: leave it out");
  check_refused(
      "tree data/smollm2_prune2_24.safetensors --drafter heads", 2,
      "--drafter heads needs a SOURCE of distributions (a recording has no tables of all texts)\nhint: give a "
      "Markov pair or n-grams");
  check_refused("tree dirichlet:vocab=8,contexts=3 --drafter heads", 2,
                "heads guess from contexts that follow from the tokens");
  check_refused("tree markov:vocab=6 --drafter heads --heads 40", 2, "--heads");
}

}  // namespace
}  // namespace draftgauge
