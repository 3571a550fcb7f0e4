#include "analysis/scheduling/calibration.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/message.h"
#include "tests/random.h"

namespace draftgauge {
namespace {

double logit(double c) { return std::log(c / (1 - c)); }
double sigma(double z) { return 1 / (1 + std::exp(-z)); }

/// Texts whose confidence is of the right order and too sure: logits T times those of what is accepted.
std::vector<ScheduledText> too_sure(double temperature) {
  testing::Random random(5);
  std::vector<ScheduledText> texts(20);
  for (ScheduledText& text : texts)
    for (int t = 0; t < 200; ++t) {
      double const chance = .05 + .9 * static_cast<double>(random.below(1000)) / 1000;
      text.accepted.push_back(chance);
      text.estimate.push_back(sigma(temperature * logit(chance)));
    }
  return texts;
}

double error_of(std::vector<ScheduledText> const& texts) {
  std::vector<double> estimates, truths;
  for (ScheduledText const& text : texts) {
    estimates.insert(estimates.end(), text.estimate.begin(), text.estimate.end());
    truths.insert(truths.end(), text.accepted.begin(), text.accepted.end());
  }
  return calibration_error(estimates, truths);
}

TEST_CASE("calibration: its error, by hand") {
  CHECK(calibration_error({.9, .9}, {1, 0}) == Approx(.4));
  CHECK(calibration_error({.9, .1}, {1, 0}) == Approx(.1));
  CHECK(calibration_error({1, 0}, {1, 0}) == 0);
  CHECK(calibration_error({}, {}) == 0);
}

TEST_CASE("calibration: estimates of the right order become right") {
  std::vector<ScheduledText> const texts = too_sure(3);
  CHECK(error_of(texts) > .1);
  std::vector<ScheduledText> const mended = calibrated(texts);
  CHECK(error_of(mended) < .01);
  CHECK(mended.front().accepted == texts.front().accepted);
  CHECK(calibrated({texts.front()}).front().estimate.size() == 200);
  CHECK(calibrated({{{}, {}}, texts.front()}).front().estimate.empty());
}

TEST_CASE("calibration: temperatures are found again, from the first place to the last") {
  Temperatures const found = fit_temperatures(too_sure(2.5), 4, "texts");
  REQUIRE(found.by_place.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(found.by_place[k] == Approx(2.5).epsilon(.01));
    CHECK(found.error_after[k] < .01);
    CHECK(found.error_before[k] > 2 * found.error_after[k]);
  }
  CHECK(found.samples == 4000);
  CHECK(fit_temperatures({{{.5, .5}, {.5, .5}}}, 8, "").by_place.size() == 2);  // no round is longer
}

TEST_CASE("calibration: temperatures are written and read back, and change each place by its own") {
  Temperatures const written{
      .by_place = {1.25, 2.0 / 3}, .dataset = "a \"b\"", .samples = 7, .error_before = {.2, .1}, .error_after = {.02, .01}};
  Temperatures const read = read_temperatures("x", temperatures_text(written));
  CHECK(read.by_place == written.by_place);
  CHECK(read.dataset == written.dataset);
  CHECK(read.samples == written.samples);
  CHECK(read.error_before == written.error_before);
  CHECK(read.error_after == written.error_after);
  auto const texts = with_temperatures({{{.5, .5}, {.8, .5}}}, read);
  REQUIRE(texts.front().by_place.size() == 2);
  CHECK(texts.front().by_place[0][0] == Approx(sigma(logit(.8) / 1.25)));
  CHECK(texts.front().by_place[1][0] == Approx(sigma(logit(.8) * 1.5)));
  auto const refused = [](std::string const& text) {
    return testing::message<InputError>([&] { read_temperatures("x", text); });
  };
  CHECK(refused(R"({"temperatures": [1, 0]})") == "x: temperatures has 0 (each is above 0) correct it");
  CHECK(refused(R"({"temperatures": []})").starts_with("x has no list of temperatures"));
  CHECK(refused("[1]").starts_with("x has no list of temperatures"));
  CHECK(refused(R"({"temperatures": [1], "temperatures": [2]})").starts_with("x: "));
  CHECK_FALSE(refused(R"({"temperatures": ["1"]})").empty());
}

}  // namespace
}  // namespace draftgauge
