#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/baselines/baselines.h"

namespace draftgauge::bench {

class Child;

/// A NumPy baseline, a script that the program carries with it, in a Python of its own.
class Numpy {
 public:
  /// The first of the Pythons that has NumPy is taken, with these words for the script; without one the object is not
  /// ready.
  Numpy(std::span<std::string const> pythons, char const* script, std::vector<std::string> words);
  ~Numpy();

  bool ready() const { return child_ != nullptr; }
  std::string const& version() const { return version_; }
  void write(std::string const& text);

  /// Has further work done, and returns the CPU seconds that it took, by Python's own account, and the `counts` numbers
  /// that follow. Throws InputError where Python went away or says something else.
  double seconds(std::uint64_t amount, std::span<std::uint64_t> counts);

 private:
  std::unique_ptr<Child> child_;
  std::string version_;
};

/// Rounds by numpy_baseline.py.
class NumpyRounds {
 public:
  /// `way` is whole or shrinking.
  NumpyRounds(std::span<std::string const> pythons, std::string const& way, LawPair const& tables, int gamma,
              std::uint64_t seed);

  bool ready() const { return python_.ready(); }
  std::string const& version() const { return python_.version(); }
  double seconds(std::uint64_t rounds) { return python_.seconds(rounds, accepted_); }
  /// [γ+1] rounds so far by the number of accepted drafts.
  std::vector<std::uint64_t> const& accepted() const { return accepted_; }

 private:
  Numpy python_;
  std::vector<std::uint64_t> accepted_;
};

/// Figures of pairs of rows by ingest_numpy.py; `dtype` is float32 or float16.
class NumpyFigures {
 public:
  NumpyFigures(std::span<std::string const> pythons, std::string const& dtype);

  bool ready() const { return python_.ready(); }
  double seconds(std::uint64_t rows) { return python_.seconds(rows, {}); }

 private:
  Numpy python_;
};

/// Where Python is looked for: python3 of PATH, which a version manager may have put there, and the system's own, for
/// which a distribution's packages are installed.
std::vector<std::string> usual_pythons();

}  // namespace draftgauge::bench
