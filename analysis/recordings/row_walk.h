#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/chance/chance.h"
#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// A row of both models, as logits up to a constant, and where it stands.
struct RowPlace {
  std::size_t sequence, position;  ///< of the pairs' sequences, and in it
  std::uint64_t row;               ///< among all
  std::span<double> p, q;          ///< [vocab] the visitor's to overwrite
};

/// Reads the rows once, in order, and calls visit for each from one of so many threads ≥ 1; done(rows) likewise. Of what
/// is thrown the first row's is passed on. Throws InputError for rows that are no logits.
void walk_rows(RowPairs& pairs, int threads, std::function<void(RowPlace const&)> const& visit,
               std::function<void(std::uint64_t)> const& done);

/// The same with each row as distributions that `target` and `draft` make of it, and the text's token there. Throws
/// InputError where no tokens are recorded, and where p excludes one of them.
void walk_text(RowPairs& pairs, SamplingParameters const& target, SamplingParameters const& draft, int threads,
               std::function<void(RowPlace const&, Token)> const& visit,
               std::function<void(std::uint64_t)> const& done);

/// Of a text's token that p excludes: `problem` says which it is.
InputError excluded_token(std::string const& problem);

}  // namespace draftgauge
