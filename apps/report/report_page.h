#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/figures/figure.h"
#include "apps/output/result.h"
#include "apps/report/report_figures.h"
#include "apps/report/report_summary.h"

namespace draftgauge {

/// All that a page shows.
struct ReportPage {
  std::string title = {};
  std::vector<ReportSubject> subjects = {};
  std::vector<PageFigure> figures = {};
  int figures_left_out = 0;
  std::string figures_command = {};  ///< that draws all of them
  std::vector<Input> inputs = {};
  std::string command_line, version;
  std::string confidence;  ///< "95 %"
  std::int64_t seed = 0;
  int most = 1;  ///< the largest γ of the sliders
};

/// Whether pages are live: the script that draws charts was there when the program was built.
bool pages_are_live();

/// One HTML file that asks no other file or machine for anything, and forbids it to the browser, which takes no script
/// and no style but those whose SHA-256 its Content-Security-Policy names. What others wrote, as all in `page` may be,
/// is escaped here.
std::string report_html(ReportPage const& page);

/// The looks of a page's charts: those of figures in a paper, larger, and with colours that page.css gives.
Json page_config();
/// The figure as a page draws it: as wide as its place, with the page's colours by name.
Json page_spec(Figure const& figure);
/// The same for a picture of fixed width.
Json picture_spec(Figure const& figure);

/// JSON in which an HTML parser finds no markup, for a script element.
std::string json_in_html(Json const& document);

/// A renderer's SVG as a part of a page. What its attributes quote has no markup, for readers that do not know quotes.
/// Its ids begin with `prefix`, so that no two pictures share one; coordinates have two decimals.
std::string svg_in_html(std::string_view svg, std::string_view prefix);

}  // namespace draftgauge
