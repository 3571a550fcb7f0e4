#include "analysis/stats/token_trace.h"

#include <fmt/format.h>

namespace draftgauge {

std::size_t TokenTrace::tokens() const {
  std::size_t sum = 0;
  for (TextTrace const& text : texts) sum += text.size();
  return sum;
}

std::string law_of_text(TokenTrace const& trace) {
  std::string law = fmt::format("T = {:g}", *trace.temperature);
  if (trace.top_k > 0) law += fmt::format(", top-k {}", trace.top_k);
  if (trace.top_p < 1) law += fmt::format(", top-p {:g}", trace.top_p);
  return law;
}

}  // namespace draftgauge
