#pragma once
#include <functional>
#include <vector>

#include "analysis/batch/exact_batch.h"

namespace draftgauge {

/// The row that a text leads to.
std::uint32_t row_behind(ExactModel const& model, std::uint32_t row, std::vector<Token> const& tokens);

/// [request] where its round starts.
std::vector<std::uint32_t> starting_rows(std::vector<BatchRequest> const& requests);

/// Calls f(drafted, probability) for every way to draft a round of the batch, and says how many there are. Throws
/// TooManyPaths before the first where they are more than max_paths, NotEnumerable where contexts are drawn at random.
std::uint64_t for_drafts(std::vector<BatchRequest> const& requests, std::vector<std::uint32_t> const& rows,
                         std::vector<Rational> const& memory, std::uint64_t max_paths,
                         std::function<void(DraftedBatch const&, Rational const&)> const& f);

/// Adds `factor` times the product of distributions, texts one behind another.
void add_product(std::vector<SequenceLaw const*> const& each, Rational const& factor, SequenceLaw& sum);

}  // namespace draftgauge
