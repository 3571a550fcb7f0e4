#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "sim/recordings/figures.h"

/// The pass over pairs of rows on each of Thrust's device systems: a RowPass of sim/recordings/figures.h. One source,
/// gpu/thrust_figures.inl, compiled once per system.
///
/// In doubles, of every encoding: β, TV, probabilities and logarithms within 1e-12 · (1 + |value|) of figures_of_logits,
/// entropies and divergences too, ranks and argmaxes exact. The same bits on every system and for any number of threads
/// or split of rows into calls. T > 0.
namespace draftgauge {

namespace thrust_cpp {
std::optional<UnsoundRow> figures_of_rows(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
                                          int threads);
}
namespace thrust_omp {
std::optional<UnsoundRow> figures_of_rows(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
                                          int threads);
}
namespace thrust_cuda {  // only where the build has nvcc
std::optional<UnsoundRow> figures_of_rows(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
                                          int threads);
}

/// The pass of the backend of that name (Backend::name of gpu/backends.h); empty for those whose rows the vectorised
/// figures_of_rows of sim/ scores, serial and cpu.
RowPass row_pass_of(std::string_view backend);

}  // namespace draftgauge
