#include <catch2/catch.hpp>
#include <string>

#include "analysis/exact/exact.h"
#include "sim/play/simulation.h"
#include "tests/models.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

ExactText text_of(Source const& source, std::string const& rule, int gamma) {
  Simulation const simulation(task(rule, gamma), source.tables, 1);
  return exact_text(simulation.task(), exact_model(source), simulation.starts(),
                    telling_length(simulation.task(), source.tables.telling_tokens()));
}

}  // namespace

TEST_CASE("targets with a memory: right engines are right, whatever their drafts know of it", "[exact]") {
  TemporaryFile const grammar(".json", "{\"next\": [[1, null, null], [1, 2, null], [0, null, 0]]}");
  std::string const pair = "p=\"3,2,1\",q=\"1,1,1\"";
  for (std::string const& source :
       {"penalised:" + pair + ",frequency=1/2,counts=3", "min-length:" + pair + ",end=2",
        "grammar:" + pair + ",automaton=" + grammar.path(), "biased:" + pair + ",factors=\"0:1/2\""})
    for (std::string const draft : {"raw", "processed"})  // a masked target with an unmasked draft is accused wrongly
      for (std::string const rule : {"token", "block", "faulty/row-behind", "greedy"}) {
        CAPTURE(source, draft, rule);
        bool const right = !rule.starts_with("faulty/");
        CHECK((text_of(open_source(source + ",draft=" + draft), rule, 2).distance == 0) == right);
      }
}

TEST_CASE("targets with a memory: engines with a wrong state show at as many tokens as their fault needs",
          "[exact]") {
  auto const shows = [](Source const& source, std::string const& rule, int gamma) {
    ExactModel const model = exact_model(source);
    for (int tokens = 1; tokens <= 6; ++tokens)
      if (total_variation(text_of_rounds(task("faulty/" + rule, gamma), model, 0, tokens),
                          target_law(model, tokens)) != 0)
        return tokens;
    return 0;
  };
  Source const penalised = open_source("penalised:p=\"1,1\",q=\"2,1\",frequency=1/2");
  Source const longer = open_source("min-length:p=\"1,3,2\",q=\"3,1,2\",end=2,tokens=3");
  for (int const gamma : {1, 2, 3}) {
    CAPTURE(gamma);
    for (std::string const rule :
         {"state-frozen", "state-late", "state-bonus-only", "state-lost", "state-of-drafts", "state-of-rejected"}) {
      CAPTURE(rule);
      CHECK(shows(penalised, rule, gamma) == 2);
    }
    CHECK(shows(penalised, "state-last-only", gamma) == 3);
    for (std::string const rule : {"state-frozen", "state-late", "state-last-only"})
      CHECK(shows(longer, rule, gamma) == 4);
    CHECK(shows(longer, "state-of-drafts", gamma) == (gamma == 1 ? 3 : 2));
    CHECK(shows(longer, "state-of-rejected", gamma) == (gamma == 1 ? 0 : gamma == 2 ? 3 : 2));
    CHECK(shows(longer, "past-the-end", gamma) == 5);
  }
}

TEST_CASE("targets with a memory: a greedy verifier is off by 1 - max p, one whose first draft is unseen by TV(q, p)",
          "[exact]") {
  auto const at = [](std::string const& rule) {
    return exact_text(task("faulty/" + rule, 1), one_context({3, 4, 3}, {6, 3, 1}), {}, 1).distance;
  };
  CHECK(at("greedy-at-temperature") == Rational(6, 10));
  CHECK(at("first-unseen") == Rational(3, 10));
}
