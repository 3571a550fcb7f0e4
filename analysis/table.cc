#include "analysis/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "analysis/texts/text_width.h"
#include "sim/base/printable.h"

namespace draftgauge {
namespace {

template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

constexpr char undefined[] = "–";

// Rounded to `decimals`; in powers of ten where that would show a number as 0 that is not, or a row of digits that
// mean nothing.
std::string rounded(double value, int decimals) {
  if (std::isnan(value)) return undefined;
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  double const size = std::abs(value);
  bool const fits = value == 0 || (size >= 0.5 * std::pow(10.0, -decimals) && size < 1e12);
  return fits ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.3e}", value);
}

// A cell as a reader sees it, before any escaping.
std::string shown(Cell const& cell) {
  return std::visit(
      Cases{[](std::monostate) { return std::string(); }, [](std::string const& text) { return printable(text); },
            [](bool truth) { return std::string(truth ? "yes" : "no"); },
            [](std::int64_t whole) { return std::to_string(whole); },
            [](Number const& n) { return rounded(n.value, n.decimals); }, [](Exact const& e) { return e.text; },
            [](Estimate const& e) {
              return fmt::format("{} [{}, {}]", rounded(e.interval.value, e.decimals),
                                 rounded(e.interval.low, e.decimals), rounded(e.interval.high, e.decimals));
            }},
      cell);
}

std::string shown(Column const& column) {
  return column.unit.empty() ? column.header : column.header + " (" + column.unit + ")";
}

std::string spaces(std::size_t n) { return std::string(n, ' '); }

std::string repeated(std::string_view piece, std::size_t times) {
  std::string all;
  while (times-- > 0) all += piece;
  return all;
}

std::size_t longest_word(std::string const& text) {
  std::size_t longest = 0;
  for (std::string const& word : wrap(text, 1)) longest = std::max(longest, display_width(word));
  return longest;
}

// Narrows columns until the line fits, or nothing is left to give. First headers that are wider than their cells, those
// that give most before others, to their longest word; then the widest columns of text: none becomes narrower than
// `readable`, nor than its longest word. At last words are cut, and columns of text go down to `least`.
void narrow(std::vector<std::size_t>& widths, std::vector<std::size_t> const& bodies,
            std::vector<Column> const& columns, std::vector<std::size_t> const& words, std::size_t gap,
            std::size_t width) {
  constexpr std::size_t readable = 24, least = 10;
  auto const too_wide = [&] {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1)) > width;
  };
  std::vector<std::size_t> given(widths.size());
  for (std::size_t i = 0; i < widths.size(); ++i)
    given[i] = widths[i] - std::max(bodies[i], longest_word(shown(columns[i])));
  while (too_wide()) {
    auto const most = std::ranges::max_element(given);
    if (*most == 0) break;
    widths[static_cast<std::size_t>(most - given.begin())] -= std::exchange(*most, 0);
  }
  while (too_wide()) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (columns[i].align != Align::left || widths[i] <= std::max(readable, words[i])) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) break;
    std::size_t const total = std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
    widths[widest] = std::max({readable, words[widest], widths[widest] - std::min(widths[widest], total - width)});
  }
  // What still does not fit has words cut, but for the first column, whose names are copied.
  while (too_wide()) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < widths.size(); ++i)
      if (columns[i].align == Align::left && widths[i] > std::max(least, longest_word(shown(columns[i]))) &&
          (widest == 0 || widths[i] > widths[widest]))
        widest = i;
    if (widest == 0) return;
    --widths[widest];
  }
}

// Words wider than the column are cut behind a separator where there is one, else where the column ends.
std::string cut_words(std::string const& text, std::size_t width) {
  std::string out, piece;
  std::size_t separated = 0;  // bytes of the piece up to its last separator
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    std::string const character = text.substr(at, next - at);
    at = next;
    if (character == " " || character == "\n") {
      out += piece + character;
      piece.clear();
      separated = 0;
      continue;
    }
    if (!piece.empty() && display_width(piece + character) > width) {
      std::size_t const cut = separated > 0 ? separated : piece.size();
      out += piece.substr(0, cut) + '\n';
      piece.erase(0, cut);
      separated = 0;
    }
    piece += character;
    if (std::string_view("/_-,=.:").find(character) != std::string_view::npos) separated = piece.size();
  }
  return out + piece;
}

std::string csv_field(std::string const& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

std::string latex_math(std::string const& number) {
  std::string math = number;
  if (auto const e = math.find('e'); e != std::string::npos) {
    math = fmt::format("{}\\times10^{{{}}}", math.substr(0, e), std::stoi(math.substr(e + 1)));
  }
  if (auto const sign = math.find("∞"); sign != std::string::npos)
    math.replace(sign, std::string("∞").size(), "\\infty");
  return math == undefined ? "--" : "$" + math + "$";
}

std::string latex_cell(Cell const& cell) {
  bool const words = std::holds_alternative<std::string>(cell) || std::holds_alternative<bool>(cell);
  if (words) return escape_latex(shown(cell));
  if (std::holds_alternative<std::monostate>(cell)) return {};
  if (auto const* e = std::get_if<Estimate>(&cell)) {
    return fmt::format("{} [{}, {}]", latex_math(rounded(e->interval.value, e->decimals)),
                       latex_math(rounded(e->interval.low, e->decimals)),
                       latex_math(rounded(e->interval.high, e->decimals)));
  }
  return latex_math(shown(cell));
}

bool has_estimates(Table const& table, std::size_t column) {
  return std::any_of(table.rows().begin(), table.rows().end(),
                     [&](auto const& row) { return std::holds_alternative<Estimate>(row[column]); });
}

std::string joined(std::vector<std::string> const& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

}  // namespace

void Table::add(std::vector<Cell> row, bool detail) {
  if (row.size() != columns_.size()) {
    throw std::logic_error(fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_.size()));
  }
  rows_.push_back(std::move(row));
  details_.push_back(detail);
}

Table Table::brief() const {
  Table table;
  for (Column const& column : columns_)
    if (!column.detail) table.columns_.push_back(column);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (details_[i]) continue;
    std::vector<Cell> row;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      if (!columns_[j].detail) row.push_back(rows_[i][j]);
    table.add(std::move(row));
  }
  return table;
}

std::string to_text(Table const& table, std::size_t width, Paint const& paint) {
  constexpr std::size_t gap = 2;
  std::vector<Column> const& columns = table.columns();
  if (columns.empty()) return {};
  std::vector<std::size_t> bodies(columns.size(), 0), words(columns.size(), 0);
  for (std::size_t i = 0; i < columns.size(); ++i) words[i] = longest_word(shown(columns[i]));
  for (auto const& row : table.rows()) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string const text = shown(row[i]);
      bodies[i] = std::max(bodies[i], display_width(text));
      words[i] = std::max(words[i], longest_word(text));
    }
  }
  std::vector<std::size_t> widths = bodies;
  for (std::size_t i = 0; i < columns.size(); ++i) widths[i] = std::max(widths[i], display_width(shown(columns[i])));
  narrow(widths, bodies, columns, words, gap, width);

  std::string out;
  auto print = [&](std::vector<std::string> const& cells, std::vector<Cell> const* painted) {
    bool const header = painted == nullptr;
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      bool const text = header || columns[i].align == Align::left;
      parts.push_back(text ? wrap(cut_words(cells[i], widths[i]), widths[i]) : std::vector{cells[i]});
      height = std::max(height, parts.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        std::string const part = line < parts[i].size() ? parts[i][line] : std::string();
        std::string const padding = spaces(widths[i] - std::min(widths[i], display_width(part)));
        auto const look = painted && paint && !part.empty() ? paint(columns[i], (*painted)[i]) : std::string_view();
        std::string const seen = look.empty() ? part : fmt::format("\x1b[{}m{}\x1b[0m", look, part);
        text += (i == 0 ? "" : spaces(gap)) + (columns[i].align == Align::left ? seen + padding : padding + seen);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out += text + '\n';
    }
  };
  std::vector<std::string> cells;
  for (Column const& column : columns) cells.push_back(shown(column));
  print(cells, nullptr);
  for (std::size_t i = 0; i < widths.size(); ++i) out += (i == 0 ? "" : spaces(gap)) + repeated("─", widths[i]);
  out += '\n';
  for (auto const& row : table.rows()) {
    cells.clear();
    for (Cell const& cell : row) cells.push_back(shown(cell));
    print(cells, &row);
  }
  return out;
}

std::string to_markdown(Table const& table) {
  if (table.columns().empty()) return {};
  std::string out;
  std::vector<std::string> cells;
  for (Column const& column : table.columns()) cells.push_back(escape_markdown(shown(column)));
  out += "| " + joined(cells, " | ") + " |\n|";
  for (Column const& column : table.columns()) out += column.align == Align::left ? " :--- |" : " ---: |";
  out += '\n';
  for (auto const& row : table.rows()) {
    cells.clear();
    for (Cell const& cell : row) cells.push_back(escape_markdown(shown(cell)));
    out += "| " + joined(cells, " | ") + " |\n";
  }
  return out;
}

std::string to_csv(Table const& table) {
  if (table.columns().empty()) return {};
  constexpr char end_of_line[] = "\r\n";
  std::vector<bool> wide;
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    std::string const& key = table.columns()[i].key;
    wide.push_back(has_estimates(table, i));
    fields.push_back(csv_field(key));
    if (!wide[i]) continue;
    for (char const* part : {"_low", "_high", "_confidence"}) fields.push_back(csv_field(key + part));
  }
  std::string out = joined(fields, ",") + end_of_line;
  for (auto const& row : table.rows()) {
    fields.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::visit(Cases{[&](std::monostate) { fields.emplace_back(); },
                       [&](std::string const& text) { fields.push_back(csv_field(text)); },
                       [&](bool truth) { fields.emplace_back(truth ? "true" : "false"); },
                       [&](std::int64_t whole) { fields.push_back(std::to_string(whole)); },
                       [&](Number const& n) { fields.push_back(csv_number(n.value)); },
                       [&](Exact const& e) { fields.push_back(csv_field(e.text)); },
                       [&](Estimate const& e) { fields.push_back(csv_number(e.interval.value)); }},
                 row[i]);
      if (!wide[i]) continue;
      auto const* e = std::get_if<Estimate>(&row[i]);
      for (double Interval::* part : {&Interval::low, &Interval::high, &Interval::confidence}) {
        fields.push_back(e ? csv_number(e->interval.*part) : std::string());
      }
    }
    out += joined(fields, ",") + end_of_line;
  }
  return out;
}

std::string to_latex(Table const& table) {
  if (table.columns().empty()) return {};
  std::string out = "\\begin{tabular}{";
  for (Column const& column : table.columns()) out += column.align == Align::left ? 'l' : 'r';
  std::vector<std::string> cells;
  for (Column const& column : table.columns()) cells.push_back(escape_latex(shown(column)));
  out += "}\n\\toprule\n" + joined(cells, " & ") + " \\\\\n\\midrule\n";
  for (auto const& row : table.rows()) {
    cells.clear();
    for (Cell const& cell : row) cells.push_back(latex_cell(cell));
    out += joined(cells, " & ") + " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_html(Table const& table, std::string_view caption) {
  if (table.columns().empty()) return {};
  auto const look = [](Column const& column) { return column.align == Align::left ? "" : " class=\"number\""; };
  std::string out = fmt::format("<table>\n<caption>{}</caption>\n<thead><tr>", escape_html(caption));
  for (Column const& column : table.columns())
    out += fmt::format("<th scope=\"col\"{}>{}</th>", look(column), escape_html(shown(column)));
  out += "</tr></thead>\n<tbody>\n";
  for (auto const& row : table.rows()) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string cell = escape_html(shown(row[i]));
      if (auto const at = cell.find(" ["); at != std::string::npos && std::holds_alternative<Estimate>(row[i]))
        cell = fmt::format("{} <span class=\"interval\">{}</span>", cell.substr(0, at), cell.substr(at + 1));
      out += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", look(table.columns()[i]), cell)
                    : fmt::format("<td{}>{}</td>", look(table.columns()[i]), cell);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

nlohmann::ordered_json to_json(Interval const& interval) {
  return {
      {"value", interval.value}, {"low", interval.low}, {"high", interval.high}, {"confidence", interval.confidence}};
}

nlohmann::ordered_json to_json(Table const& table) {
  auto rows = nlohmann::ordered_json::array();
  for (auto const& row : table.rows()) {
    auto object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      auto& place = object[table.columns()[i].key];
      std::visit(Cases{[&](std::monostate) { place = nullptr; }, [&](std::string const& text) { place = text; },
                       [&](bool truth) { place = truth; }, [&](std::int64_t whole) { place = whole; },
                       [&](Number const& n) { place = n.value; }, [&](Exact const& e) { place = e.text; },
                       [&](Estimate const& e) { place = to_json(e.interval); }},
                 row[i]);
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (char const c : text) {
    if (std::string_view("\\|`*_<[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (char const c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string escape_latex(std::string_view text) {
  // What pdflatex cannot read, or reads as a command or a ligature, longest first where one begins another.
  static constexpr std::pair<std::string_view, std::string_view> replacements[] = {{"\\", "\\textbackslash{}"},
                                                                                   {"{", "\\{"},
                                                                                   {"}", "\\}"},
                                                                                   {"%", "\\%"},
                                                                                   {"_", "\\_"},
                                                                                   {"&", "\\&"},
                                                                                   {"#", "\\#"},
                                                                                   {"$", "\\$"},
                                                                                   {"~", "\\textasciitilde{}"},
                                                                                   {"^", "\\textasciicircum{}"},
                                                                                   {"<", "\\textless{}"},
                                                                                   {">", "\\textgreater{}"},
                                                                                   {"--", "-{}-"},
                                                                                   {"α", "$\\alpha$"},
                                                                                   {"χ", "$\\chi$"},
                                                                                   {"Σ", "$\\Sigma$"},
                                                                                   {"≈", "$\\approx$"},
                                                                                   {"∝", "$\\propto$"},
                                                                                   {"²", "$^2$"},
                                                                                   {"⁰", "$^0$"},
                                                                                   {"¹", "$^1$"},
                                                                                   {"³", "$^3$"},
                                                                                   {"⁴", "$^4$"},
                                                                                   {"⁵", "$^5$"},
                                                                                   {"⁶", "$^6$"},
                                                                                   {"⁷", "$^7$"},
                                                                                   {"⁸", "$^8$"},
                                                                                   {"⁹", "$^9$"},
                                                                                   {"⁻", "$^{-}$"},
                                                                                   {"β", "$\\beta$"},
                                                                                   {"γ", "$\\gamma$"},
                                                                                   {"δ", "$\\delta$"},
                                                                                   {"ε", "$\\epsilon$"},
                                                                                   {"ρ", "$\\rho$"},
                                                                                   {"σ", "$\\sigma$"},
                                                                                   {"τ", "$\\tau$"},
                                                                                   {"ĉ", "$\\hat{c}$"},
                                                                                   {"∞", "$\\infty$"},
                                                                                   {"≤", "$\\le$"},
                                                                                   {"≥", "$\\ge$"},
                                                                                   {"·", "$\\cdot$"},
                                                                                   {"×", "$\\times$"},
                                                                                   {"±", "$\\pm$"},
                                                                                   {"−", "$-$"},
                                                                                   {"–", "--"},
                                                                                   {"…", "\\dots{}"}};
  std::string out;
  while (!text.empty()) {
    auto const* found = std::find_if(std::begin(replacements), std::end(replacements),
                                     [&](auto const& pair) { return text.starts_with(pair.first); });
    if (found != std::end(replacements)) {
      out += found->second;
      text.remove_prefix(found->first.size());
    } else {
      auto const c = static_cast<unsigned char>(text.front());
      out += c < ' ' ? ' ' : text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace draftgauge
