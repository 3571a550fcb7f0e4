#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/stats/interval.h"

namespace draftgauge {

enum class Align { left, right };

struct Column {
  std::string key;     ///< the name in JSON and CSV, snake_case: "mean_tokens"
  std::string header;  ///< what a reader sees: "E[N]"
  Align align = Align::right;
  std::string unit = {};  ///< shown behind the header in brackets: "rounds/s"
  bool detail = false;    ///< left out where a reader wants the answer alone
  bool spare = false;     ///< left out of a text whose lines have no room for it
};

/// What a number is, where that decides how readers see it: as p_value_text, chance_text and share_text have it.
enum class NumberKind { plain, p_value, chance, share };

/// A p-value in two digits; "< 1e-10" below that, where no sample bears out the tail of a limit.
std::string p_value_text(double p_value);
/// A chance that data give in two decimals, "< 0.01" and "> 0.99": estimated chances are no surer.
std::string chance_text(double chance);
/// A share of 1 in per cent: "45.3 %".
std::string share_text(double share, int decimals = 0);

/// A real number; JSON and CSV keep all its digits, the others show `decimals`, of a share those of its per cents.
/// Infinite or undefined is JSON's null.
struct Number {
  double value;
  int decimals = 4;
  NumberKind kind = NumberKind::plain;
};

/// An exact number as text, "139/140".
struct Exact {
  std::string text;
};

/// An estimate with its interval, shown as "3.6893 [3.6881, 3.6905]", of a share as "45.3 % [40.1, 50.5]".
struct Estimate {
  Interval interval;
  int decimals = 4;
  bool share = false;
};

/// What stands in one place of a table; the first alternative is an empty place. Readers see text as printable() has
/// it, and a truth as "yes" or "no".
using Cell = std::variant<std::monostate, std::string, bool, std::int64_t, Number, Exact, Estimate>;

/// Rows under named columns: the one type behind every table that the program prints.
class Table {
 public:
  Table() = default;
  Table(std::initializer_list<Column> columns) : columns_(columns) {}
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Throws std::logic_error unless there is one cell for each column. detail: as of a column.
  void add(std::vector<Cell> row, bool detail = false);
  void add_first(std::vector<Cell> row);

  std::vector<Column> const& columns() const { return columns_; }
  std::vector<std::vector<Cell>> const& rows() const { return rows_; }
  /// The same table without its details.
  Table brief() const;
  /// The columns of these keys, in this order. Throws std::logic_error where one is not there.
  Table only(std::vector<std::string_view> const& keys) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<bool> details_;  ///< [rows]
};

/// How a cell stands out on a terminal: the parameter of an SGR sequence of ECMA-48, "31" for red, or nothing.
using Paint = std::function<std::string_view(Column const& column, Cell const& cell)>;

/// Columns aligned by display width under light rules. Where that is wider than `width`, headers wider than what stands
/// below them are wrapped, then spare columns are left out, then the widest columns of text are wrapped, and at last
/// words are cut, but for the first column's.
std::string to_text(Table const& table, std::size_t width = 100, Paint const& paint = {});
/// A cell, and a column's heading, as a reader sees them, before any escaping.
std::string to_text(Cell const& cell);
std::string to_text(Column const& column);
/// A table of GitHub's Markdown; what would be markup in a cell is escaped.
std::string to_markdown(Table const& table);
/// RFC 4180, with a header line of keys. A column that holds an estimate becomes four: key, key_low, key_high,
/// key_confidence.
std::string to_csv(Table const& table);
/// A table element with a caption; cells of the first column head their rows. Numbers are of class "number", intervals
/// behind an estimate of class "interval". What would be markup is escaped.
std::string to_html(Table const& table, std::string_view caption);
/// A booktabs tabular; what LaTeX would interpret is escaped, Greek letters become math.
std::string to_latex(Table const& table);
/// An array with one object a row. Estimates are {"value", "low", "high", "confidence"}.
nlohmann::ordered_json to_json(Table const& table);
/// The interval as JSON: {"value", "low", "high", "confidence"}.
nlohmann::ordered_json to_json(Interval const& interval);
/// Plain text in which LaTeX finds nothing to interpret, and Markdown likewise.
std::string escape_latex(std::string_view text);
std::string escape_markdown(std::string_view text);
/// Text in which HTML finds no markup, within elements and quoted attributes; as printable() has it.
std::string escape_html(std::string_view text);

}  // namespace draftgauge
