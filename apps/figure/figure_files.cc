#include "apps/figure/figure_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/written_values.h"
#include "apps/output/renderer.h"
#include "apps/output/result.h"
#include "apps/output/shared_files.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

constexpr std::string_view specification = "vl.json";
constexpr std::string_view style_names[] = {"paper", "slides", "dark"};

bool is_drawn(std::string_view ending) { return ending != specification && ending != "csv"; }

std::string_view known_ending(std::string_view ending) {
  auto const found = std::ranges::find(figure_endings, ending);
  if (found == std::end(figure_endings))
    throw UsageError(fmt::format("figures are not written as .{} (that takes another program)", ending),
                     fmt::format("choose of {}", fmt::join(figure_endings, ", ")));
  return *found;
}

/// The entries of --formats; none where it is empty.
std::vector<std::string_view> formats_in(std::string const& formats) {
  if (formats.empty()) return {};
  try {
    return list_parts(formats);
  } catch (Error const& error) {
    throw UsageError(fmt::format("--formats: {}", error.problem()), "write it like svg,csv");
  }
}

std::string_view ending_of(std::string const& file) {
  for (std::string_view const each : figure_endings)
    if (file.ends_with(fmt::format(".{}", each))) return each;
  std::string const name = std::filesystem::path(file).extension().string();
  if (name.empty())
    throw UsageError(
        fmt::format("{} has no ending (it says what is written: {})", file, fmt::join(figure_endings, ", ")),
        fmt::format("write {}, or {} for a folder", shell_file(file + ".svg"), shell_file(file + "/")));
  return known_ending(std::string_view(name).substr(1));
}

/// `file` with its ending replaced.
std::string with_ending(std::string const& file, std::string_view old, std::string_view ending) {
  return file.substr(0, file.size() - old.size()) + std::string(ending);
}

struct Target {
  Figure const* figure;
  std::string path;
  std::string_view ending;
};

std::vector<Target> targets_of(std::span<Figure const> figures, FigureFiles const& files) {
  std::vector<Target> targets;
  for (Figure const& figure : figures)
    for (std::string_view const ending : files.endings)
      targets.push_back(
          {&figure,
           files.folder.empty()
               ? files.file
               : (std::filesystem::path(files.folder) / fmt::format("{}.{}", figure.name, ending)).string(),
           ending});
  return targets;
}

/// A png of a paper's column has about 300 dots an inch; the others are as large as a screen already.
double scale(FigureStyle style) { return style == FigureStyle::paper ? 4 : 2; }

}  // namespace

std::string endings_text() {
  return joined(figure_endings, [](std::string_view ending) { return fmt::format(".{}", ending); });
}

FigureFiles figure_files(std::string const& output, std::string const& formats, std::size_t figures) {
  std::vector<std::string_view> endings;
  for (std::string_view const asked : formats_in(formats))
    add_once(endings, known_ending(asked.starts_with('.') ? asked.substr(1) : asked));
  std::error_code error;
  bool const is_folder = output.ends_with('/') || std::filesystem::is_directory(output, error);
  if (!is_folder && figures > 1 && !std::filesystem::path(output).extension().empty())
    throw UsageError(fmt::format("{} is one file, of {} figures (each is a file)", output, figures),
                     "name a folder: " +
                         shell_file(std::filesystem::path(output).replace_extension().string() + "/"));
  if (figures > 1 || is_folder) {
    if (endings.empty()) endings = {"svg"};
    return {output, {}, std::move(endings)};
  }
  if (!endings.empty())
    throw UsageError(fmt::format("--formats is given beside the file {} (its ending says the format)", output),
                     fmt::format("leave --formats out, or name a folder: {}", shell_file(output + "/")));
  return {{}, output, {ending_of(output)}};
}

std::string spec_text(Figure const& figure, FigureStyle style) {
  return printable_json(styled(figure, style).dump(1, ' ', false, Json::error_handler_t::replace)) + '\n';
}

FigureTexts figure_texts(std::span<Figure const> figures, FigureFiles const& files, FigureStyle style,
                         DrawingProgress const& told) {
  std::vector<Target> const targets = targets_of(figures, files);
  std::vector<Drawing> drawings;
  for (Target const& each : targets)
    if (is_drawn(each.ending)) drawings.push_back({styled(*each.figure, style), each.ending, scale(style)});
  std::optional<std::vector<std::string>> drawn{std::in_place};
  if (!drawings.empty()) drawn = draw(drawings, told);

  FigureTexts made;
  std::size_t next = 0;
  auto const add = [&](std::string path, std::string text) {
    if (!contains(made.files, path, &FileText::path)) made.files.push_back({std::move(path), std::move(text)});
  };
  for (Target const& each : targets) {
    if (!is_drawn(each.ending)) {
      add(each.path, each.ending == "csv" ? to_csv(each.figure->data) : spec_text(*each.figure, style));
    } else if (drawn) {
      add(each.path, std::move((*drawn)[next++]));
    } else {
      std::string const path = with_ending(each.path, each.ending, specification);
      add(path, spec_text(*each.figure, style));
      add_once(made.kept, path);
    }
  }
  return made;
}

Option style_option() {
  return {.name = "--style",
          .kind = Kind::choice,
          .summary = "size, type and colours",
          .standard = "paper",
          .choices = {std::begin(style_names), std::end(style_names)}};
}

FigureStyle figure_style(Invocation const& args) {
  return static_cast<FigureStyle>(std::ranges::find(style_names, args.text("--style")) - std::begin(style_names));
}

void require_drawn(FigureTexts const& made) {
  if (made.kept.empty()) return;
  throw InputError(fmt::format("nothing here draws .svg, .pdf or .png (vl-convert-python does, and no Python was "
                               "found that has it), kept instead: {}",
                               fmt::join(made.kept, ", ")),
                   how_to_draw(installed_folder()));
}

}  // namespace draftgauge
