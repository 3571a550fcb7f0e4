#include "apps/inspect_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "apps/invocation.h"
#include "apps/source_options.h"
#include "sim/error.h"
#include "sim/recordings/row_file.h"
#include "sim/sources/keys.h"

namespace draftgauge {
namespace {

// The file of tensors that the text names, as a path or as safetensors:file=….
std::optional<std::string> tensor_file(std::string const& text) {
  constexpr std::string_view prefix = "safetensors:";
  if (text.starts_with(prefix)) {
    SourceCard const& card = *std::ranges::find(source_cards(), "safetensors", &SourceCard::name);
    return Keys(card, std::string_view(text).substr(prefix.size())).text("file");
  }
  if (text.ends_with(".safetensors") && !text.starts_with("json:")) return text;
  return {};
}

struct Scan {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  std::int64_t nan = 0, plus_infinity = 0, minus_infinity = 0;

  void add(double x) {
    nan += std::isnan(x);
    plus_infinity += x == HUGE_VAL;
    minus_infinity += x == -HUGE_VAL;
    if (!std::isfinite(x)) return;
    least = std::min(least, x);
    most = std::max(most, x);
  }
};

// Looks at every number of a tensor, piece by piece: a recording may be larger than the memory.
Scan scan(std::string const& file, Tensor const& tensor) {
  Scan result;
  if (!tensor.is_float() && !tensor.is_integer()) return result;
  for_each_piece(file, tensor, [&](std::span<double const> numbers) {
    for (double const x : numbers) result.add(x);
  });
  return result;
}

Table tensor_table(std::string const& file, TensorList const& list) {
  Table table{{"name", "tensor", Align::left},
              {"dtype", "dtype", Align::left},
              {"shape", "shape", Align::left},
              {"bytes", "bytes"},
              {"least", "least"},
              {"most", "most"},
              {"nan", "NaN"},
              {"plus_infinity", "+∞"},
              {"minus_infinity", "−∞"}};
  for (Tensor const& tensor : list.tensors) {
    Scan const found = scan(file, tensor);
    int const decimals = tensor.is_float() ? 4 : 0;
    table.add({tensor.name, tensor.dtype, tensor.shape_text(), static_cast<std::int64_t>(tensor.at.size),
               Number{found.least, decimals}, Number{found.most, decimals}, found.nan, found.plus_infinity,
               found.minus_infinity});
  }
  return table;
}

// Rows whose two laws are those of an earlier row.
std::int64_t duplicate_rows(Laws const& laws) {
  auto const before = [&](std::uint32_t a, std::uint32_t b) {
    if (laws.total(a) != laws.total(b)) return laws.total(a) < laws.total(b);
    if (!std::ranges::equal(laws.p(a), laws.p(b))) return std::ranges::lexicographical_compare(laws.p(a), laws.p(b));
    return std::ranges::lexicographical_compare(laws.q(a), laws.q(b));
  };
  std::set<std::uint32_t, decltype(before)> seen(before);
  std::int64_t duplicates = 0;
  for (std::uint32_t row = 0; row < laws.rows(); ++row) duplicates += !seen.insert(row).second;
  return duplicates;
}

Json laws_of(Source const& source) {
  Laws const& laws = source.laws;
  double sum = 0, least = 1, most = 0;
  std::int64_t zeros_p = 0, zeros_q = 0;
  for (std::uint32_t row = 0; row < laws.rows(); ++row) {
    double const beta = laws.beta(row);
    sum += beta;
    least = std::min(least, beta);
    most = std::max(most, beta);
    zeros_p += std::ranges::count(laws.p(row), 0u);
    zeros_q += std::ranges::count(laws.q(row), 0u);
  }
  return {{"source", source.description},
          {"contexts", contexts_text(laws.contexts())},
          {"rows", laws.rows()},
          {"vocab", laws.vocab()},
          {"beta", {{"mean", sum / laws.rows()}, {"least", least}, {"most", most}}},
          {"duplicate_rows", duplicate_rows(laws)},
          {"zero_probabilities", {{"p", zeros_p}, {"q", zeros_q}}},
          {"rounding", rounding_of(source.rounding)}};
}

Json recording_of(Recording const& recording) {
  return {{"tokens", recording.tokens.size()},
          {"sequences", recording.sequences},
          {"temperature_of_text", recording.temperature ? Json(*recording.temperature) : Json(nullptr)}};
}

Section laws_section(Json const& laws) {
  Table table{{"what", "laws", Align::left}, {"value", "", Align::left}};
  Json const& beta = laws["beta"];
  Json const& rounding = laws["rounding"];
  auto const integer = [](Json const& value) { return fmt::format("{}", value.get<std::int64_t>()); };
  table.add({"source", laws["source"].get<std::string>()});
  table.add({"contexts", laws["contexts"].get<std::string>()});
  table.add({"rows × vocabulary", integer(laws["rows"]) + " × " + integer(laws["vocab"])});
  table.add({"β = Σ min(p, q)", fmt::format("mean {:.6f}, from {:.6f} to {:.6f}", beta["mean"].get<double>(),
                                            beta["least"].get<double>(), beta["most"].get<double>())});
  table.add({"rows met before", integer(laws["duplicate_rows"])});
  table.add({"zero probabilities", fmt::format("{} in p, {} in q", integer(laws["zero_probabilities"]["p"]),
                                               integer(laws["zero_probabilities"]["q"]))});
  table.add({"as integers",
             rounding["exact"].get<bool>()
                 ? std::string("exact")
                 : fmt::format("TV to what was meant: mean {:.2g}, at most {:.2g}; {} probabilities became 0",
                               rounding["mean_tv"].get<double>(), rounding["max_tv"].get<double>(),
                               integer(rounding["vanished"]))});
  return {.table = std::move(table)};
}

Section recording_section(Recording const& recording) {
  Table table{{"what", "recording", Align::left}, {"value", "", Align::left}};
  table.add({"tokens",
             recording.tokens.empty() ? "not recorded" : fmt::format("{}, all in range", recording.tokens.size())});
  table.add(
      {"sequences", fmt::format("{}, of {} rows", recording.sequences.size(), fmt::join(recording.sequences, ", "))});
  table.add(
      {"temperature of the text", recording.temperature ? fmt::format("{}", *recording.temperature) : "unknown"});
  return {.table = std::move(table)};
}

Section metadata_section(std::map<std::string, std::string> const& metadata) {
  Table table{{"key", "metadata", Align::left}, {"value", "", Align::left}};
  for (auto const& [key, value] : metadata) table.add({key, value});
  return {.table = std::move(table)};
}

Result run(Invocation const& args) {
  Result result;
  std::optional<std::string> file;
  if (args.has("SOURCE")) file = tensor_file(args.text("SOURCE"));
  if (file) {
    RowFile const tensors(*file, RowFileKind::safetensors);
    Table table = tensor_table(*file, tensors.list());
    result.document["tensors"] = to_json(table);
    for (std::size_t i = 0; i < tensors.list().tensors.size(); ++i)
      result.document["tensors"][i]["shape"] = tensors.list().tensors[i].shape;
    result.document["metadata"] = tensors.list().metadata;
    result.sections.push_back({.table = std::move(table)});
    if (!tensors.list().metadata.empty()) result.sections.push_back(metadata_section(tensors.list().metadata));
  }
  Json faults = Json::array();
  try {
    Source const source = source_from(args);
    result.inputs = inputs_of(source);
    Json laws = laws_of(source);
    result.sections.push_back(laws_section(laws));
    result.document["laws"] = std::move(laws);
    if (source.recording) {
      result.sections.push_back(recording_section(*source.recording));
      result.document["recording"] = recording_of(*source.recording);
    }
  } catch (InputError const& e) {
    if (!file) throw;  // nothing was found that could be shown
    faults.push_back(e.what());
    result.inputs = {input_from(*file)};
    result.status = Status::input;
  }
  result.document["sound"] = faults.empty();
  result.document["faults"] = faults;
  result.title = faults.empty() ? "Sound: these laws can be used" : "Not sound: " + faults[0].get<std::string>();
  return result;
}

}  // namespace

Command inspect_command() {
  return {.name = "inspect",
          .summary = "what a file holds, and whether it is sound",
          .description = {"Reads a source of laws whole and says what is in it: of a recording each tensor with its "
                          "extremes and its numbers that are none, and the metadata; of the laws their number and "
                          "size, β, repeated rows, zeros, and what keeping them as integers costs.",
                          "What cannot be used ends with exit status 3 and says why; a recording's tensors are shown "
                          "even then."},
          .groups = {source_options()},
          .examples = {{"draftgauge inspect data/smollm2_prune2_24.safetensors", "a recording of two real models"},
                       {"draftgauge inspect markov:vocab=8 --format json", "the laws that a source draws"},
                       {"draftgauge inspect --p 1/3,2/3 --q .5,.5", "laws by hand"}},
          .run = run};
}

}  // namespace draftgauge
