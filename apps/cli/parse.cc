#include "apps/cli/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Version.hpp>
#include <list>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

struct Slot {
  Option option;
  std::vector<std::string> values;
};

[[noreturn]] void no_value(Option const& option, std::string_view command) {
  throw UsageError(fmt::format("{} has no value (it is used as {})", option.name, usage(option)),
                   fmt::format("see draftgauge help {}", command));
}

[[noreturn]] void too_many(std::string const& word, std::string_view command) {
  throw UsageError(fmt::format("'{}' is one word too many ({} does not know what it is)", word, command),
                   fmt::format("see draftgauge help {}", command));
}

void require_sound(Slot const& slot, std::span<std::string_view const> words, std::string_view command) {
  Option const& option = slot.option;
  if (option.kind == Kind::flag) {
    auto const has_value = [&](std::string_view word) { return word != option.name && name_in(word) == option.name; };
    auto const is_off = [](std::string const& value) { return value != "true"; };
    if (std::ranges::any_of(slot.values, is_off) || std::ranges::any_of(words, has_value)) {
      throw UsageError(fmt::format("{} takes no value (it is a switch)", option.name),
                       fmt::format("write {} alone", option.name));
    }
    return;
  }
  for (std::string const& value : slot.values) {
    if (value.empty() || value.starts_with("--")) no_value(option, command);
  }
  if (slot.values.size() > 1 && !option.many) {
    if (is_positional(option)) too_many(slot.values[1], command);
    throw UsageError(fmt::format("{} is given twice (which of the two counts would be a guess)", option.name),
                     "keep one");
  }
}

/// Refuses options that are keys of the command's file. Their values seem to be words too many: so this comes first.
void refuse_keys(std::vector<std::string> const& words, Command const& command) {
  for (std::string const& word : words)
    if (contains(command.in_file, name_in(word)))
      throw UsageError(
          fmt::format("{} is no option of {} (what is played stands in FILE)", name_in(word), command.name),
          fmt::format("write {} = … into FILE", name_in(word).substr(2)));
}

/// What people try first, and what it is called here where a command has that.
struct TriedName {
  std::string_view tried, has, write;
};
constexpr TriedName tried_names[] = {{"--json", "--format", "--format json"},
                                     {"--csv", "--format", "--format csv"},
                                     {"--acceptance", "--alpha", "--alpha .8"},
                                     {"--acceptance-rate", "--alpha", "--alpha .8"},
                                     {"--acceptance-length", "--accepted", "--accepted with rounds by kept drafts"},
                                     {"--accept-lengths", "--accepted-rounds", "--accepted-rounds 3,0,4,1: what each round accepted. Write 1 less each if the list counts the token after the drafts"},
                                     {"--alpha", "--accept", "--accept .8, or .6,.2 by rank among siblings"},
                                     {"--alpha", "--p", "exact-alpha:vocab=32,alpha=.8, a source of that α"},
                                     {"--vocab", "--p", "it with the source, as in zipf:vocab=32"},
                                     {"--draft-length", "--gamma", "--gamma 4"},
                                     {"--num-draft-tokens", "--gamma", "--gamma 4"},
                                     {"--num-speculative-tokens", "--gamma", "--gamma 4"},
                                     {"--num-speculative-tokens", "--draft-length", "--draft-length 5"},
                                     {"--max-gamma", "--most", "--most 5"},
                                     {"--k", "--most", "--most 5 for γ up to 5, or --draft-length 5 as an engine was set"},
                                     {"--gamma", "--most", "--most 5 for γ up to 5, --draft-length 5 as an engine was set, or ask theory --gamma 5"},
                                     {"--draft-cost", "--cost", "--cost .05"},
                                     {"-c", "--cost", "--cost .05"},
                                     {"--trials", "--rounds", "--rounds 1e6"},
                                     {"--samples", "--rounds", "--rounds 1e6"},
                                     {"--iterations", "--rounds", "--rounds 1e6"},
                                     {"--gpu", "--backend", "--backend cuda"},
                                     {"--cuda", "--backend", "--backend cuda"},
                                     {"--device", "--backend", "--backend cuda"},
                                     {"--plot", "--figure", "--figure FILE.svg"},
                                     {"--plot", "--format", "draftgauge figure, which draws"}};

[[noreturn]] void reject(std::string const& word, std::list<Slot> const& slots, std::string_view command) {
  if (!word.starts_with('-')) too_many(word, command);
  std::vector<std::string_view> known;
  for (Slot const& slot : slots) {
    if (!is_positional(slot.option)) known.push_back(slot.option.name);
  }
  std::string const name(name_in(word));
  for (TriedName const& each : tried_names)
    if (name == each.tried && contains(known, each.has))
      throw UsageError(fmt::format("there is no option '{}' in {}", name, command),
                       fmt::format("write {}", each.write));
  constexpr std::size_t most = 12, most_near = 5;  // more than so many in a message are not read
  if (known.size() <= most) throw UsageError(unknown_name("option", name, known));
  std::vector<std::string_view> near = nearest_names(name, known);
  near.resize(std::min(near.size(), most_near));
  if (near.empty())
    throw UsageError(fmt::format("there is no option '{}' ({} has {} others)", name, command, known.size()),
                     fmt::format("see draftgauge help {}", command));
  throw UsageError(fmt::format("there is no option '{}' (near it: {})", name, fmt::join(near, ", ")),
                   fmt::format("did you mean '{}'? All are in draftgauge help {}", near.front(), command));
}

/// CLI11 takes a word in brackets apart at its commas: behind a bracket this keeps the word whole.
constexpr char whole = '\x1f';

void unmark(std::vector<std::string>& words) {
  for (std::string& word : words)
    if (word.ends_with(whole)) word.pop_back();
}

// CLI11 takes the last word first.
void read(CLI::App& app, std::span<std::string_view const> words) {
  std::vector<std::string> last_first(words.rbegin(), words.rend());
  for (std::string& word : last_first)
    if (word.ends_with(']') || word.ends_with(whole)) word += whole;
  app.parse(std::move(last_first));
}

bool is_refused(CLI::App& app, std::span<std::string_view const> words) {
  try {
    read(app, words);
  } catch (CLI::ArgumentMismatch const&) {  // a value may be the next word
  } catch (CLI::ParseError const&) {
    return true;
  }
  return false;
}

}  // namespace

UsageError unreadable(std::string_view command, std::span<std::string_view const> words,
                      std::function<bool(std::span<std::string_view const>)> const& refused) {
  std::string_view word = words.empty() ? command : words.back();
  for (std::size_t n = 1; n < words.size(); ++n)
    if (refused(words.first(n))) {
      word = words[n - 1];
      break;
    }
  return UsageError(fmt::format("'{}' cannot be read (an option is written --name VALUE or --name=VALUE)", word),
                    fmt::format("see draftgauge help {}", command));
}

Given parse(Command const& command, std::span<std::string_view const> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::list<Slot> slots;  // a list, since CLI11 keeps the addresses
  for (OptionGroup const& group : all_groups(command)) {
    for (Option const& option : group.options) {
      Slot& slot = slots.emplace_back(Slot{option, {}});
      std::string const names = option.letter ? fmt::format("-{},{}", option.letter, option.name) : option.name;
      if (option.kind == Kind::flag) {
        app.add_flag(names, slot.values)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      } else {
        app.add_option(names, slot.values)->allow_extra_args(is_positional(option) || option.many);
      }
    }
  }
  auto const refused = [&](auto const& first) { return is_refused(app, first); };
  try {
    read(app, words);
  } catch (CLI::ArgumentMismatch const& e) {
    // The message begins with the option's names; nothing else of it is ours to print.
    std::string_view const said = e.what();
    for (Slot const& slot : slots) {
      if (said.substr(0, said.find(':')).ends_with(slot.option.name)) no_value(slot.option, command.name);
    }
    throw unreadable(command.name, words, refused);
  } catch (CLI::ParseError const&) {
    throw unreadable(command.name, words, refused);
  }
  for (Slot& slot : slots) unmark(slot.values);
  std::vector<std::string> extras = app.remaining();
  unmark(extras);
  refuse_keys(extras, command);
  // The value of an unknown option seems to be a word too many: so the option is named first.
  auto const unknown =
      std::find_if(extras.begin(), extras.end(), [](auto const& word) { return word.starts_with('-'); });
  if (unknown != extras.end()) reject(*unknown, slots, command.name);
  for (Slot const& slot : slots) require_sound(slot, words, command.name);
  if (!extras.empty()) reject(extras.front(), slots, command.name);

  Given given;
  for (Slot& slot : slots) {
    if (!slot.values.empty()) given.emplace(slot.option.name, std::move(slot.values));
  }
  return given;
}

std::string_view name_in(std::string_view word) { return word.substr(0, word.find('=')); }

std::string parser_version() { return CLI11_VERSION; }

}  // namespace draftgauge
