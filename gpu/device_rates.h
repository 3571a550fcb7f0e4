#pragma once

/// What a multiprocessor of sm_90 gives each cycle, as "GPU probes" of bench found on an H200 (bench/results/gpu.md):
/// what the rows of a device are bound by, and later probes are held beside.
namespace draftgauge::device_rates {

inline constexpr double products = 64;              ///< of 32 bits (CUDA Programming Guide, 9.0, as found)
inline constexpr double wide_products = 128 / 5.4;  ///< of 32 bits to 64
/// That 32 random reads of 8 bytes of 256 B of shared memory take (bench/gpu_wavefronts.py), and of 8 KiB.
inline constexpr double near_wavefronts = 2.0, far_wavefronts = 4.7;
inline constexpr double own_bank_counts = 32 / 2.2;
inline constexpr double l2_reads = .54;  ///< random ones of 8 bytes of 32 MiB: a sector of 32 bytes each
/// Of the rate of its memory, that a random read beyond L2 takes: more than its sector.
inline constexpr double bytes_of_far_read = 119;
inline constexpr double warps_in_one_cell = .66;  ///< counts, of the whole device

}  // namespace draftgauge::device_rates
