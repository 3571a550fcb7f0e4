#include "analysis/counters/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/counters/printed_rate.h"
#include "analysis/sequence/count_bracket.h"
#include "analysis/stats/kaplan_meier.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

std::int64_t count_at(std::string const& place, std::string_view name, Json const& value) {
  std::int64_t const count = count_of(place, name, value);
  if (count > most_rounds)
    refuse_record(place, fmt::format("{} is {}", name, count), fmt::format("{} is the most", most_rounds));
  return count;
}

std::string_view name_there(Json const& object, std::initializer_list<std::string_view> names) {
  for (std::string_view const name : names)
    if (member(object, {name})) return name;
  return *names.begin();
}

Json const* list_at(std::string const& place, Json const& object, std::initializer_list<std::string_view> names) {
  Json const* value = member(object, names);
  if (!value) return nullptr;
  if (!value->is_array() || value->size() > most_listed)
    throw InputError(fmt::format("{}: {} is {} (expected: a list of at most {} numbers)", place,
                                 name_there(object, names), shown(*value), most_listed),
                     "correct the log");
  return value;
}

}  // namespace

void refuse_twice(std::string const& place, std::string const& what) {
  refuse_record(place, what + " stands twice", "counted as two it would make intervals too narrow",
                "keep one of the two");
}

std::optional<std::int64_t> optional_count(std::string const& place, Json const& object,
                                           std::initializer_list<std::string_view> names) {
  Json const* value = member(object, names);
  if (!value) return std::nullopt;
  return count_at(place, name_there(object, names), *value);
}

std::int64_t required_count(std::string const& place, Json const& object,
                            std::initializer_list<std::string_view> names) {
  auto const count = optional_count(place, object, names);
  if (!count) refuse_record(place, fmt::format("{} is missing", *names.begin()), "expected: a whole number ≥ 0");
  return *count;
}

std::optional<double> optional_real(std::string const& place, Json const& object,
                                    std::initializer_list<std::string_view> names) {
  Json const* value = member(object, names);
  if (!value) return std::nullopt;
  return real_of(place, name_there(object, names), *value);
}

std::vector<std::int64_t> optional_counts(std::string const& place, Json const& object,
                                          std::initializer_list<std::string_view> names) {
  std::vector<std::int64_t> counts;
  if (Json const* list = list_at(place, object, names))
    for (Json const& value : *list) counts.push_back(count_at(place, name_there(object, names), value));
  return counts;
}

std::vector<double> optional_reals(std::string const& place, Json const& object,
                                   std::initializer_list<std::string_view> names) {
  std::vector<double> numbers;
  if (Json const* list = list_at(place, object, names))
    for (Json const& value : *list) numbers.push_back(real_of(place, name_there(object, names), value));
  return numbers;
}

Json const* holder(Json const& record, std::initializer_list<std::string_view> path) {
  for (Json const* at :
       {&record, member(record, {"response"}), member(record, {"body"}), member_at(record, {"response", "body"})})
    if (Json const* found = at ? member_at(*at, path) : nullptr) return found;
  return nullptr;
}

void says(std::vector<EngineNumber>& all, std::string const& place, Json const& object, std::string_view name,
          Rate meaning, double within) {
  if (auto const value = optional_real(place, object, {name}))
    all.push_back({std::string(name), *value, meaning, within_digits(*value, within)});
}

void take_token_time(EngineCounters& counters, std::string const& place, nlohmann::json const& record,
                     std::optional<double> tokens_per_step) {
  auto const ms = optional_real(place, record, {"mean_tpot_ms"}), itl = optional_real(place, record, {"mean_itl_ms"});
  if (ms && *ms > 0)
    counters.token_time = {"mean_tpot_ms", *ms / 1000};
  else if (itl && *itl > 0)
    counters.token_time = {tokens_per_step ? "mean_itl_ms over tokens per step" : "mean_itl_ms",
                           *itl / 1000 / tokens_per_step.value_or(1)};
}

void take_request(EngineCounters& counters, std::string name, CounterSums sums, std::vector<EngineNumber> says,
                  std::vector<OrderedRounds> texts) {
  std::erase_if(texts, [](OrderedRounds const& rounds) { return rounds.empty(); });
  if (sums.histograms.empty()) sums.histograms = histograms_of(texts);
  complete(sums);
  counters.requests.push_back({std::move(name), std::move(sums), std::move(says), std::move(texts)});
}

}  // namespace draftgauge
