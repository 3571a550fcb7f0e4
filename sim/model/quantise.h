#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/fraction.h"
#include "sim/model/pair_tables.h"

namespace draftgauge {

/// Total of a row made from floating point: leaves products of a weight and a coin's first digits in 64 bits.
inline constexpr std::uint64_t quantised_total = std::uint64_t{1} << 46;

/// Largest distance from 1 of the sum of a law given in floating point.
inline constexpr double sum_tolerance = 1e-9;

/// Shares `total` ≤ 2^46 out in proportion to the weights by the method of largest remainders: each share is the
/// proportional one rounded down or up, most of them to the nearer side, and they sum to `total`. Equal remainders
/// favour the lower index; a weight of 0 gets 0. Weights: finite, ≥ 0, one at least > 0 (unless `total` is 0).
std::vector<std::uint64_t> apportion(std::span<double const> weights, std::uint64_t total);

/// Writes the weights p and q of a row: finite, ≥ 0 and not all 0 in each (see check_law).
using WriteRow = std::function<void(std::uint64_t row, std::span<double> p, std::span<double> q)>;

/// Throws InputError unless the law's entries are finite and ≥ 0 and sum to 1 within sum_tolerance (to any number
/// > 0 with normalise). `where` names the law in the message: "laws.json: p, row 3".
void check_law(std::span<double const> law, std::string const& where, bool normalise);

/// What the integers of some rows do to the laws that were meant.
struct Rounding {
  double max_tv = 0;           ///< the largest TV(law, integers / total) over the laws p and q of all rows; 0: exact
  double mean_tv = 0;          ///< its mean over them
  std::uint64_t vanished = 0;  ///< probabilities > 0 that became 0: tokens that can no longer occur

  bool exact() const { return max_tv == 0; }
};

/// Collects rows, all of one vocabulary, as integers and what that rounding costs.
class RowList {
 public:
  /// Two laws by weights that are finite, ≥ 0 and not all 0 (see check_law); they become a row over quantised_total.
  void add(std::span<double const> p, std::span<double const> q);
  /// Rows in order, as add() makes them one by one, on so many threads. `writer` is called once on each of them and
  /// gives the function that is then called there, so that it may own scratch. Of exceptions that of the smallest row
  /// passes.
  void add_rows(std::uint64_t rows, std::uint32_t vocab, int threads, std::function<WriteRow()> const& writer);
  /// The same for laws that doubles only approximate, so that no TV seen in doubles tells whether the row is exact.
  void add_inexact(std::span<double const> p, std::span<double const> q);
  /// A row of integers that stands for the laws with these weights.
  void add(RowPair const& row, std::span<double const> p, std::span<double const> q);
  /// A row that is exactly what was meant.
  void add_exact(RowPair const& row);
  /// Makes room, so that no row is copied as the list grows.
  void reserve(std::uint64_t rows, std::uint32_t vocab);

  RowArrays const& rows() const { return rows_; }
  RowArrays take() {
    return std::move(rows_);
  }  ///< for PairTables; the list is of no use afterwards but for its rounding
  Rounding rounding() const;

 private:
  /// What rounding does to one law.
  struct Loss {
    double tv;
    std::uint64_t vanished;
  };
  static Loss loss_of(std::span<double const> law, double sum, std::span<std::uint64_t const> weights,
                      std::uint64_t total);
  void count(Loss const& loss);

  RowArrays rows_;
  std::uint64_t tables_ = 0;  ///< p and q of each row
  Rounding rounding_;
  double sum_tv_ = 0;
};

/// The row over the least common total on which both laws are integers, or nothing where that is above 2^53: no row
/// of ours is exact then. Throws InputError naming `where_p` or `where_q` for a negative entry, or a sum other than 1
/// (other than a number > 0 with normalise).
std::optional<RowPair> exact_row(std::span<Fraction const> p, std::span<Fraction const> q, std::string const& where_p,
                                 std::string const& where_q, bool normalise);

/// Throws InputError where so many rows would need more than `limit` bytes as PairTables (tables_bytes), or are 2^32
/// or more; before they are made. The message says how many would fit. `remedy` is its advice: "take fewer contexts".
void check_memory(std::uint64_t rows, std::uint64_t vocab, std::uint64_t limit, std::string const& remedy);

/// How many rows of so many tokens fit in `limit` bytes. Domain: 1 ≤ vocab ≤ max_vocab.
std::uint64_t rows_that_fit(std::uint64_t vocab, std::uint64_t limit);

}  // namespace draftgauge
