#include "apps/cli/version_command.h"

#include <fmt/format.h>

#include <boost/version.hpp>
#include <Eigen/src/Core/util/Macros.h>  // its version alone: the rest takes seconds to compile
#include <gmp.h>
#include <string>
#include <vector>

#include "apps/cli/invocation.h"
#include "apps/cli/mpi.h"
#include "apps/cli/parse.h"
#include "apps/output/build.h"
#include "gpu/backends.h"
#include "sim/base/lists.h"
#include "sim/base/vector_target.h"

namespace draftgauge {
namespace {

std::vector<std::string> vector_target_list() {
  std::vector<std::string> names;
  for (VectorTarget const target : vector_targets()) names.emplace_back(name_of(target));
  return names;
}

std::string gpu_backend() {
  auto const all = all_backends();
  return contains(all, "cuda", &Backend::name) ? "cuda" : "none";
}

Result run_version(Invocation const&) {
  std::pair<std::string, std::string> const libraries[] = {
      {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"GMP", gmp_version},
      {"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann/json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                    NLOHMANN_JSON_VERSION_PATCH)},
      {"CLI11", parser_version()}};
  Result result{.document = {{"compiler", program_compiler()},
                             {"vector_targets", vector_target_list()},
                             {"vector_target", name_of(vector_target())},
                             {"gpu_backend", gpu_backend()},
                             {"mpi", mpi_version()},
                             {"libraries", Json::object()}},
                .title = fmt::format("draftgauge {}", program_version())};
  Table table{{"part", "part", Align::left}, {"version", "version", Align::left}};
  table.add({"compiler", program_compiler()});
  table.add({"vector instructions", fmt::format("{}, of {} on this machine", name_of(vector_target()),
                                                fmt::join(vector_target_list(), ", "))});
  table.add({"GPU backend", gpu_backend()});
  table.add({"MPI", mpi_version()});
  for (auto const& [name, version] : libraries) {
    table.add({name, version});
    result.document["libraries"][name] = version;
  }
  result.sections.push_back({.table = std::move(table)});
  return result;
}

}  // namespace

std::string program_compiler() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

std::string_view program_version() { return build_version; }

Command const& version_command() {
  static Command const command{.name = "version",
                               .summary = "what this program was built from",
                               .description = {},
                               .groups = {},
                               .examples = {{"draftgauge --version", "version, compiler, libraries"}},
                               .run = run_version};
  return command;
}

}  // namespace draftgauge
