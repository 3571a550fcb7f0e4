#pragma once
#include <string>
#include <string_view>

namespace draftgauge::testing {

/// "token, chen, …": a list's names as a refusal lists them: faulty entries only to who asked for one.
template <class Cards>
std::string known_names(Cards const& cards, bool faulty = false) {
  std::string names;
  for (auto const& card : cards)
    if (std::string_view const name = card.name; name.starts_with("faulty/") == faulty)
      names.append(names.empty() ? "" : ", ").append(name);
  return names;
}

}  // namespace draftgauge::testing
