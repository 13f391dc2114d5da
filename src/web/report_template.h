// SPDX-License-Identifier: Apache-2.0
/// The pages without data, as built from web/ and kept in the program (report_template.S).
#pragma once

#include <string_view>

extern "C" {
extern const char fathom_report_template_begin[];
extern const char fathom_report_template_end[];
extern const char fathom_slices_template_begin[];
extern const char fathom_slices_template_end[];
extern const char fathom_what_if_template_begin[];
extern const char fathom_what_if_template_end[];
extern const char fathom_application_template_begin[];
extern const char fathom_application_template_end[];
extern const char fathom_dashboard_template_begin[];
extern const char fathom_dashboard_template_end[];
}

namespace fathom {

inline std::string_view report_template() { return {fathom_report_template_begin, fathom_report_template_end}; }
inline std::string_view slices_template() { return {fathom_slices_template_begin, fathom_slices_template_end}; }
inline std::string_view what_if_template() { return {fathom_what_if_template_begin, fathom_what_if_template_end}; }
inline std::string_view application_template() { return {fathom_application_template_begin, fathom_application_template_end}; }
/// The dashboard's files, packed (web/vite_pack.ts).
inline std::string_view dashboard_pack() { return {fathom_dashboard_template_begin, fathom_dashboard_template_end}; }

}  // namespace fathom
