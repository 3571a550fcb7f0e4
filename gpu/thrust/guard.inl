// Included first by every source of device code (engine.inl, plain_rounds.inl).
#include <thrust/detail/config.h>
#include <thrust/functional.h>
#include <thrust/version.h>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#include <omp.h>
#endif

// A unit that misses the CUDA toolkit's include path silently takes a Thrust installed beside it.
static_assert(THRUST_VERSION == DRAFTGAUGE_THRUST_VERSION, "the compiler found another Thrust than CMake did");

namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace thrust = THRUST_NS_QUALIFIER;

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
/// While it lives, OpenMP's threads do not wait for each other by spinning. A thread that spins keeps its processor
/// from the one that it waits for wherever another process wants a processor too: a simulation then went at down to a
/// thousandth of its speed. libgomp decides by OMP_WAIT_POLICY, which it reads before main begins, or by itself: a
/// team of more threads than there are processors spins a thousand turns and then sleeps
/// (gomp_throttled_spin_count_var). So a team of as many, OpenMP's own choice, has one more, which finds nothing to do.
/// What a user's OMP_NUM_THREADS, OMP_WAIT_POLICY or GOMP_SPINCOUNT says still holds.
class OversubscribedTeam {
 public:
  OversubscribedTeam() {
    if (before_ == omp_get_num_procs()) omp_set_num_threads(before_ + 1);
  }
  OversubscribedTeam(OversubscribedTeam const&) = delete;
  OversubscribedTeam& operator=(OversubscribedTeam const&) = delete;
  ~OversubscribedTeam() { omp_set_num_threads(before_); }

 private:
  int before_ = omp_get_max_threads();
};
#else
struct OversubscribedTeam {
  OversubscribedTeam() {}  // as one that does something, for whoever names it
};
#endif
}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
