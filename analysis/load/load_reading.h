#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/load/load_table.h"
#include "analysis/recordings/costs/measured_row.h"

namespace draftgauge {

/// Of a file that names none.
inline constexpr char only_model[] = "model";

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
  // Of what a line says; they throw its InputError for what stands twice.
  void add_pass(MeasuredRow const& row, std::string const& model, std::int64_t tokens, std::int64_t batch, double ms);
  void add_round(MeasuredRow const& row, std::int64_t gamma, std::int64_t batch, double ms);
  /// E[N] as the field `name` has it, which is from 1 to γ + 1.
  void add_tokens(MeasuredRow const& row, std::string_view name, std::int64_t gamma, std::int64_t batch);
};

/// A number of sequences from 1 to most_batch, and one of drafts up to most_positions; else InputError.
std::int64_t batch_in(MeasuredRow const& row, std::string_view name);
std::int64_t drafts_in(MeasuredRow const& row, std::string_view name);

}  // namespace draftgauge
