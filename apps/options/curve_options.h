#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/load/batch_costs.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/recorded.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// The one rule of every command for a cost that is not given.
inline constexpr char free_drafts_words[] =
    "not given, drafts are taken as free (c = 0), and of recordings and counts no speed-up and no best γ is claimed";

/// The same of times by batch size that are of the target alone.
inline constexpr char free_load_words[] = "Drafts are taken to cost nothing (c = 0): give --load-draft, or --cost.";

/// --cost as a number or a file, --verify-cost, --overhead, and which models of a file of costs are meant.
OptionGroup curve_options();

/// The files that --cost and --verify-cost name.
std::vector<std::string> cost_files(Invocation const& args);

/// --cost as it was written; "0" where it is not given (free_drafts_words).
std::string cost_given(Invocation const& args);

/// What a round costs, and what a reader of that must know.
struct PricedRound {
  Costs costs;
  std::vector<std::string> notes;
  bool given = true;  ///< whether an option says anything of costs
  /// Whether a pass of a batch costs by its tokens, of whichever sequence; else batches were measured.
  bool by_tokens = true;
  std::optional<double> plain_seconds = {};  ///< a plain step of the target, where a file of costs has measured it
};

/// What the extra passes of the draft model were taken to cost.
std::string again_text(Costs const& costs);

/// What a round costs, by those options; files are read once. Throws UsageError and InputError.
class RoundCosts {
 public:
  explicit RoundCosts(Invocation const& args);
  /// With `cost` for what --cost says.
  RoundCosts(Invocation const& args, std::string const& cost);

  /// Of a file that knows several drafts the one is taken whose name is part of the draft's file name. A batch: of so
  /// many sequences at once, in units of its plain step (in_batch).
  PricedRound of(TokenTrace const& recording, std::int64_t batch = 1) const;
  /// Where --cost names drafts: UsageError unless each of these recordings has a cost of its own, and each cost a
  /// recording.
  void require_named(std::vector<Recorded> const& recordings) const;
  /// Where no model drafts: c = 0, and a file of costs says v(n) alone. UsageError where --cost is a number.
  PricedRound without_draft() const;

 private:
  Costs given_;                        ///< what does not depend on the recording
  bool free_drafts_;                   ///< --cost is not given
  bool any_given_;                     ///< or any option of costs is
  std::optional<CostTable> measured_;  ///< --cost FILE
  std::string target_, draft_;
  std::optional<std::map<std::int64_t, double>> verify_;
  std::optional<BatchCosts> load_;  ///< --load
  /// --cost NAME=…,…: of each draft by a part of its recording's name.
  std::map<std::string, std::shared_ptr<RoundCosts const>> each_;
  std::vector<std::string> notes_;
};

}  // namespace draftgauge
