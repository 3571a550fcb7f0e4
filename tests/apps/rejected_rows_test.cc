#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/apps/exchanged_columns.h"
#include "tests/apps/run.h"
#include "tests/sim/recordings/row_files.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// The shipped recording of full rows: its header, and the data behind it, which begin with 24 tokens.
struct Shipped {
  std::string header, data;

  Shipped() {
    std::ifstream file(DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors", std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(file), {}};
    std::uint64_t length = 0;
    REQUIRE(bytes.size() > sizeof length);
    std::memcpy(&length, bytes.data(), sizeof length);
    header = bytes.substr(sizeof length, length);
    data = bytes.substr(sizeof length + length);
    REQUIRE(header.find(R"("tokens":{"dtype":"I64","shape":[24],"data_offsets":[0,192]})") != header.npos);
  }

  /// Each model's rows under the other's name.
  std::string exchanged() const {
    std::string text = header;
    std::size_t const target = text.find("\"target_logits\""), draft = text.find("\"draft_logits\"");
    REQUIRE((target != text.npos && draft < target));
    text.replace(target, 15, "\"draft_logits\"");
    text.replace(draft, 14, "\"target_logits\"");
    return tensor_bytes(text, data);
  }
  /// Row i has the token of row i + `by`, around the end.
  std::string shifted(int by) const {
    constexpr std::size_t size = 192, word = 8;
    std::size_t const first = by > 0 ? word : size - word;
    return tensor_bytes(header, data.substr(first, size - first) + data.substr(0, first) + data.substr(size));
  }
};

/// What commands say of such a file: that its text is rejected comes first, then why, then no number to go by.
void check_commands(std::string const& bytes, std::string const& cause) {
  TemporaryFile const file(".safetensors", bytes), page(".html", "");
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  std::string const rejected =
      "rejected, no figure below is to be used. This is not a text that the target would write at these "
      "distributions";
  for (char const* command : {"gamma ", "measure "}) {
    INFO(command);
    Run const got = run_line(command + file.path());
    INFO(got.out << got.err);
    CHECK(got.status == 1);
    std::string const said = unwrapped(got.out);
    CHECK(said.starts_with(name + ": " + rejected));
    CHECK(said.find(cause) < said.find("quantity"));
    CHECK(said.find(cause) != said.npos);
  }
  Run const report = run_line("report " + file.path() + " -o " + page.path());
  CHECK(report.status == 1);
  std::ifstream written(page.path());
  std::string const html = unwrapped({std::istreambuf_iterator<char>(written), {}});
  std::size_t const lead = html.find("Its text is not one that the target would write"), why = html.find(cause);
  CHECK(lead < why);
  CHECK(why < html.find("id=\"summary\""));
  // Its arrays are sound, which is what this command is asked; whose text it is stands in its first line.
  Run const inspect = run_line("inspect " + file.path());
  CHECK(inspect.status == 0);
  CHECK(inspect.out.starts_with("The numbers are sound, but "));
  CHECK(unwrapped(inspect.out).find(cause) != std::string::npos);
}

TEST_CASE("full rows of exchanged models are rejected first of all, and the exchange is named") {
  check_commands(Shipped().exchanged(), "With the two models exchanged nothing speaks against it: are the rows of p");
}

TEST_CASE("full rows whose tokens are one off are rejected first of all, and the shift is named") {
  check_commands(
      Shipped().shifted(1),
      "With the tokens moved one row down nothing speaks against it: row i must be the distribution of token "
      "i, and here it is that of token i - 1.");
  check_commands(
      Shipped().shifted(-1),
      "With the tokens moved one row up nothing speaks against it: row i must be the distribution of token "
      "i, and here it is that of token i + 1.");
}

/// A .kld of 300 rows over four tokens, each of which all but expects `expected`; the text is token 1 throughout.
std::string sure_kld(int expected) {
  std::string out = "_logits_" + raw<std::int32_t>({602, 4, 1});
  for (int t = 0; t < 602; ++t) out += raw<std::int32_t>({1});
  for (int row = 0; row < 300; ++row) {
    out += raw<float>({1, -7});
    for (int x = 0; x < 4; ++x) out += raw<std::uint16_t>({static_cast<std::uint16_t>(x == expected ? 7 : 0)});
  }
  return out;
}

/// A rejected text that nobody said the target had written leads every answer all the same, and nothing has failed;
/// the status is 1 once somebody says so.
void check_unclaimed(std::string const& files, std::string const& lead) {
  for (char const* command :
       {"measure ", "gamma --cost .1 ", "report --format md ", "inspect ", "figure survival "}) {
    INFO(command);
    bool const inspects = std::string_view(command) == "inspect ", draws = command[0] == 'f';
    Run const got = run_line(command + files), claimed = run_line(command + files + " --recorded-temperature 1");
    INFO(got.out << got.err);
    CHECK(got.status == 0);
    CHECK(claimed.status == (inspects ? 2 : 1));  // inspect asks nobody, and has no such option
    std::string const said = unwrapped(draws ? got.err : got.out);
    if (inspects)
      CHECK(said.find("did not write the text") != said.npos);
    else
      CHECK(said.find(command[0] == 'r' ? "Its text is not one that the target would write" : lead) < 200);
  }
}

TEST_CASE("a rejected text that nobody claims for the target leads the answer, and is no failure") {
  TemporaryFile const target(".kld", sure_kld(0)), draft(".kld", sure_kld(1));
  check_unclaimed(target.path() + " " + draft.path(),
                  "rejected, no draft length and no speed-up follows from it; what is known of each position, as β, "
                  "holds.");
  std::string columns = exchanged_columns(DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv");
  std::string const claim = "# temperature: 1\n";
  columns.erase(columns.find(claim), claim.size());
  TemporaryFile const unclaimed(".tsv", columns);
  check_unclaimed(unclaimed.path(), "rejected, no figure below is to be used.");
}

TEST_CASE("the recording as it is shipped is not rejected") {
  Shipped const shipped;
  TemporaryFile const file(".safetensors", tensor_bytes(shipped.header, shipped.data));
  for (char const* command : {"gamma ", "measure ", "inspect "}) {
    Run const got = run_line(command + file.path());
    INFO(got.out);
    CHECK(got.status == 0);
    CHECK(got.out.find("rejected") == std::string::npos);
    CHECK(got.out.find("did not write") == std::string::npos);
  }
}

}  // namespace
}  // namespace draftgauge
