#include "apps/cli/commands.h"

#include <algorithm>
#include <span>
#include <utility>

#include "analysis/figures/waterfall.h"
#include "analysis/recordings/text_file.h"
#include "analysis/report/why.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/figure/figure_files.h"
#include "apps/gamma/counted_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/recording_options.h"
#include "apps/output/output.h"
#include "apps/why/why_input.h"
#include "apps/why/why_report.h"
#include "apps/why/why_settings.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// Of the rounds of the rule that ran: where the text is another distribution's, nothing along it is its rounds.
std::optional<LostDrafts> lost_of(WhyAsked const& asked, double confidence) {
  if (!asked.study) return asked.counted ? std::optional(lost_drafts(*asked.counted, confidence)) : std::nullopt;
  Study const& study = *asked.study;
  auto const rounds = asked.argmax_drafts ? Estimator::replay_argmax : Estimator::replay;
  if (study.recorded.policy == Policy::off || !study.knows(rounds)) return std::nullopt;
  return lost_drafts(study.recorded.trace, rounds.card->kept(study.estimates),
                     {static_cast<int>(asked.input.gamma), 1, study.estimates.options().bonus}, confidence);
}

/// What the figure is of: "a.tsv, b.log".
std::string names_of(Invocation const& args) {
  return joined(args.texts("FILE"), [](std::string const& path) { return file_name(path); });
}

/// The file that --figure names.
void draw(Invocation const& args, FigureFiles const& files, Waterfall const& found, WhyAsked const& asked) {
  Figure const figure = waterfall_figure(found, asked.plain_ms, names_of(args));
  FigureTexts const texts = figure_texts({&figure, 1}, files, figure_style(args));
  write_whole(files.folder, texts.files);
  require_drawn(texts);
}

/// Before anything is read: nothing should end in the message that it cannot be written.
std::optional<FigureFiles> figure_asked(Invocation const& args) {
  if (!args.has("--figure")) {
    args.refuse({"--style"}, "has no meaning without --figure (nothing is drawn)");
    return std::nullopt;
  }
  FigureFiles files = figure_files(args.text("--figure"), "", 1);
  require_writable(files);
  return files;
}

Result run(Invocation const& args) {
  use_format_cards(args);
  double const confidence = confidence_from(args);
  auto const files = figure_asked(args);
  WhyAsked const asked = why_asked(args, confidence);
  Waterfall const found = waterfall(asked.input, confidence);
  Result result;
  auto choice = why_gamma(args, asked, confidence);
  result.alarms =
      why_alarms(found, asked, choice ? std::span<GammaRow const>(choice->rows) : std::span<GammaRow const>());
  result.title = why_title(found, asked.plain_ms);
  if (asked.counted && !found.measured)
    if (std::string const caveat = counts_caveat(asked.counted->sums.rounds, nullptr); !caveat.empty())
      result.title = caveat + " " + result.title;
  WhyReport report = report_of(found, asked.plain_ms);
  Section steps = why_section(found, asked.plain_ms);
  steps.note(asked.notes);
  report.notes = steps.notes;
  result.sections.push_back(std::move(steps));
  report.lost = lost_of(asked, confidence);
  if (report.lost) result.sections.push_back(lost_section(*report.lost));
  if (asked.counted) {
    report.counted = report_of(*asked.counted);
    for (Section details : {counts_section(*asked.counted), rates_section(*asked.counted)}) {
      details.detail = true;
      result.sections.push_back(std::move(details));
    }
  }
  result.document = document_of(report);
  if (asked.counted) add_why_settings(result, args, asked, std::move(choice));
  if (files) try {
      draw(args, *files, found, asked);
    } catch (InputError const& error) {
      result.failure = error;  // said behind the answer
    }
  add_inputs(result, args, args.texts("FILE"));
  return result;
}

}  // namespace

Command why_command() {
  return {
      .name = "why",
      .summary = "from ideal to measured: where the time per token goes",
      .description =
          {"Splits the distance from the ideal, every draft accepted in plain steps of the target, to the measured "
           "time "
           "per token: drafts that are rejected (α); acceptances that depend on each other (Eq. (1) less replay); "
           "ends of texts; the engine's own rule and drafts; the draft model's time; verification of γ + 1 tokens "
           "beyond a plain step; fixed overhead; the batch; and what none of them explains. Each step is what it "
           "adds once those before it are there, so that they sum to the difference.",
           "FILEs are a recording of both models, what an engine counted of its rounds (one file, or two scrapes), "
           "or both. What no input says is unknown, and a part of what follows. Counters end with what to set: the "
           "best γ by them and the costs."},
      .groups = {optional_recording_options(),
                 accepted_options_of_why(),
                 why_options(),
                 curve_options(),
                 fold_options(),
                 settings_options(),
                 {"What an engine prints", {format_card_option()}},
                 {"A picture of the steps",
                  {{.name = "--figure",
                    .kind = Kind::path,
                    .summary = "where it is drawn, FILE with its ending: " + endings_text()},
                   style_option()}}},
      .examples = {{"draftgauge why data/smollm2/prune2_T1.tsv --gamma 4 --cost .1 --plain 52t/s --measured 88t/s",
                    "a recording of two log-probabilities a token, and two speeds"},
                   {"draftgauge why tests/data/counters/llama_speculative_v100.log --cost "
                    "tests/data/counters/llama_speculative_v100_costs.csv",
                    "what llama.cpp printed of a run, and measured times of both models"},
                   {"draftgauge why data/smollm2/prune2_T1.tsv tests/data/recordings/server_prune2_g4.log --gamma 4 "
                    "--cost data/smollm2/costs_2threads.jsonl --cost-draft prune2 --engine llama.cpp-server",
                    "both: what the recording predicts, and what its server counted"}},
      .run = run};
}

}  // namespace draftgauge
