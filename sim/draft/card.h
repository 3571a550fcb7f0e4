#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace draftgauge {

/// What a rule decides on: one node at a time (the round walks down from the root), or the draft's tree as a whole.
enum class Shape { node, tree };

/// The value of a parameter: a ratio of small integers, so that a rule means the same in integers and in fractions.
struct Ratio {
  std::uint32_t num = 0, den = 1;
  bool negative = false;

  friend bool operator==(Ratio const&, Ratio const&) = default;
};
/// Largest numerator and denominator: the product with a row's weight (at most 2^53) then fits in 64 bits.
inline constexpr std::uint32_t max_ratio_part = 1000;

/// A number that a rule or a policy takes: `--rule lenient:lenience=.5`.
struct ParameterCard {
  std::string_view name;
  std::string_view meaning;
  Ratio standard, least, most;
  bool whole = false;  ///< takes whole numbers only
};
inline constexpr int max_parameters = 3;
/// The values of a rule's or policy's parameters, in the order of its card.
struct Parameters {
  Ratio value[max_parameters];

  friend bool operator==(Parameters const&, Parameters const&) = default;
};

constexpr Parameters standard_values(std::span<ParameterCard const> cards) {
  Parameters standard;
  for (std::size_t i = 0; i < cards.size(); ++i) standard.value[i] = cards[i].standard;
  return standard;
}

/// Whose law a rule's output is compared with.
enum class Reference {
  target,  ///< p
  argmax,  ///< p at temperature 0: all weight on its most likely token, the smallest of equals
};

/// What a rule's source says of the distribution h that it emits at one position, for all p and q.
enum class Stated {
  kl_to_target,    ///< KL(h ‖ p) in nats is at most so much
  ratio_to_target  ///< h/p is, at every token
};
struct StatedBound {
  Stated what;
  Ratio most;
  std::string_view words;
};

/// A faulty rule's smallest table that shows it (in order of vocabulary and then of the common denominator of p and
/// q), and a test too weak to see it.
struct Counterexample {
  /// A test: whether the law of the first `tokens` tokens of a text is the target's, on one context.
  struct Test {
    std::string_view p, q;  ///< as after --p and --q
    int gamma = 1;
    int tokens = 1;
    int branching = 1;
    std::string_view memory = {};  ///< a source whose p remembers the text, without its p and q; empty: p does not
  };
  Test shows;
  std::string_view distance;  ///< what `shows` finds: the exact total variation, a fraction
  std::uint64_t rounds;       ///< of a simulation that finds it too
  Test hides;                 ///< finds a distance of 0
  std::string_view why;       ///< `hides` does not see it
};

/// What people and programs read about a rule. Commands, docs and tests take all they say from here.
struct RuleCard {
  std::string_view name;     ///< as typed after --rule; a faulty one's begins with faulty/
  std::string_view summary;  ///< one sentence
  std::string_view source;   ///< paper and equation; of a faulty rule where it stands, or what it goes against
  std::string_view drafter;  ///< the drafter that the rule is made for (its name in the list of drafters)
  bool lossless = false;  ///< with its standard parameters: the output's law is the reference's when drafts come from
                          ///< that drafter
  bool many_children = false;  ///< takes more than one child per position
  Reference reference = Reference::target;
  std::span<ParameterCard const> parameters = {};     ///< at most max_parameters
  std::optional<Counterexample> counterexample = {};  ///< of faulty rules, which claim to be lossless and are not
};

/// What decides, along a text that the target wrote, whether a round on a tree accepts the text's next token.
enum class AlongTree {
  unknown,
  residual,  ///< drafts one after another against what the residual owes
  drafted,   ///< whether it was drafted, of drafts that differ: the rule draws from p, or what it does comes to that
  drafted_trie,  ///< the same of any drafts: equal ones are one node
  ratio,         ///< the running ratio p/q from the root: block verification, and traversal on trees
  best_path      ///< that of the best of the paths from the root
};

/// A rule that needs memory of no fixed size, which a device has not.
template <class Rule>
concept HostOnly = requires { requires Rule::host_only; };

/// A (wrong) rule that keeps the state of the target's memory in its own way (sim/faulty/around/state.h): left(draft,
/// stop, emits) is the row where it starts the next round.
template <class Rule>
concept KeepsState = requires { Rule::keeps_state; };

/// Names a rule to the columns of another (sim/task/record.h).
template <class Rule>
struct As {};

/// What people and programs read about a drafter.
struct DrafterCard {
  std::string_view name;
  std::string_view summary;
  bool distinct;  ///< a position's children are different tokens, so that there are no more of them than tokens
  std::span<ParameterCard const> parameters = {};
};

/// What people and programs read about a policy of draft lengths.
struct PolicyCard {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  bool watches;         ///< looks at every drafted token, so that a round's draft may end before its length
  bool adapts = false;  ///< a round's length depends on the rounds before it in the trial
  std::span<ParameterCard const> parameters = {};
};

}  // namespace draftgauge
