#pragma once
#include <functional>
#include <span>
#include <vector>

#include "sim/sources/keys.h"
#include "sim/sources/random.h"
#include "sim/sources/source.h"

// What the families of laws are made of. All laws are weights, not normalised.
namespace draftgauge {

/// Turns logits into the weights exp((z − max z) / temperature), of which the largest is 1; temperature 0 puts all on
/// the largest logit (the first of equals). −∞ is weight 0. Domain: one logit at least finite, none +∞ or NaN.
void softmax(std::span<double> logits, double temperature);

/// Logarithms of V independent Gamma(concentration) variables: their softmax is symmetric Dirichlet. In logarithms,
/// since at small concentrations the variables themselves underflow.
std::vector<double> log_gamma_variables(std::size_t vocab, double concentration, LawRandom random);

/// V independent standard normal variables.
std::vector<double> normal_variables(std::size_t vocab, LawRandom random);

/// The softmax of both, q being p with `noise` standard normal variables added to its logits. Domain: as softmax.
void softmax_with_noise(std::span<double> p, std::span<double> q, double noise, LawRandom of_q,
                        double temperature = 1);

/// Gives each token of a context its weights, from the randomness of p and that of q.
using WeighContext = std::function<void(std::span<double> p, std::span<double> q, LawRandom of_p, LawRandom of_q)>;

/// The source of keys vocab, seed and contexts, where follow is `independent`; else each token has a context.
Source source_of_random_contexts(Keys const& keys, SourceOptions const& options, Follow follow,
                                 WeighContext const& weigh);

}  // namespace draftgauge
