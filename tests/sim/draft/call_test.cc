#include "sim/draft/call.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"

// What the text of a rule or a policy calls, and every way to get it wrong.

using namespace draftgauge;

namespace {

constexpr ParameterCard parameters[] = {
    {.name = "share", .meaning = "a share", .standard = {1, 2}, .least = {1, 1000}, .most = {1, 1}},
    {.name = "count", .meaning = "a count", .standard = {5, 1}, .least = {1, 1}, .most = {256, 1}, .whole = true}};
constexpr ParameterCard signed_parameters[] = {
    {.name = "margin", .meaning = "a margin", .standard = {1, 5}, .least = {1, 1, true}, .most = {1, 1}}};
std::vector<Callable> const known = {{"plain", {}}, {"tuned", parameters}, {"faulty/way", {}}};
std::vector<Callable> const with_signs = {{"signed", signed_parameters}};

std::string read(std::string_view text) {
  Call const call = parse_call("rule", text, known);
  return call_text(known[static_cast<std::size_t>(call.index)], call.values);
}

void refuses(std::string_view text, std::string const& message) {
  CAPTURE(text);
  CHECK_THROWS_MATCHES(parse_call("rule", text, known), UsageError, Catch::Message(message));
}

}  // namespace

TEST_CASE("call: one spelling, parameters written out in lowest terms") {
  CHECK(read("plain") == "plain");
  CHECK(read("tuned") == "tuned:share=1/2,count=5");
  CHECK(read("tuned:share=.25") == "tuned:share=1/4,count=5");
  CHECK(read("tuned:count=256,share=2/6") == "tuned:share=1/3,count=256");
  CHECK(read("faulty/way") == "faulty/way");
}

TEST_CASE("call: a parameter may be negative where its card says so") {
  Call const call = parse_call("rule", "signed:margin=-.3", with_signs);
  CHECK(call.values.value[0] == Ratio{3, 10, true});
  CHECK(call_text(with_signs[0], call.values) == "signed:margin=-3/10");
  CHECK(parse_call("rule", "signed:margin=0", with_signs).values.value[0] == Ratio{0, 1});
  CHECK_THROWS_MATCHES(parse_call("rule", "signed:margin=-2", with_signs), UsageError,
                       Catch::Message("signed:margin=-2 is out of range (-1 to 1)"));
  refuses("tuned:share=-.5", "tuned:share=-.5 is out of range (1/1000 to 1)");
}

TEST_CASE("call: what cannot be called") {
  refuses("plane", "there is no rule 'plane' (known: plain, tuned) did you mean 'plain'?");
  refuses("faulty/wey", "there is no rule 'faulty/wey' (known: faulty/way) did you mean 'faulty/way'?");
  refuses("way", "there is no rule 'way' (known: plain, tuned, faulty/way)");
  refuses("plain:share=1", "rule plain takes no parameters: 'plain:share=1'");
  refuses("tuned:", "'' in 'tuned:' is not key=value write tuned:share=…");
  refuses("tuned:share", "'share' in 'tuned:share' is not key=value write tuned:share=…");
  refuses("tuned:shore=1", "there is no parameter of rule tuned 'shore' (known: share, count) did you mean 'share'?");
  refuses("tuned:count=5/2", "tuned:count=5/2 is no whole number");
  refuses("tuned:share=.5,share=.3", "'tuned:share=.5,share=.3' gives share twice give it once");
  refuses("tuned:share=2", "tuned:share=2 is out of range (1/1000 to 1)");
  refuses("tuned:share=1/1001", "tuned:share=1/1001 is out of range (1/1000 to 1)");
  refuses("tuned:share=.1234",
          "tuned:share=.1234 is no ratio of integers up to 1000 (rules count in integers) round it");
  refuses(
      "tuned:share=half",
      "tuned:share: 'half' is not a number (decimals and ratios are read exactly) write it like 0.25, 1e-3 or 1/3");
}
