// SPDX-License-Identifier: Apache-2.0
#include "dashboard/api.h"

namespace fathom::dashboard {
namespace {

Json schema_of(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::text: return {{"type", "string"}};
    case Parameter::Kind::number: return {{"type", "number"}};
    case Parameter::Kind::whole: return {{"type", "integer"}, {"minimum", 0}};
    case Parameter::Kind::flag: return {{"type", "boolean"}};
  }
  return {};
}

Json parameters_of(const Endpoint& endpoint) {
  Json list = Json::array();
  std::string_view rest = endpoint.path;
  for (auto at = rest.find('{'); at != std::string_view::npos; at = rest.find('{')) {
    rest.remove_prefix(at + 1);
    list.push_back({{"name", rest.substr(0, rest.find('}'))}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
  }
  for (const Parameter& each : endpoint.parameters) {
    Json schema = schema_of(each.kind);
    if (each.many) schema = {{"type", "array"}, {"items", std::move(schema)}};
    list.push_back(
        {{"name", each.name}, {"in", "query"}, {"description", each.meaning}, {"required", each.required}, {"schema", std::move(schema)}});
  }
  return list;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

Json openapi() {
  Json paths = Json::object();
  const Json failure{{"description", "A failure: what was attempted and what was found"},
                     {"content", {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Failure"}}}}}}}};
  for (const Endpoint* endpoint : all_endpoints()) {
    Json operation{{"summary", endpoint->summary}, {"parameters", parameters_of(*endpoint)}};
    std::string described = "The answer";
    if (!endpoint->answers.empty()) described = "A `" + std::string(endpoint->answers) + "` of web/src/lib/api.ts";
    if (endpoint->method == "POST")
      operation["requestBody"] = {{"required", true}, {"content", {{"application/json", {{"schema", {{"type", "object"}}}}}}}};
    operation["responses"] = {{"200", {{"description", described}}}, {"default", failure}};
    paths[std::string(api_prefix) + std::string(endpoint->path)][lower(endpoint->method)] = std::move(operation);
  }
  return {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Fathom"},
        {"version", "1"},
        {"description", "Plain units: bytes, seconds, Unix time, fractions. What is not known is null."}}},
      {"paths", std::move(paths)},
      {"components",
       {{"schemas",
         {{"Failure",
           {{"type", "object"},
            {"properties",
             {{"error", {{"type", "object"}, {"properties", {{"kind", {{"type", "string"}}}, {"message", {{"type", "string"}}}}}}}}}}}}},
        {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

}  // namespace fathom::dashboard
