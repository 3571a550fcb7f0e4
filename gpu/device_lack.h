#pragma once
#include <string>
#include <string_view>

namespace draftgauge {

/// What CUDA's run time says of the machine that the program runs on, without making a context.
struct CudaAnswers {
  int driver = 0;   ///< CUDA version that the driver is for, 1000·major + 10·minor; 0 where there is no driver
  int runtime = 0;  ///< that of the build
  std::string failure = {};  ///< of counting devices, as CUDA words it; empty where there is none
  int devices = 0;           ///< where there is no failure
  int major = 0, minor = 0;  ///< compute capability of the first of them
};

/// Why no device can be used.
struct DeviceLack {
  std::string why = {};   ///< empty where one can
  bool expected = false;  ///< there seems to be a device: who left the choice to `auto` may wonder
};

/// `architectures`: those that the build has code for, as CMAKE_CUDA_ARCHITECTURES lists them ("80-real 90"): NN-real
/// code for NN and later ones of its major version, NN-virtual PTX for all later ones, NN both. Those of other forms
/// (90a, native) are believed to be right.
DeviceLack device_lack(CudaAnswers const& answers, std::string_view architectures);

}  // namespace draftgauge
