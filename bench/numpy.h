#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/baselines.h"

namespace draftgauge::bench {

class Child;

/// The NumPy baseline (numpy_baseline.py, which the program carries with it), in a Python of its own.
class NumpyRounds {
 public:
  /// `way` is whole or shrinking. The first of the Pythons that has NumPy is taken; without one the object is not
  /// ready.
  NumpyRounds(std::span<std::string const> pythons, std::string const& way, LawPair const& laws, int gamma,
              std::uint64_t seed);
  ~NumpyRounds();

  bool ready() const { return child_ != nullptr; }
  std::string const& version() const { return version_; }

  /// Plays further rounds and returns the CPU seconds that they took, by Python's own account. Throws
  /// InputError where Python went away or says something else.
  double seconds(std::uint64_t rounds);
  /// [γ+1] rounds so far by the number of accepted drafts.
  std::vector<std::uint64_t> const& accepted() const { return accepted_; }

 private:
  std::unique_ptr<Child> child_;
  std::string version_;
  std::vector<std::uint64_t> accepted_;
};

/// Where Python is looked for: python3 of PATH, which a version manager may have put there, and the system's own, for
/// which a distribution's packages are installed.
std::vector<std::string> usual_pythons();

}  // namespace draftgauge::bench
