#include <map>
#include <string>

#include <fmt/format.h>

#include "analysis/tables/cards.h"
#include "analysis/tables/printed.h"
#include "analysis/tables/published.h"

namespace draftgauge {
namespace {

PaperTable make(TableInput const&) {
  Table table{{"model", "model", Align::left},
              {"method", "method", Align::left},
              {"mean_tokens", "E[N]"},
              {"pass", "pass", Align::right, "s"},
              {"printed", "printed", Align::right, "tok/s"},
              {"throughput", "tok/s"},
              {"low", "least"},
              {"high", "most"},
              {"verdict", "verdict", Align::left},
              {"over_plain", "× plain"}};
  Table sizes{{"model", "model", Align::left},
              {"method", "method", Align::left},
              {"tree", "trees", Align::left},
              {"input", "input", Align::left}};
  PaperTable result{"Parallel prompt decoding beside Medusa and plain decoding", {}, {}};
  std::map<std::string, double> plain;
  for (auto const& row : published("ppd-1").rows) {
    bool const one_token = row.at("tokens") == "1";  // plain decoding: not measured
    Printed const tokens = one_token ? chosen("1") : printed(row.at("tokens")), pass = printed(row.at("pass")),
                  throughput = printed(row.at("throughput"));
    Recomputed const again = recomputed(std::array{tokens, pass}, [](double n, double t) { return n / t; });
    Agreement const verdict = agreement(throughput, again);
    plain.emplace(row.at("model"), throughput.value);
    table.add({row.at("model"), row.at("method"), shown(tokens), shown(pass), shown(throughput),
               Number{again.value, 2}, Number{again.low, 2}, Number{again.high, 2}, std::string(words(verdict)),
               Number{throughput.value / plain.at(row.at("model")), 3}});
    if (!one_token) sizes.add({row.at("model"), row.at("method"), row.at("tree"), row.at("input")});
    if (verdict == Agreement::does_not_follow)
      result.errata.push_back(fmt::format("{}, {}: {} tokens in {} s are {:.3f} a second, and {}, not {}.",
                                          row.at("model"), row.at("method"), row.at("tokens"), row.at("pass"),
                                          again.value, nearest_words(throughput, again), row.at("throughput")));
  }
  result.parts.push_back(
      {"Throughput",
       std::move(table),
       {"Throughput is tokens per step over the latency of a pass, T = E[N]/L; the paper's τ is our E[N]. Least and "
        "most: what rounding of both allows. × plain: printed throughput over that of plain decoding."}});
  result.parts.push_back({"Sizes", std::move(sizes), {"Sizes of the sparse trees and of their input are quoted."}});
  return result;
}

}  // namespace

constinit TableCard const ppd_1{"ppd-1", "parallel prompt decoding: throughput from tokens and latency",
                                "Chen et al. 2024 (arXiv 2405.18628), Table 1", false, make};

}  // namespace draftgauge
