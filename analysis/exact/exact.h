#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/exact/rational.h"
#include "sim/base/error.h"
#include "sim/model/table_model.h"
#include "sim/sources/source.h"
#include "sim/task/task.h"

namespace draftgauge {

using ExactModel = TableModel<Rational>;
/// A law over token sequences. Sequences of probability 0 are absent.
using SequenceLaw = std::map<std::vector<Token>, Rational>;

/// A law that cannot be had by enumeration.
struct NotEnumerable : UsageError {
  using UsageError::UsageError;
};
/// More paths of answers than the caller allows.
struct TooManyPaths : NotEnumerable {
  using NotEnumerable::NotEnumerable;
};

/// "the exact distribution has more than 1000000 paths of answers …".
[[noreturn]] void throw_too_many_paths(std::string const& how_many);

/// The exact law of one round.
struct ExactRound {
  SequenceLaw emitted;             ///< of the tokens that the round emits
  std::vector<Rational> accepted;  ///< [γ+1] P(τ = i)
  std::vector<Rational> passed;    ///< [nodes] P(the accepted path passes node v), on trees; the root's is 1
  Rational draft_passes = 0;       ///< E[passes of the draft model], γ unless the policy ends drafts earlier
  std::uint64_t paths = 0;         ///< paths of answers that were followed, of a node rule at each place once
  bool repeats = false;            ///< a (wrong) rule whose further rounds repeat the first, token by token

  Rational acceptance() const;               ///< P(τ ≥ 1)
  Rational mean_accepted() const;            ///< E[τ]
  Rational mean_tokens() const;              ///< E[N]
  std::vector<Rational> tokens_law() const;  ///< [γ+2] P(N = n), from n = 0 (reached only without a bonus at γ = 0)
};

/// At least so many paths of answers a round of the task has from there, at most 2^63: of drafts that are drawn from q
/// and of fixed length one for each way to draw the first ones, and of even trees one for each text of γ tokens that
/// p and q allow, since all of it may be accepted. Of other drafts and lengths 1, which says nothing.
std::uint64_t least_paths(Task const& task, ExactModel const& model, std::uint32_t start = 0);

/// The exact law of a round of the task from the context `start`, by following every path of answers.
/// The shape is the caller's to check. Throws UsageError for unknown names, TooManyPaths above `max_paths`,
/// NotEnumerable for a rule that repeats its noise on more than one context.
/// progress(paths followed so far).
ExactRound exact_round(
    Task const& task, ExactModel const& model, std::uint32_t start = 0, std::uint64_t max_paths = 1'000'000,
    std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {});

/// Σ_{i ≤ γ} Σ_{x^i} min(Q(x^i), P(x^i)): no lossless rule keeps more drafts of a chain in one round, since it can keep
/// x^i at most as often as it is drafted, and as it may be emitted (Sun et al. 2024, arXiv 2403.10444).
/// None where contexts are drawn at random at each position, whose laws are not of this form.
std::optional<Rational> accepted_bound(ExactModel const& model, int gamma, std::uint32_t start = 0);

/// The law of the first `length` tokens of the text when what a round leaves open is completed from the target.
/// A rule is lossless on this model exactly if this equals target_law for length = γ+1: completing keeps equality, and
/// a round emits at most γ+1 tokens.
SequenceLaw completed(ExactRound const& round, ExactModel const& model, int length, std::uint32_t start = 0);

/// The law of the first `length` tokens drawn from the target alone.
SequenceLaw target_law(ExactModel const& model, int length, std::uint32_t start = 0);

/// The same model with p as the reference has it: itself, or with all of p on its most likely token.
ExactModel referred(ExactModel const& model, Reference reference);

/// How many tokens show whether a rule is lossless: those that a round can emit, and one more where rounds repeat; of
/// rules that keep a state of their own those that show it on these tables (PairTables::telling_tokens).
int telling_length(Task const& task, int telling_tokens = 0);

/// The law of the first `length` tokens where the task's rounds follow each other from the context `start`, each from
/// the row that the rule has left. Throws as exact_round.
SequenceLaw text_of_rounds(Task const& task, ExactModel const& model, std::uint32_t start, int length,
                           std::uint64_t max_paths = 1'000'000);

/// A round from each of several contexts, equally likely, and the first `length` tokens of its completed text beside
/// those of the rule's reference.
struct ExactText {
  ExactRound round;
  SequenceLaw output, target;
  Rational distance;  ///< mean over starts of TV(output, target): 0 exactly if the rule is lossless from every start
  double divergence;  ///< mean over starts of KL(output ‖ target) in nats; infinite where the target has no such text
};

/// `starts` empty: contexts are independent, and the round starts anywhere. `max_paths` is shared by the starts.
/// Before any is followed TooManyPaths is thrown where least_paths tells. A rule that keeps a state of its own shows it
/// in its next rounds, which then follow instead. progress(paths followed so far).
ExactText exact_text(
    Task const& task, ExactModel const& model, std::span<std::uint32_t const> starts, int length,
    std::uint64_t max_paths = 1'000'000, std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {});

/// Law of the token number `position` (from 0) of a law over sequences that are long enough.
std::vector<Rational> marginal(SequenceLaw const& law, int position, std::uint32_t vocab);

/// TV(a, b) = ½ Σ |a − b|.
Rational total_variation(SequenceLaw const& a, SequenceLaw const& b);

/// KL(a ‖ b) = Σ a·ln(a/b) in nats, ∞ where b is 0 and a is not.
double divergence(SequenceLaw const& a, SequenceLaw const& b);

/// The laws of a simulation as fractions.
ExactModel exact_model(PairTables const& tables);

/// The laws of a source as fractions: as they were written, where the engine's integers are only close to that.
ExactModel exact_model(Source const& source);

}  // namespace draftgauge
