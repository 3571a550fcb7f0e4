#pragma once
#include <cstdint>

#include "sim/chance/philox.h"

/// Known answers that pin the random numbers and their layout (sim/chance/layout.h): whoever changes one of them
/// changes the meaning of every stored result. One table for host and device. The layout's answers are checked a
/// second time by tests/oracles/layout_oracle.py, which reads them from this file and shares no code with it.
namespace draftgauge::testing {

struct PhiloxAnswer {
  Philox::Words counter;
  Philox::Key key;
  Philox::Words words;
};

/// Random123, tests/kat_vectors, the lines of philox4x32 with 10 rounds.
inline constexpr PhiloxAnswer philox_answers[] = {
    {{{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
    {{{~0u, ~0u, ~0u, ~0u}}, {{~0u, ~0u}}, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     {{0xa4093822, 0x299f31d0}},
     {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
};

/// The four words of draw `draw` of a purpose.
struct WordsAnswer {
  std::uint64_t seed, trial;
  std::uint32_t round, purpose, draw;
  Philox::Words words;
};
inline constexpr WordsAnswer words_answers[] = {
    {0x1, 0x0, 0, 0, 0, {{0xe3e80670, 0xe50a0ebc, 0x95f222c0, 0xb615aa27}}},
    {0x1, 0x0, 0, 0, 1, {{0x922b0a2b, 0xd873f469, 0x38033670, 0x44d1eef6}}},
    {0xfedcba9876543210,
     0x123456789abcdef,
     4294967295,
     0,
     16777215,
     {{0xc65b287b, 0xaa1f9ae0, 0xb06abc8e, 0x39ee7b2e}}},
    {0x1, 0x5, 3, 1, 0, {{0xf30f2128, 0x4c8dc9b9, 0x57a25fb0, 0xf6430658}}},
    {0x1, 0x5, 3, 2, 1, {{0x0281c2b7, 0x507fdc1c, 0x644428f3, 0xff5b463f}}},
    {0x1, 0x5, 3, 3, 2, {{0x104c1f54, 0xbea03ad1, 0xef573e20, 0xb56afdb8}}},
    {0x1, 0x5, 0, 4, 0, {{0xc83cc416, 0xa959d5fe, 0x2963deae, 0x75162fe2}}},
    {0x1, 0x5, 3, 16, 7, {{0x21169dde, 0x6c3dcc82, 0xcc228d63, 0xe122a0a1}}},
    {0x1, 0x5, 3, 17, 7, {{0x95ab27c6, 0xa5308be9, 0x3e6f8433, 0xca8c00c8}}},
    {0x1, 0x5, 3, 26, 7, {{0x108b55dc, 0x962f09bb, 0xbae730be, 0x2bec6834}}},
    {0x1, 0x5, 3, 7, 1, {{0x51be1eec, 0xcb3ff90b, 0x9166df20, 0x304a52f7}}},
    {0x1, 0x5, 1048575, 0, 4026531839, {{0xadf6e1d5, 0x05567920, 0xb44c634f, 0x0196ed41}}},
    {0x1, 0x5, 3, 253, 0, {{0xdb4ecb8b, 0x6ca81215, 0x44a4bf5d, 0xe9d2fb71}}},
};

/// Question number `ordinal` of its kind, asked of one round.
///   flip            flip(a, b); late_flip: one beyond those of the children
///   draft_pick      a pick from the table of known_table(a, table_bits); likewise verifier_pick
///   weighted_pick   the drafter's pick from two tokens of weights a and b; owed_pick: the rule's
///   context, start  one of a rows
///   real_flip       flip(a, b) of two doubles
///   given_pick      the rule's pick from two tokens of weights a and b, as doubles
///   share_pick      the rule's pick of what inverts itself by a double: token ⌊a·u⌋ of the share u
enum class Ask {
  flip,
  late_flip,
  draft_pick,
  verifier_pick,
  weighted_pick,
  owed_pick,
  context,
  start,
  real_flip,
  given_pick,
  share_pick
};
struct LayoutAnswer {
  Ask ask;
  int table_bits;
  std::uint64_t seed, trial;
  std::uint32_t round, ordinal;
  std::uint64_t a, b;
  std::uint32_t answer;
};

/// Bucket x of the table that the answers are for: any threshold and any other token, not the table of a certain law,
/// so that what is pinned here is which bits are read and not how tables are made.
inline std::uint64_t known_threshold(std::uint32_t x, std::uint64_t total) {
  return (x * std::uint64_t{0x9e3779b97f4a7c15} + 12345) % (total + 1);
}
inline std::uint32_t known_other(std::uint32_t x, int table_bits) {
  return (x * 40503 + 1) & ((1u << table_bits) - 1);
}

inline constexpr LayoutAnswer layout_answers[] = {
    {Ask::flip, 1, 0x2f16b4b907f246b2, 0x6a1c4067f716c21a, 64, 0, 2073232127, 4146463837, 1},
    {Ask::flip, 1, 0x1bac905ba98e6505, 0xbd9772cc, 37, 1, 1875493384, 3750984810, 0},
    {Ask::flip, 1, 0x2e0ef7074e183aca, 0x11457afc12a320ff, 13, 2, 156841032, 313680706, 1},
    {Ask::flip, 1, 0xa3b36c4e25a0a654, 0x7a15105e, 56, 3, 1976830262, 3953658769, 1},
    {Ask::flip, 1, 0x9afcb0792749fbaa, 0x6f395ddb9edee3c3, 67, 6, 1333204228, 2666407430, 0},
    {Ask::draft_pick, 1, 0x2979a53580d3e5ad, 0xd1886b3db360af38, 56, 0, 3009457976, 0, 1},
    {Ask::draft_pick, 1, 0x166fb51dcf09c227, 0xe17256b1, 31, 1, 9007199254740992, 0, 1},
    {Ask::draft_pick, 1, 0xa61b1f5a7700e3ed, 0xd66b92c389717e3f, 69, 2, 2305916479, 0, 1},
    {Ask::draft_pick, 1, 0xb28223e9822a6cc1, 0xa1754ef3, 4, 3, 9007199254740992, 0, 1},
    {Ask::draft_pick, 1, 0xfab50b8bc5372b52, 0xa657826ab70733f9, 55, 6, 3070702585, 0, 1},
    {Ask::verifier_pick, 1, 0xfea28295cd8f8cd8, 0xf783a3294f65a28d, 13, 0, 1332060813, 0, 1},
    {Ask::verifier_pick, 1, 0xc20a7b3b1c09b59a, 0xbaa8ad57, 64, 1, 9007199254740992, 0, 1},
    {Ask::verifier_pick, 1, 0xdfc2ef8b8572fc00, 0x6008f0bd105ee6be, 40, 2, 274654910, 0, 1},
    {Ask::verifier_pick, 1, 0xb4ddcca1ddfe6bf, 0x772e4c2b, 62, 3, 9007199254740992, 0, 1},
    {Ask::verifier_pick, 1, 0xde3e66c70afbf57d, 0xdb065fefac9d8db, 41, 6, 4207532251, 0, 1},
    {Ask::flip, 3, 0x4f3e4fe0bb6f50a2, 0xccc93d500fe0968f, 37, 0, 133689169, 267376850, 0},
    {Ask::flip, 3, 0x466c2f2266bad88e, 0xa6e27488, 5, 1, 506462633, 1012925118, 1},
    {Ask::flip, 3, 0x49d49d7439690806, 0x2313f0a38ace70de, 58, 2, 1164893268, 2329785121, 1},
    {Ask::flip, 3, 0xc658f15d2e7da189, 0xbb2b04fa, 29, 3, 2042705276, 4085409102, 0},
    {Ask::flip, 3, 0xea1ba715de1da316, 0xd68ec80eb6f8272c, 38, 6, 1535358924, 3070716271, 1},
    {Ask::draft_pick, 3, 0x40141c15847c31f2, 0x7c5a9e3b8001a117, 13, 0, 2147590423, 0, 6},
    {Ask::draft_pick, 3, 0x36907150fb617d9c, 0x6538ea6c, 37, 1, 9007199254740992, 0, 4},
    {Ask::draft_pick, 3, 0x9dec14d2f9da496e, 0x705a26c074e66d48, 62, 2, 1961258312, 0, 6},
    {Ask::draft_pick, 3, 0xae15fdc6ac9b7070, 0x30e429ed, 31, 3, 9007199254740992, 0, 1},
    {Ask::draft_pick, 3, 0x6cb8f3a085e3c24, 0xa3534a922197fa7c, 38, 6, 563608188, 0, 5},
    {Ask::verifier_pick, 3, 0xca569ab440ae86c5, 0xcaa352f334f41c24, 30, 0, 888413220, 0, 5},
    {Ask::verifier_pick, 3, 0x70398d4a5766fcec, 0x8362d4c7, 3, 1, 9007199254740992, 0, 2},
    {Ask::verifier_pick, 3, 0x9062b7a60b0bafd8, 0x568cfe6f0a9d4f44, 64, 2, 178081604, 0, 6},
    {Ask::verifier_pick, 3, 0xa3eae3e0fca4a549, 0xc017146d, 59, 3, 9007199254740992, 0, 3},
    {Ask::verifier_pick, 3, 0x59b34bacef9879e2, 0x55e22506a0ab7ab2, 6, 6, 2695592626, 0, 2},
    {Ask::flip, 10, 0xe5c965f5f20e8964, 0xb3c9e1ee3fc79467, 43, 0, 535522434, 1071044266, 0},
    {Ask::flip, 10, 0x815f1aa819db85e4, 0xdd65fb9f, 27, 1, 2136513138, 4273025060, 0},
    {Ask::flip, 10, 0xceeab9facce8ca1, 0x1d433dd7fcca81d1, 37, 2, 2121065065, 4242129940, 0},
    {Ask::flip, 10, 0x61a1f739659ff160, 0xedd2cf28, 54, 3, 1048970470, 2097939867, 0},
    {Ask::flip, 10, 0x6b9c3f043569b972, 0x475b66dbddc2d86f, 37, 6, 1860767925, 3721534130, 0},
    {Ask::draft_pick, 10, 0xfbc57fb6d8cf2aed, 0x788544f1fb93b33f, 15, 0, 4220760895, 0, 85},
    {Ask::draft_pick, 10, 0xe37e0f4ad96c0864, 0x1a809d54, 37, 1, 9007199254740992, 0, 566},
    {Ask::draft_pick, 10, 0x5a55164e4707d082, 0xa9cd5536997234f2, 26, 2, 2574398706, 0, 400},
    {Ask::draft_pick, 10, 0xd698b71a47cbdc38, 0x5252949d, 46, 3, 9007199254740992, 0, 478},
    {Ask::draft_pick, 10, 0x18bcb0eefb2b9ff0, 0x5ede5a1bd7aff5c4, 26, 6, 3618633156, 0, 622},
    {Ask::verifier_pick, 10, 0x882dd6a8a49a9754, 0x968a6e7818d69a0d, 45, 0, 416717325, 0, 31},
    {Ask::verifier_pick, 10, 0x988091ecdcfbc9da, 0x193da32d, 38, 1, 9007199254740992, 0, 95},
    {Ask::verifier_pick, 10, 0xd702bb39a697cbf7, 0x13c7d592e5920e2b, 67, 2, 3851554347, 0, 680},
    {Ask::verifier_pick, 10, 0x99c1d8b5f0f28376, 0xc541e587, 18, 3, 9007199254740992, 0, 979},
    {Ask::verifier_pick, 10, 0xbf7e7bacd256ee22, 0x94d7d3c4d02d798d, 55, 6, 3492641165, 0, 247},
    {Ask::flip, 11, 0xa2382e4062968e1c, 0xb3f07b3770cd8808, 66, 0, 946759797, 1893517899, 1},
    {Ask::flip, 11, 0x37718e5c5b0f9d9d, 0xf1e1f98a, 46, 1, 1485793816, 2971585849, 0},
    {Ask::flip, 11, 0x4abb9b4de6b4a634, 0x2b6f8d7f32962860, 46, 2, 424851742, 849701539, 1},
    {Ask::flip, 11, 0xe5a569c00da8aab8, 0x274a8e93, 68, 3, 1984885406, 3969768861, 0},
    {Ask::flip, 11, 0x156b18b66c50ee66, 0x3db0bab22b0f70f8, 48, 6, 361716339, 723432251, 0},
    {Ask::draft_pick, 11, 0x21d977148ad65386, 0x271662a7615511ed, 61, 0, 1632965101, 0, 1112},
    {Ask::draft_pick, 11, 0x71ad7be600f8e51a, 0x414a1e5a, 52, 1, 9007199254740992, 0, 1037},
    {Ask::draft_pick, 11, 0xbfb4620aa44d462d, 0x18251f105d91080d, 29, 2, 1569785869, 0, 1150},
    {Ask::draft_pick, 11, 0xb430c5d938b3a7be, 0x9fd6873f, 54, 3, 9007199254740992, 0, 55},
    {Ask::draft_pick, 11, 0x2b03fd3acae992b8, 0x76884193cbaaa5a3, 1, 6, 3416958371, 0, 822},
    {Ask::verifier_pick, 11, 0x1fa46f543616906d, 0x5bb50bdd6c1942e8, 66, 0, 1813594856, 0, 1938},
    {Ask::verifier_pick, 11, 0xba90ac7d460702f9, 0x722045eb, 6, 1, 9007199254740992, 0, 1154},
    {Ask::verifier_pick, 11, 0x8f38fb53247761a9, 0x520011d6ef0721a1, 35, 2, 4010221985, 0, 925},
    {Ask::verifier_pick, 11, 0x2d75ab43ccfcc507, 0xb93e8139, 39, 3, 9007199254740992, 0, 139},
    {Ask::verifier_pick, 11, 0xb23a61dd8dc71f3e, 0xb008b80a3bb7efcc, 10, 6, 1001910220, 0, 620},
    {Ask::flip, 18, 0x717cfe0f64e665bb, 0x8610d69b0d91fe6f, 23, 0, 114336744, 228671666, 1},
    {Ask::flip, 18, 0xcaa2703ba9990d8f, 0x4fb3f798, 29, 1, 1228531561, 2457062732, 0},
    {Ask::flip, 18, 0xe334403acd141be4, 0x7d1b5f4d23fd97c9, 65, 2, 302411360, 604822028, 0},
    {Ask::flip, 18, 0x80811692abc4c17e, 0xf2d9e0c3, 17, 3, 51436990, 102872840, 0},
    {Ask::flip, 18, 0x54390ebc5f6e39cc, 0x430a2fe5eb05c2af, 69, 6, 1972012109, 3944023282, 0},
    {Ask::draft_pick, 18, 0xd255748cac6e548a, 0xb9de760f4a31b1da, 48, 0, 1244770778, 0, 81958},
    {Ask::draft_pick, 18, 0xb5c7e2ef7252b7c1, 0xb7b530ea, 51, 1, 9007199254740992, 0, 1860},
    {Ask::draft_pick, 18, 0x34b0bad04a9f9d65, 0x64b67a73edfc45ad, 21, 2, 3992733101, 0, 171546},
    {Ask::draft_pick, 18, 0x2ab737c79b4d894c, 0x9511b735, 11, 3, 9007199254740992, 0, 218796},
    {Ask::draft_pick, 18, 0x9b0497d4143bb488, 0xe169295b6aa42a0, 8, 6, 3064611488, 0, 116424},
    {Ask::verifier_pick, 18, 0xc65e4ecdd00e9a88, 0x8c352278aa2245f4, 2, 0, 2854372852, 0, 136360},
    {Ask::verifier_pick, 18, 0xd1e0d0b684ca6733, 0xa2ea0a20, 19, 1, 9007199254740992, 0, 44885},
    {Ask::verifier_pick, 18, 0xff02259b61c35e8a, 0xff70adb16409142, 12, 2, 373330242, 0, 100533},
    {Ask::verifier_pick, 18, 0xbfaf23546bf404ed, 0x8e866b90, 22, 3, 9007199254740992, 0, 245433},
    {Ask::verifier_pick, 18, 0xd714dc70dd857cc1, 0x24d65744e6db9734, 22, 6, 3873150772, 0, 161208},
    {Ask::weighted_pick, 10, 0xa68d15fc, 0xe983218b, 56, 0, 1477893227, 1477892227, 1},
    {Ask::context, 10, 0xe983218b, 0xfb9e8be4, 7, 0, 71171, 0, 62441},
    {Ask::context, 10, 0xe983218b, 0xfb9e8be5, 7, 0, 4294967246, 0, 1725726672},
    {Ask::start, 10, 0xe983218b, 0x5816d883, 0, 0, 92003, 0, 29927},
    {Ask::weighted_pick, 18, 0x28d1b646, 0xf37f13f6, 17, 0, 1723800968, 1723799968, 0},
    {Ask::context, 18, 0xf37f13f6, 0x82b6bf59, 58, 0, 112205, 0, 234},
    {Ask::context, 18, 0xf37f13f6, 0x82b6bf5a, 58, 0, 4294967271, 0, 389612543},
    {Ask::start, 18, 0xf37f13f6, 0x66bf19a0, 0, 0, 39175, 0, 17858},
    {Ask::weighted_pick, 10, 0xf5d8ee40, 0x98444c23, 64, 1, 4048151069, 4048150069, 0},
    {Ask::context, 10, 0x98444c23, 0x2559824e, 19, 1, 60999, 0, 56053},
    {Ask::context, 10, 0x98444c23, 0x2559824f, 19, 1, 4294967231, 0, 1561171528},
    {Ask::weighted_pick, 18, 0xc28a103f, 0x4a1e3cbc, 48, 1, 3661373011, 3661372011, 0},
    {Ask::context, 18, 0x4a1e3cbc, 0x8925267e, 31, 1, 135238, 0, 140},
    {Ask::context, 18, 0x4a1e3cbc, 0x8925267f, 31, 1, 4294967205, 0, 38886001},
    {Ask::weighted_pick, 10, 0xf28b2de2, 0x1f7f81ad, 26, 4, 3987000665, 3986999665, 0},
    {Ask::context, 10, 0x1f7f81ad, 0x86f9b8fe, 5, 4, 208361, 0, 99480},
    {Ask::context, 10, 0x1f7f81ad, 0x86f9b8ff, 5, 4, 4294967267, 0, 2332368716},
    {Ask::weighted_pick, 18, 0x6d288cae, 0x921bb7f6, 43, 4, 2741487818, 2741486818, 0},
    {Ask::context, 18, 0x921bb7f6, 0x8e47e7b3, 28, 4, 36021, 0, 8340},
    {Ask::context, 18, 0x921bb7f6, 0x8e47e7b4, 28, 4, 4294967270, 0, 912552740},
    {Ask::owed_pick, 10, 0x5bc8fbbcbde5c099, 0xf1446bea, 67, 0, 3244611641, 3244610641, 0},
    {Ask::owed_pick, 10, 0x77330bdbd7210dff, 0x3fc1ea36, 6, 1, 2272060143, 2272059143, 0},
    {Ask::owed_pick, 10, 0x5f2dd97f1cfb10f6, 0x617959ce3f1f65a8, 69, 4, 2821154957, 2821153957, 0},
    {Ask::owed_pick, 18, 0x3fd4235992edcf45, 0x687c966c377b9aa2, 35, 0, 2585460359, 2585459359, 1},
    {Ask::owed_pick, 18, 0xde11cc9dea959c21, 0x28dbd25e, 9, 1, 2929492657, 2929491657, 0},
    {Ask::owed_pick, 18, 0x9e115e4b9e30691c, 0x74513021da8978, 0, 4, 2743485162, 2743484162, 0},
    {Ask::late_flip, 10, 0x14a03569d26b9496, 0xc3207c2b3abe, 33, 0, 319531264804, 639062529534, 0},
    {Ask::late_flip, 10, 0x9623d7cfa9ae7a34, 0xf72c78629522, 47, 1, 83752832651, 167505664648, 0},
    {Ask::late_flip, 10, 0x7d24b39645cf8aa4, 0x32b7cd4a5557, 52, 5, 16686249184, 33372496505, 0},
    {Ask::late_flip, 18, 0x181e290aae9af169, 0x903c316774fe, 33, 0, 301803713057, 603607424759, 1},
    {Ask::late_flip, 18, 0x168e5087af895f5b, 0x6cb9d822e2f9, 42, 1, 341027630346, 682055260503, 1},
    {Ask::late_flip, 18, 0xce06294d68f22599, 0x71f9401fe4fc, 12, 5, 443159323237, 886318644928, 0},
    {Ask::late_flip, 10, 0xb, 0x3, 2, 1, 8063451776, 12884901888, 0},
    {Ask::late_flip, 10, 0xb, 0x4, 2, 1, 7517556361, 12884901888, 0},
    // Nodes of wide trees: their draws reach into word 2.
    {Ask::flip, 10, 0x3729c619c60a3cab, 0x2a759159, 21, 16777216, 1523545981, 3047091963, 1},
    {Ask::flip, 10, 0xf6236bf2504b74ba, 0xad864c44e049548e, 26, 4294967294, 1695019950, 3390039901, 1},
    {Ask::draft_pick, 10, 0xf7f35634f0e3cd97, 0xf770c226, 49, 16777216, 2927744621, 0, 870},
    {Ask::draft_pick, 10, 0x5c76f18a0585a01c, 0x254cb864ef901b93, 33, 4294967294, 3430772208, 0, 48},
    {Ask::weighted_pick, 10, 0x4d25deb354f46a69, 0x960d5a8f, 0, 16777216, 2427256576, 2427255576, 1},
    {Ask::weighted_pick, 10, 0x4f59672710e6d8e6, 0x7b121dc54e5a3a26, 40, 4294967294, 3598739641, 3598738641, 0},
    {Ask::context, 10, 0x78f845f57b3120df, 0xe979cf3, 32, 16777216, 78662, 0, 49191},
    {Ask::context, 10, 0xbff29101f3001cee, 0x4a012e8677fd139, 53, 4294967294, 90471, 0, 72340},
    {Ask::flip, 18, 0x9419cf4d60597bdc, 0x73ec28d0, 5, 16777216, 1860116996, 3720233993, 1},
    {Ask::flip, 18, 0xf486ab739faba827, 0x1e782196, 31, 4294967294, 1462263463, 2924526926, 0},
    {Ask::draft_pick, 18, 0x8332f05a58296818, 0x403a960a8652dbd0, 59, 16777216, 4132640567, 0, 218604},
    {Ask::draft_pick, 18, 0xbf9703c096fabb7b, 0x5e0730b3, 37, 4294967294, 2611567188, 0, 48000},
    {Ask::weighted_pick, 18, 0xf21ff5eb6ed78f5d, 0x355f2af4, 43, 16777216, 2304815081, 2304814081, 1},
    {Ask::weighted_pick, 18, 0x25f02628eb07c30d, 0xb3de08f9ec983704, 69, 4294967294, 3704948252, 3704947252, 1},
    {Ask::context, 18, 0xaf9b74f84ffcbf42, 0xcc7c6d812d6f2efc, 10, 16777216, 135660, 0, 85218},
    {Ask::context, 18, 0xb06dbee0b89c4e56, 0x2959fea37bd9e8a1, 6, 4294967294, 67019, 0, 45943},
    // Ties, which further words decide, in both directions.
    {Ask::draft_pick, 0, 0x7, 0xa0a1, 1, 2, 10007, 0, 0},
    {Ask::verifier_pick, 0, 0x7, 0x10ef9, 1, 0, 10007, 0, 0},
    {Ask::draft_pick, 10, 0x7, 0x11, 1, 2, 10007, 0, 182},
    {Ask::draft_pick, 10, 0x7, 0x40, 1, 2, 10007, 0, 712},
    {Ask::verifier_pick, 10, 0x7, 0xd, 1, 0, 10007, 0, 485},
    {Ask::verifier_pick, 10, 0x7, 0x11, 1, 0, 10007, 0, 422},
    {Ask::draft_pick, 11, 0x7, 0x2da79d, 1, 2, 10007, 0, 1792},
    {Ask::draft_pick, 11, 0x7, 0x7df092, 1, 2, 10007, 0, 802},
    {Ask::verifier_pick, 11, 0x7, 0x2aca2, 1, 0, 10007, 0, 1174},
    {Ask::verifier_pick, 11, 0x7, 0x13fd4b, 1, 0, 10007, 0, 282},
    {Ask::draft_pick, 18, 0x7, 0x21d6, 1, 2, 9007199254740881, 0, 107407},
    {Ask::draft_pick, 18, 0x7, 0xe4e6, 1, 2, 9007199254740881, 0, 154980},
    {Ask::verifier_pick, 18, 0x7, 0x53f, 1, 0, 9007199254740881, 0, 144099},
    {Ask::verifier_pick, 18, 0x7, 0xb302, 1, 0, 9007199254740881, 0, 117281},
    {Ask::flip, 10, 0x9, 0x3, 2, 0, 33763, 196608, 0},
    {Ask::flip, 10, 0x9, 0x5, 2, 0, 78301, 196608, 1},
    {Ask::flip, 10, 0x9, 0x3, 2, 5, 139621, 196608, 0},
    {Ask::flip, 10, 0x9, 0x8, 2, 5, 77056, 196608, 1},
    {Ask::flip, 11, 0x9, 0x3, 2, 0, 1035351085, 12884901888, 0},
    {Ask::flip, 11, 0x9, 0x5, 2, 0, 337861102, 12884901888, 1},
    {Ask::flip, 11, 0x9, 0x3, 2, 5, 5197480387, 12884901888, 0},
    {Ask::flip, 11, 0x9, 0x8, 2, 5, 7151715964, 12884901888, 1},
    // Ties of two words, and of a digit of 64 bits.
    {Ask::flip, 10, 0x9, 0x3, 2, 0, 145013643169039, 844424930131968, 0},
    {Ask::flip, 10, 0x9, 0x4, 2, 0, 732771220536070, 844424930131968, 1},
    {Ask::flip, 10, 0x9, 0x3, 2, 5, 599675318869003, 844424930131968, 0},
    {Ask::flip, 10, 0x9, 0x4, 2, 5, 403266392947783, 844424930131968, 1},
    {Ask::weighted_pick, 3, 0xb, 0x256, 4, 1, 3809221731152842, 5197977523588145, 0},
    {Ask::weighted_pick, 3, 0xb, 0x3e2, 4, 1, 4590010690504608, 4417188564236379, 1},
    {Ask::context, 3, 0xb, 0x1, 4, 6, 2147483649, 0, 1890611927},
    {Ask::context, 3, 0xb, 0x5, 4, 6, 2147483649, 0, 925271692},
    {Ask::start, 11, 0xb, 0x0, 0, 0, 2147483649, 0, 1752244906},
    {Ask::start, 11, 0xb, 0x2, 0, 0, 2147483649, 0, 1462452310},
    // Of doubles; the two real flips of 1/3 are ties.
    {Ask::real_flip, 3, 0x4dad298ce834960, 0x5df5e2fc57, 18, 0, 421657075519, 457508437186, 1},
    {Ask::real_flip, 3, 0xa9506668a4996ef, 0x1c473d212b, 1, 1, 421975825703, 776122677430, 1},
    {Ask::real_flip, 3, 0x409c38f6b68b48e, 0x80dc159e6a, 20, 4, 441197390855, 823839951118, 1},
    {Ask::real_flip, 11, 0xfebddf8d1a6bff, 0xd023cf493f, 12, 0, 967015818639, 1095807396323, 1},
    {Ask::real_flip, 11, 0xcd425ec8f138999, 0xaff4873115, 13, 1, 339599535821, 587145946392, 1},
    {Ask::real_flip, 11, 0xf09529a81dda9da, 0x79dbd5f6d2, 40, 4, 85883566977, 87658883853, 1},
    {Ask::real_flip, 3, 0x7, 0x8, 9, 0, 5, 5, 1},
    {Ask::real_flip, 3, 0x11, 0x9bdf, 2, 0, 1, 3, 0},
    {Ask::real_flip, 3, 0x11, 0xe07c, 2, 0, 1, 3, 1},
    {Ask::given_pick, 3, 0xaebf99924405d96, 0x68cfec9e2c, 32, 0, 987815659, 361187590, 0},
    {Ask::given_pick, 11, 0x6ecace30490ca26, 0x925f4807bc, 3, 0, 1, 3, 0},
    {Ask::share_pick, 3, 0xce02d25ac9cd0e, 0x7af5a2224a, 23, 0, 608256, 0, 158991},
    {Ask::given_pick, 3, 0x152062c63d6f69, 0x67de27660b, 15, 1, 125723981, 597877297, 1},
    {Ask::given_pick, 11, 0xf517a7736be6e68, 0x863fa244ad, 23, 1, 1, 1, 1},
    {Ask::share_pick, 3, 0x1071e6d44673e23, 0x46c95613ef, 12, 1, 783836, 0, 625619},
    {Ask::given_pick, 3, 0xd4220519a98f4d0, 0x888e384a7b, 35, 3, 968217070, 139034467, 0},
    {Ask::given_pick, 11, 0xa897b98400b4932, 0xea4ebf6be1, 22, 3, 1, 2, 0},
    {Ask::share_pick, 3, 0x5502bfb2bb4c811, 0xe81817d023, 36, 3, 606440, 0, 61976},
};

/// Whole tallies, of trials 0…9999 of small tasks.
enum class Known {
  one,     ///< one context, p ∝ 3, 4, 3 and q ∝ 6, 3, 1
  markov,  ///< p from token x: 1 + (x + y mod 3) for y, q: 2 for every y
  wide,    ///< one context of 1025 tokens, p(x) ∝ x + 1, q(x) ∝ 1025 − x
};
struct TallyAnswer {
  Known tables;
  char const* rule;
  int gamma, branching;
  bool bonus;
  std::uint64_t seed;
  std::uint64_t accepted[4];    ///< rounds by accepted drafts
  std::uint64_t tokens;         ///< emitted in all
  std::uint64_t second_tokens;  ///< Σ x · trials whose second token is x
  std::uint64_t digest;         ///< of the whole array of counts (tests/known_tallies.h)
  char const* tree = nullptr;   ///< as after --tree, in place of gamma and children
};
inline constexpr TallyAnswer tally_answers[] = {
    {Known::one, "token", 2, 1, true, 0x1, {2959, 2113, 4928, 0}, 21969, 7063, 0x7f76822bf419f504},
    {Known::one, "token", 3, 1, false, 0x2, {3031, 2073, 1456, 3440}, 21865, 6958, 0xefcffd6f8a20f1b1},
    {Known::one, "block", 3, 1, true, 0x3, {3009, 1555, 977, 4459}, 26886, 7092, 0x22966ddffef5314a},
    {Known::one, "recursive", 2, 2, true, 0x4, {1749, 1509, 6742, 0}, 24993, 8311, 0x4bf6ef063b3e8461},
    {Known::one, "recursive-without", 3, 2, true, 0x5, {1267, 1079, 957, 6697}, 33084, 8677, 0x762e284ca89d0997},
    {Known::markov, "token", 3, 1, true, 0x6, {106608, 89158, 74548, 369686}, 1987312, 9870, 0x5012d4b6d83240f8},
    {Known::markov,
     "block",
     2,
     1,
     false,
     0xfedcba9876543210,
     {106550, 71509, 461941, 0},
     1173450,
     9956,
     0xe28d6612afd192d5},
    {Known::wide, "token", 3, 1, true, 0x8, {5004, 2506, 1275, 1215}, 18701, 3403241, 0xbfded2a858ad2d8a},
    {Known::wide, "block", 3, 1, true, 0x9, {4986, 2136, 1095, 1783}, 19675, 3455887, 0xf4570c2e8d7b0059},
    {Known::one, "spechub", 3, 2, true, 0xa, {490, 466, 454, 8590}, 37144, 9607, 0x4ef25516d761e10},
    {Known::one, "k-seq", 3, 2, true, 0xb, {1567, 1305, 1160, 5968}, 31529, 8397, 0x81ca7a284686cfb0},
    {Known::one, "top-set", 2, 2, true, 0xc, {2996, 2042, 4962, 0}, 21966, 6913, 0x3948e33e182e1a8a},
    {Known::wide, "recursive-without", 2, 3, true, 0xd, {3523, 2247, 4230, 0}, 20707, 4439964, 0x270669b1d448048d},
    {Known::one,
     "recursive",
     3,
     2,
     true,
     0xe,
     {1860, 2373, 2335, 3432},
     27339,
     8054,
     0xb84fb1472b879836,
     "[-1,0,0,1,1,3]"},
    {Known::markov,
     "k-seq",
     2,
     3,
     false,
     0xf,
     {19243, 103286, 517471, 0},
     1260757,
     9931,
     0x9fed4ca915493685,
     "levels:3,1"},
    {Known::wide,
     "recursive-without",
     2,
     3,
     true,
     0x10,
     {4892, 1784, 3324, 0},
     18432,
     3494472,
     0xa4537d108002f361,
     "levels:1,3"},
};

}  // namespace draftgauge::testing
