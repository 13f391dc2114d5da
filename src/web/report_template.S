// SPDX-License-Identifier: Apache-2.0
// The built page as bytes of the program: an assembler takes a file as it is, at no cost, where a compiler would parse a long literal.
    .section .rodata
    .global fathom_report_template_begin
    .global fathom_report_template_end
    .type fathom_report_template_begin, %object
    .type fathom_report_template_end, %object
fathom_report_template_begin:
    .incbin REPORT_TEMPLATE_FILE
fathom_report_template_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
