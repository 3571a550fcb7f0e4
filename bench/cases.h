#pragma once
#include <cstdint>
#include <optional>

#include "sim/recordings/rows.h"

namespace draftgauge::bench {

// What is measured, as data. Goals are ratios of one core with AVX-512 (goal_on); the reasons for their sizes are in
// results/README.md.

inline constexpr int gamma = 5;
inline constexpr double alpha = 0.8;

inline constexpr double philox_goal = 12;     ///< × plain Philox
inline constexpr double threads_goal = 0.95;  ///< × one thread, for each thread

/// Rounds of the token rule at γ = 5 and α = 0.8 on the source exact-alpha.
struct RoundsCase {
  std::uint32_t vocab;
  bool histograms;                        ///< of the tokens at every position, beside the accepted lengths
  double goal;                            ///< × textbook
  std::optional<double> numpy_goal = {};  ///< × NumPy, which plays in the race where there is one
  std::optional<double> bound_goal = {};  ///< share of the rate at which Philox alone would make the words
  bool threads = false;                   ///< also on several threads
};
inline constexpr RoundsCase rounds_cases[] = {
    {.vocab = 32, .histograms = false, .goal = 60, .numpy_goal = 70, .bound_goal = .65, .threads = true},
    {.vocab = 32, .histograms = true, .goal = 25},
    {.vocab = 64, .histograms = false, .goal = 60, .bound_goal = .65},
    {.vocab = 64, .histograms = true, .goal = 25},
    {.vocab = 1024, .histograms = false, .goal = 15, .numpy_goal = 18, .threads = true},
    {.vocab = 1024, .histograms = true, .goal = 11},
    {.vocab = 4096, .histograms = false, .goal = 15},
    {.vocab = 4096, .histograms = true, .goal = 11},
    {.vocab = 32768, .histograms = false, .goal = 15},
    {.vocab = 32768, .histograms = true, .goal = 11, .threads = true}};

/// Every lossless rule with the drafter that it is made for, at γ = 5 and α = 0.8 on the source exact-alpha; of rules
/// that take several children, two.
struct RulesCase {
  std::uint32_t vocab;
  double goal;  ///< rounds/s of every rule on one core
};
inline constexpr int rules_children = 2;
inline constexpr RulesCase rules_cases[] = {{32, 4e6}, {1000, 2.5e6}, {32000, 1e6}, {262144, .4e6}};

/// Trees, on the source exact-alpha at α = 0.8.
struct TreesCase {
  std::uint32_t vocab;
  std::optional<double> goal = {};  ///< of every rule, × a dense verifier of the same tree
};
inline constexpr TreesCase trees_cases[] = {{32}, {1000}, {32000, 20}};
inline constexpr char const* trees_rules[] = {"recursive-without", "recursive", "traversal"};
struct BenchTree {
  char const *name, *tree;
};
inline constexpr BenchTree bench_trees[] = {
    // F = 5.80125 with Sequoia's vector of Llama 3 70B and 8B on CNN (arXiv 2402.12374), the most of 64 nodes in 10
    // levels
    {"sequoia:64",
     "[-1,0,0,0,0,1,1,1,1,2,3,4,5,5,5,6,7,9,10,12,12,12,13,14,15,16,17,18,19,19,19,20,21,22,23,24,25,26,28,28,29,31,"
     "33,35,37,38,"
     "38,39,40,41,42,43,44,45,45,46,47,48,49,50,51,52,53,62]"},
    {"levels:4,2,2,1", "levels:4,2,2,1"},
    {"paths:4,4", "paths:4,4"}};
/// Trees of so many nodes in which rounds accept nearly as many drafts: what is more of them lies below the root's
/// second child.
inline constexpr int grown_trees[] = {16, 64, 256};
inline constexpr int grown_depth = 5;
inline constexpr std::uint32_t grown_vocab = 32000;
inline constexpr double grown_goal = .8;  ///< × the rate of the smallest

/// Full rows of two models, from their bytes to their figures.
struct IngestCase {
  char const* name;
  Encoding encoding;
  double bound_goal;  ///< share of the rate at which one core reads the rows; decoding and exp hold 16-bit rows
  std::optional<double> all_cores_bound_goal = {};  ///< the same of all cores
  char const* numpy_dtype = nullptr;                ///< what NumPy reads such rows as, where it can
  std::optional<double> numpy_goal = {};            ///< × NumPy, which scores in the race where there is one
};
inline constexpr IngestCase ingest_cases[] = {{"fp32", Encoding::f32, .75, .90, "float32", 13},
                                              {"fp16", Encoding::f16, .35, {}, "float16", 20},
                                              {"bf16", Encoding::bf16, .35},
                                              {"kld", Encoding::kld, .35}};
inline constexpr std::uint64_t ingest_vocab = 49152;
inline constexpr std::uint64_t ingest_bytes = std::uint64_t{38} << 20;  ///< a side: beyond the caches
inline constexpr double ingest_goal = 38;                               ///< × plain figures

/// Rounds on a CUDA device.
enum class Plays : std::uint8_t {
  kernels,
  bus,     ///< kernels with their tables in host memory
  thrust,  ///< the engines on Thrust, for plain tasks and for any
};
/// What a round asks of a device at the least, in the mean; 0 where it asks nothing, or nobody counted it.
struct Asked {
  int slots = 0;  ///< of a scheduler, by the pipe that it keeps busiest (gpu_instructions.py); 0: at most is known
  double wavefronts = 0;   ///< of shared memory, of a warp's 32 rounds (gpu_wavefronts.py)
  double sectors = 0;      ///< of 32 bytes that are read through L2: the positions that it examines
  double far_sectors = 0;  ///< of them, from the memory behind it: what 50 MB of L2 cannot hold
};
struct GpuCase {
  char const* name;
  char const* source;
  Plays plays = Plays::kernels;
  std::optional<double> goal = {};  ///< rounds/s on one H200
  char const* rule = "token";
  char const* policy = "fixed";
  int gamma = bench::gamma;
  std::uint32_t rounds = 1;  ///< of a trial
  int positions = 0;
  bool firsts = false;   ///< the first token of each round is counted, as a certificate needs
  int instructions = 0;  ///< of sm_90 a round (bench/gpu_instructions.py); 0 where nobody counted them
  Asked asked = {};
};
inline constexpr char const* gpu_32 = "exact-alpha:vocab=32,alpha=0.8";
inline constexpr char const* gpu_1024 = "exact-alpha:vocab=1024,alpha=0.8";
inline constexpr char const* gpu_4096 = "exact-alpha:vocab=4096,alpha=0.8";
inline constexpr char const* gpu_32000 = "exact-alpha:vocab=32000,alpha=0.8";
inline constexpr char const* gpu_in_l2 = "noisy-softmax:vocab=49152,contexts=64";       // 32 MiB of steps
inline constexpr char const* gpu_beyond_l2 = "noisy-softmax:vocab=262144,contexts=64";  // 128 MiB of them
inline constexpr GpuCase gpu_cases[] = {
    {.name = "GPU V=32", .source = gpu_32, .goal = 100e9, .instructions = 162, .asked = {215, 11.0}},
    {.name = "GPU V=32, histograms",
     .source = gpu_32,
     .goal = 40e9,
     .positions = gamma + 1,
     .instructions = 285,
     .asked = {296, 27.9}},
    {.name = "GPU V=1024", .source = gpu_1024, .goal = 100e9, .instructions = 162, .asked = {215, 24.6}},
    {.name = "GPU V=4096", .source = gpu_4096, .goal = 100e9, .instructions = 185, .asked = {289, 25.0}},
    {.name = "GPU V=4096, histograms",
     .source = gpu_4096,
     .goal = 40e9,
     .positions = gamma + 1,
     .instructions = 308,
     .asked = {325, 44.4}},
    {.name = "GPU V=49152, 64 contexts",
     .source = gpu_in_l2,
     .goal = 20e9,
     .instructions = 302,
     .asked = {534, 1, 2.45}},
    {.name = "GPU certificate, V=32",
     .source = gpu_32,
     .goal = 33e9,
     .firsts = true,
     .instructions = 285,
     .asked = {296, 16.6}},
    {.name = "GPU V=32, γ=3", .source = gpu_32, .gamma = 3, .instructions = 180, .asked = {180, 7}},
    {.name = "GPU V=32, γ=8", .source = gpu_32, .gamma = 8, .instructions = 464, .asked = {466, 17}},
    {.name = "GPU V=32, matches", .source = gpu_32, .rule = "coupled", .instructions = 1362, .asked = {0, 11}},
    {.name = "GPU V=32, 16 rounds a trial", .source = gpu_32, .rounds = 16, .instructions = 363, .asked = {463, 1}},
    {.name = "GPU V=262144, 64 contexts",
     .source = gpu_beyond_l2,
     .instructions = 302,
     .asked = {534, 1, 2.42, 1.47}},
    {.name = "GPU V=4096, tables in host memory", .source = gpu_4096, .plays = Plays::bus},
    {.name = "GPU V=32, plain", .source = gpu_32, .plays = Plays::thrust},
    {.name = "GPU V=32000, token, plain", .source = gpu_32000, .plays = Plays::thrust, .goal = 10e9},
    {.name = "GPU V=32000, block, plain", .source = gpu_32000, .plays = Plays::thrust, .goal = 1e9, .rule = "block"},
    {.name = "GPU V=32000, recursive, plain",
     .source = gpu_32000,
     .plays = Plays::thrust,
     .goal = 1e9,
     .rule = "recursive"},
    {.name = "GPU V=32000, token, adaptive", .source = gpu_32000, .plays = Plays::thrust, .policy = "heuristic"},
    {.name = "GPU V=32000, gbv", .source = gpu_32000, .plays = Plays::thrust, .rule = "gbv"}};

/// Two sources of one vocabulary and alpha, whose rounds differ in how many of them tables leave open: what settling
/// these costs.
struct SettlingCase {
  char const *name, *open, *decided;
};
/// A uniform q parts no bucket, so only flips are left open there: 2^-16 of them.
inline constexpr SettlingCase gpu_settling = {"GPU V=1024, settling", gpu_1024,
                                              "zipf:vocab=1024,exponent=.43455,draft-exponent=0"};

}  // namespace draftgauge::bench
