#include "apps/bench/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/version_command.h"
#include "apps/output/progress.h"
#include "bench/cases.h"
#include "sim/base/bytes_text.h"
#include "sim/play/vector_target.h"

namespace draftgauge {
namespace {

using bench::GrowthFigure;
using bench::Row;

Cell or_empty(std::optional<double> value, int decimals) { return value ? Cell(Number{*value, decimals}) : Cell(); }

std::string per_cent(std::optional<double> share) { return share ? fmt::format("{:.0f} %", 100 * *share) : ""; }

/// How a chapter is shown.
struct Heading {
  char const* unit;
  bench::Chapter chapter;
  std::string heading;
  bool bounded;  ///< whether its rows have bounds
  std::vector<std::string> notes;

  bool has(Row const& row) const { return row.chapter == chapter; }
};

std::vector<Heading> headings() {
  using bench::Chapter;
  return {
      {"words/s",
       Chapter::words,
       "Random words of Philox4x32-10",
       false,
       {"Baseline: bench/philox.cc, one block at a time."}},
      {"rounds/s",
       Chapter::token,
       fmt::format("Rounds of token at γ = {}, α = {}", bench::gamma, bench::alpha),
       true,
       {"Of bound: the rate as a share of that at which this core could make a round's random words and do nothing "
        "else.",
        "Baselines, one thread each: textbook, Algorithm 1 in plain C++ (Philox, alias tables, double), and "
        "branch-free, the same with a selection in place of the branch in each alias table; standard "
        "library, std::discrete_distribution with std::mt19937_64; a dense verifier that normalises the residual "
        "over the vocabulary; NumPy on alias tables, in batches of whole rounds or (shrinking) of those that go "
        "on."}},
      {"rounds/s",
       Chapter::rules,
       fmt::format("Rounds of every lossless rule at γ = {}, α = {}", bench::gamma, bench::alpha),
       false,
       {fmt::format(
           "One thread; {} drafts per position where a rule takes several. Goal: rounds/s on a core of the machine "
           "that bench/results names. Baseline: the dense verifier of the token rule, which forms and normalises the "
           "residual over the vocabulary.",
           bench::rules_candidates)}},
      {"rounds/s",
       Chapter::trees,
       fmt::format("Rounds of trees, α = {}", bench::alpha),
       false,
       {fmt::format(
           "One thread. sequoia:64: the tree of 64 nodes in 10 levels that is best by that paper's acceptance "
           "vector. Baseline: a dense verifier of the same tree, by recursive rejection, that drafts every node "
           "and forms the residual over the vocabulary at each rejection. By size, at V = {}: nodes are added "
           "where rounds rarely come, beside the smallest tree.",
           bench::grown_vocab)}},
      {"rounds/s",
       Chapter::device,
       fmt::format("Rounds of token on a CUDA device, γ = {}", bench::gamma),
       true,
       {"Of bound: the rate as a share of that at which the device could do what a round asks of the part that it "
        "keeps busiest, which the note names: the pipes that issue the kernel's instructions, as they are counted in "
        "the compiled code, shared memory, L2, or the memory. Goal: rounds/s on one H200. Baseline: all threads of "
        "the host."}},
      {"rows/s",
       Chapter::rows,
       fmt::format("Figures of pairs of rows, V = {}", bench::ingest_vocab),
       true,
       {"Baseline: bench/baselines/ingest.cc, the same figures in plain C++ (double, the C library's exp and log), "
        "one "
        "thread. Of bound: the rate as a share of that at which as many threads could read the rows and do nothing "
        "else."}}};
}

Table table_of(Heading const& chapter, std::vector<Row> const& rows) {
  std::vector<Column> columns = {{"name", "row", Align::left}, {"rate", chapter.unit}};
  if (chapter.bounded) {
    columns.push_back({"share", "of bound"});
    columns.push_back({"share_goal", "aim"});
  }
  for (Column const& column : {Column{"ratio", "ratio"}, Column{"goal", "goal"}, Column{"met", "met"},
                               Column{"baseline", "baseline", Align::left}, Column{"baseline_rate", "its rate"}})
    columns.push_back(column);
  Table table(columns);
  for (Row const& row : rows) {
    if (!chapter.has(row)) continue;
    std::vector<Cell> cells = {row.name, short_count(row.rate)};
    if (chapter.bounded) {
      cells.emplace_back(per_cent(row.share()));
      cells.emplace_back(per_cent(row.bound_goal));
    }
    cells.push_back(or_empty(row.ratio(), 2));
    cells.push_back(row.rate_goal ? Cell(short_count(*row.rate_goal)) : or_empty(row.goal, 1));
    cells.emplace_back(!row.met() ? "" : *row.met() ? "yes" : "no");
    cells.emplace_back(row.note.empty() ? row.baseline : fmt::format("{} ({})", row.baseline, row.note));
    cells.emplace_back(row.baseline_rate ? short_count(*row.baseline_rate) : "");
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

Json bench_rows(std::vector<Row> const& rows) {
  Json list = Json::array();
  for (Row const& row : rows)
    list.push_back({{"name", row.name},
                    {"baseline", row.baseline},
                    {"rate", row.rate},
                    {"unit", row.unit},
                    {"ratio", or_null(row.ratio())},
                    {"goal", or_null(row.goal)},
                    {"rate_goal", or_null(row.rate_goal)},
                    {"bound", or_null(row.bound)},
                    {"baseline_rate", or_null(row.baseline_rate)},
                    {"bound_goal", or_null(row.bound_goal)},
                    {"met", or_null(row.met())},
                    {"note", row.note}});
  return list;
}

std::vector<Section> bench_sections(std::vector<Row> const& rows) {
  std::vector<Section> sections;
  for (Heading const& chapter : headings())
    if (std::ranges::any_of(rows, [&](Row const& row) { return chapter.has(row); }))
      sections.push_back({.heading = chapter.heading, .table = table_of(chapter, rows), .notes = chapter.notes});
  return sections;
}

Json growth_rows(std::vector<GrowthFigure> const& figures) {
  Json list = Json::array();
  for (GrowthFigure const& figure : figures)
    list.push_back({{"varied", figure.point.varied},
                    {"value", figure.point.varied_value()},
                    {"vocab", figure.point.vocab},
                    {"gamma", figure.point.gamma},
                    {"threads", figure.point.threads},
                    {"contexts", figure.point.contexts},
                    {"rate", figure.rate},
                    {"words", figure.words},
                    {"table_bytes", figure.table_bytes},
                    {"place", figure.place},
                    {"words_share", figure.words_share},
                    {"reads_share", or_null(figure.reads_share)},
                    {"limit", figure.limit()}});
  return list;
}

Section growth_section(std::vector<GrowthFigure> const& figures, bench::Machine const& machine) {
  Table table{{"varied", "varied", Align::left},
              {"value", "to"},
              {"rate", "rate", Align::right, "rounds/s"},
              {"words", "random words"},
              {"tables", "tables"},
              {"place", "fit", Align::left},
              {"words_share", "of Philox"},
              {"reads_share", "of table reads"},
              {"limit", "what limits", Align::left}};
  for (GrowthFigure const& figure : figures)
    table.add({figure.point.varied, Number{figure.point.varied_value(), 0}, short_count(figure.rate),
               Number{figure.words, 1}, bytes_text(figure.table_bytes), figure.place, per_cent(figure.words_share),
               per_cent(figure.reads_share), figure.limit()});
  std::string caches;
  for (bench::Cache const& cache : machine.caches)
    caches += fmt::format("{}L{} {}", caches.empty() ? "" : ", ", cache.level, bytes_text(cache.bytes));
  return {
      .table = std::move(table),
      .notes = {
          fmt::format("Rounds of token at α = {}. What is not varied: V = 32 (128 with contexts), γ = 5, one "
                      "thread, one context.",
                      bench::alpha),
          fmt::format("Tables: bytes of the distributions and their tables, and the nearest data cache that they fit "
                      "({}).",
                      caches.empty() ? "the system does not say which there are" : caches),
          "The shares are of what one thread could do if it only made a round's random words, or only read "
          "its entries of a table of that size at random, by probes in the same race (tables in registers "
          "are not read); where neither is a half, the decisions limit, with what they wait for."}};
}

Json machine_document(bench::Machine const& machine) {
  Json caches = Json::array();
  for (bench::Cache const& cache : machine.caches) caches.push_back({{"level", cache.level}, {"bytes", cache.bytes}});
  return {{"processor", machine.processor},
          {"cores", machine.cores},
          {"caches", std::move(caches)},
          {"compiler", program_compiler()},
          {"target", name_of(vector_target())}};
}

std::string machine_text(bench::Machine const& machine) {
  return fmt::format("{} core{} of {}; {}; {}.", machine.cores, machine.cores == 1 ? "" : "s", machine.processor,
                     program_compiler(), name_of(vector_target()));
}

}  // namespace draftgauge
