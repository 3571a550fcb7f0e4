#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/texts/text_ratio.h"
#include "analysis/theory/cost.h"

/// Drafts that are looked up in text: which they are follows from token ids alone, and so does, given the text that the
/// target wrote, what a lossless rule accepts of them (fixed drafts: as far as the text goes on alike). Rounds are
/// therefore replayed exactly, R(t) = 1 + R(t + m + 1) with m accepted drafts at token t, whatever the temperature.
namespace draftgauge {

struct LookupRound {
  std::size_t start;       ///< the text's token, from 0, at which it starts
  std::uint32_t drafts;    ///< nodes below the root
  std::uint32_t accepted;  ///< m: of the text's next tokens, which end with the text
};

/// A way to look drafts up, for readers.
struct LookupCard {
  std::string_view name, summary, source;
};
inline constexpr LookupCard lookup_cards[] = {
    {"pld", "prompt lookup as published: what followed the text's last tokens before, or nothing if it is too short",
     "Saxena 2023, prompt-lookup-decoding"},
    {"ngram", "prompt lookup as vLLM's ngram and transformers draft: as much as followed, up to the text's end",
     "vLLM, ngram_proposer.py; transformers"},
    {"pool", "the n-grams after the text's last token, as lookahead decoding keeps them",
     "Fu et al. 2024, 2402.02057"},
    {"rest", "what follows the text's last tokens in a datastore of other texts", "He et al. 2023, 2311.08252"},
};

/// Prompt lookup decoding (Saxena 2023, github.com/apoorvumang/prompt-lookup-decoding).
struct PromptLookup {
  int longest = 3;    ///< suffixes of so many tokens down to 1 are tried, the first that is found decides
  int drafts = 10;    ///< tokens after the match
  bool whole = true;  ///< all of them must be there; else as many are drafted as there are
};
/// The rounds of a text that looks in what of it was written before, not in its prompt: the first earlier occurrence of
/// the suffix. Whole: with all drafts after it, which the suffix does not overlap; so Saxena's find_candidate_pred_tokens.
/// Else with at least one: so transformers' PromptLookupCandidateGenerator and vLLM's NgramProposer. The numbers ≥ 1,
/// else UsageError.
std::vector<LookupRound> prompt_lookup(std::span<std::int64_t const> text, PromptLookup const& options);

/// The pool of n-grams of lookahead decoding (Fu et al. 2024, arXiv 2402.02057), filled from what is written so far.
/// Lookahead itself fills it with what Jacobi iterations guess beside the text, which no text tells.
struct TokenPool {
  int drafts = 4;   ///< N − 1: of an n-gram of N tokens, of which the first is its key
  int guesses = 7;  ///< G: n-grams of a key, those met last
};
/// The rounds of a text that offer, after its last token, what followed that token before: the G different runs of N
/// − 1 tokens met last, all of which are verified, in branches of their own. The prompt is not looked in. The options
/// ≥ 1, else UsageError.
std::vector<LookupRound> pooled_lookup(std::span<std::int64_t const> text, TokenPool const& options);

/// REST (He et al. 2023, arXiv 2311.08252): drafts from a datastore.
struct Retrieval {
  int longest = 16, shortest = 2;  ///< suffixes from the longest down; the first that is found decides
  int drafts = 10;                 ///< at most, after each match
  std::size_t matches = 5000;  ///< that are looked at: of more, so many evenly spaced in the order of their tokens
  std::size_t prefixes = 64;  ///< nodes of the tree: the most frequent, of equal ones the shorter, then the first met
};

/// Texts in the order of all their suffixes.
class Datastore {
 public:
  /// longest: of the suffixes that can be found, ≥ 1. Time O(N log N) comparisons of as many tokens.
  Datastore(std::vector<std::vector<std::int64_t>> texts, int longest);

  std::size_t tokens() const { return order_.size(); }
  /// The rounds of a text; `without`: a text of the store that is not looked in, as where it is the text itself. Its
  /// prompt is not part of a suffix. 1 ≤ shortest ≤ longest ≤ that of the store, the other options ≥ 1, else
  /// UsageError.
  std::vector<LookupRound> rounds(std::span<std::int64_t const> text, Retrieval const& options,
                                  std::optional<std::size_t> without = {}) const;

 private:
  struct Place {
    std::uint32_t text, token;
  };
  std::span<std::int64_t const> from(Place place) const;
  /// What follows the suffix at each of its places.
  std::vector<std::span<std::int64_t const>> continuations(std::span<std::int64_t const> suffix,
                                                           Retrieval const& options,
                                                           std::optional<std::size_t> without) const;

  std::vector<std::vector<std::int64_t>> texts_;
  int longest_;
  std::vector<Place> order_;
};

/// ΣT/Σr of the rounds of texts, and S against plain decoding: a round costs v(drafts + 1) + o. rounds: [texts] of the
/// sample's.
TextEstimate lookup_tokens(std::span<std::vector<LookupRound> const> rounds,
                           std::shared_ptr<TextSample const> const& sample);
TextEstimate lookup_speedup(std::span<std::vector<LookupRound> const> rounds,
                            std::shared_ptr<TextSample const> const& sample, Costs const& costs);

}  // namespace draftgauge
