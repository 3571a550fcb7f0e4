#include "analysis/recordings/token_trace.h"

namespace draftgauge {

std::size_t TokenTrace::tokens() const {
  std::size_t sum = 0;
  for (TextTrace const& text : texts) sum += text.size();
  return sum;
}

}  // namespace draftgauge
