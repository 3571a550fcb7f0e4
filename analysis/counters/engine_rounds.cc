#include "analysis/counters/engine_rounds.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/recordings/json_records.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

class RoundReader {
 public:
  void take(std::string const& place, Json const& record) {
    place_ = place;
    if (!is_engine_round(record))
      refuse(fmt::format("it has {}, records before it are rounds", keys_of(record)), "a log is of one kind");
    take_round(record);
  }

  EngineLog finish() {
    log_.kind = "rounds";
    finish_rounds();
    return std::move(log_);
  }

 private:
  [[noreturn]] void refuse(std::string const& problem, std::string const& why) const {
    refuse_record(place_, problem, why);
  }

  void set_temperature(Json const& value) {
    double const number = real_of(place_, "temperature", value);
    if (log_.temperature && *log_.temperature != number)
      refuse(fmt::format("temperature is {}, and {} before", number, *log_.temperature),
             "a log is of one distribution");
    log_.temperature = number;
  }
  void take_round(Json const& record) {
    auto const count = [&](std::string_view name) -> std::int64_t {
      Json const* value = member(record, {name});
      if (!value) refuse(fmt::format("{} is missing", name), "expected: a whole number");
      return size_or_count_of(place_, name, *value);
    };
    EngineRound round{.start = count("start"), .gamma = 0, .emitted = count("emitted")};
    if (Json const* text = member(record, {"prompt", "seq", "text", "request_id"})) round.text = text_or_json(*text);
    round.gamma = member(record, {"gamma"}) ? count("gamma") : count("drafted");
    if (Json const* end = member(record, {"eog", "ends"})) {
      if (!end->is_boolean()) refuse("eog is " + shown(*end), "expected: true or false");
      round.ends = end->get<bool>();
      log_.tells_ends = true;
    }
    if (Json const& tokens = *member(record, {"emitted"}); tokens.is_array())
      for (Json const& token : tokens) round.tokens.push_back(count_of(place_, "an emitted token", token));
    check(record, round, count);
    if (Json const* value = member(record, {"temperature"})) set_temperature(*value);
    auto const add = [&](std::optional<double>& sum, std::int64_t value) {
      sum = sum.value_or(0) + static_cast<double>(value);
    };
    add(log_.emitted, round.emitted);
    if (member(record, {"drafted"})) add(log_.drafted, *(round.drafted = count("drafted")));
    if (member(record, {"accepted"})) add(log_.accepted, count("accepted"));
    rounds_with_drafted_ += member(record, {"drafted"}) != nullptr;
    rounds_with_accepted_ += member(record, {"accepted"}) != nullptr;
    log_.rounds.push_back(std::move(round));
  }

  /// A sum over some of the rounds would say nothing; the tokens that were drafted are at most Σγ then.
  void finish_rounds() {
    std::size_t const rounds = log_.rounds.size();
    if (rounds_with_drafted_ < rounds) log_.drafted.reset();
    if (rounds_with_accepted_ < rounds) log_.accepted.reset();
    auto const same = [&](EngineRound const& round) { return round.gamma == log_.rounds.front().gamma; };
    if (std::ranges::all_of(log_.rounds, same)) log_.gamma = log_.rounds.front().gamma;
  }

  void check(Json const& record, EngineRound const& round, auto const& count) {
    if (round.emitted < 1 || round.emitted > round.gamma + 1) {
      refuse(fmt::format("a round of gamma {} emitted {} tokens", round.gamma, round.emitted),
             "expected: 1 to gamma + 1");
    }
    std::int64_t const drafted = member(record, {"drafted"}) ? count("drafted") : round.gamma;
    if (drafted > round.gamma)
      refuse(fmt::format("{} tokens are drafted where gamma is {}", drafted, round.gamma), "expected: at most gamma");
    if (round.emitted > drafted + 1)
      refuse(fmt::format("a round of {} drafted tokens emitted {}", drafted, round.emitted),
             "expected: 1 to drafted + 1");
    if (member(record, {"accepted"})) {
      std::int64_t const accepted = count("accepted");
      if (accepted > drafted || round.emitted > accepted + 1 || (!round.ends && round.emitted != accepted + 1)) {
        refuse(fmt::format("of {} drafted tokens {} are accepted and {} emitted", drafted, accepted, round.emitted),
               "expected: one more than accepted, or fewer where the text ends");
      }
    }
    auto const [next, is_new] = next_.emplace(round.text, round.start);
    if (next->second != round.start) {
      refuse(fmt::format("the round starts at token {} of its text, the one before ended at {}", round.start,
                         next->second),
             "rounds of a text follow each other");
    }
    next->second = round.start + round.emitted;
  }

  std::string place_;
  EngineLog log_;
  std::size_t rounds_with_drafted_ = 0, rounds_with_accepted_ = 0;
  std::map<std::string, std::int64_t> next_;  ///< of each text: the token after its last round
};

}  // namespace

EngineLog read_engine_rounds(std::string const& file, std::string_view text) {
  RoundReader reader;
  JsonRecords records(file, text);
  while (records.next()) reader.take(records.place(), records.value());
  return reader.finish();
}

bool is_engine_round(Json const& record) { return member(record, {"emitted"}) && member(record, {"start"}); }

}  // namespace draftgauge
