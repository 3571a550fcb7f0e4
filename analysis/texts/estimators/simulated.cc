#include "analysis/replay/replay.h"
#include "analysis/texts/estimators/replayed.h"

namespace draftgauge {
namespace {

std::vector<std::optional<TextEstimate>> tokens_by_coins(TextEstimates const& of) {
  EstimateOptions const& options = of.options();
  std::vector<std::vector<double>> rounds(options.gammas.size(), std::vector<double>(of.texts()));
  for (std::size_t i = 0; i < of.texts(); ++i)
    for (std::size_t k = 0; k < options.coin_runs; ++k) {
      CoinRun const run(of.acceptance()[i].a, options.seed, i * options.coin_runs + k);
      for (std::size_t g = 0; g < rounds.size(); ++g)
        rounds[g][i] += static_cast<double>(run.rounds({options.gammas[g], 1, options.bonus}));
    }
  auto const runs = static_cast<double>(options.coin_runs);
  std::vector<std::optional<TextEstimate>> all(rounds.size());
  for (std::size_t g = 0; g < rounds.size(); ++g)
    if (of.has_room(options.gammas[g]))
      all[g] = mean_over_texts(of.sample()->lengths(), of.sample()) * runs / mean_over_texts(rounds[g], of.sample());
  return all;
}

constexpr EstimatorCard simulated_card{.name = "simulated",
                                       .heading = "simulated",
                                       .summary = "the token rule along the text by tosses of coins",
                                       .of_token_rule = true,
                                       .why_not =
                                           [](TextEstimates const& of) {
                                             return of.options().coin_runs == 0 ? "was not asked for any run"
                                                                                : why_not_replayed(of);
                                           },
                                       .tokens = tokens_by_coins,
                                       .tosses_coins = true};

}  // namespace

constinit Estimator const Estimator::simulated{&simulated_card};

}  // namespace draftgauge
