// Included first by gpu/thrust_engine.inl.
#include <thrust/functional.h>
#include <thrust/version.h>

// A unit that misses the CUDA toolkit's include path silently takes a Thrust installed beside it.
static_assert(THRUST_VERSION == DRAFTGAUGE_THRUST_VERSION, "the compiler found another Thrust than CMake did");

namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace thrust = THRUST_NS_QUALIFIER;
}
