#pragma once
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "analysis/recordings/engine_log.h"
#include "analysis/stats/token_trace.h"

/// Recordings of a real pair of models, as tests/data/reference/pack.py packed them.
namespace draftgauge::testing {

inline std::string reference_path(std::string const& name) {
  return std::string(DRAFTGAUGE_SOURCE_DIR "/tests/data/reference/") + name;
}

/// Reads what pack.py wrote (little-endian, as the machines that the tests run on are).
class Packed {
 public:
  explicit Packed(std::string const& name) {
    std::ifstream file(reference_path(name), std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  template <class T>
  T next() {
    T value;
    REQUIRE(at_ + sizeof value <= bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  /// One array over all tokens, put into a column of each text.
  template <class T, class Column>
  void column(std::vector<TextTrace>& texts, Column TextTrace::* field) {
    for (TextTrace& text : texts)
      for (std::size_t t = 0; t < text.tokens.size(); ++t)
        (text.*field).push_back(static_cast<typename Column::value_type>(next<T>()));
  }
  /// Texts of the lengths at the head. Tokens are not packed: 0.
  std::vector<TextTrace> texts() {
    std::vector<TextTrace> texts(static_cast<std::size_t>(next<std::int32_t>()));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i].name = std::to_string(i);
      texts[i].tokens.resize(static_cast<std::size_t>(next<std::int32_t>()));
    }
    return texts;
  }
  bool exhausted() const { return at_ == bytes_.size(); }

 private:
  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

inline constexpr char const* reference_drafts[] = {"prune2",  "q2k",    "prune8", "prune15",
                                                   "trigram", "bigram", "unigram"};

/// temperature: "1", "0.6", "0"; in the order of reference_drafts.
inline std::vector<TokenTrace> reference_recordings(std::string const& temperature) {
  Packed packed("T" + temperature + ".bin");
  bool const greedy = temperature == "0";
  std::vector<TextTrace> texts = packed.texts();
  if (!greedy) packed.column<float>(texts, &TextTrace::log_p);
  std::vector<TokenTrace> all;
  for (char const* draft : reference_drafts) {
    TokenTrace trace;
    trace.name = draft;
    trace.temperature = std::stod(temperature);
    trace.texts = texts;
    if (!greedy) {
      packed.column<float>(trace.texts, &TextTrace::log_q);
      packed.column<float>(trace.texts, &TextTrace::beta);
    }
    packed.column<std::uint8_t>(trace.texts, &TextTrace::argmax_match);
    if (greedy)  // one-hot laws: p has all on the text's token, q where it hits
      for (TextTrace& text : trace.texts)
        for (std::uint8_t const argmax_match : text.argmax_match) {
          text.log_p.push_back(0);
          text.log_q.push_back(argmax_match ? 0 : -HUGE_VAL);
          text.beta.push_back(argmax_match);
        }
    all.push_back(std::move(trace));
  }
  REQUIRE(packed.exhausted());
  return all;
}
inline TokenTrace reference_recording(std::string const& draft, std::string const& temperature) {
  for (TokenTrace& trace : reference_recordings(temperature))
    if (trace.name == draft) return std::move(trace);
  FAIL("no such draft");
  return {};
}

/// A real speculative run and the columns of what it emitted.
struct RealRun {
  TokenTrace trace;
  EngineLog log;
};
inline RealRun real_run(std::string const& rule) {
  Packed packed("audit_" + rule + ".bin");
  RealRun run;
  run.trace.name = "columns";
  run.trace.temperature = 1;
  run.trace.texts = packed.texts();
  packed.column<float>(run.trace.texts, &TextTrace::log_p);
  packed.column<float>(run.trace.texts, &TextTrace::log_q);
  run.log.kind = "rounds";
  run.log.file = "rounds.jsonl";
  for (TextTrace const& text : run.trace.texts) {
    bool const ended = packed.next<std::uint8_t>() == 1;
    auto const count = packed.next<std::int32_t>();
    std::int64_t start = 0;
    for (std::int32_t i = 0; i < count; ++i) {
      std::int64_t const emitted = packed.next<std::uint8_t>();
      run.log.rounds.push_back({text.name, start, 4, emitted, ended && i + 1 == count});
      start += emitted;
    }
  }
  REQUIRE(packed.exhausted());
  return run;
}

}  // namespace draftgauge::testing
