#include "gpu/thrust_figures.h"

namespace draftgauge {

RowPass row_pass_of(std::string_view backend) {
  if (backend == "thrust-cpp") return thrust_cpp::figures_of_rows;
  if (backend == "thrust-omp") return thrust_omp::figures_of_rows;
#if DRAFTGAUGE_HAS_CUDA
  if (backend == "thrust-cuda" || backend == "cuda") return thrust_cuda::figures_of_rows;
#endif
  return {};
}

}  // namespace draftgauge
