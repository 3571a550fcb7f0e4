#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/sources/source.h"
#include "sim/task/task.h"

namespace draftgauge {

/// A Markov pair to try verifiers on, so that a row of the wrong context is seen: vocab rows, one for each token before. All
/// probabilities are multiples of 1/256 (of a smaller power of two above 32 tokens), which float16 and bfloat16 hold exactly. From four
/// tokens on each row has a token that p excludes and q drafts, and one that q excludes. vocab from 2 to 1024, else UsageError.
Source verifier_pair(std::uint32_t vocab, std::uint64_t seed);

/// Which outcomes a verifier's rounds have, and the place of each in lists of counts and probabilities.
struct VerifierCells {
  std::uint32_t vocab;
  int gamma;

  int length() const { return gamma + 1; }  ///< of texts: what a round can emit at most
  std::size_t texts_from_start() const;     ///< vocab^(γ+1)
  std::size_t texts() const { return texts_from_start() * vocab; }
  /// The first γ + 1 tokens of a text from a start: the start's and the tokens' digits, the first most significant.
  std::size_t text(std::uint32_t start, std::span<std::int64_t const> tokens) const;
  std::size_t emitted_from_start() const;  ///< vocab + … + vocab^(γ+1)
  std::size_t emitted() const { return emitted_from_start() * vocab; }
  /// What a round emits from a start: shorter ones first.
  std::size_t emitted(std::uint32_t start, std::span<std::int64_t const> tokens) const;
};

/// What a verifier returned for one round.
struct VerifierRound {
  std::size_t emitted;  ///< tokens
  std::size_t kept;     ///< leading tokens that are the drafts, but for the last token
  bool strayed;  ///< it went on after a token that was not the draft: the rows after it are not those of the text
};
/// Reads γ + 1 tokens, −1 after the end. Throws InputError, which names the round, for what is no round: no token, a token that does
/// not exist, one after the end.
VerifierRound read_round(VerifierCells const& cells, std::uint64_t number, std::span<std::int64_t const> drafts,
                         std::span<std::int64_t const> tokens);

/// Rounds of a foreign verifier: where each starts, drafts from q, and counts of what came out. Round i of a seed is the same however
/// rounds are put together in batches.
class VerifierGame {
 public:
  /// laws: a Markov pair, which must outlive the game. Throws UsageError for other laws, a γ below 1, and more than 2^22 outcomes.
  VerifierGame(Laws const& laws, int gamma, std::uint64_t seed);

  VerifierCells const& cells() const { return cells_; }

  /// [rounds] the token before each round, any one equally likely.
  std::vector<std::int64_t> starts(Range rounds) const;
  /// [rounds][γ] drafts from q, each below the one before it.
  std::vector<std::int64_t> drafts(Range rounds) const;

  /// Counts what a verifier emitted: [rounds][γ + 1], −1 after the end. What a round leaves open of the first γ + 1 tokens is drawn
  /// from p, which leaves the text of a lossless rule that of p (analysis/exact/exact.h, completed). Throws what read_round does.
  void add(Range rounds, std::span<std::int64_t const> starts, std::span<std::int64_t const> drafts,
           std::span<std::int64_t const> tokens);

  /// [2][texts] of the even rounds and of the odd ones.
  std::vector<std::uint64_t> const& texts(int half) const { return texts_[half]; }
  std::vector<std::uint64_t> const& emitted() const { return emitted_; }
  /// [γ + 1] rounds by how many drafts they kept.
  std::vector<std::uint64_t> const& accepted() const { return accepted_; }
  std::uint64_t strayed() const { return strayed_; }

 private:
  double uniform(std::uint64_t round, std::uint32_t place) const;
  std::int64_t pick(std::vector<double> const& sums, std::uint32_t row, double uniform) const;

  VerifierCells cells_;
  std::uint64_t seed_;
  std::vector<double> sums_p_, sums_q_;  ///< [vocab][vocab] running sums of each row
  std::vector<std::uint64_t> texts_[2], emitted_, accepted_;
  std::uint64_t strayed_ = 0;
};

}  // namespace draftgauge
