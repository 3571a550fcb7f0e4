#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/recordings/json_records.h"

/// Fields of JSON that engines write, with errors that name place and field.
namespace draftgauge {

/// A whole number ≥ 0 and at most most_rounds, under the first of these names that is there.
std::optional<std::int64_t> optional_count(std::string const& place, nlohmann::json const& object,
                                           std::initializer_list<std::string_view> names);
/// The same; InputError where none is there.
std::int64_t required_count(std::string const& place, nlohmann::json const& object,
                            std::initializer_list<std::string_view> names);
std::optional<double> optional_real(std::string const& place, nlohmann::json const& object,
                                    std::initializer_list<std::string_view> names);
/// A list of counts, at most most_listed of them; empty where it is not there.
std::vector<std::int64_t> optional_counts(std::string const& place, nlohmann::json const& object,
                                          std::initializer_list<std::string_view> names);
std::vector<double> optional_reals(std::string const& place, nlohmann::json const& object,
                                   std::initializer_list<std::string_view> names);

/// No request has more rounds to list.
inline constexpr std::size_t most_listed = std::size_t{1} << 20;

/// per_step_accepted and per_step_drafted of a request; where the second is missing each step drafted `num_spec_tokens`
/// if `drafted`, their sum, says so. Empty where either is unknown. Throws InputError where the two lists are not as
/// long, and for a step that accepted more than it drafted.
OrderedRounds steps_of(std::string const& place, nlohmann::json const& object, std::optional<std::int64_t> drafted);

/// Throws InputError "PLACE: WHAT stands twice (…)": it would count as two that are independent.
[[noreturn]] void refuse_twice(std::string const& place, std::string const& what);

/// The first of the record, its response, its body, that has the path of names; null where none has.
nlohmann::json const* holder(nlohmann::json const& record, std::initializer_list<std::string_view> path);

/// The choice of a response that has a single one; else null: of several none is a request's own.
nlohmann::json const* only_choice(nlohmann::json const& record);

/// Adds a number that the engine prints beside its counts, where the object has it. within: how far rounding may have
/// moved it, where its digits say no less.
void says(std::vector<EngineNumber>& all, std::string const& place, nlohmann::json const& object,
          std::string_view name, Rate meaning, double within);

/// The mean acceptance length of all rounds of a server, which does not say how many they are. Domain: the object has
/// it.
void take_mean_of_server(EngineCounters& counters, std::string const& place, nlohmann::json const& object,
                         std::string_view name);

/// The time per token of a benchmark, where the record has it: mean_tpot_ms, else mean_itl_ms, over so many tokens
/// where that is the time between steps.
void take_token_time(EngineCounters& counters, std::string const& place, nlohmann::json const& record,
                     std::optional<double> tokens_per_step);

/// The number of tokens that a record says was set to be drafted, if it does. A file's is the longest: it may change
/// with the load. Throws InputError where it is not from 1 to most_positions.
void take_length(EngineCounters& counters, std::string const& place, nlohmann::json const& object,
                 std::string_view name);

/// A request with all that follows from its sums, and from its rounds where they are listed, and the numbers that stand
/// beside these.
void take_request(EngineCounters& counters, std::string name, CounterSums sums, std::vector<EngineNumber> says = {},
                  std::vector<OrderedRounds> texts = {});

}  // namespace draftgauge
