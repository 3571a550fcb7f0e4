#pragma once
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/draft/tree_shape.h"
#include "sim/sources/source.h"
#include "sim/task/task.h"

namespace draftgauge {

/// A Markov pair to try verifiers on, so that a row of the wrong context is seen: vocab rows, one for each token
/// before. All probabilities are multiples of 1/256 (of a smaller power of two above 32 tokens), which float16 and
/// bfloat16 hold exactly. From four tokens on each row has a token that p excludes and q drafts, and one that q
/// excludes. vocab from 2 to 1024, else UsageError.
Source verifier_pair(std::uint32_t vocab, std::uint64_t seed);

/// Which outcomes a verifier's rounds have, and the place of each in lists of counts and probabilities.
struct VerifierCells {
  std::uint32_t vocab;
  int gamma;
  int rounds = 1;          ///< of a text: what one leaves open the next goes on with
  int length = gamma + 1;  ///< tokens of a text that are judged
  TreeShape tree = {};     ///< of drafts, γ deep; the root alone: a chain
  bool without = false;    ///< siblings are drawn from q without replacement, so that they differ

  int row() const { return gamma + 1; }  ///< what a round can emit at most
  /// Of rounds that are seen each for itself.
  VerifierCells single() const { return {.vocab = vocab, .gamma = gamma, .tree = tree, .without = without}; }
  bool is_tree() const { return tree.size() > 1; }
  std::size_t drafted() const { return is_tree() ? tree.size() - 1 : static_cast<std::size_t>(gamma); }  ///< tokens
  std::size_t texts() const;  ///< vocab^length from each of vocab starts
  /// The first `length` tokens of a text from a start: the start's and the tokens' digits, the first most significant.
  std::size_t text(std::uint32_t start, std::span<std::int64_t const> tokens) const;
  /// Those digits again, of so many tokens: the start, and the tokens.
  std::pair<std::uint32_t, std::vector<std::uint32_t>> beginning(std::size_t text, int tokens) const;
  std::size_t emitted_from_start() const;  ///< vocab + … + vocab^(γ+1)
  std::size_t emitted() const { return emitted_from_start() * vocab; }
  /// What a round emits from a start: shorter ones first.
  std::size_t emitted(std::uint32_t start, std::span<std::int64_t const> tokens) const;
};

/// Of counts or probabilities of texts, a digit for each token, those of texts of one token less.
template <class Number>
void drop_last_token(std::vector<Number>& texts, std::uint32_t vocab) {
  for (auto [from, to] = std::pair(texts.begin(), texts.begin()); from != texts.end(); from += vocab)
    *to++ = std::accumulate(from, from + vocab, Number{});
  texts.resize(texts.size() / vocab);
}

/// What a verifier returned for one round.
struct VerifierRound {
  std::size_t emitted;  ///< tokens
  std::size_t kept;     ///< leading tokens that are drafts, each below the one before, but for the last token
  bool strayed;         ///< it went on after a token that was no draft: the rows after it are not those of the text
};
/// Reads γ + 1 tokens, −1 after the end. Throws InputError, which names the round, for what is no round: no token, a
/// token that does not exist, one after the end. continued: it goes on with the text of the round of that number.
VerifierRound read_round(VerifierCells const& cells, std::uint64_t number, std::span<std::int64_t const> drafts,
                         std::span<std::int64_t const> tokens, bool continued = false);

/// Texts while they are played, round after round. All of them go on until the last round, those that are long enough
/// as well, so that a text keeps its place in a verifier's batches.
struct OpenTexts {
  Range range;
  int rounds = 0;                     ///< that they have had
  std::vector<std::int64_t> starts;   ///< [texts] the token before the first round
  std::vector<std::int64_t> last;     ///< [texts] the token before the next one
  std::vector<std::int64_t> emitted;  ///< [texts] tokens so far
  std::vector<std::int64_t> tokens;   ///< [texts][length] those that are judged
};

/// Texts by a foreign verifier: where each starts, drafts from q, and counts of what came out. Text i of a seed is
/// the same however texts are put together in batches.
class VerifierGame {
 public:
  /// tables: a Markov pair, which must outlive the game. rounds: of a text. length: tokens of it that are judged; if
  /// not given as many as a round can emit. Throws UsageError for other laws, a γ or rounds below 1, a length below γ
  /// + 1, and more than 2^22 outcomes.
  VerifierGame(PairTables const& tables, int gamma, std::uint64_t seed, int rounds = 1,
               std::optional<int> length = {});
  /// Drafts along a tree, of its depth.
  VerifierGame(PairTables const& tables, TreeShape tree, bool without, std::uint64_t seed, int rounds = 1,
               std::optional<int> length = {});

  PairTables const& tables() const { return tables_; }
  VerifierCells const& cells() const { return cells_; }

  /// [texts] the token before each, any one equally likely.
  std::vector<std::int64_t> starts(Range texts) const;
  /// Texts before their first round, from those starts.
  OpenTexts open(Range texts, std::vector<std::int64_t> starts) const;
  OpenTexts open(Range texts) const { return open(texts, starts(texts)); }
  /// [texts][drafted] drafts from q of the next round: of a chain each below the one before it, of a tree by the
  /// number of their node.
  std::vector<std::int64_t> drafts(OpenTexts const& texts) const;

  /// Takes what a verifier emitted in a round: [texts][γ + 1], −1 after the end. After the last one the texts are
  /// counted. What it leaves open of their first tokens is drawn from p, which leaves the text of a lossless rule
  /// that of p (analysis/exact/exact.h, completed). Throws what read_round does.
  void add(OpenTexts& texts, std::span<std::int64_t const> drafts, std::span<std::int64_t const> tokens);

  /// [2][texts] the even ones and the odd ones.
  std::vector<std::uint64_t> const& texts(int half) const { return texts_[half]; }
  std::vector<std::uint64_t> texts() const;  ///< [texts] of both
  /// [texts of cells().single()] of first rounds alone, which p goes on with; empty where texts have one round.
  std::vector<std::uint64_t> const& first_rounds() const { return first_; }
  /// Of first rounds: those that come after begin where the verifier likes.
  std::vector<std::uint64_t> const& emitted() const { return emitted_; }
  /// [γ + 1] first rounds by how many drafts they kept.
  std::vector<std::uint64_t> const& accepted() const { return accepted_; }
  /// Rounds that did, of all.
  std::uint64_t strayed() const { return strayed_; }

 private:
  double uniform(std::uint64_t text, std::uint32_t place) const;
  VerifierGame(PairTables const& tables, VerifierCells cells, std::uint64_t seed);
  std::int64_t pick(std::vector<double> const& sums, std::uint32_t row, double uniform) const;
  /// From q of a row, but for tokens that are drawn already; any other where q has no more.
  std::int64_t pick_another(std::uint32_t row, std::span<std::int64_t const> drawn, double uniform) const;
  /// Draws what is open of a text of which so many tokens are there.
  void complete(std::uint64_t text, std::int64_t start, std::span<std::int64_t> tokens, std::size_t there) const;

  PairTables const& tables_;
  VerifierCells cells_;
  std::uint64_t seed_;
  std::vector<double> sums_p_, sums_q_;  ///< [vocab][vocab] running sums of each row
  std::vector<std::uint64_t> texts_[2], first_, emitted_, accepted_;
  std::uint64_t strayed_ = 0;
};

}  // namespace draftgauge
