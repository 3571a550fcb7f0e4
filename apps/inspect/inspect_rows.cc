#include "apps/inspect/inspect_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "analysis/audit/text_check.h"
#include "analysis/audit/text_check_words.h"
#include "analysis/recordings/row_check.h"
#include "analysis/recordings/score_rows.h"
#include "analysis/report/recording.h"
#include "analysis/stats/counted.h"
#include "apps/cli/as_typed.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/recordings/row_pairs.h"

namespace draftgauge {
namespace {

/// What the numbers of a tensor are.
struct NumberScan {
  double least = std::numeric_limits<double>::infinity();  ///< of those that are finite, as is most
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
struct ScannedTensor {
  Tensor const* tensor;
  std::optional<NumberScan> found;  ///< none of numbers that are not read
};

/// What a model's rows are.
struct CheckedModel {
  std::string role, name;
  RowCheck check;
};

Fields<ScannedTensor> tensor_fields() {
  auto const of = [](auto member) { return inner(&ScannedTensor::tensor, member); };
  auto const found = [](auto member) { return inner(&ScannedTensor::found, member); };
  auto const end = [](double NumberScan::* what) {
    return [what](ScannedTensor const& row) -> std::optional<Number> {
      if (!row.found) return std::nullopt;
      return Number{(*row.found).*what, row.tensor->is_float() ? 4 : 0};
    };
  };
  return {{"name", "tensor", of(&Tensor::name)},
          {"dtype", "dtype", of(&Tensor::dtype)},
          {"shape", of(&Tensor::shape)},
          {"shape", "shape", of(&Tensor::shape_text), for_people},
          {"bytes", "bytes", [](ScannedTensor const& row) { return row.tensor->at.size; }},
          {"least", "least", end(&NumberScan::least)},
          {"most", "most", end(&NumberScan::most)},
          {"nan", "NaN", found(&NumberScan::nan)},
          {"plus_infinity", "+∞", found(&NumberScan::plus_infinity)},
          {"minus_infinity", "−∞", found(&NumberScan::minus_infinity)}};
}

Fields<CheckedModel> model_fields() {
  using Row = CheckedModel const&;
  auto const of = [](auto member) { return inner(&CheckedModel::check, member); };
  auto const sums = [](Row row) -> std::optional<std::vector<double>> {
    if (row.check.numbers == RowNumbers::logits) return std::nullopt;
    return std::vector{row.check.least_sum, row.check.most_sum};
  };
  auto const sums_text = [sums](Row row) -> std::optional<std::string> {
    auto const ends = sums(row);
    return ends ? std::optional(fmt::format("{:.6f} to {:.6f}", ends->front(), ends->back())) : std::nullopt;
  };
  auto const size = [](Row row) { return fmt::format("{} × {}", row.check.rows, row.check.vocab); };
  FieldForm const right{.align = Align::right, .table_only = true};
  return {{"role", "model", &CheckedModel::role},
          {"name", &CheckedModel::name},
          {"numbers", "numbers", [](Row row) { return name(row.check.numbers); }},
          {"rows", of(&RowCheck::rows)},
          {"vocab", of(&RowCheck::vocab)},
          {"size", "rows × vocabulary", size, right},
          {"sum_of_exponentials", sums},
          {"sums", "Σ exp", sums_text, right},
          {"unsound_rows", "unsound rows", of(&RowCheck::unsound)},
          {"rows_off_one", of(&RowCheck::off_one)},
          {"zero_probabilities", "zeros", of(&RowCheck::minus_infinity)},
          {"duplicate_rows", "rows met before", of(&RowCheck::duplicates)},
          {"floored_mass", "floored mass", of(&RowCheck::floored), {.decimals = 6}}};
}

// Looks at every number of a tensor, piece by piece: a recording may be larger than the memory.
std::optional<NumberScan> scan(std::string const& file, Tensor const& tensor) {
  if (!tensor.is_float() && !tensor.is_integer()) return std::nullopt;
  NumberScan result;
  for_each_piece(file, tensor, [&](std::span<double const> numbers) {
    for (double const x : numbers) result.add(x);
  });
  return result;
}

void add_arrays(Result& result, std::string const& file, std::vector<Tensor> const& tensors) {
  std::vector<ScannedTensor> found;
  for (Tensor const& tensor : tensors) found.push_back({&tensor, scan(file, tensor)});
  for (Json& one : rows_of(tensor_fields(), found).array()) result.document["tensors"].push_back(std::move(one));
  result.sections.push_back({.table = rows_of(tensor_fields(), found).table()});
}

void add_metadata(Result& result, std::map<std::string, std::string> const& metadata) {
  if (metadata.empty()) return;
  Table table{{"key", "metadata", Align::left}, {"value", "", Align::left}};
  for (auto const& [key, value] : metadata) table.add({key, value});
  result.sections.push_back({.table = std::move(table)});
}

// What its format says of a file that is no list of arrays, under the format's name.
void add_head(Result& result, RowFile const& file) {
  RowFileHead const head = file.head();
  Json document = {{"file", file.path()}};
  for (auto const& [key, value] : head.numbers) document[std::string(key)] = value;
  result.document[std::string(file.card().word())].push_back(std::move(document));
  Table table{{"what", std::string(head.title), Align::left}, {"value", "", Align::left}};
  table.add({"file", file.path()});
  for (auto const& [what, value] : head.lines) table.add({std::string(what), value});
  result.sections.push_back({.table = std::move(table)});
}

// A floor, a cut, or damage: softmax makes a law of any row.
std::string off_one_note(std::string const& called, RowCheck const& check) {
  return fmt::format(
      "{}: {} of {} do not sum to 1 within 1e-3, the first is row {}, which sums to {:.6g}; each is divided by its "
      "sum where it is used.",
      called, check.off_one, counted(check.rows, "row"), check.first_off, check.first_off_sum);
}

// One model's rows, looked at one by one.
void add_model(Result& result, Json& faults, std::vector<CheckedModel>& models, std::vector<std::string>& notes,
               Invocation const& args, std::string const& role, RowBytes& rows, std::string const& called) {
  auto progress = args.progress("inspect " + called, rows.layout().rows, "rows");
  RowCheck const check = check_rows(rows, called, [&](std::uint64_t done) { progress.at(done); });
  models.push_back({role, called, check});
  result.document["models"].push_back(row_of(model_fields(), models.back()).object());
  if (check.off_one > 0) notes.push_back(off_one_note(called, check));
  if (check.off_one > 0 && check.numbers == RowNumbers::log_probabilities)
    result.title = "The numbers are sound, but not all rows are distributions: some do not sum to 1";
  if (check.unsound > 0) faults.push_back(check.first_unsound);
  if (check.numbers == RowNumbers::probabilities) faults.push_back(probabilities_fault(called).what());
  if (check.base) faults.push_back(base_fault(called, *check.base).what());
}

/// An interval that reaches 0 tells nothing of it: the tokens are as likely at most others.
bool tells_temperature(FittedTemperature const& fitted) {
  return !fitted.at_end && fitted.radius() < fitted.temperature;
}

std::string fitted_text(FittedTemperature const& fitted) {
  if (fitted.at_end)
    return fmt::format("none from {:g} to {:g}, by {} tokens", least_temperature, greatest_temperature,
                       fitted.tokens);
  if (!tells_temperature(fitted))
    return fmt::format("not known, many fit {} as well", counted(fitted.tokens, "token"));
  return fmt::format("{:.3f} ± {:.3f} (95 %), by {} tokens", fitted.temperature, fitted.radius(), fitted.tokens);
}

Json fitted_document(FittedTemperature const& fitted) {
  bool const told = tells_temperature(fitted);
  return {{"value", told ? Json(fitted.temperature) : Json()},
          {"error", told ? Json(fitted.error) : Json()},
          {"tokens", fitted.tokens}};
}

void add_recording(Result& result, RowBytes& target, std::vector<std::int64_t> const& tokens,
                   std::vector<std::uint32_t> const& sequences, std::optional<double> const& temperature,
                   bool sound) {
  auto const fitted = sound ? fitted_temperature(target, tokens) : std::nullopt;
  result.document["recording"] = {{"tokens", tokens.size()},
                                  {"sequences", sequences},
                                  {"temperature_of_text", or_null(temperature)},
                                  {"fitted_temperature", fitted ? fitted_document(*fitted) : Json()}};
  Section section{.table = Table{{"what", "recording", Align::left}, {"value", "", Align::left}}};
  section.table.add({"tokens", tokens.empty() ? "not recorded" : fmt::format("{}, all in range", tokens.size())});
  auto const rows = [](std::uint32_t count) { return std::to_string(count); };
  section.table.add(
      {"sequences", fmt::format("{}, of {} rows", sequences.size(), first_joined(sequences, 12, rows))});
  section.table.add({"temperature of the text", temperature ? fmt::format("{:g}", *temperature) : "unknown"});
  if (fitted) section.table.add({"temperature that fits it best", fitted_text(*fitted)});
  if (fitted && temperature && *temperature > 0 && !fitted->fits(*temperature)) {
    result.title = "The numbers are sound, but the text does not fit them";
    section.note(
        fitted->at_end ? fmt::format("The text does not fit these rows at the recorded T = {:g}, nor at any "
                                     "temperature from {:g} to {:g}.",
                                     *temperature, least_temperature, greatest_temperature)
        : fitted->fits(1)
            ? fmt::format("The text fits these rows at T = 1 and not at the recorded {:g}: the temperature seems to "
                          "have been applied to the rows already. Measure at --temperature 1.",
                          *temperature)
            : fmt::format("The text does not fit these rows at the recorded T = {:g}: it was not sampled from them "
                          "as they are.",
                          *temperature));
  }
  result.sections.push_back(std::move(section));
}

/// Whether the target could have written the text, at what the recording says of its sampling, else at T = 1.
void add_writer(Result& result, Invocation const& args, std::span<std::string const> files) {
  auto const open = [files] { return open_row_pairs(files[0], files.size() > 1 ? files[1] : ""); };
  RowsOfText at{.open = open, .target = {}, .draft = {}};
  RowPairs pairs = at.open();
  if (pairs.tokens.empty()) return;
  at.target = {.temperature = pairs.temperature.value_or(1), .top_k = pairs.top_k, .top_p = pairs.top_p};
  at.draft = at.target;
  auto progress = args.progress("score " + pairs.target_name, pairs.target->layout().rows, "rows");
  TextCheck const check = check_text(
      score_rows(pairs, at.target, at.draft, args.threads(), [&](std::uint64_t done) { progress.at(done); }), at);
  result.document["recording"]["target_wrote_it"] = document_of(TextCheckReport{check, as_typed(cause_text(check))});
  result.sections.back().note(as_typed(finding_with_cause(check)));
  if (check.rejected() && result.title.empty()) result.title = not_the_targets;
}

}  // namespace

FieldCards tensor_cards() { return cards_of(tensor_fields()); }
FieldCards model_cards() { return cards_of(model_fields()); }

void inspect_rows(Result& result, Json& faults, Invocation const& args, std::span<std::string const> files) {
  result.document["tensors"] = Json::array();
  std::map<std::string, std::string> metadata;  // of all files, the last that has a key
  bool two = files.size() > 1;
  for (std::string const& path : files) {
    auto const file = open_row_file(path);
    if (TensorList const* const arrays = file->arrays()) {
      add_arrays(result, path, arrays->tensors);
      add_metadata(result, arrays->metadata);
      for (auto const& [key, value] : arrays->metadata) metadata[key] = value;
    } else {
      add_head(result, *file);
    }
    two |= !file->one_model();
  }
  result.document["metadata"] = Json(metadata);  // as a whole: the document looks through all keys for each
  result.document["models"] = Json::array();
  std::vector<CheckedModel> models;
  std::vector<std::string> notes;
  auto const shown = [&] { return Section{.table = rows_of(model_fields(), models).table(), .notes = notes}; };
  try {
    if (two) {
      RowPairs pairs = open_row_pairs(files[0], files.size() > 1 ? files[1] : "");
      add_model(result, faults, models, notes, args, "target", *pairs.target, pairs.target_name);
      add_model(result, faults, models, notes, args, "draft", *pairs.draft, pairs.draft_name);
      result.sections.push_back(shown());
      add_recording(result, *pairs.target, pairs.tokens, pairs.sequences, pairs.temperature, faults.empty());
      if (faults.empty()) add_writer(result, args, files);
    } else {
      ModelRows model = open_model_rows(files[0]);
      add_model(result, faults, models, notes, args, "one model", *model.rows, model.name);
      result.sections.push_back(shown());
      add_recording(result, *model.rows, model.tokens, model.sequences, model.temperature, faults.empty());
    }
  } catch (InputError const& e) {
    faults.push_back(e.what());
  }
}

}  // namespace draftgauge
