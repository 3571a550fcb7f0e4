#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recordings/log_base.h"
#include "sim/base/error.h"
#include "sim/recordings/rows.h"

namespace draftgauge {

/// What the numbers of a model's rows are, as they look.
enum class RowNumbers {
  logits,
  log_probabilities,  ///< all ≤ 0, and the exponentials of more than half of the rows sum to 1 within 1e-3
  truncated,          ///< all ≤ 0 and every sum within .2 of 1, yet not all of them 1: a part was cut off or raised
  probabilities,      ///< all in [0, 1], summing to 1 within 1e-2: what should have been logarithms
};
std::string_view name(RowNumbers numbers);  ///< "logits", "log-probabilities", "log-probabilities, cut off", …

/// What is found in looking at all rows of one model, which are numbered as their file has them.
struct RowCheck {
  RowNumbers numbers = RowNumbers::logits;
  std::uint64_t rows = 0, vocab = 0;
  double least_sum = 0, most_sum = 0;  ///< of Σ exp(z) over the rows
  /// Of log-probabilities, cut off or not: rows whose sum is farther than 1e-3 from 1, the first of them, and its
  /// sum.
  std::uint64_t off_one = 0, first_off = 0;
  double first_off_sum = 0;
  std::uint64_t unsound = 0;           ///< rows that are no law
  std::string first_unsound = {};      ///< "row 3, column 17 is NaN (…)"
  std::uint64_t minus_infinity = 0;    ///< entries of probability 0
  std::uint64_t duplicates = 0;        ///< rows whose bytes are an earlier row's
  std::optional<LogBase> base = {};    ///< of the first rows' logarithms, where it is another than e
  std::optional<double> floored = {};  ///< mean share of .kld rows that lies on floored tokens
};
RowCheck check_rows(RowBytes& rows, std::string const& name, std::function<void(std::uint64_t)> const& progress);

/// Throws InputError where the first rows are probabilities, or logarithms to another base: as logits they would give
/// laws that are almost uniform, or of another temperature, and no other sign of it.
void refuse_probabilities(RowBytes& rows, std::string const& name);
/// What is wrong with such rows.
InputError probabilities_fault(std::string const& name);
InputError base_fault(std::string const& name, LogBase const& base);

/// How many of the first rows are looked at where not all are.
inline constexpr std::uint64_t first_rows = 256;

/// The mean share that lies on floored tokens in the first rows of a .kld; none of other encodings.
std::optional<double> mean_floored_mass(RowBytes& rows);

/// The temperatures among which a text's is looked for. Samplers offer less.
inline constexpr double least_temperature = .05, greatest_temperature = 5;

/// The temperature at which the text fits the rows best, by maximum likelihood of b = 1/T in Π softmax(b·z)(x) over the
/// first `most` tokens, T in that range, with its standard error from the observed information. A recording whose text
/// was written at T = .6 and whose rows fit at 1 had its temperature applied before it was written. None without
/// tokens, where a row is flat, and where a token has probability 0.
struct FittedTemperature {
  double temperature, error;
  std::uint64_t tokens;
  /// The likelihood still rises at an end of that range: no temperature explains the text. At the lower end the text
  /// may be greedy.
  bool at_end = false;

  double radius() const;  ///< of the 95 % interval
  /// Within three standard errors in 1/T, which is what is estimated: a text of that T fails once in about 400.
  bool fits(double other) const;
};
std::optional<FittedTemperature> fitted_temperature(RowBytes& rows, std::vector<std::int64_t> const& tokens,
                                                    std::uint64_t most = first_rows);

}  // namespace draftgauge
