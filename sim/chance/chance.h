#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "sim/base/host_device.h"

/// The two questions that drafters and rules ask of randomness:
///
///   flip(num, den)   true with probability min(1, num/den)
///   pick(law)        an index, with probability proportional to its weight in the law
///
/// Who answers decides what a rule means. BitChance answers from counter-based bits (Monte Carlo, on CPU and GPU),
/// Enumerator (analysis) gives every answer in turn with its probability (exact law), ScriptedChance a written list
/// (unit tests). A rule is a template over the one that answers, and is written once.
namespace draftgauge {

using Token = std::uint32_t;

/// A law over 0…size−1 given by a function of the index, not normalised.
/// weight(x) is an exact number (integer or fraction) or a double; all must be ≥ 0 and one at least > 0.
template <class F>
struct Weights {
  std::uint32_t count;
  F function;

  DRAFTGAUGE_HD std::uint32_t size() const { return count; }
  DRAFTGAUGE_HD auto weight(Token x) const { return function(x); }
};
template <class F>
Weights(std::uint32_t, F) -> Weights<F>;

/// The same with the sum of the weights.
template <class F, class Sum>
struct SummedWeights : Weights<F> {
  Sum sum;

  Sum const& total() const { return sum; }
};
template <class F>
auto summed(std::uint32_t count, F const& function) {
  std::remove_cvref_t<decltype(function(Token{}))> sum(0);
  for (Token x = 0; x < count; ++x) sum += function(x);
  return SummedWeights<F, decltype(sum)>{{count, function}, sum};
}

/// Every index of 0…count−1 alike; count ≥ 1.
struct Uniform {
  std::uint32_t count;

  DRAFTGAUGE_HD std::uint32_t size() const { return count; }
  DRAFTGAUGE_HD int weight(Token) const { return 1; }
};

/// A law that inverts itself: at(u) is the token that holds the share u of the total, or number u where that is an
/// integer.
template <class L>
concept InvertedLaw = requires(L const& law) { law.at(law.total()); };

/// Who asks next, and about which nodes of the tree of drafts: so many from `child` on. Only random bits are numbered
/// (sim/chance/layout.h).
enum class Asker { drafter, rule };
template <class Chance>
DRAFTGAUGE_HD void number_from(Chance& chance, Asker asker, std::uint32_t child, int children) {
  if constexpr (requires { chance.number_from(asker, child, children); }) chance.number_from(asker, child, children);
}

/// The drafter has asked, in the midst of a rule's questions, which now go on where they were.
template <class Chance>
DRAFTGAUGE_HD void hand_back(Chance& chance) {
  if constexpr (requires { chance.hand_back(); }) chance.hand_back();
}

/// A law as an exact chance sees it: any type with a size and a weight per index.
template <class L>
concept Law = requires(L const& law, Token x) {
  { law.size() } -> std::convertible_to<std::uint32_t>;
  law.weight(x);
};

/// max(0, a − b), written (a − b)₊ in the papers, for signed and unsigned numbers alike.
template <class T>
DRAFTGAUGE_HD T excess(T const& a, T const& b) {
  return a > b ? T(a - b) : T(0);
}

}  // namespace draftgauge
