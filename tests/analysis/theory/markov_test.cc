#include "analysis/theory/markov.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/theory/closed_form.h"
#include "tests/analysis/mean_of_first.h"
#include "tests/message.h"

using draftgauge::MarkovRounds;
using draftgauge::testing::mean_of_first;
using draftgauge::testing::message;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd matrix(std::vector<std::vector<double>> const& rows) {
  auto const size = static_cast<Index>(rows.size());
  MatrixXd result(size, static_cast<Index>(rows.front().size()));
  for (Index x = 0; x < size; ++x) {
    for (Index y = 0; y < result.cols(); ++y)
      result(x, y) = rows[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
  }
  return result;
}

MatrixXd random_rows(Index vocab, std::mt19937& bits) {
  std::exponential_distribution<double> weight;
  MatrixXd rows(vocab, vocab);
  for (Index x = 0; x < vocab; ++x) {
    for (Index y = 0; y < vocab; ++y) rows(x, y) = weight(bits);
    rows.row(x) /= rows.row(x).sum();
  }
  return rows;
}

/// Algorithm 1 followed literally: every draft, every coin, every replacement, written without A and R.
struct Literal {
  MatrixXd const& p;
  MatrixXd const& q;
  std::int64_t gamma;
  bool bonus;
  VectorXd law;   // of N
  VectorXd last;  // of the last token

  void round(Index context, std::int64_t accepted, double probability) {
    auto const emit = [&](Index token, double chance, std::int64_t tokens) {
      law(tokens - 1) += probability * chance;
      last(token) += probability * chance;
    };
    if (accepted == gamma) {
      if (!bonus) return emit(context, 1, gamma);
      for (Index y = 0; y < p.cols(); ++y) emit(y, p(context, y), gamma + 1);
      return;
    }
    double residual_sum = 0;
    for (Index y = 0; y < p.cols(); ++y) residual_sum += std::max(p(context, y) - q(context, y), 0.0);
    for (Index drafted = 0; drafted < p.cols(); ++drafted) {
      if (q(context, drafted) == 0) continue;
      double const coin = std::min(1.0, p(context, drafted) / q(context, drafted));
      round(drafted, accepted + 1, probability * q(context, drafted) * coin);
      if (coin == 1) continue;
      for (Index y = 0; y < p.cols(); ++y) {
        double const residual = std::max(p(context, y) - q(context, y), 0.0) / residual_sum;
        emit(y, q(context, drafted) * (1 - coin) * residual, accepted + 1);
      }
    }
  }
};

}  // namespace

TEST_CASE("Markov rounds by hand: two tokens, one draft") {
  // A = (.5 .2; .1 .6), R = (.3 0; 0 .3), so E[N] = 1 + A1 = (1.7, 1.7) and
  // K = R + A p = (.3 0; 0 .3) + (.42 .28; .14 .56) = (.72 .28; .14 .86): stationary law (1/3, 2/3).
  MatrixXd const p = matrix({{.8, .2}, {.1, .9}});
  MatrixXd const q = matrix({{.5, .5}, {.4, .6}});
  MarkovRounds const rounds(p, q, 1);
  CHECK(rounds.mean_tokens().isApprox(VectorXd::Constant(2, 1.7), 1e-14));
  CHECK(rounds.kernel().isApprox(matrix({{.72, .28}, {.14, .86}}), 1e-14));
  CHECK((*rounds.stationary_law())(0) == Approx(1. / 3).epsilon(1e-14));
  CHECK(*rounds.tokens_per_round() == Approx(1.7).epsilon(1e-14));
  // Without the bonus token every round emits one token that follows p.
  MarkovRounds const plain(p, q, 1, false);
  CHECK(plain.kernel().isApprox(p, 1e-14));
  CHECK(*plain.tokens_per_round() == Approx(1));
}

TEST_CASE("Markov rounds agree with Algorithm 1 followed literally") {
  std::mt19937 bits(1);
  for (Index const vocab : {2, 3}) {
    for (std::int64_t const gamma : {0, 1, 2, 4}) {
      for (bool const bonus : {true, false}) {
        if (gamma == 0 && !bonus) continue;
        MatrixXd const p = random_rows(vocab, bits);
        MatrixXd q = random_rows(vocab, bits);
        q.row(0) << MatrixXd::Identity(vocab, vocab).row(vocab - 1);  // zeros in q
        MarkovRounds const rounds(p, q, gamma, bonus);
        for (Index x = 0; x < vocab; ++x) {
          CAPTURE(vocab, gamma, bonus, x);
          std::int64_t const longest = gamma + bonus;
          Literal literal{p, q, gamma, bonus, VectorXd::Zero(longest), VectorXd::Zero(vocab)};
          literal.round(x, 0, 1);
          CHECK((rounds.kernel().row(x).transpose() - literal.last).cwiseAbs().maxCoeff() < 1e-14);
          double mean = 0;
          for (Index n = 0; n < longest; ++n) mean += static_cast<double>(n + 1) * literal.law(n);
          CHECK(rounds.mean_tokens()(x) == Approx(mean).epsilon(1e-14));
        }
        VectorXd const stationary = *rounds.stationary_law();
        CHECK((stationary.transpose() * rounds.kernel()).transpose().isApprox(stationary, 1e-13));
        CHECK(stationary.sum() == Approx(1).epsilon(1e-14));
        CHECK(*rounds.tokens_per_round() == Approx(stationary.dot(rounds.mean_tokens())).epsilon(1e-13));
      }
    }
  }
}

TEST_CASE("equal rows are Eq. (1)") {
  MatrixXd const p = matrix({{.1, .6, .3}, {.1, .6, .3}, {.1, .6, .3}});
  MatrixXd const q = matrix({{.5, .3, .2}, {.5, .3, .2}, {.5, .3, .2}});
  for (std::int64_t const gamma : {1, 5, 1'000'000}) {
    for (bool const bonus : {true, false}) {
      MarkovRounds const rounds(p, q, gamma, bonus);
      double const eq1 = draftgauge::theory::expected_tokens(.6, gamma, bonus);
      CHECK(*rounds.tokens_per_round() == Approx(eq1).epsilon(1e-14));
      CHECK(mean_of_first(rounds, 64, 2) == Approx(eq1).epsilon(1e-13));
    }
  }
}

TEST_CASE("the rounds of a text approach the long run") {
  std::mt19937 bits(2);
  MarkovRounds const rounds(random_rows(3, bits), random_rows(3, bits), 4);
  CHECK(mean_of_first(rounds, 100'000, 0) == Approx(*rounds.tokens_per_round()).epsilon(1e-5));
}

TEST_CASE("chains that are periodic, reducible or nearly so") {
  SECTION("periodic: the average over rounds exists although the chain never settles") {
    MatrixXd const turn = matrix({{0, 1}, {1, 0}});
    MarkovRounds const rounds(turn, turn, 2);  // all accepted, so three tokens a round: 0 → 1 → 0 → 1
    CHECK(rounds.kernel() == turn);
    CHECK(rounds.stationary_law()->isApprox(VectorXd::Constant(2, .5)));
    CHECK(*rounds.tokens_per_round() == 3);
  }
  SECTION("a transient token keeps no weight") {
    MatrixXd const p = matrix({{.2, .8, 0}, {0, .5, .5}, {0, .5, .5}});
    CHECK(MarkovRounds(p, p, 1).stationary_law()->isApprox((VectorXd(3) << 0, .5, .5).finished()));
  }
  SECTION("several closed classes: the start decides, so that there is no law") {
    // Tokens 1 and 4 pass to each other until they fall into {0} or {2, 3}.
    MatrixXd const p =
        matrix({{1, 0, 0, 0, 0}, {.5, .25, 0, 0, .25}, {0, 0, .5, .5, 0}, {0, 0, .5, .5, 0}, {0, .25, .25, 0, .5}});
    MarkovRounds const rounds(p, p, 3);
    CHECK_FALSE(rounds.stationary_law());
    CHECK_FALSE(rounds.tokens_per_round());
  }
  SECTION("nearly reducible: no digit is lost") {
    double const rare = 1e-200;
    MatrixXd const p = matrix({{1, rare}, {3 * rare, 1}});
    CHECK((*MarkovRounds(p, p, 0).stationary_law())(0) == Approx(.75).epsilon(1e-14));
  }
}

TEST_CASE("Markov rounds refuse what is not a pair of matrices of distributions") {
  MatrixXd const p = matrix({{.8, .2}, {.1, .9}});
  using draftgauge::InputError;
  using draftgauge::UsageError;
  CHECK(message<InputError>([&] { MarkovRounds(p, matrix({{1}}), 1); }) ==
        "the matrices are 2x2 and 1x1 (a Markov pair has one row and one column a token) give two square matrices of "
        "one size");
  CHECK(message<InputError>([&] { MarkovRounds(MatrixXd(), MatrixXd(), 1); }) ==
        "the matrices are 0x0 and 0x0 (a Markov pair has one row and one column a token) give two square matrices of "
        "one size");
  CHECK(message<InputError>([&] { MarkovRounds(p, matrix({{.5, .5}, {1.5, -.5}}), 1); }) ==
        "entry 1 of row 1 of the draft matrix is -0.5 (rows are distributions of the next token) give finite "
        "numbers, 0 or "
        "more");
  CHECK(
      message<InputError>([&] { MarkovRounds(matrix({{.5, .25}, {.5, .5}}), p, 1); }) ==
      "row 0 of the target matrix sums to 0.75 (rows are distributions of the next token) divide the row by its sum");
  CHECK(message<InputError>([&] { MarkovRounds(matrix({{NAN, .5}, {.5, .5}}), p, 1); }) ==
        "entry 0 of row 0 of the target matrix is nan (rows are distributions of the next token) give finite "
        "numbers, 0 or "
        "more");
  CHECK(message<UsageError>([&] { MarkovRounds(p, p, -1); }) ==
        "`gamma` is -1 (a round drafts a whole number of tokens) give 0 or more");
}
