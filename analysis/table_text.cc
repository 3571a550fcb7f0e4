#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/table.h"
#include "analysis/texts/text_width.h"
#include "sim/base/utf8.h"

namespace draftgauge {
namespace {

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
    given[i] = widths[i] - std::max(bodies[i], longest_word(to_text(columns[i])));
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
      if (columns[i].align == Align::left && widths[i] > std::max(least, longest_word(to_text(columns[i]))) &&
          (widest == 0 || widths[i] > widths[widest]))
        widest = i;
    if (widest == 0) return;
    --widths[widest];
  }
}

// Words wider than the column are cut behind a separator where there is one, else where the column ends.
std::string cut_text(std::string const& text, std::size_t width) {
  std::string out, piece;
  std::size_t separated = 0;  // bytes of the piece up to its last separator
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const next = at + std::max<std::size_t>(1, first_character(std::string_view(text).substr(at)).length);
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

Table without_column(Table const& table, std::size_t left_out) {
  auto const without = [left_out](auto all) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(left_out));
    return all;
  };
  Table rest(without(table.columns()));
  for (auto const& row : table.rows()) rest.add(without(row));
  return rest;
}

}  // namespace

std::string to_text(Table const& table, std::size_t width, Paint const& paint) {
  constexpr std::size_t gap = 2;
  std::vector<Column> const& columns = table.columns();
  if (columns.empty()) return {};
  std::vector<std::size_t> bodies(columns.size(), 0), words(columns.size(), 0);
  for (std::size_t i = 0; i < columns.size(); ++i) words[i] = longest_word(to_text(columns[i]));
  for (auto const& row : table.rows()) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string const text = to_text(row[i]);
      bodies[i] = std::max(bodies[i], display_width(text));
      words[i] = std::max(words[i], longest_word(text));
    }
  }
  std::size_t least = gap * (columns.size() - 1);  // with headers wrapped
  for (std::size_t i = 0; i < columns.size(); ++i) least += std::max(bodies[i], longest_word(to_text(columns[i])));
  if (least > width)
    for (std::size_t i = columns.size(); i-- > 0;)
      if (columns[i].spare) return to_text(without_column(table, i), width, paint);
  std::vector<std::size_t> widths = bodies;
  for (std::size_t i = 0; i < columns.size(); ++i)
    widths[i] = std::max(widths[i], display_width(to_text(columns[i])));
  narrow(widths, bodies, columns, words, gap, width);

  std::string out;
  auto print = [&](std::vector<std::string> const& cells, std::vector<Cell> const* painted) {
    bool const header = painted == nullptr;
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      bool const text = header || columns[i].align == Align::left;
      parts.push_back(text ? wrap(cut_text(cells[i], widths[i]), widths[i]) : std::vector{cells[i]});
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
  for (Column const& column : columns) cells.push_back(to_text(column));
  print(cells, nullptr);
  for (std::size_t i = 0; i < widths.size(); ++i) out += (i == 0 ? "" : spaces(gap)) + repeated("─", widths[i]);
  out += '\n';
  for (auto const& row : table.rows()) {
    cells.clear();
    for (Cell const& cell : row) cells.push_back(to_text(cell));
    print(cells, &row);
  }
  return out;
}

}  // namespace draftgauge
