#include <catch2/catch.hpp>
#include <fstream>

#include "tests/apps/answers.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

Json verified(std::string const& line, int status = 0) { return document("verify --schedule " + line, status); }
Json verified_on(std::string const& source, std::string const& line, int status = 0) {
  return document("verify " + source + " --schedule " + line, status);
}

TEST_CASE("verify --schedule: right schedules hold for all requests jointly, exactly and by simulation") {
  Json const all = verified("all --rounds 1M");
  CHECK(all["fails"] == 0);
  CHECK(all["inconclusive"] == 0);
  std::size_t exact = 0;
  for (Json const& check : all["checks"]) {
    CHECK(check["requests"] == 2);
    CHECK(check["claimed"] == true);
    exact += !check["exact"].is_null();
  }
  // Of each schedule a joint one, one of each request, and the exact one, but where rows are drawn at random.
  CHECK(exact == all["checks"].size() / 4);
}

TEST_CASE("verify --schedule: every faulty schedule fails on its own batch, and only the joint distribution shows some") {
  Json const all = verified("faulty/all --rounds 200k", 1);
  for (char const* const name : {"drop:q=1/2", "own-threshold:product=1/2", "own-rank:slots=1", "neighbour", "parity"}) {
    bool found = false;
    for (Json const& check : all["checks"])
      found = found || (check["schedule"] == std::string("faulty/") + name && check["verdict"] == "fails" &&
                        check["estimator"] == "simulation");
    INFO(name);
    CHECK(found);
  }
  for (char const* const name : {"neighbour", "parity"}) {
    Json const one = verified(std::string("faulty/") + name + " --rounds 200k", 1);
    CHECK(one["checks"][0]["verdict"] == "fails");   // jointly
    CHECK(one["checks"][1]["verdict"] == "holds");   // each request
    CHECK(one["checks"][2]["exact"].get<double>() == (name == std::string("parity") ? .25 : .125));
  }
}

TEST_CASE("verify --schedule: an argmax past a step fails, and on convex times holds") {
  TemporaryFolder const folder;
  std::string const pair = folder.at("pair.json"), line = "argmax --gamma 2 --requests 1 --rounds 200k --pass-times ";
  std::ofstream(pair) << R"({"p": [["1", "0"], ["1/2", "1/2"]], "q": [["0", "1"], ["1/2", "1/2"]]})";
  CHECK(verified_on(pair, line + "1,2,2", 1)["fails"] == 2);  // by simulation and by enumeration
  CHECK(verified_on(pair, line + "1,3/2,2")["fails"] == 0);
  CHECK(verified_on("--p .3,.4,.3 --q .6,.3,.1", line + "1,1.8,1.9")["fails"] == 0);  // no estimate depends on a token
}

TEST_CASE("verify --plan --schedule: so many rounds certify the requests' texts, and do") {
  std::string const line = " --schedule top:slots=2 --gamma 1 --p 1/3,2/3 --q 1/2,1/2 ";
  Json const plan = document("verify --plan --tv .02" + line);
  auto const rounds = plan["rounds_to_certify"].get<std::uint64_t>();
  CHECK(rounds > 10'000);
  Json const run = document("verify --rounds " + std::to_string(2 * rounds) + line);
  CHECK(run["checks"][0]["certificate"]["tv_at_most"].get<double>() <= .02);
  CHECK(run["checks"][0]["certificate"]["draws"] == rounds / 2);  // a batch is 2 requests of 2 rounds
}

TEST_CASE("verify --schedule: what is refused, and what other options say") {
  auto const refused = [](std::string const& line) { return in_one_line(run_line("verify " + line).err); };
  CHECK(holds(refused("--requests 3"), "--requests has no meaning without --schedule"));
  CHECK(holds(refused("--schedule top --rule lenient"), "rule lenient is lossy by itself"));
  CHECK(holds(refused("--schedule top --policy heuristic"), "--policy has no meaning with --schedule"));
  CHECK(holds(refused("--faulty --schedule top"), "--schedule has no meaning with --faulty"));
  CHECK(holds(refused("--schedule best"), "there is no schedule 'best'"));
  CHECK(document("verify --schedule top --rule block --rounds 200k --gamma 1 --p 1/2,1/2 --q 1/3,2/3")["fails"] == 0);
}

TEST_CASE("verify --faulty: schedules that peek are caught, and pass a test too weak") {
  Json const faulty = document("verify --faulty");
  CHECK(faulty["caught_schedules"] == faulty["schedules"].size());
  CHECK(faulty["schedules"].size() == 6);
  for (Json const& each : faulty["schedules"]) {
    CHECK(each["shows"]["caught"] == true);
    CHECK(each["hides"]["tv"] == "0");
  }
}

}  // namespace
}  // namespace draftgauge
