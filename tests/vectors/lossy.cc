#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analysis/exact/stream.h"
#include "analysis/frontier/divergences.h"
#include "sim/task/task.h"
#include "tests/vectors/models.h"
#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {
namespace {

/// The keys of a case by those of a rule's card, where they are others.
std::map<std::string, std::string> const names = {{"l", "lenience"}, {"w", "weight"},  {"tol", "tolerance"},
                                                  {"eps", "epsilon"}, {"k", "top"},     {"W", "window"}};

std::string call_of(Json const& inputs) {
  auto const rule = inputs.at("rule").get<std::string>();
  std::string call = rule;
  char separator = ':';
  for (auto const& [key, value] : inputs.at("parameters").items()) {
    std::string const name = rule == "fuzzy" ? "threshold" : names.contains(key) ? names.at(key) : key;
    call += separator + name + "=" + (key == "bonus" ? "1" : number(value).str());
    separator = ',';
  }
  return call;
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

Json lossy(Json const& inputs) {
  ExactModel const model = model_of(inputs);
  std::uint32_t const vocab = model.contexts().vocab, start = vocab;
  int const length = inputs.at("T").get<int>();
  Task task{.rule = call_of(inputs), .shape = {.gamma = inputs.at("gamma").get<int>()}};
  task.drafter = "sample";
  ExactRound const round = exact_round(task, model, start);
  SequenceLaw const output = completed(round, model, length, start), target = target_law(model, length, start),
                    stream = stream_law(task, model, length, start).value();
  auto const law = marginal(output, 0, vocab), p = marginal(target, 0, vocab);
  Rational const beta = 1 - total_variation(p, model.row(start).q);
  Json answer = {{"acceptance", text(round.acceptance())},
                 {"acceptance_at_place_1", text(round.acceptance())},
                 {"tv", text(total_variation(law, p))},
                 {"kl_out_p", finite(relative_entropy(law, p))},
                 {"kl_p_out", finite(relative_entropy(p, law))},
                 {"beta", text(beta)},
                 {"slack_to_tv_line", text(beta + total_variation(law, p) - round.acceptance())},
                 {"mean_accepted", text(round.mean_accepted())},
                 {"tv_continued", text(total_variation(output, target))},
                 {"tv_stream", text(total_variation(stream, target))},
                 {"kl_stream", finite(divergence(stream, target))}};
  for (Rational const& chance : law) answer["law"].push_back(text(chance));
  return answer;
}

}  // namespace draftgauge::vectors
