#include "apps/gallery.h"

#include <fmt/format.h>

#include "analysis/table.h"

namespace draftgauge {

std::string gallery_page(std::span<Figure const> figures, std::string const& folder) {
  std::string page =
      "# Gallery\n\n"
      "Figures, as draftgauge draws them for a column of a paper (`--style paper`; `slides` and `dark` are for "
      "screens).\nBeside each .svg lies its Vega-Lite specification with the numbers inside. Written by "
      "`make docs`.\n";
  for (Figure const& figure : figures)
    page += fmt::format(
        "\n## {0}\n\n<img src=\"{1}/{2}.svg\" width=\"560\" alt=\"{0}\">\n\n{3}\n\n"
        "```sh\ndraftgauge figure {2} -o {2}.pdf\n```\n\n[Specification]({1}/{2}.vl.json)\n",
        figure.title, folder, figure.name, escape_markdown(figure.caption));
  return page;
}

}  // namespace draftgauge
