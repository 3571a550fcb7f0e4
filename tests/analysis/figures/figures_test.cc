#include "analysis/figures/figure.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "analysis/texts/dependence.h"
#include "analysis/texts/text_speedup.h"
#include "analysis/theory/optimum.h"
#include "tests/analysis/figures/figure_cells.h"
#include "tests/analysis/figures/shipped_recordings.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using namespace testing;
using Spec = nlohmann::ordered_json;

TEST_CASE("figures: every one is complete, in every style") {
  FigureInput const input = shipped();
  std::set<std::string_view> names;
  for (FigureCard const& each : figure_cards()) {
    CAPTURE(each.name);
    CHECK(names.insert(each.name).second);
    CHECK_FALSE(each.summary.empty());
    Figure const figure = each.make(input);
    CHECK(figure.name == each.name);
    CHECK_FALSE(figure.title.empty());
    CHECK(figure.caption.ends_with('.'));
    CHECK_FALSE(figure.data.rows().empty());
    CHECK(figure.spec["data"]["values"].size() == figure.data.rows().size());
    CHECK_FALSE(figure.spec.contains("config"));
    for (auto const style : {FigureStyle::paper, FigureStyle::slides, FigureStyle::dark}) {
      Spec const spec = styled(figure, style);
      CHECK(spec["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json");
      CHECK(spec["config"]["range"]["category"].size() == 7);
      CHECK(spec.contains("title") == (style != FigureStyle::paper));
    }
    CHECK(styled(figure, FigureStyle::paper)["config"]["axis"]["labelFontSize"] == 8);
  }
}

TEST_CASE("figures: one that needs a recording says so, and what the recording lacks") {
  for (FigureCard const& each : figure_cards()) {
    CAPTURE(each.name);
    auto const without = [&] { each.make({}); };
    if (each.needs_recording) {
      CHECK_THROWS_AS(without(), InputError);
    } else {
      CHECK_NOTHROW(without());
    }
  }
  CHECK(message<InputError>([] { card("expected-tokens").make({}); }) ==
        "expected-tokens is drawn of a recording (none is given) give FILE, such as data/smollm2/prune2_T1.tsv");
  FigureInput only_beta;
  TokenTrace trace;
  trace.texts.resize(1);
  trace.texts[0].beta = {.5, .25};
  TextEstimates estimates(trace, few());
  only_beta.recordings.push_back({"b.tsv", std::move(trace), std::move(estimates), {}, {}});
  CHECK(message<InputError>([&] { card("survival").make(only_beta); }) ==
        "b.tsv: it needs log p and log q of the tokens (without that survival has nothing to draw) record them");
  FigureInput no_rows;
  no_rows.recordings.push_back(columns("prune2_T1.tsv"));
  CHECK(message<InputError>([&] { card("rule-acceptance").make(no_rows); }) ==
        "rule-acceptance is drawn of full rows (two numbers a token do not tell what other rules or temperatures "
        "would accept) give a recording of rows, such as data/smollm2_prune2_24.safetensors");
}

TEST_CASE("figures: what a card says it shows changes the figure, and nothing else does") {
  FigureInput const plain = shipped();
  for (FigureCard const& each : figure_cards()) {
    CAPTURE(each.name);
    auto const unchanged = to_json(each.make(plain).data);
    auto const differs = [&](auto change) {
      FigureInput changed = plain;
      change(changed);
      return to_json(each.make(changed).data) != unchanged;
    };
    CHECK(differs([](FigureInput& input) { input.alphas = {.55}; }) == each.shows.alphas);
    CHECK(differs([](FigureInput& input) { input.gammas = {3}; }) == each.shows.gammas);
    bool const intervals = each.shows.intervals && !each.shows.trees;  // of trees, over texts, and these rows are one
    CHECK(differs([](FigureInput& input) { input.confidence = .5; }) == intervals);
    CHECK(differs([](FigureInput& input) { input.prompts.nodes = 20; }) == each.shows.prompts);
    CHECK(differs([](FigureInput& input) { input.costs = {.37}; }) == each.shows.costs);
    CHECK(differs([](FigureInput& input) { input.trees.branching = 1; }) == each.shows.trees);
  }
}

// Published: Leviathan et al. 2023, Table 1: γ = 5 at α = .8 gives speed-up 3.69 and 1.63 times the operations.
TEST_CASE("figures: those of theory hold the papers' numbers") {
  FigureInput const input{.alphas = {.8}, .costs = {.05}, .gammas = {5}};
  CHECK(number(card("leviathan-2").make(input).data.rows()[0][3]) == Approx(3.68928).epsilon(1e-6));
  CHECK(number(card("leviathan-3").make(input).data.rows()[0][3]) == 8);
  Figure const both = card("leviathan-4").make({.alphas = {.8}, .gammas = {5}});
  CHECK(number(both.data.rows()[0][3]) == Approx(3.69).margin(.005));
  CHECK(number(both.data.rows()[0][4]) == Approx(1.63).margin(.005));
}

TEST_CASE("figures: the map's regions are where their γ is best, its lines where the speed-up is what they say") {
  Figure const map = card("speedup-map").make({.costs = {.01, .05, .2, .9}});
  for (auto const& row : map.data.rows()) {
    double const cost = number(row[2]), from = number(row[3]);
    CAPTURE(text(row[1]), cost, from);
    if (text(row[0]) == "contour") {
      CHECK(best_gamma(IidRounds{from, {.draft = cost}}).speedup == Approx(std::stod(text(row[1]))).epsilon(1e-6));
      continue;
    }
    double const to = number(row[4]);
    CHECK(from <= to);
    if (to - from < 1e-6) continue;
    auto const inside =
        static_cast<double>(best_gamma(IidRounds{(from + to) / 2, {.draft = cost}}).gamma.value_or(1'000));
    std::string const words = text(row[1]);
    double const least = std::stod(words.starts_with("≥") ? words.substr(4) : words);
    CHECK(inside >= least);
    if (std::size_t const dash = words.find("–"); dash != words.npos)
      CHECK(inside <= std::stod(words.substr(dash + 3)));
  }
}

TEST_CASE("figures: a recording's curves are its estimates, what is simulated has an interval") {
  FigureInput const input = shipped();
  TextEstimates const& estimates = input.recordings[0].estimates;
  std::map<std::string, int> seen;
  Figure const drawn = card("expected-tokens").make(input);
  for (auto const& row : drawn.data.rows()) {
    std::string const by = text(row[0]);
    ++seen[by];
    Estimator const estimator = by == "replay"      ? Estimator::replay
                                : by == "simulated" ? Estimator::simulated
                                                    : Estimator::iid;
    TextEstimate const& expected = *estimates.tokens_per_round(estimator, static_cast<int>(number(row[1])));
    CHECK(number(row[2]) == expected.value);
    REQUIRE(std::holds_alternative<Estimate>(row[2]));
    CHECK(std::get<Estimate>(row[2]).interval.low == std::max(1., delta_interval(expected, .95)->low));
  }
  CHECK(seen == std::map<std::string, int>{{"Eq. (1)", 8}, {"replay", 8}, {"simulated", 8}});

  FigureInput one;
  one.recordings.push_back(columns("paper_T1.jsonl"));
  Figure const of_one = card("expected-tokens").make(one);
  for (auto const& row : of_one.data.rows()) {
    CHECK(text(row[0]) != "simulated");  // one text gives no interval
    CHECK(std::holds_alternative<Number>(row[2]));
  }
  Figure const both = card("token-and-block").make(input);
  for (auto const& row : both.data.rows())
    if (text(row[0]) == "block − token") CHECK(number(row[2]) > -1e-12);
}

TEST_CASE("figures: dependence and the best γ are those of the recording, with the costs that it was given") {
  FigureInput input = shipped();
  FigureRecording& of = input.recordings[0];
  Dependence const found = dependence(of.estimates);
  Figure const survival = card("survival").make(input);
  REQUIRE(survival.data.rows().size() == found.positions.size());
  for (std::size_t const i : {0u, 7u}) {
    auto const& row = survival.data.rows()[i];
    CHECK(number(row[1]) == found.positions[i].survival.value);
    CHECK(std::get<Estimate>(row[1]).interval.high == delta_interval(found.positions[i].survival, .95)->high);
    CHECK(number(row[2]) == found.positions[i].geometric.value);
    CHECK(number(row[3]) == found.positions[i].conditional.value);
  }
  Figure const gap = card("iid-gap").make(input);
  REQUIRE(gap.data.rows().size() == 4 * found.gaps.size());
  CHECK(number(gap.data.rows()[3][2]) == found.gaps[3].difference.value);
  CHECK(std::get<Estimate>(gap.data.rows()[3][2]).interval.low == delta_interval(found.gaps[3].difference, .95)->low);
  CHECK(number(gap.data.rows()[found.gaps.size() + 5][2]) == found.gaps[5].runs.value);

  input.costs = {.0415, .113, .181, .3};  // at the first three more γ may be the best than win resamples
  of.costs.verify = {{1, 1.}, {8, 1.7}};
  of.costs.overhead = .1;
  Figure const best = card("best-gamma").make(input);
  std::size_t const costs = input.costs.size();
  REQUIRE(best.data.rows().size() == 2 * costs);
  for (std::size_t i = 0; i < costs; ++i) {
    Costs priced = of.costs;
    priced.draft = input.costs[i];
    CHECK(number(best.data.rows()[i][2]) == text_best_gamma(of.estimates, Estimator::replay, priced)->gamma);
    std::vector<TextSpeedup> speedups;
    for (int gamma = 1; gamma <= 8; ++gamma)
      speedups.push_back(*text_speedup(of.estimates, Estimator::replay, gamma, priced));
    auto const set = text_gamma_set(speedups, .95, of.estimates.options().seed);
    REQUIRE(set);
    Interval const band = std::get<Estimate>(best.data.rows()[i][2]).interval;
    CHECK(band.low == set->gammas.front());
    CHECK(band.high == set->gammas.back());
    CHECK(band.confidence == .95);
    CHECK(text(best.data.rows()[i + costs][0]) == "i.i.d. at its α");
    CHECK(number(best.data.rows()[i + costs][2]) ==
          static_cast<double>(
              std::min<std::int64_t>(8, *best_gamma(IidRounds{of.estimates.alpha()->value, priced}).gamma)));
  }
  CHECK(best.caption.find(
            "Band: from the shortest to the longest γ of the 95 % confidence set, those that the texts do "
            "not show to be worse than the best.") != std::string::npos);
  CHECK(best.caption.find("; a pass over 8 tokens takes 1.7 plain steps; a round has an overhead of 0.1") !=
        std::string::npos);
}

// Six tokens in three texts: the interval of a survival of 2/3 reaches beyond 1.
TEST_CASE("figures: intervals end where the possible ends") {
  TokenTrace trace;
  trace.name = "short";
  for (double const log_q : {-2., -2., -.2}) trace.texts.push_back({.log_p = {-1, -1}, .log_q = {log_q, -1.}});
  FigureInput input;
  TextEstimates estimates(trace, few());
  input.recordings.push_back({"short", std::move(trace), std::move(estimates), {}, {}});
  int reach = 0;
  for (Dependence::Position const& each : dependence(input.recordings[0].estimates).positions)
    if (auto const interval = delta_interval(each.survival, .95)) reach += interval->high > 1;
  CHECK(reach > 0);
  Figure const survival = card("survival").make(input);
  for (auto const& row : survival.data.rows())
    for (std::size_t const column : {1u, 3u})
      if (auto const* estimate = std::get_if<Estimate>(&row[column])) {
        CHECK(estimate->interval.low >= 0);
        CHECK(estimate->interval.high <= 1);
      }
}

TEST_CASE("figures: the caption says that a text is refuted") {
  FigureInput input = shipped();
  for (FigureRecording& each : input.recordings) each.rejected = true;
  for (char const* name : {"leviathan-1", "leviathan-5", "survival", "best-gamma"})
    CHECK(card(name).make(input).caption.find("(rejected: the target would not write this text)") !=
          std::string::npos);
}

TEST_CASE("figures: lines that end close to each other share the room for labels") {
  auto const labelled = [](char const* name, FigureInput const& input) {
    Spec const spec = card(name).make(input).spec;
    Spec const& layers = spec.contains("vconcat") ? spec["vconcat"][0]["layer"] : spec["layer"];
    Spec const& transform = layers.back()["transform"];
    return transform.size() < 3 ? Spec() : transform[2]["filter"]["oneOf"];
  };
  for (char const* name : {"leviathan-2", "leviathan-3", "leviathan-4"}) CHECK(labelled(name, {}).is_null());
  FigureInput many;
  for (int gamma = 1; gamma <= 64; ++gamma) many.gammas.push_back(gamma);
  // At α = 1 the lines end at γ + 1; the axis begins at 0.
  for (auto const& [name, apart] : {std::pair("leviathan-2", 65. / 14), {"leviathan-4", 65. / 6}}) {
    Spec const shown = labelled(name, many);
    REQUIRE(shown.size() >= 4);
    CHECK(shown[0] == "γ = 64");
    for (std::size_t i = 1; i < shown.size(); ++i) {
      auto const gamma = [&](std::size_t at) { return std::stoi(shown[at].get<std::string>().substr(5)); };
      CHECK(gamma(i - 1) - gamma(i) >= apart);
      CHECK(gamma(i - 1) - gamma(i) < apart + 1);  // no room is left unused
    }
  }
  FigureInput costs;
  costs.costs = {.05, .0501, .2};
  CHECK(labelled("leviathan-3", costs) == Spec{"c = 0.05", "c = 0.2"});
}

// False alarm: each certificate misses with at most .05, so that the token rule's, of one seed, is fixed by it.
TEST_CASE("figures: certificates go down with the rounds, for a faulty rule no further than its distance") {
  double token = 1, wrong = 0;
  Figure const certified = card("certificate").make({.seed = 1, .threads = 2});
  for (auto const& row : certified.data.rows()) {
    Interval const& tv = std::get<Estimate>(row[2]).interval;
    CHECK(tv.low <= tv.value);
    CHECK(tv.value <= tv.high);
    (text(row[0]) == "token" ? token : wrong) = text(row[0]) == "token" ? tv.high : tv.low;
  }
  CHECK(token < .002);
  CHECK(wrong > .01);
}

TEST_CASE("figures: rules by temperature are those of the rows") {
  FigureInput input;
  input.threads = 2;
  input.recordings.push_back(shipped_rows(few()));
  std::map<std::string, double> at_zero, at_one;
  Figure const rules = card("rule-acceptance").make(input);
  for (auto const& row : rules.data.rows()) {
    if (number(row[2]) == 0) at_zero[text(row[0])] = number(row[3]);
    if (number(row[2]) == Approx(1).margin(.06)) at_one[text(row[0])] = number(row[3]);
  }
  CHECK(at_zero.size() == 6);
  CHECK(at_one.size() == 6);
  CHECK(at_zero.at("token") == at_zero.at("one-hot"));  // both laws are one-hot
  CHECK(at_one.at("coupled") < at_one.at("token"));
  CHECK(at_one.at("token") < at_one.at("k-seq"));
}

TEST_CASE("figures: speed-up against γ, drafts over each other") {
  FigureInput input{.draw_each = true};
  input.recordings.push_back(columns("prune2_T1.tsv"));
  input.recordings.push_back(columns("q2k_T1.tsv"));
  input.recordings[1].costs.draft = .02;
  Figure const figure = card("speedup").make(input);
  std::set<std::string> names;
  for (auto const& row : figure.data.rows()) {
    FigureRecording const& of = input.recordings[(names.insert(text(row[0])), names.size() - 1)];
    auto const gamma = static_cast<int>(std::get<std::int64_t>(row[2]));
    if (gamma == 0)
      CHECK(number(row[3]) == 1);
    else
      CHECK(number(row[3]) == text_speedup(of.estimates, Estimator::replay, gamma, of.costs)->speedup.value);
  }
  CHECK((names.size() == 2 && figure.data.rows().size() == 18));
  CHECK(figure.spec["encoding"]["color"]["field"] == "recording");
  CHECK(figure.caption.find("a draft step takes 0.1, 0.02 of a plain step") != std::string::npos);
  input.recordings.pop_back();
  CHECK(card("speedup").make(input).data.rows().size() == 9);
}

TEST_CASE("figures: the best γ by batch size, and where plain decoding begins") {
  LoadTable table{.file = "made up"};
  // A pass over t tokens takes 8 + t, in batches of up to 64 sequences; a draft step half of a plain one of one
  // sequence.
  for (std::int64_t batch = 1; batch <= 64; batch *= 2)
    for (std::int64_t tokens = 1; tokens <= 4; ++tokens)
      table.models["target"].ms.add(tokens, batch, 8. + static_cast<double>(tokens * batch));
  for (std::int64_t batch = 1; batch <= 64; batch *= 2) table.models["draft"].ms.add(1, batch, .5);
  FigureInput input{.alphas = {.6}};
  input.load = {"made up", BatchCosts(table, {}, {})};
  Figure const figure = card("batch-gamma").make(input);
  auto const& rows = figure.data.rows();
  REQUIRE(rows.size() > 3);
  std::int64_t before = 100;
  std::vector<std::int64_t> begins;
  for (auto const& row : rows) {
    auto const batch = std::get<std::int64_t>(row[2]), gamma = std::get<std::int64_t>(row[3]);
    double best = 1;  // by the definition
    for (int g = 1; g <= 64; ++g) {
      double const tokens = (1 - std::pow(.6, g + 1)) / .4, b = static_cast<double>(batch);
      double const s = tokens * (8 + b) / (8 + b * (g + 1) + .5 * g);
      best = std::max(best, s);
    }
    CHECK(number(row[4]) == Approx(best));
    CHECK(gamma <= before);
    if (std::get<bool>(row[5])) begins.push_back(batch);
    before = gamma;
  }
  CHECK((std::get<std::int64_t>(rows.front()[2]) == 1 && std::get<std::int64_t>(rows.back()[2]) == 64));
  // 1.6·(8 + B) > 8.5 + 2B up to B = 10.75.
  CHECK(begins == std::vector<std::int64_t>{11});
  CHECK(figure.caption.find("by the times of made up; independent drafts") != std::string::npos);
}

}  // namespace
TEST_CASE("figures: the waterfall's bars follow each other from the ideal to what is predicted") {
  FigureInput input = shipped();
  input.gammas = {4};
  FigureRecording& of = input.recordings[0];
  of.costs = {.draft = .1, .verify = {{1, 1.}, {5, 1.5}}, .overhead = .05};
  Figure const figure = card("waterfall").make(input);
  auto const& rows = figure.data.rows();
  REQUIRE(rows.size() == 8);  // ideal, α, dependence, ends, drafts, verification, overhead, predicted
  CHECK(number(rows[0][4]) == Approx(.2));
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
    CHECK(number(rows[i][3]) == number(rows[i - 1][4]));
    CHECK(number(rows[i][4]) == Approx(number(rows[i][3]) + number(rows[i][2])));
  }
  double const tokens = of.estimates.tokens_per_round(Estimator::replay, 4)->value;
  CHECK(number(rows[7][2]) == Approx((1 + .4 + .5 + .05) / tokens));
  CHECK(number(rows[6][4]) == Approx(number(rows[7][4])));
  CHECK(figure.caption.find("Not known: the engine's rule and drafts, batch.") != std::string::npos);
  CHECK(std::get<Estimate>(rows[1][2]).interval.confidence == input.confidence);
  input.gammas = {2, 4};
  CHECK(message([&] { card("waterfall").make(input); }) ==
        "2 γ are given, and waterfall shows one (its steps are those of one run) give one: `gamma` 4");
}

}  // namespace draftgauge
