#include "apps/sweep/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/cli/command.h"
#include "apps/cli/commands.h"
#include "analysis/cards/toml.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/limits.h"
#include "sim/base/lists.h"
#include "sim/base/mapped_file.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

/// What a file holds, TOML or JSON. (Objects of the documents that are written look through all keys for one.)
using Written = nlohmann::json;

std::vector<Option> options_named(std::vector<std::string_view> const& names) {
  std::vector<Option> found;
  for (OptionGroup const& group : {source_options(), rule_options(), sampling_options(), cost_options()})
    for (Option const& option : group.options)
      if (contains(names, option.name)) found.push_back(option);
  return found;
}

/// The text that a command line would have for a value; empty for a switch that is off.
std::string text_of(std::string const& key, Written const& value, Option const& option) {
  if (option.kind == Kind::flag) {
    if (!value.is_boolean()) throw Error(fmt::format("'{}' is {}, expected true or false", key, value.dump()));
    return value.get<bool>() ? "true" : "";
  }
  if (value.is_string()) {
    auto text = value.get<std::string>();
    if (text.empty()) throw Error(fmt::format("'{}' is empty (it stands for nothing)", key));
    return text;
  }
  if (value.is_number_integer()) return value.dump();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  throw Error(fmt::format("'{}' is {}, expected a text or a number", key, value.dump().substr(0, 40)));
}

/// Adds what a key lists; "1..8" of counts is a list as well. Refuses more than all tasks may be before they are texts.
void add_values(std::vector<std::string>& values, std::string const& key, Written const& value, Option const& option) {
  auto const room_for = [&](std::size_t more) {
    if (values.size() + more > most_tasks)
      throw Error(fmt::format("'{}' has more than {} entries (each one is a task of its own)", key, most_tasks),
                  "shorten the list");
  };
  if (value.is_array()) {
    if (value.empty()) throw Error(fmt::format("'{}' is an empty list (no task would be left)", key));
    room_for(value.size());
    for (Written const& each : value) add_values(values, key, each.is_array() ? Written(each.dump()) : each, option);
    return;
  }
  std::string text = text_of(key, value, option);
  if (option.kind != Kind::counts && option.kind != Kind::count) {
    room_for(1);
    values.push_back(std::move(text));
    return;
  }
  auto const counts = [&] {
    try {
      return parse_counts(text);
    } catch (Error const& error) {
      throw Error(fmt::format("'{}'", key), error);
    }
  }();
  room_for(counts.size());
  for (std::int64_t const count : counts) values.push_back(std::to_string(count));
}

std::vector<std::string> values_of(std::string const& key, Written const& value, Option const& option) {
  std::vector<std::string> values;
  add_values(values, key, value, option);
  return values;
}

/// What a key is that there is not, with a hint at what may have been meant: an option of the command line, a grid.
Error no_key(std::string const& key, std::vector<std::string> const& known) {
  std::vector<std::string_view> names(known.begin(), known.end());
  Error const unknown = unknown_name("key", key, names);
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  for (OptionGroup const& group : all_groups(sweep_command()))
    for (Option const& each : group.options)
      if (each.name == option)
        return Error(unknown.problem(), fmt::format("it is for all tasks: draftgauge sweep FILE {}", usage(each)));
  if (contains(known, option.substr(2)))
    return Error(unknown.problem(), fmt::format("write it {}", option.substr(2)));
  std::string_view const grid[] = {"grid"};
  if (unknown.hint().empty() && !nearest_names(key, grid).empty())
    return Error(unknown.problem(), "write [[grid]] above the keys of each grid");
  return unknown;
}

/// The keys that a file may have, made once for all of its grids.
struct KnownKeys {
  std::vector<Option> axes = sweep_axes(), constants = sweep_constants();
  std::vector<std::string> names;

  KnownKeys() {
    for (auto const* options : {&axes, &constants})
      for (Option const& option : *options) names.push_back(key_of(option.name));
  }
  void check(Written const& table) const {
    for (auto const& [key, value] : table.items())
      if (!contains(names, key)) throw no_key(key, names);
  }
};

/// The tasks of all grids, and how many bytes their values take.
class Tasks {
 public:
  /// Adds the tasks of one grid: its keys, and those above it that it does not have.
  void add(KnownKeys const& known, Written const& above, Written const& own) {
    auto const value = [&](std::string const& key) -> Written const* {
      for (Written const* table : {&own, &above})
        if (auto const found = table->find(key); found != table->end()) return &*found;
      return nullptr;
    };
    Given first;
    for (Option const& option : known.constants) {
      std::string const key = key_of(option.name);
      Written const* const found = value(key);
      if (!found) continue;
      bool const law = option.kind == Kind::numbers;  // whose one value may be written as a list
      if (found->is_array() && !law)
        throw Error(fmt::format("'{}' is a list (all tasks of a grid have one)", key), "write a [[grid]] for each");
      std::string text = found->is_array() ? fmt::format("{}", fmt::join(values_of(key, *found, option), ","))
                                           : text_of(key, *found, option);
      if (!text.empty()) first[option.name] = {std::move(text)};
    }
    std::size_t size = 0, tasks = 1;
    for (auto const& [option, texts] : first) size += texts.front().size();
    count(tasks, size);
    // All lists are read, and what they multiply to is counted, before the first task is made.
    std::vector<std::pair<std::string, std::vector<std::string>>> axes;
    for (Option const& option : known.axes) {
      std::string const key = key_of(option.name);
      Written const* const found = value(key);
      if (!found) continue;
      auto const& values = axes.emplace_back(option.name, values_of(key, *found, option)).second;
      size += std::ranges::max(values, {}, &std::string::size).size();
      count(tasks *= values.size(), size);
    }
    std::vector<Given> grid{std::move(first)};
    for (auto const& [option, values] : axes) {
      std::vector<Given> product;
      for (Given const& task : grid) {
        for (std::string const& text : values) {
          product.push_back(task);
          if (!text.empty()) product.back()[option] = {text};
        }
      }
      grid = std::move(product);
    }
    bytes_ += grid.size() * size;
    all_.insert(all_.end(), std::make_move_iterator(grid.begin()), std::make_move_iterator(grid.end()));
  }

  std::vector<Given> take() { return std::move(all_); }

 private:
  /// Refuses so many tasks more, of so many bytes each, before they are made.
  void count(std::size_t tasks, std::size_t size) const {
    if (all_.size() + tasks > most_tasks)
      throw Error(fmt::format("there are more than {} tasks (nobody reads such a table)", most_tasks),
                  "write several files");
    if (bytes_ + tasks * size > most_task_bytes)
      throw Error(fmt::format("the values of all tasks take more than {} MiB (each task holds its own)",
                              most_task_bytes >> 20),
                  "write several files, or give distributions as a file");
  }

  std::vector<Given> all_;
  std::size_t bytes_ = 0;
};

SweepFile tasks_in(Written table) {
  if (!table.is_object()) throw Error("it is no table of keys");
  Written grids = Written::array({Written::object()});
  if (table.contains("grid")) {
    grids = std::move(table["grid"]);
    table.erase("grid");
    if (!grids.is_array() || grids.empty() ||
        !std::ranges::all_of(grids, [](auto const& g) { return g.is_object(); }))
      throw Error("'grid' is no list of tables (each is a grid of tasks)", "write [[grid]] above each");
  }
  KnownKeys const known;
  known.check(table);
  Tasks tasks;
  for (Written const& grid : grids) {
    known.check(grid);
    tasks.add(known, table, grid);
  }
  SweepFile file{.tasks = tasks.take(), .axes = {}};
  for (Option const& option : known.axes) {
    auto const differs = [&](Given const& task) {
      return value_in(task, option.name) != value_in(file.tasks.front(), option.name);
    };
    if (std::ranges::any_of(file.tasks, differs)) file.axes.push_back(option.name);
  }
  return file;
}

Written parsed(std::string_view text) {
  std::size_t const begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) throw Error("it is empty");
  return text[begin] == '{' ? parse_json(text) : json_of_toml(text);
}

}  // namespace

std::string key_of(std::string const& option) { return option == "SOURCE" ? "source" : option.substr(2); }

std::vector<Option> sweep_axes() {
  return options_named({"SOURCE", "--start", "--contexts", "--temperature", "--rule", "--drafter", "--policy",
                        "--gamma", "--candidates", "--tree", "--continue"});
}

std::vector<Option> sweep_constants() {
  return options_named(
      {"--p", "--q", "--normalise", "--rounds", "--rounds-per-trial", "--cost", "--ops-cost", "--no-bonus"});
}

std::string value_in(Given const& task, std::string const& option) {
  auto const found = task.find(option);
  return found == task.end() ? std::string() : found->second.front();
}

SweepFile read_sweep(std::string const& path) {
  MappedFile const file(path);
  try {
    if (file.bytes().size() > longest_sweep)
      throw Error(fmt::format("it is larger than {} MiB (a list of tasks is not)", longest_sweep >> 20));
    return tasks_in(parsed(file.text()));
  } catch (InputError const&) {
    throw;
  } catch (Error const& error) {
    throw InputError(path, error);
  }
}

}  // namespace draftgauge
