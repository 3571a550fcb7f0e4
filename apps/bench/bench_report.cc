#include "apps/bench/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/counted.h"
#include "apps/cli/version_command.h"
#include "apps/output/progress.h"
#include "bench/cases.h"
#include "sim/base/bytes_text.h"
#include "sim/base/lists.h"
#include "sim/base/vector_target.h"

namespace draftgauge {
namespace {

using bench::GrowthFigure;
using bench::Row;

std::string per_cent(std::optional<double> share) { return share ? fmt::format("{:.0f} %", 100 * *share) : ""; }

/// How a chapter is shown.
struct Heading {
  char const* unit;
  bench::Chapter chapter;
  std::string heading;
  bool bounded;  ///< whether its rows have bounds
  std::vector<std::string> notes;
};

std::vector<Heading> headings() {
  using bench::Chapter;
  return {{"words/s",
           Chapter::words,
           "Random words of Philox4x32-10",
           false,
           {"Baseline: bench/philox.cc, one block at a time."}},
          {"rounds/s",
           Chapter::token,
           fmt::format("Rounds of token at γ = {}, α = {}", bench::gamma, bench::alpha),
           true,
           {"Of bound: the rate as a share of that at which this core could make a round's random words and do "
            "nothing else.",
            "Baselines, one thread each: textbook, Algorithm 1 in plain C++ (Philox, alias tables, double), and "
            "branch-free, the same with a selection in place of the branch in each alias table; standard library, "
            "std::discrete_distribution with std::mt19937_64; a dense verifier that normalises the residual over the "
            "vocabulary; NumPy on alias tables, in batches of whole rounds or (shrinking) of those that go on."}},
          {"rounds/s",
           Chapter::rules,
           fmt::format("Rounds of every lossless rule at γ = {}, α = {}", bench::gamma, bench::alpha),
           false,
           {fmt::format("One thread; {} drafts per position where a rule takes several. Goal: rounds/s on a core of "
                        "the machine that bench/results names. Baseline: the dense verifier of the token rule, which "
                        "forms and normalises the residual over the vocabulary.",
                        bench::rules_children)}},
          {"rounds/s",
           Chapter::trees,
           fmt::format("Rounds of trees, α = {}", bench::alpha),
           false,
           {fmt::format("One thread. sequoia:64: the tree of 64 nodes in 10 levels that is best by that paper's "
                        "acceptance vector. Baseline: a dense verifier of the same tree, by recursive rejection, "
                        "that drafts every node and forms the residual over the vocabulary at each rejection. By "
                        "size, at V = {}: nodes are added where rounds rarely come, beside the smallest tree.",
                        bench::grown_vocab)}},
          {"rounds/s",
           Chapter::device,
           fmt::format("Rounds on a CUDA device, γ = {}", bench::gamma),
           true,
           {"Of bound: the rate as a share of that at which the device could do what a round asks of the part that "
            "it keeps busiest, which the note names: the pipes that issue the kernel's instructions, as they are "
            "counted in the compiled code, shared memory, L2, or the memory. Goal: rounds/s on one H200. Baseline: "
            "all threads of the host."}},
          {"rows/s",
           Chapter::rows,
           fmt::format("Figures of pairs of rows, V = {}", bench::ingest_vocab),
           true,
           {"Baseline: bench/baselines/ingest.cc, the same figures in plain C++ (double, the C library's exp and "
            "log), one thread. Of bound: the rate as a share of that at which as many threads could read the rows "
            "and do nothing else."}}};
}

}  // namespace

Fields<Row> bench_fields(std::string const& unit) {
  auto const short_rate = [](std::optional<double> Row::* rate) {
    return [rate](Row const& row) { return row.*rate ? short_count(*(row.*rate)) : ""; };
  };
  auto const goal = [](Row const& row) {
    return row.rate_goal ? Cell(short_count(*row.rate_goal)) : row.goal ? Cell(Number{*row.goal, 1}) : Cell();
  };
  auto const met = [](Row const& row) { return !row.met() ? "" : *row.met() ? "yes" : "no"; };
  auto const beside = [](Row const& row) {
    return row.note.empty() ? row.baseline : fmt::format("{} ({})", row.baseline, row.note);
  };
  FieldForm const right{.align = Align::right, .table_only = true};
  return {{"name", "row", &Row::name},
          {"baseline", &Row::baseline},
          {"rate", &Row::rate},
          {"rate", unit, [](Row const& row) { return short_count(row.rate); }, right},
          {"unit", &Row::unit},
          {"share", "of bound", [](Row const& row) { return per_cent(row.share()); }, right},
          {"share_goal", "aim", [](Row const& row) { return per_cent(row.bound_goal); }, right},
          {"ratio", "ratio", &Row::ratio, {.decimals = 2}},
          {"goal", &Row::goal},
          {"goal", "goal", goal, for_people},
          {"rate_goal", &Row::rate_goal},
          {"bound", &Row::bound},
          {"bound_goal", &Row::bound_goal},
          {"met", &Row::met},
          {"met", "met", met, right},
          {"note", &Row::note},
          {"baseline", "baseline", beside, for_people},
          {"baseline_rate", &Row::baseline_rate},
          {"baseline_rate", "its rate", short_rate(&Row::baseline_rate), right}};
}

std::vector<Section> bench_sections(std::vector<Row> const& rows) {
  std::vector<Section> sections;
  for (Heading const& chapter : headings()) {
    std::vector<Row> own;
    std::ranges::copy_if(rows, std::back_inserter(own),
                         [&](Row const& row) { return row.chapter == chapter.chapter; });
    if (own.empty()) continue;
    std::vector<std::string_view> columns{"name", "rate", "ratio", "goal", "met", "baseline", "baseline_rate"};
    if (chapter.bounded) columns.insert(columns.begin() + 2, {"share", "share_goal"});
    sections.push_back({.heading = chapter.heading,
                        .table = rows_of(bench_fields(chapter.unit), own).table().only(columns),
                        .notes = chapter.notes});
  }
  return sections;
}

Fields<GrowthFigure> growth_fields() {
  using Row = GrowthFigure const&;
  auto const at = [](auto member) { return inner(&GrowthFigure::point, member); };
  auto const share = [](auto member) {
    return [member](Row row) { return per_cent(std::optional<double>(row.*member)); };
  };
  FieldForm const right{.align = Align::right, .table_only = true};
  return {{"varied", "varied", at(&bench::GrowthPoint::varied)},
          {"value", "to", at(&bench::GrowthPoint::varied_value), {.decimals = 0}},
          {"vocab", at(&bench::GrowthPoint::vocab)},
          {"gamma", at(&bench::GrowthPoint::gamma)},
          {"threads", at(&bench::GrowthPoint::threads)},
          {"contexts", at(&bench::GrowthPoint::contexts)},
          {"rate", &GrowthFigure::rate},
          {"rate",
           "rate",
           [](Row row) { return short_count(row.rate); },
           {.align = Align::right, .unit = "rounds/s", .table_only = true}},
          {"words", "random words", &GrowthFigure::words, {.decimals = 1}},
          {"table_bytes", &GrowthFigure::table_bytes},
          {"tables", "tables", [](Row row) { return bytes_text(row.table_bytes); }, right},
          {"place", "fit", &GrowthFigure::place},
          {"words_share", &GrowthFigure::words_share},
          {"words_share", "of Philox", share(&GrowthFigure::words_share), right},
          {"reads_share", &GrowthFigure::reads_share},
          {"reads_share", "of table reads", share(&GrowthFigure::reads_share), right},
          {"limit", "what limits", &GrowthFigure::limit}};
}

Section growth_section(std::vector<GrowthFigure> const& figures, bench::Machine const& machine) {
  std::string const caches = joined(machine.caches, [](bench::Cache const& cache) {
    return fmt::format("L{} {}", cache.level, bytes_text(cache.bytes));
  });
  return {
      .table = rows_of(growth_fields(), figures).table(),
      .notes = {
          fmt::format("Rounds of token at α = {}. What is not varied: V = 32 (128 with contexts), γ = 5, one thread, "
                      "one context.",
                      bench::alpha),
          fmt::format(
              "Tables: bytes of the distributions and their tables, and the nearest data cache that they fit ({}).",
              caches.empty() ? "the system does not say which there are" : caches),
          "The shares are of what one thread could do if it only made a round's random words, or only read its "
          "entries of a table of that size at random, by probes in the same race (tables in registers are not read); "
          "where neither is a half, the decisions limit, with what they wait for."}};
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
  return fmt::format("{} of {}; {}; {}.", counted(static_cast<std::uint64_t>(machine.cores), "core"),
                     machine.processor, program_compiler(), name_of(vector_target()));
}

}  // namespace draftgauge
