#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/output/result.h"

namespace draftgauge {

/// A Vega-Lite specification to be drawn.
struct Drawing {
  Json spec;
  std::string_view format;  ///< "svg", "pdf", "png"
  double scale = 1;         ///< of a png: its pixels to one of the specification
};

/// Told while the renderer works how many drawings are done, many times a second and from the caller's own thread.
using DrawingProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// The files' bytes, one for each drawing, by vl-convert-python in one process: the Python named by the environment
/// variable DRAFTGAUGE_RENDERER, else the one that `make` has prepared, else python3 on the path, whichever has it
/// first. None where none has, and where the variable says "none". Throws InputError where the variable names one that
/// has not, and where a specification cannot be drawn, with what the renderer says. The network is asked for nothing.
std::optional<std::vector<std::string>> draw(std::span<Drawing const> drawings, DrawingProgress const& told = {});

/// How to get what draws, in one line, for a program installed with that folder, by pip or otherwise, or built where
/// it stands.
std::string how_to_draw(std::optional<std::filesystem::path> const& installed);

}  // namespace draftgauge
