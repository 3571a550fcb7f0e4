#pragma once
#include <catch2/catch.hpp>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/apps/answers.h"
#include "tests/apps/shipped_files.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"

/// `draftgauge measure` as the tests of its several kinds of input run it, and what they give it.
namespace draftgauge {

inline Run measure(std::vector<std::string> const& words) { return run_command("measure", words); }

inline nlohmann::json measured(std::vector<std::string> words, int status = 0) {
  return document("measure", std::move(words), status);
}

inline std::string measure_refusal(std::vector<std::string> const& words, int status) {
  return refusal(measure(words), status);
}

inline double value(nlohmann::json const& estimate) { return estimate["value"].get<double>(); }

/// The figures of the full rows that another program computed, as columns with names that draftgauge knows.
inline std::string columns_of_rows() {
  std::ifstream figures(data_folder + "smollm2_prune2_24.tsv");
  std::string line, text = "# temperature: 1\n";
  std::getline(figures, line);
  text += "pos\ttoken\tlogp\tlogq\tbeta\n";
  while (std::getline(figures, line)) text += line + "\n";
  return text;
}

/// Rows of logits over two tokens, each (z, 0), of target and draft, with their tokens; `each` rows a text.
inline std::string small_rows(std::vector<float> const& target, std::vector<float> const& draft,
                              std::vector<std::int64_t> const& tokens, std::int32_t each,
                              std::string const& temperature = "1") {
  std::size_t const rows = target.size();
  std::string bytes;
  auto const append = [&](auto const number) { bytes.append(reinterpret_cast<char const*>(&number), sizeof number); };
  for (auto const* side : {&target, &draft})
    for (float const z : *side) append(z), append(0.f);
  for (std::int64_t const token : tokens) append(token);
  for (std::int32_t row = 0; row < static_cast<std::int32_t>(rows); ++row) append(row / each);
  auto const tensor = [&](char const* name, char const* dtype, std::string const& shape, std::size_t begin,
                          std::size_t size) {
    return "\"" + std::string(name) + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(begin + size) + "]}";
  };
  std::string const n = std::to_string(rows);
  return tensor_bytes(R"({"__metadata__":{"temperature":")" + temperature + R"("},)" +
                          tensor("target_logits", "F32", n + ",2", 0, 8 * rows) + "," +
                          tensor("draft_logits", "F32", n + ",2", 8 * rows, 8 * rows) + "," +
                          tensor("tokens", "I64", n, 16 * rows, 8 * rows) + "," +
                          tensor("sequence", "I32", n, 24 * rows, 4 * rows) + "}",
                      bytes);
}

/// The texts of a columns file whose number is below `end`, or those from it on.
inline std::string some_texts(std::string const& file, int end, bool below) {
  std::ifstream lines(file);
  std::string line, text;
  while (std::getline(lines, line))
    if (!std::isdigit(line[0]) || (std::stoi(line) < end) == below) text += line + "\n";
  return text;
}

}  // namespace draftgauge
