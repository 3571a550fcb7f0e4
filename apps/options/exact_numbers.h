#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/exact/rational.h"
#include "apps/output/result.h"

namespace draftgauge {

/// For people, beside the fraction.
inline double number(Rational const& value) { return static_cast<double>(value); }

/// The fraction for people; nothing where it is too long to be read, as those that stand for roots are.
inline std::optional<Exact> readable(Rational const& value) {
  constexpr std::size_t longest = 24;
  std::string text = value.str();
  return text.size() <= longest ? std::optional(Exact{std::move(text)}) : std::nullopt;
}
inline Cell readable_cell(Rational const& value) {
  auto exact = readable(value);
  return exact ? Cell(*std::move(exact)) : Cell();
}
/// The same in a sentence, where six digits take its place.
inline std::string readable_text(Rational const& value) {
  auto const exact = readable(value);
  return exact ? exact->text : fmt::format("{:.6f}", number(value));
}

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
