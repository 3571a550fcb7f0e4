#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/open/open_text.h"
#include "analysis/recordings/logprobs/logprobs.h"

namespace draftgauge {

/// A kind of text; inspect has a view of each.
enum class TextKind { columns, log_probabilities, costs, logs, loads };

/// What people and programs read about a kind of text, and how it is known.
struct TextCard {
  TextKind kind;
  std::string name;
  std::string summary;  ///< a line: what is read
  std::string gives;    ///< inputs that it is for in `backquotes`
  /// By the first record of JSON, the names of a table (in lower case), its first line, or all of the text. Null: not
  /// by that.
  bool (*is_record)(nlohmann::json const&) = nullptr;
  bool (*has_names)(std::vector<std::string> const&) = nullptr;
  bool (*is_line)(std::string_view) = nullptr;
  bool (*is_text)(std::string_view) = nullptr;
  /// Whether such names come near it, so that its reader says best what to change; tried after all cards' marks of
  /// records and names.
  bool (*could_have_names)(std::vector<std::string> const&) = nullptr;
  /// A recording of both models, or of one; null both where it is none.
  TokenTrace (*read)(std::string const& file, std::string_view text, TextOptions const&) = nullptr;
  ModelRecording (*read_one_model)(std::string const& file, std::string_view text, TextOptions const&) = nullptr;
  /// Why it is no recording and where it belongs; empty: it is one.
  std::string_view refusal = {}, hint = {};
};
/// In the order in which they are tried.
std::vector<TextCard> const& text_cards();

/// Names of an object's members in lower case, as a table's header has them.
std::vector<std::string> lower_keys(nlohmann::json const& record);

}  // namespace draftgauge
