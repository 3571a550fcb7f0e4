#pragma once
#include <algorithm>
#include <ostream>
#include <string>

#include "sim/base/sha256.h"
#include "sim/fast/engine.h"
#include "tests/known_answers.h"

namespace draftgauge::testing {

inline PairTables tables_of(Known known) {
  switch (known) {
    case Known::one: return {{{{3, 4, 3}, {6, 3, 1}, 10}}, Follow::independent};
    case Known::markov:
      return {{{{1, 2, 3}, {2, 2, 2}, 6}, {{2, 3, 1}, {2, 2, 2}, 6}, {{3, 1, 2}, {2, 2, 2}, 6}}, Follow::token};
    case Known::wide: break;
  }
  RowPair row{{}, {}, 1025 * 1026 / 2};
  for (std::uint64_t x = 0; x < 1025; ++x) {
    row.p.push_back(x + 1);
    row.q.push_back(1025 - x);
  }
  return {{row}, Follow::independent};
}

/// The first 64 bits of the SHA-256 of all counts, as little-endian words.
inline std::uint64_t digest(Tally const& tally) {
  Sha256 hash;
  for (std::uint64_t const count : tally.counts()) {
    std::uint8_t bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(count >> 8 * i);
    hash.update(bytes);
  }
  return std::stoull(hash.hex().substr(0, 16), nullptr, 16);
}

/// The known tally's own fields, played anew on a backend.
inline TallyAnswer play(TallyAnswer answer, Backend const& backend, int threads) {
  PairTables const tables = tables_of(answer.tables);
  Task task{.rule = answer.rule, .shape = {answer.gamma, answer.branching, answer.bonus}, .positions = 2};
  if (answer.tree) draft_tree(task, parse_tree(answer.tree));
  Simulation const simulation(task, tables, answer.seed);
  Tally const tally = simulate(simulation, {0, 10000}, backend, threads).tally;
  for (int tau = 0; tau < 4; ++tau)
    answer.accepted[tau] = tau <= answer.gamma ? tally.accepted()[static_cast<std::size_t>(tau)] : 0;
  answer.tokens = tally[TallyLayout::tokens];
  answer.second_tokens = 0;
  auto const seconds = tally.token_histogram(1);
  for (std::size_t x = 0; x < seconds.size(); ++x) answer.second_tokens += x * seconds[x];
  answer.digest = digest(tally);
  return answer;
}

inline bool operator==(TallyAnswer const& a, TallyAnswer const& b) {
  return std::ranges::equal(a.accepted, b.accepted) && a.tokens == b.tokens && a.second_tokens == b.second_tokens &&
         a.digest == b.digest;
}

/// What stands in tests/known_answers.h, from the counts on.
inline std::ostream& operator<<(std::ostream& out, TallyAnswer const& answer) {
  out << '{';
  for (std::uint64_t const& rounds : answer.accepted)
    out << rounds << (&rounds == std::end(answer.accepted) - 1 ? "}" : ", ");
  return out << ", " << answer.tokens << ", " << answer.second_tokens << ", 0x" << std::hex << answer.digest
             << std::dec;
}

}  // namespace draftgauge::testing
