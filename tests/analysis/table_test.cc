#include "analysis/table.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/texts/text_width.h"

namespace draftgauge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Table sample() {
  Table table{{"rule", "rule", Align::left},
              {"gamma", "γ"},
              {"acceptance", "P(τ ≥ 1)"},
              {"mean_tokens", "E[N]"},
              {"rate", "speed", Align::right, "rounds/s"}};
  table.add({"token", 5, Exact{"139/140"}, Estimate{{3.68928, 3.6881, 3.6905, 0.99}}, Number{2.5e6, 0}});
  table.add({"block", 10, {}, Number{1.0 / 3, 2}, Number{infinity}});
  return table;
}

TEST_CASE("text is aligned by what a reader sees") {
  CHECK(to_text(sample()) ==
        "rule    γ  P(τ ≥ 1)                     E[N]  speed (rounds/s)\n"
        "─────  ──  ────────  ───────────────────────  ────────────────\n"
        "token   5   139/140  3.6893 [3.6881, 3.6905]           2500000\n"
        "block  10                               0.33                 ∞\n");
}

TEST_CASE("a table too wide wraps its widest text") {
  Table table{{"name", "name", Align::left}, {"summary", "summary", Align::left}, {"n", "n"}};
  table.add({"token", "accepts with the probability of p over q and otherwise draws from what is left", 1});
  CHECK(to_text(table, 60) ==
        "name   summary                                             n\n"
        "─────  ──────────────────────────────────────────────────  ─\n"
        "token  accepts with the probability of p over q and        1\n"
        "       otherwise draws from what is left\n");
  std::istringstream lines(to_text(table, 10));  // no narrower than can be read
  for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= 24 + 5 + 1 + 4);
}

TEST_CASE("a table too wide wraps headers first") {
  Table table{{"a", "first i accepted"}, {"n", "tokens per round there"}, {"name", "name", Align::left}};
  table.add({Number{.5, 3}, Number{2.25, 3}, "a draft"});
  CHECK(to_text(table, 50).starts_with("first i accepted  tokens per round there  name\n"));
  CHECK(to_text(table, 40).starts_with("first i accepted  tokens  name\n"));  // what gives most, alone
  CHECK(to_text(table, 30) ==
        " first i  tokens  name\n"
        "accepted     per\n"
        "           round\n"
        "           there\n"
        "────────  ──────  ───────\n"
        "   0.500   2.250  a draft\n");
}

TEST_CASE("a word longer than its column would like keeps the columns aligned") {
  Table table{{"source", "source", Align::left}, {"n", "n"}};
  table.add({"exact-alpha:vocab=32,alpha=0.8,and=more", 1});
  CHECK(to_text(table, 20) ==
        "source                                   n\n"
        "───────────────────────────────────────  ─\n"
        "exact-alpha:vocab=32,alpha=0.8,and=more  1\n");
}

TEST_CASE("a table that is still too wide has words cut, behind a separator where there is one") {
  Table table{{"name", "name", Align::left}, {"source", "source", Align::left}, {"keys", "keys", Align::left}};
  table.add({"a-long-name", "github.com/feifeibear/LLMSpeculativeSampling", "epsilon=9/100,delta=3/10"});
  CHECK(to_text(table, 46) ==
        "name         source           keys\n"
        "───────────  ───────────────  ────────────────\n"
        "a-long-name  github.com/      epsilon=9/100,\n"
        "             feifeibear/      delta=3/10\n"
        "             LLMSpeculativeS\n"
        "             ampling\n");
  Table wide{{"n", "n"}, {"word", "word", Align::left}};
  wide.add({1, "ααααααααααααααα"});
  CHECK(to_text(wide, 10) == "n  word\n─  ──────────\n1  αααααααααα\n   ααααα\n");  // no narrower than 10
}

TEST_CASE("numbers keep what they mean when rounded") {
  Table table{{"x", "x"}};
  for (double const x : {0.0, 1e-9, -1e-9, 1e15, 0.00005, -0.5, nan, -infinity}) table.add({Number{x}});
  std::istringstream lines(to_text(table));
  std::vector<std::string> seen;
  for (std::string line; std::getline(lines, line);) seen.push_back(line.substr(line.find_first_not_of(' ')));
  CHECK(std::vector(seen.begin() + 2, seen.end()) ==
        std::vector<std::string>{"0.0000", "1.000e-09", "-1.000e-09", "1.000e+15", "0.0001", "-0.5000", "–", "-∞"});
}

TEST_CASE("p-values, chances and shares have forms of their own, and programs all digits") {
  auto const shown = [](double value, NumberKind kind, int decimals = 4) {
    return to_text(Cell(Number{value, decimals, kind}));
  };
  CHECK((shown(3.5e-21, NumberKind::p_value) == "< 1e-10" && shown(0, NumberKind::p_value) == "< 1e-10"));
  CHECK((shown(1.26e-10, NumberKind::p_value) == "1.3e-10" && shown(.0312, NumberKind::p_value) == "0.031"));
  CHECK((shown(1, NumberKind::p_value) == "1" && shown(NAN, NumberKind::p_value) == "–"));
  CHECK((shown(.9991, NumberKind::chance) == "> 0.99" && shown(.99, NumberKind::chance) == "0.99"));
  CHECK((shown(.974, NumberKind::chance) == "0.97" && shown(0, NumberKind::chance) == "< 0.01"));
  CHECK((shown(.453, NumberKind::share, 0) == "45 %" && shown(.453, NumberKind::share, 1) == "45.3 %"));
  CHECK(to_text(Cell(Estimate{{.45, .4, .5, .95}, 0, true})) == "45 % [40, 50]");
  Table table{{"p", "p"}, {"wins", "P"}, {"share", "share"}, {"loss", "loss"}};
  table.add({Number{1e-21, 4, NumberKind::p_value}, Number{.9991, 4, NumberKind::chance},
             Number{.453, 0, NumberKind::share}, Estimate{{.45, .4, .5, .95}, 0, true}});
  CHECK(to_csv(table).ends_with("\r\n1e-21,0.9991,0.453,0.45,0.4,0.5,0.95\r\n"));
  CHECK(to_json(table)[0]["p"] == 1e-21);
  std::string const latex = to_latex(table);
  CHECK(latex.find("$< 1\\times10^{-10}$ & $> 0.99$ & 45 \\% & 45 \\% [40, 50]") != std::string::npos);
}

TEST_CASE("what is true or false is a word for readers and a boolean for programs") {
  Table table{{"lossless", "lossless", Align::left}};
  table.add({true});
  table.add({false});
  CHECK(to_text(table) == "lossless\n────────\nyes\nno\n");
  CHECK(to_latex(table).find("yes") != std::string::npos);
  CHECK(to_csv(table) == "lossless\r\ntrue\r\nfalse\r\n");
  CHECK(to_json(table).dump() == R"([{"lossless":true},{"lossless":false}])");
}

TEST_CASE("columns are taken by their keys, and a row may come first") {
  Table table{{"a", "a"}, {"b", "b"}};
  table.add({std::int64_t{1}, std::int64_t{2}}, true);
  table.add_first({std::int64_t{3}, std::int64_t{4}});
  CHECK(to_csv(table.only({"b", "a"})) == "b,a\r\n4,3\r\n2,1\r\n");
  CHECK(to_csv(table.only({"b"}).brief()) == "b\r\n4\r\n");
  CHECK_THROWS_WITH(table.only({"c"}), "a table has no column c");
}

TEST_CASE("control characters in a name cannot break a line") {
  Table table{{"file", "file", Align::left}};
  table.add({"a\nb\x1b[31m\tc"});
  CHECK(to_text(table) == "file\n───────────────────\na\\x0ab\\x1b[31m\\x09c\n");
  CHECK(to_markdown(table).find('\x1b') == std::string::npos);
  CHECK(to_latex(table).find('\x1b') == std::string::npos);
  Table named{{"a", "\x1b[31m", Align::left}};
  named.add({"b"});
  for (std::string const& text : {to_text(named), to_markdown(named), to_latex(named), to_html(named, "")})
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("Markdown escapes what would be markup") {
  Table table{{"a", "a|b", Align::left}, {"n", "n"}};
  table.add({"x|y `z` *w* _v_ <b> [l](u) \\", 1});
  CHECK(to_markdown(table) ==
        "| a\\|b | n |\n"
        "| :--- | ---: |\n"
        "| x\\|y \\`z\\` \\*w\\* \\_v\\_ \\<b> \\[l\\](u) \\\\ | 1 |\n");
}

TEST_CASE("HTML names its columns and rows, and escapes what would be markup") {
  Table table{{"name", "<of> & \"all\"", Align::left}, {"alpha", "α", Align::right, "%"}};
  table.add({"</th><script>'x'", Estimate{{.5, .25, .75, .95}, 2}});
  table.add({"a [b]", Number{1, 1}});
  CHECK(to_html(table, "a < b") ==
        "<table>\n<caption>a &lt; b</caption>\n"
        "<thead><tr><th scope=\"col\">&lt;of&gt; &amp; &quot;all&quot;</th>"
        "<th scope=\"col\" class=\"number\">α (%)</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\">&lt;/th&gt;&lt;script&gt;&#39;x&#39;</th>"
        "<td class=\"number\">0.50 <span class=\"interval\">[0.25, 0.75]</span></td></tr>\n"
        "<tr><th scope=\"row\">a [b]</th><td class=\"number\">1.0</td></tr>\n</tbody>\n</table>\n");
  CHECK(to_html(Table(), "nothing").empty());
}

TEST_CASE("CSV follows RFC 4180 and spreads estimates over four columns") {
  CHECK(to_csv(sample()) ==
        "rule,gamma,acceptance,mean_tokens,mean_tokens_low,mean_tokens_high,mean_tokens_confidence,rate\r\n"
        "token,5,139/140,3.68928,3.6881,3.6905,0.99,2500000\r\n"
        "block,10,,0.3333333333333333,,,,\r\n");
  Table table{{"text", "text", Align::left}, {"n", "n"}};
  table.add({"say \"no\", twice", 1});
  table.add({"plain; text", 3});
  CHECK(to_csv(table) == "text,n\r\n\"say \"\"no\"\", twice\",1\r\nplain; text,3\r\n");
}

TEST_CASE("no cell of CSV is a formula, nor obeyed by a terminal") {
  auto const cell = [](Cell const& of) {
    Table table{{"text", "text"}};
    table.add({of});
    std::string const csv = to_csv(table);
    return csv.substr(6, csv.size() - 8);
  };
  CHECK(cell("=1+2") == "'=1+2");
  CHECK(cell("+cmd|' /C calc'!A0") == "'+cmd|' /C calc'!A0");
  CHECK(cell("-2+3") == "'-2+3");
  CHECK(cell("@SUM(1,2)") == "\"'@SUM(1,2)\"");
  CHECK(cell("\t=1+2") == "\\x09=1+2");
  CHECK(cell("a\r\nb\x1b[31m\u202e") == "a\\x0d\\x0ab\\x1b[31m\\u202e");
  for (std::string const text : {"-", "+", "=", "-1.5e-3", "+2", "a=b", "größer"}) CHECK(cell(text) == text);
  CHECK(cell(Number{-.5}) == "-0.5");
  CHECK(cell(std::int64_t{-3}) == "-3");
  CHECK(cell(Exact{"-1/3"}) == "-1/3");
}

TEST_CASE("LaTeX escapes what it would interpret") {
  Table table{{"a", "γ & c_1", Align::left}, {"x", "x"}};
  table.add({"50% of #1_a & {b} $c$ ~d^e \\f --g <h>", Number{-1e-9}});
  table.add({"α", Number{infinity}});
  table.add({"", Estimate{{1, 0.5, 2, 0.95}, 1}});
  table.add({"", Exact{"139/140"}});
  table.add({"", Number{nan}});
  CHECK(to_latex(table) ==
        "\\begin{tabular}{lr}\n\\toprule\n$\\gamma$ \\& c\\_1 & x \\\\\n\\midrule\n"
        "50\\% of \\#1\\_a \\& \\{b\\} \\$c\\$ \\textasciitilde{}d\\textasciicircum{}e \\textbackslash{}f -{}-g "
        "\\textless{}h\\textgreater{} & $-1.000\\times10^{-9}$ \\\\\n"
        "$\\alpha$ & $\\infty$ \\\\\n"
        " & $1.0$ [$0.5$, $2.0$] \\\\\n"
        " & $139/140$ \\\\\n"
        " & -- \\\\\n"
        "\\bottomrule\n\\end{tabular}\n");
}

TEST_CASE("JSON has an object a row, numbers as numbers, fractions as strings, undefined as null") {
  auto const rows = to_json(sample());
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].dump() == R"({"rule":"token","gamma":5,"acceptance":"139/140","mean_tokens":{"value":3.68928,)"
                          R"("low":3.6881,"high":3.6905,"confidence":0.99},"rate":2500000.0})");
  CHECK(rows[1].dump() == R"({"rule":"block","gamma":10,"acceptance":null,"mean_tokens":0.3333333333333333,)"
                          R"("rate":null})");
}

TEST_CASE("a row must fit its columns, and a table without columns prints nothing") {
  Table table{{"a", "a"}};
  CHECK_THROWS_WITH(table.add({1, 2}), "a row of 2 cells in a table of 1 columns");
  CHECK(to_text(Table()).empty());
  CHECK(to_markdown(Table()).empty());
  CHECK(to_csv(Table()).empty());
  CHECK(to_latex(Table()).empty());
}

TEST_CASE("a brief table leaves out the details among its columns and rows") {
  Table table{{"gamma", "γ"}, {.key = "other", .header = "other", .detail = true}, {"best", "best", Align::left}};
  table.add({std::int64_t{1}, Number{.5}, std::string("no")}, true);
  table.add({std::int64_t{2}, Number{.25}, std::string("yes")});
  CHECK(to_csv(table.brief()) == "gamma,best\r\n2,yes\r\n");
  CHECK(to_csv(table) == "gamma,other,best\r\n1,0.5,no\r\n2,0.25,yes\r\n");
  CHECK(to_csv(table.brief().brief()) == to_csv(table.brief()));
}

}  // namespace
}  // namespace draftgauge

TEST_CASE("signs of the theory become LaTeX's own") {
  // Behind the \\\\ of the row above, [ and * would be read as its argument.
  Table brackets{{"a", "a", Align::left}};
  brackets.add({"[1cm]"});
  brackets.add({"*"});
  CHECK(to_latex(brackets).find("\\midrule\n{}[1cm] \\\\\n{}* \\\\\n") != std::string::npos);
  CHECK(draftgauge::escape_latex("2⁻⁴⁰") == "2$^{-}$$^4$$^0$");
  CHECK(draftgauge::escape_latex("χ² ≈ Σ, ∝ α") == "$\\chi$$^2$ $\\approx$ $\\Sigma$, $\\propto$ $\\alpha$");
}
