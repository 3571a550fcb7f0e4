#include "analysis/report/python_classes.h"

#include <fmt/format.h>

namespace draftgauge {
namespace {

constexpr std::size_t line_width = 120;

std::string python_type(FieldType const& type) {
  using Kind = FieldType::Kind;
  std::string name;
  switch (type.kind) {
    case Kind::nothing: name = "None"; break;
    case Kind::truth: name = "bool"; break;
    case Kind::integer: name = "int"; break;
    case Kind::number: name = "float"; break;
    case Kind::text: name = "str"; break;
    case Kind::fraction: name = "Fraction"; break;
    case Kind::interval:
    case Kind::estimate: name = "Interval"; break;
    case Kind::result: name = type.of().name; break;
    case Kind::json: name = "Any"; break;
    case Kind::members: name = fmt::format("dict[str, {}]", python_type(type.items.front())); break;
    case Kind::list: {
      FieldType const& items = type.items.front();
      name = fmt::format("{}[{}]", items.kind == Kind::result ? "Rows" : "list", python_type(items));
      break;
    }
  }
  return type.nullable && type.kind != Kind::json ? name + " | None" : name;
}

/// A sentence in Python's words.
std::string in_python(std::string says) {
  for (char const* null : {"null", "Null"})
    for (std::size_t at = 0; (at = says.find(null, at)) != says.npos;) says.replace(at, 4, "None");
  return says;
}

std::string python_class(Description const& result) {
  std::string text =
      fmt::format("@dataclass(frozen=True)\nclass {}(Result):\n    \"\"\"{}\"\"\"\n\n", result.name, in_python(result.says));
  for (FieldCard const& card : result.cards) {
    if (card.form.table_only) continue;
    FieldType type = card.type;
    type.nullable |= card.form.optional || card.form.sometimes;
    std::string const line = fmt::format("    {}: {}", card.key, python_type(type));
    std::string const says = in_python(card.form.says);
    if (says.empty())
      text += line;
    else if (line.size() + says.size() + 5 <= line_width)
      text += fmt::format("{}  #: {}", line, says);
    else
      text += fmt::format("    #: {}\n{}", says, line);
    text += '\n';
  }
  if (!result.former.empty()) text += '\n';
  for (auto const& [old, now] : result.former) text += fmt::format("    {0} = renamed(\"{0}\", \"{1}\")\n", old, now);
  return text;
}

}  // namespace

std::string python_classes(std::vector<Description> const& results) {
  std::string text =
      "\"\"\"Made of what analysis/report describes (`make docs`). Not to be changed by hand.\"\"\"\n\n"
      "from __future__ import annotations\n\nfrom dataclasses import dataclass\n\n"
      "from ._results import Interval, Result, Rows, renamed\n";
  for (Description const& result : with_inner(results)) text += "\n\n" + python_class(result);
  return text;
}

}  // namespace draftgauge
