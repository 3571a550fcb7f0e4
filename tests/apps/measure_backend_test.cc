#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/run.h"

namespace draftgauge {
namespace {

std::string const rows_file = DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors";

nlohmann::json measured(std::string_view backend) {
  Run const done = run({"measure", rows_file, "--temperature", "1,.6", "--backend", backend, "--format", "json"});
  INFO(done.err);
  REQUIRE(done.status == 0);
  return nlohmann::json::parse(done.out);
}

TEST_CASE("measure: full rows by device code, next to the vectorised pass") {
  nlohmann::json const omp = measured("thrust-omp"), cpp = measured("thrust-cpp"), cpu = measured("cpu");
  CHECK(omp["recordings"] == cpp["recordings"]);
  CHECK(cpu["recordings"] == measured("auto")["recordings"]);
  CHECK(omp["recordings"] != cpu["recordings"]);  // floats beside doubles: another pass it was
  for (std::size_t i : {0u, 1u})
    CHECK(omp["recordings"][i]["alpha"]["value"].get<double>() ==
          Approx(cpu["recordings"][i]["alpha"]["value"].get<double>()).margin(3e-7));
}

TEST_CASE("measure: a backend that is not there is said once") {
  Run const done = run({"measure", rows_file, "--temperature", "1,.6", "--backend", "thrust"});
  CHECK(done.status == 0);
  std::size_t const warned = done.err.find("runs as thrust-omp");
  if (warned != std::string::npos) CHECK(done.err.find("runs as thrust-omp", warned + 1) == std::string::npos);
}

}  // namespace
}  // namespace draftgauge
