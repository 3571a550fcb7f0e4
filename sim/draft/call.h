#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/draft/card.h"

namespace draftgauge {

/// One of a list and the values of its parameters: what "lenient:lenience=.5" names.
struct Call {
  int index = 0;
  Parameters values = {};

  friend bool operator==(Call const&, Call const&) = default;
};

/// A name of a list and its parameters, as parsing needs them of any kind of card.
struct Callable {
  std::string_view name;
  std::span<ParameterCard const> parameters;
};

/// Reads `NAME` or `NAME:key=value,…`; parameters that are not given have their standard values. `kind` is the word for
/// messages: "rule". Throws UsageError for unknown names and keys (with the known ones and the nearest), and for values
/// that are no numbers, out of range, or no ratio of integers up to max_ratio_part.
Call parse_call(std::string_view kind, std::string_view text, std::vector<Callable> const& known);

/// The same call in one spelling, every parameter written out in lowest terms: "lenient:lenience=1/2".
std::string call_text(Callable const& callable, Parameters const& values);

template <class Card>
std::vector<Callable> callables(std::vector<Card> const& cards) {
  std::vector<Callable> all;
  for (Card const& card : cards) all.push_back({card.name, card.parameters});
  return all;
}

}  // namespace draftgauge
