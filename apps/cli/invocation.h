#pragma once
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ranks/communicator.h"
#include "apps/cli/command.h"
#include "apps/cli/values.h"
#include "apps/output/progress.h"

namespace draftgauge {

/// The values given on a command line, by the option's name; a flag that is set has the value "true".
using Given = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What a command is asked: its options by name, checked when this is made, so that a getter never fails for what the
/// user typed. Asking for a name that the command lacks, or for the value of an option that was not given and has no
/// standard value, is a mistake in the program: std::logic_error.
class Invocation {
 public:
  /// Throws UsageError for a value that its option's kind refuses and for a required option that is missing.
  /// `terminal` is where progress is shown, null where nowhere.
  /// `ranks`: the processes that share the work; this one alone where null.
  Invocation(Command const& command, Given given, std::ostream& err, std::ostream* terminal,
             Communicator* ranks = nullptr);

  std::string const& command() const { return command_; }
  Given const& given() const { return given_; }
  /// What another command is asked by these values, with the same places for warnings and progress.
  Invocation with(Command const& command, Given given) const {
    Invocation other(command, std::move(given), *err_, terminal_, ranks_);
    other.reads_ = reads_;
    other.log_ = log_;
    return other;
  }
  /// The command line as a shell would read it; options in the order of their names.
  std::string command_line() const;

  /// Whether the option was given by the user.
  bool has(std::string_view name) const;
  /// The same of an option that the command may lack.
  bool wants(std::string_view name) const { return options_.contains(name) && has(name); }
  /// Throws UsageError where the user gave one of them: its name and what it says of it, "has no meaning with --load
  /// (…)".
  void refuse(std::initializer_list<std::string_view> names, std::string_view why,
              std::string_view hint = "leave it out") const;
  /// The same of the options of groups, but for FILE.
  void refuse(std::initializer_list<OptionGroup> groups, std::string_view why,
              std::string_view hint = "leave it out") const;
  /// Throws UsageError where one of them was given together with `one`: both names and why not.
  void refuse_together(std::string_view one, std::initializer_list<std::string_view> others, std::string_view why,
                       std::string_view hint = "keep one") const;

  std::string const& text(std::string_view name) const;
  /// Empty where the user did not give it.
  std::string text_given(std::string_view name) const { return has(name) ? text(name) : std::string(); }
  std::vector<std::string> texts(std::string_view name) const;
  std::int64_t count(std::string_view name) const { return parse_count(text(name)); }
  std::vector<std::int64_t> counts(std::string_view name) const { return parse_counts(text(name)); }
  Range range(std::string_view name) const { return parse_range(text(name)); }
  std::chrono::duration<double> duration(std::string_view name) const { return parse_duration(text(name)); }
  std::uint64_t bytes(std::string_view name) const { return parse_bytes(text(name)); }
  /// Notes there the name of each option whose value is asked for, or of a switch whether it is set: an option that
  /// is given and of which neither is asked was passed over.
  void note_reads(std::set<std::string, std::less<>>& into) { reads_ = &into; }

  Format format() const;
  std::uint64_t seed() const { return static_cast<std::uint64_t>(count("--seed")); }
  Communicator& ranks() const { return *ranks_; }
  /// Threads to use: as asked, else one for each core, of which the ranks of a machine have equal shares.
  int threads() const;
  bool quiet() const { return has("--quiet"); }

  /// "draftgauge COMMAND: warning: …" on the error stream, unless quiet.
  void warn(std::string_view message) const;
  /// From now on long work is told of there, where no terminal shows it; unless quiet.
  void log_progress(std::ostream& stream);
  /// A progress line for work of `total` units (0: unknown) that ends after `limit`, shown on a terminal unless
  /// quiet.
  Progress progress(std::string label, std::uint64_t total, std::string unit,
                    std::optional<std::chrono::duration<double>> limit = {}) const;

 private:
  Option const& option(std::string_view name) const;
  void note_read(Option const& option) const;

  std::string command_;
  std::map<std::string, Option, std::less<>> options_;
  Given given_;
  std::ostream* err_;
  std::ostream* terminal_;
  Communicator* ranks_;
  std::set<std::string, std::less<>>* reads_ = nullptr;
  std::shared_ptr<ProgressLog> log_ = {};
};

}  // namespace draftgauge
