#include "apps/cli/as_typed.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "apps/cli/command.h"
#include "apps/cli/commands.h"

namespace draftgauge {
namespace {

/// The options of all commands, without dashes.
std::set<std::string> const& option_names() {
  static std::set<std::string> const names = [] {
    std::set<std::string> found;
    for (Command const& command : commands())
      for (OptionGroup const& group : all_groups(command))
        for (Option const& option : group.options)
          if (!is_positional(option)) found.insert(option.name.substr(2));
    return found;
  }();
  return names;
}

/// The end of the text in quotes that begins at `at`; `at` where none does. Quotes stand behind what opens a word and
/// before what ends one; an apostrophe does not.
std::size_t behind_quotes(std::string_view message, std::size_t at) {
  constexpr std::string_view before = " ([{=:,$", after = " )]},;:.?";
  char const quote = message[at];
  if ((quote != '\'' && quote != '"') || (at > 0 && before.find(message[at - 1]) == before.npos)) return at;
  // Names that messages quote are shortened: a quote without an end is looked for no further.
  constexpr std::size_t longest = 4096;
  std::string_view const rest = message.substr(at + 1, longest);
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i] == quote && (i + 1 == rest.size() || after.find(rest[i + 1]) != after.npos)) return at + i + 2;
  return at;
}

}  // namespace

std::string as_typed(std::string_view message, std::span<std::string_view const> words) {
  // By hand: std::regex recurses into each letter, and a message may quote a name of a megabyte.
  constexpr std::string_view within = "abcdefghijklmnopqrstuvwxyz0123456789-";
  std::string typed;
  std::size_t quoted = 0;  // up to here a text in quotes goes, which an input has
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (at >= quoted) quoted = behind_quotes(message, at);
    std::size_t const end = message[at] == '`' ? message.find_first_not_of(within, at + 1) : message.npos;
    bool const in_ticks = end != message.npos && message[end] == '`' && at >= quoted;
    std::string_view const name = in_ticks ? message.substr(at, end + 1 - at) : std::string_view();
    auto const has_name = [&](std::string_view word) { return word.find(name) != word.npos; };
    if (in_ticks && option_names().contains(std::string(name.substr(1, name.size() - 2))) &&
        std::ranges::none_of(words, has_name)) {
      typed.append("--").append(name.substr(1, name.size() - 2));
      at = end;
    } else {
      typed += message[at];
    }
  }
  return typed;
}

}  // namespace draftgauge
