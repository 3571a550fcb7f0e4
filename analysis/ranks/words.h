#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

/// The messages between ranks: a word, a blank, and what belongs to it.
namespace draftgauge::rank_words {

// From rank 0.
inline constexpr std::string_view task = "task";    ///< JSON: version, how, number
inline constexpr std::string_view piece = "piece";  ///< two numbers: the trials from the first to before the second
inline constexpr std::string_view stop = "stop";    ///< play no further: say what was played of the piece
inline constexpr std::string_view end = "end";      ///< nothing more will come: say bye
// To rank 0.
inline constexpr std::string_view ready = "ready";    ///< JSON: version, seed, id, the task's number
inline constexpr std::string_view row = "row";        ///< seconds, a blank, a row of a store
inline constexpr std::string_view failed = "failed";  ///< JSON: problem, hint
inline constexpr std::string_view bye = "bye";        ///< nothing more will come

inline std::string message(std::string_view word, std::string_view rest = {}) {
  return std::string(word) + ' ' + std::string(rest);
}
/// The word and what stands behind it.
inline std::pair<std::string_view, std::string_view> split(std::string_view text) {
  std::size_t const blank = std::min(text.find(' '), text.size());
  return {text.substr(0, blank), text.substr(std::min(blank + 1, text.size()))};
}

}  // namespace draftgauge::rank_words
