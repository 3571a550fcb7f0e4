#include <cmath>
#include <cstdlib>

#include "analysis/recordings/columns.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

// Any text as columns, at each kind of temperature. What is read has vectors of one length and values in their domains.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  for (std::optional<double> const temperature : {std::optional<double>(), std::optional(0.), std::optional(1.)}) {
    try {
      TokenTrace const trace = read_columns("input", text_of("input", {reinterpret_cast<char const*>(data), size}),
                                            {.temperature = temperature});
      for (TextTrace const& text : trace.texts) {
        std::size_t const length = text.size();
        bool sound = length > 0 && text.log_q.size() == length;
        for (std::size_t const other :
             {text.tokens.size(), text.beta.size(), text.argmax_match.size(), text.rank_q.size(), text.lower_q.size(),
              text.entropy_p.size(), text.kl_pq.size(), text.p_of_argmax_q.size()})
          sound = sound && (other == 0 || other == length);
        for (double const value : text.log_p) sound = sound && value <= 0;
        for (double const value : text.log_q) sound = sound && value <= 0;
        for (double const value : text.beta) sound = sound && value >= 0 && value < 1.001;
        if (!sound) std::abort();
      }
    } catch (Error const&) {
    }
  }
  return 0;
}
