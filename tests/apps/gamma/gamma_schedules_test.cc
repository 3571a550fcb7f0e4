#include <catch2/catch.hpp>
#include <fstream>

#include "tests/apps/answers.h"
#include "tests/content.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

std::string const rows = "gamma data/smollm2_prune2_24.safetensors --load tests/data/load/";  // which has the largest q
std::string const line = rows + "batch_table.csv --most 3 --schedule ";

TEST_CASE("gamma --schedule: estimates of several kinds are compared, and each schedule with who knows") {
  Json const found = document(line + "descent --concurrency 8 --estimates right,calibrated,max-q,mean");
  CHECK(found["all_estimates"] == Json({"right", "calibrated", "max-q", "mean"}));
  std::vector<std::string> kinds;
  for (Json const& row : found["batches"][0]["rows"]) {
    if (row["schedule"] == "descent") kinds.push_back(row["estimates"]);
    CHECK(row["regret"]["value"].get<double>() < 1);
    CHECK(row["ms_per_token_p99"].get<double>() > 0);
  }
  CHECK(kinds.size() == 4);
  CHECK(holds(in_one_line(run_line(line + "descent --estimates best").err), "--estimates best is unknown (known: right"));
}

TEST_CASE("gamma --schedule: at a rate of requests the queue is played") {
  Json const found = document(line + "lagged --request-rate 6 --tokens-per-request 64");
  CHECK(found["batches"].empty());
  Json const& served = found["served"];
  CHECK(served["requests_per_second"] == 6);
  for (Json const& row : served["rows"])
    CHECK(row["ms_per_token_p99"].get<double>() >= row["ms_per_token"]["value"].get<double>());
  CHECK(holds(run_line(line + "lagged --request-rate 6").err, "--request-rate takes --tokens-per-request"));
}

TEST_CASE("gamma --schedule: tables for engines are written, read back, and priced") {
  TemporaryFolder const folder;
  std::string const steps = folder.at("sps.json"), parts = folder.at("parts.json"), trtllm = folder.at("cost.json"),
                    lengths = folder.at("lengths.json"), sts = folder.at("sts.json");
  std::string const load = rows + "sglang_steps.json --most 3 --schedule ";
  Json const found = document(load + "descent --write-table sglang-steps=" + steps + " trtllm=" + trtllm + " sglang-parts=" +
                              parts + " vllm=" + lengths + " sglang-temperatures=" + sts);
  CHECK(found["tables"].size() == 5);
  CHECK(found["tables"][0]["worst_error"].get<double>() < 1e-9);
  CHECK(found["tables"][0]["step"] == true);
  // The same schedule at the times that were written makes the same tokens.
  std::string const at = " --schedule descent --most 3 --concurrency 16 --load ";
  auto const rate = [&](std::string const& file, std::string const& more = "") {
    Json const played = document("gamma data/smollm2_prune2_24.safetensors" + at + file + more)["batches"][0]["rows"];
    for (Json const& row : played)
      if (row["schedule"] == "descent") return row["tokens_per_second"]["value"].get<double>();
    return 0.;
  };
  double const measured = rate("tests/data/load/sglang_steps.json");
  CHECK(rate(steps) == Approx(measured).epsilon(1e-6));
  CHECK(rate(trtllm) == Approx(measured).epsilon(1e-6));
  // Lengths by batch size and temperatures are played from their files.
  Json const played = document(load + lengths + " --concurrency 16");
  bool by_batch = false;
  for (Json const& row : played["batches"][0]["rows"])
    by_batch = by_batch || row["schedule"].get<std::string>().starts_with("by-batch:1=");
  CHECK(by_batch);
  CHECK(rate(steps, " --estimates " + sts) > 0);
  CHECK(holds(content(sts), "\"ece_before\""));
  std::string const text = in_one_line(run_line(load + "descent --concurrency 16 --write-table sglang-steps=" + steps).out);
  CHECK(holds(text, "It has steps: keep the engine's lag"));
  CHECK(holds(text, "Predicted with 16 sequences: lagged"));
}

TEST_CASE("gamma --schedule: what is refused of tables and kinds") {
  auto const refused = [](std::string const& more) { return in_one_line(run_line(more).err); };
  CHECK(holds(refused(line + "descent --write-table sps=x.json"), "--write-table sps=x.json is not KIND=FILE (kinds: sglang-steps"));
  CHECK(holds(refused("gamma --alpha .8 --write-table vllm=x.json"), "--write-table has no meaning without --schedule"));
  CHECK(holds(refused("gamma --alpha .8 --load tests/data/load/batch_table.csv --schedule lagged --write-table "
                      "sglang-temperatures=/dev/null --concurrency 8"),
              "does not have the largest q of each place"));
  CHECK(holds(refused(line + "lagged --request-rate 6 --tokens-per-request 8 --write-table vllm=/dev/null"),
              "--request-rate has no meaning with --write-table"));
  CHECK(holds(refused(line + "faulty/drop"), "faulty/drop is faulty"));
}

}  // namespace
}  // namespace draftgauge
