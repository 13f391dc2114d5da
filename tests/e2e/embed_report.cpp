// SPDX-License-Identifier: Apache-2.0
// Reads a ReportData from standard input and writes the page of `fathom report` with it; with the word `slices` a SlicesData, and that of `fathom slices`.
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "web/report_page.h"

int main(int argc, char** argv) {
  const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
  const bool slices = argc > 1 && std::string_view(argv[1]) == "slices";
  std::cout << (slices ? fathom::slices_page(json) : fathom::report_page(json));
}
