#pragma once
#include <vector>

#include "analysis/audit/audit.h"

namespace draftgauge {

/// A fault whose odds need matches of argmax q.
inline constexpr std::string_view tested_as_drawn = "argmax drafts tested as drawn ones";

/// Whether the engine's text is of temperature 0, by its trace, its log or the options.
bool is_greedy(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options);

/// The odds for an engine with a fault having written a text in its rounds, rather than one of the rule.
///
/// Token by token: under the rule x_t is drawn from p, and where it stands in the place of draft i of a round, that
/// draft was kept with the chance k(t, i) of analysis/replay/replay.h given the text. The odds multiply by g(x_t),
/// whose mean under p is 1 at most, and by k̃/k where the draft was kept and (1 − k̃)/(1 − k) where it was not, for a
/// chance k̃ that the text and the past decide. Given the text and the past the second has mean 1 at most, and the
/// first given the past, so that odds are a nonnegative supermartingale in the order in which an engine plays:
/// whatever stops it, they reach 1/ε with probability ε at most (Ville 1939; Ramdas, Grünwald, Vovk and Shafer 2023,
/// arXiv 2210.01948). No normal limit is taken. A factor of a test is at most 20, as the last digits of recorded
/// logarithms should not convict by themselves. Where it is not known whether a text's last round is whole, its last
/// test multiplies by 1 at most.
///
///   fault                        g                                    k̃
///   lenience                     1 + (1 − 1/κ)(a − β) where tested    odds of k times κ = 2, 1.2, 4
///   drafts kept too rarely       the same                             κ = .5, .8
///   temperature .95              1 − (1/T − 1)(−ln p(x) − H)      k;                T = .95, 1.05
///   of the token rule alone
///   bonus token from q           1 + λ(q/p − 1) at bonus tokens       k
///   rejected drafts: resample p  1 + λ(a − β) where tested            a/(a + 1 − β)
///   one coin a round             1 + (1 − m)(a − β) where tested      odds of k divided by m, the least min(1, p/q) of
///                                                                     the drafts that the round kept before
///   exact match                  1                                    q(x)
///   argmax drafts tested as q's  1                                    .98 where x = argmax q, else .02
///   the block, the token rule    1                                    that rule's; of others the token rule's
///   of drafts of argmax q, above temperature 0
///   text from q                  1 + λ(q/p − 1) where tested          k
///   tested as if drawn from q    1 + λ(r − 1) where tested            k; r = m/p(x̂), m = min(1, p(x̂)/q(x̂)), x̂ = argmax
///                                                                     q, where x = x̂, else (1 − m)/(1 − p(x̂))
///
/// Each round has the drafts that the log says it had: a round of none has a token of the target's behind no draft,
/// which is no bonus token.
///
/// A fault that cannot differ from the rule is left out: with one draft a round one coin a round and the other rule are
/// the rule, without a bonus token so is a bonus token from q, and a round's last test is not seen. Of drafts of
/// argmax q given the text every round is certain, whoever tests them how, so that the text alone tells; what the
/// columns do not show of it stays in the list, and is not visible. At temperature 0 there the list is empty.
///
/// The mixture of strengths has equal weights. β and argmax q may not be recorded: then g is 1 and 1 − β the mean
/// 1 − a so far, and drafts of argmax q are left out. What is expected of a fault is of its first strength, and less
/// the price of the mixture: ∫ f ln f dP of the odds f, which the run's own tokens estimate, as they are from P. f
/// has no bound: a token of q/p = 10^4 by itself would promise much of a bonus token from q. So each g counts as 20
/// at most, which is a lower estimate, and the spread is of the estimate as well: the sum of the squares of its
/// terms.
std::vector<FaultOdds> fault_odds(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options);

}  // namespace draftgauge
