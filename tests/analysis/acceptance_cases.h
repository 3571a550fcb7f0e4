#pragma once
#include <map>
#include <vector>

#include "analysis/theory/acceptance.h"
#include "sim/faulty/list.h"
#include "sim/rules/list.h"
#include "tests/models.h"
#include "tests/random.h"

/// Positions to try closed forms on, and the laws of their drafts by enumeration.
namespace draftgauge::testing {

using Rows = ExactModel::Row;

/// What rules say of a position, under short names.
template <class Number>
struct RuleAcceptance : Acceptance<Number> {
  using Acceptance<Number>::Acceptance;
  using Acceptance<Number>::lenient;

  template <class Drafter, class Rule>
  Number by(Rule const& rule, int k = 1) const {
    return this->template of<Drafter>(rule, k);
  }
  Number token() const { return by<drafters::Sample>(rules::TokenRule()); }
  Number one_hot() const { return by<drafters::Top>(rules::OneHot()); }
  Number coupled() const { return by<drafters::Sample>(rules::Coupled()); }
  Number argmax_draft() const { return by<drafters::Top>(faulty::ArgmaxDraft()); }
  Number greedy(int k = 1) const { return by<drafters::Top>(rules::Greedy(), k); }
  Number naive_set(int k) const { return by<drafters::Sample>(rules::NaiveSet<drafters::Sample>(), k); }
  Number naive_set_without(int k) const {
    return by<drafters::SampleWithout>(rules::NaiveSet<drafters::SampleWithout>(), k);
  }
  Number recursive(int k) const { return by<drafters::Sample>(rules::Recursive<drafters::Sample>(), k); }
  Number recursive_without(int k) const {
    return by<drafters::SampleWithout>(rules::Recursive<drafters::SampleWithout>(), k);
  }
  auto k_seq_rho(int k) const { return rules::KSeq::rho(this->row(), k); }
  Number k_seq(int k) const { return by<drafters::Sample>(rules::KSeq(), k); }
  Number k_seq(int k, Number const& rho) const { return rules::KSeq::acceptance_at(this->row(), k, rho); }
  Number greedy_drafts(int k) const { return by<drafters::TopThenSample>(rules::SpecHub(), k); }
  Number top_set(int k) const { return by<drafters::Top>(rules::TopSet(), k); }
};
using Exactly = RuleAcceptance<Rational>;

inline Exactly at(Rows const& rows) { return {rows.p, rows.q}; }

inline RuleAcceptance<double> in_doubles(Rows const& rows) {
  std::vector<double> p, q;
  for (Rational const& entry : rows.p) p.push_back(static_cast<double>(entry));
  for (Rational const& entry : rows.q) q.push_back(static_cast<double>(entry));
  return {p, q};
}

/// V = 1…most tokens with weights up to 1, 2 or 9 (many zeros and ties, few of either), some rows one-hot or p = q.
inline Rows random_rows(Random& random, std::uint64_t most) {
  std::uint64_t const vocab = 1 + random.below(most);
  auto const weights = [&] {
    std::vector<int> w(vocab, 0);
    std::uint64_t const largest[] = {1, 2, 9};
    std::uint64_t const choices = largest[random.below(3)] + 1;
    if (random.below(8) != 0)
      for (int& weight : w) weight = static_cast<int>(random.below(choices));
    if (*std::ranges::max_element(w) == 0) w[random.below(vocab)] = 1;
    return w;
  };
  std::vector<int> const p = weights();
  return row(p, random.below(8) == 0 ? p : weights());
}

/// The law of a position's drafts, in their order.
using LawOfDrafts = std::map<std::vector<std::size_t>, Rational>;

/// k draws from q, each from all of it or, without replacement, from what is left, and then uniformly.
inline LawOfDrafts sampled_drafts(std::vector<Rational> const& q, int k, bool without) {
  LawOfDrafts law{{{}, Rational(1)}};
  for (int i = 0; i < k; ++i) {
    LawOfDrafts longer;
    for (auto const& [drafts, probability] : law) {
      std::vector<Rational> next = q;
      Rational left = 0;
      if (without)
        for (std::size_t const x : drafts) next[x] = 0;
      for (Rational const& entry : next) left += entry;
      if (left == 0) {
        left = Rational(q.size() - drafts.size());
        for (std::size_t x = 0; x < q.size(); ++x) next[x] = std::ranges::count(drafts, x) == 0 ? 1 : 0;
      }
      for (std::size_t x = 0; x < q.size(); ++x) {
        if (next[x] == 0) continue;
        std::vector<std::size_t> more = drafts;
        more.push_back(x);
        longer[more] += probability * next[x] / left;
      }
    }
    law = std::move(longer);
  }
  return law;
}

}  // namespace draftgauge::testing
