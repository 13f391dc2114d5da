// SPDX-License-Identifier: Apache-2.0
/** Tells pictures made of pixels when they must be drawn anew: another width, another theme, or paper. */

import { onTheme } from '../lib/theme';

/** In CSS pixels: what fits the text area of A4 and Letter with the margins of the print stylesheet. */
const paperWidth = 680;
/** A little flatter, so that all panels of a job stand on its first page. */
export const paperHeight = 0.78;

const print = matchMedia('print');
const listeners = new Set<(paper: number | null) => void>();
let onPaper = false;

/** Paper is light whatever the screen is: the class makes the theme's variables say so before they are read. */
function setPaper(now: boolean): void {
  if (now === onPaper) return;
  onPaper = now;
  document.documentElement.classList.toggle('on-paper', now);
  for (const listener of listeners) listener(now ? paperWidth : null);
}

addEventListener('beforeprint', () => setPaper(true));
addEventListener('afterprint', () => setPaper(false));
print.addEventListener('change', () => setPaper(print.matches));
onTheme(() => listeners.forEach((listener) => listener(onPaper ? paperWidth : null)));

/** Calls `draw` with the width of paper, or null: as wide as there is room. Returns how to stop. */
export function onRedraw(place: HTMLElement, draw: (paper: number | null) => void): () => void {
  let width = place.clientWidth;
  const observer = new ResizeObserver(() => {
    if (onPaper || place.clientWidth === width) return;
    width = place.clientWidth;
    draw(null);
  });
  observer.observe(place);
  listeners.add(draw);
  if (onPaper) draw(paperWidth);
  return () => {
    observer.disconnect();
    listeners.delete(draw);
  };
}
