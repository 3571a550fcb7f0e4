#pragma once
#include <string>
#include <vector>

#include "apps/cli/invocation.h"

namespace draftgauge {

/// The tasks that a file of a sweep describes: its keys are options of `draftgauge simulate` without their dashes,
/// and a list of values stands for a task with each. Lists multiply, in the order of `axes`, the last changing first;
/// of several [[grid]] each has tasks of its own, and takes what it does not say itself from the keys above them.
struct SweepFile {
  std::vector<Given> tasks;       ///< options of simulate
  std::vector<std::string> axes;  ///< names of options that differ among the tasks, SOURCE first
};

/// The keys that a file may have, as options: those that may have a list, and those of one value for all tasks of a
/// grid.
std::vector<Option> sweep_axes();
std::vector<Option> sweep_constants();

/// An option as a key: "rounds-per-trial" of "--rounds-per-trial", "source" of "SOURCE".
std::string key_of(std::string const& option);

/// What a task says of an option of one value; empty where it says nothing.
std::string value_in(Given const& task, std::string const& option);

/// Reads TOML, or JSON where it begins with a brace. Throws InputError that names file and key.
SweepFile read_sweep(std::string const& path);

}  // namespace draftgauge
