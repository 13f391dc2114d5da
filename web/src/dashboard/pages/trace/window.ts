// SPDX-License-Identifier: Apache-2.0
/** The part of a trace's time that is shown: in the query, so that a link shows the same. Seconds since the start of the trace. */
import { place, set } from '../../router.svelte';

export interface Window {
  from: number;
  to: number;
}

const shortest = 1e-6; // a microsecond across the picture

/** Nanoseconds: more digits are noise. */
const rounded = (seconds: number): number => Number(seconds.toFixed(9));

export function windowOf(length: number): Window {
  const from = Math.max(0, place.number('from') ?? 0);
  const to = Math.min(length, place.number('to') ?? length);
  return to - from >= shortest / 2 ? { from, to } : { from: 0, to: length };
}

/** All of it stands in no query. */
export function showWindow(next: Window, length: number, how: 'push' | 'replace' = 'push'): void {
  const width = Math.min(length, Math.max(shortest, next.to - next.from));
  const from = Math.min(length - width, Math.max(0, next.from));
  const all = width >= length * 0.999999;
  set({ from: all ? null : rounded(from), to: all ? null : rounded(from + width) }, how);
}

/** Around a moment that stays where it is. */
export const zoomed = (window: Window, around: number, factor: number): Window => ({ from: around - (around - window.from) * factor, to: around + (window.to - around) * factor });
export const moved = (window: Window, share: number): Window => ({ from: window.from + share * (window.to - window.from), to: window.to + share * (window.to - window.from) });

/** Round moments, about so many. */
export function ticksIn(window: Window, wanted: number): number[] {
  const least = (window.to - window.from) / Math.max(1, wanted);
  const round = [60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400].find((one) => one >= least);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = least > 50 ? (round ?? 86400 * Math.ceil(least / 86400)) : ([1, 2, 5, 10].map((one) => one * power).find((one) => one >= least * 0.999999) ?? 10 * power);
  const first = Math.ceil(window.from / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(window.to / step + 1e-9) - first + 1) }, (_, i) => (first + i) * step);
}

/** 12.345 s, with as many digits as neighbouring ticks need; minutes and hours where there are no fractions of a minute. */
export function momentText(seconds: number, step: number): string {
  if (step >= 60) return `${Math.floor(seconds / 60)} min`;
  return `${seconds.toFixed(Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))))} s`;
}

/** 812 ns, 4.31 µs, 12.7 ms, 3.2 s. */
export function lengthText(seconds: number): string {
  const [value, unit] = seconds < 1e-6 ? [seconds * 1e9, 'ns'] : seconds < 1e-3 ? [seconds * 1e6, 'µs'] : seconds < 1 ? [seconds * 1e3, 'ms'] : [seconds, 's'];
  return `${value >= 99.95 || value === 0 ? value.toFixed(0) : value.toPrecision(3)}\u00a0${unit}`;
}
