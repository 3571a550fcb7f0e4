#pragma once
#include <cstdint>
#include <vector>

#include "sim/philox.h"

namespace draftgauge::textbook {

/// The fixed baseline of the speed figures: Algorithm 1 of Leviathan et al. 2023 as one would write it from the paper,
/// plain scalar C++ in double on Philox and alias tables, for one context. It is meant to be good (at least 15 M rounds/s
/// at γ = 5, α = 0.8, V = 32 on a quiet core), since a slow baseline flatters; its flags are fixed in bench/CMakeLists.txt.
/// What it leaves out is what the engine is for: its 32-bit uniforms meet no law exactly.
class Simulator {
 public:
  /// p, q: probabilities [vocab].
  Simulator(std::vector<double> const& p, std::vector<double> const& q, int gamma, std::uint64_t seed);

  struct Counts {
    std::vector<std::uint64_t> accepted;  ///< [γ+1] rounds by the number of accepted drafts
    std::uint64_t tokens = 0;
    std::vector<std::vector<std::uint64_t>> histograms;  ///< [γ+1][vocab] tokens by position; empty unless asked for
  };
  Counts no_counts(bool histograms) const;

  /// Plays further rounds and adds them to the counts.
  void run(std::uint64_t rounds, Counts& counts);

 private:
  struct Bucket {
    double keep;  ///< probability of the bucket's own token
    std::uint32_t other;
  };
  using Table = std::vector<Bucket>;
  static Table table_of(std::vector<double> const& law);

  double uniform();
  std::uint32_t pick(Table const& table);
  template <bool WithHistograms>
  void play(std::uint64_t rounds, Counts& counts);

  std::vector<double> p_, q_;
  Table target_, draft_, residual_;
  int gamma_;
  Philox::Key key_;
  std::uint64_t block_ = 0;
  int left_ = 0;
  Philox::Words words_{};
};

}  // namespace draftgauge::textbook
