#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>

#include "analysis/tables/cards.h"
#include "analysis/tables/printed.h"
#include "analysis/tables/published.h"
#include "analysis/tables/shipped_accuracies.h"

namespace draftgauge {
namespace {

constexpr int prompts = 3;  ///< prompt tokens at most, as all three models have trees of three states

using Row = std::map<std::string, std::string, std::less<>>;

Row const* find_row(std::string_view model, std::string_view method) {
  for (Row const& row : published("ppd-1").rows)
    if (row.at("model") == model && row.at("method") == method) return &row;
  return nullptr;
}

Printed tokens_of(Row const& row) {
  return row.at("tokens") == "1" ? chosen("1") : printed(row.at("tokens"));  // plain decoding: not measured
}

double quotient(double a, double b) { return a / b; }

TablePart throughput(std::vector<std::string>& errata) {
  TablePart part{"Throughput",
                 Table(recomputed_columns({{"model", "model", Align::left},
                                           {"method", "method", Align::left},
                                           {"mean_tokens", "E[N]"},
                                           {"pass", "pass", Align::right, "s"}},
                                          {"throughput", "tok/s"}, {}, "tok/s")),
                 {"Throughput is tokens per step over the latency of a pass, T = E[N]/L; the paper's τ is our E[N]. "
                  "Least and most: what rounding of both allows."}};
  for (Row const& row : published("ppd-1").rows) {
    Printed const tokens = tokens_of(row), pass = printed(row.at("pass")), speed = printed(row.at("throughput"));
    Recomputed const again = recomputed(std::array{tokens, pass}, quotient);
    part.table.add(recomputed_cells({row.at("model"), row.at("method"), shown(tokens), shown(pass)}, speed, again,
                                    {.value = 2, .ends = 2}));
    if (agreement(speed, again) == Agreement::does_not_follow)
      errata.push_back(fmt::format("Table 1, {}, {}: {} tokens in {} s are {:.3f} a second, and {}, not {}.",
                                   row.at("model"), row.at("method"), row.at("tokens"), row.at("pass"), again.value,
                                   nearest_text(speed, again), row.at("throughput")));
  }
  return part;
}

TablePart ratios(std::vector<std::string>& errata) {
  TablePart part{"Against plain decoding and Medusa",
                 Table{{"model", "model", Align::left},
                       {"method", "method", Align::left},
                       {"over_plain", "× plain"},
                       {"pass_over_plain", "L/L₁"},
                       {"over_medusa", "× Medusa"}},
                 {"Quotients of what is printed: of throughputs, of latencies of a pass, of throughputs again."}};
  std::string over_medusa;
  for (Row const& row : published("ppd-1").rows) {
    if (row.at("method") == "plain") continue;
    auto const over = [&](std::string_view method, char const* column) {
      Row const* other = find_row(row.at("model"), method);
      return other ? Cell(Number{printed(row.at(column)).value / printed(other->at(column)).value, 4}) : Cell();
    };
    Cell const medusa = row.at("method") == "PPD" ? over("Medusa", "throughput") : Cell();
    if (auto const* ratio = std::get_if<Number>(&medusa))
      over_medusa += fmt::format("{}{:.1f} % on {}", over_medusa.empty() ? "" : " and ", 100 * (ratio->value - 1),
                                 row.at("model"));
    part.table.add({row.at("model"), row.at("method"), over("plain", "throughput"), over("plain", "pass"), medusa});
  }
  errata.push_back("The text on Table 1 has PPD 13.8 % faster than Medusa; the table has it " + over_medusa + ".");
  return part;
}

std::string listed(std::vector<std::int64_t> const& numbers) { return fmt::format("({})", fmt::join(numbers, ",")); }

/// Of each tree of a design.
std::string each(PromptDesign const& design, auto const& number) {
  std::vector<std::int64_t> all;
  for (PromptTree const& tree : design.trees) all.push_back(number(tree));
  return listed(all);
}

/// The paper counts what its largest tree has at most: "(40,285,285)" is 285.
int token_limit(std::string const& input) { return std::stoi(input.substr(input.rfind(',') + 1)); }

void add_trees(PaperTable& result) {
  TablePart sizes{
      "Sizes of the trees and of their input",
      Table{{"model", "model", Align::left},
            {"trees_printed", "trees printed", Align::left},
            {"trees", "trees", Align::left},
            {"input_printed", "input printed", Align::left},
            {"input", "input", Align::left},
            {"pass", "in a pass", Align::left}},
      {"Trees are built anew from the accuracies that the repository's trees hold, for as many candidates and "
       "prompts as are printed. In a pass: with the root and its prompts, which the target computes, too."}};
  TablePart states{
      "Tokens per step by the chain of states",
      Table{{"model", "model", Align::left},
            {"measured", "τ measured"},
            {"mean_tokens", "1 + R"},
            {"builder", "1 + R, builder"},
            {"share", "π", Align::left},
            {"accepted", "f", Align::left}},
      {"R = Σ π f over the states s_1, s_2, s_3, where a step that accepts nothing leads to s_3, as in the paper and "
       "in the repository's runtime. Builder: as the repository's builder of trees reckons, a step without "
       "candidates follows first. Accuracies are those of the trees' own set of texts, τ is of MT-bench."}};
  for (std::string_view const model : shipped_models()) {
    Row const& row = *find_row(model, "PPD");
    PromptAccuracies const accuracies = shipped_accuracies(model);
    int const tokens = token_limit(row.at("input"));
    PromptDesign const built = best_prompt_trees(accuracies, tokens, NothingAccepted::empty_round);
    PromptStates const run = prompt_states(built.trees, accuracies, NothingAccepted::all_prompts);
    std::string const name(model);
    sizes.table.add({name, row.at("tree"), each(built, [](PromptTree const& tree) { return tree.tree.size() - 1; }),
                     row.at("input"), each(built, [](PromptTree const& tree) { return tree.paper_tokens(); }),
                     each(built, [](PromptTree const& tree) { return tree.pass_tokens(); })});
    auto const of_states = [](std::vector<double> const& values) {
      return fmt::format("{:.4f}", fmt::join(values.begin() + 1, values.end(), " "));
    };
    states.table.add({name, shown(printed(row.at("tokens"))), Number{1 + run.mean_accepted, 4},
                      Number{1 + built.states.mean_accepted, 4}, of_states(run.share), of_states(run.accepted)});
  }
  result.parts.push_back(std::move(sizes));
  result.parts.push_back(std::move(states));
  result.errata.emplace_back(
      "Table 1's S_input is of candidates and their prompts; a pass has 4 tokens more, the root and its 3 prompts, "
      "and the root is what plain decoding's S_input of 1 counts.");
  result.errata.emplace_back(
      "Proposition 4.3: p(c) must be the probability that c is the last accepted node, not that it is accepted.");
  result.errata.emplace_back(
      "The repository's builder follows a step that accepts nothing by one without candidates; its runtime gives the "
      "root 3 prompts, as the paper's three states say, and R is greater. Another split of the tokens may then be "
      "the best: for Vicuna-13B and 50 tokens (10,17,17), not (10,19,17).");
}

/// Parameters of a decoder of Llama's kind: embedding and output, attention, a gated MLP, norms.
double parameters(Row const& model) {
  double const layers = std::stod(model.at("layers")), width = std::stod(model.at("width")),
               mlp = std::stod(model.at("mlp")), vocabulary = std::stod(model.at("vocabulary"));
  return 2 * vocabulary * width + layers * (4 * width * width + 3 * width * mlp + 2 * width) + width;
}

/// Of Medusa's heads, each a residual block and an output.
double head_parameters(Row const& model) {
  constexpr int heads = 4;
  double const width = std::stod(model.at("width"));
  return heads * (width * width + width + width * std::stod(model.at("vocabulary")));
}

TablePart trained(std::vector<std::string>& errata) {
  TablePart part{"Trained parameters",
                 Table{{"model", "model", Align::left},
                       {"method", "method", Align::left},
                       {"parameters", "trained"},
                       {"printed", "printed", Align::right, "%"},
                       {"share", "of all", Align::right, "%"},
                       {"over_medusa", "of Medusa's", Align::right, "%"},
                       {"verdict", "verdict", Align::left}},
                 {"PPD trains an embedding for each of 3 prompt tokens, as wide as the model, Medusa four heads; all "
                  "are the model's parameters with them. Printed: P_tr."}};
  std::string of_medusa;
  for (Row const& model : published("ppd-models").rows)
    for (char const* method : {"Medusa", "PPD"}) {
      Row const* row = find_row(model.at("model"), method);
      if (!row) continue;
      bool const ppd = row->at("method") == "PPD";
      double const width = std::stod(model.at("width")), heads = head_parameters(model);
      auto const percent = [&](double count) { return 100 * count / (parameters(model) + count); };
      double const count = ppd ? prompts * width : heads, share = percent(count);
      Printed const p = printed(row->at("trained"));
      Agreement const verdict = agreement(p, {share, share, share});
      bool const beside = ppd && find_row(model.at("model"), "Medusa");
      if (beside)
        of_medusa +=
            fmt::format("{}{:.4f} % on {}", of_medusa.empty() ? "" : " and ", 100 * count / heads, row->at("model"));
      part.table.add({row->at("model"), row->at("method"), static_cast<std::int64_t>(count), shown(p),
                      Number{share, p.decimals}, beside ? Cell(Number{100 * count / heads, 5}) : Cell(),
                      verdict_cell(verdict)});
      if (verdict == Agreement::does_not_follow)
        errata.push_back(fmt::format("Table 1, {}, {}: P_tr of {} prompt tokens is {:.7f} %; {} is that of {:.0f}.",
                                     row->at("model"), row->at("method"), prompts, share, row->at("trained"),
                                     p.value / share * prompts));
    }
  errata.push_back("The text on Table 1 has PPD train 0.004 % of Medusa's parameters; it is " + of_medusa + ".");
  return part;
}

PaperTable make_ppd_1(TableInput const&) {
  PaperTable result{"Parallel prompt decoding beside Medusa and plain decoding", {}, {}};
  result.parts.push_back(throughput(result.errata));
  result.parts.push_back(ratios(result.errata));
  add_trees(result);
  result.parts.push_back(trained(result.errata));
  return result;
}

}  // namespace

constinit TableCard const ppd_1{"ppd-1",
                                "parallel prompt decoding: throughput, trees, tokens per step, trained parameters",
                                "Chen et al. 2024 (arXiv 2405.18628), Table 1", false, make_ppd_1};

}  // namespace draftgauge
