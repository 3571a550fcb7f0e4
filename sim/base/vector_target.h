#pragma once
#include <span>
#include <string_view>

namespace draftgauge {

/// Instruction sets that the vectorised passes are compiled for, the narrowest first. All of them give the same bits:
/// what differs is time. SSE4 is not among them, for it lacks the fused multiply-add that the others round with.
enum class VectorTarget {
  scalar,  ///< one number at a time; any machine
  avx2,    ///< x86 with AVX2 and FMA (2013)
  avx512,  ///< x86 with AVX-512 F, BW, CD, DQ, VL (2017)
};

inline constexpr std::string_view vector_target_names[] = {"scalar", "avx2", "avx512"};
std::string_view name_of(VectorTarget target);

/// Those that this machine runs, the narrowest first; `scalar` is always among them.
std::span<VectorTarget const> vector_targets();

/// The widest that this machine runs, or the one that the environment variable DRAFTGAUGE_TARGET names. Throws
/// UsageError where it names none, or one that this machine lacks.
VectorTarget vector_target();

}  // namespace draftgauge
