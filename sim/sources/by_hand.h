#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/written_number.h"
#include "sim/model/quantise.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// p and q as someone wrote them: row by row, nothing checked but that the entries are numbers.
struct TablesByHand {
  std::vector<std::vector<WrittenNumber>> p, q;
  std::string contexts;  ///< "bag", "path", "markov"; empty: not said
};

/// What messages call the two laws: {"--p", "--q"}.
struct LawNames {
  std::string p, q;
};

/// The laws as integers: exact where entries and totals allow, else rounded. Throws InputError naming law, row and
/// token for whatever is not a law.
RowList rows_by_hand(TablesByHand const& tables, LawNames const& names, SourceOptions const& options);

/// These rows, which are taken, as the laws they stand for: `contexts` says how they follow each other, else the laws
/// do, else their number: one is one context, as many as tokens are a Markov pair, one more is such a pair with its
/// beginning. Throws InputError that begins with `name` where none of these tells.
PairTables tables_by_hand(std::string const& name, TablesByHand const& tables, std::string const& contexts,
                          RowList& rows, int threads);

/// The laws as fractions where `rows` had to round them; empty where `rows` is exact or an entry fits no Fraction.
std::vector<WrittenRow> written_rows(TablesByHand const& tables, RowList const& rows);

/// One context by hand, with `--p` and `--q` in messages. Throws InputError where one of the two is no law.
Source source_by_hand(std::vector<WrittenNumber> const& p, std::vector<WrittenNumber> const& q,
                      SourceOptions const& options = {});

/// Reads {"p": [[…]], "q": [[…]], "contexts": "bag"|"path"|"markov"}; entries are numbers or "1/3".
/// Throws InputError that begins with `file`, and as soon as the entries take more than `memory_limit` bytes.
TablesByHand read_tables_json(std::string const& file, std::string_view text, std::uint64_t memory_limit);

}  // namespace draftgauge
