#include "analysis/theory/acceptance.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "analysis/exact/exact.h"
#include "tests/analysis/acceptance_cases.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

Rational ratio(long long numerator, long long denominator) { return Rational(numerator, denominator); }

Rows const reference = row({3, 4, 3}, {6, 3, 1});
Rows const lenience_example = row({1, 6, 3}, {5, 3, 2});

/// Recursive rejection as its papers write it: each draft in turn, and the residual after it.
Rational recursive_by_definition(Rows const& rows, int k, bool without) {
  std::function<Rational(std::vector<Rational> const&, std::vector<std::size_t>&, int)> const accepted =
      [&](std::vector<Rational> const& r, std::vector<std::size_t>& drafts, int left) -> Rational {
    if (left == 0) return 0;
    std::vector<Rational> d(rows.q.size());
    for (auto const& [longer, probability] : sampled_drafts(rows.q, static_cast<int>(drafts.size()) + 1, without))
      if (std::equal(drafts.begin(), drafts.end(), longer.begin())) d[longer.back()] += probability;
    Rational sum = 0, owed = 0, result = 0;
    for (Rational const& entry : d) sum += entry;
    std::vector<Rational> next(r.size());
    for (std::size_t x = 0; x < d.size(); ++x) {
      d[x] /= sum;
      next[x] = excess(r[x], d[x]);
      owed += next[x];
    }
    for (Rational& entry : next)
      if (owed > 0) entry /= owed;
    for (std::size_t x = 0; x < d.size(); ++x) {
      if (d[x] == 0) continue;
      Rational const keep = std::min(Rational(1), Rational(r[x] / d[x]));
      result += d[x] * keep;
      if (keep == 1) continue;
      drafts.push_back(x);
      result += d[x] * (1 - keep) * accepted(next, drafts, left - 1);
      drafts.pop_back();
    }
    return result;
  };
  std::vector<std::size_t> none;
  return accepted(rows.p, none, k);
}

Rational expected_p(std::vector<Rational> const& p, LawOfDrafts const& law) {
  Rational sum = 0;
  for (auto const& [drafts, probability] : law)
    for (std::size_t x = 0; x < p.size(); ++x)
      if (std::ranges::count(drafts, x) > 0) sum += probability * p[x];
  return sum;
}

/// 1 + min over all sets of tokens, not only prefixes.
Rational optimal_by_sets(std::vector<Rational> const& p, LawOfDrafts const& law) {
  Rational least = 0;
  for (std::size_t set = 0; set < std::size_t{1} << p.size(); ++set) {
    auto const in_set = [&](std::size_t x) { return (set >> x & 1) == 1; };
    Rational surplus = 0;
    for (std::size_t x = 0; x < p.size(); ++x)
      if (in_set(x)) surplus += p[x];
    for (auto const& [drafts, probability] : law)
      if (std::ranges::all_of(drafts, in_set)) surplus -= probability;
    least = std::min(least, surplus);
  }
  return 1 + least;
}

/// The transport itself: as much probability as can be moved from drafts to tokens among them, of which token x takes
/// p(x) in all. Augmenting paths (Ford and Fulkerson), each as short as possible.
Rational optimal_by_flow(std::vector<Rational> const& p, LawOfDrafts const& law) {
  std::vector<LawOfDrafts::value_type> const supply(law.begin(), law.end());
  std::size_t const tokens = p.size(), source = supply.size() + tokens, sink = source + 1;
  std::vector<std::vector<Rational>> capacity(sink + 1, std::vector<Rational>(sink + 1));
  for (std::size_t i = 0; i < supply.size(); ++i) {
    capacity[source][i] = supply[i].second;
    for (std::size_t const x : supply[i].first) capacity[i][supply.size() + x] = 1;
  }
  for (std::size_t x = 0; x < tokens; ++x) capacity[supply.size() + x][sink] = p[x];
  for (Rational flow = 0;;) {
    std::vector<std::size_t> from(sink + 1, sink), reached{source};
    for (std::size_t i = 0; i < reached.size() && from[sink] == sink; ++i)
      for (std::size_t to = 0; to <= sink; ++to)
        if (to != source && from[to] == sink && capacity[reached[i]][to] > 0) {
          from[to] = reached[i];
          reached.push_back(to);
        }
    if (from[sink] == sink) return flow;
    Rational step = 1;
    for (std::size_t v = sink; v != source; v = from[v]) step = std::min(step, capacity[from[v]][v]);
    for (std::size_t v = sink; v != source; v = from[v]) {
      capacity[from[v]][v] -= step;
      capacity[v][from[v]] += step;
    }
    flow += step;
  }
}

/// The k − 1 most likely tokens and one of the rest.
LawOfDrafts greedy_law(std::vector<Rational> const& q, int k) {
  std::vector<Rational> rest = q;
  std::vector<std::size_t> fixed;
  for (int i = 1; i < k; ++i) {
    fixed.push_back(static_cast<std::size_t>(std::ranges::max_element(rest) - rest.begin()));
    rest[fixed.back()] = -1;
  }
  Rational left = 0;
  for (Rational const& entry : rest) left += excess(entry, Rational(0));
  LawOfDrafts law;
  for (std::size_t x = 0; x < q.size(); ++x) {
    if (rest[x] < 0 || (left > 0 && rest[x] == 0)) continue;
    std::vector<std::size_t> drafts = fixed;
    drafts.push_back(x);
    law[drafts] = left > 0 ? Rational(rest[x] / left) : ratio(1, static_cast<long long>(q.size() - fixed.size()));
  }
  return law;
}

}  // namespace

TEST_CASE("reference acceptance of one position", "[reference]") {
  Exactly const r = at(reference);
  CHECK(r.token() == ratio(7, 10));
  CHECK(r.naive_set(1) == ratio(33, 100));
  CHECK(r.naive_set_without(1) == ratio(33, 100));
  for (Rational const& beta :
       {r.recursive(1), r.recursive_without(1), r.k_seq(1), r.optimal(1), r.optimal_without(1), r.greedy_drafts(1)})
    CHECK(beta == ratio(7, 10));
  CHECK(r.argmax_draft() == ratio(1, 2));  // 3/10 over 6/10
  CHECK(r.recursive(2) == ratio(82, 100));
  CHECK(r.recursive_without(2) == ratio(875, 1000));
  CHECK(r.k_seq(2, ratio(14, 10)) == ratio(84, 100));
  CHECK(r.optimal(2) == ratio(89, 100));
  CHECK(r.optimal_without(2) == ratio(139, 140));
  CHECK(r.naive_set(2) == ratio(513, 1000));
  CHECK(r.naive_set_without(2) == ratio(407, 600));  // .678333…
  CHECK(r.greedy_drafts(2) == ratio(95, 100));
  CHECK(r.recursive(3) == ratio(848, 1000));
  CHECK(r.recursive_without(3) == 1);
  CHECK(r.k_seq(3, ratio(175, 100)) == ratio(875, 1000));
  CHECK(r.optimal(3) == ratio(971, 1000));
  CHECK(r.optimal_without(3) == 1);
  CHECK(r.naive_set(3) == ratio(6249, 10000));
  CHECK(r.naive_set_without(3) == 1);
  CHECK(r.greedy_drafts(3) == 1);
  CHECK(r.one_hot() == ratio(3, 10));
  CHECK(r.coupled() == ratio(33, 100));
  CHECK(r.top_set(1) == ratio(3, 10));
  CHECK(r.top_set(2) == ratio(7, 10));
  CHECK(r.top_set(3) == 1);
  CHECK(r.greedy() == 0);
}

TEST_CASE("reference ρ of k-SEQ", "[reference]") {
  Rational const width = Rational(1) / Rational(std::int64_t{1} << 40);
  for (auto const& [k, rho] : {std::pair{2, ratio(14, 10)}, std::pair{3, ratio(175, 100)}}) {
    auto const [low, high] = at(reference).k_seq_rho(k);
    CAPTURE(k, low, high);
    CHECK(low <= rho);
    CHECK(rho <= high);
    CHECK(high - low <= width);
    CHECK(at(reference).k_seq(k) <= at(reference).k_seq(k, rho));
    CHECK(at(reference).k_seq(k, low) >= at(reference).k_seq(k, rho));
  }
}

TEST_CASE("Leviathan's worked example of lenience, and rejections exchanged for distance", "[reference]") {
  Exactly const l = at(lenience_example);
  struct Line {
    Rational lenience, alpha;
    std::vector<Rational> output;
  };
  Line const lines[] = {{1, ratio(6, 10), lenience_example.p},
                        {ratio(1, 2), ratio(7, 10), {ratio(2, 10), ratio(525, 1000), ratio(275, 1000)}},
                        {ratio(3, 10), ratio(5, 6), {ratio(1, 3), ratio(17, 40), ratio(29, 120)}},
                        {ratio(1, 10), 1, lenience_example.q}};
  for (Line const& line : lines) {
    CAPTURE(line.lenience);
    CHECK(l.lenient(line.lenience) == line.alpha);
    CHECK(l.lenient_output(line.lenience) == line.output);
  }
  CHECK(at(row({1, 2}, {1, 2})).lenient_output(ratio(1, 3)) == std::vector<Rational>{ratio(1, 3), ratio(2, 3)});
}

TEST_CASE("P(rejected) + TV(output, p) = TV(p, q) for every lenience (Yin et al., arXiv 2411.00841)") {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    Rows const rows = random_rows(random, 5);
    Rational const l = ratio(1 + static_cast<long long>(random.below(8)), 8);
    Exactly const here = at(rows);
    std::vector<Rational> const output = here.lenient_output(l);
    Rational distance = 0, sum = 0;
    for (std::size_t x = 0; x < output.size(); ++x) {
      distance += excess(output[x], rows.p[x]);
      sum += output[x];
      REQUIRE(output[x] <= rows.p[x] / l);
    }
    CAPTURE(rows.p, rows.q, l);
    REQUIRE(sum == 1);
    REQUIRE(1 - here.lenient(l) + distance == 1 - here.token());
  }
}

TEST_CASE("closed forms are what their definitions give on the distributions of the drafts") {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    Rows const rows = random_rows(random, 5);
    Exactly const here = at(rows);
    CAPTURE(rows.p, rows.q);
    for (int k = 1; k <= 4; ++k) {
      CAPTURE(k);
      LawOfDrafts const with = sampled_drafts(rows.q, k, false);
      REQUIRE(here.naive_set(k) == expected_p(rows.p, with));
      REQUIRE(here.optimal(k) == optimal_by_sets(rows.p, with));
      if (k <= 3) REQUIRE(here.recursive(k) == recursive_by_definition(rows, k, false));
      if (static_cast<std::size_t>(k) > rows.p.size()) continue;
      LawOfDrafts const without = sampled_drafts(rows.q, k, true);
      REQUIRE(here.naive_set_without(k) == expected_p(rows.p, without));
      REQUIRE(here.optimal_without(k) == optimal_by_sets(rows.p, without));
      if (k <= 3) REQUIRE(here.recursive_without(k) == recursive_by_definition(rows, k, true));
      REQUIRE(here.greedy_drafts(k) == optimal_by_sets(rows.p, greedy_law(rows.q, k)));
    }
  }
}

TEST_CASE("the optimum is the largest flow from drafts to tokens") {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    Rows const rows = random_rows(random, 3);
    Exactly const here = at(rows);
    CAPTURE(rows.p, rows.q);
    REQUIRE(here.optimal(2) == optimal_by_flow(rows.p, sampled_drafts(rows.q, 2, false)));
    if (rows.p.size() < 2) continue;
    REQUIRE(here.optimal_without(2) == optimal_by_flow(rows.p, sampled_drafts(rows.q, 2, true)));
    REQUIRE(here.greedy_drafts(2) == optimal_by_flow(rows.p, greedy_law(rows.q, 2)));
  }
}

TEST_CASE("k-SEQ is lossless from ρ* on, and not before") {
  // All rejected: (p − min(q, p/ρ) A/β)/(1 − A), A = 1 − (1 − β)^k, is a law where no entry is negative.
  Random random(5);
  int below = 0;
  for (int i = 0; i < 300; ++i) {
    Rows const rows = random_rows(random, 4);
    Exactly const here = at(rows);
    int const k = 2 + static_cast<int>(random.below(3));
    auto const lossless = [&](Rational const& rho) {
      Rational beta = 0;
      for (std::size_t x = 0; x < rows.p.size(); ++x) beta += std::min(rows.q[x], Rational(rows.p[x] / rho));
      if (beta == 0) return true;
      for (std::size_t x = 0; x < rows.p.size(); ++x)
        if (rows.p[x] < std::min(rows.q[x], Rational(rows.p[x] / rho)) * here.k_seq(k, rho) / beta) return false;
      return true;
    };
    auto const [low, high] = here.k_seq_rho(k);
    CAPTURE(rows.p, rows.q, k, low, high);
    REQUIRE(1 <= low);
    REQUIRE(high <= k);
    REQUIRE(high - low <= ratio(1, std::int64_t{1} << 40));
    REQUIRE(lossless(high));
    Rational const earlier = low - ratio(1, 1 << 20);
    if (earlier < 1) continue;
    ++below;
    // Where q > p/ρ nowhere, p/ρ is not tested by any draft, and β does not depend on ρ.
    bool const tested = [&] {
      for (std::size_t x = 0; x < rows.p.size(); ++x)
        if (rows.p[x] > 0 && rows.q[x] > rows.p[x] / earlier) return true;
      return false;
    }();
    if (tested) REQUIRE_FALSE(lossless(earlier));
  }
  CHECK(below > 100);
}

TEST_CASE("doubles agree with fractions") {
  Random random(6);
  double worst = 0, worst_k_seq = 0;
  Rational const three_eighths(3, 8);
  auto const deviation = [](double got, Rational const& truth) {
    return std::abs(static_cast<double>(Rational(got) - truth));
  };
  for (int i = 0; i < 400; ++i) {
    Rows const rows = random_rows(random, 6);
    Exactly const exact = at(rows);
    auto const real = in_doubles(rows);
    auto const see = [&](auto const& f) { worst = std::max(worst, deviation(f(real), f(exact))); };
    see([](auto const& a) { return a.token(); });
    see([](auto const& a) { return a.one_hot(); });
    see([](auto const& a) { return a.coupled(); });
    see([](auto const& a) { return a.greedy(); });
    for (int k = 1; k <= 4; ++k) {
      see([&](auto const& a) { return a.naive_set(k); });
      see([&](auto const& a) { return a.recursive(k); });
      see([&](auto const& a) { return a.optimal(k); });
      worst_k_seq = std::max(worst_k_seq, deviation(real.k_seq(k), exact.k_seq(k)));
      if (static_cast<std::size_t>(k) > rows.p.size()) continue;
      see([&](auto const& a) { return a.naive_set_without(k); });
      see([&](auto const& a) { return a.recursive_without(k); });
      see([&](auto const& a) { return a.optimal_without(k); });
      see([&](auto const& a) { return a.greedy_drafts(k); });
      see([&](auto const& a) { return a.top_set(k); });
    }
    worst = std::max(worst, deviation(real.lenient(.375), exact.lenient(three_eighths)));
    for (std::size_t x = 0; x < rows.p.size(); ++x)
      worst = std::max(worst, deviation(real.lenient_output(.375)[x], exact.lenient_output(three_eighths)[x]));
  }
  CAPTURE(worst, worst_k_seq);
  CHECK(worst < 1e-14);
  CHECK(worst_k_seq < 1e-12);
}

TEST_CASE("doubles keep their digits where entries differ by 20 orders of magnitude or p is near q") {
  Random random(7);
  double worst = 0, worst_k_seq = 0;
  for (int i = 0; i < 300; ++i) {
    std::size_t const vocab = 3 + random.below(4);
    std::vector<double> q(vocab), p(vocab);
    bool const near = random.below(2) == 0;
    for (std::size_t x = 0; x < vocab; ++x) {
      q[x] = std::pow(10, -static_cast<double>(random.below(21)));
      p[x] = near ? q[x] * (1 + 1e-12 * static_cast<double>(random.below(9)))
                  : std::pow(10, -static_cast<double>(random.below(21)));
    }
    std::vector<Rational> exact_p(p.begin(), p.end()), exact_q(q.begin(), q.end());
    for (auto* law : {&exact_p, &exact_q}) {
      Rational const sum = std::accumulate(law->begin(), law->end(), Rational(0));
      for (Rational& entry : *law) entry /= sum;
    }
    Exactly const exact(exact_p, exact_q);
    auto const real = in_doubles({exact_p, exact_q});
    CAPTURE(exact_p, exact_q);
    auto const see = [&](auto const& f, double& largest) {
      largest = std::max(largest, std::abs(f(real) - static_cast<double>(f(exact))));
    };
    for (int k = 1; k <= 3; ++k) {
      see([&](auto const& a) { return a.naive_set(k); }, worst);
      see([&](auto const& a) { return a.recursive(k); }, worst);
      see([&](auto const& a) { return a.k_seq(k); }, worst_k_seq);
      see([&](auto const& a) { return a.optimal(k); }, worst);
      see([&](auto const& a) { return a.naive_set_without(k); }, worst);
      see([&](auto const& a) { return a.recursive_without(k); }, worst);
      see([&](auto const& a) { return a.optimal_without(k); }, worst);
    }
  }
  CAPTURE(worst, worst_k_seq);
  CHECK(worst < 1e-14);
  CHECK(worst_k_seq < 1e-12);
}

TEST_CASE("doubles at a real vocabulary") {
  std::vector<double> p(150'000), q(p.size());
  double sum_p = 0, sum_q = 0;
  for (std::size_t x = 0; x < p.size(); ++x) {
    auto const rank = static_cast<double>(x + 1);
    sum_p += p[x] = 1 / rank;
    sum_q += q[x] = 1 / (rank + 5);
  }
  for (double& entry : p) entry /= sum_p;
  for (double& entry : q) entry /= sum_q;
  RuleAcceptance<double> const here(p, q);
  CHECK(here.recursive(1) == Approx(here.token()).epsilon(1e-13));
  CHECK(here.optimal(1) == Approx(here.token()).epsilon(1e-13));
  double const beta[] = {here.token(), here.recursive(4), here.k_seq(4), here.optimal(4)};
  CHECK(std::ranges::is_sorted(beta));
  CHECK(here.recursive_without(2) <= here.optimal_without(2));
  CHECK(here.naive_set_without(2) <= here.recursive_without(2));
  CHECK(here.greedy_drafts(4) <= 1);
}

TEST_CASE("k reaches V and passes what q can draft") {
  Exactly const here = at(row({3, 4, 3, 2}, {1, 0, 0, 0}));
  CHECK(here.naive_set_without(2) == ratio(3, 12) + ratio(1, 3) * ratio(9, 12));
  CHECK(here.recursive_without(2) == ratio(3, 12) + ratio(9, 12) * ratio(8, 9));  // Σ min((4, 3, 2)/9, 1/3) = 8/9
  CHECK(here.optimal_without(2) == 1);
  for (auto const* rows : {&reference, &lenience_example}) {
    CHECK(at(*rows).recursive_without(3) == 1);
    CHECK(at(*rows).optimal_without(3) == 1);
    CHECK(at(*rows).naive_set_without(3) == 1);
    CHECK(at(*rows).greedy_drafts(3) == 1);
    CHECK(at(*rows).top_set(3) == 1);
  }
}

TEST_CASE("of equally likely tokens the smaller id is the likelier") {
  Exactly const tied = at(row({1, 2, 3, 3}, {0, 2, 2, 1}));
  CHECK(tied.one_hot() == ratio(2, 9));  // token 1
  CHECK(tied.greedy() == 0);             // token 2 of p against 1 of q
  CHECK(tied.top_set(2) == ratio(5, 9));
  CHECK(tied.greedy_drafts(2) == ratio(2, 9) + ratio(1, 3) + ratio(1, 3));  // token 1, and 2 or 3 of the rest
  CHECK(at(row({1, 1}, {2, 2})).greedy() == 1);
}

TEST_CASE("what acceptance is asked for and is not a number says why") {
  using PairTables = std::vector<Rational>;
  PairTables const half = {ratio(1, 2), ratio(1, 2)};
  CHECK(message([&] { Exactly(half, PairTables{1}); }) ==
        "`p` has 2 entries and `q` 1 (both are distributions over one vocabulary) give as many");
  CHECK(message([&] { Exactly(half, PairTables{ratio(1, 2), ratio(1, 3)}); }) ==
        "the sum of `q` is 5/6 (a distribution sums to 1) divide its entries by their sum");
  CHECK(message([&] { Exactly(PairTables{ratio(3, 2), ratio(-1, 2)}, half); }) ==
        "an entry of `p` is -1/2 (a distribution's entries are probabilities) give fractions, 0 or more");
  CHECK(message([] { RuleAcceptance<double>(std::vector<double>{.5, .25}, std::vector<double>{.5, .5}); }) ==
        "the sum of `p` is 0.75 (a distribution sums to 1) divide its entries by their sum");
  Exactly const here(half, half);
  for (auto const& call : std::vector<std::function<void()>>{
           [&] { here.naive_set(0); }, [&] { here.naive_set_without(0); }, [&] { here.recursive(0); },
           [&] { here.recursive_without(0); }, [&] { here.k_seq(0); }, [&] { here.optimal(0); },
           [&] { here.optimal_without(0); }, [&] { here.greedy_drafts(0); }, [&] { here.top_set(0); }})
    CHECK(message(call) == "`candidates` is 0 (a draft is to be accepted) give 1 or more");
  for (auto const& call : std::vector<std::function<void()>>{
           [&] { here.naive_set_without(3); }, [&] { here.recursive_without(3); }, [&] { here.optimal_without(3); },
           [&] { here.greedy_drafts(3); }, [&] { here.top_set(3); }})
    CHECK(message(call) == "`candidates` is 3 over 2 tokens (drafts of this kind differ) give at most 2");
  CHECK(message([&] { here.lenient(0); }) ==
        "`lenience` is 0 (p/(l q) is tested, and l = 1 is the exact rule) give a number above 0, at most 1");
  CHECK(message([&] { here.lenient_output(ratio(3, 2)); }) ==
        "`lenience` is 1.5 (p/(l q) is tested, and l = 1 is the exact rule) give a number above 0, at most 1");
  std::vector<double> const wide(1000, 1e-3);
  CHECK(message([&] { Acceptance<double>(wide, wide).optimal_without(4); }) ==
        "`candidates` 4 of 1000 tokens without replacement (their first 3 have 1e+09 orders, each a term of the sum, "
        "and 1e+07 are the most) give fewer candidates, or simulate");
}
