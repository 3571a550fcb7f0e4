#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace draftgauge {

/// The n texts of a recording as a sample: how long each is, and which of them the resamples of a bootstrap take (n
/// of n with replacement, Efron, Ann. Statist. 7, 1979). A function of its arguments, so that figures of two
/// recordings of the same texts are resampled together.
class TextSample {
 public:
  /// lengths ≥ 1; resamples: 0 for no bootstrap.
  TextSample(std::vector<double> lengths, std::size_t resamples, std::uint64_t seed);

  std::vector<double> const& lengths() const { return lengths_; }
  std::size_t size() const { return lengths_.size(); }
  std::size_t resamples() const { return times_.size() / lengths_.size(); }
  /// How often resample b takes each text: [n], sum n.
  std::span<std::uint32_t const> times(std::size_t b) const { return std::span(times_).subspan(b * size(), size()); }

  /// Degrees of freedom of a variance estimated from these texts, (ΣT²)²/ΣT⁴ − 1 and 1 at least: Satterthwaite's
  /// (Biometrics Bull. 2, 1946) for contributions whose deviations go with the lengths, as they do where texts differ
  /// from each other as wholes. n − 1 where all are as long.
  double degrees() const;
  /// Text i's share of the tokens.
  double leverage(std::size_t i) const { return lengths_[i] / tokens_; }

  /// Same texts (by length), same resamples.
  friend bool operator==(TextSample const& a, TextSample const& b) {
    return a.lengths_ == b.lengths_ && a.seed_ == b.seed_ && a.times_.size() == b.times_.size();
  }

 private:
  std::vector<double> lengths_;
  double tokens_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> times_;
};

}  // namespace draftgauge
