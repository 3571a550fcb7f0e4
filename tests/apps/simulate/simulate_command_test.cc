#include <catch2/catch.hpp>

#include "tests/apps/simulate/simulate_run.h"

namespace draftgauge {
namespace {

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
  Json const got = simulate(
      "exact-alpha:vocab=32,alpha=0.8 --gamma 5 --cost .05 --ops-cost .1 --rounds 300k "
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

TEST_CASE("simulate: what intervals are over is said") {
  std::string const free = "exact-alpha:vocab=8,alpha=0.6 --gamma 3 --rounds 6400",
                    bound = "markov:vocab=4 --gamma 2";
  CHECK(simulate(free)["estimator"] == "ratio over rounds");
  CHECK(simulate(bound)["estimator"] == "ratio over trials");
  CHECK(run_line("simulate " + free).out.find("95% intervals over rounds; ") != std::string::npos);
  CHECK(run_line("simulate " + bound).out.find("95% intervals over trials; ") != std::string::npos);
}

TEST_CASE("simulate: the first line answers") {
  auto const first = [](std::string const& more) {
    std::string const out = run_line("simulate exact-alpha:vocab=32,alpha=.8 " + more).out;
    return unwrapped(out.substr(0, out.find("\n\n")));
  };
  CHECK(first("--rounds 100k") ==
        "A round emits 3.69310 [3.68092, 3.70528] tokens: token, γ = 5 on "
        "exact-alpha:vocab=32,alpha=4/5");
  CHECK(first("--rounds 1 --gamma 1") ==
        "A round emits 2.00000 tokens, by one trial alone: token, γ = 1 on exact-alpha:vocab=32,alpha=4/5");
}

TEST_CASE("simulate: one trial has no interval") {
  Json const got = simulate("exact-alpha:vocab=8,alpha=0.6 --gamma 3 --rounds 1");
  CHECK(got["mean_tokens"].is_null());
  CHECK(got["speedup"].is_null());
  CHECK(got["rounds"] == 1);
}

TEST_CASE("simulate: few long trials of dependent rounds have wide intervals, and it is said why") {
  Run const few = run_line("simulate markov:vocab=4 --gamma 4 --rounds-per-trial 64 --range 0..100");
  std::string const text = unwrapped(few.out);
  CHECK(text.find("Too few trials differ for the normal limit: the intervals hold at any number of them, and that of "
                  "E[N] is ") != std::string::npos);
  CHECK(text.find(" times as wide. More trials narrow it: play more rounds, or fewer in each trial.") !=
        std::string::npos);
  CHECK(run_line("simulate markov:vocab=4 --gamma 4 --rounds-per-trial 4 --range 0..8000").out.find("Too few") ==
        std::string::npos);
  // Where rounds are independent they are what is counted, and there are enough of them.
  auto const width = [](std::string const& how) {
    Json const mean = simulate("exact-alpha:vocab=8,alpha=0.8 --gamma 4 " + how)["mean_tokens"];
    return mean["high"].get<double>() - mean["low"].get<double>();
  };
  CHECK(width("--rounds-per-trial 64 --range 0..100") == Approx(width("--rounds 6400")).epsilon(.1));
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

TEST_CASE("simulate: --time says what it played, and the same range gives the same again") {
  std::string const task = "exact-alpha:vocab=8,alpha=0.6 --gamma 3 ";
  Json got = simulate(task + "--time 100ms");
  CHECK(got["stopping"] == Json{{"ended_by", "time"}, {"time", .1}});
  CHECK(got["range"][0] == 0);
  Json const again = simulate(task + "--range 0.." + got["range"][1].dump());
  CHECK_FALSE(again.contains("stopping"));
  got.erase("stopping");
  CHECK(got == again);
  Run const text = run_line("simulate " + task + "--time .05");
  CHECK(text.out.find("Time was up after .05; --range 0..") != std::string::npos);
}

TEST_CASE("simulate: --time is a limit beside --rounds and --range, and what ended the run is said") {
  std::string const task = "exact-alpha:vocab=8,alpha=0.6 --gamma 3 ";
  Json const rounds = simulate(task + "--rounds 100 --time 1h");
  CHECK(rounds["rounds"] == 100);
  CHECK(rounds["stopping"] == Json{{"ended_by", "rounds"}, {"time", 3600}});
  Json const range = simulate(task + "--range 50..1e15 --time 50ms");
  CHECK(range["range"][0] == 50);
  CHECK(range["stopping"]["ended_by"] == "time");
  Run const text = run_line("simulate " + task + "--range 50..70 --time 1h");
  CHECK(text.out.find("All rounds that were asked for were played; --range 50..70 plays these trials again.") !=
        std::string::npos);
}

TEST_CASE("simulate: --precision ends with an interval that is narrow enough, the same on every machine") {
  for (std::string const task : {"exact-alpha:vocab=32,alpha=0.8 --gamma 5 ", "markov:vocab=4 --gamma 2 ",
                                 "data/smollm2_prune2_24.safetensors --contexts path --gamma 3 "}) {
    CAPTURE(task);
    Json const got = simulate(task + "--precision .02 --backend serial");
    Json const& precision = got["stopping"]["precision"];
    CHECK(got["stopping"]["ended_by"] == "precision");
    CHECK(precision["half_width"] == .02);
    CHECK(precision["reached"] == true);
    CHECK(precision["rule"] == "pilot apart from the sample");
    CHECK(precision["pilot"][0] == 0);
    CHECK(precision["pilot"][1] == got["range"][0]);
    CHECK(got["mean_tokens"]["high"].get<double>() - got["mean_tokens"]["low"].get<double>() <= .04);
    Json const other = simulate(task + "--precision .02 --backend cpu --threads 3");
    CHECK(other["range"] == got["range"]);
    CHECK(other["mean_tokens"] == got["mean_tokens"]);
    Json const again = simulate(task + "--range " + got["range"][0].dump() + ".." + got["range"][1].dump());
    CHECK(again["mean_tokens"] == got["mean_tokens"]);
    CHECK(again["accepted_histogram"] == got["accepted_histogram"]);
  }
  Run const text = run_line("simulate exact-alpha:vocab=32,alpha=0.8 --precision .02");
  CHECK(text.out.find("were a pilot: they set the size of this sample and are not in it.") != std::string::npos);
  CHECK(text.out.find("± .02 of E[N] was reached; --range ") != std::string::npos);
}

TEST_CASE("simulate: --precision that --rounds or --time ends too soon is not reached") {
  std::string const task = "exact-alpha:vocab=32,alpha=0.8 --gamma 5 --precision 1e-5 ";
  Json const rounds = simulate(task + "--rounds 160k");
  CHECK(rounds["stopping"]["ended_by"] == "rounds");
  CHECK(rounds["stopping"]["precision"]["reached"] == false);
  CHECK(rounds["range"][1] == 160'000);
  CHECK(simulate(task + "--time 100ms")["stopping"]["ended_by"] == "time");
  CHECK(run_line("simulate " + task + "--rounds 1").out.find("± 1e-5 of E[N] was not reached.") != std::string::npos);
  // Too few trials for a pilot: all of them are the sample.
  Run const few = run_line("simulate " + task + "--range 100..103");
  CHECK(few.out.find("3 rounds in 3 trials, 100 to 102;") != std::string::npos);
  CHECK(few.out.find("were a pilot") == std::string::npos);
  CHECK(few.out.find("± 1e-5 of E[N] was not reached.") != std::string::npos);
  Json const document = simulate(task + "--range 100..103");
  CHECK(document["stopping"]["precision"]["pilot"] == Json::parse("[100,100]"));
  CHECK(document["mean_tokens"].is_object());
}

TEST_CASE("simulate: what cannot be asked") {
  auto const refused = [](std::string const& line, std::string const& message) {
    check_refusal("simulate " + line, 2, message);
  };
  refused("zipf:vocab=5 --rule all",
          "simulate takes one --gamma and one --rule (its result is one tally)\nhint: run it once for each");
  refused("zipf:vocab=5 --rounds 10 --range 0..5",
          "--rounds and --range cannot be given together (each says which trials are played)\nhint: keep one");
  refused("zipf:vocab=5 --precision 0",
          "--precision 0 is out of range (no sample is long enough for an interval without width)\nhint: write it "
          "like --precision 0.001");
  refused("zipf:vocab=5 --precision .1 --confidence 1",
          "--confidence is 1 (it is the probability that an interval covers the truth)\nhint: give a number between "
          "0 and 1, "
          "such as 0.95");
  refused("zipf:vocab=5 --precision .1 --store x.jsonl",
          "--precision and --store cannot be given together (a pilot and its sample begin and end at other trials "
          "than stored rows)\nhint: run without --store, then store the --range that it says");
  refused(
      "--merge x.jsonl --precision .1",
      "--precision has no meaning with --merge (nothing is played, and the task is in the rows)\nhint: leave it out");
  refused("zipf:vocab=5 --range 5..5",
          "--range: '5..5' holds no trials (a..b are the trials a to b − 1)\nhint: make b larger than a");
  refused("zipf:vocab=50000 --gram 2",
          "--gram 2 needs more than 2^26 counts at 50000 tokens\nhint: count fewer, or take a smaller vocabulary");
  refused("--p 1 --q 1 --gram 100",
          "--gram 100 is out of range (0 to 64 can be simulated)\nhint: give a number from 0 to 64");
  refused(
      "zipf:vocab=5 --positions 100M",
      "--positions 100000000 is out of range (0 to 1048576 can be simulated)\nhint: give a number from 0 to 1048576");
  refused("zipf:vocab=5 --positions 100G", "--positions 100000000000 is out of range (at most 1000000000)\nhint: give 1000000000 or less");
  refused("zipf:vocab=5 --gram 1 --gram-from 300M",
          "--gram-from 300000000 is out of range (0 to 268435456 can be simulated)\nhint: give a number from 0 to "
          "268435456");
  refused("zipf:vocab=5 --gram-from 3",
          "--gram-from 3 has no meaning here (no tokens are counted jointly)\nhint: add --gram");
  refused("zipf:vocab=5 --start 1",
          "--start 1 has no meaning here (contexts are independent of each other)\nhint: leave it out");
  refused("markov:vocab=5 --start 7", "--start 7 is not a context (0 to 4)\nhint: give one of these");
  check_refusal(
      "simulate data/smollm2_prune2_24.safetensors --contexts path --gamma 30", 3,
      "no place in the recording has the 31 consecutive rows that a round of --gamma 30 reads (rows are read "
      "along the text)\nhint: use a smaller --gamma or --contexts bag");
  refused(
      "zipf:vocab=5 --rounds 1e17 --gamma 100",
      "100000000000000000 trials of this shape could overflow the 64-bit sums\nhint: use fewer, a smaller --gamma, "
      "--candidates or --rounds-per-trial");
}

}  // namespace
}  // namespace draftgauge
