#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/figures/figure.h"
#include "analysis/theory/optimum.h"
#include "apps/gamma/gamma_report.h"
#include "apps/report/page_files.h"
#include "apps/report/report_page.h"
#include "sim/base/lists.h"
#include "tests/apps/answers.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/shipped_files.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

Run report(std::vector<std::string> const& words) { return run_command("report", words); }

std::string report_refusal(std::vector<std::string> const& words, int status) {
  return refusal(report(words), status);
}

TEST_CASE("report: a page of an acceptance rate says what gamma computes") {
  Run const done = report({"--alpha", ".8", "--cost", ".05"});
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK(done.out.starts_with("<!doctype html>"));
  CHECK(done.out.ends_with("</html>\n"));
  CHECK(holds(done.out, "<h1>α=0.8, c=0.05</h1>"));
  CHECK(holds(done.out, "Drafting 8 tokens a round makes decoding 3.09 times as fast as without a draft."));
  CHECK(holds(done.out, "At γ = 8 drafting pays up to c = 0.4161."));  // (E[N] − 1)/γ
  CHECK(holds(done.out, "<code>draftgauge report --alpha .8 --cost .05</code>"));
  CHECK_FALSE(holds(done.out, "{{"));
  CHECK(done.out.size() <= 1'500'000);
}

TEST_CASE("report: the c up to which drafting pays is that of gamma and of the library") {
  struct Setting {
    double alpha, cost, pays;
  };
  for (Setting const& at : {Setting{.8, .05, .4161}, Setting{.5, .2, .5}, Setting{.3, .01, .1390}}) {
    CAPTURE(at.alpha, at.cost);
    std::vector<std::string> const words = {"--alpha", fmt::format("{}", at.alpha), "--cost",
                                            fmt::format("{}", at.cost)};
    nlohmann::json const best = document("gamma", words);
    IidRounds const rounds{at.alpha, {.draft = at.cost}};
    auto const gamma = best["best_gamma"].get<std::int64_t>();
    double const pays = break_even_cost(rounds, gamma);
    CHECK(pays == Approx(at.pays).epsilon(0).margin(5e-5));
    CHECK(best["break_even"]["cost"] == pays);
    nlohmann::json const said = document("report", words)["subjects"][0]["words"];
    CHECK(std::ranges::count(said, nlohmann::json(pays_text(gamma, pays, {}))) == 1);
  }
}

TEST_CASE("report: acceptance by rank shows the best tree, and its first rank is α") {
  auto const said = [](std::vector<std::string> words) -> nlohmann::json {
    words.insert(words.end(), {"--cost", ".1"});
    return document("report", words);
  };
  auto const of_ranks = said({"--accept", ".7,.175,.125"});
  CHECK(of_ranks["title"] == "α=0.7, c=0.1");
  std::vector<std::string_view> drawn;
  for (FigureCard const& card : figure_cards())
    if (card.on_theory_page != OnTheoryPage::nothing) drawn.push_back(card.name);
  CHECK(of_ranks["figures"] == nlohmann::json(drawn));
  for (char const* name : {"leviathan-2", "leviathan-3", "leviathan-4", "speedup-map", "tree", "tree-size"})
    CHECK(contains(drawn, name));
  CHECK(said({"--accept", ".7,.175,.125", "--verify-cost", "1:1,2:1.02"})["subjects"][0]["words"].back() ==
        "Of trees of at most 64 nodes the best has 21 in 4 levels: 4.17 tokens a round, 2.32 times as fast as "
        "without a "
        "draft; the best chain 1.87 times.");
  CHECK(said({"--accept", ".05"})["subjects"][0]["words"].back() ==
        "No tree of drafts is faster than plain decoding.");
  CHECK(said({"--alpha", ".8", "--accept", ".7,.175"})["title"] == "α=0.8, c=0.1");
  auto const of_rows = said({rows_file})["figures"].get<std::vector<std::string>>();
  for (char const* name : {"tree", "tree-size", "rank-acceptance"}) CHECK(contains(of_rows, name));
  Run const page = report({"--accept", ".7,.175,.125", "--cost", ".1"});
  CHECK(holds(page.out, "<code>draftgauge figure tree --accept .7,.175,.125 --cost .1 --output tree.csv</code>"));
  CHECK(report_refusal({columns_file, "--accept", ".7"}, 2) ==
        "--accept is given beside a recording (which of the two says what trees give would be a guess)\nhint: keep "
        "one");
}

TEST_CASE("report: a page of a recording says what measure and gamma do, and names its inputs") {
  auto const page = report({columns_file, "--cost", ".1"});
  REQUIRE(page.status == 0);
  nlohmann::json const said = document("report", {columns_file, "--cost", ".1"});
  auto const& subject = said["subjects"][0];
  nlohmann::json const measured = document("measure", {columns_file, "--cost", ".1", "--gamma", "1..16"});
  CHECK(subject["measure"]["alpha"] == measured["alpha"]);
  CHECK(subject["measure"]["tokens_per_round"][4]["replay"] == measured["tokens_per_round"][4]["replay"]);
  CHECK(subject["gamma"]["best_gamma"] == measured["best_gamma"]);
  CHECK(holds(page.out, "A draft is kept with probability 0.753 ["));
  CHECK(holds(page.out, said["inputs"][0]["sha256"].get<std::string>()));
  for (auto const& words : subject["words"]) CHECK(holds(page.out, escape_html(words.get<std::string>())));
  for (auto const& figure : said["figures"])
    CHECK(holds(page.out, "id=\"figure-" + figure.get<std::string>() + "\""));
  CHECK(holds(page.out, "<caption>Tokens per round</caption>"));
  CHECK(holds(page.out, "<th scope=\"row\""));
}

TEST_CASE("report: of a text that the target would not write nothing is recommended") {
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  Run const done = report({file.path(), "--cost", ".1", "--resamples", "0", "--format", "md"});
  CHECK(done.status == 1);
  CHECK(holds(
      done.out,
      "Its text is not one that the target would write, so that no draft length and no speed-up follows from it."));
  for (char const* advice : {"times as fast as", "With γ =", "the data allow γ=", "within 1 % of the best"})
    CHECK_FALSE(holds(done.out, advice));

  Run const page = report({file.path(), columns_file, "--cost", ".1", "--resamples", "0"});
  CHECK(page.status == 1);
  std::string const name = std::filesystem::path(file.path()).filename().string();
  CHECK(holds(page.out, "Not to be used, since the target would not write the text: " + name));
  CHECK(holds(page.out, name + ", rejected</th><td class=\"number\"></td>"));
  CHECK(holds(page.out, "id=\"figure-survival-2\""));  // of the other recording only
  CHECK_FALSE(holds(page.out, "id=\"figure-survival\""));
  std::size_t const data = page.out.find("\"subjects\":");
  CHECK(page.out.find("\"name\":\"" + name, data) == std::string::npos);  // no sliders start from it
}

TEST_CASE("report: of too little text the lead says so, and no interval and no simulation is promised") {
  Run const page = report({rows_file, "--cost", ".1"});
  REQUIRE(page.status == 0);
  CHECK(holds(page.out, "Too little text to say (24 tokens in 1 text). As measured: Drafting "));
  CHECK(holds(page.out, "No band is drawn: one text alone gives no interval."));
  CHECK_FALSE(holds(page.out, "simulated rounds toss"));
  CHECK_FALSE(holds(page.out, "% over texts"));
  CHECK(holds(report({columns_file, "--cost", ".1"}).out,
              "simulated rounds toss a coin for each token. Band and bars: 95 % over texts."));
}

TEST_CASE("report: without costs tokens lead, and nothing is called the best") {
  for (std::vector<std::string> const& of :
       {std::vector<std::string>{columns_file, "--resamples", "0"}, {"--alpha", ".8"}}) {
    auto words = of;
    words.insert(words.end(), {"--format", "md"});
    Run const done = report(words);
    REQUIRE(done.status == 0);
    CHECK(holds(done.out, "A pass of the target over 16 drafts yields "));
    CHECK(holds(done.out,
                "No costs were given, so that there is no speed-up and no best draft length: --cost .1 says"));
    CHECK_FALSE(holds(done.out, "times as fast"));
    CHECK_FALSE(holds(done.out, "Speed-up by draft length"));
  }
  Run const page = report({columns_file, "--alpha", ".6", "--resamples", "0"});
  CHECK(holds(page.out, "<caption>At the longest draft, as no costs were given</caption>"));
  CHECK_FALSE(holds(page.out, ">best γ<"));
}

TEST_CASE("report: a figure's command draws that figure of the page's own files") {
  TemporaryFile const mine("'s own.tsv", content(columns_file));
  Run const done = report({mine.path(), columns_file, "--alpha", ".7", "--cost", ".07", "--resamples", "0"});
  REQUIRE(done.status == 0);
  auto const command = [](std::string const& name, std::string const& files) {
    return "<code>" +
           escape_html("draftgauge figure " + name + " " + files + (name == "speedup" ? " --cost .07" : "") +
                       " --output " + name + ".csv") +
           "</code>";
  };
  std::string quoted = mine.path();
  quoted.replace(quoted.find('\''), 1, "'\\''");
  // Drafts share what shows several, speed-up first; what shows one text is drawn of each.
  CHECK(holds(done.out, command("iid-gap", "'" + quoted + "' " + columns_file)));
  CHECK(done.out.find("draftgauge figure speedup ") < done.out.find("draftgauge figure expected-tokens "));
  CHECK(holds(done.out, command("leviathan-1", "'" + quoted + "'")));
  CHECK(holds(done.out, command("leviathan-1", columns_file)));
}

TEST_CASE("report: every figure's command is one that figure takes") {
  for (std::string const& asked :
       {columns_file + " --cost .07 --resamples 0", columns_file + " " + other_columns + " --cost .07 --no-bonus",
        std::string("--alpha .8 --cost .07"), std::string("--accept .7,.175,.125 --cost .1")}) {
    CAPTURE(asked);
    std::string const page = run_line("report " + asked).out;
    std::string const begin = "<code>draftgauge ";
    int commands = 0;
    for (std::size_t at = page.find(begin); at != page.npos; at = page.find(begin, at + 1)) {
      std::size_t const from = at + begin.size();
      std::string line = page.substr(from, page.find("</code>", from) - from);
      std::size_t const output = line.find(" --output ");
      if (!line.starts_with("figure ") || line.starts_with("figure all") || output == line.npos) continue;
      line.replace(output, line.find(' ', output + 10) - output, " --format csv");
      CAPTURE(line);
      Run const drawn = run_line(line);
      CHECK(drawn.err == "");
      CHECK(drawn.status == 0);
      ++commands;
    }
    CHECK(commands > 1);
  }
}

TEST_CASE("report: a page of settings has figures at their cost") {
  Run const done = report({"--alpha", ".8", "--cost", ".07"});
  REQUIRE(done.status == 0);
  CHECK(holds(done.out, "at c = ĉ = 0.07"));
  CHECK(holds(done.out, "<code>draftgauge figure leviathan-3 --cost 0.07 --output leviathan-3.csv</code>"));
  CHECK_FALSE(holds(done.out, "id=\"figure-certificate\""));
}

TEST_CASE("report: the same words and tables in the other formats") {
  Run const markdown = report({"--alpha", ".8", "--cost", ".05", "--format", "md"});
  CHECK(markdown.status == 0);
  CHECK(holds(markdown.out, "# α=0.8, c=0.05"));
  CHECK(holds(markdown.out, "Drafting 8 tokens a round"));
}

TEST_CASE("report: what is wrong is said, and nothing is left behind") {
  CHECK(report_refusal({}, 2) ==
        "there is nothing to report on (a page shows recordings, acceptance rates, or both)\nhint: try draftgauge "
        "report --alpha .8 --cost .05 -o report.html");
  CHECK(report_refusal({"--alpha", ".8", "--rows", "5"}, 2) ==
        "--rows has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(report_refusal({"--alpha", ".8", "--most", "65"}, 2) == "--most 65 is out of range (at most 64)\nhint: give 64 or less");
  CHECK(report_refusal({columns_file, "--resamples", "10"}, 2) ==
        "--resamples is 10 (odds of so few would be mostly chance)\nhint: give 200 or more, or 0 for none");
  CHECK(report_refusal({columns_file, "--resamples", "100001"}, 2) ==
        "--resamples 100001 is out of range (at most 100000)\nhint: give 100000 or less");
  CHECK(report_refusal({"--alpha", ".8", "--resamples", "0"}, 2) ==
        "--resamples has no meaning with --alpha (what it says is taken as exact)\nhint: leave it out");
  CHECK(report_refusal({"--accept", ".8", "--confidence", ".9"}, 2) ==
        "--confidence has no meaning with --accept (what it says is taken as exact)\nhint: leave it out");
  CHECK(report_refusal({"--alpha", ".8", "--draft-length", "3"}, 2) ==
        "--draft-length has no meaning without an engine's counters (nothing would come of it)\nhint: leave it out");
  CHECK(report_refusal({columns_file, "--confidence", "1"}, 2) ==
        "--confidence is 1 (it is the probability that an interval covers the truth)\nhint: give a number between 0 "
        "and 1, "
        "such as 0.95");
  CHECK(report_refusal({"--alpha", "1.2"}, 2).starts_with("--alpha: "));

  TemporaryFile const broken(".tsv", "# temperature: 1\npos\ttoken\tlogp\tlogq\n0\t5\tnan\t-1\n");
  auto const page = std::filesystem::path(broken.path()).replace_extension(".html");
  CHECK(report_refusal({broken.path(), "-o", page.string()}, 3).starts_with(broken.path()));
  CHECK_FALSE(std::filesystem::exists(page));
  std::string const nowhere = page.string() + "/deep/page.html";
  CHECK(report_refusal({"--alpha", ".8", "-o", nowhere}, 3) ==
        nowhere + " cannot be written (there is no folder '" + page.string() +
            "')\nhint: make the folder, or choose another place");
}

TEST_CASE("report: JSON in a page has no markup, and is the same JSON") {
  Json const document{{"</script><!--", "a & b \"quoted\" 'x' <i>"}, {"separators", "\u2028\u2029"}};
  std::string const text = json_in_html(document);
  CHECK(text.find_first_of("<>&") == std::string::npos);
  CHECK(Json::parse(text) == document);
}

TEST_CASE("report: an SVG in a page ends no element around it, and shares no id with another") {
  CHECK(svg_in_html(R"svg(<path d="M1.23456,7.5L-0.999,10"/><text>1.23456</text>)svg", "a") ==
        R"svg(<path d="M1.23,7.5L-0.99,10"/><text>1.23456</text>)svg");
  std::string const svg =
      R"svg(<svg aria-label="</noscript><script>x</script>"><clipPath id="c1"/><g clip-path="url(#c1)"/>)svg"
      R"svg(<text>id="c1" url(#c1) "&lt;</text></svg>)svg";
  CHECK(svg_in_html(svg, "one-") ==
        R"svg(<svg aria-label="&lt;/noscript&gt;&lt;script&gt;x&lt;/script&gt;"><clipPath id="one-c1"/>)svg"
        R"svg(<g clip-path="url(#one-c1)"/><text>id="c1" url(#c1) "&lt;</text></svg>)svg");
}

TEST_CASE("report: every colour of a page's charts is one that its style gives, for light and for dark") {
  std::string const looks(page_file("page.css")),
      charts = page_config().dump() + std::string(page_file("explorer.json"));
  CHECK_FALSE(holds(charts, "\"#"));
  std::size_t const media = looks.find("prefers-color-scheme: dark"), print = looks.find("@media print");
  std::string const dark = looks.substr(media, looks.find("\n}", media) - media);
  std::size_t colours = 0;
  for (std::size_t at = 0; (at = charts.find("var(", at)) != std::string::npos; ++at, ++colours) {
    std::string const name = charts.substr(at + 4, charts.find(')', at) - at - 4) + ":";
    INFO(name);
    REQUIRE(holds(looks, name));
    if (holds(looks, name + " var(")) continue;  // another one's
    CHECK(holds(dark, name));
    CHECK(looks.find(name, print) != std::string::npos);
  }
  CHECK(colours > 10);
}

TEST_CASE("report: a file that was not embedded is a mistake in the program") {
  CHECK_THROWS_AS(page_file("page.txt"), std::logic_error);
}

}  // namespace
}  // namespace draftgauge
