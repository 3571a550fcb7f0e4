#include "sim/quantise.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/alias.h"
#include "sim/decide.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

/// Σ with Neumaier's compensation: as if summed in twice the precision, the same on every machine.
double sum_of(std::span<double const> values) {
  double sum = 0, lost = 0;
  for (double x : values) {
    double const next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  return sum + lost;
}

std::string shown(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", x);
  return text;
}

[[noreturn]] void refuse_negative(std::string const& where, std::size_t token, std::string const& value) {
  throw InputError(where + ", token " + std::to_string(token) + " is " + value +
                   " (a probability is a number from 0 to 1) mend the entry");
}

[[noreturn]] void refuse_sum(std::string const& where, std::string const& sum) {
  throw InputError(where + " sums to " + sum +
                   " (a law sums to 1) mend it, or divide it by its sum with --normalise");
}

[[noreturn]] void refuse_zero(std::string const& where) {
  throw InputError(where + " sums to 0 (no token could ever be drawn) give one token at least a probability above 0");
}

Uint128 gcd_of(Uint128 a, Uint128 b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

/// A law as integers over its least total; nothing where that is above 2^53.
std::optional<std::vector<std::uint64_t>> least_integers(std::span<Fraction const> law, std::string const& where,
                                                         bool normalise) {
  Uint128 common = 1;
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (law[x].num() < 0) refuse_negative(where, x, law[x].text());
    auto const den = static_cast<Uint128>(law[x].den());
    common = common / gcd_of(common, den) * den;  // below 2^53 · 2^63
    if (common > max_total) return {};
  }
  auto const over_common = [&](Fraction f) {
    return static_cast<Uint128>(f.num()) * (common / static_cast<Uint128>(f.den()));  // below 2^63 · 2^53
  };
  Uint128 divisor = 0;
  for (Fraction const f : law) divisor = gcd_of(divisor, over_common(f));
  if (divisor == 0) refuse_zero(where);
  std::vector<std::uint64_t> weights;
  weights.reserve(law.size());
  Uint128 sum = 0;
  for (Fraction const f : law) {
    Uint128 const weight = over_common(f) / divisor;
    sum += weight;
    if (sum > max_total) return {};
    weights.push_back(static_cast<std::uint64_t>(weight));
  }
  if (!normalise && (common % divisor != 0 || sum != common / divisor))
    refuse_sum(where, shown(static_cast<double>(sum) * static_cast<double>(divisor) / static_cast<double>(common)));
  return weights;
}

}  // namespace

std::vector<std::uint64_t> apportion(std::span<double const> weights, std::uint64_t total) {
  std::vector<std::uint64_t> shares(weights.size(), 0);
  if (total == 0) return shares;
  double const sum = sum_of(weights);
  std::vector<double> remainder(weights.size());
  std::vector<std::uint32_t> order;
  std::uint64_t left = total;
  // The quotients' rounding errors add up to at most total · 2^-51 < 1, so the parts rounded down never exceed the
  // total, and what is left is at most one for each weight above 0.
  for (std::size_t x = 0; x < weights.size(); ++x) {
    if (weights[x] == 0) continue;
    double const share = weights[x] / sum * static_cast<double>(total);
    double const down = std::floor(share);
    shares[x] = static_cast<std::uint64_t>(down);
    remainder[x] = share - down;
    left -= shares[x];
    order.push_back(static_cast<std::uint32_t>(x));
  }
  auto const larger = [&](std::uint32_t a, std::uint32_t b) {
    return remainder[a] != remainder[b] ? remainder[a] > remainder[b] : a < b;
  };
  auto const last = order.begin() + static_cast<std::ptrdiff_t>(left);
  if (last != order.end()) std::nth_element(order.begin(), last, order.end(), larger);
  std::for_each(order.begin(), last, [&](std::uint32_t x) { ++shares[x]; });
  return shares;
}

void check_law(std::span<double const> law, std::string const& where, bool normalise) {
  for (std::size_t x = 0; x < law.size(); ++x)
    if (!std::isfinite(law[x]) || law[x] < 0) refuse_negative(where, x, shown(law[x]));
  double const sum = sum_of(law);
  if (sum == 0) refuse_zero(where);
  if (!std::isfinite(sum)) refuse_sum(where, "a number beyond 1e308");
  if (std::abs(sum - 1) > sum_tolerance && !normalise) refuse_sum(where, shown(sum));
}

void RowList::add(std::span<double const> p, std::span<double const> q) {
  add({apportion(p, quantised_total), apportion(q, quantised_total), quantised_total}, p, q);
}

void RowList::add_inexact(std::span<double const> p, std::span<double const> q) {
  add(p, q);
  // What the doubles themselves leave out of a law, at most 2^-52 of each entry.
  rounding_.max_tv = std::max(rounding_.max_tv, 0x1p-52);
}

void RowList::add(RowPair row, std::span<double const> p, std::span<double const> q) {
  count(p, row.p, row.total);
  count(q, row.q, row.total);
  rows_.push_back(std::move(row));
}

void RowList::count(std::span<double const> law, std::span<std::uint64_t const> weights, std::uint64_t total) {
  double const sum = sum_of(law);
  double distance = 0;
  for (std::size_t x = 0; x < law.size(); ++x) {
    distance += std::abs(law[x] / sum - static_cast<double>(weights[x]) / static_cast<double>(total));
    rounding_.vanished += law[x] > 0 && weights[x] == 0;
  }
  rounding_.max_tv = std::max(rounding_.max_tv, distance / 2);
  sum_tv_ += distance / 2;
}

Rounding RowList::rounding() const {
  Rounding result = rounding_;
  result.mean_tv = rows_.empty() ? 0 : sum_tv_ / (2 * static_cast<double>(rows_.size()));
  return result;
}

std::optional<RowPair> exact_row(std::span<Fraction const> p, std::span<Fraction const> q, std::string const& where_p,
                                 std::string const& where_q, bool normalise) {
  auto a = least_integers(p, where_p, normalise);
  auto b = least_integers(q, where_q, normalise);
  if (!a || !b) return {};
  auto const total_a = std::accumulate(a->begin(), a->end(), std::uint64_t{0});
  auto const total_b = std::accumulate(b->begin(), b->end(), std::uint64_t{0});
  Uint128 const total = Uint128{total_a} / std::gcd(total_a, total_b) * total_b;
  if (total > max_total) return {};
  RowPair row{std::move(*a), std::move(*b), static_cast<std::uint64_t>(total)};
  for (std::uint64_t& weight : row.p) weight *= row.total / total_a;
  for (std::uint64_t& weight : row.q) weight *= row.total / total_b;
  return row;
}

void check_memory(std::uint64_t rows, std::uint64_t vocab, std::uint64_t limit, std::string const& remedy) {
  if (vocab == 0 || vocab > max_vocab) return;  // Laws refuses it
  if (rows > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(std::to_string(rows) + " rows are too many (a row's number has 32 bits) " + remedy);
  }
  std::uint64_t const entries = std::uint64_t{1} << alias_bits(static_cast<std::uint32_t>(vocab));
  // Three tables; the weights twice while Laws copies them.
  // Below 2^32 rows and 2^22 tokens: the product stays below 2^61.
  std::uint64_t const bytes = rows * (3 * sizeof(AliasEntry) * entries + 2 * 2 * sizeof(std::uint64_t) * vocab);
  if (bytes <= limit) return;
  auto const gib = [](std::uint64_t n) { return shown(std::ceil(static_cast<double>(n) / (1 << 30) * 10) / 10); };
  throw InputError(std::to_string(rows) + " rows of " + std::to_string(vocab) + " tokens need " + gib(bytes) +
                   " GiB (the limit is " + gib(limit) + " GiB) " + remedy);
}

}  // namespace draftgauge
