#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/figures/figure.h"
#include "apps/cli/invocation.h"
#include "apps/output/output.h"
#include "apps/output/renderer.h"

namespace draftgauge {

/// The endings under which a figure is written: drawn ones first, then the specification and its numbers.
inline constexpr std::string_view figure_endings[] = {"svg", "pdf", "png", "vl.json", "csv"};

/// ".svg, .pdf, …", of all.
std::string endings_text();

/// Where figures go.
struct FigureFiles {
  std::string folder;                     ///< empty: `file`
  std::string file;                       ///< of one figure
  std::vector<std::string_view> endings;  ///< at least one
};
/// output: what -o names; a folder where it ends in a slash, is one, or has several figures to take. formats: of
/// --formats, empty where not given. Throws UsageError for an ending that is not known, and for formats beside a file.
FigureFiles figure_files(std::string const& output, std::string const& formats, std::size_t figures);

/// The specification as a file's text.
std::string spec_text(Figure const& figure, FigureStyle style);

/// --style.
Option style_option();
FigureStyle figure_style(Invocation const& args);

/// What is to be written of figures, each under each ending.
struct FigureTexts {
  std::vector<FileText> files;
  std::vector<std::string> kept;  ///< of them, specifications in place of what nothing on this machine draws
};
/// Draws what is to be drawn. Throws InputError where that fails.
FigureTexts figure_texts(std::span<Figure const> figures, FigureFiles const& files, FigureStyle style,
                         DrawingProgress const& told = {});
/// Throws InputError, which says how to get what draws, where specifications were kept in place of drawings.
void require_drawn(FigureTexts const& made);

}  // namespace draftgauge
