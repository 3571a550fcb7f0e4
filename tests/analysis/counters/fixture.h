#pragma once
#include <string>
#include <utility>
#include <vector>

#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/read_counters.h"
#include "tests/content.h"
#include "tests/message.h"

namespace draftgauge::testing {

/// The content of a file of tests/data/counters.
inline std::string counters_text(std::string const& name) {
  return content(DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/" + name);
}
inline EngineCounters counters_in(std::string const& text) { return read_counters("x", text); }
/// Counters of these sums, in some format.
inline EngineCounters counted(CounterSums sums) {
  EngineCounters counters{.engine = "vllm", .format = "vLLM metrics", .file = "x"};
  complete(sums);
  counters.sums = std::move(sums);
  return counters;
}
/// The same of requests, by the sums of each.
inline EngineCounters counted_requests(std::vector<CounterSums> all) {
  EngineCounters counters = counted({});
  for (CounterSums& one : all) {
    complete(one);
    counters.requests.push_back({"", std::move(one)});
  }
  counters.sums = total(counters.requests);
  complete(counters.sums);
  return counters;
}
/// What require_identities says of them.
inline std::string contradiction_in(std::string const& text) {
  return message<InputError>([&] { require_identities(counters_in(text)); });
}
inline std::string counters_error(std::string const& text) {
  return message<InputError>([&] { counters_in(text); });
}

}  // namespace draftgauge::testing
