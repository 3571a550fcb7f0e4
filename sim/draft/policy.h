#pragma once
#include "sim/chance/chance.h"
#include "sim/draft/card.h"

namespace draftgauge {

/// The parts of a policy that most have in common. A policy is a class of static functions:
///   first(parameters, gamma)         length of the first round's draft in a trial, 1…gamma
///   next(length, gamma, all)         of the next round's, after one of that length whose drafts were all accepted or not
///   ends(parameters, node, x, confidence)   of those that watch: whether the draft ends with x, drawn at `node`
///                                    (sim/draft/draft_side.h), where confidence = Π q(x_i) over the drafts so far, x among them
/// Lengths depend on drafts and on past rounds alone, so that a lossless rule stays lossless under every policy.
struct EveryRoundAlike {
  DRAFTGAUGE_HD static int first(Parameters const&, int gamma) { return gamma; }
  DRAFTGAUGE_HD static int next(int length, int, bool) { return length; }

  template <class Node>
  DRAFTGAUGE_HD static bool ends(Parameters const&, Node const&, Token, typename Node::Real const&) {
    return false;
  }
};

}  // namespace draftgauge
