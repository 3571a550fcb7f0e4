#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace draftgauge {

/// What two models say of one recorded text x_1 … x_T, token by token, whichever format it came in. A vector is empty
/// where the recording does not say, else it has T entries. Natural logarithms; p and q are the laws that are verified:
/// after temperature and truncation.
struct TextTrace {
  std::string name = {};                  ///< what the recording calls the text
  std::vector<std::int64_t> tokens = {};  ///< x_t; to compare texts and to blame a place, never to index with
  std::vector<std::string> pieces = {};  ///< the text of each token, as the recording wrote it; to show, not to trust
  /// ln p(x_t), ln q(x_t), ≤ 0; −∞ for a token that the law excludes, so that at temperature 0 they are 0 for the law's
  /// argmax and −∞ for others. Empty where rows were recorded without their tokens.
  std::vector<double> log_p = {}, log_q = {};
  std::vector<double> beta = {};                      ///< Σ min(p, q) at t
  std::vector<double> beta_low = {}, beta_high = {};  ///< bounds of it, where only the most likely tokens were logged
  std::vector<double> entropy_p = {}, entropy_q = {}, kl_pq = {}, kl_qp = {};
  std::vector<double> max_p = {};               ///< max p
  std::vector<double> max_q = {};               ///< max q
  std::vector<std::uint8_t> agree = {};         ///< 1: argmax p = argmax q
  std::vector<std::uint8_t> top = {};           ///< 1: x_t = argmax p
  std::vector<std::uint8_t> argmax_match = {};  ///< 1: x_t = argmax q, so that an argmax draft matches the text
  std::vector<double> p_of_argmax_q = {};       ///< p(argmax q)
  std::vector<std::int64_t> rank_q = {};        ///< 1 + the number of tokens that q finds likelier
  std::vector<double> lower_q = {};  ///< Σ q of the tokens whose p/q is lower (analysis/trees/tree_walk.h)

  std::size_t size() const { return log_p.empty() ? beta.size() : log_p.size(); }  ///< T
  /// min(1, q/p) of x_t: the chance that the token rule keeps a draft there, given that the text goes on with x_t; 1
  /// where both laws exclude it. Domain: log_p and log_q are there.
  double acceptance(std::size_t t) const { return std::exp(std::min(0.0, log_q[t] - log_p[t])); }
};

/// By how much written logarithms of probabilities may lie above 0, and shares outside [0, 1].
inline constexpr double log_rounding = 1e-6;

/// A recording, scored: independent texts, and at which temperature the target wrote them.
struct TokenTrace {
  std::string name;                   ///< for tables: the file's name without folder, or "TARGET, DRAFT"
  std::vector<TextTrace> texts;       ///< none is empty
  std::optional<double> temperature;  ///< of the sampling that wrote the text, where known
  std::uint32_t top_k = 0;            ///< to how many tokens that sampling cut its law; 0: to none
  double top_p = 1;                   ///< and to the most likely that hold how much; 1: all
  std::vector<std::string> files;     ///< the paths that were read
  std::string estimated_as;           ///< the format in words: "columns", "full rows", "vLLM prompt_logprobs"
  std::vector<std::string> notes;     ///< what a reader must know: floored mass, truncated lists

  std::size_t tokens() const;  ///< ΣT
};

/// Whether every text has that column: all_have(trace, &TextTrace::beta).
bool all_have(TokenTrace const& trace, auto TextTrace::* column) {
  return std::ranges::none_of(trace.texts, [&](TextTrace const& text) { return (text.*column).empty(); });
}

/// The sampling that wrote a text, where its temperature is known: "T = 0.6, top-p 0.9".
std::string law_of_text(TokenTrace const& trace);

}  // namespace draftgauge
