#include "sim/laws.h"

#include <catch2/catch.hpp>

#include "sim/sources/source.h"
#include "tests/message.h"

using namespace draftgauge;
using draftgauge::testing::message;

namespace {

std::vector<RowPair> const two_rows(2, RowPair{{1, 2}, {2, 1}, 3});

}  // namespace

TEST_CASE("an automaton's transitions are one for each context and token, and lead to contexts") {
  CHECK(message<InputError>([] { Laws(two_rows, std::vector<std::uint32_t>{0, 1, 0}); }) ==
        "there are 3 transitions for 2 contexts of 2 tokens (each token leads from each context to one) give their "
        "product");
  CHECK(message<InputError>([] { Laws(two_rows, std::vector<std::uint32_t>{0, 1, 2, 0}); }) ==
        "transition 2 leads to context 2 (there are the contexts 0 to 1) lead it to one of them");
  CHECK(message<InputError>([] { Laws(two_rows, Follow::state); }) ==
        "an automaton of contexts has no transitions (its next context is theirs to say) give them");
  CHECK(message<InputError>([] { Laws(std::vector<RowPair>{}, std::vector<std::uint32_t>{}); }) ==
        "there is no context (a model needs at least one pair of rows p, q)");
}

TEST_CASE("an automaton keeps its transitions where it is moved") {
  Laws made(two_rows, std::vector<std::uint32_t>{0, 1, 1, 0});
  Laws const moved = std::move(made);
  Laws const copied = moved;
  for (Laws const* laws : {&moved, &copied}) {
    Contexts const contexts = laws->contexts();
    CHECK(contexts.transitions == laws->arrays().transitions.data());
    CHECK(contexts.after(0, 1) == 1);
    CHECK(contexts.after(1, 0) == 1);
    CHECK(contexts.after(1, 1) == 0);
  }
  CHECK(contexts_text(moved.contexts()) == "automaton of 2 contexts");
}
