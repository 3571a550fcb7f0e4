#include "sim/base/names.h"

#include <catch2/catch.hpp>

namespace draftgauge {
namespace {

using Names = std::vector<std::string_view>;

TEST_CASE("near names are the same but for capitals, a few letters, or an ending") {
  Names const known = {"llama.cpp-server", "llama-speculative", "vllm", "sglang"};
  CHECK(nearest_names("vLLM", known) == Names{"vllm"});
  CHECK(nearest_names("llama.cpp", known) == Names{"llama.cpp-server"});
  CHECK(nearest_names("vllm-v1", known) == Names{"vllm"});
  CHECK(nearest_names("ml", known).empty());
  CHECK(nearest_names("tensorrt", known).empty());
  // A beginning comes before two wrong letters, and behind one; two letters begin too much.
  Names const options = {"--time", "--temperature", "--tempo", "--p"};
  CHECK(nearest_names("--temp", options) == Names{"--tempo", "--temperature", "--time"});
  CHECK(nearest_names("--prob", options).empty());
  Error const unknown = unknown_name("engine", "vLLM", known);
  CHECK(unknown.problem() == "there is no engine 'vLLM' (known: llama.cpp-server, llama-speculative, vllm, sglang)");
  CHECK(unknown.hint() == "did you mean 'vllm'?");
  CHECK(unknown_name("engine", "tensorrt", known).hint().empty());
}

}  // namespace
}  // namespace draftgauge
