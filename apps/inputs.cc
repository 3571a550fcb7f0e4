#include "apps/inputs.h"

#include <filesystem>

namespace draftgauge {

std::vector<Input> inputs_of(Invocation const& args, std::vector<std::string> const& files) {
  std::vector<Input> inputs;
  for (std::string const& path : files) inputs.push_back(input_from(path));
  std::error_code error;
  for (char const* name : {"--cost", "--verify-cost"})
    if (args.has(name) && std::filesystem::is_regular_file(args.text(name), error))
      inputs.push_back(input_from(args.text(name)));
  return inputs;
}

}  // namespace draftgauge
