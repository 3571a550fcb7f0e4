#include "sim/base/lists.h"
#include "sim/sources/memory.h"

namespace draftgauge {
namespace {

struct Bias {
  Token token;
  WrittenNumber factor;
};

std::vector<Bias> biases_of(Keys const& keys, std::uint32_t vocab) {
  std::vector<Bias> biases;
  std::string_view rest = keys.text("factors");
  for (bool more = true; more;) {
    std::size_t const comma = rest.find(',');
    std::string_view const entry = rest.substr(0, comma);
    std::size_t const colon = entry.find(':');
    auto const wrong = [&](std::string const& why) {
      return keys.error("'factors' has the entry '" + std::string(entry) + "' (" + why + ")",
                        "write TOKEN:FACTOR, as in factors=\"2:1/2,5:3\"");
    };
    if (colon == entry.npos) throw wrong("it has no factor");
    try {
      std::int64_t const token = parse_count(entry.substr(0, colon));
      if (token >= vocab) throw wrong("p and q have the tokens 0 to " + std::to_string(vocab - 1));
      biases.push_back({static_cast<Token>(token), parse_written(entry.substr(colon + 1))});
    } catch (UsageError const&) {
      throw;
    } catch (Error const& e) {
      throw keys.error(Error("factors", e));
    }
    if (biases.back().factor.value < 0) throw wrong("no factor is below 0");
    for (std::size_t i = 0; i + 1 < biases.size(); ++i)
      if (biases[i].token == biases.back().token) throw wrong("the token stands twice");
    more = comma != rest.npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return biases;
}

Source build_biased(Keys const& keys, SourceOptions const& options) {
  return source_with_memory(keys, options, [&](std::uint32_t vocab) {
    Memory memory{.next = std::vector<std::uint32_t>(vocab, 0), .process = {}};
    memory.process = [biases = biases_of(keys, vocab)](std::uint32_t, TokenWeights& weights) {
      for (Bias const& bias : biases) weights[bias.token] = product(weights[bias.token], bias.factor);
    };
    return memory;
  });
}

}  // namespace

SourceCard biased_source() {
  return {.name = "biased",
          .summary = "a target whose logits have a bias for some tokens",
          .tables = "p ∝ w·factor, w = exp(logit), on the tokens listed; an API's logit_bias b is the factor exp(b)",
          .keys = memory_keys({{.name = "factors",
                                .kind = KeyCard::Kind::text,
                                .meaning = "TOKEN:FACTOR of each, \"2:1/2,5:3\"",
                                .required = true}}),
          .build = build_biased};
}

}  // namespace draftgauge
