#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/figures/figure.h"

namespace draftgauge {

/// The endings under which a figure is written: drawn ones first, then the specification and its numbers.
inline constexpr std::string_view figure_endings[] = {"svg", "pdf", "png", "vl.json", "csv"};

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

/// Writes each figure under each ending, all files whole or none of them, and returns the paths. Where nothing on this
/// machine can draw, the specifications are written in place of what is drawn, and an InputError names them.
std::vector<std::string> write_figures(std::span<Figure const> figures, FigureFiles const& files, FigureStyle style);

}  // namespace draftgauge
