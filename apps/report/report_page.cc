#include "apps/report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "analysis/choose/alarms.h"
#include "apps/report/page_files.h"
#include "sim/base/json_text.h"
#include "sim/base/sha256.h"

namespace draftgauge {
namespace {

using namespace nlohmann::literals;

constexpr std::size_t most_rows = 200;  ///< of a figure's numbers; more are for programs, not for readers
constexpr int most_decimals = 2;        ///< of a picture's coordinates, in pixels

/// The frame with each {{place}} filled.
std::string filled(std::string_view frame, std::map<std::string_view, std::string> const& places) {
  std::string out;
  while (!frame.empty()) {
    std::size_t const open = frame.find("{{");
    out += frame.substr(0, open);
    if (open == std::string_view::npos) break;
    std::size_t const close = frame.find("}}", open);
    auto const found = places.find(frame.substr(open + 2, close - open - 2));
    if (close == std::string_view::npos || found == places.end())
      throw std::logic_error("the page's frame has a place that nothing fills");
    out += found->second;
    frame.remove_prefix(close + 2);
  }
  return out;
}

std::string element(std::string_view name, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>\n", name, escape_html(text));
}

std::string list_of(std::vector<std::string> const& lines, std::string_view kind) {
  if (lines.empty()) return {};
  std::string out = fmt::format("<ul class=\"{}\">\n", kind);
  for (std::string const& line : lines) out += element("li", line);
  return out + "</ul>\n";
}

/// A table that scrolls by itself where it is wider than the page, also by the keyboard.
std::string scrolling(Table const& table, std::string_view caption) {
  if (table.columns().empty()) return {};
  return fmt::format("<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
                     escape_html(caption), to_html(table, caption));
}

std::string section_html(Section const& section, std::string_view name) {
  bool const has_table = !section.table.columns().empty();
  std::string out = has_table ? scrolling(section.table, section.heading.empty() ? name : section.heading)
                    : section.heading.empty() ? std::string()
                                              : element("h4", section.heading);
  for (std::string const& paragraph : section.paragraphs) out += element("p", paragraph);
  return out + list_of(section.notes, "notes");
}

std::string summary_html(std::vector<ReportSubject> const& subjects) {
  std::string out;
  if (subjects.size() > 1) out += scrolling(subjects_table(subjects), subjects_caption(subjects));
  for (ReportSubject const& subject : subjects) {
    out += "<article class=\"subject\">\n";
    if (subjects.size() > 1) out += element("h3", subject.name) + element("p", led_headline(subject));
    out += "<dl class=\"key\">\n";
    for (auto const& [label, value, detail] : subject.figures) {
      out += fmt::format("<div><dt>{}</dt><dd>{}", escape_html(label), escape_html(value));
      if (!detail.empty()) out += fmt::format("<span class=\"detail\">{}</span>", escape_html(detail));
      out += "</dd></div>\n";
    }
    out += "</dl>\n" + list_of(subject.words, "words") + "</article>\n";
  }
  return out;
}

std::string tables_html(std::vector<ReportSubject> const& subjects) {
  std::string out;
  for (ReportSubject const& subject : subjects) {
    out += "<article class=\"subject\">\n" + element("h3", subject.name);
    for (Section const& section : subject.sections) out += section_html(section, subject.name);
    out += "</article>\n";
  }
  return out;
}

std::string numbers_html(PageFigure const& page, bool open) {
  Figure const& figure = page.figure;
  if (figure.data.rows().size() > most_rows)
    return fmt::format("<p class=\"hint\">Its {} rows of numbers: <code>{}</code></p>\n", figure.data.rows().size(),
                       escape_html(page.command));
  return fmt::format(
      "<details{}><summary>Numbers</summary>\n{}<p class=\"hint\">As a file: <code>{}</code></p>\n</details>\n",
      open ? " open" : "", scrolling(figure.data, figure.title), escape_html(page.command));
}

std::string figure_html(PageFigure const& page) {
  Figure const& figure = page.figure;
  std::string const name = escape_html(page.id);
  bool const live = pages_are_live();
  std::string out =
      fmt::format("<figure class=\"plate\" aria-labelledby=\"figure-{}\">\n<h3 id=\"figure-{}\">{}</h3>\n", name,
                  name, escape_html(figure.title));
  std::string picture;
  if (!page.svg.empty())
    picture = fmt::format("<div class=\"picture\" role=\"img\" aria-label=\"{}\">{}</div>", escape_html(figure.title),
                          svg_in_html(page.svg, page.id + "-"));
  out += "<div>\n";
  if (live) out += fmt::format("<div class=\"chart\" id=\"{}\" data-figure=\"{}\"></div>\n", name, name);
  if (!picture.empty()) out += picture + "\n";  // which the script hides once the chart is there
  out += "</div>\n";
  return out + fmt::format("<figcaption>{}</figcaption>\n", escape_html(figure.caption)) +
         numbers_html(page, !live && picture.empty()) + "</figure>\n";
}

std::string figures_html(ReportPage const& page) {
  if (page.figures.empty()) return {};
  std::string out =
      "<section id=\"figures\" aria-labelledby=\"figures-heading\">\n<h2 id=\"figures-heading\">Figures</h2>\n";
  for (PageFigure const& figure : page.figures) out += figure_html(figure);
  if (page.figures_left_out > 0)
    out += fmt::format("<p>{} more would make this page too large to send. All of them: <code>{}</code></p>\n",
                       page.figures_left_out, escape_html(page.figures_command));
  return out + "</section>";
}

std::string sources_html(ReportPage const& page) {
  std::string out;
  if (!page.inputs.empty()) {
    Table inputs{{"path", "file", Align::left}, {"sha256", "SHA-256", Align::left}};
    for (Input const& input : page.inputs) inputs.add({input.path, input.sha256});
    out += scrolling(inputs, "Files that the numbers depend on");
  }
  return out + fmt::format("<p>Made by draftgauge {}, seed {}, with</p>\n<pre><code>{}</code></pre>\n",
                           escape_html(page.version), page.seed, escape_html(page.command_line));
}

std::string notice_html() {
  if (pages_are_live())
    return "<noscript><p class=\"notice\">Sliders, and values under the pointer, need JavaScript. All numbers are "
           "here without it.</p></noscript>";
  return "<p class=\"notice\">This page is static: the program that made it was built without the script that draws "
         "live charts (vl-convert-python). All numbers are here.</p>";
}

/// The value of a Content-Security-Policy that allows a script or a style of this text.
std::string allowed(std::string_view text) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string const hex = sha256_hex(text) + "00";  // 33 bytes, of which 32 count
  std::string base64;
  for (std::size_t at = 0; at < hex.size(); at += 3) {
    unsigned const twelve_bits = static_cast<unsigned>(std::stoul(hex.substr(at, 3), nullptr, 16));
    base64 += {digits[twelve_bits >> 6], digits[twelve_bits & 63]};
  }
  base64.back() = '=';
  return "'sha256-" + base64 + "'";
}

Json data_of(ReportPage const& page) {
  Json subjects = Json::array(), figures = Json::object();
  for (ReportSubject const& subject : page.subjects)
    if (!subject.sliders.is_null()) subjects.push_back(subject.sliders);
  for (PageFigure const& each : page.figures) figures[each.id] = page_spec(each.figure);
  return {{"most", page.most},
          {"subjects", std::move(subjects)},
          {"figures", std::move(figures)},
          {"explorer", Json::parse(page_file("explorer.json"))},
          {"config", page_config()}};
}

std::string lead(std::vector<ReportSubject> const& subjects) {
  if (subjects.size() == 1) return led_headline(subjects.front());
  std::string words;
  for (ReportSubject const& subject : subjects)
    for (Alarm const& alarm : named(subject.alarms, subject.name)) words += alarm.words + " ";
  words += fmt::format("{} recordings or settings side by side: what a draft model gives, and how surely.",
                       subjects.size());
  std::vector<std::string> rejected;
  for (ReportSubject const& subject : subjects)
    if (!subject.usable) rejected.push_back(subject.name);
  if (!rejected.empty())
    words +=
        fmt::format(" Not to be used, since the target would not write the text: {}.", fmt::join(rejected, "; "));
  return words;
}

/// The figure at a page's size, `width` pixels or "container". What cannot follow a container, as panels above each
/// other and text that is laid out by characters, has a width of its own and is scaled as a whole.
Json sized(Figure const& figure, Json const& width) {
  constexpr int own_width = 620;
  Json spec = styled(figure, FigureStyle::paper);
  spec.erase("config");
  if (spec.contains("vconcat")) {
    spec["spacing"] = 20;
    for (Json& panel : spec["vconcat"]) panel.update({{"width", own_width}, {"height", 150}});
  } else {
    bool const characters =
        spec.value("/encoding/x"_json_pointer, Json::object()).value("axis", Json(true)).is_null();
    spec.update({{"width", characters ? Json(own_width) : width}, {"height", 380}});
  }
  return spec;
}

}  // namespace

bool pages_are_live() { return !page_file("vega.js").empty(); }

Json page_config() {
  Json config = styled({"", "", "", Json::object(), {}}, FigureStyle::paper)["config"];
  config.merge_patch(Json::parse(page_file("chart.json")));
  return config;
}

Json page_spec(Figure const& figure) { return sized(figure, "container"); }

Json picture_spec(Figure const& figure) {
  Json spec = sized(figure, 640);
  spec["config"] = page_config();
  spec["config"]["aria"] = false;  // the numbers are beside it as text: nobody wants to hear them mark by mark
  return spec;
}

std::string json_in_html(Json const& document) {
  std::string out;
  for (char const c : printable_json(document.dump(-1, ' ', false, Json::error_handler_t::replace))) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

std::string svg_in_html(std::string_view svg, std::string_view prefix) {
  std::string out;
  bool in_tag = false, quoted = false;
  int decimals = -1;  // digits behind a point so far; -1: no point
  for (std::size_t at = 0; at < svg.size(); ++at) {
    char const c = svg[at];
    decimals = c == '.' ? 0 : decimals >= 0 && c >= '0' && c <= '9' ? decimals + 1 : -1;
    if (quoted && decimals > most_decimals) continue;
    if (quoted && (c == '<' || c == '>')) {
      out += c == '<' ? "&lt;" : "&gt;";
      continue;
    }
    if (in_tag && c == '"') quoted = !quoted;
    if (!quoted && (c == '<' || c == '>')) in_tag = c == '<';
    out += c;
    for (std::string_view const mark : {" id=\"", "url(#", "href=\"#"})
      if (in_tag && out.ends_with(mark)) out += prefix;
  }
  return out;
}

std::string report_html(ReportPage const& page) {
  std::string const style = fmt::format("\n{}\n", page_file("page.css"));
  std::string scripts;
  std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + allowed(style);
  if (pages_are_live()) {
    scripts = fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n", json_in_html(data_of(page)));
    policy += "; img-src data:; script-src";
    for (char const* name : {"vega.js", "theory.js", "page.js"}) {
      std::string const script = "\n" + std::string(page_file(name));
      scripts += "<script>" + script + "</script>\n";
      policy += " " + allowed(script);
    }
  }
  return filled(page_file("page.html"),
                {{"policy", policy},
                 {"version", escape_html(page.version)},
                 {"title", escape_html(page.title)},
                 {"lead", escape_html(lead(page.subjects))},
                 {"style", style},
                 {"figure_link", page.figures.empty() ? "" : "<li><a href=\"#figures\">Figures</a></li>\n"},
                 {"summary", summary_html(page.subjects)},
                 {"notice", notice_html()},
                 {"confidence", escape_html(page.confidence)},
                 {"figures", figures_html(page)},
                 {"tables", tables_html(page.subjects)},
                 {"sources", sources_html(page)},
                 {"scripts", scripts}});
}

}  // namespace draftgauge
