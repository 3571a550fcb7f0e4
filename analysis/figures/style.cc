#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/figures/figure.h"

namespace draftgauge {
namespace {

using Spec = nlohmann::ordered_json;

/// What a style says, in pixels. In a PDF a pixel is a point, so that a paper's figure is 3.3 inches wide, a column of
/// two, and its type as large as that of a caption.
struct Look {
  int width, height, panel;  ///< panel: the height of one of two above each other, without its axes
  int font, line, point;
  char const *ink, *faint, *paper;  ///< text; grid; background
  /// Okabe and Ito, Color Universal Design, 2008: told apart by readers with any kind of colour vision. Their yellow
  /// is only for dark ground, their black for light.
  std::array<char const*, 7> colours;
};

constexpr Look paper{.width = 238,
                     .height = 165,
                     .panel = 82,
                     .font = 8,
                     .line = 1,
                     .point = 12,
                     .ink = "#000000",
                     .faint = "#dddddd",
                     .paper = "#ffffff",
                     .colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"}};
constexpr Look slides{.width = 800,
                      .height = 450,
                      .panel = 125,
                      .font = 20,
                      .line = 3,
                      .point = 90,
                      .ink = "#222222",
                      .faint = "#dddddd",
                      .paper = "#ffffff",
                      .colours = paper.colours};
constexpr Look dark{.width = slides.width,
                    .height = slides.height,
                    .panel = slides.panel,
                    .font = slides.font,
                    .line = slides.line,
                    .point = slides.point,
                    .ink = "#eeeeee",
                    .faint = "#4a4a4a",
                    .paper = "#1b1b1b",
                    .colours = {"#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#ffffff"}};

Look const& look_of(FigureStyle style) {
  return style == FigureStyle::paper ? paper : style == FigureStyle::slides ? slides : dark;
}

/// The area of the largest of points whose areas say something.
double largest_point(Look const& look) { return look.point * 8.; }

Spec config(Look const& look) {
  int const small = look.font * 7 / 8;
  return {
      {"font", "Arial, Liberation Sans, sans-serif"},
      {"background", look.paper},
      {"view", {{"stroke", nullptr}}},
      {"axis",
       {{"labelFontSize", look.font},
        {"titleFontSize", look.font},
        {"titleFontWeight", "normal"},
        {"labelColor", look.ink},
        {"titleColor", look.ink},
        {"domainColor", look.ink},
        {"tickColor", look.ink},
        {"gridColor", look.faint},
        {"gridWidth", look.line * .5},
        {"domainWidth", look.line * .5},
        {"tickWidth", look.line * .5},
        {"tickSize", small / 2},
        {"titlePadding", small / 2},
        {"labelPadding", small / 4}}},
      {"axisQuantitative", {{"tickCount", 6}}},
      {"legend",
       {{"layout", {{"top", {{"margin", look.font}}}}},
        {"labelFontSize", look.font},
        {"titleFontSize", look.font},
        {"labelColor", look.ink},
        {"titleColor", look.ink},
        {"titleFontWeight", "normal"},
        {"orient", "top"},
        {"symbolStrokeWidth", look.line},
        {"symbolSize", look.font * look.font},
        {"gradientThickness", look.font},
        {"gradientLength", look.width / 2},
        {"labelLimit", 0},
        {"offset", small / 2},
        {"columnPadding", look.font},
        {"rowPadding", small / 4}}},
      {"title", {{"fontSize", look.font}, {"color", look.ink}, {"fontWeight", "normal"}, {"anchor", "start"}}},
      {"mark", {{"color", look.colours[0]}}},
      {"line", {{"strokeWidth", look.line}}},
      {"rule", {{"strokeWidth", look.line}, {"color", look.ink}}},
      {"point", {{"size", look.point}}},
      {"text", {{"color", look.ink}}},
      {"range", {{"category", look.colours}, {"ramp", {{"scheme", "viridis"}}}}},
      {"scale",
       {{"minStrokeWidth", look.line * .3},
        {"maxStrokeWidth", look.line * 2.5},
        {"minSize", look.point * .2},
        {"maxSize", largest_point(look)}}},
      {"style",
       {{"band", {{"opacity", .25}}},
        {"whisker", {{"strokeWidth", look.line * .8}}},
        {"reference",
         {{"color", look.ink}, {"strokeDash", {3 * look.line, 2 * look.line}}, {"strokeWidth", look.line * .7}}},
        {"theory", {{"strokeDash", {4 * look.line, 2 * look.line}}}},
        {"pass", {{"height", {{"band", .7}}}}},
        {"target-pass", {{"height", {{"band", .7}}}, {"x2Offset", -.7 * look.line}}},
        {"contour", {{"color", look.ink}, {"strokeWidth", look.line * .7}}},
        {"contour-label", {{"align", "left"}, {"baseline", "bottom"}, {"dx", small / 4}, {"fontSize", small}}},
        {"token",
         // The renderer brings no monospaced font, and draws nothing where the system has none either.
         {{"align", "left"}, {"fontSize", look.width / 31.}}},
        {"end-label", {{"align", "left"}, {"dx", small / 2}, {"fontSize", look.font}}},
        {"edge", {{"opacity", .35}}},
        {"state-label", {{"fontSize", small}, {"baseline", "middle"}}},
        {"tree-label", {{"align", "right"}, {"baseline", "top"}, {"fontSize", look.font}}},
        {"node-label",
         {{"align", "left"},
          {"baseline", "bottom"},
          {"dx", std::sqrt(largest_point(look) / 5)},
          {"fontSize", small}}},
        {"near", {{"color", look.faint}, {"stroke", look.faint}}},
        {"on-dark", {{"color", "white"}, {"fontSize", small}}},
        {"on-bright", {{"color", "black"}, {"fontSize", small}}}}},
  };
}

bool has_end_labels(Spec const& panel) {
  return std::ranges::any_of(panel["layer"], [](Spec const& layer) {
    return layer["mark"].is_object() && layer["mark"].value("style", "") == "end-label";
  });
}

}  // namespace

Spec styled(Figure const& figure, FigureStyle style) {
  Look const& look = look_of(style);
  Spec spec = {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"}, {"description", figure.caption}};
  // On a slide nobody writes a caption below.
  if (style != FigureStyle::paper) spec["title"] = figure.title;
  spec["config"] = config(look);
  spec.update(figure.spec);
  if (spec.contains("vconcat")) {
    // Panels cannot be fitted into a width together with their axes and labels, for which room is left instead.
    spec["spacing"] = look.font;
    int const room = std::ranges::any_of(spec["vconcat"], has_end_labels) ? 9 : 6;
    for (Spec& panel : spec["vconcat"]) {
      panel["width"] = look.width - room * look.font;
      panel["height"] = look.panel;
    }
  } else {
    spec["width"] = look.width;
    spec["height"] = look.height;
    spec["autosize"] = {{"type", "fit"}, {"contains", "padding"}};
  }
  return spec;
}

}  // namespace draftgauge
