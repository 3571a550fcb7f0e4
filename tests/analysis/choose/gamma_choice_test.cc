#include "analysis/choose/gamma_choice.h"
#include "analysis/open/read_recording.h"

#include <catch2/catch.hpp>

using namespace draftgauge;

namespace {

Study study_of(Costs const& costs, StudyOptions const& options = {}) {
  return {read_recording({DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv"}), costs, options};
}

}  // namespace

TEST_CASE("gamma choice: rows from plain decoding on, with what each is behind the best") {
  Study const study = study_of({.draft = .1});
  GammaChoice const choice = choose_gamma(study).value();
  REQUIRE(choice.rows.size() == 17);
  CHECK(choice.rows[0].gamma == 0);
  CHECK(choice.rows[0].speedup == 1);
  CHECK(choice.best_row().gamma == study.best->gamma);
  CHECK_FALSE(choice.best_row().lead);
  for (GammaRow const& row : choice.rows) {
    CAPTURE(row.gamma);
    CHECK(row.speedup <= choice.best_row().speedup);
    CHECK(row.speedup == Approx(row.tokens / row.time));
    if (row.lead) CHECK(row.lead->value == Approx(choice.best_row().speedup - row.speedup).margin(1e-12));
  }
  REQUIRE(choice.runner_up);
  CHECK(choice.runner_up->gamma != choice.best_row().gamma);
  REQUIRE_FALSE(choice.near_optimal.empty());
  CHECK(choice.near_optimal.front().first <= choice.best_row().gamma);
  CHECK(choice.policies.size() >= 4);
}

TEST_CASE("gamma choice: γ with gaps are told by themselves, not by their place") {
  Study const study = study_of({.draft = .1}, {.estimates = {.gammas = {8, 2, 5}}});
  GammaChoice const choice = choose_gamma(study).value();
  std::vector<std::int64_t> gammas;
  for (GammaRow const& row : choice.rows) gammas.push_back(row.gamma);
  CHECK(gammas == std::vector<std::int64_t>{0, 2, 5, 8});
  CHECK(choice.best_row().gamma == study.best->gamma);
  double p_best = 0;
  for (GammaRow const& row : choice.rows) p_best += row.p_best.value();
  CHECK(p_best == Approx(1));
  REQUIRE(choice.runner_up);
  CHECK((choice.runner_up->gamma == 2 || choice.runner_up->gamma == 5 || choice.runner_up->gamma == 8));
}

TEST_CASE("gamma choice: drafts that cost more than they bring leave plain decoding") {
  GammaChoice const choice = choose_gamma(study_of({.draft = 1.5})).value();
  CHECK(choice.best == 0);
  CHECK(choice.best_row().speedup == 1);
}
