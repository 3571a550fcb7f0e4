#include "gpu/device_lack.h"

#include <charconv>
#include <sstream>

namespace draftgauge {
namespace {

std::string version(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); }
std::string cuda_version(int number) { return version(number / 1000, number % 1000 / 10); }

/// Which devices an architecture's code is for.
struct Served {
  bool yes;
  std::string which;
};
Served served_by(std::string const& architecture, int major, int minor) {
  int number = 0;
  auto const [end, error] = std::from_chars(architecture.data(), architecture.data() + architecture.size(), number);
  std::string_view const form =
      std::string_view(architecture).substr(static_cast<std::size_t>(end - architecture.data()));
  if (error != std::errc() || (form != "" && form != "-real" && form != "-virtual")) return {true, architecture};
  int const from = number / 10, from_minor = number % 10;
  if (form == "-real")
    return {major == from && minor >= from_minor,
            from_minor == 0 ? std::to_string(from) + ".x" : version(from, from_minor) + " to " + version(from, 9)};
  return {10 * major + minor >= number, version(from, from_minor) + " and up"};
}

/// What the code of the build is for; empty where the device is among it.
std::string served_instead(std::string_view architectures, int major, int minor) {
  std::istringstream words{std::string(architectures)};
  std::string which;
  for (std::string word; words >> word;) {
    Served const served = served_by(word, major, minor);
    if (served.yes) return "";
    which += (which.empty() ? "" : ", ") + served.which;
  }
  return which;
}

}  // namespace

DeviceLack device_lack(CudaAnswers const& answers, std::string_view architectures) {
  if (answers.driver == 0) return {"there is no CUDA driver"};
  if (!answers.failure.empty() && answers.driver / 1000 < answers.runtime / 1000)
    return {"the CUDA driver is one for CUDA " + cuda_version(answers.driver) + ", this build needs one for " +
                cuda_version(answers.runtime),
            true};
  if (!answers.failure.empty()) return {"CUDA cannot count devices (" + answers.failure + ")", true};
  if (answers.devices == 0) return {"there is no CUDA device"};
  std::string const instead = served_instead(architectures, answers.major, answers.minor);
  if (instead.empty()) return {};
  return {"the CUDA device is of compute capability " + version(answers.major, answers.minor) +
              ", this build is for " + instead,
          true};
}

}  // namespace draftgauge
