#include "gpu/device_lack.h"

#include <catch2/catch.hpp>

using namespace draftgauge;

namespace {

/// The text, and "!" before it where a device seems to be there.
std::string said(CudaAnswers const& answers, char const* architectures = "80-real 90") {
  DeviceLack const lack = device_lack(answers, architectures);
  return (lack.expected ? "!" : "") + lack.why;
}
CudaAnswers capability(int major, int minor) { return {13000, 13000, "", 1, major, minor}; }

}  // namespace

TEST_CASE("device lack: neither driver nor device, or one that fails") {
  CHECK(said({0, 13000, "CUDA driver version is insufficient for CUDA runtime version"}) ==
        "there is no CUDA driver");
  CHECK(said({12040, 13000, "CUDA driver version is insufficient for CUDA runtime version"}) ==
        "!the CUDA driver is one for CUDA 12.4, this build needs one for 13.0");
  CHECK(said({13000, 13000, "system not yet initialized"}) ==
        "!CUDA cannot count devices (system not yet initialized)");
  CHECK(said({13000, 13000, ""}) == "there is no CUDA device");
}

TEST_CASE("device lack: a device that the build has no code for") {
  for (auto const& [major, minor] : {std::pair{8, 0}, {8, 9}, {9, 0}, {10, 0}, {12, 1}})
    CHECK(said(capability(major, minor)).empty());
  CHECK(said(capability(7, 5)) == "!the CUDA device is of compute capability 7.5, this build is for 8.x, 9.0 and up");
  CHECK(said(capability(9, 0), "90-real").empty());
  CHECK(said(capability(10, 0), "90-real") ==
        "!the CUDA device is of compute capability 10.0, this build is for 9.x");
  CHECK(said(capability(8, 0), "86-real") ==
        "!the CUDA device is of compute capability 8.0, this build is for 8.6 to 8.9");
  CHECK(said(capability(8, 0), "80-virtual").empty());
  CHECK(said(capability(12, 1), "120").empty());
  CHECK(said(capability(10, 0), "120") ==
        "!the CUDA device is of compute capability 10.0, this build is for 12.0 and up");
}

TEST_CASE("device lack: architectures of other forms, or none, are believed") {
  for (char const* architectures : {"90a", "90a-real", "native", "all-major", ""})
    CHECK(said(capability(7, 0), architectures).empty());
}
