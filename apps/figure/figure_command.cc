#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/figure/figure_files.h"
#include "apps/figure/figure_input.h"
#include "apps/figure/figure_trees.h"
#include "apps/figure/gallery.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/load_options.h"
#include "apps/options/recording_options.h"
#include "apps/output/output.h"
#include "apps/output/tables.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

std::string folder_above(std::string const& path) {
  std::string const above = std::filesystem::path(path).parent_path().string();
  return above.empty() ? "." : above;
}

[[noreturn]] void refuse_index() {
  throw UsageError("--index is given without a folder of .svg (the page shows those)", "name one: -o out/");
}

FigureFiles files_from(Invocation const& args, std::size_t figures) {
  FigureFiles files = figure_files(args.text("--output"), args.text_given("--formats"), figures);
  if (args.has("--index")) {
    if (files.folder.empty() || !contains(files.endings, "svg")) refuse_index();
    std::string const& index = args.text("--index");
    std::string const above = folder_above(index);
    std::error_code error;
    if (std::filesystem::is_directory(above, error))
      require_writable(index);
    else
      require_writable_folder(above);
  }
  // Before anything is read or drawn: neither should end in that message.
  require_writable(files);
  return files;
}

/// The page that --index names, beside or above the figures' folder.
FileText index_of(std::vector<Figure> const& figures, FigureFiles const& files, std::string const& path) {
  namespace fs = std::filesystem;
  fs::path const folder = fs::path(files.folder).lexically_normal(), above = fs::path(path).parent_path();
  fs::path const link = folder.lexically_relative(above.empty() ? "." : above);
  return {path, gallery_page(figures, (link.has_filename() ? link : link.parent_path()).string(),
                             contains(files.endings, "vl.json"))};
}

Json document_of(std::vector<Figure> const& figures, FigureStyle style) {
  Json all = Json::array();
  for (Figure const& figure : figures)
    all.push_back({{"name", figure.name},
                   {"title", figure.title},
                   {"caption", figure.caption},
                   {"data", to_json(figure.data)},
                   {"spec", styled(figure, style)}});
  return {{"figures", std::move(all)}, {"files", Json::array()}};
}

/// What comes before the numbers of a recording, in the picture itself: a file is passed on without its caption.
void warn_in_picture(Figure& figure, FigureCard const& card, FigureInput const& input) {
  std::vector<std::string> lines;
  for (FigureRecording const& each : input.recordings) {
    if (each.rejected) {
      lines.insert(lines.end(), {each.name + " is rejected:", "the target would not write this text"});
    } else if (card.shows.intervals && !each.caveat.empty()) {
      lines.insert(lines.end(), {each.name + ":", each.caveat});
      figure.caption += fmt::format(" {}: {}", each.name, each.caveat);
    }
  }
  if (!lines.empty()) figure.spec["title"] = {{"text", lines}};
}

/// Shows steps of which the total is known only as they are done.
auto steps_of(Progress& bar) {
  return [&bar](std::uint64_t done, std::uint64_t total) {
    bar.expect(total);
    bar.at(done);
  };
}

std::vector<Figure> figures_of(Invocation const& args, FigureWords const& words, FigureInput& input) {
  std::vector<Figure> figures;
  for (FigureCard const* card : words.cards) {
    Progress bar = args.progress(fmt::format("figure {}", card->name), 0, "steps");
    input.progress = steps_of(bar);
    try {
      figures.push_back(card->make(input));
      // Of those that come with draftgauge a figure takes the one that fits, and says in its caption which.
      if (card->needs_recording && input.draw_each) warn_in_picture(figures.back(), *card, input);
    } catch (Error const& error) {
      if (!words.all) throw;
      args.warn(fmt::format("{} is left out: {}", card->name, error.what()));
    }
  }
  input.progress = {};  // the last bar is gone
  return figures;
}

FigureTexts texts_of(Invocation const& args, std::vector<Figure> const& figures, FigureFiles const& files,
                     FigureStyle style) {
  Progress bar = args.progress("drawing figures", 0, "pictures");
  return figure_texts(figures, files, style, steps_of(bar));
}

/// A figure in a window of text: a terminal gets this where a pipe gets the specification.
Section seen_on_terminal(Figure const& figure) {
  constexpr std::size_t most_rows = 40;
  auto const& rows = figure.data.rows();
  std::size_t const step = (rows.size() + most_rows - 1) / most_rows;
  Table shown(figure.data.columns());
  for (std::size_t i = 0; i < rows.size(); i += step) shown.add(rows[i]);
  Section section{.heading = figure.title, .paragraphs = {figure.caption}, .table = std::move(shown)};
  if (step > 1) section.note(fmt::format("One in {} of {} rows: -o {}.csv has all.", step, rows.size(), figure.name));
  section.note(
      fmt::format("-o {0}.svg draws it, as do .pdf and .png; -o {0}.vl.json is its specification, which a pipe gets.",
                  figure.name));
  return section;
}

Result run(Invocation const& args) {
  FigureWords words = figure_text(args.texts("NAME"));
  FigureStyle const style = figure_style(args);
  std::optional<FigureFiles> files;
  if (args.has("--output")) {
    files = files_from(args, words.cards.size());
  } else if (args.has("--index")) {
    refuse_index();
  } else if (args.has("--formats")) {
    throw UsageError("--formats is given without a place (files need one)", "name it: -o out/");
  } else if (words.cards.size() > 1 && args.format() == Format::text) {
    throw UsageError(
        fmt::format("{} figures are asked for and no place is named (one specification fits on standard output)",
                    words.cards.size()),
        "name a folder: -o out/");
  }
  FiguresAsked asked = figure_input(args, words);
  std::vector<Figure> const figures = figures_of(args, words, asked.input);

  Result result{.document = document_of(figures, style)};
  if (asked.fails) result.status = Status::failed;
  for (Figure const& figure : figures)
    result.sections.push_back(
        args.format() == Format::text
            ? seen_on_terminal(figure)
            : Section{.heading = figure.title, .paragraphs = {figure.caption}, .table = figure.data});
  if (files) {
    FigureTexts made = texts_of(args, figures, *files, style);
    if (args.has("--index") && made.kept.empty())
      made.files.push_back(index_of(figures, *files, args.text("--index")));
    write_whole({files->folder, args.has("--index") ? folder_above(args.text("--index")) : ""}, made.files);
    require_drawn(made);
    show_written(result, made.files, true);
  } else {
    result.verbatim = spec_text(figures.front(), style);
  }
  add_inputs(result, args, words.files);
  return result;
}

OptionGroup costs() {
  OptionGroup group = curve_options();
  Option& cost = group.options.front();
  cost.value = "LIST|FILE";
  cost.summary =
      "c: draft steps in target steps, the first for figures of a recording; or a file of measured times; or "
      "NAME=C|FILE,… for each draft. Not given, figures of theory show those of their source, and leviathan-5, a "
      "drawing, c = .1";
  return group;
}

}  // namespace

Command figure_command() {
  return {
      .name = "figure",
      .summary = "the papers' figures recomputed, and yours",
      .description =
          {"Draws figures of theory, and of recordings of real models, each from one Vega-Lite specification with "
           "its numbers inside. -o x.svg, x.pdf or x.png is drawn by vl-convert-python, which `make` prepares (or "
           "the Python that DRAFTGAUGE_RENDERER names has); -o x.vl.json is the specification, to be changed by hand "
           "or on the web, and -o x.csv its numbers. A folder, -o out/, takes any number of figures, in the formats "
           "of --formats. Without -o a pipe gets the specification, and a terminal the numbers.",
           "Words are names of figures (draftgauge list figures), or all, and recordings. Without a recording, "
           "figures that need one are drawn of those that come with draftgauge. Several recordings share a figure, a "
           "colour each; one that shows a single text says so. A figure of paper style is as wide as a column of a "
           "paper in two, 3.3 inches, with type of 8 points. Colours are told apart by colour-blind readers."},
      .groups =
          {{"What is drawn",
            {{.name = "NAME",
              .kind = Kind::path,
              .summary = "figures, or all; and recordings to draw them of",
              .required = true,
              .many = true},
             {.name = "--formats",
              .kind = Kind::text,
              .value = "LIST",
              .summary =
                  fmt::format("what a folder gets of each figure: {}; svg if not given", joined(figure_endings))},
             {.name = "--index",
              .kind = Kind::path,
              .summary = "a page in Markdown that shows the folder's figures, with the command of each"},
             style_option(),
             {.name = "--alpha", .kind = Kind::probabilities, .summary = "α, of figures of theory"},
             {.name = "--gamma", .kind = Kind::counts, .summary = "γ, of figures that show several", .least = 1},
             confidence_option("of intervals")}},
           {"Figures of trees", tree_figure_options()},
           {"Figures of batches", load_files()},
           costs(),
           options_of_recordings(),
           fold_options()},
      .examples = {{"draftgauge figure leviathan-2", "a specification on standard output"},
                   {"draftgauge figure leviathan-2 --gamma 2,4,8 --format csv", "the numbers of other curves"},
                   {"draftgauge figure expected-tokens data/smollm2/q2k_T1.tsv --gamma 1..8", "of a recording"},
                   {"draftgauge figure batch-gamma --load tests/data/load/batch_table.csv --alpha .6,.8",
                    "γ by batch size, of times"},
                   {"draftgauge figure tree --accept .7,.175,.125 --nodes 16", "the best tree of 16 nodes at most"}},
      .run = run,
      .writes_output = true};
}

}  // namespace draftgauge
