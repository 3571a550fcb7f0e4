#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "apps/cli/invocation.h"

namespace draftgauge {

/// The doubles nearest to what an option's number, or its list of numbers, says.
double number_of(Invocation const& args, std::string_view name);
std::vector<double> numbers_of(Invocation const& args, std::string_view name);

/// An option's whole number. UsageError above `most`, which may hold for something alone: " for a recording".
std::int64_t at_most(std::string_view name, std::int64_t value, std::int64_t most, std::string_view whose = {});

/// The same of an option that is given or has a standard value.
int count_at_most(Invocation const& args, std::string_view name, std::int64_t most);

/// Throws UsageError where lists multiply to more results than `most_results`. options: "--alpha and --cost".
void require_few(std::string_view options, std::size_t results);

/// What a simulation takes, which checks it further: this keeps the conversion exact.
int small_count(std::string_view name, std::int64_t value);
int small_count(Invocation const& args, std::string_view name);

/// --near; of: "γ", "sizes".
Option near_option(std::string_view of);
/// A share below 1 of the best speed-up. Throws UsageError.
double near_from(Invocation const& args);

/// The greatest γ that options take.
inline constexpr std::int64_t longest_gamma = 4096;

/// --cost as the one number that it is here; `hint`: what to give in place of a list. Throws UsageError.
double one_cost(std::string const& cost, std::string const& hint);

/// Whether the option is given and names a file that is there.
bool names_file(Invocation const& args, std::string_view name);

/// Throws InputError that there is no file of that name, and says what the option takes.
[[noreturn]] void refuse_absent(std::string const& path, std::string const& takes);
/// Throws where there is no file of that name, in words that say what else the option takes: InputError of a path, and
/// UsageError of a word. option: "--cost"; numbers: "a number"; why: "c is a time …"; example: ".05".
void require_file(std::string_view option, std::string const& text, std::string_view numbers, std::string_view why,
                  std::string_view example);

}  // namespace draftgauge
