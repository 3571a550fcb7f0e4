#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "apps/output/result.h"

namespace draftgauge {

class Invocation;

/// What an option's value is; it is read by apps/cli/values.h when the command line is, and refused there.
enum class Kind {
  flag,           ///< takes no value
  text,           ///< anything
  choice,         ///< one of Option::choices
  count,          ///< 1000000, 1e9, 2.5M
  counts,         ///< 1,2,4 or 1..16
  number,         ///< 0.25, 1/3; at least 0
  numbers,        ///< .3,.4,.3; each at least 0
  probability,    ///< a number in [0, 1]
  probabilities,  ///< a list of them
  range,          ///< a..b, the trials a to b − 1
  duration,       ///< 500ms, 30s, 5m, 2h; 30 are seconds
  bytes,          ///< 512M, 4G; units are powers of 1024
  path,           ///< a file; completed as one
};

/// An option as data: parsing, help, docs and completion are made from it.
struct Option {
  std::string name;  ///< "--alpha", or "SOURCE" without dashes for what stands by itself
  Kind kind = Kind::flag;
  std::string value = {};  ///< the word for the value in help; empty: the kind's own
  std::string summary = {};
  std::string standard = {};  ///< the value where none is given; empty: none
  std::int64_t least = 0;     ///< the smallest count allowed
  std::vector<std::string> choices = {};
  char letter = 0;  ///< 'o' for -o
  bool required = false;
  bool many = false;  ///< takes several values (files)
};

struct OptionGroup {
  std::string heading;
  std::vector<Option> options;
};

struct Example {
  std::string
      line;  ///< a whole command line, run by a test from the repository's root: "draftgauge theory --alpha .8"
  std::string shows;  ///< what it shows, a short phrase
};

/// A command as data and one function from an invocation to a result.
struct Command {
  std::string name;
  std::string summary;                   ///< one line
  std::vector<std::string> description;  ///< paragraphs
  std::vector<OptionGroup> groups;       ///< its own options and the groups it shares with others
  std::vector<Example> examples;
  Result (*run)(Invocation const&);
  bool writes_output = false;  ///< -o names what the command itself writes; its result is still printed
  /// Options of other commands that are keys of the FILE that this one reads.
  std::vector<std::string> in_file = {};
  /// What its text format is, where that is a file's text and no reading: "an HTML page". No terminal is shown it.
  std::string text_is = {};
};

/// In every command. Added by the framework.
OptionGroup shared_options();
/// How many rounds are run.
OptionGroup sampling_options();
/// Where p and q come from.
OptionGroup source_options();
/// What time and operations cost.
OptionGroup cost_options();
/// A group's options but for these.
OptionGroup without(OptionGroup group, std::initializer_list<std::string_view> names);
Option ops_cost_option();
Option no_bonus_option();

/// The command's groups and then the shared one: all that its command line may hold.
std::vector<OptionGroup> all_groups(Command const& command);

/// The option's name and value as help shows them: "--alpha LIST", "-o, --output FILE".
std::string usage(Option const& option);

/// Whether the option stands by itself, without a name before it.
bool is_positional(Option const& option);

}  // namespace draftgauge
