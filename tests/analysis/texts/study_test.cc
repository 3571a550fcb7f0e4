#include "analysis/texts/study.h"

#include <catch2/catch.hpp>

#include "analysis/choose/gamma_choice.h"
#include "analysis/open/read_recording.h"

using namespace draftgauge;

namespace {

std::string const data = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/";

Recorded pair() { return read_recording({data + "prune2_T1.tsv"}); }
Recorded exchanged_pair() {
  Recorded recorded = pair();
  recorded.trace = exchanged(std::move(recorded.trace), Exchange::all);
  return recorded;
}

}  // namespace

TEST_CASE("study: a recording without costs has estimates and no best γ to act on") {
  Study const study(pair());
  CHECK_FALSE(study.costs_given);
  CHECK_FALSE(study.rejected());
  CHECK(study.main == Estimator::replay);
  REQUIRE(study.alpha());
  CHECK(study.alpha()->value == study.estimates.alpha()->value);
  CHECK(study.tokens_per_round(Estimator::replay, 5) != nullptr);
  CHECK(study.tokens_per_round(Estimator::replay, 500) == nullptr);
  CHECK(study.best_at_costs() == nullptr);
  CHECK_FALSE(study.gamma_set);
  CHECK_FALSE(choose_gamma(study));
}

TEST_CASE("study: at costs the best γ, with what a draft of that length gains") {
  Study const study(pair(), Costs{.draft = .1});
  REQUIRE(study.best_at_costs());
  int const best = study.best_at_costs()->gamma;
  CHECK(study.best_at_costs()->speedup == study.speedup_at(best)->speedup.value);
  CHECK(study.longest_priced() == 16);
  CHECK(study.lead(.95) == TextLead::firm);
}

TEST_CASE("study: the models exchanged are rejected, and no γ is chosen") {
  Study const study(exchanged_pair(), Costs{.draft = .1});
  CHECK(study.rejected());
  CHECK(study.unusable());
  CHECK(study.best_at_costs() == nullptr);
  CHECK(study.recorded.policy == Policy::off);
  CHECK_FALSE(choose_gamma(study));
}

TEST_CASE(
    "study: an estimator that the recording does not know gives way to the next of its rule, another is missed") {
  Recorded columns = pair();
  for (TextTrace& text : columns.trace.texts) text.argmax_match.clear();
  Study const argmax(columns, Costs{.draft = .1}, {.main = Estimator::replay_argmax});
  CHECK(argmax.main == Estimator::replay_argmax);
  CHECK_FALSE(argmax.knows(argmax.main));
  CHECK_FALSE(choose_gamma(argmax));

  Recorded other = pair();
  other.policy = Policy::off;
  CHECK(Study(other).main == Estimator::iid);
  CHECK(Study(other, {.main_given = true}).main == Estimator::replay);
}

TEST_CASE("study: one model scored twice is seen") {
  CHECK_FALSE(Study(pair()).same_numbers());
  Recorded twice = pair();
  for (TextTrace& text : twice.trace.texts) text.log_q = text.log_p;
  CHECK(Study(twice).same_numbers());
}
