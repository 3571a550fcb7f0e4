#include "tests/apps/gamma/gamma_run.h"

/// `draftgauge gamma` at a rate of requests.
namespace draftgauge {
namespace {

std::string const at_alpha = "--alpha .8 --load " DRAFTGAUGE_SOURCE_DIR "/tests/data/load/batch_table.csv";

std::string words_of(std::string const& line) { return unwrapped(run_line("gamma " + line).out); }

}  // namespace

TEST_CASE("load: at a rate of requests concurrency and time per token agree") {
  std::string const at_rate = at_alpha + " --request-rate 6 --tokens-per-request 256";
  nlohmann::json const found = gamma_answer(at_rate);
  nlohmann::json const& rate = found["load"]["request_rate"];
  CHECK((rate["served"] == true && rate["best_gamma"] == 3 && found["load"]["at"]["batch"] == 10));
  CHECK(rate["request_lengths"] == "equal");
  nlohmann::json const& three = rate["curve"][3];
  // A server that was simulated step by step takes 6.2784 ms (standard error .08 %), and has 9.64 requests.
  CHECK(number(three["poisson_ms_per_token"]) == Approx(6.2784).epsilon(.003));
  CHECK(number(three["poisson_concurrency"]) == Approx(6 * 256 * number(three["poisson_ms_per_token"]) / 1e3));
  double const sequences = number(three["concurrency"]), ms = number(three["ms_per_token"]);
  CHECK((sequences > 8 && sequences < 9));
  // Evenly spaced: between 8 sequences and 9 a request's time is on a straight line. It waits for half a round, and
  // takes 87.14 rounds: 256 tokens and 1.22 beyond, by 2.952 (R(n) = 1 + Σ P(N = k) R(n − k)).
  constexpr double rounds = 87.1358172;
  nlohmann::json const at_8 = gamma_answer(at_alpha + " --concurrency 8")["load"]["at"]["curve"][3];
  nlohmann::json const at_9 = gamma_answer(at_alpha + " --concurrency 9")["load"]["at"]["curve"][3];
  double const before = number(at_8["round_ms"]), after = number(at_9["round_ms"]);
  double const round = before + (sequences - 8) * (after - before);
  CHECK(sequences == Approx(6 * rounds * round / 1e3));
  CHECK(ms == Approx((rounds + .5) * round / 256));
  for (nlohmann::json const& row : rate["curve"])
    if (!row["poisson_ms_per_token"].is_null() && row["gamma"] != "by_batch")
      CHECK(number(row["poisson_ms_per_token"]) >= number(three["poisson_ms_per_token"]));
  CHECK((rate["curve"].back()["gamma"] == "by_batch" && number(rate["curve"].back()["ms_per_token"]) <= ms + 1e-9));
  CHECK(words_of(at_rate).starts_with(
      "at 6 requests/s of 256 tokens γ=3: 6.27 ms per token, 9.6 requests in progress; "));
  CHECK(words_of(at_alpha + " --request-rate 60 --tokens-per-request 256")
            .find("  60 requests/s of 256 tokens are not served: at most 17.2 requests/s are, by plain decoding with "
                  "128 sequences; ") != std::string::npos);
  CHECK(gamma_answer(at_alpha + " --request-rate 60 --tokens-per-request 256")["load"]["request_rate"]["served"] ==
        false);
}

TEST_CASE("load: short requests take whole rounds, of equal lengths or geometric ones") {
  std::string const line = at_alpha + " --request-rate 192 --tokens-per-request 8";
  nlohmann::json const equal = gamma_answer(line)["load"]["request_rate"];
  nlohmann::json const geometric = gamma_answer(line + " --request-lengths geometric")["load"]["request_rate"];
  // Simulated at γ = 3: 8.6237 and 9.0949 ms, standard errors .02 and .04 %. As a fluid it was 6.193.
  CHECK(number(equal["curve"][3]["poisson_ms_per_token"]) == Approx(8.6237).epsilon(.005));
  CHECK(number(geometric["curve"][3]["poisson_ms_per_token"]) == Approx(9.0949).epsilon(.005));
  CHECK((equal["best_gamma"] == 2 && geometric["request_lengths"] == "geometric"));
  CHECK(words_of(DRAFTGAUGE_SOURCE_DIR
                 "/tests/data/load/sglang_bench_speculative.jsonl --request-rate 3 --tokens-per-request 20")
            .find("sglang_bench_speculative.jsonl has tokens per round alone: for the rounds of a request, drafts are "
                  "accepted independently (Eq. (1)).") != std::string::npos);
  CHECK(words_of(line + " --request-lengths geometric").starts_with("at 192 requests/s of a mean of 8 tokens γ=2: "));
}

TEST_CASE("load: at a rate title, marks and settings are of one γ") {
  nlohmann::json const beyond =
      gamma_answer(at_alpha + " --request-rate 30 --tokens-per-request 256 --for llama.cpp");
  CHECK((beyond["load"]["request_rate"]["best_gamma"] == 0 && beyond["best_gamma"] == 0));
  CHECK((beyond["load"]["at"]["batch"] == 128 && beyond["settings"]["gamma"] == 0));
  CHECK(words_of(at_alpha + " --request-rate 30 --tokens-per-request 256 --for llama.cpp")
            .find("To switch drafting off in llama.cpp") != std::string::npos);
  for (double rate = 1; rate < 17; ++rate) {
    nlohmann::json const served =
        gamma_answer(at_alpha + " --tokens-per-request 256 --for sglang --request-rate " + std::to_string(rate));
    CAPTURE(rate);
    CHECK(served["best_gamma"] == served["load"]["request_rate"]["best_gamma"]);
    CHECK(served["settings"]["gamma"] == served["best_gamma"]);
  }
}

TEST_CASE("load: how often requests wait, and the best γ where they arrive at random") {
  std::string const line = at_alpha + " --tokens-per-request 256 --request-rate ";
  CHECK(number(gamma_answer(line + "16")["load"]["request_rate"]["curve"][0]["poisson_waiting"]) ==
        Approx(.086).margin(.001));
  CHECK(words_of(line + "16").find("With plain decoding requests wait for a place 8.6 % of the time.") !=
        std::string::npos);
  // At random γ = 4 takes least; evenly spaced it would be γ = 5.
  CHECK(words_of(line + "2").starts_with("at 2 requests/s of 256 tokens γ=4: "));
  nlohmann::json const curve = gamma_answer(line + "2")["load"]["request_rate"]["curve"];
  CHECK(number(curve[5]["ms_per_token"]) < number(curve[4]["ms_per_token"]));
}
}  // namespace draftgauge
