#include "analysis/greedy/greedy_text.h"

#include <catch2/catch.hpp>
#include <limits>

#include "analysis/greedy/certificate.h"
#include "sim/recordings/row_pairs.h"
#include "tests/greedy_rows.h"

namespace draftgauge {
namespace {

using testing::GreedyRows;

RowPairs opened(TemporaryFile const& file) { return open_row_pairs(file.path(), ""); }

GreedyText text_of(GreedyRows const& rows) {
  TemporaryFile const file(".safetensors", rows.bytes());
  RowPairs pairs = opened(file);
  return greedy_text(pairs, true, .95, 2, [](std::uint64_t) {});
}

/// The floor between two recordings of one target: both files' targets, side by side.
GreedySelfDivergence floor_of(GreedyRows const& once, GreedyRows const& again) {
  GreedyRows twice = once;
  twice.draft = again.target;
  TemporaryFile const file(".safetensors", twice.bytes());
  RowPairs pairs = opened(file);
  return greedy_self_divergence(pairs, 2, [](std::uint64_t) {});
}

std::vector<double> law(std::vector<double> const& logits, std::size_t row) {
  std::vector<double> p(logits.begin() + static_cast<std::ptrdiff_t>(row * GreedyRows::vocab),
                        logits.begin() + static_cast<std::ptrdiff_t>((row + 1) * GreedyRows::vocab));
  double sum = 0;
  for (double& z : p) sum += z = std::exp(z);
  for (double& z : p) z /= sum;
  return p;
}

}  // namespace

TEST_CASE("greedy text: acceptance and certificates, position by position") {
  GreedyRows const rows(1);
  GreedyText const found = text_of(rows);
  double accepted = 0, certified = 0, kl = 0;
  for (std::size_t row = 0; row < GreedyRows::rows; ++row) {
    auto p = law(rows.target, row), q = law(rows.draft, row);
    bool const same = std::ranges::max_element(p) - p.begin() == std::ranges::max_element(q) - q.begin();
    double here = 0;
    for (std::size_t v = 0; v < p.size(); ++v) here += p[v] * std::log(p[v] / q[v]);
    std::ranges::sort(p, std::greater());
    accepted += same;
    certified += here < greedy_radius(p[0], p[1]);
    if (here < greedy_radius(p[0], p[1])) CHECK(same);
    kl += here;
  }
  double const n = GreedyRows::rows;
  CHECK(found.tokens == GreedyRows::rows);
  CHECK(found.accepted.value == Approx(accepted / n));
  CHECK(found.certified->value == Approx(certified / n));
  CHECK((certified > 5 && certified < accepted && accepted < n));
  CHECK(*found.mean_kl == Approx(kl / n));
  CHECK(
      (found.accepted.interval->low < found.accepted.value && found.accepted.interval->high > found.accepted.value));
  CHECK(found.certified_within(0) == 1);
  CHECK(found.certified_within(.6932) == 0);
  CHECK(found.certified_within(found.radii[39]) == Approx(.5));
  CHECK(found.mismatches.empty());
}

TEST_CASE("greedy text: near ties are told from the first token that is none") {
  GreedyRows rows(2);
  // A near tie, one the other way round in the second recording, and a token that nothing explains.
  GreedyRows again = rows;
  for (double& z : again.target) z += .01;  // the same for all tokens: no change
  std::size_t const tie = 7, flipped = 30, fault = 51, other = 70;
  for (std::size_t row = 0; row < GreedyRows::rows; ++row)
    if (row != tie && row != flipped && row != fault) again.at(row, rows.by_rank(row, 0)) += .04;
  for (std::size_t const row : {tie, flipped, fault}) {
    std::size_t const second = rows.by_rank(row, 1);
    rows.tokens[row] = again.tokens[row] = static_cast<std::int64_t>(second);
  }
  rows.at(tie, rows.by_rank(tie, 1)) = rows.at(tie, rows.by_rank(tie, 0)) - .015;
  again.target[tie * GreedyRows::vocab + rows.by_rank(tie, 1)] = again.at(tie, rows.by_rank(tie, 0)) - .02;
  rows.at(flipped, rows.by_rank(flipped, 1)) = rows.at(flipped, rows.by_rank(flipped, 0)) - .005;
  again.at(flipped, rows.by_rank(flipped, 1)) = again.at(flipped, rows.by_rank(flipped, 0)) + .005;
  again.at(other, rows.by_rank(other, 0)) += .21;  // the largest change, elsewhere
  rows.at(fault, rows.by_rank(fault, 1)) = rows.at(fault, rows.by_rank(fault, 0)) - .5;
  again.at(fault, rows.by_rank(fault, 1)) = again.at(fault, rows.by_rank(fault, 0)) - .5;

  GreedyText found = text_of(rows);
  REQUIRE(found.mismatches.size() == 3);
  CHECK((found.mismatches[0].text == 0 && found.mismatches[0].token == 7));
  CHECK((found.mismatches[1].text == 1 && found.mismatches[1].token == 10));
  CHECK(found.mismatches[0].margin == Approx(.015).epsilon(1e-4));
  CHECK_FALSE(found.mismatches[0].tie);
  CHECK((found.ties() == 0 && found.first_beyond() == nullptr));

  judge_mismatches(found, floor_of(rows, again));
  CHECK(found.floor->largest == Approx(.25).epsilon(1e-4));
  CHECK(found.floor->outlier == Approx(.25 / .04).epsilon(1e-4));
  CHECK((found.floor->plausible() && found.floor->flips == 1));
  CHECK(found.ties() == 2);
  REQUIRE(found.first_beyond());
  CHECK((found.first_beyond()->text == 2 && found.first_beyond()->token == 11));
  CHECK(found.first_beyond()->margin == Approx(.5).epsilon(1e-4));

  // Where the second recording picks the token, it is a tie.
  again.at(fault, rows.by_rank(fault, 1)) += .6;
  GreedySelfDivergence floor = floor_of(rows, again);
  CHECK(floor.flips == 2);
  judge_mismatches(found, floor);
  CHECK(found.ties() == 3);

  // A floor that no rounding explains tells nothing, whatever it would clear.
  floor.largest = .69315;
  judge_mismatches(found, floor);
  CHECK((found.ties() == 0 && found.first_beyond() == nullptr && !found.mismatches[0].tie));
}

TEST_CASE("greedy text: a floor is plausible below ln 2 and within 20 medians of the changes") {
  CHECK(GreedySelfDivergence{}.plausible());  // two recordings that are the same
  CHECK(GreedySelfDivergence{.largest = .693, .outlier = 20}.plausible());
  CHECK_FALSE(GreedySelfDivergence{.largest = .694, .outlier = 2}.plausible());
  CHECK_FALSE(GreedySelfDivergence{.largest = .2, .outlier = 20.1}.plausible());
  auto const columns = [](std::vector<double> log_p) {
    TokenTrace trace;
    trace.name = "columns";
    trace.texts.push_back(
        {.name = "0", .tokens = {1, 2, 3, 4, 5}, .log_p = std::move(log_p), .log_q = {-1, -1, -1, -1, -1}});
    trace.texts[0].top = {1, 1, 1, 1, 1};
    return trace;
  };
  constexpr double none = -std::numeric_limits<double>::infinity();
  // Equal numbers and a token that both exclude do not count; what one alone excludes is no rounding.
  GreedySelfDivergence const floor =
      greedy_self_divergence(columns({-.5, -.5, -.5, -.7, none}), columns({-.5, -.5, -.51, -.74, none}));
  CHECK((floor.largest == Approx(.08) && floor.outlier > 1 && floor.outlier < 8 && floor.plausible()));
  CHECK_FALSE(
      greedy_self_divergence(columns({-.5, -.5, -.5, -.5, none}), columns({-.5, -.5, -.5, -.5, -.5})).plausible());
  // The same rounding of each lead moves ln p of a token near 1 by a hundredth of what it moves another's.
  auto const rounded = [&](double change) {
    std::vector<double> log_p;
    for (double const lead : {-.5, 5., 5.5, 6., 7.}) log_p.push_back(-std::log1p(std::exp(-lead - change)));
    return columns(std::move(log_p));
  };
  GreedySelfDivergence const even = greedy_self_divergence(rounded(0), rounded(.03));
  CHECK((even.outlier == Approx(1) && even.largest == Approx(.03 * 2 * .62).epsilon(.02) && even.plausible()));
}

}  // namespace draftgauge
