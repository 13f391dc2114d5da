// SPDX-License-Identifier: Apache-2.0
// Reads a ReportData from standard input and writes the page of `fathom report` with it; with the word `slices` a SlicesData, and that of
// `fathom slices`, with `what_if` a WhatIfData, and that of `fathom simulate`, with `application` an ApplicationData, and that of `fathom
// apps --app`.
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "web/report_page.h"

int main(int argc, char** argv) {
  const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string_view page = argc > 1 ? argv[1] : "report";
  std::cout << (page == "slices"        ? fathom::slices_page(json)
                : page == "what_if"     ? fathom::what_if_page(json)
                : page == "application" ? fathom::application_page(json)
                                        : fathom::report_page(json));
}
