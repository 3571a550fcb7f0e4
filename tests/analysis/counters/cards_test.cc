#include <catch2/catch.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/cards/toml.h"
#include "analysis/counters/card_formats.h"
#include "analysis/counters/documents.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// What each print is known to say, by hand: a file of TOML beside this one for each, whose keys are those of JSON output.
// `format` is the card's name, `broken` the identity that the print breaks; a key that is not there is not compared, and
// "unknown" is null.
TEST_CASE("each card reads its prints as they were counted by hand") {
  std::set<std::string, std::less<>> read;
  for (auto const& entry :
       std::filesystem::directory_iterator(DRAFTGAUGE_SOURCE_DIR "/tests/analysis/counters/cards")) {
    CAPTURE(entry.path());
    nlohmann::json const expected = json_of_toml(content(entry.path()));
    EngineCounters const counters =
        counters_in(content(DRAFTGAUGE_SOURCE_DIR "/" + expected["file"].get<std::string>()));
    read.insert(counters.format);
    nlohmann::json const counts = counts_document(counters);
    for (auto const& [key, value] : expected.items()) {
      CAPTURE(key);
      if (key == "file" || key == "source") continue;
      if (key == "format")
        CHECK(counters.format == value);
      else if (key == "broken")
        CHECK(to_string(broken_identities(counters).at(0)) == value);
      else if (key == "mean_tokens_per_round")  // of a print without counts
        CHECK(counters.stretches.at(0).tokens_per_round == Approx(value.get<double>()).margin(5e-5));
      else if (key == "tokens_per_round")
        CHECK(counter_rates(counters).tokens_per_round.value() == Approx(value.get<double>()).margin(5e-5));
      else if (value == "unknown")
        CHECK(counts.at(key).is_null());
      else if (value.is_number_float())
        CHECK(counts.at(key).get<double>() == Approx(value.get<double>()));
      else
        CHECK(counts.at(key) == value);
    }
    CHECK(broken_identities(counters).empty() == !expected.contains("broken"));
  }
  for (CardFile const& file : card_files()) {
    CAPTURE(file.name);
    CHECK(read.contains(read_card(std::string(file.name), file.text).name));
  }
}
