// SPDX-License-Identifier: Apache-2.0
// built_in_weights.toml as bytes of the program.
    .section .rodata
    .global fathom_built_in_weights_begin
    .global fathom_built_in_weights_end
    .type fathom_built_in_weights_begin, %object
    .type fathom_built_in_weights_end, %object
fathom_built_in_weights_begin:
    .incbin BUILT_IN_WEIGHTS_FILE
fathom_built_in_weights_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
