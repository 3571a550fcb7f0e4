#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/analysis/counters/fixture.h"
#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"

/// What `why` says is to be set, and the times of benchmarks that it reads.
namespace draftgauge {
using testing::counters_text;
TEST_CASE("why: counters end with the lines to paste, of the best γ by them and the costs") {
  Run const done = run_line("why " + scrapes + " --cost .3 --plain 50t/s");
  CHECK(unwrapped(done.out).find("By these counts and costs the best γ is 2, S=") != std::string::npos);
  CHECK(done.out.find("To set γ = 2 in vLLM") != std::string::npos);
  CHECK(done.out.find("\"num_speculative_tokens\":2}'") != std::string::npos);
  Json const found = document("why " + scrapes + " --cost .3"), gamma = document("gamma " + scrapes + " --cost .3");
  CHECK((found["settings"] == gamma["settings"] && found["settings"]["gamma"] == 2 && found["gamma"] == 3));
  CHECK(document("why " + scrapes + " --cost .3 --for sglang")["settings"]["engine"] == "sglang");
  // llama.cpp's rounds have a pass of the draft model more, which those of the engine to be set do not.
  std::string const log = at("llama_server_acceptance_per_position.log") + " --cost .1";
  CHECK(document("why " + log)["settings"] == document("gamma " + log)["settings"]);
  CHECK(document("why " + log + " --for vllm")["settings"] == document("gamma " + log + " --for vllm")["settings"]);
}

TEST_CASE("why: the best γ by counters is as sure as gamma says that it is") {
  std::string const line = at("llama_speculative_v100.log") + " --cost " + at("llama_speculative_v100_costs.csv");
  std::string const said = unwrapped(run_line("why " + line).out);
  CHECK(said.find("Too few rounds to say (fewer than 85). By these counts and costs the best γ is 16, S=2.8111.") !=
        std::string::npos);
  Json const notes = document("why " + line)["notes"];
  for (char const* note : {"What a pass takes at γ = 16 is a guess along the last slope: measure v(17).",
                           "Nothing is known beyond γ = 16, and S still grows there."})
    CHECK((said.find(note) != std::string::npos && std::ranges::count(notes, Json(note)) == 1));
  Json const chosen = document("gamma " + line);
  for (Json const& note : chosen["notes"]) CHECK(std::ranges::count(notes, note) == 1);
}

TEST_CASE("why: a prediction without a price of drafts and verification is a bound, and says what is not known") {
  std::string const said = unwrapped(run_line("why " + scrapes).out);
  CHECK(
      said.starts_with("at least 0.3804 plain steps per token predicted, at most 2.63× the speed of plain "
                       "decoding if draft time and verification cost nothing, where 0.2500 plain steps are ideal"));
  std::string const unknown =
      "Not known, and so a part of the step behind it, or counted as nothing: ends of texts, the engine's rule and "
      "drafts, draft time, verification, fixed overhead, batch.";
  CHECK(said.find(unknown) != std::string::npos);
  Json const notes = document("why " + scrapes)["notes"];
  CHECK(std::ranges::count(notes, Json(unknown)) == 1);
  CHECK(
      unwrapped(run_line("why " + scrapes + " --verify-cost 1:1,4:4").out)
          .starts_with("Probably SLOWER than decoding without drafts: 0.66× at γ = 3. Switch drafting off.  at least "
                       "1.5218 plain steps per token predicted, at least 1.52 times slower than plain decoding if "
                       "draft time cost nothing, where "));
  // c alone leaves verification a plain step, as everywhere.
  CHECK(unwrapped(run_line("why " + scrapes + " --cost .3").out).find("at most") == std::string::npos);
}

TEST_CASE("why: without costs, or where counts say no more, what ran is set, and it says so") {
  CHECK(unwrapped(run_line("why " + scrapes).out).find("That is the γ that ran: without costs none is best.") !=
        std::string::npos);
  CHECK(document("why " + scrapes)["settings"]["gamma"] == 3);
  std::string const means = "why " + at("sglang_decode.log") + " --gamma 3 --cost .1";
  CHECK(unwrapped(run_line(means).out)
            .find("That is the γ that ran: these counts do not say what another one would give.") !=
        std::string::npos);
  CHECK(document(means)["settings"]["engine"] == "sglang");
  CHECK_FALSE(document("why " + columns_file + " --gamma 4").contains("settings"));
  check_refusal("why " + columns_file + " --gamma 4 --for vllm", 2,
                "--for has no meaning without an engine's counters (a recording's best γ is gamma's to say)\nhint: "
                "draftgauge gamma FILE --cost C --for ENGINE");
}

TEST_CASE("why: the costs of a batch are those of what is to be set") {
  TemporaryFile const costs(".csv",
                            "phase,batch,tokens,mean_s\ndraft,1,1,.001\nverify,1,1,.01\nverify,1,4,.011\nverify,1,8,"
                            ".05\nverify,1,16,.1\n");
  std::string const line = "why " + scrapes + " --cost " + costs.path();
  CHECK(document(line)["settings"]["gamma"] == 3);
  CHECK(document(line + " --batch 4")["settings"]["gamma"] ==
        document("gamma " + scrapes + " --batch 4 --cost " + costs.path())["best_gamma"]);
  CHECK(document(line + " --batch 4")["settings"]["gamma"] < 3);
}

TEST_CASE("why: where the counters say a batch, the steps and what is to be set are both of it") {
  std::string page = counters_text("vllm_bench_serve.json");
  // Sixteen at once, and twice as many rounds, which are enough.
  for (auto const& [name, from, to] : {std::tuple{"max_concurrency", "2", "16"}, {"spec_decode_num_drafts", "80", "160"},
                                       {"spec_decode_draft_tokens", "298", "596"},
                                       {"spec_decode_accepted_tokens", "42", "84"}}) {
    std::string const field = std::string("\"") + name + "\": ", said = field + from;
    page.replace(page.find(said), said.size(), field + to);
  }
  TemporaryFile const bench(".json", page);
  std::string const line = "why " + bench.path() + " --cost .01 --plain 400ms --verify-cost 1:1,5:1.3,80:40";
  Json const said = document(line), given = document(line + " --batch 16");
  CHECK(said["settings"] == given["settings"]);
  CHECK(said["steps"].size() == given["steps"].size());
  CHECK(said["settings"]["gamma"] ==
        document("gamma " + bench.path() + " --cost .01 --verify-cost 1:1,5:1.3,80:40 --batch 16")["best_gamma"]);
  CHECK(said["settings"]["gamma"] !=
        document("gamma " + bench.path() + " --cost .01 --verify-cost 1:1,5:1.3,80:40")["best_gamma"]);
  CHECK(unwrapped(run_line(line).out).find("By these counts and costs of 16 sequences at once the best γ is ") !=
        std::string::npos);
  // Without v(n) a batch has no price: neither the steps nor what is to be set are of it.
  CHECK(unwrapped(run_line("why " + bench.path() + " --cost .01 --plain 2000ms").out)
            .find("By these counts and costs of one sequence at a time the best γ is ") != std::string::npos);
}

TEST_CASE("why: a benchmark's time per token is what was measured") {
  std::string const bench = "why " + at("vllm_bench_serve.json") + " --cost 0";
  Json const found = document(bench + " --plain 600ms");
  CHECK(found["measured"]["ms_per_token"].get<double>() == Approx(569.4834208654944));
  CHECK(found["unexplained"]["from"] == "vllm_bench_serve.json: mean_tpot_ms");
  CHECK(unwrapped(run_line(bench).out)
            .find("vllm_bench_serve.json has the mean_tpot_ms, and without --plain there is nothing to compare it "
                  "with") != std::string::npos);
}

TEST_CASE("why: no γ is named where costs do not explain a measured loss") {
  std::string const said =
      unwrapped(run_line("why " + at("vllm_ngram_T0.jsonl") + " --cost .1 --plain 20ms --measured 40ms").out);
  CHECK(said.starts_with("SLOWER than decoding without drafts"));
  CHECK(said.find("the best γ is") == std::string::npos);
  CHECK(said.find("Leave --speculative-config out.") != std::string::npos);
}

}  // namespace draftgauge
