#include "analysis/report/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace draftgauge {
namespace {

using Kind = FieldType::Kind;

Json reference(std::string const& to) { return {{"$ref", to}}; }

/// What a number must be, written beside its type.
void add_bounds(Json& schema, FieldForm const& form) {
  auto const number = [](double bound) {
    auto const whole = static_cast<std::int64_t>(bound);
    return static_cast<double>(whole) == bound ? Json(whole) : Json(bound);
  };
  if (form.least) schema[form.above ? "exclusiveMinimum" : "minimum"] = number(*form.least);
  if (form.most) schema["maximum"] = number(*form.most);
}

Json schema_of(FieldType const& type, FieldForm const& form) {
  Json schema = Json::object();
  switch (type.kind) {
    case Kind::nothing: schema["type"] = "null"; break;
    case Kind::truth: schema["type"] = "boolean"; break;
    case Kind::integer: schema["type"] = "integer"; break;
    case Kind::number: schema["type"] = "number"; break;
    case Kind::text: schema["type"] = "string"; break;
    case Kind::fraction: schema = reference("envelope.json#/definitions/fraction"); break;
    case Kind::interval: schema = reference("envelope.json#/definitions/interval"); break;
    case Kind::result: schema = reference("#/definitions/" + snake_case(type.of().name)); break;
    case Kind::json:
      if (!form.schema.empty()) schema = reference(form.schema);
      break;
    case Kind::estimate: {
      Json number = {{"type", "number"}};
      add_bounds(number, form);
      schema["oneOf"] = {number, reference("envelope.json#/definitions/interval")};
      break;
    }
    case Kind::list:
      schema["type"] = "array";
      if (form.fewest > 0) schema["minItems"] = form.fewest;
      schema["items"] = schema_of(type.items.front(), form);
      break;
    case Kind::members:
      schema["type"] = "object";
      schema["additionalProperties"] = schema_of(type.items.front(), form);
      break;
  }
  if (type.kind == Kind::integer || type.kind == Kind::number) add_bounds(schema, form);
  if (type.kind == Kind::text && !form.words.empty()) schema = {{"enum", form.words}};
  // A member that is left out where there is nothing is never null.
  if (!form.endless && (!type.nullable || form.optional)) return schema;
  Json const null = Json::object({{"type", "null"}});
  if (schema.contains("type"))
    schema["type"] = {schema["type"], "null"};
  else if (schema.contains("oneOf"))
    schema["oneOf"].insert(schema["oneOf"].begin(), null);
  else if (!schema.empty())
    schema = {{"oneOf", {null, schema}}};
  return schema;
}

/// On one line where that is short, else each member on lines of its own.
std::string lines_of(Json const& json, std::string const& margin) {
  constexpr std::size_t width = 120;
  if (!json.is_structured()) return json.dump();
  std::vector<std::string> parts;
  for (auto const& [key, value] : json.items())
    parts.push_back((json.is_object() ? Json(key).dump() + ": " : "") + lines_of(value, margin + "  "));
  auto const [first, last] = json.is_object() ? std::pair('{', '}') : std::pair('[', ']');
  std::string const line = fmt::format("{}{}{}", first, fmt::join(parts, ", "), last);
  if (line.size() + margin.size() <= width && line.find('\n') == line.npos) return line;
  return fmt::format("{}\n  {}{}\n{}{}", first, margin, fmt::join(parts, ",\n  " + margin), margin, last);
}

}  // namespace

std::string laid_out(Json const& schema) { return lines_of(schema, "") + '\n'; }

std::string snake_case(std::string_view name) {
  std::string snake;
  for (char const c : name) {
    bool const capital = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (capital && !snake.empty()) snake += '_';
    snake += capital ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : c;
  }
  return snake;
}

Json schema_of(FieldCard const& card) {
  Json schema = schema_of(card.type, card.form);
  if (!card.form.says.empty()) schema["description"] = card.form.says;
  return schema;
}

Json schema_of(Description const& result) {
  Json required = Json::array(), members = Json::object();
  if (result.document)
    for (char const* member : {"schema", "version", "command", "seed", "backend", "inputs", "alarms"})
      members[member] = true;
  if (result.settable) members["settings"] = reference("envelope.json#/definitions/settings");
  for (FieldCard const& card : result.cards) {
    if (card.form.table_only) continue;
    members[card.key] = schema_of(card);
    if (!card.form.optional && !card.form.sometimes) required.push_back(card.key);
  }
  return {{"type", "object"},
          {"description", result.says},
          {"required", std::move(required)},
          {"additionalProperties", false},
          {"properties", std::move(members)}};
}

Json schema_of(std::vector<Description> const& results) {
  Json definitions = Json::object();
  for (Description const& result : with_inner(results)) definitions[snake_case(result.name)] = schema_of(result);
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "Results that are described in analysis/report; make docs writes this file"},
          {"definitions", std::move(definitions)}};
}

}  // namespace draftgauge
