// SPDX-License-Identifier: Apache-2.0
// Reads a ReportData from standard input and writes the page of `fathom report` with it.
#include <iostream>
#include <iterator>
#include <string>

#include "web/report_page.h"

int main() {
  const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << fathom::report_page(json);
}
