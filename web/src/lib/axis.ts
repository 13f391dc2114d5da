// SPDX-License-Identifier: Apache-2.0
/** What of an axis is drawn: its range, and ticks at numbers that mean something in its unit. */
import type { Axis, Unit } from './data';

export type Scale = Axis['scale'];

/** Where a value stands on its axis: decades on a log axis. */
export const position = (value: number, scale: Scale): number => (scale === 'log' ? Math.log10(value) : value);
export const valueAt = (place: number, scale: Scale): number => (scale === 'log' ? 10 ** place : place);

const drawable = (scale: Scale) => (value: number | null): value is number =>
  value !== null && Number.isFinite(value) && (scale === 'linear' || value > 0);

/** Nothing to draw: no job has a value, or all of them are zero on a log axis. */
export const isEmpty = (axis: Axis): boolean => axis.n === 0 || axis.n <= axis.zeros || axis.histogram.length === 0;

/** The range of values that shows everything, with `more` (points, a peak) and some room; null if there is nothing. */
export function domainOf(axes: Axis[], more: number[] = []): [number, number] | null {
  const first = axes[0];
  if (!first) return null;
  const { scale, unit } = first;
  const values = [...axes.flatMap((axis) => [axis.min, axis.max, ...axis.histogram.flatMap((bin) => [bin.from, bin.to])]), ...more].filter(drawable(scale));
  if (values.length === 0) return null;
  const places = values.map((value) => position(value, scale));
  let low = places.reduce((a, b) => Math.min(a, b));
  let high = places.reduce((a, b) => Math.max(a, b));
  if (scale === 'linear') {
    low = Math.min(0, low);
    if (unit === 'fraction') high = Math.max(1, high);
  }
  const least = scale === 'log' ? 2 : 1e-9; // decades: a single job is not blown up
  if (high - low < least) {
    const middle = (low + high) / 2;
    [low, high] = scale === 'log' ? [middle - least / 2, middle + least / 2] : [low, low + 1];
  }
  return [valueAt(low, scale), valueAt(high, scale)];
}

/** Steps of a log axis that mean something in a unit, the sparser ones first. */
const nice: Partial<Record<Unit, number[][]>> = {
  seconds: [
    [0.001, 0.01, 0.1, 1, 10, 60, 300, 1200, 3600, 10800, 28800, 86400, 259200, 864000],
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000],
  ],
};

/** Steps of a log axis: powers of 1024 for bytes, of ten for the rest, thinned or refined to about `wanted`. */
function logTicks(low: number, high: number, unit: Unit, wanted: number): number[] {
  for (const steps of nice[unit] ?? []) {
    const inRange = steps.filter((value) => value >= low * 0.999 && value <= high * 1.001);
    if (inRange.length >= 3) return thinned(inRange, wanted);
  }
  const binaryUnit = unit === 'bytes' || unit === 'bytes/s';
  for (const factor of binaryUnit ? [1024 ** 2, 1024, 32, 4, 2] : [1000, 10]) {
    const ticks: number[] = [];
    const to = Math.floor(Math.log(high * 1.001) / Math.log(factor));
    for (let k = Math.ceil(Math.log(low * 0.999) / Math.log(factor)); k <= to; k++) ticks.push(factor ** k);
    if (ticks.length >= Math.min(3, wanted)) return thinned(ticks, wanted);
  }
  const refined: number[] = [];
  for (let k = Math.floor(Math.log10(low)); 10 ** k <= high; k++) {
    for (const m of [1, 2, 5]) if (m * 10 ** k >= low * 0.999 && m * 10 ** k <= high * 1.001) refined.push(m * 10 ** k);
  }
  return thinned(refined, wanted);
}

function thinned(ticks: number[], wanted: number): number[] {
  const every = Math.ceil(ticks.length / wanted);
  return ticks.filter((_, i) => i % every === 0);
}

/** Steps of clocks: a third of an hour is no step of ten. */
const clockSteps = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400];

function linearTicks(low: number, high: number, unit: Unit, wanted: number): number[] {
  const rough = (high - low) / wanted;
  const clock = unit === 'seconds' && rough > 30 ? clockSteps.find((s) => s >= rough * 0.999) : undefined;
  const binaryUnit = unit === 'bytes' || unit === 'bytes/s';
  const base = binaryUnit ? 2 : 10;
  const power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const step = clock ?? (binaryUnit ? [1, 2] : [1, 2, 2.5, 5, 10]).map((m) => m * power).find((s) => s >= rough * 0.999) ?? rough;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9); k++) ticks.push(k * step);
  return ticks;
}

export function ticksOf([low, high]: [number, number], scale: Scale, unit: Unit, wanted = 6): number[] {
  return scale === 'log' ? logTicks(low, high, unit, wanted) : linearTicks(low, high, unit, wanted);
}
