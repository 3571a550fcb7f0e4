#include <fmt/format.h>

#include <string>
#include <vector>

#include "analysis/tables/cards.h"
#include "analysis/tables/printed.h"
#include "analysis/tables/published.h"
#include "analysis/theory/acceptance.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

constexpr char const* columns_of_l[] = {"l1", "l05", "l03", "l01"};
constexpr char const* leniences[] = {"1", "0.5", "0.3", "0.1"};

/// α under standard sampling of Table 3, which l = 1 must be.
std::optional<double> strict_alpha(std::string const& draft) {
  for (auto const& row : published("leviathan-3").rows)
    if (row.at("target") == "T5-XXL EnDe" && row.at("draft") == draft) return printed(row.at("t1")).value;
  return std::nullopt;
}

TablePart measured() {
  TablePart part{"α by lenience l: measured, and what it must obey",
                 Table{{"draft", "draft", Align::left},
                       {"l1", "l = 1"},
                       {"l05", "0.5"},
                       {"l03", "0.3"},
                       {"l01", "0.1"},
                       {"as_in_table_3", "l = 1 as in Table 3", Align::left},
                       {"grows", "grows as l falls", Align::left},
                       {"bounded", "at most α/l", Align::left}},
                 {"α_l = Σ min(p/l, q) cannot fall as l does, and is at most Σ min(p, q)/l. The numbers are "
                  "measured: quoted, not recomputed."}};
  for (auto const& row : published("leviathan-5").rows) {
    std::vector<Cell> cells{row.at("draft")};
    bool grows = true, bounded = true;
    double const strict = printed(row.at("l1")).value;
    for (double last = 0; std::size_t const i : {0, 1, 2, 3}) {
      Printed const alpha = printed(row.at(columns_of_l[i]));
      grows = grows && alpha.value >= last;
      bounded = bounded && alpha.value <= strict / chosen(leniences[i]).value;
      last = alpha.value;
      cells.push_back(shown(alpha));
    }
    cells.insert(cells.end(), {strict_alpha(row.at("draft")) == strict, grows, bounded});
    part.table.add(std::move(cells));
  }
  return part;
}

/// Theorem 3.8 where the paper does not say γ: the most that any γ gives.
Recomputed best_speedup(Printed const& alpha, Printed const& cost) {
  return recomputed(std::array{alpha, cost},
                    [](double a, double c) { return best_gamma({a, {.draft = c}}).speedup; });
}

TablePart speeds(std::vector<std::string>& unfounded) {
  TablePart part{"Speed-ups of T5-small at c = 0.015",
                 Table(recomputed_columns({{"sampling", "sampling", Align::left},
                                           {"lenience", "l"},
                                           {"alpha", "α"},
                                           {"gamma", "γ"},
                                           {"gamma_printed", "γ printed", Align::left}},
                                          {"speedup", "S"})),
                 {"Theorem 3.8. For standard sampling γ is not printed; S is then that of the best γ, and no other "
                  "gives more. Least and most: what rounding of α and c allows."}};
  for (auto const& row : published("leviathan-5-speeds").rows) {
    Printed const alpha = printed(row.at("alpha")), cost = printed(row.at("c")), speed = printed(row.at("speed"));
    bool const gamma_printed = row.at("gamma") != "–";
    std::int64_t const gamma =
        gamma_printed ? chosen_count(row.at("gamma")) : *best_gamma({alpha.value, {.draft = cost.value}}).gamma;
    Recomputed const again =
        gamma_printed
            ? recomputed(std::array{alpha, cost}, [&](double a, double c) { return theory::speedup(a, gamma, c); })
            : best_speedup(alpha, cost);
    if (!gamma_printed && agreement(speed, again) == Agreement::does_not_follow) unfounded.push_back(row.at("speed"));
    part.table.add(
        recomputed_cells({row.at("sampling"), Exact{row.at("lenience")}, shown(alpha), gamma, gamma_printed}, speed,
                         again, {.ends = 3}));
  }
  return part;
}

Rational distance(std::vector<Rational> const& a, std::vector<Rational> const& b) {
  Rational sum = 0;
  for (std::size_t x = 0; x < a.size(); ++x) sum += abs(a[x] - b[x]);
  return sum / 2;
}

TablePart worked_example() {
  std::vector<Rational> const p{Rational(1, 10), Rational(3, 5), Rational(3, 10)};
  std::vector<Rational> const q{Rational(1, 2), Rational(3, 10), Rational(1, 5)};
  Acceptance<Rational> const tables(p, q);
  TablePart part{"An example, exactly: p = (.1, .6, .3), q = (.5, .3, .2)",
                 Table{{"lenience", "l"},
                       {"alpha", "α"},
                       {"output", "output distribution", Align::left},
                       {"within_bound", "≤ p/l", Align::left},
                       {"rejection_plus_distance", "P(reject) + TV(output, p)"}},
                 {"The output is min(q, p/l) + (1−α_l)/(1−α_1)·max(0, p−q). What lenience saves in rejections it "
                  "loses in distance: the sum is always TV(p, q) (Yin et al. 2024, arXiv 2411.00841)."}};
  for (Rational const& l : {Rational(1), Rational(1, 2), Rational(3, 10), Rational(1, 10)}) {
    std::vector<Rational> const output = tables.lenient_output(l);
    Rational const alpha = tables.lenient(l);
    bool within = true;
    std::string law;
    for (std::size_t x = 0; x < p.size(); ++x) {
      within = within && output[x] <= p[x] / l;
      law += (x == 0 ? "" : ", ") + output[x].str();
    }
    part.table.add({Exact{l.str()}, Exact{alpha.str()}, law, within, Exact{(1 - alpha + distance(output, p)).str()}});
  }
  return part;
}

PaperTable make_leviathan_5(TableInput const&) {
  std::vector<std::string> unfounded;
  TablePart speed_part = speeds(unfounded);
  return {"Lenience: acceptance, speed-ups and what is given up for them",
          {measured(), std::move(speed_part), worked_example()},
          {fmt::format("The speed-ups {} for standard sampling do not follow: no γ gives them, even within rounding.",
                       fmt::join(unfounded, ", ")),
           "For argmax sampling Appendix A.5 would accept x where p(x) ≤ l·max p, which refuses the most likely "
           "token at every l < 1; ≥ is meant."}};
}

}  // namespace

constinit TableCard const leviathan_5{"leviathan-5", "lenience: α, the speed-ups that follow and those that do not",
                                      "Leviathan et al. 2023 (arXiv 2211.17192), Table 5 and A.5", false,
                                      make_leviathan_5};

}  // namespace draftgauge
