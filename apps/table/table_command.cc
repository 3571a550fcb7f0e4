#include "apps/cli/commands.h"

#include <fmt/format.h>

#include "apps/cli/version_command.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/recording_options.h"
#include "apps/output/output.h"
#include "apps/output/tables.h"
#include "apps/table/table_files.h"
#include "apps/table/table_input.h"

namespace draftgauge {
namespace {

TableFiles files_from(Invocation const& args, std::size_t tables) {
  auto const asked = args.has("--format") ? std::optional(args.format()) : std::nullopt;
  TableFiles files = table_files(args.text("--output"), asked, tables);
  // Before a recording is read: that should not end in this message.
  require_writable(files);
  return files;
}

Json document_of(TableCard const& card, PaperTable const& table) {
  Json parts = Json::array();
  for (TablePart const& part : table.parts)
    parts.push_back({{"heading", part.heading}, {"rows", to_json(part.table)}, {"notes", part.notes}});
  return {{"name", card.name},
          {"source", card.source.empty() ? Json(nullptr) : Json(card.source)},
          {"title", table.title},
          {"parts", std::move(parts)},
          {"errata", table.errata}};
}

/// The files of one table: one, but of CSV one for each of its parts, whose headings tell them apart.
std::vector<FileText> files_of(TableCard const& card, Result const& one, TableFiles const& files,
                               Origin const& origin) {
  auto const parts = named_tables(one, card.name);
  if (files.format != Format::csv || parts.size() < 2)
    return {{files.path_of(card.name), render(one, files.format, origin)}};
  std::vector<FileText> texts;
  for (NamedTable const& part : parts)
    texts.push_back({files.path_of(fmt::format("{}-{}", card.name, part.name)), to_csv(*part.table)});
  return texts;
}

/// One table as a result of its own: what its file holds.
Result result_of(TableCard const& card, PaperTable const& table, std::vector<Input> inputs) {
  Result result{.document = {{"tables", Json::array({document_of(card, table)})}},
                .inputs = std::move(inputs),
                .title = card.source.empty() ? table.title : fmt::format("{}: {}", card.source, table.title)};
  for (TablePart const& part : table.parts)
    result.sections.push_back({.heading = part.heading, .table = part.table, .notes = part.notes});
  if (!table.errata.empty()) result.sections.push_back({.heading = "Errata", .notes = table.errata});
  return result;
}

Result run(Invocation const& args) {
  TableWords const words = table_text(args.texts("NAME"));
  std::optional<TableFiles> files;
  if (args.has("--output")) files = files_from(args, words.cards.size());
  TableInput const input = table_input(args, words);
  Format const format = files ? files->format : args.format();
  Result all{.document = {{"tables", Json::array()}}};
  if (format == Format::json) all.inputs = inputs_of(args, words.files);
  auto const says_nothing = [](TableRecording const& one) { return one.known.empty(); };
  if (!input.recordings.empty() && std::ranges::all_of(input.recordings, says_nothing))
    all.status = Status::inconclusive;
  if (std::ranges::any_of(input.recordings, &TableRecording::fails)) all.status = Status::failed;
  std::vector<FileText> texts;
  Origin const origin{args.command(), std::string(program_version()), static_cast<std::int64_t>(args.seed())};
  for (TableCard const* const card : words.cards) {
    Result one = result_of(*card, card->make(input), card->needs_recording ? all.inputs : std::vector<Input>());
    if (files && !files->folder.empty())
      std::ranges::move(files_of(*card, one, *files, origin), std::back_inserter(texts));
    all.document["tables"].push_back(one.document["tables"][0]);
    if (words.cards.size() == 1)
      all.title = one.title;
    else
      all.sections.push_back({.heading = one.title, .code = {fmt::format("draftgauge table {}", card->name)}});
    std::ranges::move(one.sections, std::back_inserter(all.sections));
  }
  if (!files) return all;
  if (auto const parts = named_tables(all, args.command()).size();
      files->folder.empty() && files->format == Format::csv && parts > 1)
    throw UsageError(fmt::format("{}: CSV is one table a file, and there are {} tables", files->file, parts),
                     "give it a folder, which ends in a slash");
  if (files->folder.empty()) texts.push_back({files->file, render(all, files->format, origin)});
  write_whole(files->folder, texts);
  all.title.clear();
  show_written(all, texts);
  return all;
}

OptionGroup costs() {
  OptionGroup group = curve_options();
  group.options.front().summary =
      "c: draft steps in target steps, several for reference-grid and heuristic, which without any show those of "
      "their source; or a file of measured times; of a recording: " +
      std::string(free_drafts_words);
  return group;
}

}  // namespace

Command table_command() {
  return {
      .name = "table",
      .summary = "the papers' tables recomputed, and yours",
      .description = {"Recomputes what papers print: each figure beside the printed one, the least and the most that "
                      "rounding of the printed inputs allows, and whether it follows from them: as printed, within "
                      "rounding, or not at all. Our best γ stands beside, and what is wrong in a table is named.",
                      "Words are names of tables (draftgauge list tables), or all, and recordings, which yours is "
                      "made of. -o out/ writes a file for each table, all of them or none; -o x.md, x.csv, x.json or "
                      "x.tex one file in the format that the ending says, if --format does not."},
      .groups = {{"What is shown",
                  {{.name = "NAME",
                    .kind = Kind::path,
                    .summary = "tables, or all; and recordings for yours",
                    .required = true,
                    .many = true},
                   {.name = "--alpha",
                    .kind = Kind::probabilities,
                    .summary = "α of reference-grid and heuristic: .5,.6,.7"},
                   {.name = "--p",
                    .kind = Kind::numbers,
                    .summary = "the target distribution of acceptance: .3,.4,.3, which is its own if not given"},
                   {.name = "--q", .kind = Kind::numbers, .summary = "the draft distribution: .6,.3,.1 if not given"},
                   {.name = "--candidates",
                    .kind = Kind::counts,
                    .summary = "k: drafts of a position in acceptance; 1,2,3 if not given",
                    .least = 1},
                   {.name = "--gamma",
                    .kind = Kind::counts,
                    .summary = "draft lengths in yours",
                    .standard = "1,2,4,8",
                    .least = 1},
                   confidence_option("of the intervals in yours")}},
                 costs(),
                 options_of_recordings(),
                 fold_options()},
      .examples = {{"draftgauge table leviathan-4", "which printed speed-ups follow from their inputs"},
                   {"draftgauge table acceptance --p .1,.6,.3 --q .5,.3,.2 --candidates 1..3",
                    "every rule on two distributions"},
                   {"draftgauge table reference-grid --alpha .6,.7,.8 --cost .02,.1 --format latex", "for a paper"},
                   {"draftgauge table yours data/smollm2/prune2_T1.tsv data/smollm2/prune2_T0.tsv --cost .1",
                    "two temperatures of a recorded pair, by rule and γ"}},
      .run = run,
      .writes_output = true};
}

}  // namespace draftgauge
