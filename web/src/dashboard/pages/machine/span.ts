// SPDX-License-Identifier: Apache-2.0
/** The time that is looked at: from and to in the query, or `last` seconds up to the newest counters, or all there is. */
import { place, set } from '../../router.svelte';

export interface Span {
  from: number;
  to: number;
}

const least = 10; // seconds

export function spanOf(all: Span): Span {
  const last = place.number('last');
  if (last !== null && last > 0) return { from: Math.max(all.from, all.to - last), to: all.to };
  const [from, to] = [place.number('from') ?? all.from, place.number('to') ?? all.to];
  return to - from >= least ? { from, to } : all;
}

/** Whole seconds in the address; all of the time needs no words. */
export function show(span: Span, all: Span): void {
  const from = Math.max(all.from, Math.floor(span.from));
  const to = Math.min(all.to, Math.ceil(span.to));
  if (to - from < least) return;
  if (from <= all.from && to >= all.to) set({ from: null, to: null, last: null });
  else set({ from, to, last: null });
}

export const showLast = (seconds: number | null): void => set({ from: null, to: null, last: seconds });

/** Shifted by a share of itself, and wider or narrower about its middle. */
export function moved({ from, to }: Span, all: Span, shift: number, factor: number): Span {
  const half = Math.min((all.to - all.from) / 2, ((to - from) / 2) * factor);
  const middle = Math.min(all.to - half, Math.max(all.from + half, (from + to) / 2 + shift * (to - from)));
  return { from: middle - half, to: middle + half };
}
