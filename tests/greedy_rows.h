#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/random.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge::testing {

/// Full rows of both models over greedy text, 4 texts of 20 tokens from 6.
struct GreedyRows {
  static constexpr std::size_t vocab = 6, texts = 4, length = 20, rows = texts * length;
  std::vector<double> target, draft;
  std::vector<std::int64_t> tokens;

  explicit GreedyRows(std::uint32_t seed) {
    Random random(seed);
    auto const number = [&] { return 4 * (random.uniform() - .5); };
    for (std::size_t i = 0; i < rows * vocab; ++i) {
      target.push_back(static_cast<float>(number()));
      draft.push_back(static_cast<float>(target.back() + .4 * number()));
    }
    for (std::size_t row = 0; row < rows; ++row) tokens.push_back(static_cast<std::int64_t>(by_rank(row, 0)));
  }

  double& at(std::size_t row, std::size_t token) { return target[row * vocab + token]; }
  /// The token that is `rank` below argmax p.
  std::size_t by_rank(std::size_t row, std::size_t rank) const {
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < vocab; ++v) order.push_back(v);
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return target[row * vocab + a] > target[row * vocab + b]; });
    return order[rank];
  }

  /// A .safetensors file of temperature 0.
  std::string bytes() const {
    std::string tokens_bytes, sequence_bytes;
    for (std::size_t row = 0; row < rows; ++row) {
      append(tokens_bytes, tokens[row]);
      append(sequence_bytes, static_cast<std::int32_t>(row / length));
    }
    std::string data, header = R"({"__metadata__":{"temperature":"0"})";
    auto const add = [&](std::string const& name, std::string const& type, std::string const& shape,
                         std::string const& of) {
      header += ",\"" + name + R"(":{"dtype":")" + type + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
                std::to_string(data.size()) + "," + std::to_string(data.size() + of.size()) + "]}";
      data += of;
    };
    std::string const n = std::to_string(rows), all = n + "," + std::to_string(vocab);
    add("tokens", "I64", n, tokens_bytes);
    add("sequence", "I32", n, sequence_bytes);
    add("target_logits", "F32", all, floats(target));
    add("draft_logits", "F32", all, floats(draft));
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    return tensor_bytes(header, data);
  }

 private:
  template <class T>
  static void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<char const*>(&value), sizeof value);
  }
  static std::string floats(std::vector<double> const& numbers) {
    std::string bytes;
    for (double const each : numbers) append(bytes, static_cast<float>(each));
    return bytes;
  }
};

}  // namespace draftgauge::testing
