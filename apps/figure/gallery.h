#pragma once
#include <span>
#include <string>

#include "analysis/figures/figure.h"

namespace draftgauge {

/// A page of Markdown that shows figures, with what each says and the command that draws it. folder: where their .svg
/// are, as the page links to them ("gallery"). specifications: whether
/// those lie beside them.
std::string gallery_page(std::span<Figure const> figures, std::string const& folder, bool specifications);

}  // namespace draftgauge
