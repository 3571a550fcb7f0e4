#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/exact/rational.h"
#include "analysis/table.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/theory/cost.h"

/// The papers' tables recomputed, and ours: each is defined once, as rows and what is to be said of them.
namespace draftgauge {

/// A recording that tables are made of.
struct TableRecording {
  std::string name;  ///< as a reader should see it
  std::optional<double> temperature;
  TextEstimates estimates;
  std::vector<Estimator> known;              ///< those of the rules that the recording says something about
  std::optional<Costs> costs;                ///< none where none are given: no speed-up is known then
  bool bonus = true;                         ///< a round that keeps all drafts emits one token more
  std::string rejected = {};                 ///< why nothing that is estimated of it is to be used; else empty
  bool fails = false;                        ///< that is an exit status of 1
  std::string caveat = {};                   ///< what comes before any figure of it, in sentences
  std::string unseen = {};                   ///< what its columns cannot show of the text, as a sentence
  std::vector<std::string> cost_notes = {};  ///< what a reader of its costs must know
};

/// What a table may be asked to show. Where nothing is given it shows what its source does.
struct TableInput {
  std::vector<TableRecording> recordings = {};
  std::vector<double> alphas = {};       ///< each in [0, 1], and once
  std::vector<double> costs = {};        ///< c, each ≥ 0, and once
  std::vector<int> gammas = {};          ///< each ≥ 1, among those of the recordings' estimates, and once
  std::vector<int> branching = {};       ///< k, each ≥ 1, and once
  std::vector<Rational> p = {}, q = {};  ///< laws over the same tokens, each of sum 1
  double confidence = .95;
};

struct TablePart {
  std::string heading;  ///< empty where there is one part
  Table table;
  std::vector<std::string> notes = {};  ///< below it: formulas, what the columns mean
};

struct PaperTable {
  std::string title;  ///< what a reader should see in it
  std::vector<TablePart> parts;
  std::vector<std::string> errata = {};  ///< what the source prints that does not follow, or contradicts itself
};

/// What of its input, beside recordings, a table shows: a program refuses options that no table named shows.
struct TableShows {
  bool alphas = false;
  bool costs = false;  ///< TableInput's, as a list
  bool laws = false;   ///< p, q and branching
};

/// One table of the list.
struct TableCard {
  std::string_view name;     ///< "leviathan-4"
  std::string_view summary;  ///< a line
  std::string_view source;   ///< "Leviathan et al. 2023, Table 4"; empty: our own
  bool needs_recording;
  /// Throws UsageError and InputError where the input is not what it needs.
  PaperTable (*make)(TableInput const&);
  TableShows shows = {};
};

/// Every table, the papers' first.
std::span<TableCard const> table_cards();

}  // namespace draftgauge
