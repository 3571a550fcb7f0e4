#include "analysis/recordings/costs/model_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

std::string list_of(ModelSizes const& models) { return joined(models | std::views::keys); }

[[noreturn]] void open_choice(std::string const& file, ModelSizes const& models, std::string_view which) {
  throw UsageError(fmt::format("{}: which model is the {} is not clear (it has {})", file, which, list_of(models)),
                   fmt::format("name it with `cost-{}`", which));
}

std::string named(std::string const& file, ModelSizes const& models, std::string_view which,
                  std::string const& name) {
  if (!models.contains(name))
    throw UsageError(
        fmt::format("{}: there is no model '{}' for the {} (it has {})", file, name, which, list_of(models)),
        "name one of these");
  return name;
}

}  // namespace

std::string target_model(std::string const& file, ModelSizes const& models, std::string const& name) {
  if (!name.empty()) return named(file, models, "target", name);
  if (models.contains("target")) return "target";
  auto const largest = std::ranges::max_element(models, {}, &ModelSizes::value_type::second);
  for (auto at = models.begin(); at != models.end(); ++at)
    if (at != largest && !(at->second < largest->second)) open_choice(file, models, "target");
  return largest->first;
}

std::string draft_model(std::string const& file, ModelSizes const& models, std::string const& target,
                        std::string const& name) {
  if (!name.empty()) return named(file, models, "draft", name);
  if (models.size() == 1)
    throw UsageError(
        fmt::format("{}: it has no draft (its only model is {}, and c is the draft's time in the target's)", file,
                    target),
        "measure the draft's passes, too, or name a model of it with `cost-draft`");
  if (models.size() != 2) open_choice(file, models, "draft");
  auto const first = models.begin();
  return first->first == target ? std::next(first)->first : first->first;
}

}  // namespace draftgauge
