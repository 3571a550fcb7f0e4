#pragma once
#include <map>
#include <memory>
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

/// A line of a text: a regular expression whose groups are named by quantities. A list's number may stand beside its
/// index, in a group `index`, or be a list itself.
struct PrintedLine {
  std::shared_ptr<re2::RE2 const> expression;
  struct Group {
    int number;
    PrintedQuantity quantity;
    std::string word;  ///< what the expression has before it
  };
  std::vector<Group> groups;
  int index_group = 0;  ///< none where 0
};

/// Where a quantity stands: paths of JSON, columns of a table, or names of metrics, the first that is there.
struct PrintedField {
  PrintedQuantity quantity;
  std::vector<std::string> places;
};

/// What an engine, or a tool that drives one, prints: data, read from a file of TOML (docs/cards.md).
struct Card {
  std::string name, engine, program, summary, versions;
  PrintForm form = PrintForm::text;
  PrintScope scope = PrintScope::request;
  /// Texts that occur, paths or columns that are there, names of metrics: of each list one.
  std::vector<std::vector<std::string>> recognise;
  std::vector<PrintedLine> lines;      ///< of texts
  std::vector<PrintedField> fields;    ///< of other forms
  std::string records;                 ///< the path of the list whose elements are the records; empty: each by itself
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
  std::vector<std::string> notes;  ///< what a reader should know of these numbers

  bool positions_are_shares() const {
    return unit(PrintedQuantity::by_position).is_share || unit(PrintedQuantity::histogram).is_share;
  }
  Unit unit(PrintedQuantity quantity) const {
    auto const found = units.find(quantity);
    return found == units.end() ? Unit() : found->second;
  }
};

/// The card that a text of TOML writes. Throws InputError that begins with `file` for what is none: an unknown key or
/// quantity, an expression that does not compile, a field of another form.
Card read_card(std::string const& file, std::string_view text);

}  // namespace draftgauge
