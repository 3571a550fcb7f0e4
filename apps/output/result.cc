#include "apps/output/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/texts/text_width.h"
#include "sim/base/json_text.h"
#include "sim/base/printable.h"
#include "sim/base/sha256.h"

namespace draftgauge {
namespace {

constexpr std::size_t page_width = 100;  // of prose, which nobody reads in longer lines

/// In the order of Verdict.
constexpr struct {
  std::string_view word;
  Status status;
} verdict_cards[] = {{"holds", Status::done}, {"fails", Status::failed}, {"inconclusive", Status::inconclusive}};

// As terminals colour what passes and what does not.
std::string_view paint(Column const& column, Cell const& cell) {
  auto const* const text = std::get_if<std::string>(&cell);
  if (column.key != "verdict" || !text) return {};
  if (*text == word(Verdict::holds)) return "32";
  if (*text == word(Verdict::fails)) return "31";
  return *text == word(Verdict::inconclusive) ? "33" : "";
}

// Where the numbers come from, for readers; nothing where nothing was drawn and nothing was read.
std::vector<std::string> provenance(Result const& result, Origin const& origin) {
  std::vector<std::string> lines;
  if (result.backend) {
    lines.push_back(fmt::format("seed {}, backend {}, draftgauge {}", origin.seed, *result.backend, origin.version));
  }
  for (Input const& input : result.inputs) lines.push_back(fmt::format("{} sha256 {}", input.path, input.sha256));
  return lines;
}

// The one order in which every format for readers prints a result; a format says how each part looks.
template <class Style>
std::string compose(Result const& result, Origin const& origin, Style const& style) {
  std::vector<std::string> blocks;
  auto add = [&](std::string block) {
    if (!block.empty()) blocks.push_back(std::move(block));
  };
  // Any line may quote a file's or a tensor's name.
  auto const lines_of = [](std::vector<std::string> lines) {
    for (std::string& line : lines) line = printable(line);
    return lines;
  };
  std::vector<std::string> first;
  for (Alarm const& alarm : result.alarms) first.push_back(alarm.words);
  if (!result.title.empty()) first.push_back(result.title);
  for (std::size_t i = 0; i < first.size(); ++i)
    add(i == 0 ? style.title(printable(first[i])) : style.paragraph(printable(first[i])));
  for (Section const& section : result.sections) {
    if (!section.heading.empty()) add(style.heading(printable(section.heading)));
    for (std::string const& paragraph : section.paragraphs) add(style.paragraph(printable(paragraph)));
    add(style.table(section.table));
    if (!section.code.empty()) add(style.code(lines_of(section.code)));
    if (!section.notes.empty()) add(style.notes(lines_of(section.notes)));
  }
  if (auto const lines = provenance(result, origin); !lines.empty()) add(style.notes(lines_of(lines)));
  return fmt::format("{}", fmt::join(blocks, "\n"));
}

struct TextStyle {
  Look look = {};

  std::string paragraph(std::string const& text) const {
    return fmt::format("{}\n", fmt::join(wrap(text, std::min(look.width, page_width)), "\n"));
  }
  std::string title(std::string const& text) const { return paragraph(text); }
  std::string heading(std::string const& text) const { return paragraph(text); }
  std::string table(Table const& table) const { return to_text(table, look.width, look.colour ? &paint : Paint()); }
  static std::string code(std::vector<std::string> const& lines) {
    return fmt::format("  {}\n", fmt::join(lines, "\n  "));
  }
  std::string notes(std::vector<std::string> const& lines) const {
    std::string out;
    for (std::string const& line : lines) out += paragraph(line);
    return out;
  }
};

struct MarkdownStyle {
  static std::string paragraph(std::string const& text) { return escape_markdown(text) + '\n'; }
  static std::string title(std::string const& text) { return "# " + paragraph(text); }
  static std::string heading(std::string const& text) { return "## " + paragraph(text); }
  static std::string table(Table const& table) { return to_markdown(table); }
  static std::string code(std::vector<std::string> const& lines) {
    return fmt::format("```\n{}\n```\n", fmt::join(lines, "\n"));
  }
  static std::string notes(std::vector<std::string> const& lines) {
    std::string out;
    for (std::string const& line : lines) out += "- " + paragraph(line);
    return out;
  }
};

struct LatexStyle {
  static std::string paragraph(std::string const& text) { return escape_latex(text) + '\n'; }
  static std::string title(std::string const& text) { return "\\section*{" + escape_latex(text) + "}\n"; }
  static std::string heading(std::string const& text) { return "\\subsection*{" + escape_latex(text) + "}\n"; }
  static std::string table(Table const& table) { return to_latex(table); }
  static std::string code(std::vector<std::string> const& lines) {
    return fmt::format("\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n", fmt::join(lines, "\n"));
  }
  static std::string notes(std::vector<std::string> const& lines) {
    std::string out;
    for (std::string const& line : lines) out += "\\par\\noindent " + paragraph(line);
    return out;
  }
};

std::string csv(Result const& result) {
  for (Section const& section : result.sections)
    if (!section.table.columns().empty()) return to_csv(section.table);
  return {};
}

/// The answer, which comes first, in bold.
std::string text(Result const& result, Origin const& origin, Look const& look) {
  std::string all = compose(result, origin, TextStyle{look});
  bool const answers =
      !result.alarms.empty() || !result.title.empty() ||
      (!result.sections.empty() && (!result.sections[0].heading.empty() || !result.sections[0].paragraphs.empty()));
  if (!look.colour || !answers) return all;
  std::size_t const end = std::min(all.find("\n\n"), all.size() - 1);
  return fmt::format("\x1b[1m{}\x1b[0m{}", std::string_view(all).substr(0, end), std::string_view(all).substr(end));
}

std::string json(Result const& result, Origin const& origin) {
  Json document = {{"schema", "draftgauge/" + origin.command},
                   {"version", origin.version},
                   {"command", origin.command},
                   {"seed", origin.seed},
                   {"backend", or_null(result.backend)},
                   {"inputs", Json::array()}};
  for (Input const& input : result.inputs) {
    document["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  }
  document.update(result.document);
  for (Alarm const& alarm : result.alarms)
    document["alarms"].push_back({{"kind", to_string(alarm.kind)}, {"words", alarm.words}});
  // A path may hold bytes that are not UTF-8; they are replaced rather than losing the result.
  return printable_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
}

}  // namespace

Status both(Status a, Status b) {
  for (Status const status :
       {Status::usage, Status::input, Status::interrupted, Status::failed, Status::inconclusive}) {
    if (a == status || b == status) return status;
  }
  return Status::done;
}

Result brief(Result result) {
  bool left_out = std::erase_if(result.sections, [](Section const& section) { return section.detail; }) > 0;
  for (Section& section : result.sections) {
    Table table = section.table.brief();
    left_out |=
        table.columns().size() < section.table.columns().size() || table.rows().size() < section.table.rows().size();
    section.table = std::move(table);
  }
  if (left_out) result.sections.push_back({.notes = {"More: --verbose, or --format json."}});
  return result;
}

Input input_from(std::string const& path) { return {path, sha256_of_file(path)}; }

Status status_of(Verdict verdict) { return verdict_cards[static_cast<std::size_t>(verdict)].status; }

std::string_view word(Verdict verdict) { return verdict_cards[static_cast<std::size_t>(verdict)].word; }

std::string render(Result const& result, Format format, Origin const& origin, Look const& look) {
  switch (format) {
    case Format::md: return compose(result, origin, MarkdownStyle{});
    case Format::csv: return csv(result);
    case Format::json: return json(result, origin);
    case Format::latex: return compose(result, origin, LatexStyle{});
    case Format::text: break;
  }
  return !result.verbatim.empty() ? result.verbatim : text(result, origin, look);
}

}  // namespace draftgauge
