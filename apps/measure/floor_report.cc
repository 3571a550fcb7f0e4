#include "apps/measure/floor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/open/open_text.h"
#include "analysis/recordings/score_rows.h"
#include "analysis/texts/compare.h"
#include "apps/measure/measure_report.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

void require_same_text(RowPairs const& pairs, RowPairs const& again, std::string const& other) {
  RowLayout const &one = pairs.target->layout(), &two = again.target->layout();
  if (one.rows != two.rows || one.vocab != two.vocab)
    throw InputError(fmt::format("{}: it holds {} rows over {} tokens, and {} {} over {} (self-divergence compares "
                                 "what one model says of one text twice)",
                                 other, two.rows, two.vocab, pairs.target_name, one.rows, one.vocab),
                     "record the same text");
  auto const [mine, its] = std::ranges::mismatch(pairs.tokens, again.tokens);
  if (!again.tokens.empty() && !pairs.tokens.empty() && mine != pairs.tokens.end())
    throw InputError(
        fmt::format("{}: row {} is before token {}, and in {} before {} (self-divergence compares what one model "
                    "says of one text twice)",
                    other, again.target->file_row(static_cast<std::uint64_t>(its - again.tokens.begin())), *its,
                    pairs.target_name, *mine),
        "record the same text");
}

}  // namespace

TokenTrace self_trace(Invocation const& args, Recorded const& recorded, std::string const& other) {
  if (!recorded.rows) {
    TextOptions const options = text_options(args);
    return holds_one_model(other) ? open_text_trace(recorded.trace.files.front(), other, options)
                                  : self_pair(recorded.trace, open_text_trace(other, {}, options));
  }
  RowPairs pairs = rows_with_floor(args, recorded);
  return score_rows(pairs, *recorded.target, *recorded.target, args.threads());
}

RowPairs rows_with_floor(Invocation const& args, Recorded const& recorded) {
  std::string const& other = args.text("--floor");
  RowOptions const options = row_options(args);
  RowPairs pairs = recorded.rows();
  RowPairs again;
  if (holds_one_model(other)) {
    ModelRows model = open_model_rows(other, options.target_key, options.rows);
    again.target = std::move(model.rows);
    again.target_name = model.name;
    again.tokens = std::move(model.tokens);
  } else {
    again = open_row_pairs(other, {}, options);
  }
  require_same_text(pairs, again, other);
  pairs.draft = std::move(again.target);
  pairs.draft_name = again.target_name;
  return pairs;
}

OptionGroup floor_options() {
  return {"How exactly the target repeats itself",
          {{.name = "--floor",
            .kind = Kind::path,
            .summary = "another recording of the same target over the same text, with passes of another size: gives "
                       "the total variation below which no rule can be judged"}}};
}

void add_floor(Result& result, MeasureReport& report, Invocation const& args, MeasuredRecording const& one, StudyOptions const& options) {
  constexpr double none = 1e-12;  // what the order of sums may leave of 0
  std::string const& other = args.text("--floor");
  TextEstimates const self(self_trace(args, one.recorded, other), options.estimates);
  TextEstimate const tv = floor_distance(self);
  report.floor = {self.alpha_from_beta() ? "mean TV" : "mean (1 − p'/p)+", uncertain(tv, options.confidence, share)};
  Section section{.heading = "Self-divergence",
                  .table = Table{{"quantity", "quantity", Align::left}, {"estimate", "estimate"}}};
  section.table.add({"TV between the target and itself", estimate_cell(tv, options.confidence, 5, share)});
  if (auto const& alpha = one.estimates.alpha())
    section.table.add(
        {"TV between target and draft, 1 − α", estimate_cell(*alpha * -1. + 1., options.confidence, 5, share)});
  section.note(
      std::abs(tv.value) < none
          ? fmt::format(
                "{} has the very numbers of {}: if it is a second recording, the target repeats itself exactly.",
                other, one.estimates.name())
          : fmt::format("By {}. The target is not one distribution: below this distance no rule can be told from one "
                        "that keeps to it.",
                        other));
  result.sections.insert(result.sections.begin() + 1, std::move(section));  // behind α
}

}  // namespace draftgauge
