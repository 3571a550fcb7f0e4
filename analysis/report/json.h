#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/stats/interval.h"
#include "analysis/table.h"

namespace draftgauge {

/// Keeps the order in which fields are written.
using Json = nlohmann::ordered_json;

/// What a document has where a value may be unknown.
template <class T>
Json or_null(std::optional<T> const& value) {
  return value ? Json(*value) : Json();
}

/// The same of a number that may be infinite, which JSON does not know.
inline Json finite_or_null(std::optional<double> const& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

/// An interval, or in its members a value whose interval is not known.
inline Json interval_document(std::optional<Interval> const& interval, double value,
                              std::optional<double> confidence) {
  if (interval) return to_json(*interval);
  return {{"value", value}, {"low", nullptr}, {"high", nullptr}, {"confidence", or_null(confidence)}};
}

}  // namespace draftgauge
