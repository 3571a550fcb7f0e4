#include "sim/model/quantise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/base/bytes_text.h"
#include "sim/base/error.h"
#include "sim/base/for_rows.h"
#include "sim/chance/decide.h"

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
  throw InputError(
      where + ", token " + std::to_string(token) + " is " + value + " (a probability is a number from 0 to 1)",
      "mend the entry");
}

[[noreturn]] void refuse_sum(std::string const& where, std::string const& sum) {
  throw InputError(where + " sums to " + sum + " (a distribution sums to 1)",
                   "mend it, or divide it by its sum with `normalise`");
}

[[noreturn]] void refuse_zero(std::string const& where) {
  throw InputError(where + " sums to 0 (no token could ever be drawn)",
                   "give one token at least a probability above 0");
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

/// Shares of a total by largest remainders, with the scratch that takes kept from one law to the next.
class Apportioner {
 public:
  /// shares: as many as weights, overwritten. sum: sum_of(weights).
  void share(std::span<double const> weights, double sum, std::uint64_t total, std::span<std::uint64_t> shares) {
    if (total == 0) {
      std::ranges::fill(shares, 0);
      return;
    }
    remainder_.resize(weights.size());
    std::ranges::fill(count_, 0);
    std::uint64_t given = 0;
    // The quotients' rounding errors add up to at most total · 2^-51 < 1, so the parts rounded down never exceed the
    // total, and what is left is at most one for each weight above 0.
    for (std::size_t x = 0; x < weights.size(); ++x) {
      double const share = weights[x] / sum * static_cast<double>(total);
      auto const down = static_cast<std::int64_t>(share);  // below 2^53
      shares[x] = static_cast<std::uint64_t>(down);
      given += shares[x];
      remainder_[x] = weights[x] == 0 ? -1 : share - static_cast<double>(down);
      if (weights[x] != 0) ++count_[cell_of(remainder_[x])];
    }
    give_rest(total - given, shares);
  }

 private:
  static constexpr std::size_t cells = 4096;
  static std::size_t cell_of(double remainder) { return static_cast<std::size_t>(remainder * cells); }

  /// One more for each of the largest remainders. They are counted by size first, so that only those of the cell in
  /// which the last of them lies are compared.
  void give_rest(std::uint64_t left, std::span<std::uint64_t> shares) {
    std::size_t last = cells;
    while (left > 0 && count_[last - 1] <= left) left -= count_[--last];
    // All of the cells from `last` on, and `left` of the one below.
    order_.clear();
    double const all = static_cast<double>(last) / cells;
    double const some = left == 0 ? all : static_cast<double>(last - 1) / cells;
    for (std::size_t x = 0; x < shares.size(); ++x) {
      if (remainder_[x] >= all)
        ++shares[x];
      else if (remainder_[x] >= some)
        order_.push_back(static_cast<std::uint32_t>(x));
    }
    if (left == 0) return;
    auto const larger = [&](std::uint32_t a, std::uint32_t b) {
      return remainder_[a] != remainder_[b] ? remainder_[a] > remainder_[b] : a < b;
    };
    auto const end = order_.begin() + static_cast<std::ptrdiff_t>(left);
    std::nth_element(order_.begin(), end, order_.end(), larger);  // more than `left` are there
    std::for_each(order_.begin(), end, [&](std::uint32_t x) { ++shares[x]; });
  }

  std::vector<double> remainder_;     ///< −1 for a weight of 0, which gets nothing
  std::vector<std::uint32_t> order_;  ///< tokens of the cell that is divided
  std::vector<std::uint32_t> count_ = std::vector<std::uint32_t>(cells);
};

}  // namespace

std::vector<std::uint64_t> apportion(std::span<double const> weights, std::uint64_t total) {
  std::vector<std::uint64_t> shares(weights.size());
  Apportioner().share(weights, sum_of(weights), total, shares);
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

void RowList::add(RowPair const& row, std::span<double const> p, std::span<double const> q) {
  add_exact(row);
  count(loss_of(p, sum_of(p), row.p, row.total));
  count(loss_of(q, sum_of(q), row.q, row.total));
}

void RowList::add_exact(RowPair const& row) {
  rows_.vocab = static_cast<std::uint32_t>(row.p.size());
  rows_.p.insert(rows_.p.end(), row.p.begin(), row.p.end());
  rows_.q.insert(rows_.q.end(), row.q.begin(), row.q.end());
  rows_.totals.push_back(row.total);
  tables_ += 2;
}

void RowList::reserve(std::uint64_t rows, std::uint32_t vocab) {
  rows_.p.reserve(rows * vocab);
  rows_.q.reserve(rows * vocab);
  rows_.totals.reserve(rows);
}

void RowList::add_rows(std::uint64_t rows, std::uint32_t vocab, int threads,
                       std::function<WriteRow()> const& writer) {
  std::uint64_t const before = rows_.totals.size();
  rows_.vocab = vocab;
  rows_.p.resize((before + rows) * vocab);
  rows_.q.resize((before + rows) * vocab);
  rows_.totals.resize(before + rows, quantised_total);
  tables_ += 2 * rows;
  std::vector<Loss> losses(2 * rows);
  for_rows(rows, threads, [&] {
    return [&, write = writer(), p = std::vector<double>(vocab), q = std::vector<double>(vocab),
            apportioner = Apportioner()](std::uint64_t row) mutable {
      write(row, p, q);
      auto const quantise = [&](std::vector<double> const& law, Array<std::uint64_t>& all) {
        auto const shares = std::span(all).subspan((before + row) * vocab, vocab);
        double const sum = sum_of(law);
        apportioner.share(law, sum, quantised_total, shares);
        return loss_of(law, sum, shares, quantised_total);
      };
      losses[2 * row] = quantise(p, rows_.p);
      losses[2 * row + 1] = quantise(q, rows_.q);
    };
  });
  for (Loss const& loss : losses) count(loss);  // in order, so that the sum is the same for any number of threads
}

RowList::Loss RowList::loss_of(std::span<double const> law, double sum, std::span<std::uint64_t const> weights,
                               std::uint64_t total) {
  double distance = 0;
  std::uint64_t vanished = 0;
  auto const by_total = [&](auto const& share) {
    for (std::size_t x = 0; x < law.size(); ++x) {
      distance += std::abs(law[x] / sum - share(weights[x]));
      vanished += law[x] > 0 && weights[x] == 0;
    }
  };
  // A total of 2^k is divided by exactly by a product, and a division more is a third of the time.
  if (std::has_single_bit(total))
    by_total([inverse = 1 / static_cast<double>(total)](std::uint64_t w) {
      return static_cast<double>(static_cast<std::int64_t>(w)) * inverse;
    });
  else
    by_total([&](std::uint64_t w) { return static_cast<double>(w) / static_cast<double>(total); });
  return {distance / 2, vanished};
}

void RowList::count(Loss const& loss) {
  rounding_.max_tv = std::max(rounding_.max_tv, loss.tv);
  rounding_.vanished += loss.vanished;
  sum_tv_ += loss.tv;
}

Rounding RowList::rounding() const {
  Rounding result = rounding_;
  result.mean_tv = tables_ == 0 ? 0 : sum_tv_ / static_cast<double>(tables_);
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
  if (vocab == 0 || vocab > max_vocab) return;  // PairTables refuses it
  if (rows > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(std::to_string(rows) + " rows are too many (a row's number has 32 bits)", remedy);
  }
  std::uint64_t const bytes = tables_bytes(rows, static_cast<std::uint32_t>(vocab));
  if (bytes <= limit) return;
  throw InputError(std::to_string(rows) + " rows of " + std::to_string(vocab) + " tokens need " + bytes_text(bytes) +
                       " (the limit is " + bytes_text(limit) + ", which holds " +
                       std::to_string(rows_that_fit(vocab, limit)) + ")",
                   remedy + ", or raise it with `memory`");
}

std::uint64_t rows_that_fit(std::uint64_t vocab, std::uint64_t limit) {
  return limit / tables_bytes(1, static_cast<std::uint32_t>(vocab));
}

}  // namespace draftgauge
