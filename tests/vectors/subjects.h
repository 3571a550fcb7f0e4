#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/exact/rational.h"
#include "analysis/exact/written_rational.h"

namespace draftgauge::vectors {

using Json = nlohmann::json;

#define SUBJECT(name) Json name(Json const& inputs);
#include "tests/vectors/subjects.inc"
#undef SUBJECT

/// A number of a case, which is a string or, where it is a whole one, a number.
inline Rational number(Json const& value) {
  return value.is_string() ? parse_rational(value.get<std::string>()) : Rational(value.get<std::int64_t>());
}
inline std::string text(Rational const& value) { return value.str(); }

}  // namespace draftgauge::vectors
