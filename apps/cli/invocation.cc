#include "apps/cli/invocation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <thread>

#include "apps/cli/written_values.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/base/printable.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

void require_least(Option const& option, std::int64_t value) {
  if (value >= option.least) return;
  throw Error(fmt::format("{} is too small (the smallest that makes sense is {})", value, option.least),
              fmt::format("give {} or more", option.least));
}

void check(Option const& option, std::string const& value) {
  switch (option.kind) {
    case Kind::flag:
    case Kind::text:
    case Kind::path: return;
    case Kind::choice: {
      std::vector<std::string_view> const known(option.choices.begin(), option.choices.end());
      if (!contains(known, value)) throw unknown_name("choice", value, known);
      return;
    }
    case Kind::count: return require_least(option, parse_count(value));
    case Kind::counts:
      for (std::int64_t const each : parse_counts(value)) require_least(option, each);
      return;
    case Kind::number: return static_cast<void>(parse_written_number(value));
    case Kind::numbers: return static_cast<void>(parse_written_numbers(value));
    case Kind::probability: return static_cast<void>(parse_written_probability(value));
    case Kind::probabilities: return static_cast<void>(parse_written_probabilities(value));
    case Kind::range: return static_cast<void>(parse_range(value));
    case Kind::duration: return static_cast<void>(parse_duration(value));
    case Kind::bytes: return static_cast<void>(parse_bytes(value));
  }
}

}  // namespace

Invocation::Invocation(Command const& command, Given given, std::ostream& err, std::ostream* terminal,
                       Communicator* ranks)
    : command_(command.name), given_(std::move(given)), err_(&err), terminal_(terminal), ranks_(ranks) {
  static Communicator alone;
  if (!ranks_) ranks_ = &alone;
  for (OptionGroup const& group : all_groups(command)) {
    for (Option const& option : group.options) options_.emplace(option.name, option);
  }
  for (auto const& [name, option] : options_) {
    auto const found = given_.find(name);
    if (found == given_.end()) {
      if (option.required) {
        throw UsageError(fmt::format("{} is missing ({})", name, option.summary),
                         fmt::format("add {}", usage(option)));
      }
      continue;
    }
    for (std::string const& value : found->second) {
      try {
        check(option, value);
      } catch (Error const& e) {
        throw UsageError(name, e);
      }
    }
  }
}

Option const& Invocation::option(std::string_view name) const {
  auto const found = options_.find(name);
  if (found == options_.end()) throw std::logic_error(fmt::format("{} has no option {}", command_, name));
  return found->second;
}

void Invocation::note_read(Option const& option) const {
  if (reads_) reads_->insert(option.name);
}

bool Invocation::has(std::string_view name) const {
  Option const& asked = option(name);
  if (asked.kind == Kind::flag) note_read(asked);
  return given_.contains(asked.name);
}

void Invocation::refuse(std::initializer_list<std::string_view> names, std::string_view why,
                        std::string_view hint) const {
  for (std::string_view const name : names)
    if (has(name)) throw UsageError(fmt::format("{} {}", name, why), std::string(hint));
}

void Invocation::refuse(std::initializer_list<OptionGroup> groups, std::string_view why,
                        std::string_view hint) const {
  for (OptionGroup const& group : groups)
    for (Option const& each : group.options)
      if (each.name != "FILE") refuse({each.name}, why, hint);
}

void Invocation::refuse_together(std::string_view one, std::initializer_list<std::string_view> others,
                                 std::string_view why, std::string_view hint) const {
  for (std::string_view const other : others)
    if (has(one) && has(other))
      throw UsageError(fmt::format("{} and {} cannot be given together ({})", one, other, why), std::string(hint));
}

std::string const& Invocation::text(std::string_view name) const {
  Option const& asked = option(name);
  note_read(asked);
  if (auto const found = given_.find(name); found != given_.end()) return found->second.front();
  if (asked.standard.empty()) throw std::logic_error(fmt::format("{} was not given and has no standard value", name));
  return asked.standard;
}

std::vector<std::string> Invocation::texts(std::string_view name) const {
  Option const& asked = option(name);
  note_read(asked);
  if (auto const found = given_.find(asked.name); found != given_.end()) return found->second;
  return {};
}

std::string Invocation::command_line() const {
  std::string positional, named;
  for (auto const& [name, values] : given_) {
    Option const& option = options_.find(name)->second;
    if (!is_positional(option)) named += " " + name;
    if (option.kind == Kind::flag) continue;
    for (std::string const& value : values) (is_positional(option) ? positional : named) += " " + shell_word(value);
  }
  return "draftgauge " + command_ + positional + named;
}

Format Invocation::format() const {
  auto const* found = std::ranges::find(format_cards, text("--format"), &FormatCard::name);
  return static_cast<Format>(found - std::begin(format_cards));
}

int Invocation::threads() const {
  if (!has("--threads")) {
    auto const usable =
        static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));  // a rank may be bound to few
    auto const share = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)) / ranks_->local_size();
    return ranks_->local_size() == 1 ? usable : std::clamp(share, 1, usable);
  }
  return static_cast<int>(std::min<std::int64_t>(count("--threads"), std::numeric_limits<int>::max()));
}

void Invocation::warn(std::string_view message) const {
  if (!quiet()) *err_ << fmt::format("draftgauge {}: warning: {}\n", command_, printable(message));
}

void Invocation::log_progress(std::ostream& stream) {
  if (!quiet()) log_ = std::make_shared<ProgressLog>(stream, "draftgauge " + command_);
}

Progress Invocation::progress(std::string label, std::uint64_t total, std::string unit,
                              std::optional<std::chrono::duration<double>> limit) const {
  return Progress(quiet() ? nullptr : terminal_, std::move(label), total, std::move(unit),
                  std::chrono::steady_clock::now, limit, log_.get());
}

}  // namespace draftgauge
