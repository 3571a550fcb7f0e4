#include <string>
#include <vector>

#include "analysis/frontier/one_place.h"
#include "analysis/frontier/round_program.h"
#include "tests/vectors/models.h"
#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {
namespace {

Json texts(std::vector<Rational> const& law) {
  Json list = Json::array();
  for (Rational const& chance : law) list.push_back(text(chance));
  return list;
}

}  // namespace

Json frontier(Json const& inputs) {
  ExactModel const model = model_of(inputs);
  std::uint32_t const start = model.contexts().vocab;
  auto const& [p, q] = model.row(start);
  if (inputs.contains("gamma")) {
    int const gamma = inputs["gamma"].get<int>();
    Rational const distance = number(inputs.at("eps"));
    RoundFrontier const found = round_frontier(model, gamma, distance, inputs.at("T").get<int>(), start);
    return {{"mean_accepted", found.attained ? text(found.mean_accepted) : "not attained"},
            {"bound", text(round_bound(model, gamma, distance, start).value())}};
  }
  if (inputs.contains("eps")) {
    Rational const distance = number(inputs["eps"]);
    return {{"acceptance", text(acceptance_at_distance(p, q, distance))}, {"a_law", texts(towards_draft(p, q, distance))}};
  }
  if (inputs.contains("a")) {
    auto const trade = best_trade(p, q, number(inputs["a"]));
    return {{"b", trade.acceptance < 1 ? Json(text(trade.b)) : Json()},
            {"law", texts(trade.law)},
            {"acceptance", text(trade.acceptance)},
            {"tv", text(total_variation(trade.law, p))},
            {"kl_out_p", relative_entropy(trade.law, p)},
            {"kl_p_out", relative_entropy(p, trade.law)}};
  }
  Order const order = inputs.at("divergence") == "kl_out_p" ? Order::output_to_target : Order::target_to_output;
  auto const trade = best_within(p, q, static_cast<double>(number(inputs.at("delta"))), order);
  return {{"a", trade.a ? Json(*trade.a) : Json()},
          {"acceptance", trade.acceptance},
          {"law", trade.law},
          {"kl", trade.divergence}};
}

}  // namespace draftgauge::vectors
