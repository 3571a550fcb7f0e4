#pragma once
#include <string_view>

namespace draftgauge {

/// A file of apps/report/page as it was when the program was built ("page.html"), or "vega.js": Vega, Vega-Lite and
/// Vega-Embed as one script, empty where the build had no renderer to take it from. Throws std::logic_error for
/// another name.
std::string_view page_file(std::string_view name);

}  // namespace draftgauge
