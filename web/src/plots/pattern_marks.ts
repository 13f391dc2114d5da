// SPDX-License-Identifier: Apache-2.0
/** How patterns are told apart: by colour, by shape and by number. */

const looks = [
  ['circle', '●'], ['square', '■'], ['triangle', '▲'], ['diamond', '◆'], ['star', '★'], ['cross', '✚'],
] as const;

/** Of pattern 1, 2, ... */
const lookOf = (pattern: number) => looks[(pattern - 1) % looks.length] ?? looks[0];
export const symbolOf = (pattern: number) => lookOf(pattern)[0];
export const glyphOf = (pattern: number): string => lookOf(pattern)[1];
export const colourOf = (pattern: number): string => `var(--app-${(pattern - 1) % looks.length})`;
