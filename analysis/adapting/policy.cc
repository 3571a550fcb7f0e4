#include "analysis/adapting/policy.h"

#include "analysis/adapting/cards.h"

namespace draftgauge {

std::size_t AdaptingTexts::tokens() const {
  std::size_t all = 0;
  for (auto const& request : requests)
    for (AdaptingText const& text : request) all += text.accepted.size();
  return all;
}

std::size_t AdaptingTexts::texts() const {
  std::size_t all = 0;
  for (auto const& request : requests) all += request.size();
  return all;
}

std::span<AdaptingPolicy const> adapting_policies() {
  static AdaptingPolicy const all[] = {
#define ADAPTING(name) adapting::name(),
#include "analysis/adapting/policies/list.inc"
#undef ADAPTING
  };
  return all;
}

}  // namespace draftgauge
