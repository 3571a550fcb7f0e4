#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cards/quantity.h"
#include "analysis/cards/solver.h"

namespace re2 {
class RE2;
}

namespace draftgauge {

/// How a print is laid out.
enum class PrintForm { text, json, table, metrics };

/// What one print is of.
enum class PrintScope {
  token,     ///< one token of a text
  round,     ///< one round of a request
  request,   ///< one request: several are a sample
  data_set,  ///< one data set
  run,       ///< a whole run
  window,    ///< what happened since the print before it
  server,    ///< all since the server's start
};

/// A regular expression over lines of bytes, compiled when it is first used: a program has many cards and reads few.
class LinePattern {
 public:
  explicit LinePattern(std::string expression) : text_(std::move(expression)) {}
  std::string const& text() const { return text_; }
  re2::RE2 const& compiled() const;

 private:
  std::string text_;
  mutable std::once_flag once_ = {};
  mutable std::shared_ptr<re2::RE2 const> compiled_ = {};
};

/// A line of a text: an expression whose groups are named by quantities. A list's number may stand beside its index, in a
/// group `index`, or be a list itself.
struct PrintedLine {
  std::shared_ptr<LinePattern const> pattern;
  struct Group {
    std::string name;
    PrintedQuantity quantity;
    std::string word;  ///< what the expression has before it
  };
  std::vector<Group> groups;
  bool has_index = false;
};

/// Where a quantity stands: paths of JSON, columns of a table, or names of metrics, the first that is there.
struct PrintedField {
  PrintedQuantity quantity;
  std::vector<std::string> places;
};

/// A sentence on a print: on each, or on those that lack a quantity.
struct PrintNote {
  std::string text;
  std::optional<PrintedQuantity> without = {};
};

/// What an engine, or a tool that drives one, prints: data, read from a file of TOML (docs/cards.md).
struct Card {
  std::string name, engine, program, summary, versions;
  PrintForm form = PrintForm::text;
  PrintScope scope = PrintScope::request;
  /// Texts that occur, paths or columns that are there, names of metrics: of each list one. One behind a ! is not there.
  using Signs = std::vector<std::vector<std::string>>;
  Signs recognise;
  Signs without_drafts;  ///< the same of records that such a file has, too, and that count no drafts
  std::string aside;     ///< of records that count only where no other does
  std::shared_ptr<LinePattern const> begins;  ///< the line with which a print of a text begins; may be null
  std::vector<PrintedLine> lines;      ///< of texts
  std::vector<PrintedField> fields;    ///< of other forms
  /// Paths of which the first that is there leads to the records; none: each by itself.
  std::vector<std::string> records;
  std::vector<PrintedQuantity> zero;  ///< counts that are 0 where a print has none of them
  struct Unit {
    double scale = 1;
    bool is_share = false;     ///< of rounds, where a count would be meant else
    bool per_request = false;  ///< a mean over requests
  };
  std::map<PrintedQuantity, Unit> units;
  PrintMeaning meaning;
  int first_index = 0;             ///< of lists whose numbers have an index
  std::vector<std::string> holds;  ///< formats whose lines stand in such a text, too: they count the same
  std::string position;            ///< a label of metrics, which says the index
  std::string at_once_over;        ///< what that number is a mean over
  std::vector<PrintNote> notes;    ///< what a reader should know of these numbers
  bool is_given = false;           ///< written by a user: a field that no print has is likely a wrong path

  bool positions_are_shares() const {
    return unit(PrintedQuantity::by_position).is_share || unit(PrintedQuantity::histogram).is_share;
  }
  Unit unit(PrintedQuantity quantity) const {
    auto const found = units.find(quantity);
    return found == units.end() ? Unit() : found->second;
  }
};

/// The card that a text of TOML writes. Throws InputError that begins with `file` for what is none: an unknown key or
/// quantity, an expression that does not compile, a field of another form. tried: its expressions compile, and need not be
/// compiled to know it.
Card read_card(std::string const& file, std::string_view text, bool tried = false);

}  // namespace draftgauge
