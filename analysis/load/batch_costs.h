#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/load/load_table.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// What rounds cost at each batch size: T(n, B) of the target for verification, the draft's T(1, B) for each of its
/// steps.
///
/// A target that was measured at one number of tokens only, or in one batch only, says by its tokens what a pass of B
/// sequences takes, of whichever they are: T(n, B) = T(nB), as `in_batch` has it.
class BatchCosts {
 public:
  /// draft: the draft's own table; none: the file's other model, where it has two, else c in `given`. given: c, o in
  /// plain steps of the batch, and the extra passes of the draft. names: target and draft in the file, as cost_file.h
  /// takes them. Throws UsageError as these names do, where a draft is said twice, is the target, or is one of
  /// several in its own file without a name, and where there are whole rounds and a cost of drafts or a table of
  /// them, too; InputError where no plain step was measured.
  BatchCosts(LoadTable const& table, std::optional<LoadTable> const& draft, Costs const& given,
             std::string const& target_name = {}, std::string const& draft_name = {});

  /// The batch sizes whose plain steps were measured, in order.
  std::vector<std::int64_t> const& batches() const { return batches_; }
  /// T(1, B): milliseconds of a plain step, a guess beyond the batches that were measured.
  GridValue plain_ms(std::int64_t batch) const { return *target_.at(1, batch); }
  /// In units of it. `measured` of it: up to which n no guess is needed. A length is left out beyond the largest
  /// batch that it was measured in, where plain steps were measured in larger ones: carried on from small batches,
  /// its time would be next to nothing. A guess is never below a shorter pass. Where no longer pass is left, n tokens
  /// take n plain steps, the most they can.
  Costs at(std::int64_t batch) const;
  /// The longest draft that anything is known of: of whole rounds the longest that was run.
  std::optional<std::int64_t> longest() const;

  bool by_tokens() const { return by_tokens_; }
  bool whole_rounds() const { return whole_rounds_; }
  /// Whether no pass of more than one token was measured with so many sequences or more, but plain steps were.
  bool only_plain(std::int64_t batch) const;
  /// Whether the draft's time is a guess there.
  bool guesses_draft(std::int64_t batch) const { return draft_ && draft_->at(1, batch)->guess; }
  /// Whether anything says what a draft costs.
  bool prices_drafts() const { return whole_rounds_ || draft_ || given_.draft > 0; }

 private:
  bool reaches(std::int64_t length, std::int64_t batch) const;

  BatchGrid target_;                ///< [1][tokens] where by_tokens_
  std::optional<BatchGrid> draft_;  ///< [1][B]
  Costs given_;
  bool by_tokens_ = false, whole_rounds_;
  std::vector<std::int64_t> batches_;
  std::map<std::int64_t, double> verify_, draft_curve_;  ///< v(n) and w(n) where by_tokens_
};

}  // namespace draftgauge
