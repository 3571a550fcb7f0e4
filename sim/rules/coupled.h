#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/rules/kept_where_hit.h"

namespace draftgauge::rules {

/// Draw y from p as if nothing had been drafted, and accept the draft if it is the same token. Lossless for every
/// drafter; accepts Σ p·q of sampled drafts, p(argmax q) of argmax drafts (--drafter top), as llama.cpp's server has
/// it.
struct Coupled {
  static constexpr RuleCard card{.name = "coupled",
                                 .summary = "draw from p; accept the draft if it is that token",
                                 .source = "llama.cpp, common_sampler_sample_and_accept_n",
                                 .drafter = "sample",
                                 .lossless = true};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = AlongTree::drafted_trie;
  static constexpr bool picks_once = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    Token const y = chance.pick(node.target());
    return node.children() > 0 && node.child(0) == y ? descend(0) : emit(y);
  }

  template <class Row>
  static auto acceptance(drafters::Sample, Row const& row, int) {
    using Real = typename Row::Real;
    return row.sum([](Real const& p, Real const& q) { return Real(p * q); });
  }
  template <class Row>
  static auto acceptance(drafters::Top, Row const& row, int) {
    return typename Row::Real(row.p(row.argmax_q()));
  }
  using Replay = KeptWhereHit;
};

}  // namespace draftgauge::rules
