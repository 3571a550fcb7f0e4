#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace draftgauge {

/// Texts of which a model is certain: each token has the log-probability 0. Servers write it, too, where they compute
/// none: vLLM V0 did with speculation (disable_logprobs_during_spec_decoding, issue 17876).
class CertainTexts {
 public:
  /// The log-probabilities of one text.
  void take(auto&& log_probs) {
    std::size_t tokens = 0, zeros = 0;
    for (double const log_prob : log_probs) {
      ++tokens;
      zeros += log_prob == 0;
    }
    all_ += tokens;
    if (zeros == tokens) certain_ += tokens;
  }
  /// Throws InputError where they are half of all tokens or more, and too many for chance.
  void require_computed(std::string const& file, std::string_view name) const;

 private:
  std::size_t all_ = 0, certain_ = 0;
};

}  // namespace draftgauge
