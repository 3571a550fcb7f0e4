#include "apps/cli/former_words.h"

#include <catch2/catch.hpp>

#include "tests/apps/run.h"

namespace draftgauge {
namespace {

std::vector<std::string> present(std::vector<std::string_view> const& words) { return in_present_text(words); }

using Line = std::vector<std::string>;

TEST_CASE("former words: options and values that were called otherwise") {
  CHECK(present({"verify", "--museum"}) == Line{"verify", "--faulty"});
  CHECK(present({"list", "museum", "--quiet"}) == Line{"list", "faulty", "--quiet"});
  CHECK(present({"verify", "--rule", "wrong/all"}) == Line{"verify", "--rule", "faulty/all"});
  CHECK(present({"exact", "--drafter=wrong/rounded"}) == Line{"exact", "--drafter=faulty/rounded"});
}

TEST_CASE("former words: what only looks like them stays") {
  Line const same = {"measure", "museum", "wrong/text.tsv",   "--museums",
                     "--rule",  "wrong",  "--policy=wrong/x", "--x="};
  CHECK(in_present_text(std::vector<std::string_view>(same.begin(), same.end())) == same);
  CHECK(present({}).empty());
}

TEST_CASE("former words: an answer is that of the present ones") {
  std::vector<std::string_view> const rest = {"--p", ".3,.7", "--q", ".6,.4", "--format", "json"};
  auto const exact = [&](std::string_view rule) {
    std::vector<std::string_view> words{"exact", "--rule", rule};
    words.insert(words.end(), rest.begin(), rest.end());
    return run(words);
  };
  Run const former = exact("wrong/residual-from-target"), now = exact("faulty/residual-from-target");
  CHECK(former.out == now.out);
  CHECK(former.status == now.status);
  CHECK(run({"list", "museum"}).out == run({"list", "faulty"}).out);
}

}  // namespace
}  // namespace draftgauge
