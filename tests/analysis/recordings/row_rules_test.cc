#include "analysis/recordings/row_rules.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/recordings/picked_rows.h"
#include "tests/analysis/recordings/bytes_in_memory.h"

using namespace draftgauge;
using testing::BytesInMemory;

namespace {

/// Rows of the same laws in two positions: p = (3, 4, 3)/10, q = (6, 3, 1)/10.
RowPairs reference() {
  RowPairs rows;
  auto const twice = [](std::vector<double> const& law) {
    std::vector<float> z;
    for (int i = 0; i < 2; ++i)
      for (double const p : law) z.push_back(static_cast<float>(std::log(p)));
    return std::make_unique<BytesInMemory>(law.size(), z);
  };
  rows.target = twice({.3, .4, .3});
  rows.draft = twice({.6, .3, .1});
  rows.sequences = {2};
  rows.names = {0};
  return rows;
}

double accepted(std::string_view rule, SamplingParameters const& target, SamplingParameters const& draft,
                Ratio lenience = {1, 2}) {
  RowPairs rows = reference();
  int const branching[] = {1};
  for (RowRule const& asked : rules_at_rows(rows, target, draft, branching, lenience, 2, [](std::uint64_t) {}))
    if (asked.formula.rule == rule) {
      REQUIRE(asked.accepted.size() == 1);
      REQUIRE(asked.accepted[0].size() == 2);
      CHECK(asked.accepted[0][0] == asked.accepted[0][1]);
      return asked.accepted[0][0];
    }
  FAIL(rule << " was not asked");
  return 0;
}

}  // namespace

TEST_CASE("rules at rows: lenience forgives at temperature 0 by p before it is one-hot") {
  SamplingParameters const greedy{.temperature = 0};
  CHECK(accepted("greedy", greedy, greedy) == 0);          // argmax q is another token than argmax p,
  CHECK(accepted("lenient-greedy", greedy, greedy) == 1);  // with 3/10 ≥ 4/10 · 1/2
  CHECK(accepted("lenient-greedy", greedy, greedy, {4, 5}) == 0);
  SamplingParameters const truncated{.temperature = 0, .top_k = 1};
  CHECK(accepted("lenient-greedy", truncated, greedy) == 1);
  CHECK(accepted("lenient-greedy", SamplingParameters{.temperature = .25}, greedy) == 0);  // (3/4)⁴ < 1/2
}

TEST_CASE("rules at rows: an argmax draft tested as if it had been drawn") {
  CHECK(accepted("faulty/argmax-draft", {}, {}) == Approx(.5));
  CHECK(accepted("token", {}, {}) == Approx(.7));
}

TEST_CASE(
    "rules at rows: a row that is no distribution is named by its number in the file, whatever was left out before "
    "it") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  auto const picked = [](std::vector<float> const& z, std::vector<std::uint8_t> const& kept) {
    return std::make_unique<PickedRows>(std::make_unique<BytesInMemory>(z.size() / kept.size(), z), kept, 2);
  };
  RowPairs rows;
  rows.target_name = "a.npz: target_logits";
  rows.draft_name = "a.npz: draft_logits";
  rows.sequences = {2};
  rows.names = {0};
  rows.target = picked({0, 1, 0, 1, 0, 1, 1, nan}, {0, 1, 0, 1});
  rows.draft = picked({0, 1, 0, 1, nan, 0}, {1, 0, 1});
  int const branching[] = {1};
  auto const ask = [&] { rules_at_rows(rows, {}, {}, branching, {}, 1, [](std::uint64_t) {}); };
  CHECK_THROWS_WITH(ask(),
                    "a.npz: target_logits, row 3, column 1 is NaN (a logit is a number, or -inf for probability 0) "
                    "record the row again");
  rows.target = picked({0, 1, 0, 1, 0, 1}, {0, 1, 1});
  CHECK_THROWS_WITH(ask(),
                    "a.npz: draft_logits, row 2, column 0 is NaN (a logit is a number, or -inf for probability 0) "
                    "record the row again");
}

TEST_CASE("rules at rows: those whose sums are too long are named") {
  int const branching[] = {1, 2, 4};
  auto const unasked = unasked_rules(branching, 49152);
  REQUIRE(unasked.size() == 4);
  CHECK(unasked[0].rule == "recursive-without");
  CHECK(unasked[0].branching == 2);
  CHECK(unasked[1].branching == 4);
  CHECK(unasked[2].rule == "naive-set-without");
  CHECK(unasked_rules(branching, 8).empty());
  CHECK(unasked_rules(branching, 3).empty());  // four different drafts of three tokens: not a matter of length
}
