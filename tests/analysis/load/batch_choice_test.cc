#include "analysis/load/batch_choice.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/theory/closed_form.h"
#include "tests/analysis/load/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// vLLM's own choice from such a table (vllm/v1/spec_decode/dynamic/manager.py of its pull request 32374): mean
/// acceptance length over the gap between chunks, both on straight lines between what was measured.
int choice_of_vllm(LoadTable const& table, std::int64_t batch) {
  BatchGrid const& grid = table.models.at("model").ms;
  double best = -1, length = 1;
  int chosen = 0;
  for (int gamma = 0; gamma <= 7; ++gamma) {
    if (gamma > 0) length += table.survival[static_cast<std::size_t>(gamma - 1)];
    std::int64_t low = 0, high = 7;
    for (std::int64_t const n : grid.lengths()) {
      if (n - 1 <= gamma) low = n - 1;
      if (n - 1 >= gamma && n - 1 < high) high = n - 1;
    }
    double const below = grid.at(low + 1, batch)->value, above = grid.at(high + 1, batch)->value;
    double const share = high == low ? 0 : static_cast<double>(gamma - low) / static_cast<double>(high - low);
    double const goodput = length / (below + share * (above - below));
    if (goodput > best) {
      best = goodput;
      chosen = gamma;
    }
  }
  return chosen;
}

}  // namespace

TEST_CASE("of vLLM's own table the γ of each batch size is vLLM's") {
  LoadTable const table = load_file("vllm_dynamic_speculative_config.json");
  auto const tokens = [&](std::int64_t gamma, std::int64_t) -> std::optional<double> {
    return theory::expected_tokens(std::span(table.survival).first(static_cast<std::size_t>(gamma)));
  };
  BatchChoice const choice = choose_by_batch(BatchCosts(table, {}, {}), tokens, 7);
  std::int64_t next = 1;
  for (BatchRange const& range : choice.ranges) {
    CHECK(range.first == next);
    next = range.last + 1;
    for (std::int64_t batch = range.first; batch <= range.last; ++batch) {
      CAPTURE(batch);
      CHECK(range.gamma == choice_of_vllm(table, batch));
    }
  }
  CHECK(next == 129);
  REQUIRE(choice.measured.size() == 6);
  CHECK((choice.measured[0].gamma == 3 && choice.measured[5].gamma == 0));
}

TEST_CASE("a point of a batch says times and rates") {
  BatchCosts const costs(load_file("batch_table.csv"), {}, {});
  auto const tokens = [](std::int64_t gamma, std::int64_t) -> std::optional<double> {
    return theory::expected_tokens(.8, gamma);
  };
  std::vector<BatchPoint> const points = points_in_batch(costs, tokens, 10, 8);
  REQUIRE(points.size() == 11);
  BatchPoint const& three = points[3];
  double const round = 13.4 + 3 * 1., emitted = 1 + .8 + .64 + .512;
  CHECK((three.round_ms == Approx(round) && three.speedup() == Approx(emitted * 10.5 / round)));
  CHECK((three.ms_per_token() == Approx(round / emitted) &&
         three.tokens_per_second() == Approx(8e3 * emitted / round)));
  CHECK((three.plain_tokens_per_second() == Approx(8e3 / 10.5) && !three.guess && points[8].guess));
  for (BatchPoint const& point : points) CHECK(best_of(points).speedup() >= point.speedup());
  BatchChoice const choice = choose_by_batch(costs, tokens, 7);
  CHECK((choice.ranges.front().gamma >= 5 && choice.ranges.back().gamma == 0));  // speculation stops paying
}
