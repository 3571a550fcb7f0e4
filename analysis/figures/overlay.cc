#include "analysis/figures/overlay.h"

#include <fmt/format.h>

#include "analysis/figures/series.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

/// One name for each: a second file of the same name gets a number.
std::vector<std::string> names_of(std::vector<FigureRecording const*> const& recordings) {
  std::vector<std::string> names;
  for (FigureRecording const* const each : recordings) {
    std::string name = name_of(*each);
    for (int i = 2; contains(names, name); ++i) name = fmt::format("{} ({})", name_of(*each), i);
    names.push_back(std::move(name));
  }
  return names;
}

Spec line_layer(OverlayPanel const& panel, OverlayLines const& lines) {
  Spec mark = {{"type", "line"}};
  if (lines.theory) mark["style"] = "theory";
  return {{"transform", Spec::array()},
          {"mark", std::move(mark)},
          {"encoding", {{"y", {{"field", lines.y}, {"type", "quantitative"}, {"title", panel.y_title}}}}}};
}

/// Of the rows that the lines are of, with steps where the panel has them.
Spec layer(OverlayPanel const& panel, OverlayLines const& lines, bool band) {
  Spec drawn = band ? band_layer(lines.y) : line_layer(panel, lines);
  Spec& transform = drawn["transform"];
  if (!lines.filter.empty()) transform.insert(transform.begin(), Spec{{"filter", lines.filter}});
  if (panel.steps) drawn["mark"]["interpolate"] = "step-after";
  return drawn;
}

Spec view(OverlayPanel const& panel) {
  Spec layers = Spec::array();
  for (OverlayLines const& lines : panel.lines)
    if (!lines.theory) layers.push_back(layer(panel, lines, true));
  for (OverlayLines const& lines : panel.lines) layers.push_back(layer(panel, lines, false));
  Spec colour = {{"field", "recording"}, {"type", "nominal"}, {"sort", nullptr}};
  colour["legend"] = {{"title", nullptr}, {"columns", 1}};
  return {{"encoding", {{"x", Spec::parse(panel.x)}, {"color", std::move(colour)}}}, {"layer", std::move(layers)}};
}

}  // namespace

std::vector<FigureRecording const*> replayable_recordings(FigureInput const& input, std::string_view figure) {
  if (!input.draw_each || input.recordings.empty()) return {&replayable(input, figure)};
  std::vector<FigureRecording const*> all;
  for (FigureRecording const& each : input.recordings) {
    if (std::string const why = each.estimates.why_not(Estimator::replay); !why.empty())
      refuse_to_draw(each, why, figure);
    all.push_back(&each);
  }
  return all;
}

void require_one_recording(FigureInput const& input, std::string_view figure, std::string_view why) {
  if (input.draw_each && input.recordings.size() > 1)
    throw UsageError(
        fmt::format("{} is drawn of one recording, and {} are given ({})", figure, input.recordings.size(), why),
        fmt::format("name one: {}", shell_word(input.recordings.front().name)));
}

std::string to_string(std::vector<FigureRecording const*> const& recordings) {
  return joined(recordings, [](FigureRecording const* of) { return to_string(*of); }, "; ");
}

RecordingRows::RecordingRows(std::vector<FigureRecording const*> const& recordings, std::vector<Column> columns) {
  if (recordings.size() > 1) {
    names_ = names_of(recordings);
    columns.insert(columns.begin(), {"recording", "recording", Align::left});
  }
  table_ = Table(std::move(columns));
}

void RecordingRows::add(std::vector<Cell> row) {
  if (!names_.empty()) row.insert(row.begin(), names_[current_]);
  table_.add(std::move(row));
}

Spec overlay_spec(std::vector<OverlayPanel> const& panels, Table const& data) {
  if (panels.size() == 1) return spec_of(view(panels.front()).dump(), data);
  Spec views = Spec::array();
  for (OverlayPanel const& panel : panels) views.push_back(view(panel));
  return spec_of(Spec{{"vconcat", std::move(views)}}.dump(), data);
}

}  // namespace draftgauge
