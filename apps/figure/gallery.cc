#include "apps/figure/gallery.h"

#include <fmt/format.h>

#include "analysis/table.h"

namespace draftgauge {

std::string gallery_page(std::span<Figure const> figures, std::string const& folder, bool specifications) {
  std::string page = fmt::format(
      "# Gallery\n\n"
      "Figures, as draftgauge draws them for a column of a paper (`--style paper`; `slides` and `dark` are for "
      "screens).\n{}Written by `make docs`.\n",
      specifications ? "Beside each .svg lies its Vega-Lite specification with the numbers inside. " : "");
  for (Figure const& figure : figures) {
    page += fmt::format(
        "\n## {0}\n\n<img src=\"{1}/{2}.svg\" width=\"560\" alt=\"{0}\">\n\n{3}\n\n"
        "```sh\ndraftgauge figure {2} -o {2}.pdf\n```\n",
        figure.title, folder, figure.name, escape_markdown(figure.caption));
    if (specifications) page += fmt::format("\n[Specification]({}/{}.vl.json)\n", folder, figure.name);
  }
  return page;
}

}  // namespace draftgauge
