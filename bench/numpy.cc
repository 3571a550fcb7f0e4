#include "bench/numpy.h"

#include <fmt/format.h>

#include <sstream>

#include "bench/child.h"
#include "bench/numpy_script.h"
#include "sim/error.h"

namespace draftgauge::bench {
namespace {

constexpr double patience = 120;  // seconds, for a Python that is started or counts while others have the machine

}  // namespace

NumpyRounds::NumpyRounds(std::span<std::string const> pythons, std::string const& way, LawPair const& laws, int gamma,
                         std::uint64_t seed)
    : accepted_(static_cast<std::size_t>(gamma) + 1, 0) {
  for (std::string const& python : pythons) {
    auto child = std::make_unique<Child>(
        std::vector<std::string>{python, "-c", numpy_script, std::to_string(gamma), std::to_string(seed), way});
    if (!child->read_line(version_, patience)) continue;
    child->write(fmt::format("{}\n{}\n", fmt::join(laws.p, " "), fmt::join(laws.q, " ")));
    child_ = std::move(child);
    return;
  }
}

NumpyRounds::~NumpyRounds() = default;

double NumpyRounds::seconds(std::uint64_t rounds) {
  std::string line;
  if (!child_->write(fmt::format("{}\n", rounds)) || !child_->read_line(line, patience))
    throw InputError(
        "Python stopped in the middle (NumPy is a baseline of bench) try again, or leave it out with "
        "--no-numpy");
  std::istringstream words(line);
  double seconds = 0;
  words >> seconds;
  for (std::uint64_t& count : accepted_) words >> count;
  if (!words || !(seconds > 0))
    throw InputError(
        fmt::format("Python says '{}' (seconds and counts were expected) leave it out with --no-numpy", line));
  return seconds;
}

std::vector<std::string> usual_pythons() { return {"python3", "/usr/bin/python3"}; }

}  // namespace draftgauge::bench
