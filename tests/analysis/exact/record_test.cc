#include "sim/task/record.h"

#include <catch2/catch.hpp>
#include <map>

#include "analysis/theory/rule_acceptance.h"
#include "tests/record_checks.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// Claims everything of the coupled rule, and nothing of it is true.
struct Boaster : rules::Coupled {
  template <class Row>
  static auto acceptance(drafters::Sample drafts, Row const& row, int k) {
    return rules::TokenRule::acceptance(drafts, row, k);
  }
  static bool equals(As<rules::TokenRule>, int) { return true; }
  static bool at_least(As<rules::TokenRule>, int) { return true; }
  template <class Row>
  static auto emits(drafters::Sample, Row const& row) {
    std::vector<typename Row::Real> q;
    for (Token x = 0; x < row.vocab(); ++x) q.push_back(typename Row::Real(row.q(x)));
    return q;
  }
  using Replay = rules::TokenRule::Replay;
};
struct LossyBoaster : rules::Lenient {
  using rules::Lenient::Lenient;
  static bool lossless(bool) { return true; }
};

template <class Rule>
std::map<std::string, bool> columns() {  // whether each holds, with all parameters
  std::map<std::string, bool> all;
  for_each_column<Rule>([&](std::string const& column, std::string const& wrong) {
    all.try_emplace(column, true).first->second &= wrong.empty();
  });
  return all;
}

}  // namespace

TEST_CASE("what a rule's file says of it is what enumeration gives") {
  for_each_type(Rules(), []<class Rule>() {
    for_each_column<Rule>([](std::string const& column, std::string const& wrong) {
      CAPTURE(Rule::card.name, column);
      CHECK(wrong == "");
    });
    CAPTURE(Rule::card.name);
    CHECK(known_lossless(with_parameters<Rule>().front(), false) == Rule::card.lossless);
  });
}

TEST_CASE("formulas of faulty rules are theirs, with their drafters") {
  for_each_type(FaultyRules(), []<class Rule>() {
    for_each_type(Drafters(), []<class Drafter>() {
      bool const listed = std::ranges::any_of(acceptance_formulas(), [](AcceptanceFormula const& formula) {
        return formula.rule == Rule::card.name && formula.drafter == Drafter::card.name;
      });
      CAPTURE(Rule::card.name, Drafter::card.name);
      if constexpr (says_acceptance<Rule, Drafter>)
        CHECK((!listed || wrong_acceptance<Drafter>(with_parameters<Rule>().front()) == ""));
    });
    CHECK_FALSE(same_law<Rule, rules::TokenRule>(with_parameters<Rule>().front(), 1));
    CHECK_FALSE(known_lossless(with_parameters<Rule>().front(), false));
    CHECK_FALSE(Replayed<Rule>);
  });
}

TEST_CASE("a rule that says what is not so is found out in each column") {
  CHECK(columns<Boaster>() == std::map<std::string, bool>{{"acceptance by sample", false},
                                                          {"at least token", false},
                                                          {"emits by sample", false},
                                                          {"equals token", false},
                                                          {"lossless", true},
                                                          {"replay", false}});
  CHECK(columns<LossyBoaster>() ==
        std::map<std::string, bool>{
            {"acceptance by sample", true}, {"emits by sample", true}, {"equals token", true}, {"lossless", false}});
}

TEST_CASE("formulas in fractions are exact where ρ is, and silent where it is not") {
  auto const k_seq = std::ranges::find(acceptance_formulas(), rules::KSeq::card.name, &AcceptanceFormula::rule);
  auto const exact = [&](ExactModel::Row const& row, int k) {
    return k_seq->exact(Acceptance<Rational>(row.p, row.q), k, {});
  };
  CHECK(exact(row({3, 4, 3}, {6, 3, 1}), 2) == Rational(21, 25));  // ρ* = 1.4
  CHECK(exact(row({3, 4, 3}, {6, 3, 1}), 3) == Rational(7, 8));    // 1.75
  CHECK(exact(row({1, 1}, {1, 1}), 2) == Rational(1));             // 1
}
