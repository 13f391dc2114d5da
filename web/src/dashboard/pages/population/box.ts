// SPDX-License-Identifier: Apache-2.0
/** The values that are chosen on the axes; in the address as x_from, x_to, y_from, y_to. */
import { place, set } from '../../router.svelte';

export interface Box {
  x: [number, number];
  y: [number, number];
}

export function boxChosen(): Box | null {
  const [a, b, c, d] = ['x_from', 'x_to', 'y_from', 'y_to'].map((key) => place.number(key));
  return a == null || b == null || c == null || d == null ? null : { x: [a, b], y: [c, d] };
}

/** Six figures are enough. */
const short = (value: number): number => Number(value.toPrecision(6));

export function chooseBox(box: Box | null): void {
  if (!box) set({ x_from: null, x_to: null, y_from: null, y_to: null, offset: null, sort: null });
  else set({ x_from: short(box.x[0]), x_to: short(box.x[1]), y_from: short(box.y[0]), y_to: short(box.y[1]), offset: null });
}
