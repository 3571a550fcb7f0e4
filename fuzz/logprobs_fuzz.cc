#include <cstdlib>

#include "analysis/recordings/logprobs/logprobs.h"
#include "sim/base/error.h"

// Any text as one model's responses; it joins itself, where a rule accepts with probability 1 at least as far as lists
// tell.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  for (std::optional<std::int64_t> const prompt : {std::optional<std::int64_t>(), std::optional<std::int64_t>(1)}) {
    try {
      ModelRecording const recording = read_logprobs("input", text, {.prompt_tokens = prompt, .temperature = {}});
      TokenTrace const trace = join(recording, recording);
      for (TextTrace const& each : trace.texts)
        for (std::size_t i = 0; i < each.size(); ++i) {
          if (!(each.log_p[i] <= 0) || each.log_p[i] != each.log_q[i]) std::abort();
          if (each.beta.empty() && !(each.beta_low[i] <= each.beta_high[i] && each.beta_high[i] > .999)) std::abort();
        }
    } catch (Error const&) {
    }
  }
  return 0;
}
