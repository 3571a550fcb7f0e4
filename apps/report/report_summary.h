#pragma once
#include <string>
#include <vector>

#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// What a page says of one recording, or of one acceptance rate at one cost.
struct ReportSubject {
  /// A number that a reader looks for first.
  struct KeyFigure {
    std::string label, value;
    std::string detail = {};  ///< its interval, or what it holds for
  };

  std::string name;                ///< the recording's, or "α=0.8, c=0.05"
  bool usable = true;              ///< the text is not rejected
  bool fails = false;              ///< it is of no use at all: exit status 1
  bool costs_given = true;         ///< else there is no best draft length
  std::vector<Alarm> alarms = {};  ///< what is said before it
  std::string headline = {};       ///< the finding in a sentence
  std::vector<KeyFigure> figures = {};
  std::vector<std::string> words = {};  ///< the findings in plain sentences
  std::vector<Section> sections = {};   ///< the tables behind them
  std::vector<Cell> row = {};           ///< of the table over all subjects
  Json document = {};                   ///< the fields of docs/schema/report.json
  /// Where the sliders start: α, γ, c, o, v(1) … v(most + 1), and the recorded tokens per round with their interval.
  /// Null where no α is known.
  Json sliders = {};
};

/// The headline behind all alarms.
std::string led_headline(ReportSubject const& subject);

ReportSubject report_of(MeasuredRecording const& of, StudyOptions const& options, GammaAsked const& asked);
ReportSubject report_of(double alpha, PricedRound const& round, GammaAsked const& asked);

/// One line a subject: at its best draft length, or at the longest where no costs were given.
std::string subjects_caption(std::vector<ReportSubject> const& subjects);
Table subjects_table(std::vector<ReportSubject> const& subjects);

}  // namespace draftgauge
