#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/figures/figure.h"
#include "analysis/store/store_row.h"
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// A task of a sweep, and what came of it.
struct SweptTask {
  Given given;     ///< options of simulate, with the one rule that it has
  Task task = {};  ///< its defaults filled in
  StoredTask of = {};
  Range asked = {};                   ///< by all shards together
  Range part = {};                    ///< of this one
  std::uint64_t per_trial = 1;        ///< rounds, at most
  std::optional<Played> played = {};  ///< none: no trial of it
  std::vector<Range> missing = {};    ///< of the part
};

/// The table of a sweep and its document; `axes` as SweepFile says them. The estimates are at the --confidence of args,
/// and at the costs of each task.
Result sweep_report(Invocation const& args, std::vector<SweptTask> const& tasks,
                    std::vector<std::string> const& axes);

/// What would be played, without playing it.
Result sweep_plan(std::vector<SweptTask> const& tasks, std::vector<std::string> const& axes);

/// E[N], or the speed-up where tasks have a cost, along the first of γ, temperature and k that differs, or else of any
/// axis; a line for each combination of the others.
Figure sweep_figure(Invocation const& args, std::vector<SweptTask> const& tasks,
                    std::vector<std::string> const& axes);

}  // namespace draftgauge
