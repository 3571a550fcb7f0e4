#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/figures/figure.h"
#include "analysis/figures/spec.h"

/// What figures of several recordings have in common: a colour for each, and their names in the data.
namespace draftgauge {

/// The recordings that a figure of token-by-token acceptance is drawn of: all that were asked for, or else the first
/// that knows how many tokens a round gives when its text is replayed. Throws InputError where there is none, or one
/// that was asked for does not know; `figure` is the name that the message gives.
std::vector<FigureRecording const*> replayable_recordings(FigureInput const& input, std::string_view figure);

/// Throws UsageError where several recordings were asked for and the figure can show one. why: "it is one run along a
/// text".
void require_one_recording(FigureInput const& input, std::string_view figure, std::string_view why);

/// "a.tsv: 6256 tokens in 28 texts of temperature 1; b.tsv: …".
std::string to_string(std::vector<FigureRecording const*> const& recordings);

/// A figure's rows, recording by recording. Where there are several, a first column names the recording, as no other
/// one is named.
class RecordingRows {
 public:
  RecordingRows(std::vector<FigureRecording const*> const& recordings, std::vector<Column> columns);

  /// The rows that follow are of recordings[i].
  void begin(std::size_t i) { current_ = i; }
  void add(std::vector<Cell> row);
  Table const& table() const { return table_; }
  /// Of the recordings, as the first column has them; empty where there is one.
  std::vector<std::string> const& names() const { return names_; }

 private:
  std::vector<std::string> names_;  ///< empty where there is one recording
  std::size_t current_ = 0;
  Table table_;
};

/// x of panels by draft length, as JSON.
inline constexpr char gamma_axis[] =
    R"({"field": "gamma", "type": "quantitative", "title": "drafts per round γ", "axis": {"tickMinStep": 1}})";

/// Lines of all recordings that a panel shows: of the rows that a filter keeps, the field `y`.
struct OverlayLines {
  std::string y;
  std::string filter = {};  ///< Vega's expression; empty: all rows
  bool theory = false;      ///< drawn dashed, without a band
};
struct OverlayPanel {
  std::string x;  ///< the encoding of x, as JSON
  std::string y_title;
  std::vector<OverlayLines> lines;
  bool steps = false;  ///< a value holds up to the next x
};
/// The specification of panels above each other in which a colour is a recording.
Spec overlay_spec(std::vector<OverlayPanel> const& panels, Table const& data);

}  // namespace draftgauge
