#pragma once
#include <string>
#include <vector>

#include "analysis/exact/rational.h"
#include "apps/output/result.h"

namespace draftgauge {

/// For people, beside the fraction.
inline double number(Rational const& value) { return static_cast<double>(value); }

/// A fraction of the result by its name in JSON, and what people read of it: nothing where it is for programs alone.
struct Quantity {
  std::string key, words;
  Rational value;
};

/// A fraction under its name, as text, and the number nearest to it under the name and _float (docs/schema/exact.json).
inline void put_fraction(Json& document, std::string const& name, Rational const& value) {
  document[name] = value.str();
  document[name + "_float"] = static_cast<double>(value);
}

/// Lists of them.
inline void put_fractions(Json& document, std::string const& name, std::vector<Rational> const& values) {
  Json texts = Json::array(), numbers = Json::array();
  for (Rational const& value : values) {
    texts.push_back(value.str());
    numbers.push_back(static_cast<double>(value));
  }
  document[name] = std::move(texts);
  document[name + "_float"] = std::move(numbers);
}

}  // namespace draftgauge
