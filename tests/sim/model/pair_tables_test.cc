#include "sim/model/pair_tables.h"

#include <catch2/catch.hpp>

#include "sim/sources/source.h"
#include "tests/message.h"

using namespace draftgauge;
using draftgauge::testing::message;

namespace {

std::vector<RowPair> const two_rows(2, RowPair{{1, 2}, {2, 1}, 3});

}  // namespace

TEST_CASE("an automaton's transitions are one for each context and token, and lead to contexts") {
  CHECK(message<InputError>([] { PairTables(two_rows, std::vector<std::uint32_t>{0, 1, 0}); }) ==
        "there are 3 transitions for 2 contexts of 2 tokens (each token leads from each context to one) give their "
        "product");
  CHECK(message<InputError>([] { PairTables(two_rows, std::vector<std::uint32_t>{0, 1, 2, 0}); }) ==
        "transition 2 leads to context 2 (there are the contexts 0 to 1) lead it to one of them");
  CHECK(message<InputError>([] { PairTables(two_rows, Follow::state); }) ==
        "an automaton of contexts has no transitions (its next context is theirs to say) give them");
  CHECK(message<InputError>([] { PairTables(std::vector<RowPair>{}, std::vector<std::uint32_t>{}); }) ==
        "there is no context (a model needs at least one pair of rows p, q)");
}

TEST_CASE("distributions are the same on any number of threads, and say what they take") {
  auto const made = [](int threads) {
    return open_source("dirichlet:vocab=33,contexts=50,concentration=.1", {.threads = threads}).tables;
  };
  PairTables const one = made(1);
  auto const bytes = [](auto const& array) {
    auto const all = std::as_bytes(array);
    return std::vector<std::byte>(all.begin(), all.end());
  };
  for (int threads : {2, 3, 64}) {
    PairTables const tables = made(threads);
    PairTables::Arrays const a = one.arrays(), b = tables.arrays();
    CHECK(bytes(a.p) == bytes(b.p));
    CHECK(bytes(a.q) == bytes(b.q));
    CHECK(bytes(a.draft) == bytes(b.draft));
    CHECK(bytes(a.target) == bytes(b.target));
    CHECK(bytes(a.residual) == bytes(b.residual));
    CHECK(bytes(a.residual_totals) == bytes(b.residual_totals));
    CHECK(bytes(a.most_likely_p) == bytes(b.most_likely_p));
    CHECK(bytes(a.most_likely_q) == bytes(b.most_likely_q));
  }
  PairTables::Arrays const a = one.arrays();
  CHECK(one.bytes() ==
        a.p.size_bytes() + a.q.size_bytes() + a.draft.size_bytes() + a.target.size_bytes() + a.residual.size_bytes());
}

TEST_CASE("a token's probability is its weight over the total, rounded once") {
  std::uint64_t const odd = max_total - 1;
  PairTables const tables({{{1, 2}, {2, 1}, 3}, {{odd, 1}, {3, max_total - 3}, max_total}}, Follow::independent);
  CHECK(tables.target_probability(0, 0) == 1. / 3);
  CHECK(tables.draft_probability(0, 0) == 2. / 3);
  CHECK(tables.target_probability(1, 0) == 1 - 0x1p-53);
  CHECK(tables.draft_probability(1, 0) == 3 * 0x1p-53);
  CHECK(tables.target_probabilities(0) == std::vector<double>{1. / 3, 2. / 3});
  CHECK(tables.draft_probabilities(1) == std::vector<double>{3 * 0x1p-53, 1 - 3 * 0x1p-53});
}

TEST_CASE("rows that are no distributions, or do not fit their arrays, are refused") {
  std::vector<RowPair> rows = two_rows;
  rows[1].p = {1, 1};
  CHECK(message<InputError>([&] { PairTables(rows, Follow::independent); }) ==
        "row 1 does not sum to its total of 1 to 2^53");
  rows[1].p = {1, 1, 1};
  CHECK(message<InputError>([&] { PairTables(rows, Follow::independent); }) ==
        "row 1 has 3 tokens in p and 2 in q (all rows need 2)");
  RowArrays const arrays{.vocab = 2, .p = {1, 2}, .q = {2, 1, 2}, .totals = {3, 3}};
  CHECK(message<InputError>([&] { PairTables(arrays, Follow::independent); }) ==
        "there are 2 weights of p and 3 of q for 2 contexts of 2 tokens (each token has one in each context) give "
        "their product");
}

TEST_CASE("an automaton keeps its transitions where it is moved") {
  PairTables made(two_rows, std::vector<std::uint32_t>{0, 1, 1, 0});
  PairTables const moved = std::move(made);
  PairTables const copied = moved;
  for (PairTables const* tables : {&moved, &copied}) {
    Contexts const contexts = tables->contexts();
    CHECK(contexts.transitions == tables->arrays().transitions.data());
    CHECK(contexts.after(0, 1) == 1);
    CHECK(contexts.after(1, 0) == 1);
    CHECK(contexts.after(1, 1) == 0);
  }
  CHECK(contexts_text(moved.contexts()) == "automaton of 2 contexts");
}
