#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "analysis/audit/audit.h"
#include "analysis/texts/text_estimates.h"
#include "tests/analysis/reference_recordings.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// A line of reference.tsv: what an independent program found in a recording.
struct Reference {
  std::string draft, temperature;
  int gamma;
  double alpha_beta, mean_a, eq1, tpr, low, high, tpr_argmax;
};
std::vector<Reference> references() {
  std::ifstream file(reference_path("reference.tsv"));
  std::string line;
  std::getline(file, line);
  std::vector<Reference> all;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string path, pair, skip;
    Reference r;
    fields >> path >> pair >> skip >> skip >> skip >> r.gamma >> r.alpha_beta >> r.mean_a >> skip >> r.eq1 >> r.tpr >>
        r.low >> r.high >> r.tpr_argmax;
    REQUIRE(fields);
    r.draft = pair.substr(pair.find('-') + 1);
    auto const from = path.rfind("_T") + 2;
    r.temperature = path.substr(from, path.rfind(".tsv") - from);
    all.push_back(r);
  }
  return all;
}

}  // namespace

TEST_CASE("every figure of the reference is found in the recordings") {
  std::map<std::pair<std::string, std::string>, TextEstimates> estimates;
  for (std::string const temperature : {"1", "0.6", "0"})
    for (TokenTrace const& trace : reference_recordings(temperature))
      estimates.emplace(std::pair(trace.name, temperature), TextEstimates(trace, EstimateOptions{}));
  auto const all = references();
  REQUIRE(all.size() == 336);  // 7 drafts, 3 temperatures, 16 γ
  for (Reference const& r : all) {
    CAPTURE(r.draft, r.temperature, r.gamma);
    TextEstimates const& found = estimates.at({r.draft, r.temperature});
    auto const tokens = [&](Estimator e) { return *found.tokens_per_round(e, r.gamma); };
    CHECK(found.alpha()->value == Approx(r.alpha_beta).margin(1e-6));
    CHECK(found.mean_a()->value == Approx(r.mean_a).margin(1e-6));
    CHECK(tokens(Estimator::iid).value == Approx(r.eq1).margin(1e-6));
    CHECK(tokens(Estimator::replay).value == Approx(r.tpr).margin(1e-6));
    CHECK(tokens(Estimator::replay_argmax).value == Approx(r.tpr_argmax).margin(1e-6));
    // The reference's interval is a bootstrap's, with its own draws: ours is as wide, to a sixth of it.
    auto const interval = bootstrap_interval(tokens(Estimator::replay), .95);
    REQUIRE(interval);
    CHECK(interval->low == Approx(r.low).margin((r.high - r.low) / 6));
    CHECK(interval->high == Approx(r.high).margin((r.high - r.low) / 6));
  }
}

TEST_CASE("coins along the text go to the replay, and block verification is ahead of it") {
  TextEstimates const found(reference_recording("prune2", "1"), {.coin_runs = 400});
  CHECK(found.alpha_from_beta());
  for (int const gamma : found.options().gammas) {
    CAPTURE(gamma);
    double const replay = found.tokens_per_round(Estimator::replay, gamma)->value;
    // 400 runs of 3000 rounds with a standard deviation of 20 or so: 3 parts in 10 000. Five such: false alarm 1e-6
    // each.
    CHECK(found.tokens_per_round(Estimator::simulated, gamma)->value == Approx(replay).epsilon(2e-3));
    double const block = found.tokens_per_round(Estimator::replay_block, gamma)->value;
    if (gamma == 1)
      CHECK(block == Approx(replay).epsilon(1e-12));
    else
      CHECK(block > replay);
  }
  CHECK(found.tokens_per_round(Estimator::replay, 4)->value == Approx(2.97).margin(.005));
  CHECK(found.tokens_per_round(Estimator::replay_block, 4)->value == Approx(3.15).margin(.005));
}

TEST_CASE("two real runs take the rounds that their text makes expected") {
  auto const judged = [](char const* rule, char const* claimed) {
    RealRun const run = real_run(rule);
    AuditOptions options;
    options.rule = claimed;
    options.until = 380;
    return audit(run.trace, run.log, options);
  };
  Audit const token = judged("token", "token"), block = judged("block", "block");
  REQUIRE(token.rounds);
  CHECK(token.rounds->observed == 3422);
  CHECK(token.rounds->expected == Approx(3423.70).margin(.005));
  CHECK(token.rounds->sd == Approx(26.44).margin(.005));
  CHECK(token.words() == "consistent with the token rule (temperature and argmax drafts not looked for)");
  REQUIRE(block.rounds);
  CHECK(block.rounds->observed == 2644);
  CHECK(block.rounds->expected == Approx(2644.92).margin(.005));
  CHECK(block.rounds->sd == Approx(20.28).margin(.005));
  CHECK(block.words() == "consistent with the block rule (temperature not looked for)");
  CHECK_FALSE(block.draft_bias);  // the columns have no beta
  // The other's claim is rejected by its own text.
  CHECK(judged("token", "block").words() == "not the block rule");
  CHECK(judged("block", "token").words() == "not the token rule");
}
