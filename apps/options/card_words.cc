#include "apps/options/card_words.h"

#include <fmt/format.h>

#include "apps/cli/written_values.h"
#include "apps/options/named_costs.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"
#include "sim/base/names.h"

namespace draftgauge {

NamesAndFiles names_and_files(std::vector<std::string> const& words, std::string_view kind,
                              std::vector<std::string_view> const& known) {
  NamesAndFiles found;
  for (std::string const& word : words) {
    if (auto const name = std::ranges::find(known, word); name != known.end()) {
      found.names.push_back(*name);
    } else if (word.find_first_of("./") != std::string::npos || is_there(word)) {
      found.files.push_back(word);
    } else {
      throw UsageError(unknown_name(std::string(kind), word, known));
    }
  }
  return found;
}

void require_use(Invocation const& args, std::string_view kind, std::vector<OptionUse> const& uses,
                 std::vector<std::string_view> const& named) {
  for (OptionUse const& use : uses) {
    if (std::ranges::find_first_of(use.names, named) != use.names.end()) continue;
    for (std::string const& option : use.options)
      if (args.has(option))
        throw UsageError(fmt::format("{} has no meaning for the {}s named (it is for {})", option, kind,
                                     fmt::join(use.names, ", ")),
                         "leave it out");
  }
}

std::vector<double> costs_given(Invocation const& args) {
  if (!args.has("--cost")) return {};
  std::string const& cost = args.text("--cost");
  if (!named_costs(cost).empty()) return {};
  if (value_shape(cost) != ValueShape::numbers) {
    require_file("--cost", cost, "a list of numbers", "c is a time in steps of the target", ".05");
    return {};
  }
  try {
    return numbers_of(args, "--cost");
  } catch (Error const& problem) {
    throw UsageError("--cost", problem);
  }
}

OptionGroup options_of_recordings() {
  OptionGroup group = without(recording_options(), {"FILE"});
  group.heading = "How a recording is read";
  return group;
}

}  // namespace draftgauge
