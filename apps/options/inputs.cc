#include "apps/options/inputs.h"

#include "apps/options/curve_options.h"

namespace draftgauge {

std::vector<Input> inputs_of(Invocation const& args, std::vector<std::string> const& files) {
  std::vector<Input> inputs;
  for (std::string const& path : files) inputs.push_back(input_from(path));
  for (std::string const& path : cost_files(args)) inputs.push_back(input_from(path));
  for (char const* name : {"--load", "--load-draft"})
    if (args.wants(name)) inputs.push_back(input_from(args.text(name)));
  return inputs;
}

void add_inputs(Result& result, Invocation const& args, std::vector<std::string> const& files) {
  if (args.format() != Format::json) return;
  for (Input& each : inputs_of(args, files)) result.inputs.push_back(std::move(each));
}

}  // namespace draftgauge
