#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/play/simulation.h"

namespace draftgauge {

/// A number that theory gives for a simulation, and where it comes from.
struct Expectation {
  double value;
  std::string origin;  ///< "Eq. (1)", "Markov pair", …
};

/// E[tokens of a trial] / E[rounds of a trial], which is what Σt/Σr estimates, by the formula that the papers
/// give for the rule and the kind of contexts; for a trial of one round it is E[N]. None where there is none.
std::optional<Expectation> closed_form_tokens(Simulation const& simulation);

/// Whether rounds have the law of the token rule's, with the drafts that it is made for: under any of its names.
bool plays_token_rule(Simulation const& simulation);

/// Whether theory says that no round keeps fewer drafts in the mean than one of the token rule.
bool keeps_at_least_token_rule(Simulation const& simulation);

/// The same for the token rule on the simulation's laws and shape, whatever rule it plays.
std::optional<Expectation> token_rule_tokens(Simulation const& simulation);

/// The law of N (entry n − 1 is P(N = n)) by closed form, where rounds are independent of each other.
std::optional<std::vector<double>> closed_form_tokens_law(Simulation const& simulation);

/// The same two by following every path of answers in fractions, origin "enumeration"; where a whole round has more
/// than `max_paths` paths and contexts are independent, by those of one position, whose acceptance a node rule
/// repeats at each, origin "one position". None where that is too much too, or contexts are rows of a recorded text.
std::optional<Expectation> exact_tokens(Simulation const& simulation, std::uint64_t max_paths = 20'000);
std::optional<std::vector<double>> exact_tokens_law(Simulation const& simulation, std::uint64_t max_paths = 20'000);

/// The law of a round's first token by enumeration, where contexts are independent: at a node rule's first position,
/// else over the round. None where that takes more than `max_paths` paths of answers.
std::optional<std::vector<double>> exact_first_law(Simulation const& simulation, std::uint64_t max_paths = 20'000);

/// The token rule's tokens per round over a sequence of endless length, for a Markov pair or an automaton of at most
/// 512 contexts that at round starts do not fall into classes that are never left. None otherwise.
std::optional<double> long_run_tokens(PairTables const& tables, std::int64_t gamma, bool bonus);

/// Mean over contexts of β = Σ min(p, q): the α of a model with independent contexts.
double mean_beta(PairTables const& tables);

}  // namespace draftgauge
