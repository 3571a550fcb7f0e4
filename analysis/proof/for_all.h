#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/exact/exact.h"
#include "analysis/exact/traced.h"

namespace draftgauge {

/// Equations between rational functions of the entries of some rows: each number returned has to be 0 at all laws.
struct Identity {
  std::string name;
  std::uint32_t rows;
  /// `free`, on (0, 1], is one more variable: it stands for what a number derived from a row
  /// (sim/model/row_constant.h) has beyond its least value, so that such a number need not be a rational function of
  /// the entries.
  std::function<std::vector<Traced>(std::vector<TableModel<Traced>::Row>, Traced free)> differences;
};

/// That a rule's output has the target's law for all p and q: the identities that say so (analysis/proof/identities.h
/// makes them from a rule), and TV(output, target) of a round of `gamma` positions on one table, which confirms or
/// refutes; of an uneven tree with the task's γ the tree's own round, with another γ one of the even tree around it.
struct ForAllClaim {
  int gamma = 1;
  /// The identities are those of one node: the walker gives all draft lengths by induction.
  bool every_gamma = false;
  std::uint32_t least_vocab = 1;  ///< a drafter of different tokens needs as many
  std::vector<Identity> identities;
  std::function<Rational(ExactModel const&, int gamma)> distance;
  TreeShape tree = {};  ///< what the shapes in these functions are views of
};

/// Of a round on one table, in the search for a counterexample and on tables with a row per prefix.
inline constexpr std::uint64_t most_paths_of_a_table = 100'000;

/// The claim about a rule of the list. Throws UsageError for unknown names. The shape is the caller's to check.
ForAllClaim for_all_claim(Task const& task);

/// How the laws are drawn on which a claim is tried.
struct ForAllSearch {
  std::uint32_t vocab = 3;      ///< 1…most_vocab
  std::uint64_t points = 1000;  ///< in the first batch; the n-th has n times as many. ≥ 1
  std::uint64_t seed = 1;       ///< key of the random bits
  int batches = 8;              ///< of fresh points at most, where new regions keep appearing
  int threads = 1;              ///< the result does not depend on them
  /// Told how many points are done, from any thread.
  std::function<void(std::uint64_t points)> progress = [](std::uint64_t) {};

  static constexpr std::uint32_t most_vocab = 5;  ///< 2.6·10³ faces; there are six times as many at each token more
};

/// Where the laws of one row lie: bit x of a mask is about token x.
struct Face {
  std::uint32_t p, q;  ///< p(x) > 0, q(x) > 0
  std::uint32_t tied;  ///< q(x) = p(x)
  friend auto operator<=>(Face const&, Face const&) = default;
};

/// Every set of zeros of p and of q and every set of tokens on which the two are equal: the interior (no zeros, no
/// ties) first. Faces that contain the same laws are named once.
std::vector<Face> faces_of(std::uint32_t vocab);

/// What was seen of an identity, in the interior or on the boundary.
struct Survey {
  std::string identity;
  bool boundary;  ///< faces with a zero or a tie, the same one in every row, each equally likely
  std::size_t faces;
  std::uint64_t points = 0;  ///< at which the identity was evaluated and held
  std::size_t regions = 0;   ///< that these points fell into
  std::uint64_t degree = 0;  ///< of the cleared equations, at most
  double error = 0;          ///< probability that the identity is false in one of the regions, at most
  double unseen_share = 1;   ///< of the laws in other regions, at most, at the confidence of the whole
};

/// A table on which the rule's output does not have the target's law.
struct RefutingTable {
  ExactModel::Row row;
  Rational distance;  ///< TV of the first tokens of a round
};

enum class ForAllVerdict { proved, refuted, open };

struct ForAllResult {
  ForAllVerdict verdict = ForAllVerdict::proved;
  std::vector<Survey> surveys;  ///< the last is where the claim failed, if it did
  std::uint64_t tables = 0;     ///< with a row per prefix, on which the round was enumerated and had the target's law
  int tables_gamma = 0;
  std::optional<RefutingTable> counterexample;

  std::size_t regions() const;
  std::uint64_t degree() const;
  double error_bound() const;   ///< sum over the surveys
  double unseen_share() const;  ///< the largest of the surveys, which hold together at `confidence`

  static constexpr double confidence = 1 - 1e-6;
  static constexpr double most_unseen = .02;  ///< proved where no survey has more
};

/// Tries the claim on random laws: proved (in all regions seen, beside a stated share of laws), refuted, or open where
/// the regions are too many to see but for a small share.
///
/// Where all comparisons that a rule makes come out the same (a region), its law is one rational function of the
/// entries. Points are drawn to find regions; at each the identity is checked. In each region found, the region's
/// function is then evaluated at a fresh point with entries among 2^256 integers, whether or not that point lies in the
/// region: a cleared equation of degree d that is not an identity vanishes there with probability ≤ d/2^256 (Schwartz
/// 1980, J. ACM 27; Zippel 1979). Since the region is known before the point is drawn, no bound on the number of
/// regions that there are is needed. What share of the laws lies in regions not seen is bounded by Clopper and
/// Pearson from points drawn after the regions were collected. docs/proofs.md says what follows from that.
///
/// Throws std::invalid_argument for a vocabulary outside of least_vocab…most_vocab, TooManyPaths from tables.
ForAllResult try_for_all(ForAllClaim const& claim, ForAllSearch const& search);

/// The first table with TV ≠ 0, one row, in order of vocabulary and then of the common denominator of p and q (up to
/// 10, where there are more than 3 tokens 6). None where there is none among these.
std::optional<RefutingTable> smallest_counterexample(ForAllClaim const& claim, std::uint32_t most_vocab);

}  // namespace draftgauge
