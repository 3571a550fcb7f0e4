#include "analysis/recordings/certain_texts.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace draftgauge {

void CertainTexts::require_computed(std::string const& file, std::string_view name) const {
  constexpr std::size_t fewest = 10;
  if (certain_ < fewest || 2 * certain_ < all_) return;
  throw InputError(
      fmt::format("{}: {} of {} {} are 0 in texts that hold nothing else (they were not computed: vLLM V0 "
                  "writes 0 where it speculates)",
                  file, certain_, all_, name),
      "score the text again with speculation off");
}

}  // namespace draftgauge
