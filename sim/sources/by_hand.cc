#include "sim/sources/by_hand.h"

#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

std::string where(std::string const& name, std::size_t row, std::size_t rows) {
  return rows == 1 ? name : name + ", row " + std::to_string(row);
}

std::optional<std::vector<Fraction>> exact_entries(std::vector<WrittenNumber> const& law) {
  std::vector<Fraction> out;
  for (WrittenNumber const& a : law) {
    if (!a.exact) return {};
    out.push_back(*a.exact);
  }
  return out;
}

std::vector<double> values(std::vector<WrittenNumber> const& law) {
  std::vector<double> out;
  for (WrittenNumber const& a : law) out.push_back(a.value);
  return out;
}

std::string list_text(std::vector<WrittenNumber> const& law) { return joined(law, &WrittenNumber::text, ","); }

/// A Markov pair with a row before those of its tokens, where texts begin.
bool has_beginning(TablesByHand const& tables) { return tables.p.size() == tables.p[0].size() + 1; }

Follow follow_of(std::string const& name, TablesByHand const& tables, std::string const& asked) {
  std::string const& contexts = asked.empty() ? tables.contexts : asked;
  Follow const markov = has_beginning(tables) ? Follow::state : Follow::token;
  if (contexts == "bag") return Follow::independent;
  if (contexts == "path") return Follow::next_row;
  if (contexts == "markov") return markov;
  if (tables.p.size() == 1) return Follow::independent;
  if (tables.p.size() == tables.p[0].size() || has_beginning(tables)) return markov;
  std::string const tokens = std::to_string(tables.p[0].size());
  throw InputError(name + ": it has " + std::to_string(tables.p.size()) + " rows of " + tokens +
                       " tokens (1 row is one context, " + tokens + " are a Markov pair, " +
                       std::to_string(tables.p[0].size() + 1) + " one whose first row is the beginning)",
                   "say how contexts follow each other with \"contexts\": \"bag\" or \"path\"");
}

PairTables made(RowArrays rows, Follow follow, int threads) {
  if (follow != Follow::state) return {std::move(rows), follow, threads};
  std::vector<std::uint32_t> transitions;  // token x leads to row x + 1, from any row
  for (std::size_t row = 0; row < rows.totals.size(); ++row)
    for (std::uint32_t x = 0; x < rows.vocab; ++x) transitions.push_back(x + 1);
  PairTables tables(std::move(rows), std::move(transitions), threads);
  tables.set_beginning(0);
  return tables;
}

}  // namespace

RowList rows_by_hand(TablesByHand const& tables, LawNames const& names, SourceOptions const& options) {
  if (tables.p.size() != tables.q.size()) {
    throw InputError(names.p + " has " + std::to_string(tables.p.size()) + " rows and " + names.q + " has " +
                         std::to_string(tables.q.size()) + " (each context needs both distributions)",
                     "give as many of each");
  }
  if (tables.p.empty())
    throw InputError(names.p + " has no rows (there is no context without a distribution)", "give at least one");
  std::size_t const vocab = tables.p[0].size();
  check_memory(tables.p.size(), vocab, options.memory_limit, "take fewer rows");
  RowList rows;
  for (std::size_t i = 0; i < tables.p.size(); ++i) {
    std::string const where_p = where(names.p, i, tables.p.size());
    std::string const where_q = where(names.q, i, tables.p.size());
    for (auto const& [law, at] : {std::pair(&tables.p[i], &where_p), std::pair(&tables.q[i], &where_q)}) {
      if (law->empty())
        throw InputError(*at + " is empty (a distribution has at least one token)", "list its probabilities");
      if (law->size() != vocab) {
        throw InputError(*at + " has " + std::to_string(law->size()) + " tokens, but " +
                             where(names.p, 0, tables.p.size()) + " has " + std::to_string(vocab) +
                             " (all distributions are over one vocabulary)",
                         "give them as many entries");
      }
    }
    auto const exact_p = exact_entries(tables.p[i]);
    auto const exact_q = exact_entries(tables.q[i]);
    if (exact_p && exact_q) {
      if (auto row = exact_row(*exact_p, *exact_q, where_p, where_q, options.normalise)) {
        rows.add_exact(*row);
        continue;
      }
    }
    auto const p = values(tables.p[i]);
    auto const q = values(tables.q[i]);
    check_law(p, where_p, options.normalise);
    check_law(q, where_q, options.normalise);
    rows.add_inexact(p, q);
  }
  return rows;
}

PairTables tables_by_hand(std::string const& name, TablesByHand const& tables, std::string const& contexts,
                          RowList& rows, int threads) {
  Follow const follow = follow_of(name, tables, contexts);
  return made(rows.take(), follow, threads);
}

std::vector<WrittenRow> written_rows(TablesByHand const& tables, RowList const& rows) {
  std::vector<WrittenRow> written;
  if (rows.rounding().exact()) return written;
  for (std::size_t i = 0; i < tables.p.size(); ++i) {
    auto p = exact_entries(tables.p[i]);
    auto q = exact_entries(tables.q[i]);
    if (!p || !q) return {};
    written.push_back({std::move(*p), std::move(*q)});
  }
  return written;
}

Source source_by_hand(std::vector<WrittenNumber> const& p, std::vector<WrittenNumber> const& q,
                      SourceOptions const& options) {
  TablesByHand const tables{{p}, {q}, ""};
  RowList rows = rows_by_hand(tables, {"`p`", "`q`"}, options);
  return {.description = "--p " + list_text(p) + " --q " + list_text(q),
          .tables = PairTables(rows.take(), Follow::independent, options.threads),
          .rounding = rows.rounding(),
          .written = written_rows(tables, rows)};
}

}  // namespace draftgauge
