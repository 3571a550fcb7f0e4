#include "analysis/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sim/base/letters.h"
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

/// Text that a spreadsheet would take for a formula: it begins as one, and is no number.
bool is_formula(std::string_view text) {
  if (text.size() < 2 || std::string_view("=+-@").find(text.front()) == std::string_view::npos) return false;
  double number{};
  std::string_view const digits = text.substr(text.front() == '+');
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error != std::errc() || end != digits.data() + digits.size();
}

/// Text, also that of a file: a ' before what would be a formula keeps it text (OWASP, "CSV injection").
std::string csv_text(std::string_view text) {
  std::string const shown = (is_formula(text) ? "'" : "") + printable(text);
  return shown.find_first_of(",\"") == std::string::npos ? shown : in_double_quotes(shown);
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
  auto const* const number = std::get_if<Number>(&cell);
  auto const* const e = std::get_if<Estimate>(&cell);
  if (words || (number && number->kind == NumberKind::share) || (e && e->share)) return escape_latex(to_text(cell));
  if (std::holds_alternative<std::monostate>(cell)) return {};
  if (e) {
    return fmt::format("{} [{}, {}]", latex_math(rounded(e->interval.value, e->decimals)),
                       latex_math(rounded(e->interval.low, e->decimals)),
                       latex_math(rounded(e->interval.high, e->decimals)));
  }
  return latex_math(to_text(cell));
}

std::string to_text(Number const& number) {
  switch (std::isfinite(number.value) ? number.kind : NumberKind::plain) {
    case NumberKind::plain: break;
    case NumberKind::p_value: return p_value_text(number.value);
    case NumberKind::chance: return chance_text(number.value);
    case NumberKind::share: return share_text(number.value, number.decimals);
  }
  return rounded(number.value, number.decimals);
}

std::string to_text(Estimate const& estimate) {
  double const scale = estimate.share ? 100 : 1;
  auto const end = [&](double x) { return rounded(x * scale, estimate.decimals); };
  Interval const& of = estimate.interval;
  return fmt::format("{}{} [{}, {}]", end(of.value), estimate.share ? " %" : "", end(of.low), end(of.high));
}

bool has_estimates(Table const& table, std::size_t column) {
  return std::any_of(table.rows().begin(), table.rows().end(),
                     [&](auto const& row) { return std::holds_alternative<Estimate>(row[column]); });
}

}  // namespace

void Table::add(std::vector<Cell> row, bool detail) {
  if (row.size() != columns_.size()) {
    throw std::logic_error(fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_.size()));
  }
  rows_.push_back(std::move(row));
  details_.push_back(detail);
}

void Table::add_first(std::vector<Cell> row) {
  add(std::move(row));
  std::ranges::rotate(rows_, rows_.end() - 1);
  std::rotate(details_.begin(), details_.end() - 1, details_.end());
}

Table Table::only(std::vector<std::string_view> const& keys) const {
  Table part;
  part.details_ = details_;
  part.rows_.resize(rows_.size());
  for (std::string_view const key : keys) {
    auto const found = std::ranges::find(columns_, key, &Column::key);
    if (found == columns_.end()) throw std::logic_error(fmt::format("a table has no column {}", key));
    part.columns_.push_back(*found);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      part.rows_[i].push_back(rows_[i][static_cast<std::size_t>(found - columns_.begin())]);
  }
  return part;
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

std::string to_text(Cell const& cell) {
  return std::visit(
      Cases{[](std::monostate) { return std::string(); }, [](std::string const& text) { return printable(text); },
            [](bool truth) { return std::string(truth ? "yes" : "no"); },
            [](std::int64_t whole) { return std::to_string(whole); },
            [](Number const& n) { return to_text(n); }, [](Exact const& e) { return e.text; },
            [](Estimate const& e) { return to_text(e); }},
      cell);
}

std::string p_value_text(double p_value) { return p_value < 1e-10 ? "< 1e-10" : fmt::format("{:.2g}", p_value); }

std::string chance_text(double chance) {
  if (chance > .99) return "> 0.99";
  return chance < .01 ? "< 0.01" : fmt::format("{:.2f}", chance);
}

std::string share_text(double share, int decimals) { return fmt::format("{:.{}f} %", 100 * share, decimals); }

std::string to_text(Column const& column) {
  return printable(column.unit.empty() ? column.header : column.header + " (" + column.unit + ")");
}

std::string to_markdown(Table const& table) {
  if (table.columns().empty()) return {};
  std::string out;
  std::vector<std::string> cells;
  for (Column const& column : table.columns()) cells.push_back(escape_markdown(to_text(column)));
  out += fmt::format("| {} |\n|", fmt::join(cells, " | "));
  for (Column const& column : table.columns()) out += column.align == Align::left ? " :--- |" : " ---: |";
  out += '\n';
  for (auto const& row : table.rows()) {
    cells.clear();
    for (Cell const& cell : row) cells.push_back(escape_markdown(to_text(cell)));
    out += fmt::format("| {} |\n", fmt::join(cells, " | "));
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
    fields.push_back(csv_text(key));
    if (!wide[i]) continue;
    for (char const* part : {"_low", "_high", "_confidence"}) fields.push_back(csv_text(key + part));
  }
  std::string out = fmt::format("{}{}", fmt::join(fields, ","), end_of_line);
  for (auto const& row : table.rows()) {
    fields.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::visit(Cases{[&](std::monostate) { fields.emplace_back(); },
                       [&](std::string const& text) { fields.push_back(csv_text(text)); },
                       [&](bool truth) { fields.emplace_back(truth ? "true" : "false"); },
                       [&](std::int64_t whole) { fields.push_back(std::to_string(whole)); },
                       [&](Number const& n) { fields.push_back(csv_number(n.value)); },
                       [&](Exact const& e) { fields.push_back(e.text); },
                       [&](Estimate const& e) { fields.push_back(csv_number(e.interval.value)); }},
                 row[i]);
      if (!wide[i]) continue;
      auto const* e = std::get_if<Estimate>(&row[i]);
      for (double Interval::* part : {&Interval::low, &Interval::high, &Interval::confidence}) {
        fields.push_back(e ? csv_number(e->interval.*part) : std::string());
      }
    }
    out += fmt::format("{}{}", fmt::join(fields, ","), end_of_line);
  }
  return out;
}

std::string to_latex(Table const& table) {
  if (table.columns().empty()) return {};
  std::string out = "\\begin{tabular}{";
  for (Column const& column : table.columns()) out += column.align == Align::left ? 'l' : 'r';
  std::vector<std::string> cells;
  for (Column const& column : table.columns()) cells.push_back(escape_latex(to_text(column)));
  out += fmt::format("}}\n\\toprule\n{} \\\\\n\\midrule\n", fmt::join(cells, " & "));
  for (auto const& row : table.rows()) {
    cells.clear();
    for (Cell const& cell : row) cells.push_back(latex_cell(cell));
    // Behind the \\\\ of the row before, these would begin its argument.
    if (cells.front().starts_with('[') || cells.front().starts_with('*')) out += "{}";
    out += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_html(Table const& table, std::string_view caption) {
  if (table.columns().empty()) return {};
  auto const look = [](Column const& column) { return column.align == Align::left ? "" : " class=\"number\""; };
  std::string out = fmt::format("<table>\n<caption>{}</caption>\n<thead><tr>", escape_html(caption));
  for (Column const& column : table.columns())
    out += fmt::format("<th scope=\"col\"{}>{}</th>", look(column), escape_html(to_text(column)));
  out += "</tr></thead>\n<tbody>\n";
  for (auto const& row : table.rows()) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string cell = escape_html(to_text(row[i]));
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
