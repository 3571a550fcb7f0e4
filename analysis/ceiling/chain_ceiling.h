#pragma once
#include "sim/model/pair_tables.h"

namespace draftgauge {

/// The most drafts that any lossless rule keeps of γ drafted from q one below the other, in the mean over all starts:
/// what task_ceiling says of chains, without its linear program. Where R(X) is how often a round passes the prefix X,
/// R(Xy) ≤ R(X)·p(y|X) of every lossless rule, and R(Xy) ≤ q(Xy), how often it is drafted. Each R may be taken as
/// great as its parent's allows, as that lets its children be greater, too. Block verification keeps as many (Sun et
/// al. 2024, arXiv 2403.10444). Domain: Follow::token, γ ≥ 1. Time O(vocab^(γ+1)).
double chain_ceiling(PairTables const& tables, int gamma);

}  // namespace draftgauge
