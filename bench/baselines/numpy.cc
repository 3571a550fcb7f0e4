#include "bench/baselines/numpy.h"

#include <fmt/format.h>

#include <sstream>

#include "bench/child.h"
#include "bench/ingest_numpy.h"
#include "bench/numpy_baseline.h"
#include "sim/base/error.h"

namespace draftgauge::bench {
namespace {

constexpr double patience = 120;  // seconds, for a Python that is started or counts while others have the machine

}  // namespace

Numpy::Numpy(std::span<std::string const> pythons, char const* script, std::vector<std::string> words) {
  words.insert(words.begin(), {"", "-c", script});
  for (std::string const& python : pythons) {
    words.front() = python;
    auto child = std::make_unique<Child>(words);
    if (!child->read_line(version_, patience)) continue;
    child_ = std::move(child);
    return;
  }
}

Numpy::~Numpy() = default;

void Numpy::write(std::string const& text) { child_->write(text); }

double Numpy::seconds(std::uint64_t amount, std::span<std::uint64_t> counts) {
  std::string line;
  if (!child_->write(fmt::format("{}\n", amount)) || !child_->read_line(line, patience))
    throw InputError("Python stopped in the middle (NumPy is a baseline of bench)",
                     "try again, or leave it out with --no-numpy");
  std::istringstream words(line);
  double seconds = 0;
  words >> seconds;
  for (std::uint64_t& count : counts) words >> count;
  if (!words || !(seconds > 0))
    throw InputError(fmt::format("Python says '{}' (seconds and counts were expected)", line),
                     "leave it out with --no-numpy");
  return seconds;
}

NumpyRounds::NumpyRounds(std::span<std::string const> pythons, std::string const& way, LawPair const& tables,
                         int gamma, std::uint64_t seed)
    : python_(pythons, numpy_baseline, {std::to_string(gamma), std::to_string(seed), way}),
      accepted_(static_cast<std::size_t>(gamma) + 1, 0) {
  if (ready()) python_.write(fmt::format("{}\n{}\n", fmt::join(tables.p, " "), fmt::join(tables.q, " ")));
}

NumpyFigures::NumpyFigures(std::span<std::string const> pythons, std::string const& dtype)
    : python_(pythons, ingest_numpy, {dtype}) {}

std::vector<std::string> usual_pythons() { return {"python3", "/usr/bin/python3"}; }

}  // namespace draftgauge::bench
