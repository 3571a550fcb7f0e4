#pragma once
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/output/renderer.h"
#include "tests/apps/answers.h"
#include "tests/temporary_folder.h"

/// `draftgauge figure` as its tests run it.
namespace draftgauge {

/// The program's answer with the folder's path cut out.
inline std::string without(TemporaryFolder const& folder, std::string text) {
  std::string const path = folder.at("");
  for (std::size_t i; (i = text.find(path)) != text.npos;) text.erase(i, path.size());
  return text;
}

inline std::string figure_refusal(std::vector<std::string> const& words, int status) {
  return refusal(run_command("figure", words), status);
}

inline bool renderer_is_here() {
  static bool const here = [] {
    Json const spec = {{"data", {{"values", {{{"a", 1}}}}}}, {"mark", "point"}};
    std::vector<Drawing> const one{{spec, "svg"}};
    return draw(one).has_value();
  }();
  return here;
}

}  // namespace draftgauge
