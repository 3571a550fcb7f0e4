#include "analysis/scheduling/engine_tables.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/counters/json_fields.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"

namespace draftgauge {
namespace {

using Json = nlohmann::ordered_json;

struct MeasuredStep {
  std::int64_t sequences, tokens;
  double ms;
};

/// The steps that were measured, tokens being those of all sequences.
std::vector<MeasuredStep> measured_steps(BatchCosts const& costs) {
  std::vector<MeasuredStep> steps;
  for (std::int64_t const batch : costs.batches()) {
    double const plain = costs.plain_ms(batch).value;
    steps.push_back({costs.by_tokens() ? 1 : batch, batch, plain});
    if (costs.by_tokens()) continue;
    Costs const of = costs.at(batch);
    for (auto const& [each, pass] : of.verify)
      if (each > 1 && each <= of.measured.value_or(1)) steps.push_back({batch, batch * each, plain * pass});
  }
  return steps;
}

/// The place of a number in a list that grows.
std::ptrdiff_t index_in(std::vector<std::int64_t> const& all, std::int64_t one) {
  return std::ranges::lower_bound(all, one) - all.begin();
}

void sort_once(std::vector<std::int64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
}

double on_lines(std::vector<std::int64_t> const& at, std::vector<double> const& value, std::int64_t x) {
  std::ptrdiff_t const above = index_in(at, x);
  if (above == 0) return value.front();
  if (above == std::ssize(at)) return value.back();
  auto const i = static_cast<std::size_t>(above);
  return std::lerp(value[i - 1], value[i], static_cast<double>(x - at[i - 1]) / static_cast<double>(at[i] - at[i - 1]));
}

std::vector<double> in_seconds(std::vector<double> times) {
  for (double& time : times) time /= ms_per_second;
  return times;
}

}  // namespace

double FittedSteps::ms(std::int64_t sequences_at_once, std::int64_t tokens_at_once) const {
  return fixed_ms + (sequences.empty() ? 0 : on_lines(sequences, sequence_ms, sequences_at_once)) +
         on_lines(tokens, token_ms, tokens_at_once);
}

FittedSteps fit_steps(BatchCosts const& costs, bool by_sequences) {
  if (costs.whole_rounds())
    throw InputError("these are times of whole rounds (an engine's table has those of the target's steps alone)",
                     "measure steps by tokens and batch size");
  std::vector<MeasuredStep> const steps = measured_steps(costs);
  FittedSteps fitted;
  for (MeasuredStep const& step : steps) {
    if (by_sequences) fitted.sequences.push_back(step.sequences);
    fitted.tokens.push_back(step.tokens);
  }
  sort_once(fitted.sequences);
  sort_once(fitted.tokens);
  // One unknown for each number of tokens, and one for each of sequences but the first, whose part is 0.
  auto const by_tokens = std::ssize(fitted.tokens), more = std::max<std::ptrdiff_t>(std::ssize(fitted.sequences) - 1, 0);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(std::ssize(steps), by_tokens + more);
  for (std::ptrdiff_t i = 0; i < std::ssize(steps); ++i) {
    MeasuredStep const& step = steps[static_cast<std::size_t>(i)];
    matrix(i, index_in(fitted.tokens, step.tokens)) = 1 / step.ms;
    if (std::ptrdiff_t const at = by_sequences ? index_in(fitted.sequences, step.sequences) : 0; at > 0)
      matrix(i, by_tokens + at - 1) = 1 / step.ms;
  }
  Eigen::VectorXd const found =
      matrix.completeOrthogonalDecomposition().solve(Eigen::VectorXd::Ones(std::ssize(steps)));
  for (std::ptrdiff_t i = 0; i < by_tokens; ++i) fitted.token_ms.push_back(found(i));
  if (by_sequences) {
    fitted.sequence_ms.push_back(0);
    for (std::ptrdiff_t i = 0; i < more; ++i) fitted.sequence_ms.push_back(found(by_tokens + i));
  }
  // Engines take no part below 0: what all times of a part have in common is fixed.
  for (std::vector<double>* part : {&fitted.sequence_ms, &fitted.token_ms}) {
    if (part->empty()) continue;
    double const least = *std::ranges::min_element(*part);
    for (double& time : *part) time -= least;
    fitted.fixed_ms += least;
  }
  if (!(fitted.fixed_ms >= 0))
    throw InputError("no sum of a part by sequences and a part by tokens comes near these times",
                     "measure more batch sizes, or write the table without a part by sequences");
  for (MeasuredStep const& step : steps)
    fitted.worst = std::max(fitted.worst, std::abs(fitted.ms(step.sequences, step.tokens) / step.ms - 1));
  return fitted;
}

std::string sglang_steps_text(FittedSteps const& steps) {
  std::vector<double> rates;
  for (double const time : steps.token_ms) rates.push_back(ms_per_second / (steps.fixed_ms + time));
  return Json{{"sample_batch_tokens", steps.tokens},
              {"sample_steps_per_sec", rates},
              {"max_batch_tokens", steps.tokens.back()}}
             .dump() +
         "\n";
}

std::string sglang_parts_text(FittedSteps const& steps) {
  bool const by_tokens = steps.sequences.empty();  // then any number of sequences takes nothing of its own
  return Json{{"bias_seconds", steps.fixed_ms / ms_per_second},
              {"bs_probes", by_tokens ? steps.tokens : steps.sequences},
              {"alpha_seconds", by_tokens ? std::vector<double>(steps.tokens.size()) : in_seconds(steps.sequence_ms)},
              {"m_probes", steps.tokens},
              {"theta_seconds", in_seconds(steps.token_ms)}}
             .dump() +
         "\n";
}

std::string trtllm_steps_text(FittedSteps const& steps, double least_gain) {
  Json table = {{"token_counts", steps.tokens}, {"step_time_ms", steps.token_ms}, {"fixed_overhead_ms", steps.fixed_ms}};
  if (!steps.sequences.empty()) {
    table["batch_sizes"] = steps.sequences;
    table["batch_overhead_ms"] = steps.sequence_ms;
  }
  table["minimum_predicted_gain"] = least_gain;
  return table.dump() + "\n";
}

std::string vllm_lengths_text(std::vector<BatchRange> const& ranges) {
  Json list = Json::array();
  for (BatchRange const& range : ranges) list.push_back({range.first, range.last, range.gamma});
  return Json{{"num_speculative_tokens_per_batch_size", list}}.dump() + "\n";
}

ScheduleCall read_vllm_lengths(std::string const& file, std::string_view text) {
  nlohmann::json const object = [&] {
    try {
      return parse_json(text);
    } catch (Error const& error) {
      throw InputError(file, error);
    }
  }();
  constexpr char name[] = "num_speculative_tokens_per_batch_size";
  auto const refuse = [&](std::string const& what) {
    throw InputError(fmt::format("{}: {} {} (expected: [[first batch size, last, drafts], …] from 1 on without a gap)",
                                 file, name, what),
                     "correct it");
  };
  if (!object.is_object() || !object.contains(name) || !object[name].is_array() || object[name].empty())
    refuse("is not there");
  std::string steps;
  std::int64_t next = 1;
  for (nlohmann::json const& range : object[name]) {
    bool const numbers = range.is_array() && range.size() == 3 &&
                         std::ranges::all_of(range, [](auto const& one) { return one.is_number_unsigned(); });
    if (!numbers) refuse("has " + shown(range));
    auto const first = range[0].get<std::uint64_t>(), last = range[1].get<std::uint64_t>();
    if (first != static_cast<std::uint64_t>(next) || last < first || last > std::uint64_t{most_batch})
      refuse("has " + shown(range));
    if (first <= max_requests) steps += fmt::format("{}{}={}", steps.empty() ? "" : ",", first, range[2].get<std::uint64_t>());
    next = static_cast<std::int64_t>(last) + 1;
  }
  try {
    return schedule_call("by-batch:" + steps);
  } catch (Error const& error) {
    throw InputError(file, error);
  }
}

}  // namespace draftgauge
