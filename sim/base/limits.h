#pragma once
#include <cstddef>
#include <cstdint>

namespace draftgauge {

// What a reader takes of one input: whatever is beyond is refused by name, before it takes time or memory.
// docs/limits.md lists them for users. Limits of what is simulated stand in sim/task/limits.h.

/// Lists and objects within each other. Engines write a dozen levels. What is read may be written again by a recursion.
inline constexpr std::size_t deepest_json = 100;
inline constexpr std::size_t deepest_toml = 100;

/// Bytes: of a JSON record, which takes some ten times as much when it is read; of a line of columns, which has a token;
/// of distributions by hand; and of a tree's list of parents with the rest of a document around it.
inline constexpr std::size_t longest_record = std::size_t{64} << 20;
inline constexpr std::size_t longest_line_of_columns = std::size_t{1} << 20;
inline constexpr std::size_t longest_laws_by_hand = std::size_t{256} << 20;
inline constexpr std::size_t longest_tree_text = std::size_t{1} << 20;
/// Columns of a table, or keys of an object that stands for a line of one.
inline constexpr std::size_t most_columns = 1000;

/// Headers of a .safetensors, whose tensors have a shape each and no more, and of an .npy.
inline constexpr std::uint64_t max_tensor_header = 100'000'000;
inline constexpr std::size_t deepest_tensor_header = 3;
inline constexpr std::uint64_t max_npy_header = 1 << 16;

/// Arrays of a file, or texts of its metadata: a recording has ten, a model some thousands.
inline constexpr std::size_t most_arrays = 100'000;

/// Kinds of drafts in one log, of which engines have ten.
inline constexpr std::size_t most_draft_kinds = 100;

/// Text that is unpacked is held in memory.
inline constexpr std::uint64_t longest_unpacked_text = std::uint64_t{1} << 30;

/// What packed bytes may unpack to: `unpacked_room` at any rate, and beyond that so many times their own size. Deflate packs
/// zeros 1032 to 1; numbers of a model, with padding, a few to 1; logs of a server tens to 1.
inline constexpr std::uint64_t unpacked_room = std::uint64_t{64} << 20;
inline constexpr std::uint64_t most_unpacked_per_byte = 200;
inline constexpr std::uint64_t most_unpacked(std::uint64_t packed) {
  return packed > (~std::uint64_t{0} - unpacked_room) / most_unpacked_per_byte
             ? ~std::uint64_t{0}
             : unpacked_room + most_unpacked_per_byte * packed;
}

/// What is drawn again and again: resamples times the tokens of the longest draft, times texts or requests. And
/// requests times the tokens of the longest draft, of which each pair has numbers of its own.
inline constexpr std::size_t most_drawn = 1'000'000;
inline constexpr std::size_t most_resampled = std::size_t{1} << 28;
inline constexpr std::size_t most_request_positions = std::size_t{1} << 23;

/// Results of one command, whose lists multiply; and entries of a list that a figure draws a line or a colour for.
inline constexpr std::size_t most_results = 100'000;
inline constexpr std::size_t most_drawn_lines = 256;

/// A file of `sweep`: its bytes, its tasks, and the bytes of all values of all tasks.
inline constexpr std::size_t longest_sweep = std::size_t{16} << 20;
inline constexpr std::size_t most_tasks = 100'000;
inline constexpr std::size_t most_task_bytes = std::size_t{256} << 20;

}  // namespace draftgauge
