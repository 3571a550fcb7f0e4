#include "analysis/theory/acceptance.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "analysis/theory/domain.h"
#include "sim/base/error.h"
#include "sim/lossy/lenient.h"

namespace draftgauge {
namespace {

void require_sum_one(std::span<double const> law, std::string_view name) { require_law(law, name); }

void require_sum_one(std::span<Rational const> law, std::string_view name) {
  Rational sum = 0;
  for (Rational const& entry : law) {
    if (entry < 0) refuse_entry(name, entry.str(), "give fractions, 0 or more");
    sum += entry;
  }
  if (sum != 1) refuse_sum(name, sum.str());
}

template <class Number>
std::vector<Number> normalised(std::span<Number const> law) {
  using Real = typename PositionRow<Number>::Real;
  Real const sum = std::accumulate(law.begin(), law.end(), Real(0));
  std::vector<Number> result(law.begin(), law.end());
  if (sum != 1)
    for (Number& entry : result) entry = static_cast<Number>(entry / sum);
  return result;
}

template <class Number>
PositionRow<Number> checked_row(std::span<Number const> p, std::span<Number const> q) {
  require_one_vocabulary(p.size(), q.size());
  require_sum_one(p, "`p`");
  require_sum_one(q, "`q`");
  return {normalised(p), normalised(q)};
}

template <class Number>
void require_lenience(Number const& l) {
  require_domain(l > 0 && l <= 1, "`lenience`", static_cast<double>(l),
                 "p/(l q) is tested, and l = 1 is the exact rule", "give a number above 0, at most 1");
}

template <class Real>
Real power(Real base, int exponent) {
  Real result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) result *= base;
  return result;
}

/// 1 + min over the prefixes of tokens, from rank to rank.
template <class Real>
class LeastSurplus {
 public:
  /// The next prefix has so much more p, and holds all drafts with so much more probability.
  void extend(Real const& p, Real const& drafts) {
    surplus_ += p - drafts;
    least_ = std::min(least_, surplus_);
  }
  Real acceptance() const { return excess(Real(1), Real(-least_)); }

 private:
  Real surplus_ = 0, least_ = 0;
};

}  // namespace

void require_drafts(int k, bool different, std::size_t vocab) {
  if (k < 1) throw UsageError(fmt::format("`candidates` is {} (a draft is to be accepted)", k), "give 1 or more");
  if (different && static_cast<std::size_t>(k) > vocab) {
    throw UsageError(fmt::format("`candidates` is {} over {} tokens (drafts of this kind differ)", k, vocab),
                     fmt::format("give at most {}", vocab));
  }
}

template <class Number>
Acceptance<Number>::Acceptance(std::span<Number const> p, std::span<Number const> q) : row_(checked_row(p, q)) {}

template <class Number>
Number Acceptance<Number>::lenient(Number const& l) const {
  require_lenience(l);
  return static_cast<Number>(rules::Lenient::acceptance_at(row_, Real(l)));
}

template <class Number>
std::vector<Number> Acceptance<Number>::lenient_output(Number const& l) const {
  require_lenience(l);
  // 1 − β_l and 1 − β as sums of what is rejected: no cancellation where almost all is accepted.
  Real const rejected = row_.sum([&](Real const& p, Real const& q) { return excess(q, Real(p / Real(l))); });
  Real const strict = row_.sum([](Real const& p, Real const& q) { return excess(q, p); });
  Real const share = rejected > 0 ? Real(rejected / strict) : Real(0);
  std::vector<Number> output;
  for (Token x = 0; x < row_.vocab(); ++x) {
    Real const p = row_.p(x), q = row_.q(x);
    output.push_back(static_cast<Number>(std::min(q, Real(p / Real(l))) + share * excess(p, q)));
  }
  return output;
}

template <class Number>
Number Acceptance<Number>::optimal(int k) const {
  require_drafts(k, false, row_.vocab());
  RankedPair<Real> const& tables = row_.ranked();
  LeastSurplus<Real> prefix;
  Real held = 0, drafted = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    drafted += tables.q()[i];
    Real const next = power(drafted, k);
    prefix.extend(tables.p()[i], next - held);
    held = next;
  }
  return static_cast<Number>(prefix.acceptance());
}

template <class Number>
Number Acceptance<Number>::optimal_without(int k) const {
  require_drafts(k, true, row_.vocab());
  auto const drafts = static_cast<std::size_t>(k);
  RankedPair<Real> const& tables = row_.ranked();
  LeastSurplus<Real> prefix;
  if (drafts < tables.size()) {
    std::vector<Real> const held = row_.orders(k).highest_rank();
    for (std::size_t i = 0; i < held.size(); ++i) prefix.extend(tables.p()[i], held[i]);
    return static_cast<Number>(prefix.acceptance());
  }
  // All that q can draft is drafted, and n others uniformly: a set with j of the others holds them with C(j,n)/C(m,n).
  std::size_t const n = drafts - tables.size(), m = tables.undrafted().size();
  Real held = n == 0 ? 1 : 0;
  prefix.extend(1 - tables.undrafted_p(), held);
  for (std::size_t j = 1; j <= m; ++j) {
    Real next = 1;
    for (std::size_t i = 0; i < n; ++i) next *= i < j ? Real(j - i) / Real(m - i) : Real(0);
    prefix.extend(tables.undrafted()[j - 1], next - held);
    held = next;
  }
  return static_cast<Number>(prefix.acceptance());
}

template class Acceptance<double>;
template class Acceptance<Rational>;

}  // namespace draftgauge
