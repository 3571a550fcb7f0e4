#include "apps/gamma/schedule_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/scheduling/calibration.h"
#include "analysis/scheduling/engine_tables.h"
#include "analysis/stats/counted.h"
#include "apps/output/output.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr char const* kinds_of_tables[] = {"sglang-steps", "sglang-parts", "sglang-temperatures", "trtllm", "vllm"};
constexpr double far_off = .05;  ///< a relative error of a table's times that is warned of

bool of_times(std::string_view kind) { return kind == "sglang-steps" || kind == "sglang-parts" || kind == "trtllm"; }

/// The row of the schedule that engines run by such a table; null where none was played.
ScheduleRow const* lagged_row(ScheduleRows const& found) {
  auto const row = std::ranges::find(found.rows, "lagged", &ScheduleRow::schedule);
  return row == found.rows.end() ? nullptr : &*row;
}

/// Whether an engine that reads the table sees a step: SGLang looks times up at the next smaller number of tokens.
bool has_step(std::string_view kind, FittedSteps const& steps, std::int64_t batch, int gamma) {
  if (kind == "sglang-steps") return steps.tokens.size() > 1;
  ScheduledCosts costs{1, {}, batch};
  for (std::int64_t n = 0; n <= batch * gamma; ++n) costs.pass_ms.push_back(steps.ms(batch, batch + n));
  return first_step(costs, gamma).has_value();
}

std::string gain_text(ScheduleRows const& found) {
  ScheduleRow const* const row = lagged_row(found);
  if (!row) return {};
  return fmt::format("Predicted with {}: lagged {:+.1f} % [{:.1f}, {:.1f}] over the best fixed length, {}.",
                     counted(static_cast<std::uint64_t>(found.batch), "sequence"), 100 * row->gain.value,
                     100 * row->gain.low, 100 * row->gain.high, found.best_fixed);
}

/// The best fixed length of each batch size that was played, which holds up to the next.
std::vector<BatchRange> best_lengths(SchedulesReport const& report, std::int64_t last) {
  std::vector<BatchRange> ranges;
  for (ScheduleRows const& found : report.batches) {
    if (!ranges.empty() && ranges.back().gamma == found.best_fixed) continue;
    if (!ranges.empty()) ranges.back().last = found.batch - 1;
    ranges.push_back({ranges.empty() ? 1 : found.batch, last, found.best_fixed});
  }
  return ranges;
}

}  // namespace

std::string table_kinds() { return joined(kinds_of_tables); }

bool any_of_times(std::vector<TableToWrite> const& tables) {
  return std::ranges::any_of(tables, of_times, &TableToWrite::kind);
}

std::vector<TableToWrite> tables_to_write(Invocation const& args) {
  std::vector<TableToWrite> tables;
  if (!args.has("--write-table")) return tables;
  for (std::string const& text : args.texts("--write-table")) {
    std::size_t const equals = text.find('=');
    std::string const kind = text.substr(0, equals);
    if (equals == text.npos || equals + 1 == text.size() || !contains(kinds_of_tables, kind))
      throw UsageError(fmt::format("--write-table {} is not KIND=FILE (kinds: {})", text, table_kinds()),
                       "write for example --write-table sglang-steps=sps.json");
    tables.push_back({kind, text.substr(equals + 1)});
    require_writable(tables.back().path);
  }
  return tables;
}

void require_for_tables(Invocation const& args, std::vector<TableToWrite> const& tables, KnownTexts const& known) {
  if (tables.empty()) return;
  args.refuse({"--request-rate"}, "has no meaning with --write-table (a table is priced at batch sizes)",
              "write --concurrency, or leave the rate out");
  for (auto const& [kind, path] : tables)
    if (kind == "sglang-temperatures" && known.confidences.empty())
      throw InputError(fmt::format("{} does not have the largest q of each place (temperatures are of a confidence)",
                                   known.name),
                       "record full rows");
}

void write_tables(Result& result, SchedulesReport& report, std::vector<TableToWrite> const& tables, Load const& load,
                  KnownTexts const& known) {
  if (tables.empty()) return;
  Section section{.heading = "Tables to load"};
  std::vector<FileText> files;
  for (auto const& [kind, path] : tables) {
    WrittenTable written{.kind = kind, .path = path};
    std::string text, said;
    if (of_times(kind)) {
      FittedSteps const steps = fit_steps(load.costs, kind != "sglang-steps" && !load.costs.by_tokens());
      text = kind == "sglang-steps"   ? sglang_steps_text(steps)
             : kind == "sglang-parts" ? sglang_parts_text(steps)
                                      : trtllm_steps_text(steps, 0);
      written.worst_error = steps.worst;
      written.step = std::ranges::any_of(report.batches, [&](ScheduleRows const& found) {
        return has_step(kind, steps, found.batch, report.gamma);
      });
      said = fmt::format("its times are within {:.1f} % of what was measured.", 100 * steps.worst);
      if (steps.worst > far_off) said += " Times by sequences and tokens are no such sum: take a table with parts, or fewer batch sizes.";
      if (written.step)
        said += " It has steps: keep the engine's lag, without which its budget is lossy (docs/schedules.md).";
    } else if (kind == "vllm") {
      auto const ranges = best_lengths(report, load.costs.batches().back());
      text = vllm_lengths_text(ranges);
      said = fmt::format("the best fixed length of each batch size, for --speculative-config; played by --schedule {}.",
                         path);
    } else {
      Temperatures const found =
          fit_temperatures(texts_with_tokens(known.confidences), report.gamma, known.name);
      text = temperatures_text(found);
      said = fmt::format("calibration error at the first place {:.3f} before and {:.3f} after; played by --estimates {}.",
                         found.error_before.front(), found.error_after.front(), path);
    }
    files.push_back({path, text});
    section.paragraphs.push_back(fmt::format("{} ({}): {}", path, kind, said));
    report.tables.push_back(std::move(written));
  }
  if (any_of_times(tables))
    for (ScheduleRows const& found : report.batches) section.note(gain_text(found));
  write_whole(files);
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
