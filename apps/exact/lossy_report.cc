#include "apps/exact/lossy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/frontier/emitted.h"
#include "apps/options/exact_numbers.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// "token 0 +0.0600, token 3 +0.0100": those that are emitted more, or less, than the target has them.
std::string tokens_text(std::vector<Rational> const& output, std::vector<Rational> const& target, bool over) {
  constexpr std::size_t shown = 5;
  std::vector<std::pair<double, std::size_t>> moved;
  for (std::size_t x = 0; x < output.size(); ++x) {
    double const by = number(output[x] - target[x]);
    if (over ? by > 0 : by < 0) moved.emplace_back(by, x);
  }
  std::ranges::stable_sort(moved, {}, [](auto const& each) { return -std::abs(each.first); });
  return first_joined(moved, shown,
                      [](auto const& each) { return fmt::format("token {} {:+.4f}", each.second, each.first); });
}

}  // namespace

void add_lossy_report(Simulation const& simulation, ExactModel const& model, ExactText const& exact, int length,
                      std::uint64_t most_paths, Result& result) {
  std::uint32_t const vocab = model.contexts().vocab;
  Emitted const emitted = emitted_by(simulation.task(), model, simulation.starts(), length, most_paths);
  Rational const kept = exact.round.mean_accepted();
  auto const output = marginal(exact.output, 0, vocab), target = marginal(exact.target, 0, vocab);

  Json& document = result.document["lossy"];
  document = Json::object();
  Section section{.heading = "What it emits, and what could be had for it",
                  .table = Table{{"quantity", "quantity", Align::left}, {"exact", "exact"}, {"number", "≈"}}};
  auto const add = [&](std::string const& key, std::string const& words, Rational const& value) {
    put_fraction(document, key, value);
    section.table.add({words, readable_cell(value), Number{number(value), 6}});
  };
  auto const add_nats = [&](std::string const& key, std::string const& words, double value) {
    document[key] = finite_or_null(value);
    section.table.add({words, Cell(), Number{value, 6}});
  };
  add("first_tv", "TV of the first token", emitted.first_distance);
  add_nats("first_kl", "KL(output ‖ target) of the first token, nats", emitted.first_divergence);
  add_nats("first_kl_back", "KL(target ‖ output) of the first token, nats", emitted.first_divergence_back);
  add_nats("kl_back", fmt::format("KL(target ‖ output) of {} tokens, nats", length), emitted.divergence_back);
  if (emitted.stream_distance) {
    add("stream_tv", fmt::format("TV of {} tokens, round after round", length), *emitted.stream_distance);
    add_nats("stream_kl", fmt::format("KL(output ‖ target) of {} tokens, round after round, nats", length),
             emitted.stream_divergence);
  }
  add("impossible", "P(the first token has p = 0)", emitted.impossible);
  document["frontier_proved"] = emitted.frontier.has_value();
  if (emitted.bound) {
    Rational const most = emitted.frontier.value_or(*emitted.bound);
    add("frontier", "E[τ] of any rule at this TV, at most", most);
    add("wasted", "E[τ] wasted: below that", most - kept);
  }

  std::string const over = tokens_text(output, target, true), under = tokens_text(output, target, false);
  if (!over.empty())
    section.paragraphs.push_back(fmt::format("The first token is emitted too often: {}. Too rarely: {}.", over, under));
  if (emitted.impossible > 0)
    section.paragraphs.push_back(fmt::format(
        "It emits tokens of p = 0, with probability {} at the first place: those that top-k, top-p or a grammar forbid.",
        readable_text(emitted.impossible)));
  if (emitted.frontier)
    section.note("The most at this TV is the optimum of a linear program over all rules, proved in fractions.");
  else if (emitted.bound)
    section.note("The most at this TV is Σ min(1, βᵢ + TV), a bound: the linear program is too large here.");
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
