#include "analysis/load/load_reading.h"

#include <fmt/format.h>

#include "analysis/counters/counters.h"
#include "analysis/load/batch_grid.h"
#include "analysis/stats/counted.h"
#include "sim/base/lists.h"

namespace draftgauge {

void LoadReading::note(std::string text) { add_once(table.notes, std::move(text)); }

void LoadReading::add_pass(MeasuredRow const& row, std::string const& model, std::int64_t tokens, std::int64_t batch,
                           double ms) {
  if (table.models[model].ms.add(tokens, batch, ms)) return;
  row.refuse_second(
      fmt::format("T({}) of {} with {}", tokens, model, counted(static_cast<std::uint64_t>(batch), "sequence")));
}

void LoadReading::add_round(MeasuredRow const& row, std::int64_t gamma, std::int64_t batch, double ms) {
  if (table.models[only_model].ms.add(gamma + 1, batch, ms)) return;
  row.refuse_second(
      fmt::format("the round of {} drafts with {}", gamma, counted(static_cast<std::uint64_t>(batch), "sequence")));
}

void LoadReading::add_tokens(MeasuredRow const& row, std::string_view name, std::int64_t gamma, std::int64_t batch) {
  double const tokens = row.real(name);
  if (!(tokens >= 1 && tokens <= static_cast<double>(gamma + 1)))
    row.refuse(name, fmt::format("{}", tokens), fmt::format("a number from 1 to {}, γ + 1", gamma + 1));
  table.tokens_per_round.add(gamma, batch, tokens);
}

std::int64_t batch_in(MeasuredRow const& row, std::string_view name) {
  std::int64_t const batch = row.count(name, 0);
  if (batch < 1 || batch > most_batch)
    row.refuse(name, fmt::format("{}", batch), fmt::format("a number of sequences from 1 to {}", most_batch));
  return batch;
}

std::int64_t drafts_in(MeasuredRow const& row, std::string_view name) {
  std::int64_t const gamma = row.count(name, 0);
  if (gamma > static_cast<std::int64_t>(most_positions))
    row.refuse(name, fmt::format("{}", gamma), fmt::format("a number of drafts up to {}", most_positions));
  return gamma;
}

}  // namespace draftgauge
