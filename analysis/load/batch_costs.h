#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/cost.h"
#include "analysis/load/load_table.h"

namespace draftgauge {

/// What rounds cost at each batch size: T(n, B) of the target for verification, the draft's T(1, B) for each of its steps.
///
/// A target that was measured at one number of tokens only, or in one batch only, says by its tokens what a pass of B
/// sequences takes, of whichever they are: T(n, B) = T(nB), as `in_batch` has it.
class BatchCosts {
 public:
  /// draft: the draft's own table; none: the file's other model, where it has two, else c in `given`. given: c, o in plain
  /// steps of the batch. names: target and draft in the file, as cost_file.h takes them. Throws UsageError as these names
  /// do, where there are whole rounds and a cost of drafts or a table of them, too; InputError where no plain step was
  /// measured.
  BatchCosts(LoadTable const& table, std::optional<LoadTable> const& draft, Costs const& given,
             std::string const& target_name = {}, std::string const& draft_name = {});

  /// The batch sizes whose plain steps were measured, in order.
  std::vector<std::int64_t> const& batches() const { return batches_; }
  /// T(1, B): milliseconds of a plain step, a guess beyond the batches that were measured.
  GridValue plain_ms(std::int64_t batch) const { return *target_.at(1, batch); }
  /// In units of it. `measured` of it: up to which n no guess is needed.
  Costs at(std::int64_t batch) const;
  /// The longest draft that anything is known of: of whole rounds the longest that was run.
  std::optional<std::int64_t> longest() const;

  bool by_tokens() const { return by_tokens_; }
  bool whole_rounds() const { return whole_rounds_; }
  /// Whether anything says what a draft costs.
  bool prices_drafts() const { return whole_rounds_ || draft_ || given_.draft > 0; }

 private:
  BatchGrid target_;                ///< [1][tokens] where by_tokens_
  std::optional<BatchGrid> draft_;  ///< [1][B]
  Costs given_;
  bool by_tokens_ = false, whole_rounds_;
  std::vector<std::int64_t> batches_;
  std::map<std::int64_t, double> verify_;  ///< v(n) where by_tokens_
};

}  // namespace draftgauge
