#pragma once
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/load/load_table.h"
#include "analysis/recordings/measured_row.h"

namespace draftgauge {

/// A table while it is read.
struct LoadReading {
  struct Sum {
    double ms = 0, tokens = 0;
    std::int64_t runs = 0, with_tokens = 0;
  };
  LoadTable table;
  std::map<std::pair<std::int64_t, std::int64_t>, Sum> runs =
      {};  ///< [γ, B] of a sweep that measured each several times

  void note(std::string text);
};

/// A kind of file, by the fields that all its lines have.
struct LoadFormat {
  std::string_view name;
  std::vector<std::string_view> fields;
  bool whole_rounds;
  void (*take)(MeasuredRow const&, LoadReading&);
  bool accepted_elsewhere = false;  ///< of whole rounds, what is accepted in them stands in some of such files only
};
std::span<LoadFormat const> load_formats();

}  // namespace draftgauge
