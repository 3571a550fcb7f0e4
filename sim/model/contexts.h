#pragma once
#include <cstdint>

#include "sim/chance/chance.h"

namespace draftgauge {

/// How the context (the pair of rows p, q) at the next position follows from the present one.
enum class Follow : std::uint8_t {
  independent,  ///< any row, uniformly: i.i.d. contexts, "bag"
  token,        ///< the row of the token just produced: a Markov pair
  state,        ///< the row that a table gives for (row, token): a finite automaton of contexts
  next_row,     ///< the row after this one, whatever was produced: "path", along a recorded text
  prefix,       ///< a row for every prefix, numbered like a heap with `vocab` children per node: dependence in full
};

/// Is the next context a function of the present one and the token, from any context on and without end?
constexpr bool is_chain(Follow follow) { return follow == Follow::token || follow == Follow::state; }

/// The rows of a model and how they follow each other. Shared by simulation and exact enumeration.
struct Contexts {
  Follow follow = Follow::independent;
  std::uint32_t rows = 1;
  std::uint32_t vocab = 1;
  std::uint32_t const* transitions = nullptr;  ///< [rows][vocab] of Follow::state, each below `rows`
  /// Of a target with a memory (sim/sources/memory.h): a row is a context of its base and one of so many states, the
  /// first of an empty text and the last without memory. 1: the target has none.
  std::uint32_t states = 1;

  template <class Chance>
  DRAFTGAUGE_HD std::uint32_t first(Chance& chance, std::uint32_t start) const {
    return follow == Follow::independent ? chance.context(rows, 0) : start;
  }

  /// The row at the node of the tree of drafts (sim/chance/layout.h) that `token` leads to.
  template <class Chance>
  DRAFTGAUGE_HD std::uint32_t next(Chance& chance, std::uint32_t row, Token token, std::uint32_t node) const {
    return follow == Follow::independent ? chance.context(rows, node) : after(row, token);
  }

  /// The row that follows once `token` was produced at `row`; where contexts are independent nothing follows, and
  /// this is `row`.
  DRAFTGAUGE_HD std::uint32_t after(std::uint32_t row, Token token) const {
    switch (follow) {
      case Follow::independent: return row;
      case Follow::token: return token;
      case Follow::state: return transitions[static_cast<std::uint64_t>(row) * vocab + token];
      case Follow::next_row: return row + 1;
      case Follow::prefix: return row * vocab + 1 + token;
    }
    return row;
  }

  /// The base's context of one row, at the memory's state of another.
  DRAFTGAUGE_HD std::uint32_t with_state(std::uint32_t row, std::uint32_t other) const {
    return row - row % states + other % states;
  }
  /// The base's context of a row where nothing is remembered.
  DRAFTGAUGE_HD std::uint32_t without_memory(std::uint32_t row) const { return row - row % states + states - 1; }
};

}  // namespace draftgauge
