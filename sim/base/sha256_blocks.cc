#include "sim/base/sha256_blocks.h"

#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace draftgauge {
namespace {

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void compress(Sha256State& state, std::uint8_t const* block) {
  std::array<std::uint32_t, 64> w;
  for (int i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    std::uint32_t const s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    std::uint32_t const s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    std::uint32_t const s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    std::uint32_t const t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    std::uint32_t const s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    std::uint32_t const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  Sha256State const added{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += added[i];
}

#if defined(__x86_64__)

/// By the instructions of Intel's white paper "Intel SHA Extensions" (2013). They take the state as the words a b e f
/// and c d g h, from a register's highest word to its lowest; W[t] to W[t + 3] begin at the lowest.
/// - sha256rnds2(cdgh, abef, wk): a b e f two rounds later, with W + K of these rounds in the two lowest words of wk.
///   What was a b e f is c d g h then, so that the next call has the two exchanged.
/// - sha256msg1(w0, w4): W[t] + σ0(W[t + 1]) for the four t of w0; the last of them looks into w4.
/// - sha256msg2(sums, w12): adds σ1(W[t - 2]) to four sums; the last two look at the first two results.
__attribute__((target("sha,sse4.1"))) void sha256_blocks_x86(Sha256State& state, std::uint8_t const* blocks,
                                                             std::size_t count) {
  auto const at = [](auto* p) { return reinterpret_cast<__m128i const*>(p); };
  // Words in a block begin with their highest byte.
  __m128i const swapped = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  auto const [a, b, c, d, e, f, g, h] = state;
  std::array<std::uint32_t, 4> high{f, e, b, a}, low{h, g, d, c};
  __m128i abef = _mm_loadu_si128(at(high.data())), cdgh = _mm_loadu_si128(at(low.data()));
  for (; count > 0; --count, blocks += 64) {
    __m128i const abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // the last 16 words of the schedule, round and round
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 16; ++i) {
      __m128i& now = w[i % 4];
      if (i < 4) {
        now = _mm_shuffle_epi8(_mm_loadu_si128(at(blocks + 16 * i)), swapped);
      } else {
        __m128i const &w4 = w[(i + 1) % 4], &w8 = w[(i + 2) % 4], &w12 = w[(i + 3) % 4];
        __m128i const seven_back = _mm_alignr_epi8(w12, w8, 4);
        now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w4), seven_back), w12);
      }
      __m128i const wk = _mm_add_epi32(now, _mm_load_si128(at(&round_constants[4 * i])));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_unpackhi_epi64(wk, wk));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(high.data()), abef);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(low.data()), cdgh);
  state = {high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0]};
}

bool has_sha_instructions() {
  // GCC 12's __builtin_cpu_supports does not know "sha".
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_SHA) != 0 &&
         __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
}

#endif

}  // namespace

void sha256_blocks_portable(Sha256State& state, std::uint8_t const* blocks, std::size_t count) {
  for (; count > 0; --count, blocks += 64) compress(state, blocks);
}

Sha256Blocks sha256_blocks_fastest() {
#if defined(__x86_64__)
  static bool const x86 = has_sha_instructions();
  if (x86) return sha256_blocks_x86;
#endif
  return sha256_blocks_portable;
}

}  // namespace draftgauge
