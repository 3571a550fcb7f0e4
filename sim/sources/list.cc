#include <algorithm>
#include <iterator>

#include "sim/sources/source.h"

namespace draftgauge {

#define SOURCE(name) SourceCard name##_source();
#include "sim/sources/list.inc"
#undef SOURCE
std::vector<SourceCard> recording_sources();

std::vector<SourceCard> const& source_cards() {
  static std::vector<SourceCard> const cards = [] {
    std::vector<SourceCard> all = {
#define SOURCE(name) name##_source(),
#include "sim/sources/list.inc"
#undef SOURCE
    };
    std::ranges::move(recording_sources(), std::back_inserter(all));
    return all;
  }();
  return cards;
}

}  // namespace draftgauge
