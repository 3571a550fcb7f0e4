#include <catch2/catch.hpp>

#include "apps/result.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

Json simulate(std::string const& line) {
  Run const got = run_line("simulate " + line + " --format json");
  INFO(line << ": " << got.err);
  REQUIRE(got.status == 0);
  return Json::parse(got.out);
}

TEST_CASE("simulate: the result depends on task, seed and trials alone") {
  std::string const task = "exact-alpha:vocab=8,alpha=0.6 --gamma 3 --rounds 20k --positions 2 --seed 5 ";
  Json const one = simulate(task + "--backend serial");
  for (char const* how : {"--backend cpu --threads 3", "--backend thrust --threads 2", "--backend cpu --threads 1"}) {
    Json const other = simulate(task + how);
    CAPTURE(how);
    for (char const* field : {"accepted_histogram", "token_histogram", "tokens", "mean_tokens", "id", "task"})
      CHECK(one[field] == other[field]);
  }
  CHECK(simulate("exact-alpha:vocab=8,alpha=0.6 --gamma 3 --rounds 20k --seed 6")["tokens"] != one["tokens"]);
}

TEST_CASE("simulate: ranges add up") {
  std::string const task = "markov:vocab=4 --gamma 2 --rule block ";
  auto const tokens = [&](std::string const& range) {
    return simulate(task + "--range " + range)["tokens"].get<std::uint64_t>();
  };
  CHECK(tokens("0..300") == tokens("0..100") + tokens("100..300"));
}

TEST_CASE("simulate: estimates are near what theory says") {
  Json const got = simulate("exact-alpha:vocab=32,alpha=0.8 --gamma 5 --cost .05 --ops-cost .1 --rounds 300k "
                            "--confidence .999999999");
  auto const covers = [&](char const* field, double truth) {
    CAPTURE(field, truth, got[field].dump());
    CHECK(got[field]["low"].get<double>() < truth);
    CHECK(got[field]["high"].get<double>() > truth);
  };
  covers("acceptance", .8);
  covers("mean_accepted", 2.68928);
  covers("mean_tokens", 3.68928);
  covers("speedup", 3.68928 / 1.25);
  covers("operations", 6.5 / 3.68928);
  covers("memory_reads", 1 / 3.68928);
  CHECK(got["rounds"] == 300'000);
}

TEST_CASE("simulate: one trial has no interval") {
  Json const got = simulate("exact-alpha:vocab=8,alpha=0.6 --gamma 3 --rounds 1");
  CHECK(got["mean_tokens"].is_null());
  CHECK(got["speedup"].is_null());
  CHECK(got["rounds"] == 1);
}

TEST_CASE("simulate: α = 1 and a long draft") {
  Json const got = simulate("exact-alpha:vocab=4,alpha=1 --gamma 256 --rounds 1k");
  CHECK(got["mean_tokens"]["value"] == 257);
}

TEST_CASE("simulate: tokens counted jointly anywhere in the trial") {
  std::string const task = "markov:vocab=3 --gamma 2 --rounds-per-trial 24 --rounds 24k --gram 2 ";
  Json const later = simulate(task + "--gram-from 20"), first = simulate(task);
  CHECK(later["task"]["gram_from"] == 20);
  CHECK_FALSE(first["task"].contains("gram_from"));
  CHECK(later["id"] != first["id"]);
  CHECK(later["gram_histogram"] != first["gram_histogram"]);
  std::uint64_t sum = 0;
  for (Json const& count : later["gram_histogram"]) sum += count.get<std::uint64_t>();
  CHECK(sum == 1000);
}

TEST_CASE("simulate: what cannot be asked") {
  auto const refused = [](std::string const& line, int status, std::string const& message) {
    Run const got = run_line("simulate " + line);
    INFO(line);
    CHECK(got.status == status);
    CHECK(got.out.empty());
    CHECK(got.err == "draftgauge simulate: " + message + "\n");
  };
  refused("zipf:vocab=5 --rule all", 2,
          "simulate takes one --gamma and one --rule (its result is one tally) run it once for each");
  refused("zipf:vocab=5 --rounds 10 --time 1s", 2,
          "--rounds, --time and --range cannot be given together (each says how much is simulated) keep one");
  refused("zipf:vocab=5 --range 5..5", 2, "--range: '5..5' holds no trials (a..b are the trials a to b − 1) make b larger than a");
  refused("zipf:vocab=50000 --gram 2", 2, "--gram 2 needs more than 2^26 counts at 50000 tokens");
  refused("zipf:vocab=5 --gram-from 3", 2,
          "--gram-from 3 has no meaning here (no tokens are counted jointly) add --gram");
  refused("zipf:vocab=5 --start 1", 2, "--start 1 has no meaning here (contexts are independent of each other)");
  refused("markov:vocab=5 --start 7", 2, "--start 7 is not a context (0 to 4)");
  refused("data/smollm2_prune2_24.safetensors --contexts path --gamma 30", 3,
          "no place in the recording has the 31 consecutive rows that a round of --gamma 30 reads (rows are read along "
          "the text) use a smaller --gamma or --contexts bag");
  refused("zipf:vocab=5 --rounds 1e17 --gamma 100", 2,
          "100000000000000000 trials of this shape could overflow the 64-bit sums: use fewer, a smaller --gamma, "
          "--candidates or --rounds-per-trial");
}

}  // namespace
}  // namespace draftgauge
