#pragma once
#include <string_view>
#include <vector>

#include "sim/base/fraction.h"

namespace draftgauge {

class Keys;
struct Source;
struct SourceOptions;

/// What a key of a source means and which values it takes.
struct KeyCard {
  enum class Kind {
    count,   ///< a whole number: 1000000, 1e6, 2.5M
    number,  ///< a decimal or a ratio, read exactly
    choice,  ///< one of `choices`
    text,    ///< anything; in double quotes where it has a comma, a quote in them doubled
  };
  std::string_view name;
  Kind kind;
  std::string_view meaning;
  std::string_view standard = {};  ///< the value where none is given; empty: `required`, or left out
  Fraction least = 0, most = 0;    ///< of a count or number
  std::vector<std::string_view> choices = {};
  bool required = false;
};

/// What people and programs read about a source of laws, and how it is built from its keys.
struct SourceCard {
  std::string_view name;
  std::string_view summary;  ///< one sentence
  std::string_view tables;   ///< the formula of p and q
  std::vector<KeyCard> keys;
  Source (*build)(Keys const&, SourceOptions const&);
};

/// All sources, in the order of list.inc.
std::vector<SourceCard> const& source_cards();

}  // namespace draftgauge
