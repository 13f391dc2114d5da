// SPDX-License-Identifier: Apache-2.0
// The built pages as bytes of the program: an assembler takes a file as it is, at no cost, where a compiler would parse a long literal.
    .macro page name, file
    .global fathom_\name\()_template_begin
    .global fathom_\name\()_template_end
    .type fathom_\name\()_template_begin, %object
    .type fathom_\name\()_template_end, %object
fathom_\name\()_template_begin:
    .incbin "\file"
fathom_\name\()_template_end:
    .byte 0
    .endm

    .section .rodata
    page report, REPORT_TEMPLATE_FILE
    page slices, SLICES_TEMPLATE_FILE
    page what_if, WHAT_IF_TEMPLATE_FILE
    page application, APPLICATION_TEMPLATE_FILE
    page dashboard, DASHBOARD_PACK_FILE
    .section .note.GNU-stack, "", %progbits
