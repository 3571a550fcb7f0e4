#pragma once
#include "sim/card.h"
#include "sim/chance.h"

namespace draftgauge {

/// What a policy says after a token was drafted.
enum class Stop {
  no,       ///< draft on
  keeping,  ///< the draft ends with this token
  losing,   ///< the draft ends before this token: what makes a policy wrong
};

/// The parts of a policy that most have in common. A policy is a class of static functions:
///   first(parameters, gamma)         length of the first round's draft in a trial, 1…gamma
///   next(length, gamma, all)         of the next round's, after one of that length whose drafts were all accepted or not
///   after(parameters, node, x, confidence)   of those that watch: what follows the draft x at `node`, where confidence =
///                                    Π q(x_i) over the drafts so far, x among them
/// Lengths depend on drafts and on past rounds alone, so that a lossless rule stays lossless under every policy.
struct EveryRoundAlike {
  DRAFTGAUGE_HD static int first(Parameters const&, int gamma) { return gamma; }
  DRAFTGAUGE_HD static int next(int length, int, bool) { return length; }

  template <class Node>
  DRAFTGAUGE_HD static Stop after(Parameters const&, Node const&, Token, typename Node::Real const&) {
    return Stop::no;
  }
};

}  // namespace draftgauge
