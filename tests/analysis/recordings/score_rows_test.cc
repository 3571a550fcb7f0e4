#include "analysis/recordings/score_rows.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>

#include "sim/base/error.h"
#include "sim/recordings/picked_rows.h"
#include "sim/recordings/row_pairs.h"
#include "sim/recordings/row_statistics.h"
#include "tests/analysis/recordings/bytes_in_memory.h"

using namespace draftgauge;
using testing::BytesInMemory;

namespace {

std::unique_ptr<BytesInMemory> floats(std::uint64_t rows, std::vector<float> const& z) {
  return std::make_unique<BytesInMemory>(z.size() / rows, z);
}

RowPairs three_rows() {
  float const l2 = std::log(2.0F);
  RowPairs rows;
  rows.target = floats(3, {0, l2, 0, l2, 0, 0, 0, 0, 0});
  rows.draft = floats(3, {l2, 0, 0, l2, 0, 0, 1, 2, 3});
  rows.tokens = {1, 0, 2};
  rows.sequences = {1, 2};
  rows.names = {7, 8};
  rows.temperature = 1;
  rows.files = {"a/target.npy", "a/draft.npy"};
  return rows;
}

}  // namespace

TEST_CASE("score_rows: a text for each run of rows") {
  RowPairs rows = three_rows();
  std::uint64_t heard = 0;
  TokenTrace const trace = score_rows(rows, {}, {}, 2, [&](std::uint64_t done) { heard = done; });
  CHECK(heard == 3);
  CHECK(trace.name == "target.npy, draft.npy");
  CHECK(trace.temperature == 1.0);
  CHECK(trace.estimated_as == "full rows");
  REQUIRE(trace.texts.size() == 2);
  CHECK(trace.texts[0].name == "7");
  CHECK(trace.texts[1].name == "8");
  REQUIRE(trace.texts[0].size() == 1);
  REQUIRE(trace.texts[1].size() == 2);
  CHECK(trace.texts[0].beta[0] == Approx(.75));
  CHECK(trace.texts[0].log_p[0] == Approx(std::log(.5)));
  CHECK(trace.texts[0].log_q[0] == Approx(std::log(.25)));
  CHECK(trace.texts[0].top[0] == 1);
  CHECK(trace.texts[0].argmax_match[0] == 0);
  CHECK(trace.texts[0].agree[0] == 0);
  CHECK(trace.texts[0].p_of_argmax_q[0] == Approx(.25));
  CHECK(trace.texts[0].max_q[0] == Approx(.5));
  CHECK(trace.texts[0].rank_q[0] == 2);
  CHECK(trace.texts[1].beta[0] == Approx(1));
  CHECK(trace.texts[1].argmax_match[0] == 1);
  CHECK(trace.texts[1].max_p[1] == Approx(1.0 / 3));
}

TEST_CASE("score_rows: without recorded tokens what is said of them stays empty") {
  RowPairs rows = three_rows();
  rows.tokens.clear();
  TokenTrace const trace = score_rows(rows, {}, {}, 1);
  CHECK(trace.texts[1].size() == 2);
  CHECK(trace.texts[1].beta.size() == 2);
  CHECK(trace.texts[1].log_p.empty());
  CHECK(trace.texts[1].argmax_match.empty());
  CHECK(trace.texts[1].rank_q.empty());
}

TEST_CASE("score_rows: folds of either side") {
  RowPairs rows = three_rows();
  TokenTrace const trace = score_rows(rows, {}, {.temperature = 0}, 1);
  CHECK(trace.texts[0].beta[0] == Approx(.25));  // p of the draft's argmax
  TokenTrace const cut = score_rows(rows, {.top_k = 1}, {.temperature = 2, .min_p = 1}, 2);
  CHECK(cut.texts[0].beta[0] == 0);
  CHECK(cut.texts[1].beta[0] == 1);
  TokenTrace const greedy = score_rows(rows, {.temperature = 0}, {.temperature = 0}, 2);
  CHECK(greedy.texts[0].beta[0] == 0);
  CHECK(greedy.texts[1].beta[0] == 1);
  CHECK(greedy.texts[0].rank_q[0] == 2);
  CHECK_THROWS_AS(score_rows(rows, {.temperature = -1}, {}, 1), UsageError);
}

TEST_CASE("score_rows: the fused pass and folds give the same figures") {
  RowPairs rows = three_rows();
  TokenTrace const fused = score_rows(rows, {.temperature = .7}, {.temperature = .7}, 1);
  // A top-k of all tokens is no truncation, but is folded in doubles.
  TokenTrace const folded = score_rows(rows, {.temperature = .7, .top_k = 3}, {.temperature = .7}, 1);
  for (std::size_t text = 0; text < 2; ++text)
    for (std::size_t t = 0; t < fused.texts[text].size(); ++t) {
      CHECK(fused.texts[text].beta[t] == Approx(folded.texts[text].beta[t]).margin(2e-7));
      CHECK(fused.texts[text].kl_pq[t] == Approx(folded.texts[text].kl_pq[t]).margin(1e-6));
      CHECK(fused.texts[text].kl_qp[t] == Approx(folded.texts[text].kl_qp[t]).margin(1e-6));
      CHECK(fused.texts[text].entropy_q[t] == Approx(folded.texts[text].entropy_q[t]).margin(1e-6));
      CHECK(fused.texts[text].rank_q[t] == folded.texts[text].rank_q[t]);
    }
}

TEST_CASE("score_rows: a row that is no distribution names its file, row and column") {
  for (int threads : {1, 3})
    for (SamplingParameters const& how : {SamplingParameters{}, SamplingParameters{.top_k = 2}}) {
      RowPairs rows = three_rows();
      rows.draft = floats(3, {0, 1, 0, 0, 1, 0, 0, 1, std::numeric_limits<float>::quiet_NaN()});
      CHECK_THROWS_AS(score_rows(rows, how, how, threads), InputError);
      CHECK_THROWS_WITH(
          score_rows(rows, how, how, threads),
          "a/draft.npy: row 2 of the draft: column 2 is nan (no distribution has such a logarithm) record it again, "
          "or leave the row out");
      float const none = -std::numeric_limits<float>::infinity();
      rows.target = floats(3, {0, 1, 0, none, none, none, 0, 1, 1});
      CHECK_THROWS_WITH(score_rows(rows, how, how, threads),
                        "a/target.npy: row 1 of the target: -inf throughout (no distribution has such a logarithm) "
                        "record it again, "
                        "or leave the row out");
    }
}

TEST_CASE(
    "score_rows: a row that is no distribution is named by its number in the file, whatever was left out before it") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  auto const picked = [](std::vector<float> const& z, std::vector<std::uint8_t> const& kept) {
    return std::make_unique<PickedRows>(floats(kept.size(), z), kept, 2);
  };
  for (SamplingParameters const& how : {SamplingParameters{}, SamplingParameters{.top_k = 1}}) {
    RowPairs rows;
    rows.files = {"a/both.npz"};
    rows.sequences = {2};
    rows.names = {0};
    rows.target = picked({0, 1, 0, 1, 0, 1, 1, nan, 0, 1}, {0, 1, 0, 1, 0});
    rows.draft = picked({0, 1, 0, 1, nan, 0}, {1, 0, 1});
    CHECK_THROWS_WITH(score_rows(rows, how, how, 1),
                      "a/both.npz: row 3 of the target: column 1 is nan (no distribution has such a logarithm) "
                      "record it again, or leave "
                      "the row out");
    rows.target = picked({0, 1, 0, 1, 0, 1}, {0, 1, 1});
    CHECK_THROWS_WITH(score_rows(rows, how, how, 1),
                      "a/both.npz: row 2 of the draft: column 0 is nan (no distribution has such a logarithm) record "
                      "it again, or leave "
                      "the row out");
  }
}

TEST_CASE("score_rows: rows are asked for in stretches, and threads change nothing") {
  std::uint64_t const count = 3000, vocab = 2000;
  std::vector<float> z(count * vocab);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = static_cast<float>(i * 2654435761u % 1000) / 100;
  RowPairs rows;
  auto target = floats(count, z);
  BytesInMemory const& seen = *target;
  rows.target = std::move(target);
  for (float& value : z) value = value * value / 8;
  rows.draft = floats(count, z);
  rows.sequences = {1000, 2000};
  rows.names = {0, 1};
  TokenTrace const one = score_rows(rows, {}, {}, 1), three = score_rows(rows, {}, {}, 3);
  CHECK(seen.longest * vocab * 4 <= 9u << 20);
  for (std::size_t text = 0; text < 2; ++text) {
    CHECK(one.texts[text].beta == three.texts[text].beta);
    CHECK(one.texts[text].kl_pq == three.texts[text].kl_pq);
  }
}

TEST_CASE("score_rows: figures of a real recording that another program computed") {
  std::string const stem = std::string(DRAFTGAUGE_SOURCE_DIR) + "/data/smollm2_prune2_24";
  RowPairs rows = open_row_pairs(stem + ".safetensors", {});
  TokenTrace const fused = score_rows(rows, {}, {}, 2);
  TokenTrace const folded = score_rows(rows, {.top_k = 49152}, {}, 2);

  std::ifstream figures(stem + ".tsv");
  std::string line;
  std::getline(figures, line);
  REQUIRE(line == "row\ttoken\tlogp_f16\tlogq_f16\tbeta_f16");
  for (std::size_t i = 0; i < 24; ++i) {
    std::int64_t row, token;
    double log_p, log_q, beta;
    REQUIRE(figures >> row >> token >> log_p >> log_q >> beta);
    CAPTURE(row);
    for (TokenTrace const* trace : {&fused, &folded}) {
      TextTrace const& text = trace->texts[0];
      CHECK(text.tokens[i] == token);
      CHECK(std::abs(text.beta[i] - beta) < 1e-6);
      CHECK(std::abs(text.log_p[i] - log_p) < 1e-6);
      CHECK(std::abs(text.log_q[i] - log_q) < 1e-6);
    }
  }
}
