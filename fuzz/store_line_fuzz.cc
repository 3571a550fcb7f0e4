#include <cstdlib>
#include <string>

#include "analysis/stats/tally_ratio.h"
#include "analysis/store/store_row.h"
#include "sim/base/error.h"

namespace {

using namespace draftgauge;

/// The rows of a text are written to the same text, and give estimates without a fault.
void use(std::string_view text) {
  std::vector<StoreRow> const rows = read_rows("input", text);
  std::string again;
  for (StoreRow const& row : rows) again += line_of(row);
  std::vector<StoreRow> const once_more = read_rows("input", again);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (line_of(once_more[i]) != line_of(rows[i])) std::abort();
  if (rows.empty()) return;
  StoredTask const& of = rows.front().of;
  Task const task = read_task(of.text).task;
  TallyLayout const layout = tally_layout(task, of.contexts.vocab);
  if (layout.size() > 1 << 20) return;  // time is better spent on small ones
  Tally tally(layout);
  add(rows_of(rows, of), tally);
  for (auto const field : {TallyLayout::tokens, TallyLayout::drafts_accepted, TallyLayout::started})
    tally_ratio(trial_shape(task, of.contexts), tally, field, .95);
}

/// The lines, each as the beginning of a row whose checksum is then right: what lies behind the checksum is reached.
std::string sealed_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    std::size_t const end = text.find('\n');
    lines += sealed(std::string(text.substr(0, end)));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

// Any text as a store, and any lines as rows whose checksums are right.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  for (std::string const& each : {text, sealed_lines(text)}) {
    try {
      use(each);
    } catch (Error const&) {
    }
  }
  return 0;
}
