#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/figures/figure.h"
#include "apps/cli/invocation.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"
#include "apps/output/renderer.h"

namespace draftgauge {

/// A figure, its name within the page, the command that draws it alone, and its SVG as a renderer made it; empty: none
/// was there.
struct PageFigure {
  Figure figure;
  std::string id = {};
  std::string command = {};
  std::string svg = {};
};

/// A setting that a page without recordings is about.
struct FigureSetting {
  double cost;
  std::int64_t best_gamma;
};

/// What `draftgauge list figures` has of recordings, for each of `input` apart; of these `args` names all in their
/// order, and those whose text is rejected are left out by `usable`.
std::vector<PageFigure> recording_figures(FigureInput const& input, std::vector<bool> const& usable,
                                          Invocation const& args);
/// Those of theory that show where the settings stand, at their cost and with the curves of their best γ. A cost of 0
/// is nobody's: the curves are the papers' then. Those of trees stand there where the input says what is accepted.
std::vector<PageFigure> theory_figures(FigureInput const& input, std::vector<FigureSetting> const& settings,
                                       Invocation const& args);

/// S against γ by an engine's counters at these costs, first of all; none where they do not say what other lengths
/// would give, or no costs are given.
std::optional<PageFigure> counted_figure(EngineCounters const& counters, PricedRound const& priced,
                                         GammaAsked const& asked, Invocation const& args);

/// `draftgauge figure all` of the same recordings and options, into a folder.
std::string all_figures_command(Invocation const& args);

/// Fills in the pictures, where a renderer is there.
void draw_pictures(std::vector<PageFigure>& figures, DrawingProgress const& told = {});

}  // namespace draftgauge
