#pragma once
#include <map>
#include <string>

namespace draftgauge {

/// The models of a file by name, with their numbers of parameters, 0 where the file does not say.
using ModelSizes = std::map<std::string, double>;
ModelSizes sizes_of(auto const& models) {
  ModelSizes sizes;
  for (auto const& [name, model] : models) sizes.emplace(name, model.parameters);
  return sizes;
}

/// The model of that name; of an empty name the one that is called target, else the one with most parameters. Throws
/// UsageError that lists the models where it is not there or the choice is open. Domain: there is a model.
std::string target_model(std::string const& file, ModelSizes const& models, std::string const& name);

/// The model of that name; of an empty name the only one beside the target. Throws the same, and UsageError where the
/// target is the only one and no name is given.
std::string draft_model(std::string const& file, ModelSizes const& models, std::string const& target,
                        std::string const& name);

}  // namespace draftgauge
