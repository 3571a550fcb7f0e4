#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/lists.h"

namespace draftgauge::time_forms {
namespace {

std::optional<TimedPass> bench_pass(MeasuredRow const& row, std::vector<std::string>& notes) {
  std::int64_t const prompt = row.count("n_prompt", 0), generated = row.count("n_gen", 0);
  if (prompt > 0 && generated > 0) {
    add_once(notes, std::string("tests of prompt and generation together say nothing of a pass: passed over"));
    return {};
  }
  if (prompt == 0 && generated == 0) row.refuse("n_prompt", "0 and n_gen 0", "one of them above 0");
  TimedPass pass{.model = row.has("model_filename") ? file_name(row.text("model_filename")) : "model",
                 .seconds = row.time("avg_ns") * 1e-9};
  if (row.has("model_n_params")) pass.parameters = row.real("model_n_params");
  if (generated > 0) {
    pass.passes = static_cast<double>(generated);
    pass.generation = true;
  } else {
    pass.tokens = prompt;
    pass.caveat = last_token_note;
  }
  return pass;
}

}  // namespace

TimeFormat llama_bench() {
  return {.name = "llama-bench", .fields = {"n_prompt", "n_gen", "avg_ns"}, .cost = true, .pass = bench_pass};
}

}  // namespace draftgauge::time_forms
