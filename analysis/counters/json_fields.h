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

/// Throws InputError "PLACE: WHAT stands twice (…)": it would count as two that are independent.
[[noreturn]] void refuse_twice(std::string const& place, std::string const& what);

/// The first of the record, its response, its body, that has the path of names; null where none has.
nlohmann::json const* holder(nlohmann::json const& record, std::initializer_list<std::string_view> path);

/// Adds a number that the engine prints beside its counts, where the object has it. within: how far rounding may have
/// moved it, where its digits say no less.
void says(std::vector<EngineNumber>& all, std::string const& place, nlohmann::json const& object,
          std::string_view name, Rate meaning, double within);

/// The time per token of a benchmark, where the record has it: mean_tpot_ms, else mean_itl_ms, over so many tokens
/// where that is the time between steps.
void take_token_time(EngineCounters& counters, std::string const& place, nlohmann::json const& record,
                     std::optional<double> tokens_per_step);

/// A request with all that follows from its sums, and from its rounds where they are listed, and the numbers that stand
/// beside these.
void take_request(EngineCounters& counters, std::string name, CounterSums sums, std::vector<EngineNumber> says = {},
                  std::vector<OrderedRounds> texts = {});

}  // namespace draftgauge
