#include "analysis/figures/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/load/load_table.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {

std::vector<double> even_steps(double first, double last, int steps) {
  std::vector<double> points;
  for (int i = 0; i <= steps; ++i) points.push_back((first * (steps - i) + last * i) / steps);
  return points;
}

std::vector<double> even_ratios(double first, double last, int steps) {
  std::vector<double> points = even_steps(std::log(first), std::log(last), steps);
  for (double& point : points) point = std::exp(point);
  points.front() = first;
  points.back() = last;
  return points;
}

FigureRecording const& replayable(FigureInput const& input, std::string_view figure) {
  auto const why_not = [](FigureRecording const& each) { return each.estimates.why_not(Estimator::replay); };
  auto const found =
      std::ranges::find_if(input.recordings, [&](FigureRecording const& each) { return why_not(each).empty(); });
  if (found != input.recordings.end()) return *found;
  if (input.recordings.empty())
    throw InputError(fmt::format("{} is drawn of a recording (none is given)", figure),
                     "give FILE, such as data/smollm2/prune2_T1.tsv");
  FigureRecording const& first = input.recordings.front();
  refuse_to_draw(first, why_not(first), figure);
}

void refuse_to_draw(FigureRecording const& of, std::string_view why, std::string_view figure) {
  throw InputError(fmt::format("{}: it {} (without that {} has nothing to draw)", of.name, why, figure),
                   "record them");
}

std::vector<int> gammas_of(FigureInput const& input, FigureRecording const& recording) {
  constexpr int longest = 16;
  std::vector<int> gammas = recording.estimates.options().gammas;
  std::erase_if(gammas,
                [&](int gamma) { return input.gammas.empty() ? gamma > longest : !contains(input.gammas, gamma); });
  return gammas;
}

Cell cell_of(TextEstimate const& estimate, double confidence, Limits const& limits) {
  if (auto const interval = interval_within(estimate, confidence, limits)) return Estimate{*interval};
  return Number{estimate.value};
}

std::string band_text(std::span<FigureRecording const* const> all, std::string drawn) {
  if (std::ranges::all_of(all, [](FigureRecording const* one) { return one->estimates.texts() < 2; }))
    return "No band is drawn: one text alone gives no interval.";
  return drawn;
}

std::string name_of(FigureRecording const& recording) {
  return recording.name + (recording.rejected ? " (rejected: the target would not write this text)" : "");
}

std::string other_costs(Costs const& costs, bool bonus) {
  std::string words;
  if (!costs.verify.empty())
    words += fmt::format("; a pass over {} tokens takes {:g} plain steps", costs.verify.rbegin()->first,
                         costs.verify.rbegin()->second);
  if (costs.overhead > 0) words += fmt::format("; a round has an overhead of {:g}", costs.overhead);
  if (!bonus) words += "; no token follows γ acceptances";
  return words;
}

std::string to_string(FigureRecording const& recording) {
  return fmt::format("{}: {} in {}{}", name_of(recording), counted(recording.estimates.tokens(), "token"),
                     counted(recording.estimates.texts(), "text"),
                     recording.trace.temperature ? fmt::format(" of temperature {:g}", *recording.trace.temperature)
                                                 : std::string());
}

BatchCosts standard_batch_costs(double draft) {
  LoadTable table{.file = "standard"};
  for (std::int64_t tokens = 1; tokens <= 65'536; tokens *= 2)
    table.models["model"].ms.add(1, tokens, 1 + static_cast<double>(tokens) / 64);
  return BatchCosts(table, {}, {.draft = draft});
}

}  // namespace draftgauge
